import { MAX_RENDER_SPREAD } from "../tunables";
import type { Kernels } from "../../kernels/kernelTable";
import type { Affine } from "../math/affine";
import { CarrierMotion } from "../attachments/carrierMotion";
import type { PinSet } from "../attachments/pinSet";
import type { RenderContacts } from "../collision/response/renderContacts";
import type { Collider } from "../collision/shapes/collider";
import type { Contacts } from "../collision/response/contactResolver";
import { limitStrain } from "../state/constraint";
import type { Constraint } from "../state/constraint";
import type { Inertia } from "./inertia";
import { RenderState } from "../state/renderState";
import type { ClothSettings } from "../state/settings";
import type { BodyState } from "../state/state";

/** Body data that rendering reads. */
export interface RenderableBody {
    readonly kernels: Kernels;
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly colliders: readonly Collider[];
    readonly contacts: Contacts | null;
    readonly settings: ClothSettings;
    readonly lengthConstraints: readonly Constraint[];
    readonly isAsleep: boolean;
    readonly inertia: Inertia | null;
    /** World position of simulation space's origin [m]. */
    readonly origin: ArrayLike<number>;
}

/**
 * The drawn state. The last step ends up to a step before the present, and is interpolated; pins, carriers and colliders are drawn where
 * they are now. So the drawn cloth goes the rest of the way with them, in three stages, each only where there is anything to do:
 *
 *     carried by what carries its pins  →  pins at their places, edges near them limited  →  pushed by colliders
 */
export class Renderer {
    readonly motion = new CarrierMotion();
    /** True if colliders push what is drawn. */
    isPushed = false;
    private _copy: RenderState | null = null;
    /** Keeps contact in what is drawn; null before the first collider with a ghost. */
    contacts: RenderContacts | null = null;

    get byteLength(): number {
        return (this._copy?.byteLength ?? 0) + (this.contacts?.byteLength ?? 0);
    }

    /** Finds what there is to do, at the motion's `alpha`. */
    update(body: RenderableBody): void {
        const { motion, contacts } = this;
        motion.measure(body.pins, body.inertia, body.origin);
        // Nothing that moves is near what is asleep.
        this.isPushed = contacts !== null && !body.isAsleep && contacts.needsUpdate(body, motion);
    }

    /** True if what is drawn is not the interpolated state. */
    get isCopied(): boolean {
        return this.isPushed || this.motion.isMoving;
    }

    /** The particles as drawn, where {@link isCopied}. @throws RangeError when there is no memory left */
    draw(body: RenderableBody): RenderState {
        const { motion } = this;
        const copy = this.contacts ?? (this._copy ??= new RenderState(body.kernels.arena, body.state));
        copy.copy(motion);
        if (motion.isMoving) for (let i = 0; i < body.pins.length; i++) body.pins[i].placeForRender(copy.positions);
        if (motion.spread > MAX_RENDER_SPREAD) limitStrain(body, copy);
        if (this.isPushed) this.contacts!.resolve(body, motion);
        return copy;
    }

    /** The motion of what carries the particles since the last step, a map of simulation space; valid until the next call. */
    readMotion({ pins, inertia, origin }: RenderableBody): Affine {
        this.motion.alpha = 1;
        this.motion.measure(pins, inertia, origin);
        return this.motion.map;
    }

    /** Writes where the particles are now in simulation space [m], carried along since the last step, shape [particleCount, 3]. */
    readPositions(body: RenderableBody, target: Float32Array): void {
        const { state, origin } = body;
        const m = this.readMotion(body);
        const x = state.positions;
        for (let i = 0, o = 0; i < state.particleCount; i++, o += 4)
            for (let c = 0; c < 3; c++)
                target[3 * i + c] = x[o] * m[c] + x[o + 1] * m[4 + c] + x[o + 2] * m[8 + c] + m[12 + c] + origin[c];
    }

    release(): void {
        this._copy?.release();
        this.contacts?.release();
    }
}
