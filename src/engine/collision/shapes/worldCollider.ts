import { identity } from "../../math/affine";
import type { Affine } from "../../math/affine";
import { areEqual } from "../../math/vector";
import type { ColliderShape } from "./registry";
import type { Skin } from "./skinGeometry";

/**
 * A collider of the world: what it is and where, once for all bodies. Each body that meets it makes a Collider of it
 * (collider.ts, meet.ts), which follows it in the body's own space and time.
 */
export class WorldCollider {
    /** Unit frame → world [m]; in doubles, exact however far away. */
    readonly pose: Affine = identity();
    /** Number of poses so far that differed from the one before, its own or its skin's; 0: it is nowhere yet. */
    revision = 0;

    /** Revision of the skin that its own is of. */
    private _skinRevision = 0;

    /**
     * @param geometry numbers that say which of its shape it is, see registry.ts
     * @param skin of what bones carry, as it is in each frame
     */
    constructor(
        readonly shape: ColliderShape,
        readonly geometry: ArrayLike<number> = [],
        readonly skin: Skin | null = null,
    ) {}

    /** Tells the pose of a new frame; that of its skin has been told. */
    setPose(pose: ArrayLike<number>): void {
        const { skin } = this;
        const isPosed = skin !== null && skin.revision !== this._skinRevision;
        if (isPosed) this._skinRevision = skin.revision;
        if (this.revision > 0 && !isPosed && areEqual(pose, this.pose)) return;
        this.pose.set(pose);
        this.revision++;
    }
}
