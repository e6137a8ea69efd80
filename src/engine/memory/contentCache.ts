import { areEqual } from "../math/vector";

/** Shapes that are remembered at most: scenes have few kinds of cloth, and a look at one that is another costs nothing. */
const CAPACITY = 8;

/** Entries that a build in slices will ask for again, and such builds in progress. */
const held = new Set<object>();
let holderCount = 0;

/** Has all that caches give from now on be held strongly. @returns function that ends it */
export function holdShapes(): () => void {
    holderCount++;
    return () => {
        if (--holderCount === 0) held.clear();
    };
}

/** Key of a shape: the lists of numbers that define it; null for a list that the shape lacks. */
export type ContentKey = readonly (ArrayLike<number> | null)[];

/**
 * Gives what was made for the same numbers, to the bit, instead of making it again: of two hundred equal flags all but the first take a part of the
 * time to attach, and share what is immutable. Held weakly, so only until the garbage is collected after the cloths of a loop were made.
 */
export class ContentCache<Shape extends object> {
    private _entries: WeakRef<{ readonly key: ContentKey; readonly shape: Shape }>[] = [];

    /** @param make must not keep what `key` does not hold: the shape serves others, too. What it throws goes to the caller */
    get(key: ContentKey, make: () => Shape): Shape {
        for (const known of this._entries) {
            const entry = known.deref();
            if (entry && isSameKey(entry.key, key)) return entry.shape;
        }
        const shape = make();
        const entry = { key, shape };
        if (holderCount > 0) held.add(entry);
        this._entries = [new WeakRef(entry), ...this._entries.filter((known) => known.deref())].slice(0, CAPACITY);
        return shape;
    }
}

function isSameKey(a: ContentKey, b: ContentKey): boolean {
    for (let i = 0; i < a.length; i++) {
        const x = a[i];
        const y = b[i];
        if (x !== y && !(x && y && areEqual(x, y))) return false;
    }
    return true;
}
