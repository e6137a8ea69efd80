import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Arena } from "../../kernels/arena";
import { identity, multiply } from "../../solver/affine";
import type { Affine } from "../../solver/affine";
import type { Collider } from "../../solver/colliders/collider";
import { colliderShapes } from "../../solver/colliders/registry";
import type { ColliderShape } from "../../solver/colliders/registry";
import { finite, knownOptions, nonNegative, reject } from "../../solver/validate";
import { Pace } from "../pace";
import { inferShape, unitToLocal } from "./shapeInference";
import { relativePose, worldMatrixOf } from "../nodes";
import type { Origin } from "../nodes";

/** What a cloth can lie on. A node with geometry, a Plane (solid behind it), or a BoundingSphere. */
export type ColliderSource = TransformNode | Plane | BoundingSphere;

/** Options of `addCollider`. */
export interface ColliderOptions {
    /** Shape to take for a mesh; inferred from its geometry when left out. */
    shape?: "sphere" | "plane";
    /** Coulomb friction coefficient; the fabric's when left out. */
    friction?: number;
    /** Distance kept in addition to the fabric's thickness [m]. Default 0. May be negative. */
    margin?: number;
}

const OWNER = "ClothBehavior: addCollider";
const SHAPES = ["sphere", "plane"];

/** How a source says where it is: fills the pose (unit frame → simulation space); false when there is nothing new. */
interface Tracker {
    shape: ColliderShape;
    isDisposed(): boolean;
    track(origin: Origin, pose: Affine): boolean;
}

/** A Babylon object as a collider of one cloth; made by `ClothBehavior.addCollider`. Follows its node every frame. */
export class ColliderBinding {
    /** What the cloth collides with. */
    readonly source: ColliderSource;
    /** The shape that stands for it. */
    readonly shape: ColliderShape;
    private readonly _tracker: Tracker;
    private readonly _pose = identity();
    private readonly _pace = new Pace();
    private _friction: number | null = null;
    private _margin = 0;
    private _collider: Collider | null = null;

    /** @throws RangeError on a source or option that cannot be used, or a geometry whose shape is not known */
    constructor(source: ColliderSource, options: ColliderOptions = {}) {
        knownOptions(OWNER, options, ["shape", "friction", "margin"]);
        if (options.shape !== undefined && !SHAPES.includes(options.shape)) {
            reject(OWNER, "shape", SHAPES.map((s) => `"${s}"`).join(" or "), options.shape);
        }
        this.source = source;
        this._tracker = trackerOf(source, options.shape);
        this.shape = this._tracker.shape;
        if (options.friction !== undefined) this.friction = options.friction;
        this.margin = options.margin ?? 0;
    }

    /** Coulomb friction coefficient, >= 0; null takes the fabric's. */
    get friction(): number | null {
        return this._friction;
    }
    set friction(value: number | null) {
        this._friction = value === null ? null : nonNegative(OWNER, "friction", value);
        if (this._collider) this._collider.friction = this._friction;
    }

    /** Distance kept in addition to the fabric's thickness [m]. */
    get margin(): number {
        return this._margin;
    }
    set margin(value: number) {
        this._margin = finite(OWNER, "margin", value, 1e6);
        if (this._collider) this._collider.margin = this._margin;
    }

    /** Whether the source is gone. */
    get isDisposed(): boolean {
        return this._tracker.isDisposed();
    }

    /**
     * Makes the solver's collider for a cloth of so many particles, at the source's present place.
     * @throws RangeError when there is no memory left
     */
    attach(arena: Arena, particleCount: number, origin: Origin): Collider {
        const collider = colliderShapes[this.shape](arena, particleCount);
        try {
            collider.ghost = colliderShapes[this.shape](arena, particleCount);
        } catch (error) {
            collider.release();
            throw error;
        }
        this._collider = collider;
        this._collider.friction = this._friction;
        this._collider.margin = this._margin;
        this.update(origin, Infinity);
        return this._collider;
    }

    /** Frees the solver's collider and tells which it was. */
    detach(): Collider | null {
        const collider = this._collider;
        this._collider = null;
        collider?.release();
        return collider;
    }

    /**
     * Tells the solver where the source is in this frame; false where that is not finite: the collider stays where it was.
     * @param limit the longest way that is motion [m]; what suddenly comes farther stands there without motion
     */
    update(origin: Origin, limit: number): boolean {
        const collider = this._collider;
        const isFinite = this._tracker.track(origin, this._pose);
        if (!collider) return isFinite;
        if (isFinite) collider.setPose(this._pose);
        else collider.stay();
        // The centre of a half-space says nothing: far away it moves with the slightest turn.
        if (this.shape !== "halfSpace" && this._pace.isJump(collider.way, limit)) collider.teleport();
        return isFinite;
    }
}

function trackerOf(source: ColliderSource, shape?: "sphere" | "plane"): Tracker {
    if (typeof source !== "object" || source === null) {
        reject(OWNER, "source", "a mesh, a Plane or a BoundingSphere", source);
    }
    if ("radiusWorld" in source) return trackBoundingSphere(source);
    if ("normal" in source && "d" in source) return trackPlane(source);
    if (typeof source.computeWorldMatrix !== "function") {
        reject(OWNER, "source", "a mesh, a Plane or a BoundingSphere", source);
    }
    if (source.isDisposed()) reject(OWNER, "source", "a node that is not disposed", source.name);
    if ((source as AbstractMesh).hasThinInstances) {
        const { thinInstanceCount } = source as Mesh;
        reject(
            OWNER,
            "source",
            "a mesh without thin instances (only one of them would count): use instances or clones",
            thinInstanceCount,
        );
    }
    return trackMesh(source as AbstractMesh, shape);
}

function trackMesh(mesh: AbstractMesh, shape?: "sphere" | "plane"): Tracker {
    const chosen = shape ?? inferShape(mesh);
    const toLocal = unitToLocal(mesh, chosen);
    const world = identity();
    return {
        shape: chosen,
        isDisposed: () => mesh.isDisposed(),
        track(origin, pose) {
            if (!relativePose(worldMatrixOf(mesh), origin, world)) return false;
            multiply(toLocal, world, pose);
            return true;
        },
    };
}

function trackBoundingSphere(sphere: BoundingSphere): Tracker {
    return {
        shape: "sphere",
        isDisposed: () => false,
        track(origin, pose) {
            const { x, y, z } = sphere.centerWorld;
            const radius = sphere.radiusWorld;
            if (!Number.isFinite(x + y + z + radius)) return false;
            pose.fill(0);
            pose[0] = pose[5] = pose[10] = radius;
            pose[12] = x - origin[0];
            pose[13] = y - origin[1];
            pose[14] = z - origin[2];
            pose[15] = 1;
            return true;
        },
    };
}

function trackPlane(plane: Plane): Tracker {
    return {
        shape: "halfSpace",
        isDisposed: () => false,
        track(origin, pose) {
            const { x, y, z } = plane.normal;
            const squared = x * x + y * y + z * z;
            if (!(squared > 0 && squared < Infinity) || !Number.isFinite(plane.d)) return false;
            const length = Math.sqrt(squared);
            const nx = x / length,
                ny = y / length,
                nz = z / length;
            // Any two directions across the normal: u, and n × u.
            const flat = Math.abs(nx) < 0.6;
            const s = 1 / Math.sqrt(flat ? ny * ny + nz * nz : nx * nx + nz * nz);
            const ux = flat ? 0 : -nz * s;
            const uy = flat ? nz * s : 0;
            const uz = flat ? -ny * s : nx * s;
            pose[0] = ux;
            pose[1] = uy;
            pose[2] = uz;
            pose[4] = ny * uz - nz * uy;
            pose[5] = nz * ux - nx * uz;
            pose[6] = nx * uy - ny * ux;
            pose[8] = nx;
            pose[9] = ny;
            pose[10] = nz;
            // n · x + d = 0 in the world; the point of the plane nearest to the origin of simulation space.
            const height = nx * origin[0] + ny * origin[1] + nz * origin[2] + plane.d / length;
            pose[12] = -nx * height;
            pose[13] = -ny * height;
            pose[14] = -nz * height;
            pose[15] = 1;
            return true;
        },
    };
}
