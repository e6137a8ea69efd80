/** How many frames what is crossed may take to get better; then it is left as it is. What is crossed again soon after has half of that, but so many at least. */
const TIMEOUT_FRAMES = 90;
const MIN_TIMEOUT_FRAMES = 20;
/** How much more, or less, of it there has to be for another try: by so many times, and by so many crossings. */
const RETRY_FACTOR = 1.5;
const RETRY_COUNT = 8;
/** How many frames what has come free is remembered. */
const MEMORY_FRAMES = 96;

/** How two members, or one with itself, come free of each other. */
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
    /** What its members were like. */
    revision: number;
    isOver: boolean;
    isGivenUp: boolean;
}

/** Tells what is crossed and gets no better, so that it is let alone, and can come to rest. */
export class UntangleTimeout {
    /** By the numbers of members, see {@link shouldContinue}. */
    private readonly _attempts = new Map<number, UntangleAttempt>();

    /** Forgets all that has been seen. */
    clear(): void {
        this._attempts.clear();
    }

    /** Whether something has been seen crossed; whether it has been given up. */
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
        attempt.isGivenUp = false;
    }

    /**
     * Whether something is tried on, still.
     * @param key tells it from others
     * @param found how many crossings it has
     * @param behind how many particles have to come back; Infinity: nothing is cut in two
     * @param revision what its members are like: pinned otherwise, what has been given up is tried again
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
            const patience = isAnother ? TIMEOUT_FRAMES : Math.max(MIN_TIMEOUT_FRAMES, attempt.timeout / 2);
            attempts.set(key, {
                minCount: found,
                remaining: behind,
                lastProgress: frame,
                maxCount: found,
                lastSeen: frame,
                timeout: patience,
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

function hasChanged(found: number, before: number): boolean {
    return found > RETRY_FACTOR * before + RETRY_COUNT || before > RETRY_FACTOR * found + RETRY_COUNT;
}
