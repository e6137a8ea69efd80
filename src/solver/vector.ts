import { finite, reject } from "./validate";

/** Three coordinates, for arithmetic. */
export type Vector = readonly [number, number, number];

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
