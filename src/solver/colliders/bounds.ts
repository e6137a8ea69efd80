/** Boxes along the axes. */
import { Contact } from "../../kernels/contactLayout";

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

/** Whether two boxes touch. @param a smallest x y z at `o`, largest at `o + 4` */
export function boxesTouch(a: Float32Array, o: number, b: Bounds): boolean {
    for (let c = 0; c < 3; c++) if (b[c] > a[o + 4 + c] || b[4 + c] < a[o + c]) return false;
    return true;
}

/** Widens a reach from a centre, x y z [m], along all axes. */
export function widenAll(reach: Float64Array, distance: number): void {
    for (let c = 0; c < 3; c++) reach[c] = Math.max(reach[c], distance);
}
