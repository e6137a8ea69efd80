/**
 * Geometry of the benchmark scenes: a square grid of particles, its sticks and its pins.
 *
 *     row 0      o───o───o      o───o  structural: grid edges
 *                │ ╲ ╱ │ ╲      │╲ ╱│
 *                │ ╱ ╲ │ ╱      │╱ ╲│  shear: both diagonals of every cell
 *     row 1      o───o───o      o───o
 *                o───────o             bend: every other particle of a row or column
 *
 * Particle (row, column) has index row · resolution + column. The cloth starts horizontal at y = 0, columns along +x and
 * rows along +z, centred on the y axis; the pinned scenes pin row 0 and swing down.
 */
import type { PeerScene } from "./peer";

/** Radius of the sphere in the `sphere` scene [m]. */
export const SPHERE_RADIUS = 0.5;
/** Height from which the cloth falls: between the sphere's top and the cloth [m]. */
export const SPHERE_GAP = 0.05;
/** World height of the sphere's centre [m]; x and z are 0. */
export const SPHERE_CENTRE_Y = -(SPHERE_RADIUS + SPHERE_GAP);

/** Quads around the sphere of triangles in the `mesh` scene, and from pole to pole: 10,000 triangles. */
export const SPHERE_SECTORS = 100;
export const SPHERE_RINGS = 51;

/** The same sphere as triangles about the origin, radius 1: corners as xyz triplets, three a triangle, seen from outside counter-clockwise. */
export function sphereTriangles(): number[] {
    const corners: number[] = [];
    const at = (sector: number, ring: number): number[] => {
        const [around, down] = [(2 * Math.PI * (sector % SPHERE_SECTORS)) / SPHERE_SECTORS, (Math.PI * ring) / SPHERE_RINGS];
        return [Math.sin(down) * Math.cos(around), Math.cos(down), Math.sin(down) * Math.sin(around)];
    };
    for (let ring = 0; ring < SPHERE_RINGS; ring++) {
        for (let sector = 0; sector < SPHERE_SECTORS; sector++) {
            const [a, b, c, d] = [at(sector, ring), at(sector + 1, ring), at(sector, ring + 1), at(sector + 1, ring + 1)];
            if (ring > 0) corners.push(...a, ...b, ...d);
            if (ring < SPHERE_RINGS - 1) corners.push(...a, ...d, ...c);
        }
    }
    return corners;
}

/** Sticks of one kind; stick i joins particles `pairs[2 i]` and `pairs[2 i + 1]` at distance `restLengths[i]` [m]. */
export interface GridSticks {
    readonly count: number;
    readonly pairs: Uint32Array;
    readonly restLengths: Float64Array;
}

/** Everything that a peer needs to build a scene. Immutable. */
export interface Grid {
    readonly resolution: number;
    readonly particleCount: number;
    /** Start positions [m], world, xyz triplets. */
    readonly positions: Float32Array;
    /** Masses [kg]: areal density times the particle's share of the area. Pinned particles keep theirs. */
    readonly masses: Float64Array;
    /** 1 where the particle is pinned, else 0. */
    readonly pinned: Uint8Array;
    /** Indices of the pinned particles, ascending. */
    readonly pins: Uint32Array;
    readonly structural: GridSticks;
    readonly shear: GridSticks;
    readonly bend: GridSticks;
    /** Vertex triplets, two a cell, both split along the same diagonal. */
    readonly triangles: Uint32Array;
}

/** Builds the grid of a scene. */
export function createGrid(scene: PeerScene): Grid {
    const n = scene.resolution;
    const particleCount = n * n;
    const spacing = scene.sizeMetres / (n - 1);
    const positions = new Float32Array(3 * particleCount);
    const masses = new Float64Array(particleCount);
    for (let row = 0; row < n; row++) {
        for (let column = 0; column < n; column++) {
            const i = row * n + column;
            positions[3 * i] = column * spacing - 0.5 * scene.sizeMetres;
            positions[3 * i + 2] = row * spacing - 0.5 * scene.sizeMetres;
            const rowShare = row === 0 || row === n - 1 ? 0.5 : 1;
            const columnShare = column === 0 || column === n - 1 ? 0.5 : 1;
            masses[i] = scene.arealDensity * spacing * spacing * rowShare * columnShare;
        }
    }
    const pins = pinsOf(scene);
    const pinned = new Uint8Array(particleCount);
    for (const pin of pins) pinned[pin] = 1;
    const diagonal = Math.SQRT2 * spacing;
    return {
        resolution: n,
        particleCount,
        positions,
        masses,
        pinned,
        pins,
        structural: sticksAlong(n, [
            [0, 1, spacing],
            [1, 0, spacing],
        ]),
        shear: sticksAlong(n, [
            [1, 1, diagonal],
            [1, -1, diagonal],
        ]),
        bend: sticksAlong(n, [
            [0, 2, 2 * spacing],
            [2, 0, 2 * spacing],
        ]),
        triangles: trianglesOf(n),
    };
}

/** Particles that hold still: row 0, its two ends, or none. */
function pinsOf(scene: PeerScene): Uint32Array {
    const n = scene.resolution;
    if (scene.name === "topRow") return Uint32Array.from({ length: n }, (_, column) => column);
    if (scene.name === "twoCorners") return Uint32Array.of(0, n - 1);
    return new Uint32Array(0);
}

/** Joins every particle to those at the given [rows, columns, rest length] offsets, where they exist; offset by offset. */
function sticksAlong(n: number, offsets: readonly (readonly [number, number, number])[]): GridSticks {
    const pairs: number[] = [];
    const restLengths: number[] = [];
    for (const [rows, columns, restLength] of offsets) {
        for (let row = 0; row + rows < n; row++) {
            for (let column = Math.max(0, -columns); column < n && column + columns < n; column++) {
                pairs.push(row * n + column, (row + rows) * n + column + columns);
                restLengths.push(restLength);
            }
        }
    }
    return { count: restLengths.length, pairs: Uint32Array.from(pairs), restLengths: Float64Array.from(restLengths) };
}

function trianglesOf(n: number): Uint32Array {
    const triangles = new Uint32Array(6 * (n - 1) * (n - 1));
    let t = 0;
    for (let row = 0; row < n - 1; row++) {
        for (let column = 0; column < n - 1; column++) {
            const a = row * n + column;
            triangles.set([a, a + n, a + 1, a + 1, a + n, a + n + 1], t);
            t += 6;
        }
    }
    return triangles;
}

/** Distance between two particles of the grid at the start [m], which on a flat convex sheet is the geodesic one too. */
export function restDistance(grid: Grid, i: number, j: number): number {
    const p = grid.positions;
    return Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]);
}

/** Pins of the scene from the nearest to the farthest from particle i, at most `count`. */
export function nearestPins(grid: Grid, i: number, count: number): number[] {
    const pins = Array.from(grid.pins, (pin) => ({ pin, distance: restDistance(grid, i, pin) }));
    pins.sort((a, b) => a.distance - b.distance || a.pin - b.pin);
    return pins.slice(0, count).map(({ pin }) => pin);
}
