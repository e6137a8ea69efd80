/**
 * Tethers: long-range attachments (Kim, Chentanez & Müller 2012). A particle can never be farther from a pin than the
 * distance over the cloth at rest; a straight limit to a few pins removes the stretch of pinned cloth at the cost of a fifth of a pass.
 *
 *     anchor ■┄┄┄┄┄┄┄┄● particle      C = |x - a| - (1 + slack) d(x, a) <= 0,   only the particle moves
 *
 * It is pulled back along the mean of its directions now and before the substep, see test/reference/unilateralLimits.ts.
 *
 * The pins are split into groups that hang together by edges; each particle is tethered to the nearest pin of at most four
 * groups. Those of a fabric that stretches are springs: elasticTethers.ts. Data layout: see TetherArrays.
 */
import { MAX_TETHERS } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { TetherOrderLayout } from "../../../kernels/constraintLayout";
import type { TetherOrderArrays } from "../../../kernels/constraintLayout";
import { roundUpToFour, rowOf, TetherLayout } from "../../../kernels/layout";
import type { TetherArrays, TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { Fabric } from "../../materials/fabric";
import { areEqual } from "../../math/vector";
import { Geodesics } from "../../topology/geodesics";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { RELEASE_AFTER_PREPARES } from "../../tunables";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import { complianceAlong, isZero, warpOf, weftOf } from "../../materials/warpWeftStiffness";
import type { Constraint } from "../../state/constraint";
import { ElasticTethers } from "./elasticTethers";
import { meanSplit } from "./splitMasses";
import { FastMarchingLayout } from "../../../kernels/restLayout";
import { withScratch } from "../../memory/withScratch";

/**
 * The groups of sources nearest to each particle, by one march of all their fronts at once (see geodesics.ts):
 *
 *     ■ ))) ──► particle ◄── ((( ■      a particle takes the first fronts that reach it and lets no further one pass
 *
 * A group among the nearest at a particle is among the nearest all along its path, so the march costs as much as one group
 * per slot, however many groups there are.
 */
export interface TetherAnchors {
    /** Entries that a particle has room for: the number of groups, at most as many as were asked for. */
    readonly slots: number;
    /** Entries of each particle, shape [particleCount]. */
    readonly counts: Uint8Array;
    /** Distance to the nearest source of the entry's group [m], shape [particleCount, slots]. */
    readonly distances: Float32Array;
    /** That source, same shape. */
    readonly sources: Uint32Array;
    /** The group of each source: its lowest particle; -1 for all other particles. Shape [particleCount]. */
    readonly labels: Int32Array;
}

/**
 * Finds them.
 * @param labels group of each source, named by one of its particles; -1 elsewhere. Kept.
 */
export function findNearestGroups(mesh: Geodesics, labels: Int32Array, maxSlots: number): TetherAnchors {
    const { particleCount, starts, others, positions } = mesh;
    const slots = Math.min(maxSlots, new Set(labels.filter((label) => label >= 0)).size);
    const numbers = { particleCount, slots, startCount: starts.length, cornerCount: others.length / 2 };
    return withScratch(FastMarchingLayout, numbers, (m, kernels) => {
        m.starts.set(starts);
        m.others.set(others);
        m.positions.set(positions);
        m.labels.set(labels);
        if (slots > 0) kernels.fastMarchGroups(m);
        return { slots, counts: Uint8Array.from(m.counts), distances: m.distances.slice(), sources: m.sources.slice(), labels };
    });
}

/** Those of cloth without pins. */
const NO_GROUPS: TetherAnchors = {
    slots: 0,
    counts: new Uint8Array(0),
    distances: new Float32Array(0),
    sources: new Uint32Array(0),
    labels: new Int32Array(0),
};

type RestSurface = Pick<ClothTopology, "particleCount" | "rebuildPositions" | "areas">;

export class Tethers extends ArenaStruct implements TetherArrays, Constraint {
    readonly name = "tethers";
    count = 0;
    tetherCount = 0;
    particles!: Uint32Array;
    anchors!: Uint32Array;
    maxLengths!: Float32Array;
    /** Groups of pins nearest to each particle; null where that is forgotten, see {@link RELEASE_AFTER_PREPARES}. */
    private _nearest: TetherAnchors | null = null;
    private _buildCount = 0;
    private _pinned: Uint32Array = new Uint32Array(0);
    private _isDisabled = false;
    /** One more than the numbers of each particle's tethers, 0: no more; shape [particleCount, MAX_TETHERS]. Made when first asked for. */
    private _tetherIndices: Uint32Array | null = null;
    /** Revision of the masses from which the tethers were made. */
    private _massRevision = -1;
    private _slack = 0;
    /** Area that a pass over structural sticks carries, over ρ/dt² [m²]. */
    private readonly _passArea: number;
    /** See {@link _complianceOf}. */
    private _warpCompliance = 0;
    private _weftCompliance = 0;
    /** In their place, for a fabric that stretches. */
    elastic: ElasticTethers | null = null;

    /** Input of geodesics; its sticks are not kept. */
    private readonly _rest: RestSurface;

    constructor(
        private readonly _arena: Arena,
        { particleCount, rebuildPositions: recallPositions, areas, area, structural }: ClothTopology,
        private readonly _triangles: TriangleArrays,
        private readonly _warpWeft: WarpWeftFinder,
    ) {
        super(TetherLayout);
        this._rest = { particleCount, rebuildPositions: recallPositions, areas };
        this._passArea = passArea(structural.particlesA.length / particleCount, area, _triangles.triangles.length / 3);
        this._allocate(_arena);
    }

    override get byteLength(): number {
        return super.byteLength + (this.elastic?.byteLength ?? 0);
    }

    prepare(state: BodyState, { fabric, tetherSlack }: ClothSettings, substep: number): void {
        this._isDisabled = tetherSlack === Infinity || isZero(fabric.stretchStiffness);
        if (this._isDisabled) return;
        let isStale = this._slack !== tetherSlack;
        this._slack = tetherSlack;
        const warp = this._complianceOf(fabric, warpOf(fabric.stretchStiffness), substep);
        const weft = this._complianceOf(fabric, weftOf(fabric.stretchStiffness), substep);
        isStale ||= this._warpCompliance !== warp || this._weftCompliance !== weft;
        this._warpCompliance = warp;
        this._weftCompliance = weft;
        let pinned = this._pinned;
        if (this._massRevision !== state.massRevision) {
            pinned = pinnedParticles(state, this._rest);
            isStale ||= !areEqual(pinned, this._pinned);
            this._massRevision = state.massRevision;
        }
        if (!isStale) return;
        this._findAnchors(pinned);
        this._buildRounds(state, this._nearest!);
        if (this._buildCount++ < RELEASE_AFTER_PREPARES) this._nearest = null;
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (this.count === 0 || this._isDisabled) return;
        if (this.elastic) this.elastic.project(kernels, state);
        else kernels.projectTethers(state, this);
    }

    override release(): void {
        super.release();
        this.elastic?.release();
        this.elastic = null;
    }

    /**
     * ρ/(k dt²) for the stiffness k that structural sticks leave to tethers [1/m²]: 0 where nothing stretches, Infinity where they leave nothing.
     */
    private _complianceOf({ arealDensity }: Fabric, stiffness: number, substep: number): number {
        const give = arealDensity / (stiffness * substep * substep);
        return give / Math.max(0, 1 - give * this._passArea);
    }

    addViolation({ positions: x, previous: p }: BodyState, particle: number, sum: Float64Array): void {
        if (this._isDisabled || this.tetherCount === 0) return;
        this._tetherIndices ??= tetherIndicesOf(this, this._rest.particleCount);
        const o = rowOf(particle);
        for (let k = MAX_TETHERS * particle; k < MAX_TETHERS * (particle + 1); k++) {
            const t = this._tetherIndices[k] - 1;
            if (t < 0) return;
            const a = rowOf(this.anchors[t]);
            const dx = x[a] - x[o],
                dy = x[a + 1] - x[o + 1],
                dz = x[a + 2] - x[o + 2];
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
            const excess = length - this.maxLengths[t];
            if (!(excess > 0)) continue;
            sum[0] += (excess * dx) / length;
            sum[1] += (excess * dy) / length;
            sum[2] += (excess * dz) / length;
            sum[3] += excess;
            for (let c = 0; c < 3; c++) sum[4 + c] += excess * (x[a + c] - p[a + c]);
            if (excess > sum[7]) sum[7] = excess;
        }
    }

    /** Their lengths are bounds, not the material's. */
    measureStretch(): void {}

    private _findAnchors(pinned: Uint32Array): void {
        if (this._nearest && areEqual(pinned, this._pinned)) return;
        this._pinned = pinned;
        this._nearest = NO_GROUPS;
        if (pinned.length === 0) return;
        const mesh = new Geodesics(this._rest.rebuildPositions(), this._triangles.triangles);
        this._nearest = findNearestGroups(mesh, mesh.connectedGroups(pinned), MAX_TETHERS);
    }

    /**
     * Lays the tethers out in rounds. The rounds follow one order of the groups for all particles: neighbours that were pulled
     * by different groups last would be torn apart (nearest group last: 19 % stretch where this order leaves 7 %).
     */
    private _buildRounds(state: BodyState, { slots, counts, distances, sources, labels }: TetherAnchors): void {
        const { particleCount } = this._rest;
        const numbers = { particleCount, slots, capacity: (particleCount + 4) * slots };
        withScratch(TetherOrderLayout, numbers, (order, kernels) => {
            order.counts.set(counts);
            order.distances.set(distances);
            order.sources.set(sources);
            order.labels.set(labels);
            order.inverseMasses.set(state.inverseMasses.subarray(0, particleCount));
            kernels.countTethers(order);
            this.elastic?.release();
            this.elastic = null;
            this._tetherIndices = null;
            this.count = sumOf(order.rounds);
            if (this._warpCompliance === 0 && this._weftCompliance === 0) this._buildRigid(state, order, kernels);
            else this._buildElastic(state, order, kernels);
        });
    }

    private _buildRigid({ spareParticle }: BodyState, order: TetherOrderArrays, kernels: KernelFunctions): void {
        let tetherCount = 0;
        order.rounds.forEach((count, round) => {
            order.next[round] = tetherCount;
            tetherCount += roundUpToFour(count);
        });
        order.particles.fill(spareParticle);
        order.anchors.fill(spareParticle);
        order.scale[0] = 1 + this._slack;
        kernels.orderTethers(order);
        this._resize(tetherCount);
        this.particles.set(order.particles.subarray(0, tetherCount));
        this.anchors.set(order.anchors.subarray(0, tetherCount));
        this.maxLengths.set(order.lengths.subarray(0, tetherCount));
    }

    /** Builds tethers that are springs. */
    private _buildElastic(state: BodyState, order: TetherOrderArrays, kernels: KernelFunctions): void {
        this._resize(0);
        const { _warpCompliance: warp, _weftCompliance: weft } = this;
        if (warp === Infinity && weft === Infinity) {
            this.count = 0;
            return;
        }
        const threads = warp === weft ? null : this._warpWeft();
        const elastic = (this.elastic = new ElasticTethers(this._arena, state, order.rounds));
        const { rounds, next, particles, anchors, lengths } = order;
        const [longest] = order.longest;
        rounds.forEach((_, round) => (next[round] = round === 0 ? 0 : next[round - 1] + rounds[round - 1]));
        order.scale[0] = 1;
        kernels.orderTethers(order);
        for (let round = 0, t = 0; round < rounds.length; round++) {
            for (; t < next[round]; t++) {
                const length = lengths[t];
                const give = threads ? complianceAlong(1 / warp, 1 / weft, threads.alongWarp(anchors[t], particles[t])) : warp;
                // The mean load over a length d of a strip L long is that of L - d/2.
                const sag = give * length * (longest - 0.5 * length);
                elastic.add(round, particles[t], anchors[t], length * (1 + this._slack), sag);
            }
        }
    }

    private _resize(tetherCount: number): void {
        if (tetherCount === this.tetherCount) return;
        super.release();
        this.tetherCount = tetherCount;
        this._allocate(this._arena);
    }
}

/**
 * The area whose mass over dt² is the stiffness that a pass over structural sticks carries, see sticks.ts: on a grid that of a quad, 2 s - 1 times less where
 * masses are split into s parts, see splitMasses.ts.
 */
function passArea(sticksPerParticle: number, area: number, triangleCount: number): number {
    const quad = (2 * area) / Math.max(1, triangleCount);
    return quad / (2 * meanSplit(sticksPerParticle) - 1);
}

/** See `_numbers`. */
function tetherIndicesOf({ particles, tetherCount }: TetherArrays, particleCount: number): Uint32Array {
    const numbers = new Uint32Array(MAX_TETHERS * particleCount);
    for (let t = 0; t < tetherCount; t++) {
        if (particles[t] >= particleCount) continue;
        let k = MAX_TETHERS * particles[t];
        while (numbers[k] > 0) k++;
        numbers[k] = t + 1;
    }
    return numbers;
}

function sumOf(numbers: Uint32Array): number {
    return numbers.reduce((sum, number) => sum + number, 0);
}

/** Particles that have a surface but do not move by themselves, ascending. The spare particle behind all, of inverse mass 0, ends the search. */
function pinnedParticles({ inverseMasses: w }: BodyState, { particleCount, areas }: RestSurface): Uint32Array {
    const pinned: number[] = [];
    for (let p = w.indexOf(0); p < particleCount; p = w.indexOf(0, p + 1)) if (areas[p] > 0) pinned.push(p);
    return Uint32Array.from(pinned);
}
