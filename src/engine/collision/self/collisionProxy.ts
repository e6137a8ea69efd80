import type { Arena } from "../../../kernels/arena";
import { ProxyLayout, ProxyParameter, ProxyRecord, MAX_EXCLUDED } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays, ProxyArrays } from "../../../kernels/selfCollisionLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { ROW, rowOf } from "../../../kernels/layout";
import type { TriangleArrays } from "../../../kernels/layout";
import { BvhLayout } from "../../../kernels/selfContactLayout";
import { writeDescriptor } from "../../../kernels/structSchema";
import { ArenaStruct } from "../../memory/arenaArrays";
import { canCollide } from "../../state/colliderSettings";
import type { Groups } from "../../state/colliderSettings";
import type { CoupledGroup } from "../../state/steppingGroup";
import type { Substeps } from "../../time/clock";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import type { Constraint } from "../../state/constraint";
import { Geodesics } from "../../topology/geodesics";
import type { ClothSettings } from "../../state/settings";
import type { ContactDamping } from "../../state/contactDamping";
import type { BodyState } from "../../state/state";
import { discRadius, areRopeSegments, writeStraightRest, arcSharesOf } from "./proxyGeometry";
import { findRestProximityPairs, noRestProximityPairs } from "./restProximityPairs";
import type { RestProximityPairs } from "./restProximityPairs";
import { TriangleBvh } from "./triangleBvh";

/** Margin of the pair search beyond the contact distance, as a share of the disc radius. */
const PAIR_MARGIN = 0.75;
/** Margin of the contact search, and its maximum as a share of the contact distance: a coarse mesh would list many layers at once. */
const CONTACT_MARGIN = 0.3;
const THICKNESS_MARGIN = 0.75;
/** Smallest margin of contacts, as a share of the disc radius. */
const MIN_CONTACT_MARGIN = 0.1;
/** Over how much of the surface particles are neighbours, at least, as a share of it: just under √5 edges of a grid. */
const NEIGHBOUR_RADIUS = 2.9;
/** Least thickness that holds sheets apart, as a share of it: half of an edge of a grid. */
const MIN_THICKNESS = 2 / 3;

/** Most thickness that triangles keep, as a share of it; and links of ropes. */
const MAX_THICKNESS = 3;
const MAX_ROPE_THICKNESS = 8;
/** Relative motion of a rope after which its contacts are listed again, as a share of its thickness: a rope is round. */
const ROPE_RELIST_SHARE = 0.25;

/** Body interface that self-collision reads. */
export interface SelfCollidingBody {
    readonly kernels: Kernels;
    readonly settings: ClothSettings;
    readonly constraints: readonly Constraint[];
    readonly state: BodyState;
    readonly triangles: TriangleArrays;
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    readonly revision: number;
    readonly clock: { readonly time: number };
    readonly pins: readonly { readonly isMoving: boolean }[];
    readonly couplingIsland: CoupledGroup | null;
    readonly isAsleep: boolean;
    /** Length that its displacements are of [s]: of its last substep, whatever the settings ask for the next. */
    readonly substep: number;
    readonly sleep: { readonly isStill: boolean; wake(): void };
    readonly contactDamping: ContactDamping;
    prepare(): void;
}

/** Primitives that keep cloth apart: discs about particles, triangles, or triangles with full CCD. */
export type SelfCollisionTier = "particles" | "triangles" | "robust";

/** Self-collision settings that can change at run time. */
export interface SelfCollisionSettings {
    /** Distance that layers keep [m]; null: the fabric's thickness, at least what the mesh needs. */
    thickness: number | null;
    /** True if the body and all that it collides with take more substeps while contact does not settle. */
    isAdaptive: boolean;
}

/** Options of a collision proxy. */
export interface CollisionProxyOptions {
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    readonly groups: Groups;
    readonly settings: SelfCollisionSettings;
    readonly tier: SelfCollisionTier;
    /** Tells the developer what is not as it should be. */
    warn(message: string): void;
}

/** A body that keeps off itself and off others. */
export class CollisionProxy extends ArenaStruct implements ProxyArrays {
    readonly particleCount: number;
    index = 0;
    /** The index of one of its heap, see heaps.ts. */
    island = 0;
    first = 0;
    shared!: SelfCollisionArrays;
    readonly surface: TriangleArrays;
    numbers!: Float32Array;
    /** True if the body takes steps in the present frame. */
    stepsInFrame = false;
    /** True if the body moves in the present substep. */
    isMoving = false;
    /** Of the discs about its particles [m]; see discRadius.ts. */
    readonly radius: number;
    /** Factor of the substep count in its settings over the requested count, see adaptiveSubsteps.ts. */
    substepFactor = 1;
    /** True if triangles keep the body apart, not particles. */
    readonly usesTriangles: boolean;
    readonly bvh: TriangleBvh;
    private readonly _restPositions: Float32Array;
    /** Of a rope: how far along it each particle is, see links.ts; null: it is a sheet. */
    private readonly _arcShares: Float64Array | null;
    /** Of a rope: where its particles were when the substep began, in simulation space [m], rows. Its chain moves what its state says. */
    private readonly _startPositions: Float32Array | null;
    private readonly _restPairs: RestProximityPairs;
    private readonly _restExclusion: number;
    /** Thickness of the particles at their last description [m]; it also sets the search margin. */
    thickness = NaN;
    margin = NaN;
    private _checkedThickness = NaN;
    /** Revision of the body when its pairs were listed. */
    private _revision = NaN;
    private _lastTime = 0;
    private readonly _listedGroups = new Float64Array(2);
    private readonly _origin = new Float64Array(3);

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly body: SelfCollidingBody,
        readonly options: CollisionProxyOptions,
        /** All bodies of its group. */
        private readonly _proxies: readonly CollisionProxy[],
    ) {
        super(ProxyLayout);
        const { restPositions } = options;
        const { triangles } = body.triangles;
        this.surface = body.triangles;
        this.particleCount = restPositions.length / 3;
        this._restPositions = restPositions;
        this._recordGroups();
        this.radius = discRadius(restPositions, triangles);
        this._restExclusion = NEIGHBOUR_RADIUS * this.radius;
        this._arcShares = areRopeSegments(triangles) ? arcSharesOf(restPositions) : null;
        this._startPositions = this.isRope ? body.state.positions.slice() : null;
        this.usesTriangles = options.tier !== "particles" || this._needsTriangles;
        this._restPairs = this._arcShares
            ? noRestProximityPairs(this.particleCount)
            : findRestProximityPairs(new Geodesics(restPositions, triangles), this._restExclusion);
        this._allocate(arena);
        try {
            this.bvh = new TriangleBvh(arena, this, restPositions, this.restPairCount > 0 || this.isRope);
        } catch (error) {
            this.release();
            throw error;
        }
    }

    /** True if the thickness is below the particle limit; triangle contacts are then used. */
    private get _needsTriangles(): boolean {
        const { thickness } = this.options.settings;
        return thickness !== null && thickness < MIN_THICKNESS * this.radius && !this.isRope;
    }

    /** True if the present thickness needs the other tier (triangles or particles): the body must join the group again. */
    get needsRejoin(): boolean {
        return this.options.tier === "particles" && this.usesTriangles !== this._needsTriangles;
    }

    /** True if the body is a rope: a chain of segments. */
    get isRope(): boolean {
        return this._arcShares !== null;
    }

    /** Relative motion after which the contacts are listed again [m]. */
    get relistLimit(): number {
        return this._arcShares ? ROPE_RELIST_SHARE * this.thickness : Infinity;
    }

    /** Total number of rest proximity pairs of the particles. */
    get restPairCount(): number {
        return this._restPairs.list.length;
    }

    /** Joins a self-collision group. @returns number of rest proximity pairs so far */
    join(shared: SelfCollisionArrays, index: number, first: number, firstPair: number): number {
        this.shared = shared;
        this.index = this.island = index;
        this.first = first;
        writeDescriptor(ProxyLayout, this);
        writeDescriptor(BvhLayout, this.bvh);
        for (let i = 0; i < this.particleCount; i++) {
            const o = rowOf(first + i);
            for (let c = 0; c < 3; c++) shared.rest[o + c] = this.isRope ? 0 : this._restPositions[3 * i + c];
            shared.restPairStarts[first + i + 1] = firstPair + this._restPairs.starts[i + 1];
        }
        this._restPairs.list.forEach((other, k) => (shared.restPairs[firstPair + k] = first + other));
        this._revision = NaN;
        return firstPair + this.restPairCount;
    }

    /** Stores its origin in the group's space. @returns true if its pairs still match the body */
    updateOrigin(origin: Float64Array): boolean {
        const { numbers, body, _origin: own } = this;
        let isSame = this._revision === body.revision && !this._haveGroupsChanged;
        this._recordGroups();
        this._revision = body.revision;
        for (let c = 0; c < 3; c++) {
            isSame &&= own[c] === body.origin[c];
            own[c] = body.origin[c];
            numbers[ProxyParameter.offset + c] = own[c] - origin[c];
        }
        return isSame;
    }

    recordStart(): void {
        this._startPositions?.set(this.body.state.positions);
    }

    /** Particle positions at the start of the substep, in simulation space [m], rows; present positions if the body does not move in it. */
    get startPositions(): Float32Array {
        const { positions, previous } = this.body.state;
        return this.isMoving ? (this._startPositions ?? previous) : positions;
    }

    /** Makes the lists from the start positions, if the group's points are elsewhere, as for a rope. */
    snapshotStart(): void {
        if (!this._startPositions) return;
        const { shared, first, numbers, startPositions: starts } = this;
        for (let row = 0, at = rowOf(first); row < rowOf(this.particleCount); row += ROW, at += ROW) {
            for (let c = 0; c < 3; c++) {
                const x = (shared.snapshot[at + c] = starts[row + c] + numbers[ProxyParameter.offset + c]);
                numbers[ProxyParameter.minimum + c] = Math.min(numbers[ProxyParameter.minimum + c], x);
                numbers[ProxyParameter.maximum + c] = Math.max(numbers[ProxyParameter.maximum + c], x);
            }
        }
    }

    /** Writes its start positions to rows of the group's positions. */
    writeStartPositions(rows: Float32Array): void {
        if (!this._startPositions) return;
        const { shared, first, index, numbers, startPositions: starts } = this;
        for (let k = shared.activeRanges[2 * index]; k < shared.activeRanges[2 * index + 1]; k++)
            for (let c = 0; c < 3; c++)
                rows[rowOf(k) + c] = starts[rowOf(shared.activeParticles[k] - first) + c] + numbers[ProxyParameter.offset + c];
    }

    /** Stores its present contacts. */
    recordContacts(contacts: SelfContactArrays): void {
        const { constraints } = this.body;
        for (let i = 0; i < constraints.length; i++) constraints[i].recordSelfContacts?.(contacts, this);
    }

    private _recordGroups(): void {
        const { group, mask } = this.options.groups;
        this._listedGroups[0] = group;
        this._listedGroups[1] = mask;
    }

    /** True if the collision groups have changed since the pairs were listed. */
    private get _haveGroupsChanged(): boolean {
        const { group, mask } = this.options.groups;
        return this._listedGroups[0] !== group || this._listedGroups[1] !== mask;
    }

    /** Writes its record. */
    writeRecord(): void {
        const { shared, radius, options, body } = this;
        const { proxyFloats: m, proxies } = shared;
        const thickness = this._effectiveThickness();
        const margin = this.usesTriangles
            ? Math.max(MIN_CONTACT_MARGIN * radius, Math.min(CONTACT_MARGIN * radius, THICKNESS_MARGIN * thickness))
            : PAIR_MARGIN * radius;
        this.thickness = thickness;
        this.margin = margin;
        if (this._arcShares) writeStraightRest(shared.rest, this.first, this._arcShares, body.settings);
        const o = this.index * ProxyRecord.count;
        const restReach = Math.max(this._restExclusion, thickness);
        m[o + ProxyRecord.thickness] = thickness;
        m[o + ProxyRecord.radius] = radius;
        m[o + ProxyRecord.margin] = margin;
        m[o + ProxyRecord.restExclusion] = restReach * restReach;
        m[o + ProxyRecord.usesTriangles] = this.usesTriangles ? 1 : 0;
        m[o + ProxyRecord.friction] = body.settings.fabric.friction;
        this._writeExcluded(o);
        proxies[o + ProxyRecord.group] = options.groups.group;
        proxies[o + ProxyRecord.mask] = options.groups.mask;
    }

    /** Excludes bodies tied to this one: self-collision would push the tie apart. */
    private _writeExcluded(o: number): void {
        const { _proxies: all, shared } = this;
        shared.proxies.fill(0, o + ProxyRecord.excluded, o + ProxyRecord.excluded + MAX_EXCLUDED);
        for (let i = 0, slot = 0; i < all.length && slot < MAX_EXCLUDED; i++)
            if (this.excludes(all[i])) shared.proxies[o + ProxyRecord.excluded + slot++] = all[i].index + 1;
    }

    /** True if the body collides with another, or with itself. */
    collidesWith(other: CollisionProxy): boolean {
        return this === other || (canCollide(this.options.groups, other.options.groups) && !this.excludes(other));
    }

    /** True if the body does not collide with another. */
    excludes({ body }: CollisionProxy): boolean {
        return this.body.couplingIsland?.areCoupled(this.body, body) ?? false;
    }

    private _effectiveThickness(): number {
        const { settings: layers, tier, warn } = this.options;
        const { thickness } = layers;
        const least = MIN_THICKNESS * this.radius;
        if (tier === "particles" && this.usesTriangles && thickness !== this._checkedThickness) {
            const needed = `${least.toPrecision(2)} m, half of its edges`;
            warn(`selfThickness ${thickness} is less than its particles keep apart, ${needed}: it keeps apart by its triangles`);
        }
        // A rope's is its radius.
        if (this.usesTriangles)
            return this._clampThickness(thickness ?? (this.isRope ? 2 : 1) * this.body.settings.fabric.thickness);
        return Math.max(thickness ?? this.body.settings.fabric.thickness, least);
    }

    /** Triangles far thicker than long would all be in contact with each other. */
    private _clampThickness(thickness: number): number {
        const most = (this.isRope ? MAX_ROPE_THICKNESS : MAX_THICKNESS) * this.radius;
        if (thickness !== this._checkedThickness && thickness > most && most > 0) {
            const kept = `${most.toPrecision(2)} m, about two of its edges`;
            this.options.warn(`selfThickness ${thickness} is more than triangles of its mesh keep: it counts as ${kept}`);
        }
        this._checkedThickness = thickness;
        return Math.min(thickness, most);
    }

    /** Has it take so many times as many substeps as it was asked to. A rope sees to that by itself, or goes with what it is tied to. */
    setSubstepFactor(times: number): void {
        if (this.isRope || this.substepFactor === times) return;
        this.body.settings.substepCount *= times / this.substepFactor;
        this.substepFactor = times;
    }

    /** Has its motion be one in the substeps that it was asked to take, for another body to take over. */
    restoreSubsteps(): void {
        this.setSubstepFactor(1);
        this.body.prepare();
    }

    /** Says how it takes part in a substep of bodies of these settings: fully, by its places only, or not at all. */
    writeParticipation(of: Substeps): void {
        const { numbers, body, isMoving, stepsInFrame: isRunning } = this;
        numbers[ProxyParameter.isMoving] = isMoving ? 1 : 0;
        numbers[ProxyParameter.mobility] = isMoving || isRunning ? 1 : 0;
        if (isMoving) numbers[ProxyParameter.timeRatio] = 1;
        else
            numbers[ProxyParameter.timeRatio] =
                isRunning && body.substep > 0 ? of.fixedTimeStep / of.substepCount / body.substep : 0;
        // Between its own substeps a rope's chain would press it into what it lies on.
        numbers[ProxyParameter.changesVelocity] = isMoving || (numbers[ProxyParameter.timeRatio] > 0 && !this.isRope) ? 1 : 0;
    }

    /** True if the body's time has gone back since the last call: the body was reset, at rest. */
    get wasReset(): boolean {
        const before = this._lastTime;
        this._lastTime = this.body.clock.time;
        return this._lastTime < before;
    }

    /** True if any of its particles are in pairs. */
    get hasActiveParticles(): boolean {
        const { activeRanges: placeRanges } = this.shared;
        return placeRanges[2 * this.index] < placeRanges[2 * this.index + 1];
    }

    /** Interaction radius of the particles [m]. */
    get interactionRadius(): number {
        return Math.max(this.thickness, this.radius);
    }

    /** True if another moving body may come near, or move away. */
    get hasMovingNeighbour(): boolean {
        const { _proxies: all } = this;
        if (this._haveGroupsChanged) return true;
        for (let i = 0; i < all.length; i++) if (all[i] !== this && all[i]._mayDisturb(this)) return true;
        return false;
    }

    private _mayDisturb(other: CollisionProxy): boolean {
        if (this.body.sleep.isStill) return false;
        return this.island === other.island || (canCollide(this.options.groups, other.options.groups) && this.mayTouch(other));
    }

    /** True if both bodies were so near when the lists were made that they may have come into contact since. */
    mayTouch(other: CollisionProxy): boolean {
        const a = this.numbers;
        const b = other.numbers;
        // More than their pairs are looked for.
        const reach = this.interactionRadius + this.margin + other.interactionRadius + other.margin;
        for (let c = 0; c < 3; c++) {
            if (a[ProxyParameter.minimum + c] > b[ProxyParameter.maximum + c] + reach) return false;
            if (b[ProxyParameter.minimum + c] > a[ProxyParameter.maximum + c] + reach) return false;
        }
        return true;
    }
}
