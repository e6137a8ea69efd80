import type { Kernels } from "../../kernels/kernelTable";
import { Uniform } from "../../kernels/layout";
import type { TriangleArrays } from "../../kernels/layout";
import type { BodyDefinition } from "../state/bodyDefinition";
import type { ClothSettings, WindField, WorldClock } from "../state/settings";
import type { BodyState } from "../state/state";
import type { Stopwatch } from "../time/stopwatch";
import { Air } from "./air";
import { excludeMeanFromDamping } from "./meanMotion";
import type { WindZoneVolume } from "../state/windZones";

/** The part of a body that the air acts on. */
export interface AirBody {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly definition: Pick<BodyDefinition, "applyAir">;
    readonly triangles: TriangleArrays;
    readonly pins: readonly unknown[];
    readonly winds: readonly WindField[];
    readonly clock: WorldClock;
    readonly origin: Float64Array;
    readonly stopwatch: Stopwatch;
    hasAir: boolean;
    air: Air | null;
}

/**
 * Finds the air about the particles, and what it does to them in each substep of this step. It makes use of stepStart, which the step
 * then writes.
 */
export function updateAir(body: AirBody): void {
    const { definition: plan, settings, winds, stopwatch } = body;
    const wasWindy = body.hasAir;
    body.hasAir = false;
    stopwatch.start();
    if ((settings.wind || winds.length > 0) && (plan.applyAir || body.triangles.triangleCount > 0)) {
        body.kernels.predictMidstep(body.state);
        if (settings.wind) addWindField(body, settings.wind, wasWindy);
        for (let i = 0; i < winds.length; i++) if (winds[i] !== settings.wind) addWindField(body, winds[i], wasWindy);
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
 * @param goesOn whether it was felt in the last step, too
 * @throws RangeError when there is no memory left
 */
export function ensureAir(body: AirBody, goesOn: boolean): Air {
    body.air ??= new Air(body.kernels.arena, body.state, body.triangles);
    if (!goesOn) body.air.reset(body.state);
    return body.air;
}

/** Adds a wind to the air of a step. What the air is, the first one says. @param wasWindy whether there was air in the last step */
function addWindField(body: AirBody, wind: WindField, wasWindy: boolean): void {
    const { state, kernels, clock, origin } = body;
    const { zone } = wind;
    if (zone && !(zone.isPlaced && overlapsZone(zone, body))) return;
    wind.sample(clock, state.uniforms);
    if (!(state.uniforms[Uniform.airDensity] > 0)) return;
    writeGustPhases(body);
    const air = ensureAir(body, wasWindy || body.hasAir);
    if (!body.hasAir) {
        air.airMotion.fill(0);
        writeDragRates(body);
        body.hasAir = true;
    }
    zone?.writeUniforms(state.uniforms, origin);
    wind.addToAir(kernels, state, air);
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
