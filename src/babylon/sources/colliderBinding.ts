import type { ColliderShape } from "../../solver/colliders/registry";
import { defaultColliderSettings } from "../../solver/colliders/settings";
import { finite, knownOptions, nonNegative, reject } from "../../solver/validate";
import type { ColliderOptions } from "../clothOptions";
import type { Collider, ColliderSource } from "../handles";
import { boundingSphereSource } from "./boundingSphereSource";
import { meshSource } from "./meshSource";
import { planeSource } from "./planeSource";
import { meshShapes } from "./shapeInference";
import { OWNER } from "./source";
import type { Source } from "./source";

/** A source with what users set about it. Cloths that meet it are told by meetings.ts. */
export class ColliderBinding implements Collider {
    readonly source: ColliderSource;
    readonly shape: ColliderShape;
    /** What the solver takes of it. */
    readonly settings = defaultColliderSettings();
    /** What is followed. */
    readonly followed: Source;

    /** @throws RangeError on a source or option that cannot be used, or a geometry whose shape is not known */
    constructor(source: ColliderSource, options: ColliderOptions = {}) {
        knownOptions(OWNER, options, ["shape", "friction", "margin"]);
        if (options.shape !== undefined && !meshShapes.includes(options.shape)) {
            reject(OWNER, "shape", meshShapes.map((s) => `"${s}"`).join(" or "), options.shape);
        }
        this.source = source;
        this.followed = sourceOf(source, options);
        this.shape = this.followed.shape;
        if (options.friction !== undefined) this.friction = options.friction;
        this.margin = options.margin ?? 0;
    }

    get friction(): number | null {
        return this.settings.friction;
    }
    set friction(value: number | null) {
        this.settings.friction = value === null ? null : nonNegative(OWNER, "friction", value);
    }

    get margin(): number {
        return this.settings.margin;
    }
    set margin(value: number) {
        this.settings.margin = finite(OWNER, "margin", value, 1e6);
    }

    get isDisposed(): boolean {
        return this.followed.isDisposed();
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
