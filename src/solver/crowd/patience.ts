/** How many frames what is crossed may take to get better; then it is left as it is. What is crossed again soon after has half of that, but so many at least. */
const PATIENCE = 90;
const LEAST = 20;
/** How much more, or less, of it there has to be for another try: by so many times, and by so many crossings. */
const CHANGED = 1.5;
const CHANGED_BY = 8;
/** How many frames what has come free is remembered. */
const MEMORY = 96;

/** How two members, or one with itself, come free of each other. */
interface Attempt {
    /** Least crossings seen in it, least particles that had to come back (Infinity: nothing is cut in two), and the last frame in which either got less. */
    least: number;
    behind: number;
    since: number;
    /** Most crossings seen since then. */
    most: number;
    /** The last frame in which it was seen crossed. */
    seen: number;
    /** Frames. */
    patience: number;
    /** What its members were like. */
    revision: number;
    isOver: boolean;
    isGivenUp: boolean;
}

/** Tells what is crossed and gets no better, so that it is let alone, and can come to rest. */
export class Patience {
    /** By the numbers of members, see {@link goesOn}. */
    private readonly _attempts = new Map<number, Attempt>();

    /** Forgets all that has been seen. */
    restart(): void {
        this._attempts.clear();
    }

    /** Whether something has been seen crossed; whether it has been given up. */
    knows(key: number): boolean {
        return this._attempts.has(key);
    }

    hasGivenUp(key: number): boolean {
        return this._attempts.get(key)?.isGivenUp ?? false;
    }

    /** Has what is known by a key be tried on for as long as if it had got better in this frame: it is moved. */
    renew(key: number, frame: number): void {
        const attempt = this._attempts.get(key);
        if (!attempt) return;
        attempt.since = frame;
        attempt.isGivenUp = false;
    }

    /**
     * Whether something is tried on, still.
     * @param key tells it from others
     * @param found how many crossings it has
     * @param behind how many particles have to come back; Infinity: nothing is cut in two
     * @param revision what its members are like: pinned otherwise, what has been given up is tried again
     */
    goesOn(key: number, frame: number, found: number, behind: number, revision: number): boolean {
        const { _attempts: attempts } = this;
        const attempt = attempts.get(key);
        if (found === 0) {
            if (attempt && frame - attempt.seen > MEMORY) attempts.delete(key);
            else if (attempt) attempt.isOver = true;
            return true;
        }
        const isAnother = attempt?.revision !== revision;
        if (isAnother || attempt.isOver || (attempt.isGivenUp && hasChanged(found, attempt.most))) {
            const patience = isAnother ? PATIENCE : Math.max(LEAST, attempt.patience / 2);
            attempts.set(key, {
                least: found,
                behind,
                since: frame,
                most: found,
                seen: frame,
                patience,
                revision,
                isOver: false,
                isGivenUp: false,
            });
            return true;
        }
        attempt.seen = frame;
        if (!attempt.isGivenUp && (found < attempt.least || behind < attempt.behind)) {
            attempt.least = Math.min(attempt.least, found);
            attempt.behind = Math.min(attempt.behind, behind);
            attempt.since = frame;
            attempt.most = found;
        }
        if (!attempt.isGivenUp) attempt.most = Math.max(attempt.most, found);
        if (frame - attempt.since > attempt.patience) attempt.isGivenUp = true;
        return !attempt.isGivenUp;
    }
}

function hasChanged(found: number, before: number): boolean {
    return found > CHANGED * before + CHANGED_BY || before > CHANGED * found + CHANGED_BY;
}
