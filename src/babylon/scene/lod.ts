import type { Body, ClothSettings } from "../../engine/index";

/** Hysteresis: a cloth nearer by less than this share keeps its level, so that motion to and fro does not switch it all the time. */
const HYSTERESIS = 0.1;

/**
 * Level of detail by distance: beyond {@link fullDetailDistance} in half as many substeps, and at each doubling of that in half as many again, down to one;
 * from the next doubling on in steps twice as long. Beyond {@link pauseDistance} the cloth does not move.
 */
export class LevelOfDetail {
    /** As the user has set them. */
    substepCount: number;
    fixedTimeStep: number;
    /** Distances from the nearest camera [m]. */
    fullDetailDistance = Infinity;
    pauseDistance = Infinity;
    /** True if it was beyond {@link pauseDistance} at the last update. */
    isTooFar = false;
    /** Number of halvings of the work. */
    private _level = 0;

    constructor(private readonly _settings: ClothSettings) {
        this.substepCount = _settings.substepCount;
        this.fixedTimeStep = _settings.fixedTimeStep;
    }

    /** True if distance matters. */
    get isActive(): boolean {
        return this.fullDetailDistance < Infinity || this.pauseDistance < Infinity || this._level > 0 || this.isTooFar;
    }

    /** Takes up what the user has set. @param cloth that runs with the settings */
    apply(cloth: Body | undefined): void {
        const { _settings: settings, substepCount: finest } = this;
        const halvings = 2 ** this._level;
        settings.substepCount = Math.max(1, Math.round(finest / halvings)) * (cloth?.collisionProxy?.substepFactor ?? 1);
        settings.fixedTimeStep = this.fixedTimeStep * (halvings > finest ? 2 : 1);
        cloth?.invalidate();
    }

    /** Takes up how far away the cloth is. @param distance [m], in a list: as an argument it would be boxed */
    update(distance: ArrayLike<number>, cloth: Body): void {
        const d = distance[0];
        this.isTooFar = d > this.pauseDistance * (this.isTooFar ? 1 - HYSTERESIS : 1);
        const level = Math.max(this._levelAt(d), Math.min(this._level, this._levelAt(d / (1 - HYSTERESIS))));
        if (level === this._level) return;
        this._level = level;
        const before = this._settings.fixedTimeStep;
        this.apply(cloth);
        cloth.clock.rescale(this._settings.fixedTimeStep / before);
    }

    private _levelAt(d: number): number {
        if (!(d > this.fullDetailDistance)) return 0;
        const coarsest = Math.floor(Math.log2(this.substepCount)) + 1;
        return Math.min(coarsest, Math.floor(Math.log2(d / this.fullDetailDistance)) + 1);
    }
}
