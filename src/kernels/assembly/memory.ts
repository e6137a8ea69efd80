/** Elements of arrays by their index. */

import { wordOffset } from "./layout.generated";

/** An integer. */
// @ts-ignore: decorator
@inline
export function word(array: usize, i: usize): u32 {
    return load<u32>(array + wordOffset(i));
}

// @ts-ignore: decorator
@inline
export function put(array: usize, i: usize, value: u32): void {
    store<u32>(array + wordOffset(i), value);
}

/** A float. */
// @ts-ignore: decorator
@inline
export function float(array: usize, i: usize): f32 {
    return load<f32>(array + wordOffset(i));
}

/** A float, as a double. */
// @ts-ignore: decorator
@inline
export function real(array: usize, i: usize): f64 {
    return <f64>float(array, i);
}

// @ts-ignore: decorator
@inline
export function putReal(array: usize, i: usize, value: f64): void {
    store<f32>(array + wordOffset(i), <f32>value);
}

/** A double. */
// @ts-ignore: decorator
@inline
export function double(array: usize, i: usize): f64 {
    return load<f64>(array + (i << 3));
}

// @ts-ignore: decorator
@inline
export function putDouble(array: usize, i: usize, value: f64): void {
    store<f64>(array + (i << 3), value);
}

// The host's functions: the built data is the same to the bit as in TypeScript, and their code is not in the module.
// @ts-ignore: decorator
@external("Math", "cos")
export declare function cos(x: f64): f64;
// @ts-ignore: decorator
@external("Math", "sin")
export declare function sin(x: f64): f64;
// @ts-ignore: decorator
@external("Math", "atan2")
export declare function atan2(y: f64, x: f64): f64;

/** No particle, no group. */
export const NONE: u32 = 0xffffffff;
