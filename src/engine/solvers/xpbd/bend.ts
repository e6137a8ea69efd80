/**
 * Bending: the curvature of the sheet along lines through each particle, as stencils that are linear in the positions.
 *
 *     a ●──────●──────● c     C = d = Ka (a - b) + Kc (c - b) (+ Ke (e - b)),   energy ½ B A |d|²
 *              b
 *
 * One XPBD iteration moves particle i by -wᵢ Kᵢ d / max(D, α̃ + 0.3 D), D = Σ wᵢ Kᵢ², α̃ = 1/(B A dt²): at rest a stencil's neighbours undo
 * part of its move. What one pass can carry is about ρ l⁴/(3 dt²) for arms of length l, so stiffness is carried by span alone: a
 * *ladder* of stencils over 1, 3, 9 and 27 edges, of which the first takes what it can and each further one what is left, where
 * something is left. With a curvature κ₀ at rest, d (1 - κ₀/|d|) takes the place of d, which turns nothing.
 * Data layout: see LineStencilRecord and StencilRecord.
 */
import { MAX_BEND_STIFFNESS } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { BendStiffnessLayout } from "../../../kernels/constraintLayout";
import type { BendStiffnessArrays } from "../../../kernels/constraintLayout";
import { LINES } from "../../../kernels/restLayout";
import type { TriangleArrays } from "../../../kernels/layout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { openScratch } from "../../memory/withScratch";
import { areEqual } from "../../math/vector";
import type { StencilSet } from "../../topology/stencilSet";
import { openRestSurface } from "../../topology/restSurface";
import type { OpenRestSurface } from "../../topology/restSurface";
import { RELEASE_AFTER_PREPARES } from "../../tunables";
import type { WarpWeftFinder } from "../../topology/warpWeft";
import type { ClothTopology } from "../../topology/topology";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { isZero, lineStiffness, stiffnessAlong, warpOf, weftOf } from "../../materials/warpWeftStiffness";
import { BendLevel, orderedStencilsOf } from "./bendLevel";
import type { Constraint } from "../../state/constraint";
import { runAll } from "../../time/slices";
import type { Slices } from "../../time/slices";

/** Arms of the stencils on each level [edges]. */
const SPANS = [1, 3, 9, 27];
/**
 * The stiffness of a wide sheet over that of a narrow strip, by which bending is measured (Peirce's cantilever): stencils in all
 * directions make a plate of Poisson's ratio 1/3, of which a strip, free to curl across, has 1 - 1/9.
 */
const PLATE_FACTOR = 9 / 8;

interface BendLevelEntry {
    /** Lines that want stencils on it, by the least length of their chords [m]; null: all. */
    minChords: Float32Array | null;
    /** Null: longer stencils than below do not fit on the surface. */
    stencils: BendLevel | null;
}

export class Bend implements Constraint {
    readonly name = "bend";
    /** Those of the first level, until they are laid out; then they are found anew where they are needed. */
    private _firstStencils: StencilSet | null;
    private readonly _rebuildTopology: () => StencilSet;
    private readonly _rebuildPositions: () => Float32Array;
    private readonly _areas: Float32Array;
    private readonly _levels: BendLevelEntry[] = [];
    /** Surface on which the further levels' stencils are found, while it prepares. */
    private _surface: OpenRestSurface | null = null;
    private _isDisabled = false;
    private _prepareCount = 0;
    /** Revision of the masses from which the levels were derived. */
    private _massRevision = -1;
    private _warp = NaN;
    private _weft = NaN;
    private _substep = NaN;

    constructor(
        private readonly _arena: Arena,
        { rebuild: recall, rebuildPositions: recallPositions, areas, stencils }: ClothTopology,
        private readonly _triangles: TriangleArrays,
        private readonly _warpWeft: WarpWeftFinder,
    ) {
        this._firstStencils = stencils;
        this._rebuildTopology = () => recall(_triangles.triangles).stencils;
        this._rebuildPositions = recallPositions;
        this._areas = areas;
    }

    /** Its levels in the order of projection. */
    get levels(): BendLevel[] {
        return this._levels.flatMap(({ stencils }) => stencils ?? []).reverse();
    }

    get count(): number {
        return this._levels.reduce((sum, { stencils }) => sum + (stencils?.count ?? 0), 0);
    }

    get byteLength(): number {
        return this._levels.reduce((sum, { stencils }) => sum + (stencils?.byteLength ?? 0), 0);
    }

    prepare(state: BodyState, settings: ClothSettings, substep: number): void {
        runAll(this.prepareSlices(state, settings, substep));
    }

    *prepareSlices(state: BodyState, { fabric }: ClothSettings, substep: number): Slices<void> {
        const { bendStiffness } = fabric;
        this._isDisabled = isZero(bendStiffness);
        if (this._isDisabled) {
            this._firstStencils = null;
            return;
        }
        const warp = Math.min(PLATE_FACTOR * warpOf(bendStiffness), MAX_BEND_STIFFNESS);
        const weft = Math.min(PLATE_FACTOR * weftOf(bendStiffness), MAX_BEND_STIFFNESS);
        const isKnown = warp === this._warp && weft === this._weft;
        if (isKnown && state.massRevision === this._massRevision && substep === this._substep) return;
        if (this._levels.some(({ stencils }) => stencils?.isRestDataReleased)) this.release();
        this._massRevision = state.massRevision;
        this._warp = warp;
        this._weft = weft;
        this._substep = substep;
        const particleCount = this._areas.length;
        const scratch = openScratch(BendStiffnessLayout, { particleCount, lineCount: LINES * particleCount });
        try {
            const { struct: bend, kernels } = scratch;
            bend.areas.set(this._areas);
            bend.inverseMasses.set(state.inverseMasses.subarray(0, particleCount));
            bend.parameters[0] = fabric.arealDensity;
            bend.parameters[1] = 1 / (substep * substep);
            yield* this._distributeStiffness(state, bend, kernels);
        } finally {
            this._surface?.release();
            this._surface = null;
            scratch.release();
        }
        if (this._prepareCount++ < RELEASE_AFTER_PREPARES) for (const level of this._levels) releaseRestData(level);
    }

    /** Lets each level take what it can of each line's stiffness, and the last one on a line what is left. */
    private *_distributeStiffness(state: BodyState, bend: BendStiffnessArrays, build: KernelFunctions): Slices<void> {
        bend.stiffnesses.fill(this._warp);
        bend.remainingStiffness.fill(this._warp);
        let level = 0;
        for (let stencils = yield* this._findLevel(state, 0, null); stencils; level++) {
            yield;
            bend.carriedStiffness.fill(0);
            stencils.measureCapacity(bend);
            if (this._warp !== this._weft) this._scaleByDirection(stencils, bend);
            build.requestStencils(bend);
            const isDone = bend.areChordsRequested[0] === 0 || level + 1 === SPANS.length;
            const next: BendLevel | null = isDone ? null : yield* this._findLevel(state, level + 1, bend.minChords.slice());
            yield;
            bend.hasStencil.fill(0);
            next?.markLines(bend);
            build.distributeStiffness(bend);
            stencils.computeWeights(bend);
            stencils = next;
        }
        // What did not fit need not be looked for again.
        const kept = this._levels[level]?.stencils === null ? level + 1 : level;
        for (const { stencils } of this._levels.splice(kept)) stencils?.release();
    }

    /** Gives each line the stiffness of its direction on a level, and leaves as large a share of it as was left of the last. */
    private _scaleByDirection(level: BendLevel, bend: BendStiffnessArrays): void {
        const threads = this._warpWeft();
        // Taken now: what has found the threads may have moved them.
        const { stiffnesses, remainingStiffness: left } = bend;
        const along = new Float32Array(stiffnesses.length).fill(-1);
        level.forEachLine((line, a, c) => {
            along[line] = threads.alongWarp(a, c);
        });
        for (let l = 0; l < along.length; l++) {
            if (along[l] < 0) continue;
            // As at a border, where there is a first line and no other.
            const isAlone = l % LINES === 0 && along[l + 1] < 0 && along[l + 2] < 0;
            const now = isAlone
                ? stiffnessAlong(this._warp, this._weft, along[l])
                : lineStiffness(this._warp, this._weft, along[l]);
            left[l] = stiffnesses[l] > 0 ? (left[l] / stiffnesses[l]) * now : now;
            stiffnesses[l] = now;
        }
    }

    /** The stencils of a level for the lines that want them; null: there are none that are longer than those below. */
    private *_findLevel(state: BodyState, level: number, wanted: Float32Array | null): Slices<BendLevel | null> {
        const known = this._levels[level];
        if (known && (known.minChords === wanted || (known.minChords && wanted && areEqual(known.minChords, wanted))))
            return known.stencils;
        for (const { stencils } of this._levels.splice(level)) stencils?.release();
        const set = yield* this._findStencils(level, wanted);
        yield;
        const laid = yield* orderedStencilsOf(set, state.particleCount);
        yield;
        const { length: count } = set.areas;
        const stencils = count > 0 ? new BendLevel(this._arena, count, laid, SPANS[level]) : null;
        this._levels[level] = { minChords: wanted, stencils };
        return stencils;
    }

    private *_findStencils(level: number, wanted: Float32Array | null): Slices<StencilSet> {
        if (!wanted) {
            const set = this._firstStencils ?? this._rebuildTopology();
            this._firstStencils = null;
            return set;
        }
        this._surface ??= yield* openRestSurface(this._rebuildPositions(), this._triangles.triangles);
        return yield* this._surface.rest.findStencils(this._areas, SPANS[level], wanted);
    }

    project(kernels: KernelFunctions, state: BodyState): void {
        if (this._isDisabled) return;
        for (let level = this._levels.length - 1; level >= 0; level--) this._levels[level].stencils?.project(kernels, state);
    }

    /** Stencils have no length. */
    measureStretch(): void {}

    release(): void {
        for (const { stencils } of this._levels.splice(0)) stencils?.release();
    }
}

/** Lets go of what weights follow from, see {@link RELEASE_AFTER_PREPARES}. */
function releaseRestData(level: BendLevelEntry): void {
    level.minChords = null;
    level.stencils?.releaseRestData();
}
