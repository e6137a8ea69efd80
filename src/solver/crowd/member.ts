import type { Arena } from "../../kernels/arena";
import { MemberLayout, MemberNumber, MemberRecord, SPARED } from "../../kernels/crowdLayout";
import type { CrowdArrays, MemberArrays } from "../../kernels/crowdLayout";
import type { Kernels } from "../../kernels/kernels";
import { ROW, rowOf } from "../../kernels/layout";
import type { TriangleArrays } from "../../kernels/layout";
import { WebLayout } from "../../kernels/touchLayout";
import { describeStruct } from "../../kernels/structs";
import { ArenaStruct } from "../arenaArrays";
import { agree } from "../colliders/groups";
import type { Groups } from "../colliders/groups";
import type { Ties } from "../company";
import type { Substeps } from "../time/clock";
import type { TouchArrays } from "../../kernels/touchLayout";
import type { Constraint } from "../methods/xpbd/constraint";
import { Geodesics } from "../rest/geodesics";
import type { ClothSettings } from "../settings";
import type { Settling } from "../motion/settling";
import type { Sleep } from "../motion/sleep";
import type { BodyState } from "../state";
import { discRadius } from "./discRadius";
import { findStrangers, noStrangers } from "./strangers";
import type { Strangers } from "./strangers";
import { areLinks, layStraight, sharesAlong } from "./links";
import { Web } from "./web";

/** How much farther than their distance pairs are looked for, as a share of the discs' radius. */
const MARGIN = 0.75;
/** The same of touches, and most of it as a share of their distance: coarse meshes would list many layers at once. */
const TOUCH_MARGIN = 0.3;
const DISTANCE_MARGIN = 0.75;
/** Least margin of touches, as a share of the discs' radius. */
const LEAST_MARGIN = 0.1;
/** Over how much of the surface particles are neighbours, at least, as a share of it: just under √5 edges of a grid. */
const NEIGHBOURS = 2.9;
/** Least thickness that holds sheets apart, as a share of it: half of an edge of a grid. */
const LEAST = 2 / 3;

/** Most thickness that triangles keep, as a share of it; and links of ropes. */
const MOST = 3;
const MOST_OF_LINKS = 8;
/** A rope is round: what touches it is looked at anew once it has come so far against it, as a share of its thickness. */
const ROUND = 0.25;

/** What a crowd asks of a body. */
export interface Crowded {
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
    readonly bond: Ties | null;
    readonly isAsleep: boolean;
    /** Length that its displacements are of [s]: of its last substep, whatever the settings ask for the next. */
    readonly substep: number;
    readonly sleep: Sleep;
    readonly settling: Settling;
    prepare(): void;
}

/** What keeps cloth apart: discs about its particles, its triangles, or those in a way that nothing passes. */
export type LayerTier = "particles" | "triangles" | "robust";

/** What can be changed while it runs. */
export interface LayerSettings {
    /** Distance that layers keep [m]; null: the fabric's thickness, at least what the mesh needs. */
    thickness: number | null;
    /** Whether it takes more substeps while contact does not settle, with all that it meets. */
    isAdaptive: boolean;
}

/** What a body brings along. */
export interface MemberOptions {
    /** Rest positions [m], shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    readonly groups: Groups;
    readonly layers: LayerSettings;
    readonly tier: LayerTier;
    /** Tells the developer what is not as it should be. */
    warn(message: string): void;
}

/** A body that keeps off itself and off others. */
export class Member extends ArenaStruct implements MemberArrays {
    readonly particleCount: number;
    index = 0;
    /** The index of one of its heap, see heaps.ts. */
    heap = 0;
    first = 0;
    crowd!: CrowdArrays;
    readonly surface: TriangleArrays;
    numbers!: Float32Array;
    /** Whether it takes steps in the present frame. */
    isRunning = false;
    /** Whether it is of those that move in the present substep. */
    isMoving = false;
    /** Of the discs about its particles [m]; see discRadius.ts. */
    readonly radius: number;
    /** How many times as many substeps its settings hold at present as were asked for, see fineness.ts. */
    fineness = 1;
    /** Whether its triangles keep it apart, not its particles. */
    readonly hasTouches: boolean;
    readonly web: Web;
    private readonly _rest: Float32Array;
    /** Of a rope: how far along it each particle is, see links.ts; null: it is a sheet. */
    private readonly _shares: Float64Array | null;
    /** Of a rope: where its particles were when the substep began, in simulation space [m], rows. Its chain moves what its state says. */
    private readonly _starts: Float32Array | null;
    private readonly _strangers: Strangers;
    private readonly _restReach: number;
    /** How far its particles reach, and how much farther its pairs are looked for, as they were last described [m]. */
    thickness = NaN;
    margin = NaN;
    private _checked = NaN;
    /** What its pairs were listed with. */
    private _revision = NaN;
    private _time = 0;
    private readonly _met = new Float64Array(2);
    private readonly _origin = new Float64Array(3);

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly body: Crowded,
        readonly options: MemberOptions,
        /** All members of its crowd. */
        private readonly _all: readonly Member[],
    ) {
        super(MemberLayout);
        const { restPositions } = options;
        const { triangles } = body.triangles;
        this.surface = body.triangles;
        this.particleCount = restPositions.length / 3;
        this._rest = restPositions;
        this._noteGroups();
        this.radius = discRadius(restPositions, triangles);
        this._restReach = NEIGHBOURS * this.radius;
        this._shares = areLinks(triangles) ? sharesAlong(restPositions) : null;
        this._starts = this.isRope ? body.state.positions.slice() : null;
        this.hasTouches = options.tier !== "particles" || this._isThin;
        this._strangers = this._shares
            ? noStrangers(this.particleCount)
            : findStrangers(new Geodesics(restPositions, triangles), this._restReach);
        this._allocate(arena);
        try {
            this.web = new Web(arena, this, restPositions, this.strangerCount > 0 || this.isRope);
        } catch (error) {
            this.release();
            throw error;
        }
    }

    /** Whether its layers are to come nearer than its particles keep apart. */
    private get _isThin(): boolean {
        const { thickness } = this.options.layers;
        return thickness !== null && thickness < LEAST * this.radius && !this.isRope;
    }

    /** Whether its thickness, as it is now, asks for triangles where particles keep it apart, or the other way round: it is to join anew. */
    get isOutgrown(): boolean {
        return this.options.tier === "particles" && this.hasTouches !== this._isThin;
    }

    /** Whether it is links in a row. */
    get isRope(): boolean {
        return this._shares !== null;
    }

    /** How far others may come against it until what touches it is looked at anew [m]. */
    get roundness(): number {
        return this._shares ? ROUND * this.thickness : Infinity;
    }

    /** How many strangers its particles have, in sum. */
    get strangerCount(): number {
        return this._strangers.list.length;
    }

    /** Takes its place in a crowd. @returns strangers so far */
    enter(crowd: CrowdArrays, index: number, first: number, strangers: number): number {
        this.crowd = crowd;
        this.index = this.heap = index;
        this.first = first;
        describeStruct(MemberLayout, this);
        describeStruct(WebLayout, this.web);
        for (let i = 0; i < this.particleCount; i++) {
            const o = rowOf(first + i);
            for (let c = 0; c < 3; c++) crowd.rest[o + c] = this.isRope ? 0 : this._rest[3 * i + c];
            crowd.strangerStarts[first + i + 1] = strangers + this._strangers.starts[i + 1];
        }
        this._strangers.list.forEach((other, k) => (crowd.strangers[strangers + k] = first + other));
        this._revision = NaN;
        return strangers + this.strangerCount;
    }

    /** Notes where its origin is in the crowd's space; whether its pairs are still those of the body as it is. */
    follow(origin: Float64Array): boolean {
        const { numbers, body, _origin: own } = this;
        let isSame = this._revision === body.revision && !this._isRegrouped;
        this._noteGroups();
        this._revision = body.revision;
        for (let c = 0; c < 3; c++) {
            isSame &&= own[c] === body.origin[c];
            own[c] = body.origin[c];
            numbers[MemberNumber.offset + c] = own[c] - origin[c];
        }
        return isSame;
    }

    noteStart(): void {
        this._starts?.set(this.body.state.positions);
    }

    /** Where its particles were when the substep began, in simulation space [m], rows; of what does not move in it, where they are. */
    get starts(): Float32Array {
        const { positions, previous } = this.body.state;
        return this.isMoving ? (this._starts ?? previous) : positions;
    }

    /** Has lists be made from where it was then, if the crowd's points are elsewhere: a rope's. */
    placePoints(): void {
        if (!this._starts) return;
        const { crowd, first, numbers, starts } = this;
        for (let row = 0, at = rowOf(first); row < rowOf(this.particleCount); row += ROW, at += ROW) {
            for (let c = 0; c < 3; c++) {
                const x = (crowd.points[at + c] = starts[row + c] + numbers[MemberNumber.offset + c]);
                numbers[MemberNumber.minimum + c] = Math.min(numbers[MemberNumber.minimum + c], x);
                numbers[MemberNumber.maximum + c] = Math.max(numbers[MemberNumber.maximum + c], x);
            }
        }
    }

    /** Writes where its places were then to rows of the crowd's places. */
    layStarts(rows: Float32Array): void {
        if (!this._starts) return;
        const { crowd, first, index, numbers, starts } = this;
        for (let k = crowd.placeRanges[2 * index]; k < crowd.placeRanges[2 * index + 1]; k++)
            for (let c = 0; c < 3; c++)
                rows[rowOf(k) + c] = starts[rowOf(crowd.placed[k] - first) + c] + numbers[MemberNumber.offset + c];
    }

    /** Has it take note of what it touches now. */
    noteTouches(touches: TouchArrays): void {
        const { constraints } = this.body;
        for (let i = 0; i < constraints.length; i++) constraints[i].noteTouches?.(touches, this);
    }

    private _noteGroups(): void {
        const { group, mask } = this.options.groups;
        this._met[0] = group;
        this._met[1] = mask;
    }

    /** Whether its groups were changed since its pairs were listed. */
    private get _isRegrouped(): boolean {
        const { group, mask } = this.options.groups;
        return this._met[0] !== group || this._met[1] !== mask;
    }

    /** Writes its record. */
    describe(): void {
        const { crowd, radius, options, body } = this;
        const { memberFloats: m, members } = crowd;
        const thickness = this._thicknessNow();
        const margin = this.hasTouches
            ? Math.max(LEAST_MARGIN * radius, Math.min(TOUCH_MARGIN * radius, DISTANCE_MARGIN * thickness))
            : MARGIN * radius;
        this.thickness = thickness;
        this.margin = margin;
        if (this._shares) layStraight(crowd.rest, this.first, this._shares, body.settings);
        const o = this.index * MemberRecord.count;
        const restReach = Math.max(this._restReach, thickness);
        m[o + MemberRecord.thickness] = thickness;
        m[o + MemberRecord.radius] = radius;
        m[o + MemberRecord.margin] = margin;
        m[o + MemberRecord.restReach] = restReach * restReach;
        m[o + MemberRecord.hasTouches] = this.hasTouches ? 1 : 0;
        m[o + MemberRecord.friction] = body.settings.fabric.friction;
        this._describeSpared(o);
        members[o + MemberRecord.group] = options.groups.group;
        members[o + MemberRecord.mask] = options.groups.mask;
    }

    /** What it is tied to, it does not keep off: the knot would be pushed apart. */
    private _describeSpared(o: number): void {
        const { _all: all, crowd } = this;
        crowd.members.fill(0, o + MemberRecord.spared, o + MemberRecord.spared + SPARED);
        for (let i = 0, slot = 0; i < all.length && slot < SPARED; i++)
            if (this.spares(all[i])) crowd.members[o + MemberRecord.spared + slot++] = all[i].index + 1;
    }

    /** Whether it keeps off another, or itself. */
    meets(other: Member): boolean {
        return this === other || (agree(this.options.groups, other.options.groups) && !this.spares(other));
    }

    /** Whether it does not keep off another. */
    spares({ body }: Member): boolean {
        return this.body.bond?.areTied(this.body, body) ?? false;
    }

    private _thicknessNow(): number {
        const { layers, tier, warn } = this.options;
        const { thickness } = layers;
        const least = LEAST * this.radius;
        if (tier === "particles" && this.hasTouches && thickness !== this._checked) {
            const needed = `${least.toPrecision(2)} m, half of its edges`;
            warn(`selfThickness ${thickness} is less than its particles keep apart, ${needed}: it keeps apart by its triangles`);
        }
        // A rope's is its radius.
        if (this.hasTouches) return this._touchThickness(thickness ?? (this.isRope ? 2 : 1) * this.body.settings.fabric.thickness);
        return Math.max(thickness ?? this.body.settings.fabric.thickness, least);
    }

    /** Triangles far thicker than long would all touch each other. */
    private _touchThickness(thickness: number): number {
        const most = (this.isRope ? MOST_OF_LINKS : MOST) * this.radius;
        if (thickness !== this._checked && thickness > most && most > 0) {
            const kept = `${most.toPrecision(2)} m, about two of its edges`;
            this.options.warn(`selfThickness ${thickness} is more than triangles of its mesh keep: it counts as ${kept}`);
        }
        this._checked = thickness;
        return Math.min(thickness, most);
    }

    /** Has it take so many times as many substeps as it was asked to. A rope sees to that by itself, or goes with what it is tied to. */
    refine(times: number): void {
        if (this.isRope || this.fineness === times) return;
        this.body.settings.substepCount *= times / this.fineness;
        this.fineness = times;
    }

    /** Has its motion be one in the substeps that it was asked to take, for another body to take over. */
    coarsen(): void {
        this.refine(1);
        this.body.prepare();
    }

    /** Says how it takes part in a substep of bodies of these settings: fully, by its places only, or not at all. */
    takePart(of: Substeps): void {
        const { numbers, body, isMoving, isRunning } = this;
        numbers[MemberNumber.isMoving] = isMoving ? 1 : 0;
        numbers[MemberNumber.mobility] = isMoving || isRunning ? 1 : 0;
        if (isMoving) numbers[MemberNumber.pace] = 1;
        else numbers[MemberNumber.pace] = isRunning && body.substep > 0 ? of.fixedTimeStep / of.substepCount / body.substep : 0;
        // Between its own substeps a rope's chain would press it into what it lies on.
        numbers[MemberNumber.isPushed] = isMoving || (numbers[MemberNumber.pace] > 0 && !this.isRope) ? 1 : 0;
    }

    /** Whether its time has gone back since this was last asked: it has been put somewhere, at rest. */
    get isPutBack(): boolean {
        const before = this._time;
        this._time = this.body.clock.time;
        return this._time < before;
    }

    /** Whether any of its particles are in pairs. */
    get isNear(): boolean {
        const { placeRanges } = this.crowd;
        return placeRanges[2 * this.index] < placeRanges[2 * this.index + 1];
    }

    /** How far its particles reach [m]. */
    get reach(): number {
        return Math.max(this.thickness, this.radius);
    }

    /** Whether another that moves may come upon it, or leave it. */
    get isDisturbed(): boolean {
        const { _all: all } = this;
        if (this._isRegrouped) return true;
        for (let i = 0; i < all.length; i++) if (all[i] !== this && all[i]._mayDisturb(this)) return true;
        return false;
    }

    private _mayDisturb(other: Member): boolean {
        if (this.body.sleep.isStill) return false;
        return this.heap === other.heap || (agree(this.options.groups, other.options.groups) && this.isNearTo(other));
    }

    /** Whether it was so near to another, when lists were made, that both may have touched since. */
    isNearTo(other: Member): boolean {
        const a = this.numbers;
        const b = other.numbers;
        // More than their pairs are looked for.
        const reach = this.reach + this.margin + other.reach + other.margin;
        for (let c = 0; c < 3; c++) {
            if (a[MemberNumber.minimum + c] > b[MemberNumber.maximum + c] + reach) return false;
            if (b[MemberNumber.minimum + c] > a[MemberNumber.maximum + c] + reach) return false;
        }
        return true;
    }
}
