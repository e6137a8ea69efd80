import { identity, invert, isFiniteAffine, multiply } from "../../engine/index";
import type { Affine, MotionLimit } from "../../engine/index";
import type { PinBinding } from "../pins/pinBinding";

/** Default of {@link TeleportDetector.speedLimit}. */
export const DEFAULT_TELEPORT_SPEED = 50;

/**
 * Tells jumps of what carries a cloth from motion, and how it jumped: the cloth is to come along, not to be flung after it.
 * Carriers are those of the pins; of a cloth without pins, its mesh.
 */
export class TeleportDetector implements MotionLimit {
    /** Speed above which a sudden motion counts as a jump [m/s]. */
    speedLimit = DEFAULT_TELEPORT_SPEED;
    /** The longest distance that is motion in the present frame [m]. */
    distance = NaN;
    private _isExpected = false;
    private readonly _inverse = identity();

    /** Announces a jump of the carrier by the next frame. */
    expectTeleport(): void {
        this._isExpected = true;
    }

    /** Cancels an announced jump: the cloth is placed anew. */
    cancelExpected(): void {
        this._isExpected = false;
    }

    /** True if most of the pinned particles have jumped since the last frame, or were announced to. Call once a frame. */
    isTeleport(pins: readonly PinBinding[]): boolean {
        let all = 0;
        let jumped = 0;
        for (let i = 0; i < pins.length; i++) {
            all += pins[i].particleCount;
            if (pins[i].isJump(this)) jumped += pins[i].particleCount;
        }
        return this._isExpected || 2 * jumped > all;
    }

    /**
     * Takes note of a jump.
     * @param before world matrix of the mesh when the cloth was last drawn; `now`, of the present frame
     * @param motion the motion of what carries most particles, as a map of the world, out
     * @returns false where it cannot be told yet; it is then still expected
     */
    readTeleport(pins: readonly PinBinding[], before: Affine, now: ArrayLike<number>, motion: Affine): boolean {
        let most: PinBinding | null = null;
        for (const pin of pins) if (pin.particleCount > (most?.particleCount ?? 0)) most = pin;
        this._isExpected = !(most ? most.readMotion(motion) : this._readMeshMotion(before, now, motion));
        return !this._isExpected;
    }

    private _readMeshMotion(before: Affine, now: ArrayLike<number>, motion: Affine): boolean {
        if (!isFiniteAffine(now) || !invert(before, this._inverse)) return false;
        multiply(this._inverse, Float64Array.from(now), motion);
        return true;
    }
}
