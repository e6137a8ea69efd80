/** Solid sides of a mesh's triangles: the first number of its form, see MeshGeometry in engine/collision/broadphase/meshBvhPlan.ts. */
import type { ShapeGeometry } from "./shapes/shapeGeometry";

/** Both, and they close nothing. */
export const OPEN_TWO_SIDED = 0;
/** That to which (b - a) × (c - a) points; the other one with another sign. */
const ONE_SIDED = 2;

/** Forms of other sides than their own, by these: what is built of a form is found by it. */
const formsBySides = new WeakMap<object, Map<number, Float32Array>>();

/** A mesh's form with other sides. */
export function withSides(form: ArrayLike<number>, sides: number): Float32Array {
    let all = formsBySides.get(form);
    if (!all) formsBySides.set(form, (all = new Map<number, Float32Array>()));
    let other = all.get(sides);
    if (!other) {
        other = Float32Array.from(form);
        other[0] = sides;
        all.set(sides, other);
    }
    return other;
}

/** The front of triangles: where the normals point that are authored with them; without any, what Babylon draws as such. */
export function frontOf({ positions: x, normals, indices }: ShapeGeometry): number {
    let sum = 0;
    for (let k = 0; k + 2 < indices.length; k += 3) {
        const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
        for (let i = 0; normals && i < 3; i++) {
            const [j, l] = [(i + 1) % 3, (i + 2) % 3];
            const normal = normals[a + i] + normals[b + i] + normals[c + i];
            sum += normal * ((x[b + j] - x[a + j]) * (x[c + l] - x[a + l]) - (x[b + l] - x[a + l]) * (x[c + j] - x[a + j]));
        }
    }
    return sum > 0 ? ONE_SIDED : -ONE_SIDED;
}
