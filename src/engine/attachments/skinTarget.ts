/**
 * The skin as a target: the place of each particle as bones and morph targets pose it, once a frame, in simulation space.
 *
 *     p = Σ w x M        linear blend skinning (Magnenat-Thalmann 1988)
 *
 * It holds no particle itself; {@link SkinPins} and {@link SkinLimits} read it. Kernels: kernels/assembly/skinTarget.ts.
 */
import { MATRIX_SIZE, ROW, rowOffset, rowOf } from "../../kernels/layout";
import { SkinTargetLayout, SkinTargetNumber } from "../../kernels/skinLayout";
import type { SkinTargetArrays } from "../../kernels/skinLayout";
import type { Kernels } from "../../kernels/kernelTable";
import { skinKernels } from "../../kernels/modules/skin.generated";
import { identity, invert, multiply, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import { ArenaStruct } from "../memory/arenaArrays";
import type { BodyState } from "../state/state";
import type { Clock, Substeps } from "../time/clock";
import { STABILIZATION_TIME, STABILIZED_SPEED } from "../tunables";
import { PinSet } from "./pinSet";

/** Within a call: blended matrices of a particle at the last frame and now. */
const [before, now, back, carried] = [identity(), identity(), identity(), identity()];

/** Particles on a skin: what does not change. */
export interface SkinTargetGeometry {
    readonly particleCount: number;
    readonly boneCount: number;
    /** Bones that may carry a particle. */
    readonly influenceCount: number;
    /** The bones of each particle and their weights, whose sum is 1; shape [particleCount, influenceCount]. */
    readonly bones: ArrayLike<number>;
    readonly weights: ArrayLike<number>;
}

/** The arrays in the arena. */
class SkinArrays extends ArenaStruct implements SkinTargetArrays {
    readonly particleCount: number;
    readonly boneCount: number;
    readonly influenceCount: number;
    rest!: Float32Array;
    restNormals!: Float32Array;
    bones!: Uint32Array;
    weights!: Float32Array;
    matrices!: Float32Array;
    from!: Float32Array;
    to!: Float32Array;
    stepFrom!: Float32Array;
    stepTo!: Float32Array;
    normalsFrom!: Float32Array;
    normalsTo!: Float32Array;
    stepNormalsFrom!: Float32Array;
    stepNormalsTo!: Float32Array;
    limits!: Float32Array;
    numbers!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor({ arena }: Kernels, { particleCount, boneCount, influenceCount, bones, weights }: SkinTargetGeometry) {
        super(SkinTargetLayout);
        this.particleCount = particleCount;
        this.boneCount = boneCount;
        this.influenceCount = influenceCount;
        this._allocate(arena);
        this.bones.set(Uint32Array.from(bones, (bone) => rowOffset((bone * MATRIX_SIZE) / ROW)));
        this.weights.set(weights);
    }

    /** Shifts all places of particles, and the bones' matrices to them. @param by x y z [m] */
    shift(by: readonly number[]): void {
        for (const places of [this.from, this.to, this.stepFrom, this.stepTo])
            for (let o = 0; o < places.length; o += ROW) for (let c = 0; c < 3; c++) places[o + c] -= by[c];
        for (let o = 12; o < this.matrices.length; o += MATRIX_SIZE) for (let c = 0; c < 3; c++) this.matrices[o + c] -= by[c];
    }
}

/** See the top of the file. */
export class SkinTarget extends PinSet {
    /** It belongs to no pin of the mesh. */
    override readonly isCoupling = true;
    override readonly isProcessedFirst = true;
    override readonly isFixed = false;
    readonly arrays: SkinTargetArrays;
    private readonly _arrays: SkinArrays;
    private readonly _kernels: Kernels;
    /** The bones' matrices at the last frame. */
    private readonly _matricesBefore: Float32Array;
    private _hasMoved = false;
    /** Number of steps, up to two, since the places moved. */
    private _stepsAtRest = 0;
    override readonly drawing = this;
    private _isPosed = false;
    private _isRestNew = true;
    /** The body's, once it has taken a step. */
    private _state: BodyState | null = null;
    /** Time that is left of {@link STABILIZATION_TIME} [s], and what a particle may move in a substep of it relative to its place [m]. */
    private _stabilizationTime = 0;
    private _stabilizedWay = 0;
    /** Stiffness of the pull towards the skin [1/s²], >= 0. */
    stiffness = 0;

    /** @throws RangeError when there is no memory left */
    constructor(kernels: Kernels, geometry: SkinTargetGeometry) {
        super(new Uint32Array(0));
        this._kernels = kernels.add(skinKernels);
        this.arrays = this._arrays = new SkinArrays(kernels, geometry);
        this._matricesBefore = new Float32Array(this._arrays.matrices.length);
        this._arrays.numbers[SkinTargetNumber.blend] = 1;
    }

    /** Share of the simulation in what is drawn, 0..1. */
    set blend(value: number) {
        this._arrays.numbers[SkinTargetNumber.blend] = value;
    }

    /** Has normals posed from now on. */
    poseNormals(): void {
        const { _arrays: arrays } = this;
        arrays.numbers[SkinTargetNumber.hasNormals] = 1;
        this._kernels.poseSkinTarget(arrays);
        for (const normals of [arrays.normalsFrom, arrays.stepNormalsFrom, arrays.stepNormalsTo]) normals.set(arrays.normalsTo);
    }

    /** Tells that the places as they were bound have changed. */
    markRestChanged(): void {
        this._isRestNew = true;
    }

    /** Largest displacement of a place since the last frame [m]. */
    override get displacement(): number {
        return this._hasMoved ? this._arrays.numbers[SkinTargetNumber.motion] : 0;
    }

    override get isMoving(): boolean {
        return this._hasMoved;
    }

    /** Particles are pulled in every substep. */
    override get isSettled(): boolean {
        return this.stiffness === 0 && this._stepsAtRest > 1;
    }

    /** True if places have moved since the drawn state, or are drawn in part instead of the particles. */
    isAhead({ alpha }: { readonly alpha: number }): boolean {
        this._arrays.numbers[SkinTargetNumber.alpha] = alpha;
        return this._hasMoved || this._stepsAtRest < 2 || this._arrays.numbers[SkinTargetNumber.blend] < 1;
    }

    /** Each particle goes the rest of the way with its own place; pinned ones are at it. */
    override placeForRender(positions: Float32Array): void {
        const { stepFrom, stepTo, to, numbers, particleCount } = this._arrays;
        const alpha = numbers[SkinTargetNumber.alpha];
        const blend = numbers[SkinTargetNumber.blend];
        const masses = this._state?.inverseMasses;
        for (let i = 0; i < particleCount; i++) {
            const o = rowOf(i);
            const isPinned = masses !== undefined && masses[i] === 0;
            for (let c = o; c < o + 3; c++) {
                const place = stepFrom[c] + (stepTo[c] - stepFrom[c]) * alpha;
                positions[c] = isPinned ? to[c] : to[c] + blend * (positions[c] - place);
            }
        }
    }

    /**
     * Begins a frame with the pose of the bones.
     * @param bones matrices from where a vertex was bound to mesh-local space, row vectors, shape [boneCount, 4, 4]
     * @param toSimulation mesh-local → simulation space
     */
    setPose(bones: ArrayLike<number>, toSimulation: Affine): void {
        const { _arrays: arrays, _matricesBefore: past } = this;
        past.set(arrays.matrices);
        if (!this._placeBones(bones, toSimulation) && !this._isRestNew) {
            if (this._hasMoved) {
                arrays.from.set(arrays.to);
                arrays.normalsFrom.set(arrays.normalsTo);
            }
            this._hasMoved = false;
            return;
        }
        this._isRestNew = false;
        this._kernels.poseSkinTarget(arrays);
        this._hasMoved = arrays.numbers[SkinTargetNumber.motion] > 0;
        if (this._hasMoved) this._stepsAtRest = 0;
        // Where it is first seen, it has not moved.
        if (!this._isPosed) this.settle();
        this._isPosed = true;
    }

    /** Writes the bones' matrices into simulation space. @returns true if one of them has changed */
    private _placeBones(bones: ArrayLike<number>, m: Affine): boolean {
        const { matrices } = this._arrays;
        let isNew = false;
        for (let o = 0; o < matrices.length; o += 4) {
            const w = (o & 12) === 12 ? 1 : 0;
            for (let c = 0; c < 3; c++) {
                const value = Math.fround(bones[o] * m[c] + bones[o + 1] * m[4 + c] + bones[o + 2] * m[8 + c] + w * m[12 + c]);
                isNew ||= matrices[o + c] !== value;
                matrices[o + c] = value;
            }
        }
        return isNew;
    }

    /** The places have always been where they are now. */
    settle(): void {
        const { from, to, stepFrom, stepTo, normalsFrom, normalsTo, stepNormalsFrom, stepNormalsTo } = this._arrays;
        for (const places of [from, stepFrom, stepTo]) places.set(to);
        for (const normals of [normalsFrom, stepNormalsFrom, stepNormalsTo]) normals.set(normalsTo);
        this._matricesBefore.set(this._arrays.matrices);
        this._hasMoved = false;
        this._stepsAtRest = 2;
    }

    /** Reads the mean displacement of the places since the last frame [m], x y z, and the largest. */
    readWay(way: Float64Array): void {
        way.fill(0);
        if (!this._hasMoved) return;
        const { from, to, particleCount } = this._arrays;
        for (let o = 0; o < to.length; o += ROW) for (let c = 0; c < 3; c++) way[c] += to[o + c] - from[o + c];
        for (let c = 0; c < 3; c++) way[c] /= particleCount;
        way[3] = this.displacement;
    }

    /** Writes the places [m], shape [particleCount, 3]. */
    readPlaces(target: Float32Array): void {
        const { to } = this._arrays;
        for (let i = 0, o = 0; i < target.length; i += 3, o += ROW) for (let c = 0; c < 3; c++) target[i + c] = to[o + c];
    }

    /** Carries each particle along with its own part of the skin's motion since the last frame: it keeps its place over the skin, and its velocity. */
    carryParticles({ positions, previous, stepStart }: BodyState): void {
        const { particleCount, from, to } = this._arrays;
        this._stabilizationTime = STABILIZATION_TIME;
        for (let i = 0; i < particleCount; i++) {
            const o = rowOf(i);
            this._blend(i, this._matricesBefore, before);
            this._blend(i, this._arrays.matrices, now);
            const isCarried = invert(before, back);
            if (isCarried) {
                multiply(back, now, carried);
                transformPoint(carried, positions, o, now, 0);
            }
            for (let c = 0; c < 3; c++) {
                const way = isCarried ? now[c] - positions[o + c] : to[o + c] - from[o + c];
                positions[o + c] += way;
                previous[o + c] += way;
                stepStart[o + c] += way;
            }
        }
    }

    /** Moves particles, which are where the mesh was posed at first, as far as the skin has moved since. @param places at first [m], shape [particleCount, 3] */
    takeOver({ positions, previous, stepStart }: BodyState, places: Float32Array): void {
        const { to, particleCount } = this._arrays;
        for (let i = 0; i < particleCount; i++) {
            for (let c = 0; c < 3; c++) {
                const way = to[rowOf(i) + c] - places[3 * i + c];
                for (const rows of [positions, previous, stepStart]) rows[rowOf(i) + c] += way;
            }
        }
    }

    private _blend(particle: number, matrices: Float32Array, target: Affine): void {
        const { influenceCount, bones, weights } = this._arrays;
        target.fill(0);
        for (let k = particle * influenceCount; k < (particle + 1) * influenceCount; k++)
            for (let e = 0; e < MATRIX_SIZE; e++) target[e] += weights[k] * matrices[bones[k] / Float32Array.BYTES_PER_ELEMENT + e];
        target[15] = 1;
    }

    override beginStep(state: BodyState, { fraction }: Pick<Clock, "fraction">, { fixedTimeStep, substepCount }: Substeps): void {
        const { numbers } = this._arrays;
        this._state = state;
        numbers[SkinTargetNumber.fraction] = fraction;
        numbers[SkinTargetNumber.substepShare] = 1 / substepCount;
        this._stepsAtRest = this._hasMoved ? 0 : Math.min(2, this._stepsAtRest + 1);
        const pull = this.stiffness * (fixedTimeStep / substepCount) ** 2;
        // Implicit: stable at any stiffness.
        numbers[SkinTargetNumber.pull] = pull < Infinity ? pull / (1 + pull) : 1;
        this._kernels.stepSkinTarget(this._arrays);
        this._stabilizedWay = this._stabilizationTime > 0 ? (STABILIZED_SPEED * fixedTimeStep) / substepCount : Infinity;
        this._stabilizationTime -= fixedTimeStep;
    }

    /** Shortens what free particles have moved in the substep relative to their places, where that is too far. */
    override endSubstep({ positions, previous, inverseMasses }: BodyState, _done: number, count: number): void {
        const most = this._stabilizedWay;
        if (most === Infinity) return;
        const { stepFrom, stepTo, particleCount } = this._arrays;
        for (let i = 0; i < particleCount; i++) {
            if (inverseMasses[i] === 0) continue;
            const o = rowOf(i);
            const x = positions[o] - previous[o] - (stepTo[o] - stepFrom[o]) / count;
            const y = positions[o + 1] - previous[o + 1] - (stepTo[o + 1] - stepFrom[o + 1]) / count;
            const z = positions[o + 2] - previous[o + 2] - (stepTo[o + 2] - stepFrom[o + 2]) / count;
            const way = Math.sqrt(x * x + y * y + z * z);
            if (way <= most) continue;
            const back = most / way - 1;
            positions[o] += back * x;
            positions[o + 1] += back * y;
            positions[o + 2] += back * z;
        }
    }

    override moveToSubstep(state: BodyState, done: number, count: number): void {
        if (this.stiffness === 0) return;
        this._arrays.numbers[SkinTargetNumber.share] = done / count;
        this._kernels.pullToSkin(state, this._arrays);
    }

    /** Keeps free particles within their limits after `done` of `count` substeps, see {@link SkinLimit}. */
    limit(state: BodyState, done: number, count: number): void {
        this._arrays.numbers[SkinTargetNumber.share] = done / count;
        this._kernels.limitToSkin(state, this._arrays);
    }

    override skipStep({ fraction }: Pick<Clock, "fraction">): void {
        this._arrays.numbers[SkinTargetNumber.fraction] = fraction;
        this._kernels.stepSkinTarget(this._arrays);
    }

    override teleport(): void {
        this.settle();
    }

    override restart(): void {
        this.settle();
    }

    override carry(motion: Affine): void {
        for (const places of [this._arrays.from, this._arrays.stepFrom, this._arrays.stepTo])
            for (let o = 0; o < places.length; o += ROW) transformPoint(motion, places, o, places, o);
    }

    override rebase(dx: number, dy: number, dz: number): void {
        this._arrays.shift([dx, dy, dz]);
    }

    override release(): void {
        this._arrays.release();
    }
}
