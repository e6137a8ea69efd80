/** Addressing of particle rows: arrays of rows of four, addressed by slot in TypeScript and by byte offset in records. */

/** Slots of a row: x y z and a fourth lane that stays zero. */
export const ROW = 4;

/** Numbers of a matrix. */
export const MATRIX_SIZE = 16;

/** First slot of a particle's row. */
export function rowOf(particle: number): number {
    return particle * ROW;
}

/** Byte offset of a particle's row. */
export function rowOffset(particle: number): number {
    return particle << 4;
}

/** First slot of the row at a byte offset. */
export function rowAt(rowOffset: number): number {
    return rowOffset >>> 2;
}

/** The particle whose row lies at a byte offset. */
export function particleAt(rowOffset: number): number {
    return rowOffset >>> 4;
}

/** The particle whose row begins at a slot. */
export function particleOf(slot: number): number {
    return slot >>> 2;
}

/** The group of four, the width of the SIMD loops, that an element is in. */
export function groupOf(element: number): number {
    return element >>> 2;
}

/** The place of an element in its group of four. */
export function laneOf(element: number): number {
    return element & 3;
}

/** Rounded up to whole groups of four, the width of the SIMD loops. */
export function roundUpToFour(count: number): number {
    return (count + 3) & ~3;
}
