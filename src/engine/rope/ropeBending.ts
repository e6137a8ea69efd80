/** Bending of a rope that is straight at rest: the band matrix of kernels/assembly/ropeBend.ts, factored where masses, length or substep change. */
import { MAX_ROPE_BEND_RATIO } from "../tunables";
import type { Arena } from "../../kernels/arena";
import { RopeBendLayout } from "../../kernels/ropeLayout";
import type { RopeBendArrays } from "../../kernels/ropeLayout";
import type { KernelFunctions } from "../../kernels/kernelTable";
import { ArenaStruct } from "../memory/arenaArrays";
import type { RopeSettings } from "./ropeMaterial";
import type { BodyState } from "../state/state";
import type { Constraint } from "../state/constraint";

export class RopeBending extends ArenaStruct implements RopeBendArrays, Constraint {
    readonly name = "bend";
    readonly particleCount: number;
    readonly rowCount: number;
    first!: Float32Array;
    second!: Float32Array;
    moments!: Float32Array;
    subdiagonal!: Float32Array;
    secondSubdiagonal!: Float32Array;
    inverses!: Float32Array;
    areFree!: Float32Array;
    rows!: Float32Array;
    private _isDisabled = true;
    /** Of the matrix, while it is factored. */
    private readonly _diagonal: Float64Array;
    private readonly _factoredSubdiagonal: Float64Array;
    private readonly _factoredSecondSubdiagonal: Float64Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        state: BodyState,
        private readonly _lengthShares: Float32Array,
    ) {
        super(RopeBendLayout);
        this.particleCount = state.particleCount;
        this.rowCount = this.particleCount + 4;
        this._allocate(arena);
        this._diagonal = new Float64Array(this.particleCount);
        this._factoredSubdiagonal = new Float64Array(this.particleCount);
        this._factoredSecondSubdiagonal = new Float64Array(this.particleCount);
    }

    get count(): number {
        return Math.max(0, this.particleCount - 2);
    }

    prepare({ inverseMasses }: BodyState, { rope }: RopeSettings, substep: number): void {
        this._isDisabled = !(rope.bendStiffness > 0) || this.count === 0;
        if (this._isDisabled) return;
        const { particleCount, first, second, moments, areFree } = this;
        for (let i = 0; i < particleCount; i++) areFree[i] = inverseMasses[i] > 0 ? 1 : 0;
        for (let i = 1; i < particleCount - 1; i++) {
            const before = this._lengthShares[i - 1] * rope.length;
            const after = this._lengthShares[i] * rope.length;
            const length = (before + after) / 2;
            first[i] = 1 / (length * before);
            second[i] = 1 / (length * after);
            const inertia = 1 / ((inverseMasses[i] || 1 / (rope.linearDensity * length)) * substep * substep);
            const stiffest = (MAX_ROPE_BEND_RATIO * inertia) / (first[i] + second[i]) ** 2;
            moments[i] = Math.min(rope.bendStiffness * length, stiffest);
        }
        this._factor(inverseMasses, substep);
    }

    /** M/dt² + K = L D Lᵀ, in doubles. */
    private _factor(inverseMasses: Float32Array, substep: number): void {
        const {
            particleCount: n,
            first,
            second,
            moments,
            areFree,
            _diagonal: diagonal,
            _factoredSubdiagonal: below,
            _factoredSecondSubdiagonal: secondSubdiagonal,
        } = this;
        const perStep = 1 / (substep * substep);
        below.fill(0);
        secondSubdiagonal.fill(0);
        for (let i = 0; i < n; i++) diagonal[i] = areFree[i] ? perStep / inverseMasses[i] : 1;
        for (let i = 1; i < n - 1; i++) {
            const behind = first[i];
            const here = -first[i] - second[i];
            const ahead = second[i];
            if (areFree[i - 1]) diagonal[i - 1] += moments[i] * behind * behind;
            if (areFree[i]) diagonal[i] += moments[i] * here * here;
            if (areFree[i + 1]) diagonal[i + 1] += moments[i] * ahead * ahead;
            if (areFree[i - 1] && areFree[i]) below[i] += moments[i] * behind * here;
            if (areFree[i] && areFree[i + 1]) below[i + 1] += moments[i] * here * ahead;
            if (areFree[i - 1] && areFree[i + 1]) secondSubdiagonal[i + 1] += moments[i] * behind * ahead;
        }
        for (let i = 0; i < n; i++) {
            const near = i > 0 ? diagonal[i - 1] : 1;
            const far = i > 1 ? diagonal[i - 2] : 1;
            const toFar = secondSubdiagonal[i] / far;
            const toNear = i > 0 ? (below[i] - toFar * far * below[i - 1]) / near : 0;
            diagonal[i] -= toNear * toNear * near + toFar * toFar * far;
            below[i] = toNear;
            secondSubdiagonal[i] = toFar;
        }
        this.subdiagonal.set(below);
        this.secondSubdiagonal.set(secondSubdiagonal);
        for (let i = 0; i < n; i++) this.inverses[i] = 1 / diagonal[i];
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (!this._isDisabled) kernels.bendRope(state, this);
    }

    /** Has no length. */
    measureStretch(): void {}
}
