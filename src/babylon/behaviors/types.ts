import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import type { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { VectorLike } from "../../engine/math/vector";
import type { PinHold } from "../pins/pinHold";
import type { Select } from "../pins/select";
import type { BoneShape } from "../colliders/skeleton/boneShape";

/** Vertices held by the mesh itself, a TransformNode or a Bone; made by {@link ClothBehavior.pin}. */
export interface Pin {
    /** Which vertices. */
    readonly select: Select;
    /** What carries them; null: the cloth's own mesh. */
    readonly target: TransformNode | Bone | null;
    /** How it holds; null: rigidly. */
    readonly hold: PinHold | null;
    /** Number of pinned particles, less those that a {@link SoftHold} has let go; 0 while not attached. */
    readonly particleCount: number;
    /** Whether the target is gone. */
    readonly isDisposed: boolean;
}

/** What a cloth can lie on. A node with geometry, a Plane (solid behind it), a BoundingSphere, a BoundingBox, or what {@link Colliders.fromSkeleton} makes. */
export type ColliderSource = TransformNode | Plane | BoundingSphere | BoundingBox | BoneShape | PhysicsBody;

/** Something that cloth lies on, followed every frame; made by {@link ClothBehavior.addCollider} or {@link Colliders.add}. */
export interface Collider {
    /** What the cloth collides with. */
    readonly source: ColliderSource;
    /** The shape that stands for it: `"sphere"` (or ellipsoid), `"plane"` (a rectangle), `"box"`, `"capsule"`, `"cylinder"`, `"hull"`, `"mesh"` (its triangles) or `"halfSpace"`. */
    readonly shape: string;
    /** Coulomb friction coefficient, >= 0; null takes the fabric's. */
    friction: number | null;
    /** Share of the speed of an impact with which cloth leaves, 0..1. */
    restitution: number;
    /** Share of the impulses of contact that a dynamic physics body gets back from the cloth, 0..1; of what has none it does nothing. */
    influence: number;
    /** Distance kept in addition to the fabric's thickness [m]; may be negative. */
    margin: number;
    /** Groups in which it is, one bit each of a 32-bit integer; see {@link ClothBehavior.collisionGroup}. */
    group: number;
    /** Groups of the cloths that it meets, as bits; -1: all. */
    mask: number;
    /** Whether the source is gone. */
    readonly isDisposed: boolean;
}

/** A particle, or a triangle of cloth whose corners are farther off, that came to a collider. One object for all: copy what you keep. */
export interface ClothCollision {
    /** What it came to. */
    collider: Collider;
    /** The particle, of a triangle its nearest corner; see {@link ClothBehavior.particleOfVertex}. */
    particle: number;
    /** Where on the collider's surface, world space [m]. */
    readonly point: VectorLike;
    /** Unit normal out of the collider, world axes. */
    readonly normal: VectorLike;
    /** How fast it came against the collider's surface, along the normal [m/s]. */
    speed: number;
}

/** Mean time that each stage of a frame takes, its steps and substeps together [ms]; in the order of the stages. */
export interface StageMilliseconds {
    /** Air and added forces. */
    forces: number;
    /** Verlet integration, or the body's own solver. */
    integrate: number;
    /** Pins and holds that follow their nodes. */
    attachments: number;
    /** Bending, shear, limits, tethers and lengths. */
    constraints: number;
    /** The material's largest strain. */
    strainLimit: number;
    /** Search for the colliders that are near. */
    broadPhase: number;
    /** Contacts with colliders. */
    contacts: number;
    /** Lengths once more, after contact. */
    contactConstraints: number;
    /** Second response to contacts, and penetration recovery. */
    recovery: number;
    /** Pins' last word, and reactions of what carries them. */
    reactions: number;
    /** Write-back: transforms, normals, tangents, bounds, upload. */
    write: number;
    /** All of them. */
    total: number;
}

/** Numbers about a running cloth, computed when read; zeros while not attached. */
export interface ClothStats {
    /** Number of particles. */
    readonly particleCount: number;
    /** Number of constraints by kind: sticks that are `structural` and `shear`, stencils that `bend`, `unilateralLimits` over two edges, `farUnilateralLimits` over more, and `tethers`. */
    readonly counts: Readonly<Record<string, number>>;
    /**
     * A frame's time by phase [ms], as a mean over about the last 60 frames, since browsers' clocks tick in 0.1 to 1 ms; the
     * object is reused. Measured from the first reading on: zeros until the next frame.
     */
    readonly milliseconds: StageMilliseconds;
    /** Whether the cloth rests and is not computed until something disturbs it; see `cloth.sleepSpeed`. */
    readonly isAsleep: boolean;
    /** Mean elongation of the structural sticks, max(0, length / rest - 1). */
    readonly meanStretch: number;
    /** Largest elongation of a structural stick. */
    readonly maxStretch: number;
    /** Kinetic energy [J]. */
    readonly kineticEnergy: number;
}
