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

/** No particle, no group. */
export const NONE: u32 = 0xffffffff;
