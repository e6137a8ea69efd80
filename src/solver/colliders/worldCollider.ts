import { identity } from "../affine";
import type { Affine } from "../affine";
import { areSame } from "../geometry";
import type { ColliderShape } from "./registry";

/**
 * A collider of the world: what it is and where, once for all bodies. Each body that meets it makes a Collider of it
 * (collider.ts, meet.ts), which follows it in the body's own space and time.
 */
export class WorldCollider {
    /** Unit frame → world [m]; in doubles, exact however far away. */
    readonly pose: Affine = identity();
    /** Number of poses so far that differed from the one before; 0: it is nowhere yet. */
    revision = 0;

    /** @param form numbers that say which of its shape it is, see registry.ts */
    constructor(
        readonly shape: ColliderShape,
        readonly form: ArrayLike<number> = [],
    ) {}

    /** Tells the pose of a new frame. */
    setPose(pose: ArrayLike<number>): void {
        if (this.revision > 0 && areSame(pose, this.pose)) return;
        this.pose.set(pose);
        this.revision++;
    }
}
