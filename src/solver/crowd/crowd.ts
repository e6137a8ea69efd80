import { CrowdNumber, CrowdProgress } from "../../kernels/crowdLayout";
import type { Kernels } from "../../kernels/kernels";
import { crowdKernels } from "../../kernels/modules/crowd.generated";
import { NONE } from "../../kernels/fields";
import type { Accompanied, Company } from "../company";
import { CrowdStruct } from "./crowdArrays";
import { areNear, areWithinBox, measureDisplacements } from "./displacements";
import { Fineness } from "./fineness";
import { findHeaps, settleHeaps } from "./heaps";
import { HoldBack } from "./holdBack";
import { Member } from "./member";
import type { Crowded, MemberOptions } from "./member";
import { Patience } from "./patience";
import { Tangles } from "./tangles";
import { Touches } from "./touches";

/** What a particle looks at and begins at most: time and memory are bounded however many are in one place. */
const MOST_CANDIDATES = 512;
const MOST_PAIRS = 48;
/** Share of how far apart what is not listed is that triangles may come against each other. */
const ROOM = 0.8;
/** Substeps as long as this push what is too near at its full share [s], shorter ones by the square of it: what constraints answer to a push is speed. */
const LONG = 1 / 240;
/** How far they are listed at most to see that they do not pass, in margins, as in assembly/touchLists.ts. */
const GUARDED_MARGINS = 3;

/**
 * Most room that a robust crowd's touches grow to, see Touches. Beyond it the crowd looks less far; beyond {@link LEAST_SIGHT} all come less
 * far, as the steps of Bridson et al. 2002 are halved. If there is too much then, what is not listed may pass, whatever is held back: the crowd is
 * overfull, and goes on as one of triangles until all that touches has the least room.
 */
const MOST_ROOM = 4;
/** Least share of the margins within which touches are listed: the nearer, the fewer, and the sooner they have to be listed anew. */
const LEAST_SIGHT = 0.125;
/**
 * Budget of a robust crowd: lists of touches that it makes in a frame, at most, beyond those of the substep in which it comes to that; where it takes
 * many substeps, two in each. What one looks at is bounded by {@link MOST_ROOM}. What would need more stays where it is until the next frame.
 */
export const MOST_LISTS = 64;
/** How often what would pass goes half as far, at most; then it stays where it was, and, if that is not enough, so does all. */
const HALVINGS = 3;
/** The same of what would meet more than can be listed. */
const LISTED_HALVINGS = 8;

/** A body that may be in a crowd. */
interface Partner extends Crowded, Accompanied {
    readonly member: Member | null;
}

/**
 * The bodies of a world that keep off themselves and each other, of one backend: *pairs* of particles that may meet are listed by one
 * grid over all of them, and kept apart in each substep.
 *
 *     ╭──○──○──╮       Pairs are looked for farther than they keep apart, by a margin; neighbours on the mesh make none. The lists hold
 *     │  ┊  ┊  │       until particles have come as far against each other as the margin: what moves as a whole, or lies, needs no new
 *     ╰──○──○──╯       ones. Between substeps, only particles in pairs are touched.
 *
 * Where sheets run side by side, particles are discs as thick as the cloth, and keep the sides on which they were when they were listed.
 */
export class Crowd implements Company {
    readonly members: Member[] = [];
    private _arrays: CrowdStruct | null = null;
    private _touches: Touches | null = null;
    private _tangles: Tangles | null = null;
    /** Particles of members that triangles keep apart. */
    private _webbed = 0;
    /** The ropes among the members. */
    private _ropes: readonly Member[] = [];
    /** Of a crowd that is robust. */
    private _holdBack: HoldBack | null = null;
    /** World position of the crowd's origin [m]: the first member's when pairs were last listed. */
    private readonly _origin = new Float64Array(3);
    /** Least margin, thickness and roundness of the members [m]. */
    private _margin = 0;
    private _thickness = 0;
    private _roundness = 0;
    /** Share of the margins within which touches are listed in this frame. */
    private _sight = 1;
    /** How far particles may come against each other before pairs are listed anew [m]. */
    private _slack = 0;
    /** The same of triangles: within a substep, and at its end: from the next on they are listed anew [m]. */
    private _reach = 0;
    private _room = 0;
    /** See CrowdNumber.listed. */
    private _listed = 0;
    private _isListed = false;
    /** Whether lists have been made in the present substep. */
    private _areFresh = false;
    /** See {@link MOST_ROOM}. */
    private _isOverfull = false;
    /** Lists of touches made in this frame, and whether no more are in this substep, see {@link MOST_LISTS}. */
    private _listCount = 0;
    private _isSpent = false;
    private _hasWarned = false;
    private readonly _fineness = new Fineness();
    /** With triangles that pass through each other; and the number of the present frame. */
    private readonly _patience = new Patience();
    private _frame = 0;

    constructor(private readonly _kernels: Kernels) {
        _kernels.add(crowdKernels);
    }

    /** Bytes in the arena. */
    get byteLength(): number {
        const shared = (this._arrays?.byteLength ?? 0) + (this._touches?.byteLength ?? 0) + (this._tangles?.byteLength ?? 0);
        return this.members.reduce((sum, member) => sum + member.byteLength + member.web.byteLength, shared);
    }

    /** @throws RangeError when there is no memory left */
    add(body: Crowded, options: MemberOptions): Member {
        const member = new Member(this._kernels.arena, body, options, this.members);
        this.members.push(member);
        this._disband();
        return member;
    }

    remove(member: Member): void {
        const index = this.members.indexOf(member);
        if (index < 0) return;
        this.members.splice(index, 1);
        member.refine(1);
        // What lies on it has nothing under it now.
        for (const other of this.members) if (other.heap === member.heap) other.body.sleep.end();
        member.web.release();
        member.release();
        this._disband();
    }

    /** Members have come or gone. */
    private _disband(): void {
        this._patience.restart();
        this._arrays?.release();
        this._touches?.release();
        this._tangles?.release();
        this._arrays = this._touches = this._tangles = null;
    }

    /** Makes ready for substeps. @throws RangeError when there is no memory left */
    prepare(): void {
        this._fineness.beginStep(this.members);
        if (this._arrays) return;
        const { members } = this;
        const particles = members.reduce((sum, { particleCount }) => sum + particleCount, 0);
        const strangers = members.reduce((sum, { strangerCount }) => sum + strangerCount, 0);
        const arrays = new CrowdStruct(this._kernels.arena, particles, members.length, strangers);
        arrays.progress[CrowdProgress.mostCandidates] = MOST_CANDIDATES;
        arrays.progress[CrowdProgress.mostPairs] = MOST_PAIRS;
        let [first, stranger] = [0, 0];
        members.forEach((member, index) => {
            stranger = member.enter(arrays, index, first, stranger);
            first += member.particleCount;
        });
        this._arrays = arrays;
        this._ropes = members.filter(({ isRope }) => isRope);
        this._webbed = members.reduce((sum, { hasTouches, particleCount }) => sum + (hasTouches ? particleCount : 0), 0);
        if (this._webbed > 0) this._touches = new Touches(this._kernels.arena, arrays, this._webbed, this._patience);
        if (members.some(isOfParticles)) this._tangles = new Tangles(this._kernels.arena, arrays);
        this._holdBack = members.some(isRobust) ? new HoldBack() : null;
        this._isListed = false;
    }

    /** Has pairs and touches listed anew in the next substep. */
    expire(): void {
        this._isListed = false;
    }

    /** Says which bodies take steps in the frame that begins: the first `count` of a list. */
    begin(bodies: readonly Partner[], count: number): void {
        const { members } = this;
        this._frame++;
        for (let i = 0; i < members.length; i++) if (members[i].isPutBack) this._restart();
        // What passes through each other is looked at anew in each frame, as it comes out.
        if (this._tangles?.beginFrame() || this._touches?.isCrossed) this.expire();
        for (let i = 0; i < members.length; i++) members[i].isRunning = false;
        for (let i = 0; i < count; i++) if (bodies[i].member) bodies[i].member!.isRunning = true;
        this._sight = 1;
        this._listCount = 0;
    }

    /** What was found before says nothing. */
    private _restart(): void {
        this.expire();
        this._tangles?.restart();
        this._patience.restart();
    }

    /** Keeps particles apart after bodies of one step and substep have moved. */
    separate(bodies: readonly Partner[]): void {
        const { members, _kernels: kernels, _arrays: arrays } = this;
        if (!arrays) return;
        for (let i = 0; i < members.length; i++) members[i].isMoving = false;
        // What is tied to a member comes along without being one.
        for (let i = 0; i < bodies.length; i++) if (bodies[i].member) bodies[i].member!.isMoving = true;
        const { settings } = bodies[0];
        // Not the uniforms' gravity, which gives back what damping takes from what sails.
        const substep = settings.fixedTimeStep / settings.substepCount;
        for (let c = 0; c < 3; c++) arrays.numbers[CrowdNumber.gravity + c] = settings.gravity[c] * substep * substep;
        arrays.numbers[CrowdNumber.pushShare] = Math.min(1, substep / LONG) ** 2;
        this._holdBack?.noteStarts(members);
        this._isSpent = this._holdBack !== null && this._listCount >= Math.max(MOST_LISTS, 2 * settings.substepCount);
        this._areFresh = !this._isSpent && !this._areListsGood(arrays);
        if (this._isSpent) return;
        if (this._areFresh) this._list(arrays);
        const { _touches: touches, _tangles: tangles } = this;
        if (arrays.progress[CrowdProgress.pairCount] === 0 && !touches?.isAny && !tangles?.isCrossed) return;
        for (let i = 0; i < members.length; i++) members[i].takePart(settings);
        this._takePlaces();
        kernels.separatePairs(arrays);
        touches?.separate(kernels, members);
        tangles?.separate(kernels);
        if (touches) this._noteTouches(touches);
        this._givePlaces();
    }

    /** Answers once more what touches, where ropes are: their chains have pulled since, and friction holds what they would slip by. */
    private _answerRopes(touches: Touches): void {
        this._takePlaces();
        touches.separate(this._kernels, this.members);
        this._noteTouches(touches);
        this._givePlaces();
    }

    private _noteTouches(touches: Touches): void {
        const { _ropes: ropes } = this;
        for (let i = 0; i < ropes.length; i++) if (ropes[i].isNear && ropes[i].isMoving) ropes[i].noteTouches(touches);
    }

    /** Sees that no triangle has passed another, once the bodies of that substep have met what they meet. */
    guard(): void {
        const { _arrays: arrays, _touches: touches } = this;
        if (!arrays) return;
        settleHeaps(this.members);
        if (this._isSpent) this._holdBack!.shorten(this.members, 0);
        const isSettled = !touches || this._isSpent || this._guardTouches(arrays, touches);
        this._fineness.endSubstep(isSettled, this._areFresh && arrays.progress[CrowdProgress.pairCount] > 0);
    }

    /** The same where there are triangles. @returns whether that was easy */
    private _guardTouches(arrays: CrowdStruct, touches: Touches): boolean {
        if (this._ropes.length > 0 && touches.isAny) this._answerRopes(touches);
        if (this._holdBack && !this._isOverfull) return this._keepClean(arrays, this._holdBack);
        // What constraints do in a substep and contact undoes in it does not count.
        const isGood = areWithinBox(this._kernels, this.members, arrays, this._room);
        if (touches.isAny) {
            this._takePlaces();
            if (touches.guard(this._kernels)) this._isListed = false;
            this._givePlaces();
        }
        this._isListed &&= isGood;
        return !touches.isAny || touches.isSettled;
    }

    /** The same, whatever has moved particles in this substep: nothing passes that was apart. @returns whether all went as far as it meant to, easily */
    private _keepClean(arrays: CrowdStruct, holdBack: HoldBack): boolean {
        const { members, _kernels: kernels } = this;
        let isSettled = true;
        for (let halvings = 0; halvings <= HALVINGS + 1; halvings++) {
            const areKept = halvings === 0 && this._areListsKept(arrays, holdBack);
            if (!areKept) this._list(arrays);
            const touches = this._touches!;
            this._takePlaces();
            if (!areKept) holdBack.layStarts(touches, members);
            if (touches.guard(kernels)) this._isListed = false;
            const isClean = holdBack.end(touches);
            isSettled &&= isClean && touches.isSettled;
            this._givePlaces();
            if (isClean || this._isOverfull) break;
            this._isListed = false;
            if (halvings > HALVINGS) holdBack.shorten(members, 0);
            else holdBack.shortenTroubled(touches, members, halvings < HALVINGS ? 0.5 : 0);
        }
        this._isListed &&= areWithinBox(this._kernels, this.members, arrays, this._room);
        return isSettled;
    }

    /** Whether what is not listed cannot have passed in this substep. */
    private _areListsKept(arrays: CrowdStruct, holdBack: HoldBack): boolean {
        const isNear = areWithinBox(this._kernels, this.members, arrays, this._listed);
        if (this._areFresh) return holdBack.areWithinRooms(this.members);
        if (isNear) holdBack.keepRooms(arrays, this._listed);
        return isNear;
    }

    private _takePlaces(): void {
        const { members, _kernels: kernels } = this;
        for (let i = 0; i < members.length; i++) if (members[i].isNear) kernels.takePlaces(members[i].body.state, members[i]);
    }

    private _givePlaces(): void {
        const { members, _kernels: kernels } = this;
        for (let i = 0; i < members.length; i++) if (members[i].isNear) kernels.givePlaces(members[i].body.state, members[i]);
    }

    /** Whether what is not listed is farther apart than it must be, still. */
    private _areListsGood(arrays: CrowdStruct): boolean {
        const { members, _kernels: kernels } = this;
        let isGood = this._isListed;
        for (let i = 0; i < members.length; i++) isGood = members[i].follow(this._origin) && isGood;
        if (!isGood) return false;
        if (this._touches) return areWithinBox(kernels, members, arrays, this._reach);
        return areNear(kernels, members, arrays, this._slack);
    }

    private _list(arrays: CrowdStruct): void {
        const { members, _kernels: kernels, _holdBack: holdBack } = this;
        arrays.slots.fill(NONE);
        // Far from it, 32-bit floats would not tell layers apart.
        this._origin.set(members[0].body.origin);
        let distance = 0;
        let margin = 0;
        this._margin = this._thickness = this._roundness = Infinity;
        for (let i = 0; i < members.length; i++) {
            members[i].follow(this._origin);
            members[i].describe();
            distance = Math.max(distance, members[i].reach);
            margin = Math.max(margin, members[i].margin);
            this._margin = Math.min(this._margin, members[i].margin);
            this._thickness = Math.min(this._thickness, members[i].thickness);
            this._roundness = Math.min(this._roundness, members[i].roundness);
            kernels.notePoints(members[i].body.state, members[i]);
            members[i].placePoints();
            holdBack?.placePoints(members[i], arrays);
        }
        this._look(arrays, this._sight);
        arrays.numbers[CrowdNumber.reach] = distance + margin;
        arrays.numbers[CrowdNumber.inverseCell] = 1 / (distance + margin);
        arrays.progress[CrowdProgress.pairCount] = arrays.progress[CrowdProgress.isFull] = 0;
        measureDisplacements(kernels, members, arrays);
        if (this._touches) this._listTouches(arrays, this._touches);
        const { _touches: touches, _tangles: tangles } = this;
        if (members.some(isOfParticles)) {
            kernels.findPairs(arrays);
            kernels.orderPairs(arrays);
        }
        tangles?.list(kernels, members);
        kernels.layPlaces(arrays);
        if (touches) kernels.layTouches(touches);
        if (tangles?.isCrossed) kernels.layTouches(tangles);
        findHeaps(members, arrays, touches);
        holdBack?.noteRooms(members, arrays, this._listed);
        this._isListed = true;
        const isFull = arrays.progress[CrowdProgress.isFull] > 0 || touches?.isFull;
        if (!isFull || this._hasWarned) return;
        this._hasWarned = true;
        members[0].options.warn("more of it is in one place than self-collision looks at: some layers may pass through each other");
    }

    /** Lists within a share of the margins from now on, and says how far apart what is not listed is. */
    private _look({ numbers }: CrowdStruct, sight: number): void {
        this._sight = sight;
        const slack = (this._slack = sight * this._margin);
        this._reach = Math.min(slack + this._thickness, this._roundness);
        const listed = Math.min(slack + this._thickness, GUARDED_MARGINS * slack);
        this._room = ROOM * listed;
        this._listed = numbers[CrowdNumber.listed] = this._holdBack ? listed : 0;
    }

    private _listTouches(arrays: CrowdStruct, touches: Touches): void {
        const { members, _kernels: kernels } = this;
        touches.list(kernels, members, this._sight, this._frame);
        this._listCount++;
        if (!this._holdBack) return;
        this._isOverfull &&= touches.isFull;
        let halvings = 0;
        while (touches.isFull && !this._isOverfull) {
            if (touches.room < MOST_ROOM) touches = this._makeRoom(arrays, touches, 2 * touches.room);
            else if (this._sight > LEAST_SIGHT) this._look(arrays, this._sight / 2);
            else if (halvings <= LISTED_HALVINGS) {
                // What comes far in a substep may meet much in it.
                if (halvings++ < LISTED_HALVINGS) this._holdBack.shortenCrowded(touches, members, 0.5);
                else this._holdBack.shorten(members, 0);
                measureDisplacements(kernels, members, arrays);
            } else {
                this._isOverfull = true;
                touches = this._makeRoom(arrays, touches, 1);
                this._look(arrays, 1);
            }
            touches.list(kernels, members, this._sight, this._frame);
            this._listCount++;
        }
    }

    private _makeRoom(arrays: CrowdStruct, touches: Touches, room: number): Touches {
        const other = new Touches(this._kernels.arena, arrays, this._webbed, this._patience, room);
        touches.release();
        return (this._touches = other);
    }
}

function isRobust({ options }: Member): boolean {
    return options.tier === "robust";
}

function isOfParticles({ hasTouches }: Member): boolean {
    return !hasTouches;
}
