import type { Kernels } from "../../kernels/kernelTable";
import { ROW, rowOf } from "../../kernels/layout";
import { Body } from "../bodies/body";
import { applyBallDrag, StillAir } from "./ballDrag";
import type { ParticleSettings } from "./particleMaterial";

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
        settings.wind = new StillAir(settings.particles);
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
