import type { Arena } from "../../../kernels/arena";
import { SystemLayout, SystemRow } from "../../../kernels/implicitLayout";
import type { SystemArrays } from "../../../kernels/implicitLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { SolverMotion } from "../base/solverMotion";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";

/** Energy of a sheet's deformation: ½ k C² for each of many conditions C(x) of a few particles (Baraff & Witkin 1998, §4). */
export interface EnergyTerm {
    /** Particles of each element, and how many that are. */
    readonly particles: Uint32Array;
    readonly size: number;
    /** Bytes that it has of the arena. */
    readonly byteLength: number;
    /** To be called once the system's pattern is known. */
    bindToSystem(system: BlockSystem): void;
    /** Derives what depends on the fabric and on pins. */
    prepare(state: BodyState, settings: ClothSettings): void;
    /** Adds forces and their derivatives to the system. */
    addForces(kernels: KernelFunctions, system: BlockSystem): void;
    release(): void;
}

/** Source of matrix entries: groups of particles that act on each other. */
interface ParticleGroups {
    readonly particles: Uint32Array;
    /** Particles of a group. */
    readonly size: number;
}

const OWNED_ARRAYS = Object.keys(SystemLayout).filter((name) => name !== "places" && name !== "velocities");

/** The linear system of a step, see kernels/assembly/sparseSystem.ts. Its pattern, which particles act on which, is that of the sheet and found once. */
export class BlockSystem extends ArenaStruct implements SystemArrays {
    readonly particleCount: number;
    readonly blockCount: number;
    numbers!: Float32Array;
    rows!: Uint32Array;
    columns!: Uint32Array;
    blocks!: Float32Array;
    factors!: Float32Array;
    inverses!: Float32Array;
    marks!: Uint32Array;
    masses!: Float32Array;
    right!: Float64Array;
    solution!: Float32Array;
    residual!: Float32Array;
    direction!: Float32Array;
    product!: Float32Array;
    conditioned!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _motion: SolverMotion,
        particleCount: number,
        groups: readonly ParticleGroups[],
    ) {
        super(SystemLayout, OWNED_ARRAYS);
        this.particleCount = particleCount;
        const partners = Array.from({ length: particleCount }, () => new Set<number>());
        for (const { particles, size } of groups) {
            particles.forEach((i, k) => {
                const first = k - (k % size);
                for (let j = first; j < first + size; j++) if (particles[j] !== i) partners[i].add(particles[j]);
            });
        }
        this.blockCount = partners.reduce((sum, { size }) => sum + size, 0);
        this._allocate(arena);
        partners.reduce((first, others, i) => {
            const row = [...others].sort((a, b) => a - b);
            this.columns.set(row, first);
            const end = first + row.length;
            this.rows.set([first, first + row.filter((j) => j < i).length, end], SystemRow.count * i);
            return end;
        }, 0);
    }

    get places(): Float64Array {
        return this._motion.positions;
    }

    get velocities(): Float64Array {
        return this._motion.velocities;
    }

    /** Blocks of the pairs of each group (01 10 02 20 …), in order. */
    blocksOf({ particles, size }: ParticleGroups): Uint32Array {
        const found: number[] = [];
        for (let first = 0; first < particles.length; first += size) {
            for (let i = first; i < first + size; i++) {
                for (let j = i + 1; j < first + size; j++) {
                    found.push(this._blockOf(particles[i], particles[j]), this._blockOf(particles[j], particles[i]));
                }
            }
        }
        return Uint32Array.from(found);
    }

    private _blockOf(particle: number, other: number): number {
        return this.columns.indexOf(other, this.rows[SystemRow.count * particle + SystemRow.first]);
    }
}
