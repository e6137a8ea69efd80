import type { Arena } from "../../kernels/arena";
import { blockCountOf, paddedCountOf, ParticleLayout, ROW, rowOf, Uniform } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import { determinant, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { ArenaStruct } from "../memory/arenaArrays";

/** Interpolated particles; shape [count] each. */
export interface InterpolatedParticles {
    readonly others: Uint32Array;
    readonly weights: Float32Array;
}

/** The running state of one cloth's particles; owns its memory. See ParticleArrays for the arrays. */
export class BodyState extends ArenaStruct implements ParticleArrays {
    readonly particleCount: number;
    readonly paddedCount: number;
    readonly blockCount: number;
    /** Counts the changes of inverse masses, pinning included: what is derived from them compares it. */
    massRevision = 0;
    /** True if some particles belong to a dynamic node that takes their reaction. */
    hasDynamicCarrier = false;
    positions!: Float32Array;
    previous!: Float32Array;
    residuals!: Float32Array;
    stepStart!: Float32Array;
    inverseMasses!: Float32Array;
    blockBounds!: Float32Array;
    uniforms!: Float32Array;

    constructor(arena: Arena, particleCount: number) {
        super(ParticleLayout);
        this.particleCount = particleCount;
        this.paddedCount = paddedCountOf(particleCount);
        this.blockCount = blockCountOf(this.paddedCount);
        this._allocate(arena);
    }

    /** Largest displacement of a particle since stepStart [m], as last measured. */
    get motion(): number {
        return this.uniforms[Uniform.motion];
    }

    /** The particle that padding points to: at the origin, at rest, of inverse mass 0. */
    get spareParticle(): number {
        return this.particleCount;
    }

    /**
     * Puts every particle at rest at the given positions.
     * @param positions simulation space [m], shape [particleCount, 3]
     */
    resetTo(positions: Float32Array): void {
        const x = this.positions;
        for (let i = 0, o = 0, q = 0; i < this.particleCount; i++, o += ROW, q += 3) {
            x[o] = positions[q];
            x[o + 1] = positions[q + 1];
            x[o + 2] = positions[q + 2];
        }
        this.stop();
    }

    /** Takes all motion away. */
    stop(): void {
        this.previous.set(this.positions);
        this.stepStart.set(this.positions);
        this.residuals.fill(0);
        this.uniforms[Uniform.motion] = 0;
    }

    /** Copies of the arrays that hold the motion, for {@link restoreMotion}. */
    saveMotion(): readonly Float32Array[] {
        return this._motionArrays.map((array) => array.slice());
    }

    /**
     * Takes over a motion, particle by particle: of the same particles, that of all, for not all of them are told by vertices.
     * @param motion copies of another's arrays
     * @param to particles of this one; `from`, those of the other whose motion they take
     * @param blend of what lies between two of the other's: the second one, and the share of the way there
     */
    restoreMotion(
        motion: readonly Float32Array[],
        to: Uint32Array,
        from: Uint32Array,
        blend: InterpolatedParticles | null = null,
    ): void {
        this._motionArrays.forEach((array, i) => {
            if (!blend && motion[i].length === array.length && to.every((p, k) => p === from[k])) return array.set(motion[i]);
            for (let k = 0; k < to.length; k++) {
                for (let c = 0; c < ROW; c++) array[rowOf(to[k]) + c] = motion[i][rowOf(from[k]) + c];
                const share = blend ? blend.weights[k] : 0;
                if (share === 0) continue;
                for (let c = 0; c < ROW; c++) {
                    const o = rowOf(to[k]) + c;
                    array[o] += share * (motion[i][rowOf(blend!.others[k]) + c] - array[o]);
                }
            }
        });
    }

    private get _motionArrays(): readonly Float32Array[] {
        return [this.positions, this.previous, this.stepStart, this.residuals];
    }

    /** Moves the origin of simulation space by (dx, dy, dz) [m]; the particles stay where they are in the world. */
    rebase(dx: number, dy: number, dz: number): void {
        for (const array of [this.positions, this.previous, this.stepStart]) {
            for (let o = 0, end = rowOf(this.particleCount); o < end; o += ROW) {
                array[o] -= dx;
                array[o + 1] -= dy;
                array[o + 2] -= dz;
            }
        }
    }

    /** Moves every particle by an affine map of simulation space; velocities turn along, and stay as large where the map scales. */
    transform(m: ArrayLike<number>): void {
        const { positions: x, previous: p, residuals: r, stepStart: s } = this;
        const size = Math.cbrt(Math.abs(determinant(m)));
        // To the bit where it is rigid but for rounding.
        const kept = Math.abs(size - 1) > 1e-6 && size > 0 ? 1 / size : 1;
        const [m0, m1, m2, , m4, m5, m6, , m8, m9, m10, , m12, m13, m14] = Array.from(m);
        for (let o = 0, end = rowOf(this.particleCount); o < end; o += ROW) {
            const dx = kept * (x[o] - p[o] + r[o]),
                dy = kept * (x[o + 1] - p[o + 1] + r[o + 1]),
                dz = kept * (x[o + 2] - p[o + 2] + r[o + 2]);
            for (const array of [x, s]) {
                const ax = array[o],
                    ay = array[o + 1],
                    az = array[o + 2];
                array[o] = ax * m0 + ay * m4 + az * m8 + m12;
                array[o + 1] = ax * m1 + ay * m5 + az * m9 + m13;
                array[o + 2] = ax * m2 + ay * m6 + az * m10 + m14;
            }
            this.setDisplacement(o, dx * m0 + dy * m4 + dz * m8);
            this.setDisplacement(o + 1, dx * m1 + dy * m5 + dz * m9);
            this.setDisplacement(o + 2, dx * m2 + dy * m6 + dz * m10);
        }
    }

    /** Moves where the particles were at the start of the last step by an affine map of simulation space. */
    moveStepStart(m: Affine): void {
        const { stepStart } = this;
        for (let o = 0, end = rowOf(this.particleCount); o < end; o += ROW) transformPoint(m, stepStart, o, stepStart, o);
    }

    /** Largest displacement of a particle in a substep [m]. */
    get maxDisplacement(): number {
        const { positions: x, previous: p, residuals: r } = this;
        let squared = 0;
        for (let o = 0, end = rowOf(this.particleCount); o < end; o += ROW) {
            const dx = x[o] - p[o] + r[o];
            const dy = x[o + 1] - p[o + 1] + r[o + 1];
            const dz = x[o + 2] - p[o + 2] + r[o + 2];
            squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
        }
        return Math.sqrt(squared);
    }

    /** Slows particles down that move by more than a distance in a substep [m]. */
    limitDisplacements(most: number): void {
        const { positions: x, previous: p, residuals: r } = this;
        for (let o = 0, end = rowOf(this.particleCount); o < end; o += ROW) {
            const dx = x[o] - p[o] + r[o];
            const dy = x[o + 1] - p[o + 1] + r[o + 1];
            const dz = x[o + 2] - p[o + 2] + r[o + 2];
            const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
            if (!(size > most)) continue;
            this.setDisplacement(o, (dx * most) / size);
            this.setDisplacement(o + 1, (dy * most) / size);
            this.setDisplacement(o + 2, (dz * most) / size);
        }
    }

    /** Scales all velocities, as when the substep changes or motion is to stop (0). */
    scaleVelocities(factor: number): void {
        const { positions: x, previous: p, residuals: r } = this;
        for (let o = 0, end = rowOf(this.particleCount); o < end; o++) this.setDisplacement(o, (x[o] - p[o] + r[o]) * factor);
    }

    /** Sets how far the coordinate at slot `o` came in the last substep [m], to more digits than positions have. */
    setDisplacement(o: number, displacement: number): void {
        const { positions: x, previous: p, residuals: r } = this;
        p[o] = x[o] - displacement;
        r[o] = displacement - (x[o] - p[o]);
    }
}

/**
 * Checks what must hold between steps; for tests and debugging.
 * @throws Error naming the first array and index that breaks a rule
 */
export function validateState(state: BodyState): void {
    const spare = rowOf(state.particleCount);
    for (const name of ["positions", "previous", "residuals", "stepStart"] as const) {
        const array = state[name];
        for (let i = 0; i < array.length; i++) {
            if (!Number.isFinite(array[i])) throw new Error(`BodyState: ${name}[${i}] is ${array[i]}`);
            if (i % ROW === 3 && array[i] !== 0) throw new Error(`BodyState: ${name}[${i}], a fourth lane, is ${array[i]}`);
            if (i >= spare && array[i] !== 0) throw new Error(`BodyState: ${name}[${i}], padding, is ${array[i]}`);
        }
    }
    for (let i = 0; i < state.paddedCount; i++) {
        const w = state.inverseMasses[i];
        if (!(w >= 0 && w < Infinity)) throw new Error(`BodyState: inverseMasses[${i}] is ${w}`);
        if (i >= state.particleCount && w !== 0) throw new Error(`BodyState: inverseMasses[${i}], padding, is ${w}`);
    }
}

/** A dynamic collider's motion within a substep. */
interface Rescalable {
    rescale(data: Float32Array, factor: number): void;
}

/** Makes a body's substeps longer by a factor: displacements are those of a substep. */
export function rescaleDisplacements(
    state: BodyState,
    colliders: readonly { readonly data: Float32Array; readonly dynamicBody: Rescalable | null }[],
    factor: number,
): void {
    state.scaleVelocities(factor);
    for (const { data, dynamicBody } of colliders) dynamicBody?.rescale(data, factor);
}

/** Writes the velocities of a body's particles in the last substep [m/s], shape [particleCount, 3]; zeros where it has taken none. */
export function readVelocities(
    { state, substep }: { readonly state: BodyState; readonly substep: number },
    target: Float32Array,
): void {
    const { positions: x, previous: p, residuals: r, particleCount } = state;
    const rate = substep > 0 ? 1 / substep : 0;
    for (let i = 0, q = 0, o = 0; i < particleCount; i++, q += 3, o += ROW)
        for (let c = 0; c < 3; c++) target[q + c] = (x[o + c] - p[o + c] + r[o + c]) * rate;
}
