/** Wireframes of the unit shapes of colliders, see engine/collision/shapes/registry.ts: the ends of lines, x y z each. */
import { cross } from "../../engine/index";
import type { ColliderShape, Skin } from "../../engine/index";

/** Lines per circle. */
const CIRCLE_SEGMENTS = 32;
/** Half side of the grid that shows a half-space, and its cells [m]. */
const PLANE_HALF_SIZE = 2;
const PLANE_CELL = 0.5;
/** Half size of the square that a hull's face is clipped from; unit hulls are smaller. */
const HULL_BOUND = 4;

type Point = readonly [number, number, number];

/** @param proportion width over height under the pose @param posed skin in its current pose */
type Wireframe = (form: ArrayLike<number>, proportion: number, posed: Skin | null) => Float32Array;

export const wireframes: Record<ColliderShape, Wireframe> = {
    sphere: () => lines(circle(1, 0, 0), circle(1, 0, 1), circle(1, 0, 2)),
    box: () => lines(...edgesOfBox()),
    capsule,
    cylinder: () => lines(circle(1, 1, 1), circle(1, -1, 1), ...mantle([1, 1], [-1, 1])),
    hull,
    mesh,
    skin,
    plane: () => lines([at(-1, -1), at(1, -1), at(1, 1), at(-1, 1), at(-1, -1)], [at(-1, -1), at(1, 1)], [at(-1, 1), at(1, -1)]),
    halfSpace: () => lines(...grid()),
};

function at(x: number, y: number, z = 0): Point {
    return [x, y, z];
}

/** Lines along chains of points. */
function lines(...chains: Point[][]): Float32Array {
    return Float32Array.from(chains.flatMap((chain) => chain.slice(1).flatMap((point, i) => [...chain[i], ...point])));
}

/** A circle about an axis, at a height on it. */
function circle(radius: number, height: number, axis: number, from = 0, to = 2 * Math.PI): Point[] {
    return Array.from({ length: CIRCLE_SEGMENTS + 1 }, (_, i) => {
        const angle = from + ((to - from) * i) / CIRCLE_SEGMENTS;
        const point = [0, 0, 0];
        point[axis] = height;
        point[(axis + 1) % 3] = radius * Math.cos(angle);
        point[(axis + 2) % 3] = radius * Math.sin(angle);
        return point as unknown as Point;
    });
}

/** Four lines down the mantle from a radius at a height to another. */
function mantle([topHeight, top]: [number, number], [bottomHeight, bottom]: [number, number]): Point[][] {
    return [0, 1, 2, 3].map((k) => {
        const x = Math.cos((k * Math.PI) / 2);
        const z = Math.sin((k * Math.PI) / 2);
        return [at(top * x, topHeight, top * z), at(bottom * x, bottomHeight, bottom * z)];
    });
}

function edgesOfBox(): Point[][] {
    const edges: Point[][] = [];
    for (let corner = 0; corner < 8; corner++) {
        for (let axis = 1; axis < 8; axis *= 2) {
            if (corner & axis) continue;
            edges.push([corner, corner | axis].map((c) => at(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1)));
        }
    }
    return edges;
}

/** Both spheres' outlines, and lines down the cone between: y is stretched by the pose, the spheres are not. */
function capsule(form: ArrayLike<number>, proportion: number): Float32Array {
    const [bottom, top] = [form[0] ?? 1, form[1] ?? 1];
    const low = Math.min(0, -1 + bottom * proportion);
    const high = Math.max(0, 1 - top * proportion);
    const chains: Point[][] = [circle(bottom, low, 1), circle(top, high, 1), ...mantle([high, top], [low, bottom])];
    for (const [radius, middle, side] of [
        [top, high, 1],
        [bottom, low, -1],
    ] as const) {
        for (const across of [0, 2]) {
            const arc = Array.from({ length: CIRCLE_SEGMENTS / 2 + 1 }, (_, i): Point => {
                const angle = (2 * Math.PI * i) / CIRCLE_SEGMENTS;
                const x = radius * Math.cos(angle);
                const y = middle + side * radius * proportion * Math.sin(angle);
                return across === 0 ? at(x, y) : at(0, y, x);
            });
            chains.push(arc);
        }
    }
    return lines(...chains);
}

/** The face of each plane: a square in it, cut by all others. */
function hull(planes: ArrayLike<number>): Float32Array {
    const chains: Point[][] = [];
    for (let i = 0; i < planes.length; i += 4) {
        let face = squareInPlane(planes, i);
        for (let k = 0; k < planes.length && face.length > 0; k += 4) if (k !== i) face = clipFace(face, planes, k);
        if (face.length > 2) chains.push([...face, face[0]]);
    }
    return lines(...chains);
}

function squareInPlane(planes: ArrayLike<number>, i: number): Point[] {
    const normal = Math.hypot(planes[i], planes[i + 1], planes[i + 2]);
    const n: Point = [planes[i] / normal, planes[i + 1] / normal, planes[i + 2] / normal];
    const axis: Point = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
    const across = cross(n, axis);
    const length = Math.hypot(...across);
    const u = across.map((x) => x / length) as unknown as Point;
    const v = cross(n, u);
    return [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
    ].map(
        ([s, t]) => [0, 1, 2].map((c) => (n[c] * planes[i + 3]) / normal + HULL_BOUND * (s * u[c] + t * v[c])) as unknown as Point,
    );
}

/** Clips a polygon to the back of a plane. */
function clipFace(face: Point[], planes: ArrayLike<number>, i: number): Point[] {
    const height = (p: Point): number => p[0] * planes[i] + p[1] * planes[i + 1] + p[2] * planes[i + 2] - planes[i + 3];
    return face.flatMap((point, k) => {
        const next = face[(k + 1) % face.length];
        const [a, b] = [height(point), height(next)];
        const kept = a <= 0 ? [point] : [];
        if (a <= 0 === b <= 0) return kept;
        return [...kept, [0, 1, 2].map((c) => point[c] + ((next[c] - point[c]) * a) / (a - b)) as unknown as Point];
    });
}

/** All edges of all triangles. */
function mesh(form: ArrayLike<number>): Float32Array {
    const ends = new Float32Array((form.length - 1) * 2);
    for (let o = 1, e = 0; o < form.length; o += 9) {
        for (const corner of [0, 3, 3, 6, 6, 0]) for (let c = 0; c < 3; c++) ends[e++] = form[o + corner + c];
    }
    return ends;
}

/** Edges of all triangles in the current pose of the bones, mesh-local. */
function skin(_form: ArrayLike<number>, _proportion: number, posed: Skin | null): Float32Array {
    const { rest, matrices: m, geometry: form } = posed!;
    const { corners, influenceCount, bones, weights } = form;
    const triangles = new Float32Array(1 + 3 * corners.length);
    for (let i = 0; i < corners.length * influenceCount; i++) {
        const corner = Math.floor(i / influenceCount);
        const [x, y, z] = rest.subarray(3 * corners[corner]);
        const influence = influenceCount * corners[corner] + (i % influenceCount);
        const o = 16 * bones[influence];
        for (let c = 0; c < 3; c++) {
            triangles[1 + 3 * corner + c] +=
                weights[influence] * (x * m[o + c] + y * m[o + 4 + c] + z * m[o + 8 + c] + m[o + 12 + c]);
        }
    }
    return mesh(triangles);
}

function grid(): Point[][] {
    const chains: Point[][] = [];
    for (let x = -PLANE_HALF_SIZE; x <= PLANE_HALF_SIZE; x += PLANE_CELL)
        chains.push([at(x, -PLANE_HALF_SIZE), at(x, PLANE_HALF_SIZE)], [at(-PLANE_HALF_SIZE, x), at(PLANE_HALF_SIZE, x)]);
    return chains;
}
