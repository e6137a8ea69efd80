import type { Kernels } from "../../../kernels/kernelTable";
import type { Constraint } from "../../state/constraint";
import type { ContactDamping } from "../../state/contactDamping";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { ColliderBroadPhase } from "../broadphase/colliderBroadPhase";
import type { Collider } from "../shapes/collider";
import type { ContactEvents } from "./contactEvents";
import type { Contacts } from "./contactResolver";

/** The part of a body that contact with colliders reads and moves. */
export interface ContactHost {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly origin: Float64Array;
    readonly constraints: readonly Constraint[];
    readonly passes: readonly Constraint[];
    readonly colliders: Collider[];
    readonly lengthConstraints: readonly Constraint[];
    /** Null before the first collider. */
    readonly contacts: Contacts | null;
    /** Null while no one listens. */
    readonly contactEvents: ContactEvents | null;
    readonly contactDamping: ContactDamping;
    readonly broadPhase: ColliderBroadPhase<Collider>;
    /** Bounds of the particles' motion in the present substep, simulation space [m]. */
    readonly sweptBounds: Float32Array;
    readonly steppingGroup: unknown;
    addCollider(collider: Collider): void;
}
