import { identity, invert, isFiniteAffine, multiply } from "../../engine/index";
import type { Affine, MotionLimit } from "../../engine/index";
import { Suddenness } from "../pins/pinBinding";
import type { PinBinding } from "../pins/pinBinding";
import type { Origin } from "../support/carriers";

/** Default of {@link TeleportDetector.speedLimit}. */
export const DEFAULT_TELEPORT_SPEED = 50;

/**
 * Tells jumps of what carries a cloth from motion, and how it jumped: the cloth is to come along, not to be flung after it.
 * Carriers are those of the pins; of a cloth without pins, its mesh.
 */
export class TeleportDetector implements MotionLimit {
    /** Speed above which a sudden motion counts as a jump [m/s]. */
    speedLimit = DEFAULT_TELEPORT_SPEED;
    /** See {@link MotionLimit}. */
    distance = NaN;
    elapsed = NaN;
    seconds = NaN;
    private _isExpected = false;
    private readonly _inverse = identity();
    private readonly _nodePlace = new Float64Array(3).fill(NaN);

    /** Announces a jump of the carrier by the next frame. */
    expectTeleport(): void {
        this._isExpected = true;
    }

    /** Cancels an announced jump: the cloth is placed anew. */
    cancelExpected(): void {
        this._isExpected = false;
    }

    /** Tells what carries most of the pinned particles has done since the last frame; a jump if it was announced. Call once a frame. */
    measure(pins: readonly PinBinding[]): Suddenness {
        let all = 0;
        let sudden = 0;
        let jumped = 0;
        for (let i = 0; i < pins.length; i++) {
            const { particleCount } = pins[i];
            const suddenness = pins[i].measureSuddenness(this);
            all += particleCount;
            if (suddenness !== Suddenness.none) sudden += particleCount;
            if (suddenness === Suddenness.jump) jumped += particleCount;
        }
        if (this._isExpected || 2 * jumped > all) return Suddenness.jump;
        return 2 * sudden > all ? Suddenness.pose : Suddenness.none;
    }

    /** True if the node of a body that nothing carries has jumped in this frame. Call once a frame. @param world its matrix */
    hasNodeJumped(world: ArrayLike<number>): boolean {
        const { _nodePlace: place } = this;
        const way = Math.hypot(world[12] - place[0], world[13] - place[1], world[14] - place[2]);
        for (let c = 0; c < 3; c++) place[c] = world[12 + c];
        return way > this.distance;
    }

    /** Forgets where that node was. */
    forgetNode(): void {
        this._nodePlace.fill(NaN);
    }

    /** Reads the upright part of the motion of what carries most particles, see {@link PinBinding.readUprightMotion}. */
    readUprightMotion(pins: readonly PinBinding[], gravity: ArrayLike<number>, origin: Origin): Affine | null {
        return mostOf(pins)?.readUprightMotion(gravity, origin) ?? null;
    }

    /**
     * Takes note of a jump.
     * @param before world matrix of the mesh when the cloth was last drawn; `now`, of the present frame
     * @param motion the motion of what carries most particles, as a map of the world, out
     * @param anchor motion of what a body without pins rides on; null: its mesh
     * @returns false where it cannot be told yet; it is then still expected
     */
    readTeleport(
        pins: readonly PinBinding[],
        before: Affine,
        now: ArrayLike<number>,
        motion: Affine,
        anchor: Affine | null = null,
    ): boolean {
        const most = mostOf(pins);
        if (!most && anchor) motion.set(anchor);
        this._isExpected = !(most ? most.readMotion(motion) : anchor !== null || this._readMeshMotion(before, now, motion));
        return !this._isExpected;
    }

    /**
     * Reads a share of the motion of what carries most particles in this frame, as a rigid map of the world.
     * @returns null where nothing carries any
     */
    readShare(pins: readonly PinBinding[], share: number): Affine | null {
        return mostOf(pins)?.readShare(share) ?? null;
    }

    private _readMeshMotion(before: Affine, now: ArrayLike<number>, motion: Affine): boolean {
        if (!isFiniteAffine(now) || !invert(before, this._inverse)) return false;
        multiply(this._inverse, Float64Array.from(now), motion);
        return true;
    }
}

/** The pin that holds most particles. */
export function mostOf(pins: readonly PinBinding[]): PinBinding | null {
    let most: PinBinding | null = null;
    for (const pin of pins) if (pin.particleCount > (most?.particleCount ?? 0)) most = pin;
    return most;
}
