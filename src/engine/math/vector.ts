import { finite, reject } from "../validate";

/** Three coordinates, for arithmetic. */
export type Vector = readonly [number, number, number];

/** Any three numbers. */
type Triple = ArrayLike<number>;

export const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const subtract = (a: Triple, b: Triple): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Triple, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const cross = (a: Triple, b: Triple): Vector => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];

/** Writes a × b to slot `o`. */
export function writeCross(a: Triple, b: Triple, target: Float64Array, o = 0): void {
    target[o] = a[1] * b[2] - a[2] * b[1];
    target[o + 1] = a[2] * b[0] - a[0] * b[2];
    target[o + 2] = a[0] * b[1] - a[1] * b[0];
}

/** A vector as options take it: a Vector3, or any object with x, y and z. */
export interface VectorLike {
    x: number;
    y: number;
    z: number;
}

/** Checks three finite numbers, as of a Vector3. @throws RangeError otherwise */
export function finiteVector(owner: string, option: string, value: VectorLike): void {
    if (typeof value !== "object" || value === null) reject(owner, option, "a Vector3", value);
    finite(owner, `${option}.x`, value.x);
    finite(owner, `${option}.y`, value.y);
    finite(owner, `${option}.z`, value.z);
}

/** True if two lists hold the same numbers. */
export function areEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
}
