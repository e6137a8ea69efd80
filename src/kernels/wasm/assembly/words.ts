/** Elements of arrays by their index. */

/** An integer. */
// @ts-ignore: decorator
@inline
export function word(array: usize, i: u32): u32 {
    return load<u32>(array + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
export function put(array: usize, i: u32, value: u32): void {
    store<u32>(array + (<usize>i << 2), value);
}

/** A float, as a double. */
// @ts-ignore: decorator
@inline
export function real(array: usize, i: u32): f64 {
    return <f64>load<f32>(array + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
export function putReal(array: usize, i: u32, value: f64): void {
    store<f32>(array + (<usize>i << 2), <f32>value);
}

/** A double. */
// @ts-ignore: decorator
@inline
export function double(array: usize, i: u32): f64 {
    return load<f64>(array + (<usize>i << 3));
}

// @ts-ignore: decorator
@inline
export function putDouble(array: usize, i: u32, value: f64): void {
    store<f64>(array + (<usize>i << 3), value);
}

// The host's own: what both backends build is the same to the bit, and their code is not in the module.
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
