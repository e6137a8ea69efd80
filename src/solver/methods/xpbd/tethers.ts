/**
 * Tethers: long-range attachments (Kim, Chentanez & Müller 2012). A particle can never be farther from a pin than the
 * distance over the cloth at rest; a straight limit to a few pins removes the stretch of pinned cloth at the cost of a fifth of a pass.
 *
 *     anchor ■┄┄┄┄┄┄┄┄● particle      C = |x - a| - (1 + slack) d(x, a) <= 0,   only the particle moves
 *
 * The pins are split into groups that hang together by edges; each particle is tethered to the nearest pin of at most four
 * groups. Data layout: see TetherArrays.
 */
import type { Arena } from "../../../kernels/arena";
import { roundUpToFour, TetherLayout } from "../../../kernels/layout";
import type { TetherArrays, TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernels";
import { ArenaStruct } from "../../arenaArrays";
import { roomForWeight } from "../../fabric";
import { areSame } from "../../geometry";
import { Geodesics } from "../../rest/geodesics";
import { NearestGroups } from "../../rest/nearestGroups";
import type { ClothSettings } from "../../settings";
import type { BodyState } from "../../state";
import type { ClothTopology } from "../../rest/topology";
import type { Constraint } from "./constraint";

/** Most tethers of a particle. */
const MAX_TETHERS = 4;

type RestSurface = Pick<ClothTopology, "particleCount" | "recallPositions" | "areas">;

export class Tethers extends ArenaStruct implements TetherArrays, Constraint {
    readonly name = "tethers";
    count = 0;
    tetherCount = 0;
    particles!: Uint32Array;
    anchors!: Uint32Array;
    maxLengths!: Float32Array;
    private readonly _nearest = new NearestGroups(MAX_TETHERS);
    private _pinned: Uint32Array = new Uint32Array(0);
    private _isOff = false;
    /** What the tethers were last made from. */
    private _massRevision = -1;
    private _slack = 0;
    private _room = 0;

    /** What geodesics need of the topology; its sticks are not held. */
    private readonly _rest: RestSurface;

    constructor(
        private readonly _arena: Arena,
        { particleCount, recallPositions, areas }: ClothTopology,
        private readonly _triangles: TriangleArrays,
    ) {
        super(TetherLayout);
        this._rest = { particleCount, recallPositions, areas };
        this._allocate(_arena);
    }

    prepare(state: BodyState, { fabric, tetherSlack }: ClothSettings): void {
        this._isOff = tetherSlack === Infinity || fabric.stretchStiffness === 0;
        if (this._isOff) return;
        let isStale = this._slack !== tetherSlack;
        this._slack = tetherSlack;
        const room = roomForWeight(fabric, 1);
        isStale ||= this._room !== room;
        this._room = room;
        if (this._massRevision !== state.massRevision) {
            const pinned = pinnedParticles(state, this._rest);
            if (!areSame(pinned, this._pinned)) {
                this._find(pinned);
                isStale = true;
            }
            this._massRevision = state.massRevision;
        }
        if (!isStale) return;
        this._nearest.unpack();
        this._layOut(state);
        this._nearest.pack();
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (this.count > 0 && !this._isOff) kernels.projectTethers(state, this);
    }

    /** Their lengths are bounds, not the material's. */
    measureStretch(): void {}

    private _find(pinned: Uint32Array): void {
        this._nearest.unpack();
        const mesh = new Geodesics(this._rest.recallPositions(), this._triangles.triangles);
        this._nearest.update(mesh, mesh.groups(pinned));
        this._pinned = pinned;
    }

    /**
     * Lays the tethers out in rounds. The rounds follow one order of the groups for all particles: neighbours that were pulled
     * by different groups last would be torn apart (nearest group last: 19 % stretch where this order leaves 7 %).
     */
    private _layOut(state: BodyState): void {
        const { slots, counts, distances, sources, labels } = this._nearest;
        const ends = new Uint32Array(slots + 1);
        let longest = 0;
        for (let p = 0; p < counts.length; p++) {
            if (state.inverseMasses[p] === 0) continue;
            for (let k = 0; k < counts[p]; k++) {
                ends[k + 1]++;
                longest = Math.max(longest, distances[p * slots + k]);
            }
        }
        const count = ends.reduce((sum, length) => sum + length, 0);
        for (let r = 1; r <= slots; r++) ends[r] = ends[r - 1] + roundUpToFour(ends[r]);
        const tetherCount = ends[slots];
        if (tetherCount !== this.tetherCount) {
            this.release();
            this.tetherCount = tetherCount;
            this._allocate(this._arena);
        }
        this.count = count;
        // Not before the allocation, which moves views.
        const { inverseMasses } = state;
        const { particles, anchors, maxLengths } = this;
        particles.fill(state.spareParticle);
        anchors.fill(state.spareParticle);
        maxLengths.fill(0);
        const order = new Uint32Array(slots);
        for (let p = 0; p < counts.length; p++) {
            if (inverseMasses[p] === 0) continue;
            for (let k = 0; k < counts[p]; k++) {
                const e = p * slots + k;
                let r = k;
                for (; r > 0 && labels[sources[order[r - 1]]] > labels[sources[e]]; r--) order[r] = order[r - 1];
                order[r] = e;
            }
            for (let r = 0; r < counts[p]; r++) {
                const t = ends[r]++;
                const length = distances[order[r]];
                particles[t] = p;
                anchors[t] = sources[order[r]];
                // The mean load over a length d of a strip L long is that of L - d/2.
                maxLengths[t] = length * (1 + this._slack + this._room * (longest - 0.5 * length));
            }
        }
    }
}

/** Particles that have a surface but do not move by themselves, ascending. */
function pinnedParticles(state: BodyState, rest: RestSurface): Uint32Array {
    const pinned: number[] = [];
    for (let p = 0; p < rest.particleCount; p++) {
        if (state.inverseMasses[p] === 0 && rest.areas[p] > 0) pinned.push(p);
    }
    return Uint32Array.from(pinned);
}
