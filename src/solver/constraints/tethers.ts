/**
 * Tethers: long-range attachments (Kim, Chentanez & Müller 2012). A particle can never be farther from a pin than the way
 * over the cloth at rest; a straight limit to a few pins removes the stretch of pinned cloth at the cost of a fifth of a pass.
 *
 *     anchor ■┄┄┄┄┄┄┄┄● particle      C = |x - a| - (1 + slack) d(x, a) <= 0,   only the particle moves
 *
 * The pins are split into groups that hang together by edges; each particle is tethered to the nearest pin of at most four
 * groups. Data layout: see TetherArrays.
 */
import type { Arena, BlockLayout } from "../../kernels/arena";
import type { TetherArrays } from "../../kernels/arrays";
import type { Kernels } from "../../kernels/kernels";
import { ArenaArrays } from "../arenaArrays";
import { Geodesics } from "../geodesics";
import type { Distances } from "../geodesics";
import { roomForWeight } from "../fabric";
import type { ClothSettings } from "../settings";
import type { ClothState } from "../state";
import type { ClothTopology } from "../topology";
import type { Constraint } from "./constraint";

/** Most tethers of a particle. */
const MAX_TETHERS = 4;

type RestSurface = Pick<ClothTopology, "particleCount" | "positions" | "triangles" | "areas">;

export class Tethers extends ArenaArrays implements TetherArrays, Constraint {
    readonly name = "tethers";
    readonly colorCount = 0;
    count = 0;
    tetherCount = 0;
    particles!: Uint32Array;
    anchors!: Uint32Array;
    maxLengths!: Float32Array;
    private _lengths = new Float32Array(0);
    private _longest = 0;
    private _pinned: Uint32Array = new Uint32Array(0);
    private _isOff = false;

    /** What geodesics need of the topology; its sticks are not held. */
    private readonly _rest: RestSurface;

    constructor(private readonly _arena: Arena, { particleCount, positions, triangles, areas }: ClothTopology) {
        super();
        this._rest = { particleCount, positions, triangles, areas };
        this._allocate(_arena);
    }

    protected override _cut(layout: BlockLayout): void {
        this.particles = layout.uint32(this.tetherCount);
        this.anchors = layout.uint32(this.tetherCount);
        this.maxLengths = layout.float32(this.tetherCount);
    }

    prepare(state: ClothState, settings: ClothSettings): void {
        const { fabric, tetherSlack } = settings;
        this._isOff = tetherSlack === Infinity || fabric.stretchStiffness === 0;
        if (this._isOff) return;
        const pinned = pinnedParticles(state, this._rest);
        if (!sameNumbers(pinned, this._pinned)) {
            this._pinned = pinned;
            this._build(state);
        }
        for (let t = 0; t < this.tetherCount; t++) {
            // The mean load over a length d of a strip L long is that of L - d/2.
            const room = roomForWeight(fabric, this._longest - 0.5 * this._lengths[t]);
            this.maxLengths[t] = this._lengths[t] * (1 + tetherSlack + room);
        }
    }

    project(kernels: Kernels, state: ClothState): void {
        if (this.count > 0 && !this._isOff) kernels.projectTethers(state, this);
    }

    /**
     * Finds the tethers for the present pins and lays them out in rounds. The rounds follow one order of the groups for all
     * particles: neighbours that were pulled by different groups last would be torn apart (nearest group last: 19 % stretch
     * where this order leaves 7 %).
     */
    private _build(state: ClothState): void {
        const { positions, triangles, particleCount } = this._rest;
        const all: Distances[] = [];
        if (this._pinned.length > 0) {
            const geodesics = new Geodesics(positions, triangles);
            for (const group of geodesics.groups(this._pinned)) all.push(geodesics.from(group));
        }
        const rounds = Array.from({ length: Math.min(all.length, MAX_TETHERS) }, () => new Round(particleCount));
        for (let p = 0; p < particleCount && rounds.length > 0; p++) {
            if (state.inverseMasses[p] === 0) continue;
            const near = all.length > MAX_TETHERS ? nearestGroups(all, p) : all;
            let r = 0;
            for (let g = 0; g < near.length; g++) {
                const distance = near[g].distances[p];
                if (distance < Infinity) rounds[r++].add(p, near[g].sources[p], distance);
            }
        }
        this.release();
        this.count = rounds.reduce((sum, { count }) => sum + count, 0);
        this.tetherCount = rounds.reduce((sum, { count }) => sum + ((count + 3) & ~3), 0);
        this._lengths = new Float32Array(this.tetherCount);
        this._allocate(this._arena);
        this.particles.fill(state.spareParticle);
        this.anchors.fill(state.spareParticle);
        let start = 0;
        for (const { count, particles, anchors, lengths } of rounds) {
            this.particles.set(particles.subarray(0, count), start);
            this.anchors.set(anchors.subarray(0, count), start);
            this._lengths.set(lengths.subarray(0, count), start);
            start += (count + 3) & ~3;
        }
        this._longest = this._lengths.reduce((longest, length) => Math.max(longest, length), 0);
    }
}

/** Tethers of which no two hold the same particle. */
class Round {
    count = 0;
    readonly particles: Uint32Array;
    readonly anchors: Uint32Array;
    readonly lengths: Float32Array;

    constructor(capacity: number) {
        this.particles = new Uint32Array(capacity);
        this.anchors = new Uint32Array(capacity);
        this.lengths = new Float32Array(capacity);
    }

    add(particle: number, anchor: number, length: number): void {
        this.particles[this.count] = particle;
        this.anchors[this.count] = anchor;
        this.lengths[this.count++] = length;
    }
}

/** The reachable groups nearest to a particle, in the groups' own order. */
function nearestGroups(all: Distances[], particle: number): Distances[] {
    const reachable = all.filter(({ distances }) => distances[particle] < Infinity);
    if (reachable.length <= MAX_TETHERS) return reachable;
    const sorted = [...reachable].sort((a, b) => a.distances[particle] - b.distances[particle]);
    const farthest = sorted[MAX_TETHERS - 1].distances[particle];
    return reachable.filter(({ distances }) => distances[particle] <= farthest).slice(0, MAX_TETHERS);
}

/** Particles that have a surface but do not move by themselves, ascending. */
function pinnedParticles(state: ClothState, rest: RestSurface): Uint32Array {
    const pinned: number[] = [];
    for (let p = 0; p < rest.particleCount; p++) {
        if (state.inverseMasses[p] === 0 && rest.areas[p] > 0) pinned.push(p);
    }
    return Uint32Array.from(pinned);
}

function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
    return a.length === b.length && a.every((value, i) => value === b[i]);
}
