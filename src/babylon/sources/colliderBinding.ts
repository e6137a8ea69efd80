import { identity } from "../../solver/affine";
import type { Body } from "../../solver/body";
import type { Collider as SolverCollider } from "../../solver/colliders/collider";
import { colliderShapes } from "../../solver/colliders/registry";
import type { ColliderShape } from "../../solver/colliders/registry";
import { Pace } from "../../solver/pace";
import { finite, knownOptions, nonNegative, reject } from "../../solver/validate";
import type { ColliderOptions } from "../clothOptions";
import type { Collider, ColliderSource } from "../handles";
import type { Origin } from "../nodes";
import { boundingSphereSource } from "./boundingSphereSource";
import { meshSource } from "./meshSource";
import { planeSource } from "./planeSource";
import { meshShapes } from "./shapeInference";
import { OWNER } from "./source";
import type { Source } from "./source";

/** A collider at work: moves a shape of one cloth's solver along with its source. */
export class ColliderBinding implements Collider {
    readonly source: ColliderSource;
    readonly shape: ColliderShape;
    private readonly _source: Source;
    private readonly _pose = identity();
    private readonly _pace = new Pace();
    private _friction: number | null = null;
    private _margin = 0;
    private _collider: SolverCollider | null = null;

    /** @throws RangeError on a source or option that cannot be used, or a geometry whose shape is not known */
    constructor(source: ColliderSource, options: ColliderOptions = {}) {
        knownOptions(OWNER, options, ["shape", "friction", "margin"]);
        if (options.shape !== undefined && !meshShapes.includes(options.shape)) {
            reject(OWNER, "shape", meshShapes.map((s) => `"${s}"`).join(" or "), options.shape);
        }
        this.source = source;
        this._source = sourceOf(source, options);
        this.shape = this._source.shape;
        if (options.friction !== undefined) this.friction = options.friction;
        this.margin = options.margin ?? 0;
    }

    get friction(): number | null {
        return this._friction;
    }
    set friction(value: number | null) {
        this._friction = value === null ? null : nonNegative(OWNER, "friction", value);
        if (this._collider) this._collider.friction = this._friction;
    }

    get margin(): number {
        return this._margin;
    }
    set margin(value: number) {
        this._margin = finite(OWNER, "margin", value, 1e6);
        if (this._collider) this._collider.margin = this._margin;
    }

    get isDisposed(): boolean {
        return this._source.isDisposed();
    }

    /**
     * Makes the solver's collider for a body, at the source's present place.
     * @throws RangeError when there is no memory left
     */
    attach({ kernels: { arena }, state: { particleCount } }: Body, origin: Origin): SolverCollider {
        const collider = colliderShapes[this.shape](arena, particleCount);
        try {
            collider.ghost = colliderShapes[this.shape](arena, particleCount);
        } catch (error) {
            collider.release();
            throw error;
        }
        collider.friction = this._friction;
        collider.margin = this._margin;
        this._collider = collider;
        this.update(origin, Infinity);
        return collider;
    }

    /** Frees the solver's collider and tells which it was. */
    detach(): SolverCollider | null {
        const collider = this._collider;
        this._collider = null;
        collider?.release();
        return collider;
    }

    /**
     * Tells the solver where the source is in this frame; false where that is not finite: the collider stays where it was.
     * @param limit the longest distance that is motion [m]; what suddenly comes farther stands there without motion
     */
    update(origin: Origin, limit: number): boolean {
        const collider = this._collider;
        const isFinite = this._source.track(origin, this._pose);
        if (!collider) return isFinite;
        if (isFinite) collider.setPose(this._pose);
        else collider.stay();
        if (this._source.hasCentre && this._pace.isJump(collider.displacement, limit)) collider.teleport();
        return isFinite;
    }
}

/** What a source is, by what it has: Babylon's classes need not be loaded. */
function sourceOf(source: ColliderSource, { shape }: ColliderOptions): Source {
    if (typeof source === "object" && source !== null) {
        if ("radiusWorld" in source) return boundingSphereSource(source);
        if ("normal" in source && "d" in source) return planeSource(source);
        if (typeof source.computeWorldMatrix === "function") return meshSource(source, shape);
    }
    return reject(OWNER, "source", "a mesh, a Plane or a BoundingSphere", source);
}
