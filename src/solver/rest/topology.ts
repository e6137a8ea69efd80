/**
 * The shape of a cloth at rest: triangles, masses' shares of area, and the sticks, bending stencils and long limits that follow from them.
 * Immutable; any number of cloths of one shape can be built from it.
 *
 *         c
 *       ╱   ╲        edge a–b with its two triangles: structural stick a–b; where
 *     a ───── b      a c b d is a flat rectangle, a–b and c–d are its diagonals
 *       ╲   ╱        and both are shear sticks
 *         d
 */
import { cross, distance, dotAt } from "../geometry";
import { Shapes } from "../shapes";
import type { StencilSet } from "../constraints/stencilSet";
import type { StickSet } from "../constraints/stickSet";
import { Marches } from "./marches";
import { findStencils } from "./stencils";
import { straightLimits } from "./straightLimits";

/** See the top of the file. All lengths in metres, in the space of the rest positions. */
export interface ClothTopology {
    readonly particleCount: number;
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly positions: Float32Array;
    /** Gives the same positions to what needs them later, and does not hold them meanwhile. */
    readonly recallPositions: () => Float32Array;
    /** Particles of each triangle, shape [triangleCount, 3]. */
    readonly triangles: Uint32Array;
    /** Each particle's share of area [m²]: a third of its triangles', shape [particleCount]. */
    readonly areas: Float32Array;
    readonly structural: StickSet;
    readonly shear: StickSet;
    /** Bending stencils over one edge, see stencils.ts. */
    readonly stencils: StencilSet;
    /** Upper bounds of distances over four edges, see straightLimits.ts; not tied to a stiffness. */
    readonly longLimits: StickSet;
    /** The same over sixteen edges. */
    readonly farLimits: StickSet;
    /** Diagonal of the bounding box at rest [m]. */
    readonly size: number;
}

/** Two triangles count as one flat rectangle below this |cosine| of the corners across their edge… */
const RECTANGLE_CORNER = 0.35;
/** …and above this cosine between their normals. */
const RECTANGLE_FLATNESS = 0.98;

const NONE = 0xffffffff;

/** The topologies that were built last. */
const known = new Shapes<ClothTopology>();

/**
 * The topology of a sheet, see {@link buildTopology}; that of another one of the same numbers, where it is known.
 * @param recallPositions gives the positions again, holding no more than they need
 */
export function topologyOf(positions: Float32Array, triangles: Uint32Array, recallPositions: () => Float32Array): ClothTopology {
    return known.get([positions, triangles], () => buildTopology(positions, triangles, recallPositions));
}

/**
 * Builds the topology.
 * @param positions rest positions [m], shape [particleCount, 3]
 * @param triangles particles of each triangle, shape [triangleCount, 3]; no degenerate ones, no duplicates
 * @param recallPositions gives the positions again; left out: they are kept
 */
export function buildTopology(
    positions: Float32Array,
    triangles: Uint32Array,
    recallPositions = (): Float32Array => positions,
): ClothTopology {
    const sticks = new StickFinder(positions, triangles);
    for (let t = 0; t < triangles.length / 3; t++) sticks.addTriangle(t);
    const edgeCount = sticks.linked.count;
    for (let e = 0; e < edgeCount; e++) sticks.addEdge(e);
    const structural = sticks.structural.finish();
    const marches = new Marches(positions, triangles);
    const particleCount = positions.length / 3;
    return {
        particleCount,
        positions,
        recallPositions,
        triangles,
        areas: sticks.areas,
        structural,
        shear: sticks.shear.finish(),
        stencils: findStencils(marches, positions, sticks.areas, 1),
        longLimits: straightLimits(marches, structural, particleCount, 4),
        farLimits: straightLimits(marches, structural, particleCount, 16, 2),
        size: diagonal(positions),
    };
}

/**
 * Finds the sticks of a mesh: tell it all triangles, then all edges. (One method a step is compiled by its calls, where one
 * loop around all would run uncompiled for long.)
 */
class StickFinder {
    readonly areas: Float32Array;
    readonly structural: StickSetBuilder;
    readonly shear: StickSetBuilder;
    /** The pairs that are joined: first the edges. */
    readonly linked: PairTable;
    /** The first two triangles of each edge; a further one on the same edge adds nothing. */
    private readonly _triangle0: Uint32Array;
    private readonly _triangle1: Uint32Array;
    /** (b-a)×(c-a) of each triangle and its length, shape [triangleCount, 4]. */
    private readonly _crosses: Float64Array;

    constructor(
        private readonly _positions: Float32Array,
        private readonly _triangles: Uint32Array,
    ) {
        const capacity = _triangles.length;
        this.areas = new Float32Array(_positions.length / 3);
        this.structural = new StickSetBuilder("stretchStiffness", capacity);
        this.shear = new StickSetBuilder("shearStiffness", capacity);
        this.linked = new PairTable(capacity, _positions.length / 3);
        this._triangle0 = new Uint32Array(capacity);
        this._triangle1 = new Uint32Array(capacity).fill(NONE);
        this._crosses = new Float64Array((capacity / 3) * 4);
    }

    addTriangle(t: number): void {
        const { _triangles: triangles, _crosses: crosses, areas } = this;
        const a = triangles[3 * t];
        const b = triangles[3 * t + 1];
        const c = triangles[3 * t + 2];
        cross(this._positions, a, b, c, crosses, 4 * t);
        const third = (0.5 * crosses[4 * t + 3]) / 3;
        areas[a] += third;
        areas[b] += third;
        areas[c] += third;
        this._addSide(a, b, t);
        this._addSide(b, c, t);
        this._addSide(c, a, t);
    }

    private _addSide(p: number, q: number, t: number): void {
        const { linked, _triangle1: triangle1 } = this;
        const { count } = linked;
        const e = linked.find(p, q);
        if (e === count) this._triangle0[e] = t;
        else if (triangle1[e] === NONE) triangle1[e] = t;
    }

    addEdge(e: number): void {
        const { _positions: positions, _triangles: triangles, _crosses: crosses, linked } = this;
        const a = linked.low[e];
        const b = linked.high[e];
        const t0 = this._triangle0[e];
        const t1 = this._triangle1[e];
        const length = distance(positions, a, b);
        const area = 0.5 * (crosses[4 * t0 + 3] + (t1 === NONE ? 0 : crosses[4 * t1 + 3]));
        if (t1 === NONE) {
            this.structural.add(a, b, length, area / (length * length));
            return;
        }
        const c = opposite(triangles, t0, a, b);
        const d = opposite(triangles, t1, a, b);
        const across = distance(positions, c, d);
        if (isRectangle(positions, crosses, t0, t1, a, b, c, d) && linked.add(c, d)) {
            this.shear.add(a, b, length, (2 * area) / (length * length));
            this.shear.add(c, d, across, (2 * area) / (across * across));
            return;
        }
        this.structural.add(a, b, length, area / (length * length));
    }
}

/** Pairs of particles, each once and numbered as they come, so that no two sticks join the same pair. */
class PairTable {
    count = 0;
    readonly low: Uint32Array;
    readonly high: Uint32Array;
    private readonly _first: Uint32Array;
    private readonly _next: Uint32Array;

    constructor(capacity: number, particleCount: number) {
        this.low = new Uint32Array(capacity);
        this.high = new Uint32Array(capacity);
        this._first = new Uint32Array(particleCount).fill(NONE);
        this._next = new Uint32Array(capacity);
    }

    /** The number of a pair; a new one is added, and has the last number. */
    find(p: number, q: number): number {
        const { high: highs, _next: next } = this;
        const low = p < q ? p : q;
        const high = p < q ? q : p;
        for (let e = this._first[low]; e !== NONE; e = next[e]) {
            if (highs[e] === high) return e;
        }
        const e = this.count++;
        this.low[e] = low;
        highs[e] = high;
        next[e] = this._first[low];
        this._first[low] = e;
        return e;
    }

    /** Adds a pair; false if it was there. */
    add(p: number, q: number): boolean {
        const { count } = this;
        return this.find(p, q) === count;
    }
}

class StickSetBuilder {
    private readonly _set: StickSet;
    private _count = 0;

    constructor(stiffness: StickSet["stiffness"], capacity: number) {
        this._set = {
            stiffness,
            particlesA: new Uint32Array(capacity),
            particlesB: new Uint32Array(capacity),
            restLengths: new Float32Array(capacity),
            stiffnessFactors: new Float32Array(capacity),
        };
    }

    add(a: number, b: number, restLength: number, stiffnessFactor: number): void {
        const i = this._count++;
        this._set.particlesA[i] = a;
        this._set.particlesB[i] = b;
        this._set.restLengths[i] = restLength;
        this._set.stiffnessFactors[i] = stiffnessFactor;
    }

    finish(): StickSet {
        const n = this._count;
        return {
            stiffness: this._set.stiffness,
            particlesA: this._set.particlesA.subarray(0, n),
            particlesB: this._set.particlesB.subarray(0, n),
            restLengths: this._set.restLengths.subarray(0, n),
            stiffnessFactors: this._set.stiffnessFactors.subarray(0, n),
        };
    }
}

function diagonal(x: Float32Array): number {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = axis; i < x.length; i += 3) {
            low = Math.min(low, x[i]);
            high = Math.max(high, x[i]);
        }
        if (high > low) squared += (high - low) ** 2;
    }
    return Math.sqrt(squared);
}

/** The corner of triangle t that is neither a nor b. */
function opposite(triangles: Uint32Array, t: number, a: number, b: number): number {
    const p = triangles[3 * t];
    const q = triangles[3 * t + 1];
    if (p !== a && p !== b) return p;
    return q !== a && q !== b ? q : triangles[3 * t + 2];
}

/** Whether the triangles a b c and a b d lie flat and a c b d is near a rectangle, of which a–b is a diagonal. */
function isRectangle(
    x: Float32Array,
    crosses: Float64Array,
    t0: number,
    t1: number,
    a: number,
    b: number,
    c: number,
    d: number,
): boolean {
    const i = 4 * t0;
    const j = 4 * t1;
    const cosine = crosses[i] * crosses[j] + crosses[i + 1] * crosses[j + 1] + crosses[i + 2] * crosses[j + 2];
    // The two windings may disagree, so only the planes are compared; c and d on one side of a–b fail the corner test below.
    return (
        c !== d &&
        Math.abs(cosine) > RECTANGLE_FLATNESS * crosses[i + 3] * crosses[j + 3] &&
        Math.abs(cornerCosine(x, c, a, b)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, d, a, b)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, a, c, d)) < RECTANGLE_CORNER &&
        Math.abs(cornerCosine(x, b, c, d)) < RECTANGLE_CORNER
    );
}

/** Cosine of the angle at corner p between q and r. */
function cornerCosine(x: Float32Array, p: number, q: number, r: number): number {
    return dotAt(x, p, q, r) / Math.sqrt(dotAt(x, p, q, q) * dotAt(x, p, r, r));
}
