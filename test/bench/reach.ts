/** Which typed arrays an object holds, by the path that leads to them. */

/** A buffer and the first path found to it. */
export interface HeldArray {
    readonly path: string;
    readonly bytes: number;
}

/**
 * Walks all that is reachable from `root`.
 * @param isForeign objects that are not entered: the engine's own, for instance
 * @param skip a buffer that is counted elsewhere
 * @returns buffers, largest first
 */
export function typedArraysUnder(root: object, isForeign: (object: object) => boolean, skip: ArrayBufferLike | null): HeldArray[] {
    const seen = new Set<object>();
    const found: HeldArray[] = [];
    const queue: { value: object; path: string }[] = [{ value: root, path: "" }];
    for (let item = queue.shift(); item; item = queue.shift()) {
        const { value, path } = item;
        if (seen.has(value)) continue;
        seen.add(value);
        if (ArrayBuffer.isView(value)) {
            if (value.buffer === skip || seen.has(value.buffer)) continue;
            seen.add(value.buffer);
            found.push({ path, bytes: value.buffer.byteLength });
            continue;
        }
        if (isForeign(value)) continue;
        for (const key of Object.keys(value)) {
            const next = (value as Record<string, unknown>)[key];
            if (typeof next === "object" && next !== null) queue.push({ value: next, path: path ? `${path}.${key}` : key });
        }
    }
    return found.sort((a, b) => b.bytes - a.bytes);
}
