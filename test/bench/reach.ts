/** What an object holds: typed arrays by the path that leads to them, and how much else. */

/** A buffer and the first path found to it. */
export interface HeldArray {
    readonly path: string;
    readonly bytes: number;
}

/** What is reachable from an object, but for what closures hold. */
export interface Held {
    /** Buffers, largest first. */
    readonly arrays: HeldArray[];
    /** How many values are in all other objects: properties, items of arrays, entries of maps and sets. */
    readonly values: number;
    /** All that has been looked at. */
    readonly seen: ReadonlySet<object>;
}

/**
 * Walks all that is reachable from `root`.
 * @param isForeign objects that are not entered: the engine's own, for instance
 * @param skip what is counted elsewhere: objects and buffers
 */
export function heldUnder(root: object, isForeign: (object: object) => boolean, skip: Iterable<object>): Held {
    const seen = new Set<object>(skip);
    const arrays: HeldArray[] = [];
    let values = 0;
    const queue = [{ value: root, path: "" }];
    for (let item = queue.pop(); item; item = queue.pop()) {
        const { value, path } = item;
        if (seen.has(value)) continue;
        seen.add(value);
        if (ArrayBuffer.isView(value)) {
            if (seen.has(value.buffer)) continue;
            seen.add(value.buffer);
            arrays.push({ path, bytes: value.buffer.byteLength });
            continue;
        }
        if (isForeign(value)) continue;
        const inside: [string, unknown][] =
            value instanceof Map || value instanceof Set
                ? [...value].flat().map((entry, i) => [`[${i}]`, entry])
                : Object.entries(value);
        values += inside.length;
        for (const [key, next] of inside) {
            if (typeof next === "object" && next !== null) queue.push({ value: next, path: path ? `${path}.${key}` : key });
        }
    }
    return { arrays: arrays.sort((a, b) => b.bytes - a.bytes), values, seen };
}
