/** Solids of known depth for the survey of contact: what a collider's kernels find is held against these, in doubles. */
import type { ColliderShape, Vector } from "../../src/engine/index";
import { surface, torus } from "../physics/triangleMeshes";
import type { Soup } from "../physics/triangleMeshes";

/** A shape with its form, its size, and how deep inside a point is. */
export interface KnownSolid {
    readonly name: string;
    readonly shape: ColliderShape;
    readonly form: ArrayLike<number>;
    /** Half extents [m] from two random numbers in [0, 1). */
    size(a: number, b: number): Vector;
    /** Depth [m], below 0 outside, at a point of the frame along its axes [m]; never more than the true one. */
    depth(point: Vector, half: Vector): number;
    /** What it measures from its middle to its surface where it is thinnest [m]. */
    core(half: Vector): number;
}

const wide = (a: number): number => 0.1 + 0.3 * a;
const tall = (a: number, b: number): Vector => [wide(a), wide(a) * (1.2 + b), wide(a)];
const thinnest = (half: Vector): number => Math.min(...half);

/** The hull of two balls on y, of these shares of the half width. */
function capsule(bottom: number, top: number): Pick<KnownSolid, "form" | "size" | "depth" | "core"> {
    return {
        form: [bottom, top],
        size: tall,
        // Radius less distance, of the balls between the two, is concave along the axis: the largest, by thirds.
        depth: ([x, y, z], [w, h]) => {
            const [low, high] = [-h + bottom * w, h - top * w];
            const ball = (t: number): number => w * (bottom + (top - bottom) * t) - Math.hypot(x, y - low - (high - low) * t, z);
            let [from, to] = [0, 1];
            for (let i = 0; i < 60; i++) {
                const third = (to - from) / 3;
                if (ball(from + third) < ball(to - third)) from += third;
                else to -= third;
            }
            return ball((from + to) / 2);
        },
        core: ([w]) => w * Math.min(bottom, top),
    };
}

const box = ([x, y, z]: Vector, half: Vector): number =>
    Math.min(half[0] - Math.abs(x), half[1] - Math.abs(y), half[2] - Math.abs(z));

/** Depth in the octahedron of these half axes. */
const octahedron = ([x, y, z]: Vector, [a, b, c]: Vector): number =>
    (1 - Math.abs(x) / a - Math.abs(y) / b - Math.abs(z) / c) / Math.hypot(1 / a, 1 / b, 1 / c);

/** Its triangles as a mesh: four quads a side, so that some are degenerate at the poles. */
const octahedronSoup: Soup = surface(4, 2, false, (u, v) => {
    const turn = Math.round(4 * u) % 4;
    const r = v === 0.5 ? 1 : 0;
    return [r * [1, 0, -1, 0][turn], 1 - 2 * v, r * [0, 1, 0, -1][turn]];
});
octahedronSoup[0] = 1;

const TORUS_SAG = 2e-3;

export const KNOWN_SOLIDS: readonly KnownSolid[] = [
    {
        name: "sphere",
        shape: "sphere",
        form: [],
        size: (a) => [wide(a), wide(a), wide(a)],
        depth: ([x, y, z], [r]) => r - Math.hypot(x, y, z),
        core: thinnest,
    },
    {
        name: "ellipsoid",
        shape: "sphere",
        form: [],
        size: (a, b) => [wide(a), wide(b), wide((a + b) / 2)],
        depth: ([x, y, z], half) => (1 - Math.hypot(x / half[0], y / half[1], z / half[2])) * Math.min(...half),
        core: thinnest,
    },
    { name: "capsule", shape: "capsule", ...capsule(1, 1) },
    { name: "tapered capsule", shape: "capsule", ...capsule(1, 0.5) },
    {
        name: "cylinder",
        shape: "cylinder",
        form: [],
        size: tall,
        depth: ([x, y, z], [r, h]) => Math.min(r - Math.hypot(x, z), h - Math.abs(y)),
        core: thinnest,
    },
    { name: "box", shape: "box", form: [], size: (a, b) => [wide(a), wide(b), wide((a * 7) % 1)], depth: box, core: thinnest },
    { name: "thin box", shape: "box", form: [], size: (a, b) => [2 * wide(a), 2 * wide(b), 0.03], depth: box, core: thinnest },
    {
        name: "hull",
        shape: "hull",
        form: [1, -1].flatMap((x) => [1, -1].flatMap((y) => [1, -1].flatMap((z) => [x, y, z, 1]))),
        size: (a, b) => [2 * wide(a), 2 * wide(b), 2 * wide((a + b) / 2)],
        depth: octahedron,
        core: (half) => octahedron([0, 0, 0], half),
    },
    {
        name: "mesh",
        shape: "mesh",
        form: octahedronSoup,
        size: (a, b) => [2 * wide(a), 2 * wide(b), 2 * wide((a + b) / 2)],
        depth: octahedron,
        core: (half) => octahedron([0, 0, 0], half),
    },
    {
        name: "torus",
        shape: "mesh",
        form: torus(48, 24),
        size: (a) => [3 * wide(a) * 0.5, 0.3 * 3 * wide(a) * 0.5, 3 * wide(a) * 0.5],
        depth: ([x, y, z], [a, b]) => b - TORUS_SAG - Math.hypot(Math.hypot(x, z) - 0.7 * a, y),
        core: ([, b]) => b,
    },
];
