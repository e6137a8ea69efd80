import type { Arena } from "../../kernels/arena";
import { ParticleLayout, ROW, rowOf, Uniform } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Affine } from "../math/affine";
import { ArenaStruct } from "../memory/arenaArrays";
import type { BodyState } from "./state";

/** Motion of a whole drawn state, up to the present; see attachments/carrierMotion.ts. */
export interface RenderMotion {
    /** Affine map of simulation space, drawn → now. */
    readonly map: Affine;
    /** True if it moves anything. */
    readonly isMoving: boolean;
    /** Position of the drawn state between the start (0) and the end (1) of the last step. Not an argument: it would be boxed. */
    readonly alpha: number;
}

/** A copy of a body's particles as they are drawn, where that differs from the last step. The state itself is only read. */
export class RenderState extends ArenaStruct implements ParticleArrays {
    readonly particleCount: number;
    readonly paddedCount: number;
    readonly blockCount: number;
    /** Positions as drawn [m], shape [paddedCount, 4]. */
    positions!: Float32Array;
    previous!: Float32Array;
    residuals!: Float32Array;
    blockBounds!: Float32Array;
    uniforms!: Float32Array;

    /** @param owned arrays beside positions and uniforms. @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        protected readonly _state: BodyState,
        owned: readonly string[] = [],
    ) {
        super(ParticleLayout, ["positions", "uniforms", ...owned]);
        this.particleCount = _state.particleCount;
        this.paddedCount = _state.paddedCount;
        this.blockCount = _state.blockCount;
        this._allocate(arena);
        // Strain of a drawn state is not measured: there is always something to limit.
        this.uniforms[Uniform.strain] = Infinity;
    }

    get inverseMasses(): Float32Array {
        return this._state.inverseMasses;
    }

    /** Marks the rendered state as not between two steps. */
    get stepStart(): Float32Array {
        return this.positions;
    }

    /** Copies the particles as they are interpolated in the last step, moved. */
    copy({ alpha, map: m }: RenderMotion): void {
        const { positions: x, particleCount } = this;
        const { positions: to, stepStart: from } = this._state;
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) {
            const px = from[o] + (to[o] - from[o]) * alpha;
            const py = from[o + 1] + (to[o + 1] - from[o + 1]) * alpha;
            const pz = from[o + 2] + (to[o + 2] - from[o + 2]) * alpha;
            x[o] = px * m[0] + py * m[4] + pz * m[8] + m[12];
            x[o + 1] = px * m[1] + py * m[5] + pz * m[9] + m[13];
            x[o + 2] = px * m[2] + py * m[6] + pz * m[10] + m[14];
        }
    }
}
