import { ContentCache, identity, reject, uniqueTriangles, weld } from "../../../engine/index";
import { boxAlong, LOCAL_AXES } from "./shapeGeometry";
import type { ShapeFit, ShapeGeometry, GeometryShape } from "./shapeGeometry";

/** A mesh measures at least this share of its size along each axis: flat ones have a frame, too. */
const FLAT = 1e-3;
/** Triangles whose edges' cross product is smaller, where the mesh is [-1, 1]³, have no area: no 32-bit place lies beside their line. */
const NO_AREA = 1e-9;

/** Fit of triangles to a mesh. */
export interface TriangleFit extends ShapeFit {
    /** Vertices at the corners of the form's triangles; of those that coincide, one. */
    readonly corners: Uint32Array;
}

/** Copies of a mesh share a form, and so what is built of it. */
const fits = new ContentCache<TriangleFit>();

/** Its own triangles, each on both sides. Its unit frame: the local box becomes [-1, 1]³. */
export const mesh: GeometryShape = {
    matches: () => true,
    fit: fitTriangles,
};

/** @throws RangeError where there is no triangle, or a vertex that is not finite */
export function fitTriangles(geometry: ShapeGeometry): TriangleFit {
    const { positions: x, owner, name } = geometry;
    const indices = Uint32Array.from(
        { length: geometry.indices.length - (geometry.indices.length % 3) },
        (_, i) => geometry.indices[i],
    );
    if (indices.length === 0) reject(owner, "source", "a mesh with triangles", name);
    for (const i of indices) {
        if (!Number.isFinite(x[3 * i] + x[3 * i + 1] + x[3 * i + 2])) reject(owner, "source", "a mesh of finite vertices", name);
    }
    const positions = Float32Array.from(x);
    return fits.get([positions, indices], () => fitNew(geometry, positions, indices));
}

function fitNew({ owner, name }: ShapeGeometry, positions: Float32Array, indices: Uint32Array): TriangleFit {
    const { placeOfVertex, vertexOfPlace } = weld(positions, indices);
    // The back of a double-sided mesh is the same surface.
    const triangles = uniqueTriangles(indices.map((i) => placeOfVertex[i])).map((place) => vertexOfPlace[place]);
    const used = new Float32Array(3 * triangles.length);
    for (let i = 0; i < triangles.length; i++) for (let c = 0; c < 3; c++) used[3 * i + c] = positions[3 * triangles[i] + c];
    const { half, centre } = boxAlong(used, LOCAL_AXES);
    const size = Math.max(...half);
    const toLocal = identity();
    for (let c = 0; c < 3; c++) toLocal[5 * c] = Math.max(half[c], FLAT * size);
    toLocal.set(centre, 12);
    const form = new Float32Array(1 + used.length);
    const corners = new Uint32Array(triangles.length);
    let end = 1;
    for (let o = 0; o < used.length; o += 9) {
        for (let k = 0; k < 9; k++) form[end + k] = (used[o + k] - centre[k % 3]) / toLocal[5 * (k % 3)];
        if (!hasArea(form, end)) continue;
        corners.set(triangles.subarray(o / 3, o / 3 + 3), (end - 1) / 3);
        end += 9;
    }
    if (end === 1) reject(owner, "source", "a mesh with triangles that have an area", name);
    form[0] = isClosed(triangles) ? 1 : 0;
    return { toLocal, form: form.slice(0, end), corners: corners.slice(0, (end - 1) / 3) };
}

function hasArea(x: Float32Array, o: number): boolean {
    const ux = x[o + 3] - x[o], uy = x[o + 4] - x[o + 1], uz = x[o + 5] - x[o + 2]; // prettier-ignore
    const vx = x[o + 6] - x[o], vy = x[o + 7] - x[o + 1], vz = x[o + 8] - x[o + 2]; // prettier-ignore
    return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) > NO_AREA;
}

/** True if each edge is traversed as often one way as the other: the sum over edges of a hash with a sign is zero. */
function isClosed(triangles: Uint32Array): boolean {
    let sum = 0;
    for (let i = 0; i < triangles.length; i++) {
        const a = triangles[i];
        const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
        if (a === b) continue;
        let number = Math.imul(Math.min(a, b) + 1, 0x9e3779b1) ^ Math.imul(Math.max(a, b) + 1, 0x85ebca6b);
        number = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
        sum = (sum + (a < b ? number : -number)) | 0;
    }
    return sum === 0;
}
