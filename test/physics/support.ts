import { getKernels, identity, PinSet, createCloth, World, findWarpWeft } from "../../src/engine/index";
import { contactKernels } from "../../src/kernels/modules/contact.generated";
import type {
    Kernels,
    Body,
    Collider,
    ColliderShape,
    Fabric,
    ClothSettings,
    SolverName,
    WindField,
    WarpWeft,
    Vector,
} from "../../src/engine/index";
import { CUBE_PLANES } from "../../src/engine/collision/shapes/hull";
import { measureStretch } from "../../src/engine/index";
import { colliderShapes } from "../../src/engine/collision/shapes/registry";
import { buildTopology } from "../../src/engine/topology/topology";
import type { ClothTopology } from "../../src/engine/topology/topology";
import type { Sheet } from "./meshes";

/** Acceleration of gravity in these tests [m/s²]. */
export const G = 9.81;

/** A fabric of round numbers: 1 kg/m², inextensible along its edges, no shear, bending, damping, thickness or friction. */
export const PLAIN: Fabric = {
    arealDensity: 1,
    stretchStiffness: Infinity,
    shearStiffness: 0,
    bendStiffness: 0,
    damping: 0,
    thickness: 0,
    friction: 0,
};

/** What a test sets about a cloth; the rest is {@link PLAIN}, no tethers, 1/60 s in 4 substeps, gravity {@link G} down. */
export interface ClothOptions {
    fabric?: Partial<Fabric>;
    gravity?: Vector;
    substepCount?: number;
    fixedTimeStep?: number;
    maxStepsPerFrame?: number;
    tetherSlack?: number;
    sleepSpeed?: number;
    wind?: WindField | null;
    solver?: SolverName;
    springDamping?: number;
    /** Particles that stand still. */
    pinned?: readonly number[];
    /** Where warp and weft run. */
    threads?: WarpWeft;
}

const world = new World();

/** The kernels, those of contact included. */
export function kernelsOf(): Kernels {
    return getKernels().add(contactKernels);
}

/** The settings that a test's options make: see {@link ClothOptions}. */
export function settingsOf({ fabric, gravity = [0, -G, 0], pinned: _, threads: __, ...rest }: ClothOptions): ClothSettings {
    return {
        gravity: Float64Array.from(gravity),
        substepCount: 4,
        fixedTimeStep: 1 / 60,
        maxStepsPerFrame: 4,
        tetherSlack: Infinity,
        sleepSpeed: 0,
        wind: null,
        solver: "xpbd",
        springDamping: 0,
        ...rest,
        fabric: { ...PLAIN, ...fabric },
    };
}

/** Builds a cloth from a mesh or a topology made by hand. */
export function makeCloth(shape: Sheet | ClothTopology, options: ClothOptions = {}): Body {
    const topology = "areas" in shape ? shape : buildTopology(shape.positions, shape.triangles);
    const { pinned, threads } = options;
    const settings = settingsOf(options);
    const cloth = createCloth(
        kernelsOf(),
        topology,
        topology.positions,
        settings,
        undefined,
        undefined,
        threads && (() => threads),
    );
    if (pinned) pinParticles(cloth, pinned);
    cloth.prepare();
    return cloth;
}

/** The threads of a sheet that lies or stands along the axes: warp along one of them, weft along another. */
export function threadsOf({ positions, triangles }: Sheet, warpAxis: 0 | 1 | 2, weftAxis: 0 | 1 | 2): WarpWeft {
    const vertices = Uint32Array.from({ length: positions.length / 3 }, (_, v) => v);
    const uvs = Float32Array.from(
        { length: 2 * vertices.length },
        (_, k) => positions[3 * (k >> 1) + (k % 2 ? weftAxis : warpAxis)],
    );
    return findWarpWeft(positions, triangles, vertices, uvs);
}

/** Holds particles where they are. */
export function pinParticles(cloth: Body, particles: readonly number[]): PinSet {
    const pins = new PinSet(Uint32Array.from(particles));
    pins.attach(cloth.state, identity());
    cloth.addPins(pins);
    return pins;
}

/** A capsule of one radius, and the cube as a hull. */
const FORMS: Partial<Record<ColliderShape, readonly number[]>> = { capsule: [1, 1], hull: CUBE_PLANES };

/** Adds a collider at a {@link pose}. */
export function addCollider(
    cloth: Body,
    shape: ColliderShape,
    pose: Float64Array,
    { hasGhost = false, form = FORMS[shape] ?? [] }: { hasGhost?: boolean; form?: ArrayLike<number> } = {},
): Collider {
    const make = (): Collider => colliderShapes[shape](cloth.kernels, cloth.state.particleCount, form, null);
    const collider = make();
    if (hasGhost) collider.renderCopy = make();
    collider.setPose(pose);
    cloth.addCollider(collider);
    // Placed: what it does from now on is motion.
    collider.beginStep({ fraction: 1 });
    return collider;
}

/** A pose: half axes, then turned about an axis by an angle [rad], then moved. */
export function pose(centre: Vector, half: Vector = [1, 1, 1], angle = 0, axis: "x" | "y" | "z" = "z"): Float64Array {
    const m = identity();
    const u = { x: 1, y: 2, z: 0 }[axis];
    const v = (u + 1) % 3;
    m[5 * u] = m[5 * v] = Math.cos(angle);
    m[4 * u + v] = Math.sin(angle);
    m[4 * v + u] = -Math.sin(angle);
    for (let row = 0; row < 3; row++) for (let c = 0; c < 3; c++) m[4 * row + c] *= half[row];
    m.set(centre, 12);
    return m;
}

/** Advances by whole fixed steps. `before` is called ahead of each, for what moves. */
export function runSteps(cloth: Body, count: number, before?: (step: number) => void): void {
    for (let s = 0; s < count; s++) {
        before?.(s);
        runFrame(cloth, cloth.settings.fixedTimeStep);
    }
}

/** Advances by one frame of any length [s]. */
export function runFrame(cloth: Body, seconds: number): void {
    cloth.clock.frameSeconds = seconds;
    cloth.beginFrame();
    world.advance([cloth]);
    cloth.endFrame();
}

/** Advances by seconds in fixed steps. */
export function runSeconds(cloth: Body, seconds: number, before?: (step: number) => void): void {
    runSteps(cloth, Math.round(seconds / cloth.settings.fixedTimeStep), before);
}

/** Position of a particle [m]. */
export function at(cloth: Body, particle: number): Vector {
    const x = cloth.state.positions;
    return [x[4 * particle], x[4 * particle + 1], x[4 * particle + 2]];
}

function substepOf(cloth: Body): number {
    return cloth.settings.fixedTimeStep / cloth.settings.substepCount;
}

/** Velocity of a particle over the last substep [m/s]. */
export function velocityOf(cloth: Body, particle: number): Vector {
    const { positions: x, previous: p, residuals: r } = cloth.state;
    const o = 4 * particle;
    const dt = substepOf(cloth);
    return [(x[o] - p[o] + r[o]) / dt, (x[o + 1] - p[o + 1] + r[o + 1]) / dt, (x[o + 2] - p[o + 2] + r[o + 2]) / dt];
}

/** Gives a particle a velocity [m/s]. */
export function setVelocity(cloth: Body, particle: number, velocity: Vector): void {
    const { positions: x, previous: p, residuals: r } = cloth.state;
    for (let o = 4 * particle, c = 0; c < 3; o++, c++) {
        const d = velocity[c] * substepOf(cloth);
        p[o] = x[o] - d;
        r[o] = d - (x[o] - p[o]);
    }
}

/** Distance of two particles [m]. */
export function distance(cloth: Body, a: number, b: number): number {
    const p = at(cloth, a);
    const q = at(cloth, b);
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** Mass [kg], centre [m], linear [kg m/s] and angular momentum about the origin [kg m²/s], kinetic and potential energy [J]. */
export function measure(cloth: Body) {
    const centre = [0, 0, 0];
    const momentum = [0, 0, 0];
    const spin = [0, 0, 0];
    let mass = 0;
    let potential = 0;
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const m = cloth.masses.massOf(i);
        const x = at(cloth, i);
        const v = velocityOf(cloth, i);
        mass += m;
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            centre[c] += m * x[c];
            momentum[c] += m * v[c];
            spin[c] += m * (x[d] * v[e] - x[e] * v[d]);
            potential -= m * cloth.settings.gravity[c] * x[c];
        }
    }
    for (let c = 0; c < 3; c++) centre[c] /= mass;
    return { mass, centre, momentum, spin, potential, kinetic: cloth.kineticEnergy };
}

/** Mean and largest elongation of the structural sticks. */
export function stretchOf(cloth: Body): { mean: number; max: number } {
    const [mean, max] = measureStretch(cloth, new Float64Array(2));
    return { mean, max };
}

/** Lowest y of all particles [m]. */
export function lowest(cloth: Body): number {
    let y = Infinity;
    for (let i = 0; i < cloth.state.particleCount; i++) y = Math.min(y, at(cloth, i)[1]);
    return y;
}

/** The slope of log y against log x: the power of a law y ∝ xᵖ. */
export function powerLaw(x: readonly number[], y: readonly number[]): number {
    const lx = x.map(Math.log);
    const ly = y.map(Math.log);
    const mx = lx.reduce((a, b) => a + b) / x.length;
    const my = ly.reduce((a, b) => a + b) / y.length;
    return lx.reduce((sum, v, i) => sum + (v - mx) * (ly[i] - my), 0) / lx.reduce((sum, v) => sum + (v - mx) * (v - mx), 0);
}
