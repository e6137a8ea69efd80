/** Boxes along the axes. */
import { Contact } from "../../../kernels/contactLayout";
import type { Affine } from "../../math/affine";

/** A box, simulation space [m], shape [2, 4]: smallest x y z 0, largest x y z 0. */
export type Bounds = Float32Array;

/** Writes the box outside of which kernels find nothing: the shape's own, and what is near. */
export function writeBox(data: Float32Array, box: Bounds): void {
    const near = Math.max(0, data[Contact.thickness]);
    for (let c = 0; c < 3; c++) {
        data[Contact.minimum + c] = box[c] - near;
        data[Contact.maximum + c] = box[4 + c] + near;
    }
}

/** True if two boxes touch. @param a smallest x y z at `o`, largest at `o + 4` */
export function boxesTouch(a: Float32Array, o: number, b: Bounds): boolean {
    for (let c = 0; c < 3; c++) if (b[c] > a[o + 4 + c] || b[4 + c] < a[o + c]) return false;
    return true;
}

/** True if a shape of this reach from its centre, x y z [m], can come within `distance` of a box on its way from one pose to another. */
export function mayComeWithin(from: Affine, to: Affine, reaches: Float64Array, distance: number, bounds: Bounds): boolean {
    for (let c = 0; c < 3; c++) {
        const reach = distance + reaches[c];
        if (Math.max(from[12 + c], to[12 + c]) + reach < bounds[c]) return false;
        if (Math.min(from[12 + c], to[12 + c]) - reach > bounds[4 + c]) return false;
    }
    return true;
}

/** Within a call: lengths [m]. Passed or returned, a number that is no integer may be boxed. */
export const lengths = new Float64Array(3);

/** Writes the {@link lengths} of the rows of a pose's linear part. */
export function measureRows(m: Affine): void {
    for (let r = 0; r < 3; r++) {
        const x = m[4 * r];
        const y = m[4 * r + 1];
        const z = m[4 * r + 2];
        lengths[r] = Math.sqrt(x * x + y * y + z * z);
    }
}

/** Widens a reach from a centre, x y z [m], along all axes to the first of {@link lengths}. */
export function expandReach(reach: Float64Array): void {
    for (let c = 0; c < 3; c++) reach[c] = Math.max(reach[c], lengths[0]);
}
