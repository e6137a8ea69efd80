import { ROW, rowOf } from "../../kernels/layout";
import { SkinLimit } from "../../kernels/skinLayout";
import type { Affine } from "../math/affine";
import type { BodyState } from "../state/state";
import { PinSet } from "./pinSet";
import type { SkinTarget } from "./skinTarget";

/** Particles that are where the skin is. */
export class SkinPins extends PinSet {
    constructor(
        particles: Uint32Array,
        protected readonly _skin: SkinTarget,
    ) {
        super(particles);
    }

    override get isPlaced(): boolean {
        return super.isPlaced && !this._skin.isMoving;
    }

    override attach(state: BodyState, toFrame: Affine, motion: Affine | null = null): void {
        super.attach(state, toFrame, motion);
        this._writeTargets();
        this._resetHistory();
    }

    override setTargets(toSimulation: Affine): void {
        if (this._skin.isMoving) this._isPlaced = false;
        super.setTargets(toSimulation);
    }

    protected override _writeTargets(): void {
        const { particles, to } = this;
        const { to: places } = this._skin.arrays;
        for (let i = 0; i < particles.length; i++) {
            const o = rowOf(particles[i]);
            for (let c = 0; c < 3; c++) to[3 * i + c] = places[o + c];
        }
    }
}

/** Limits of one particle about its place on the skin, see {@link SkinLimit}. */
export interface SkinLimits {
    /** For each particle of the body [m], shape [particleCount]. */
    readonly maxDistances: ArrayLike<number>;
    readonly backstopDistances: ArrayLike<number>;
    /** 0: there is no backstop. */
    readonly backstopRadii: ArrayLike<number>;
}

/** Particles that stay near the skin, and out of what lies behind it; those that may not leave it are pinned to it. */
export class SkinLimitPins extends SkinPins {
    override readonly isProcessedFirst = true;
    override readonly limitedParticles: Uint32Array;

    constructor(skin: SkinTarget, { maxDistances, backstopDistances, backstopRadii }: SkinLimits) {
        const isPinned = (_: number, i: number): boolean => maxDistances[i] === 0;
        super(Uint32Array.from({ length: maxDistances.length }, (_, i) => i).filter(isPinned), skin);
        this.limitedParticles = Uint32Array.from(maxDistances as ArrayLike<number>, (_, i) => i).filter(
            (i) => maxDistances[i] < Infinity,
        );
        const { limits } = skin.arrays;
        for (let i = 0, o = 0; o < limits.length; i++, o += ROW) {
            limits[o + SkinLimit.maxDistance] = maxDistances[i];
            limits[o + SkinLimit.backstopDistance] = backstopDistances[i];
            limits[o + SkinLimit.backstopRadius] = backstopRadii[i];
        }
        if (Array.from(backstopRadii).some((radius) => radius > 0)) skin.poseNormals();
    }

    /** There is always something to do. */
    override get isSettled(): boolean {
        return false;
    }

    override moveToSubstep(state: BodyState, done: number, count: number): void {
        super.moveToSubstep(state, done, count);
        this._skin.limit(state, done, count);
    }

    /** Does nothing: the skin has drawn them where they are, see SkinTarget. */
    override placeForRender(): void {}

    override endSubstep(state: BodyState, done: number, count: number): void {
        this._skin.limit(state, done, count);
    }
}
