/** Changes of painted bytes: a dab, a gradient, and changes of a whole layer. 0 is free; 1 to 255 are shades. */
import type { Surface } from "./surface";

/** Changes of a whole layer. */
export type Change = "Flood" | "Clear" | "Invert" | "Grow" | "Shrink" | "Smooth";

/** Share of a mask's size by which an edge grows or shrinks; of meshes, one edge. */
const GROWTH = 1 / 64;
/** Rounds of a smoothing. */
const SMOOTHINGS = 8;

/**
 * Paints what is near a place at rest.
 * @param radius mesh-local
 * @param strength share of the way to the byte in the middle, less outwards; null: all the way, up to the rim
 */
export function dab(
    surface: Surface,
    bytes: Uint8Array,
    [x, y, z]: readonly number[],
    radius: number,
    byte: number,
    strength: number | null,
): void {
    const { positions: p } = surface;
    const limit = radius * radius;
    for (let site = 0, o = 0; site < bytes.length; site++, o += 3) {
        const dx = p[o] - x;
        const dy = p[o + 1] - y;
        const dz = p[o + 2] - z;
        const square = dx * dx + dy * dy + dz * dz;
        if (!(square <= limit)) continue;
        if (strength === null) {
            bytes[site] = byte;
            continue;
        }
        const share = strength * (1 - square / limit) ** 2;
        // Vertices that were free begin where nothing is left.
        const before = bytes[site] || 255;
        const next = before + share * (byte - before);
        if (bytes[site] !== 0 || share > 0.02)
            bytes[site] = Math.max(1, Math.round(byte < before ? Math.floor(next) : Math.ceil(next)));
    }
}

/** Paints shades along a line at rest, from nothing at its begin to a byte at its end, as far as it goes. */
export function gradient(
    { positions: p }: Surface,
    bytes: Uint8Array,
    from: readonly number[],
    to: readonly number[],
    byte: number,
): void {
    const way = [0, 1, 2].map((i) => to[i] - from[i]);
    const square = way.reduce((sum, part) => sum + part * part, 0);
    if (square === 0) return;
    for (let site = 0, o = 0; site < bytes.length; site++, o += 3) {
        const share = way.reduce((sum, part, i) => sum + part * (p[o + i] - from[i]), 0) / square;
        if (!Number.isNaN(share)) bytes[site] = Math.round(1 + (byte - 1) * Math.min(1, Math.max(0, share)));
    }
}

/** Bytes of a layer after a change. @param byte that is painted */
export function change(surface: Surface, bytes: Uint8Array, kind: Change, byte: number): Uint8Array {
    switch (kind) {
        case "Flood":
            return bytes.map(() => byte);
        case "Clear":
            return bytes.map(() => 0);
        case "Invert":
            return bytes.map((each) => (each === 0 ? byte : byte === 255 && each === 255 ? 0 : 256 - each));
        case "Smooth":
            return repeat(bytes, SMOOTHINGS, (now) => now.map((each, site) => (each === 0 ? 0 : meanOf(surface, now, site))));
        default: {
            const rounds = surface.isMask ? Math.round(GROWTH * Math.sqrt(surface.count)) : 1;
            return repeat(bytes, rounds, (now) => (kind === "Grow" ? grown(surface, now) : shrunk(surface, now)));
        }
    }
}

function repeat(bytes: Uint8Array, count: number, step: (bytes: Uint8Array) => Uint8Array): Uint8Array {
    let now = bytes;
    for (let round = 0; round < count; round++) now = step(now);
    return now;
}

/** Free sites take the largest shade beside them. */
function grown(surface: Surface, bytes: Uint8Array): Uint8Array {
    return bytes.map((each, site) => each || surface.neighbours(site).reduce((most, next) => Math.max(most, bytes[next]), 0));
}

/** Sites beside a free one become free. */
function shrunk(surface: Surface, bytes: Uint8Array): Uint8Array {
    return bytes.map((each, site) => (surface.neighbours(site).some((next) => bytes[next] === 0) ? 0 : each));
}

/** Mean of a site and of what is painted beside it. */
function meanOf(surface: Surface, bytes: Uint8Array, site: number): number {
    let sum = bytes[site];
    let count = 1;
    for (const next of surface.neighbours(site)) {
        if (bytes[next] === 0) continue;
        sum += bytes[next];
        count++;
    }
    return Math.max(1, Math.round(sum / count));
}
