import type { Kernels } from "../../kernels/kernelTable";
import type { TriangleArrays } from "../../kernels/layout";
import type { BodyDefinition } from "../state/bodyDefinition";
import type { ClothSettings, WindField, WorldClock } from "../state/settings";
import type { Stopwatch } from "../time/stopwatch";
import { Air } from "./air";
import { AIR_DENSITY, stillAir } from "./stillAir";
import type { WindZoneVolume } from "../state/windZones";
import { ROW, rowOf, Uniform } from "../../kernels/layout";
import type { BodyState } from "../state/state";

/** Mean displacement in the last substep [m]. */
const meanDisplacement = new Float64Array(3);

/**
 * Leaves what air moves as a whole undamped: a fabric's damping stands in for air, and would brake what falls or sails a second time. What damping
 * takes from the mean motion is given back as gravity is, in every substep of the step. To be called once a step, for a body without pins.
 */
export function excludeMeanFromDamping({
    positions: x,
    previous: p,
    residuals: r,
    inverseMasses,
    uniforms,
    particleCount,
}: BodyState): void {
    let mass = 0;
    meanDisplacement.fill(0);
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        if (inverseMasses[i] === 0) continue;
        const m = 1 / inverseMasses[i];
        mass += m;
        meanDisplacement[0] += m * (x[o] - p[o] + r[o]);
        meanDisplacement[1] += m * (x[o + 1] - p[o + 1] + r[o + 1]);
        meanDisplacement[2] += m * (x[o + 2] - p[o + 2] + r[o + 2]);
    }
    if (mass === 0) return;
    const taken = 1 - uniforms[Uniform.displacementFactor];
    for (let c = 0; c < 3; c++) uniforms[Uniform.gravity + c] += (taken * meanDisplacement[c]) / mass;
}

/** The part of a body that the air acts on. */
export interface AirBody {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly definition: Pick<BodyDefinition, "applyAir" | "faceRadius">;
    readonly triangles: TriangleArrays;
    readonly pins: readonly unknown[];
    readonly winds: readonly WindField[];
    readonly clock: WorldClock;
    readonly origin: Float64Array;
    readonly stopwatch: Stopwatch;
    hasAir: boolean;
    hasWind: boolean;
    air: Air | null;
    readonly inertia: AnchorAir | null;
}

/** Air that goes along with an anchor, see bodies/inertia.ts. */
interface AnchorAir {
    addAirVelocity(air: Air, state: BodyState, seconds: number): void;
}

/**
 * Finds the air about the particles, and what it does to them in each substep of this step. It makes use of stepStart, which the step
 * then writes.
 */
export function updateAir(body: AirBody): void {
    const { definition: plan, settings, winds, stopwatch } = body;
    const { wind: own } = settings;
    const hadAir = body.hasAir;
    body.hasAir = body.hasWind = false;
    stopwatch.start();
    if (own && (plan.applyAir || body.triangles.triangleCount > 0)) {
        body.kernels.predictMidstep(body.state);
        if (own !== stillAir) addWindField(body, own, hadAir);
        for (let i = 0; i < winds.length; i++) if (winds[i] !== own) addWindField(body, winds[i], hadAir);
        if (!body.hasAir && (own === stillAir || own.zone)) addWindField(body, stillAir, hadAir);
        if (body.hasAir) body.inertia?.addAirVelocity(body.air!, body.state, settings.fixedTimeStep);
        if (body.hasAir) {
            if (plan.applyAir) plan.applyAir(body.state, body.air!, settings);
            else body.kernels.applyAir(body.state, body.air!);
            if (body.pins.length === 0 && settings.fabric.damping > 0) excludeMeanFromDamping(body.state);
        }
    }
    stopwatch.lap(0);
}

/**
 * The air about a body, made when it is first felt.
 * @param goesOn true if it was felt in the last step, too
 * @throws RangeError when there is no memory left
 */
export function ensureAir(body: AirBody, goesOn: boolean): Air {
    body.air ??= new Air(body.kernels.arena, body.state, body.triangles, body.definition.faceRadius ?? 0);
    if (!goesOn) body.air.reset(body.state);
    return body.air;
}

/** Adds a wind to the air of a step. The first one sets density and coefficients. @param hadAir true if there was air in the last step */
function addWindField(body: AirBody, wind: WindField, hadAir: boolean): void {
    const { state, kernels, clock, origin } = body;
    const { zone } = wind;
    if (zone && !(zone.isPlaced && overlapsZone(zone, body))) return;
    wind.sample(clock, state.uniforms, origin);
    if (!(state.uniforms[Uniform.airDensity] > 0)) return;
    writeGustPhases(body);
    const air = ensureAir(body, hadAir || body.hasAir);
    if (!body.hasAir) {
        air.airMotion.fill(0);
        if (zone) surroundWithStillAir(body, air);
        writeDragRates(body);
        body.hasAir = true;
    }
    body.hasWind ||= wind.isActive;
    zone?.writeUniforms(state.uniforms, origin);
    wind.addToAir(kernels, state, air);
}

/** Density outside the zone of the first wind, which sets that of the zone. */
function surroundWithStillAir({ state }: AirBody, { airMotion }: Air): void {
    const excess = AIR_DENSITY / state.uniforms[Uniform.airDensity] - 1;
    for (let o = ROW - 1, end = rowOf(state.particleCount); o < end; o += ROW) airMotion[o] = excess;
}

const box = new Float32Array(8);

/** True if any of the body can be in a zone. */
function overlapsZone(zone: WindZoneVolume, { state: { uniforms }, origin }: AirBody): boolean {
    for (let c = 0; c < 3; c++) {
        box[c] = uniforms[Uniform.middle + c] - uniforms[Uniform.extent + c] / 2;
        box[4 + c] = uniforms[Uniform.middle + c] + uniforms[Uniform.extent + c] / 2;
    }
    return zone.mayOverlap(box, origin);
}

/** Drag rates of a body: of those of its particles that weigh as much as its fabric, face-on and along. */
function writeDragRates({ state: { uniforms }, settings }: AirBody): void {
    const rate = (uniforms[Uniform.airDensity] * settings.fixedTimeStep) / (2 * settings.fabric.arealDensity);
    uniforms[Uniform.dragRate] = rate * uniforms[Uniform.drag];
    uniforms[Uniform.frictionRate] = rate * uniforms[Uniform.skinFriction];
}

/** Gusts travel through the world, wherever the origin of simulation space is: its distance along the wave is taken off the phase. */
function writeGustPhases({ origin, state: { uniforms } }: AirBody): void {
    if (origin[0] === 0 && origin[1] === 0 && origin[2] === 0) return;
    const wave = Uniform.gustWave;
    const phase =
        uniforms[Uniform.gustPhase] -
        (origin[0] * uniforms[wave] + origin[1] * uniforms[wave + 1] + origin[2] * uniforms[wave + 2]);
    uniforms[Uniform.gustPhase] = phase - Math.floor(phase);
}
