/**
 * Layout of a pin correction: from 0, the displacement to the pinned position if the node stands still, x y z [m]; an axis, of length 1; the shares
 * of it that are held across that axis and along it, from 0 (free) to 1 (fixed). Plain constants, which bundlers inline.
 */
export const CORRECTION_AXIS = 3;
export const CORRECTION_ACROSS = 6;
export const CORRECTION_ALONG = 7;
