import type { Arena } from "../../../kernels/arena";
import { rowOf } from "../../../kernels/layout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import { BvhTriangle } from "../../../kernels/selfContactLayout";
import { FourBoxes, FourCones, SweptLayout, SweptLeaf } from "../../../kernels/sweptLayout";
import type { SweptArrays } from "../../../kernels/sweptLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { CollisionProxy } from "./collisionProxy";

/** Listed pairs of a vertex and a triangle, and of two edges, that there is room for, to a particle. */
const FACES_PER_PARTICLE = 16;
const EDGES_PER_PARTICLE = 32;
/** Owned edges and vertices of a leaf, at most. */
const LEAF_EDGES = 8;
const LEAF_VERTICES = 4;
/** Beyond all cloth [m]. */
const FAR = 1e30;

/** Four triangles with what they own, by the numbers of particles in the group. */
interface Leaf {
    readonly triangles: number[];
    readonly edges: number[];
    readonly vertices: number[];
    readonly proxy: CollisionProxy;
}

/** Tree over all triangles of a self-collision group, and the pairs that are found with it; see SweptLayout. */
export class SweptTree extends ArenaStruct implements SweptArrays {
    readonly particleCount: number;
    readonly paddedCount: number;
    readonly leafCount: number;
    readonly groupCount: number;
    readonly coneCount: number;
    readonly levelCount: number;
    readonly faceCapacity: number;
    readonly edgeCapacity: number;
    readonly stackCount = 512;
    readonly chunkCount = 512;
    numbers!: Float32Array;
    progress!: Uint32Array;
    levels!: Uint32Array;
    leaves!: Uint32Array;
    leafBoxes!: Float32Array;
    groups!: Float32Array;
    cones!: Float32Array;
    forecasts!: Float32Array;
    lows!: Float32Array;
    highs!: Float32Array;
    stack!: Uint32Array;
    rawFaces!: Uint32Array;
    rawEdges!: Uint32Array;
    lanes!: Float32Array;
    faceRows!: Uint32Array;
    faceSides!: Float32Array;
    faceDistances!: Float32Array;
    faceFrictions!: Float32Array;
    edgeRows!: Uint32Array;
    edgeSides!: Float32Array;
    edgeDistances!: Float32Array;
    edgeFrictions!: Float32Array;

    /** @param particles of bodies with triangle contacts @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly shared: SelfCollisionArrays,
        readonly contacts: SelfContactArrays,
        proxies: readonly CollisionProxy[],
        particles: number,
    ) {
        super(SweptLayout);
        const leaves = proxies.flatMap((proxy) => (proxy.usesTriangles ? leavesOf(proxy) : []));
        this.particleCount = shared.particleCount;
        this.paddedCount = shared.particleCount + 1;
        this.leafCount = leaves.length;
        const firsts = [0];
        for (let groups = Math.ceil(leaves.length / 4); ; groups = Math.ceil(groups / 4)) {
            firsts.push(firsts[firsts.length - 1] + groups);
            if (groups === 1) break;
        }
        this.coneCount = firsts[1];
        this.levelCount = firsts.length - 1;
        this.groupCount = firsts[this.levelCount];
        this.faceCapacity = 4 * Math.ceil((FACES_PER_PARTICLE * particles) / 4);
        this.edgeCapacity = 4 * Math.ceil((EDGES_PER_PARTICLE * particles) / 4);
        this._allocate(arena);
        this.levels.set(firsts.slice(0, this.levelCount));
        for (let o = 0; o < this.groups.length; o += FourBoxes.count)
            this.groups.fill(FAR, o, o + FourBoxes.maximum).fill(-FAR, o + FourBoxes.maximum, o + FourBoxes.count);
        this.lows.fill(FAR, rowOf(this.particleCount));
        this.highs.fill(-FAR, rowOf(this.particleCount));
        this.leaves.fill(this.particleCount);
        leaves.forEach((leaf, i) => this._writeLeaf(leaf, i));
    }

    private _writeLeaf({ triangles, edges, vertices, proxy }: Leaf, i: number): void {
        const o = i * SweptLeaf.count;
        for (let k = 0; k < triangles.length; k++)
            this.leaves[o + SweptLeaf.triangles + rowOf(Math.floor(k / 3)) + (k % 3)] = triangles[k];
        this.leaves.set(edges, o + SweptLeaf.edges);
        this.leaves.set(vertices, o + SweptLeaf.vertices);
        this.leaves[o + SweptLeaf.proxy] = proxy.index;
        const isWhole = triangles.length === 12 && !proxy.bvh.hasLayers;
        for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (const particle of triangles) sum += this.shared.rest[rowOf(particle) + c] / 12;
            // Unequal to all: such a leaf is looked at wherever it is.
            this.cones[(i >> 2) * FourCones.count + FourCones.restCentre + 4 * c + (i & 3)] = isWhole ? sum : NaN;
        }
    }
}

/** The leaves of a proxy in the order of its tree, a multiple of four of them. */
function leavesOf(proxy: CollisionProxy): Leaf[] {
    const { bvh, first } = proxy;
    const leaves: Leaf[] = [];
    const empty = (triangles: number[]): Leaf => ({ triangles, edges: [], vertices: [], proxy });
    const leavesOfFeature = new Map<string, Set<Leaf>>();
    const note = (leaf: Leaf, ...particles: number[]): void => {
        const key = particles.sort((a, b) => a - b).join(" ");
        leavesOfFeature.set(key, (leavesOfFeature.get(key) ?? new Set<Leaf>()).add(leaf));
    };
    for (let t = 0; t < bvh.triangleCount; t++) {
        if (t % 4 === 0) leaves.push(empty([]));
        const leaf = leaves[leaves.length - 1];
        const corners = Array.from(bvh.triangles.subarray(t * BvhTriangle.count, t * BvhTriangle.count + 3), (p) => first + p);
        leaf.triangles.push(...corners);
        corners.forEach((p, k) => {
            note(leaf, p);
            note(leaf, p, corners[(k + 1) % 3]);
        });
    }
    // Features that few leaves have choose first. A leaf without room goes on in another of the same triangles.
    const more = new Map<Leaf, Leaf[]>();
    for (const [key, owners] of [...leavesOfFeature].sort((a, b) => a[1].size - b[1].size)) {
        const particles = key.split(" ").map(Number);
        const isEdge = particles.length === 2;
        const list = ({ edges, vertices }: Leaf): number[] => (isEdge ? edges : vertices);
        const room = isEdge ? 2 * LEAF_EDGES : LEAF_VERTICES;
        const all = [...owners].flatMap((leaf) => [leaf, ...(more.get(leaf) ?? [])]);
        let best = all.reduce((least, leaf) => (list(leaf).length < list(least).length ? leaf : least));
        if (list(best).length >= room) {
            const [owner] = owners;
            best = empty(owner.triangles);
            more.set(owner, [...(more.get(owner) ?? []), best]);
        }
        list(best).push(...particles);
    }
    const result = leaves.flatMap((leaf) => [leaf, ...(more.get(leaf) ?? [])]);
    while (result.length % 4 > 0) result.push(empty([]));
    return result;
}
