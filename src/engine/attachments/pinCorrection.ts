/**
 * Layout of a pin correction: the displacement to the pinned position if the node stands still, x y z [m]; an axis, of length 1; the shares
 * of it that are held across that axis and along it, from 0 (free) to 1 (fixed).
 */
export const PinCorrection = { delta: 0, axis: 3, across: 6, along: 7 } as const;

/** Within a call. */
export const pinCorrection = new Float64Array(8);
