import { areSame } from "./math/geometry";

/** Shapes that are remembered at most: scenes have few kinds of cloth, and a look at one that is another costs nothing. */
const MOST = 8;

/** What a shape follows from: lists of numbers; null for one that it does not have. */
type Key = readonly (ArrayLike<number> | null)[];

/**
 * Gives what was made for the same numbers, to the bit, instead of making it again: of two hundred equal flags all but the first take a part of the
 * time to attach, and share what is immutable. Held weakly, so only until the garbage is collected after the cloths of a loop were made.
 */
export class Shapes<Shape extends object> {
    private _known: WeakRef<{ readonly key: Key; readonly shape: Shape }>[] = [];

    /** @param make must not keep what `key` does not hold: the shape serves others, too. What it throws goes to the caller */
    get(key: Key, make: () => Shape): Shape {
        for (const known of this._known) {
            const entry = known.deref();
            if (entry && isSameKey(entry.key, key)) return entry.shape;
        }
        const shape = make();
        this._known = [new WeakRef({ key, shape }), ...this._known.filter((known) => known.deref())].slice(0, MOST);
        return shape;
    }
}

function isSameKey(a: Key, b: Key): boolean {
    for (let i = 0; i < a.length; i++) {
        const x = a[i];
        const y = b[i];
        if (x !== y && !(x && y && areSame(x, y))) return false;
    }
    return true;
}
