import type { CollisionProxy } from "./collisionProxy";

/** Maximum frames of untangling without progress; then the intersection is left. If it returns soon after, it has half of that, but at least the minimum. */
const TIMEOUT_FRAMES = 90;
const MIN_TIMEOUT_FRAMES = 20;
/** Change of an intersection that starts another attempt: a factor, and a number of crossings. */
const RETRY_FACTOR = 1.5;
const RETRY_COUNT = 8;
/** Frames for which a resolved intersection is remembered. */
const MEMORY_FRAMES = 96;

/** Attempt to untangle two bodies, or one from itself. */
interface UntangleAttempt {
    /** Least crossings seen in it, least particles that had to come back (Infinity: nothing is cut in two), and the last frame in which either got less. */
    minCount: number;
    remaining: number;
    lastProgress: number;
    /** Most crossings seen since then. */
    maxCount: number;
    /** The last frame in which it was seen crossed. */
    lastSeen: number;
    /** Frames. */
    timeout: number;
    /** Revision of the bodies. */
    revision: number;
    isOver: boolean;
    isGivenUp: boolean;
}

/** Tells what is crossed and gets no better, so that it is let alone, and can come to rest. */
export class UntangleTimeout {
    /** Attempts by the numbers of the bodies, see {@link shouldContinue}. */
    private readonly _attempts = new Map<number, UntangleAttempt>();

    /** Forgets all that has been seen. */
    clear(): void {
        this._attempts.clear();
    }

    /** True if an attempt is recorded under the key; {@link hasGivenUp} tells if it was abandoned. */
    isTracked(key: number): boolean {
        return this._attempts.has(key);
    }

    hasGivenUp(key: number): boolean {
        return this._attempts.get(key)?.isGivenUp ?? false;
    }

    /** Has what is known by a key be tried on for as long as if it had got better in this frame: it is moved. */
    extend(key: number, frame: number): void {
        const attempt = this._attempts.get(key);
        if (!attempt) return;
        attempt.lastProgress = frame;
        // What it was before says nothing of what is left after the motion.
        attempt.minCount = attempt.remaining = Infinity;
        attempt.isGivenUp = false;
    }

    /**
     * True if untangling should continue.
     * @param key identifies the intersection
     * @param found number of crossings
     * @param behind number of particles that must move back; Infinity: no region is cut off
     * @param revision revision of the bodies: changed pins restart an abandoned attempt
     */
    shouldContinue(key: number, frame: number, found: number, behind: number, revision: number): boolean {
        const { _attempts: attempts } = this;
        const attempt = attempts.get(key);
        if (found === 0) {
            if (attempt && frame - attempt.lastSeen > MEMORY_FRAMES) attempts.delete(key);
            else if (attempt) attempt.isOver = true;
            return true;
        }
        const isAnother = attempt?.revision !== revision;
        if (isAnother || attempt.isOver || (attempt.isGivenUp && hasChanged(found, attempt.maxCount))) {
            const timeout = isAnother ? TIMEOUT_FRAMES : Math.max(MIN_TIMEOUT_FRAMES, attempt.timeout / 2);
            attempts.set(key, {
                minCount: found,
                remaining: behind,
                lastProgress: frame,
                maxCount: found,
                lastSeen: frame,
                timeout,
                revision,
                isOver: false,
                isGivenUp: false,
            });
            return true;
        }
        attempt.lastSeen = frame;
        if (!attempt.isGivenUp && (found < attempt.minCount || behind < attempt.remaining)) {
            attempt.minCount = Math.min(attempt.minCount, found);
            attempt.remaining = Math.min(attempt.remaining, behind);
            attempt.lastProgress = frame;
            attempt.maxCount = found;
        }
        if (!attempt.isGivenUp) attempt.maxCount = Math.max(attempt.maxCount, found);
        if (frame - attempt.lastProgress > attempt.timeout) attempt.isGivenUp = true;
        return !attempt.isGivenUp;
    }
}

/** True if pins move a body. */
export function hasMovingPins({ body: { pins } }: CollisionProxy): boolean {
    for (let i = 0; i < pins.length; i++) if (pins[i].isMoving) return true;
    return false;
}

function hasChanged(found: number, before: number): boolean {
    return found > RETRY_FACTOR * before + RETRY_COUNT || before > RETRY_FACTOR * found + RETRY_COUNT;
}
