import type { DistanceConstraintSet } from "../../src/engine/topology/stencilSet";
import type { ClothTopology } from "../../src/engine/topology/topology";
import type { Vector } from "../../src/engine/index";

/** A triangle mesh without Babylon. */
export interface Sheet {
    /** Rest positions [m], shape [particleCount, 3]. */
    positions: Float32Array;
    /** Particles of each triangle, shape [triangleCount, 3]. */
    triangles: Uint32Array;
}

/** Where a point of the unit square lies in space; u to the right, v up. */
export type Placement = (u: number, v: number) => Vector;

/** Standing in the plane z = 0, top edge at y = 0, hanging down. */
export const hanging =
    (width = 1, height = width): Placement =>
    (u, v) => [u * width, (v - 1) * height, 0];
/** Lying at height `y`, centred. */
export const lying =
    (width = 1, depth = width, y = 0): Placement =>
    (u, v) => [(u - 0.5) * width, y, (v - 0.5) * depth];

/** How the quads of a grid are cut in two. */
export type Diagonals = "oneWay" | "alternating";

/** A grid of columns × rows quads; particle (i, j) is row-major from the lower left: {@link gridIndex}. */
export function grid(columns: number, rows: number, place: Placement, diagonals: Diagonals = "oneWay"): Sheet {
    const positions: number[] = [];
    const triangles: number[] = [];
    for (let j = 0; j <= rows; j++) {
        for (let i = 0; i <= columns; i++) positions.push(...place(i / columns, j / rows));
    }
    for (let j = 0; j < rows; j++) {
        for (let i = 0; i < columns; i++) {
            const a = gridIndex(columns, i, j);
            const b = a + 1;
            const c = a + columns + 1;
            const d = c + 1;
            if (diagonals === "oneWay" || (i + j) % 2 === 0) triangles.push(a, b, d, a, d, c);
            else triangles.push(a, b, c, b, d, c);
        }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Particle of a grid of `columns` quads a row. */
export function gridIndex(columns: number, i: number, j: number): number {
    return j * (columns + 1) + i;
}

/** The particles of the top row. */
export function topRow(columns: number, rows: number): number[] {
    return Array.from({ length: columns + 1 }, (_, i) => gridIndex(columns, i, rows));
}

/** A disc of radius 1/2 about the middle of the unit square: a fan and rings, every ring with `sectors` particles. */
export function disc(sectors: number, rings: number, place: Placement): Sheet {
    const positions: number[] = [...place(0.5, 0.5)];
    const triangles: number[] = [];
    const at = (ring: number, sector: number): number => 1 + (ring - 1) * sectors + (sector % sectors);
    for (let r = 1; r <= rings; r++) {
        for (let s = 0; s < sectors; s++) {
            const angle = (2 * Math.PI * s) / sectors;
            const radius = (0.5 * r) / rings;
            positions.push(...place(0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)));
            if (r === 1) triangles.push(0, at(1, s), at(1, s + 1));
            else triangles.push(at(r - 1, s), at(r, s), at(r, s + 1), at(r - 1, s), at(r, s + 1), at(r - 1, s + 1));
        }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** An irregular grid: inner points moved at random by up to `jitter` quads, each quad cut along its shorter diagonal. */
export function irregular(columns: number, rows: number, place: Placement, random: () => number, jitter = 0.3): Sheet {
    const uv: [number, number][] = [];
    for (let j = 0; j <= rows; j++) {
        for (let i = 0; i <= columns; i++) {
            const isInside = i > 0 && j > 0 && i < columns && j < rows;
            const move = (): number => (isInside ? (random() * 2 - 1) * jitter : 0);
            uv.push([(i + move()) / columns, (j + move()) / rows]);
        }
    }
    const triangles: number[] = [];
    const length = (p: number, q: number): number => Math.hypot(uv[p][0] - uv[q][0], uv[p][1] - uv[q][1]);
    for (let j = 0; j < rows; j++) {
        for (let i = 0; i < columns; i++) {
            const a = gridIndex(columns, i, j);
            const b = a + 1;
            const c = a + columns + 1;
            const d = c + 1;
            if (length(a, d) < length(b, c)) triangles.push(a, b, d, a, d, c);
            else triangles.push(a, b, c, b, d, c);
        }
    }
    return { positions: Float32Array.from(uv.flatMap(([u, v]) => place(u, v))), triangles: Uint32Array.from(triangles) };
}

/** A sphere of radius 1: an octahedron whose triangles are cut in four `levels` times. */
export function sphere(levels: number): Sheet {
    const points: number[][] = [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
    ];
    let faces = [
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for (let level = 0; level < levels; level++) {
        const middles = new Map<string, number>();
        const middle = (p: number, q: number): number => {
            const key = p < q ? `${p},${q}` : `${q},${p}`;
            if (!middles.has(key)) {
                const sum = points[p].map((value, k) => value + points[q][k]);
                middles.set(key, points.push(sum.map((value) => value / Math.hypot(...sum))) - 1);
            }
            return middles.get(key)!;
        };
        faces = faces.flatMap(([a, b, c]) => {
            const ab = middle(a, b),
                bc = middle(b, c),
                ca = middle(c, a);
            return [
                [a, ab, ca],
                [ab, b, bc],
                [ca, bc, c],
                [ab, bc, ca],
            ];
        });
    }
    return { positions: Float32Array.from(points.flat()), triangles: Uint32Array.from(faces.flat()) };
}

/** No sticks. */
function noSticks(): DistanceConstraintSet {
    return {
        stiffness: "stretchStiffness",
        particlesA: new Uint32Array(0),
        particlesB: new Uint32Array(0),
        restLengths: new Float32Array(0),
        stiffnessFactors: new Float32Array(0),
    };
}

/**
 * Particles on a string, made by hand: stick i joins particles i and i + 1; its stiffness is `stretchStiffness`.
 * @param masses [kg] at an areal density of 1 kg/m², shape [n]
 * @param restLength of each stick [m]
 */
export function chain(positions: Float32Array, masses: readonly number[], restLength: number): ClothTopology {
    const count = masses.length - 1;
    const topology: ClothTopology = {
        particleCount: masses.length,
        positions,
        rebuildPositions: () => positions,
        rebuild: () => topology,
        triangles: new Uint32Array(0),
        areas: Float32Array.from(masses),
        area: masses.reduce((sum, mass) => sum + mass, 0),
        rectangleShare: 0,
        meanLength: restLength,
        structural: {
            stiffness: "stretchStiffness",
            particlesA: Uint32Array.from({ length: count }, (_, i) => i),
            particlesB: Uint32Array.from({ length: count }, (_, i) => i + 1),
            restLengths: new Float32Array(count).fill(restLength),
            stiffnessFactors: new Float32Array(count).fill(1),
        },
        shear: noSticks(),
        stencils: {
            particles: new Uint32Array(0),
            weights: new Float32Array(0),
            areas: new Float32Array(0),
            curvatures: new Float32Array(0),
            lines: new Uint32Array(0),
        },
        unilateralLimits: noSticks(),
        farUnilateralLimits: [],
        size: count * restLength,
    };
    return topology;
}
