/**
 * How a particle is held, as numbers: the way by which what stands still would draw it back, x y z [m]; an axis, of length 1; what of it
 * is held across that axis and along it, from 0 (free) to 1 (fast).
 */
export const PinCorrection = { delta: 0, axis: 3, across: 6, along: 7 } as const;

/** Within a call. */
export const pinCorrection = new Float64Array(8);
