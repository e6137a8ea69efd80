import type { Kernels } from "../../kernels/kernelTable";
import { ROW, rowOf, Uniform } from "../../kernels/layout";
import { Body } from "../bodies/body";
import type { AirArrays } from "../../kernels/layout";
import { AIR_DENSITY } from "../forces/stillAir";
import type { BodyState } from "../state/state";
import type { WindField, WorldClock, ClothSettings } from "../state/settings";
import { defaultSettings } from "../state/settings";

/** Material of free particles: balls, all alike. */
export interface ParticleMaterial {
    /** Of one [kg], > 0. */
    mass: number;
    /** Of one [m], > 0. */
    radius: number;
    /** Drag coefficient over the cross-section π radius², >= 0. */
    drag: number;
    /** Share of the speed of an impact with which they leave cloth, 0..1. */
    restitution: number;
    /** Coulomb friction coefficient against what sets none of its own. */
    friction: number;
}

/** Settings of free particles. What their fabric says follows from their material, see {@link describe}. */
export interface ParticleSettings extends ClothSettings {
    readonly particles: ParticleMaterial;
}

/** Raindrops of 2 mm: of water, as round as those are, and as they splash. */
export function defaultParticles(): ParticleSettings {
    const particles = { mass: 4.2e-6, radius: 1e-3, drag: 0.5, restitution: 0.1, friction: 0.3 };
    const settings = { ...defaultSettings(), sleepSpeed: 0, particles };
    describe(settings);
    return settings;
}

/** Tells contacts and air what the particles are made of: they ask a fabric for it. To be called when that has changed. */
export function describe(settings: ParticleSettings): void {
    const { mass, radius, friction } = settings.particles;
    const arealDensity = mass / (Math.PI * radius * radius);
    settings.fabric = { ...settings.fabric, arealDensity, thickness: radius, friction, damping: 0 };
}

/** The air that free particles fall through, at rest where no wind moves it. It comes first, and so sets density and drag. */
class BallAir implements WindField {
    readonly zone = null;
    readonly isActive = true;

    constructor(private readonly _material: ParticleMaterial) {}

    sample(_: WorldClock, uniforms: Float32Array): void {
        uniforms[Uniform.airDensity] = AIR_DENSITY;
        uniforms[Uniform.drag] = this._material.drag;
        uniforms[Uniform.skinFriction] = 0;
    }

    /** It adds no velocity. */
    addToAir(): void {}
}

/**
 * Drag of the air on free balls in one fixed step, quadratic in their speed through it:
 *
 *     F = ½ ρ drag π radius² |r| r,    r = air - v
 *
 * The speed falls by λ / (1 + λ) of what it would be with the weight of the step, λ = ½ ρ drag π radius² |r| Δt / m, and so comes to the terminal speed
 * √(2 m g / (ρ drag π radius²)) whatever the step is, and never beyond the air's. Air is everywhere; a wind's zone only moves it.
 *
 * @param air velocities of the air in, what it adds to a displacement in each substep out, see AirLayout
 */
export function applyBallDrag(state: BodyState, { airMotion }: AirArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses, uniforms, particleCount } = state;
    const dt = uniforms[Uniform.substep];
    const share = uniforms[Uniform.substepShare];
    const rate = uniforms[Uniform.dragRate];
    const perStep = 1 / (dt * share);
    const fallX = uniforms[Uniform.gravity] * perStep;
    const fallY = uniforms[Uniform.gravity + 1] * perStep;
    const fallZ = uniforms[Uniform.gravity + 2] * perStep;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        if (!(inverseMasses[i] > 0)) {
            airMotion.fill(0, o, o + ROW);
            continue;
        }
        const rx = airMotion[o] - (x[o] - p[o] + r[o]) / dt;
        const ry = airMotion[o + 1] - (x[o + 1] - p[o + 1] + r[o + 1]) / dt;
        const rz = airMotion[o + 2] - (x[o + 2] - p[o + 2] + r[o + 2]) / dt;
        const lambda = rate * Math.sqrt(rx * rx + ry * ry + rz * rz);
        const answered = (lambda / (1 + lambda)) * dt * share;
        airMotion[o] = answered * (rx - fallX);
        airMotion[o + 1] = answered * (ry - fallY);
        airMotion[o + 2] = answered * (rz - fallZ);
        airMotion[o + 3] = 0;
    }
}

/** Numbers of a particle: where it is in the world [m], and how fast [m/s], x y z each. */
const STATE_SIZE = 6;

/**
 * Particles that nothing binds, in a body of fixed capacity: the world moves them, colliders stop them, and the air. The living are the first
 * {@link count}; the others have no mass, and kernels pass them over.
 *
 *     ● ● ● ● ○ ○ ○ ○     a birth takes the first free place; who dies leaves its place to the last
 *     living │ parked
 */
export class FreeParticles {
    readonly body: Body;
    /** The wind of the settings; null there is vacuum. */
    readonly air: WindField;
    /** Number of live particles. */
    count = 0;
    /** Argument of {@link spawn} and result of {@link read}: position in the world [m] and velocity [m/s], x y z each. As arguments they would be boxed. */
    readonly particleState = new Float64Array(STATE_SIZE);
    private readonly _shares: Float32Array;

    /**
     * @param origin world position of simulation space's origin [m]; kept
     * @throws RangeError when there is no memory left
     */
    constructor(
        kernels: Kernels,
        readonly capacity: number,
        readonly settings: ParticleSettings,
        origin: Float64Array,
    ) {
        this._shares = new Float32Array(capacity);
        const plan = {
            particleCount: capacity,
            shares: this._shares,
            density: () => settings.particles.mass,
            triangles: new Uint32Array(0),
            constraints: {},
            passes: [],
            passesAfterContact: [],
            lengthConstraints: [],
            applyAir: applyBallDrag,
        };
        settings.wind = this.air = new BallAir(settings.particles);
        this.body = new Body(kernels, plan, new Float32Array(3 * capacity), settings, origin);
        this.body.prepare();
    }

    /** True if a particle lives and moves. */
    isMoving(i: number): boolean {
        return this.body.state.inverseMasses[i] > 0;
    }

    /**
     * Lets a particle live from what {@link numbers} say, in the first free place. One that is not finite is parked there: it has a place, and does not move.
     * There must be room.
     */
    spawn(): void {
        const { state, origin, settings, masses, colliders, contactEvents: impacts } = this.body;
        const { particleState: numbers } = this;
        const i = this.count++;
        const o = rowOf(i);
        let sum = 0;
        for (let k = 0; k < STATE_SIZE; k++) sum += numbers[k];
        const isFinite = Number.isFinite(sum);
        const substep = settings.fixedTimeStep / settings.substepCount;
        for (let c = 0; c < 3; c++) {
            state.positions[o + c] = state.stepStart[o + c] = isFinite ? numbers[c] - origin[c] : 0;
            // So that the places at the ends of the substeps lie on the parabola: Verlet's displacement is that of the middle.
            const displacement = isFinite ? substep * (numbers[3 + c] - 0.5 * settings.gravity[c] * substep) : 0;
            state.setDisplacement(o + c, displacement);
        }
        this._shares[i] = isFinite ? 1 : 0;
        const mass = masses.massOf(i);
        state.inverseMasses[i] = mass > 0 ? 1 / mass : 0;
        impacts?.clear(colliders, i);
    }

    /**
     * Writes a particle's {@link numbers} as they are drawn.
     * @param share where between the ends of the last step, 0..1
     */
    read(i: number, share: number): void {
        const { state, origin, settings } = this.body;
        const { positions: x, previous: p, residuals: r, stepStart } = state;
        const { particleState: numbers } = this;
        const rate = settings.substepCount / settings.fixedTimeStep;
        for (let c = 0, o = rowOf(i); c < 3; c++, o++) {
            numbers[c] = origin[c] + stepStart[o] + share * (x[o] - stepStart[o]);
            numbers[3 + c] = rate * (x[o] - p[o] + r[o]);
        }
    }

    /** Gives the place of a particle that has died to another, a later one. */
    moveSlot(from: number, to: number): void {
        const { state, colliders, contactEvents: impacts } = this.body;
        const { positions, previous, residuals, stepStart, inverseMasses } = state;
        for (let o = rowOf(to), source = rowOf(from), end = o + ROW; o < end; o++, source++) {
            positions[o] = positions[source];
            previous[o] = previous[source];
            residuals[o] = residuals[source];
            stepStart[o] = stepStart[source];
        }
        inverseMasses[to] = inverseMasses[from];
        this._shares[to] = this._shares[from];
        impacts?.clear(colliders, to);
    }

    /** Parks all but the first. */
    parkFrom(count: number): void {
        for (let i = count; i < this.count; i++) this.park(i);
        this.count = Math.min(count, this.count);
    }

    /** Ends a particle's motion where it is. */
    park(i: number): void {
        const { state } = this.body;
        this._shares[i] = state.inverseMasses[i] = 0;
        for (let o = rowOf(i), end = o + ROW; o < end; o++) {
            state.previous[o] = state.positions[o];
            state.residuals[o] = 0;
        }
    }
}
