/*
 * One class, whose substep is one order of calls for both ways of detection, so a few lines more than 400; each way is beside it.
 */
import {
    CCD_BOUND_SHARE,
    FULL_PUSH_SUBSTEP,
    MAX_CANDIDATES,
    MAX_CAPACITY_FACTOR,
    MAX_CCD_HALVINGS,
    MAX_OVERFLOW_HALVINGS,
    MAX_PAIRS_PER_PARTICLE,
    MAX_RELISTS,
    MIN_SKIN_SCALE,
} from "../../tunables";
import { SelfCollisionParameter, SelfCollisionCounter } from "../../../kernels/selfCollisionLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { selfCollisionKernels } from "../../../kernels/modules/selfCollision.generated";
import { NONE } from "../../../kernels/structSchema";
import type { Groupable, SteppingGroup } from "../../state/steppingGroup";
import { SelfCollisionBuffers } from "./selfCollisionBuffers";
import { areDisplacementsWithin, isBoxWithin, measureDisplacements } from "./displacementBounds";
import { AdaptiveSubsteps } from "./adaptiveSubsteps";
import { buildIslands, propagateContact } from "./contactIslands";
import { CcdRollback } from "./ccdRollback";
import { CollisionProxy } from "./collisionProxy";
import type { SelfCollidingBody, CollisionProxyOptions } from "./collisionProxy";
import { UntangleTimeout } from "./untangleTimeout";
import { Untangling } from "./untangling";
import { SelfContacts } from "./selfContacts";
import { SweptContacts } from "./sweptContacts";

/** Maximum search distance of CCD pairs, in margins, as in assembly/contactLists.ts. */
const CCD_MARGINS = 3;

/** Body that may be in a self-collision group. */
interface SteppedBody extends SelfCollidingBody, Groupable {
    readonly collisionProxy: CollisionProxy | null;
}

/**
 * The bodies of a world with self-collision: *pairs* of particles that may meet are listed by one
 * grid over all of them, and kept apart in each substep.
 *
 *     ╭──○──○──╮       Pairs are looked for farther than they keep apart, by a margin; neighbours on the mesh make none. The lists hold
 *     │  ┊  ┊  │       until particles have come as far against each other as the margin: what moves as a whole, or lies, needs no new
 *     ╰──○──○──╯       ones. Between substeps, only particles in pairs are touched.
 *
 * Where sheets run side by side, particles are discs as thick as the cloth, and keep the sides on which they were when they were listed.
 */
export class SelfCollision implements SteppingGroup {
    readonly proxies: CollisionProxy[] = [];
    private _buffers: SelfCollisionBuffers | null = null;
    private _contacts: SelfContacts | null = null;
    /** Contacts of triangles, unless robust ones or ropes are among the bodies. */
    private _swept: SweptContacts | null = null;
    private _untangling: Untangling | null = null;
    /** Particles of bodies with triangle contacts. */
    private _triangleParticleCount = 0;
    /** Ropes of the group. */
    private _ropes: readonly CollisionProxy[] = [];
    /** Rollback of a robust group. */
    private _ccdRollback: CcdRollback | null = null;
    /** World position of the group's origin [m]: the first body's when pairs were last listed. */
    private readonly _origin = new Float64Array(3);
    /** Least margin, thickness and roundness of the bodies [m]. */
    private _minMargin = 0;
    private _minThickness = 0;
    private _minRelistLimit = 0;
    /** Share of the margins within which contacts are listed in this frame. */
    private _skinScale = 1;
    /** Relative motion of particles after which pairs are listed again [m]. */
    private _skin = 0;
    /** Relative motion of triangles after which pairs are listed again [m]: within a substep, and at its end, for the next one. */
    private _relistDistance = 0;
    private _ccdBound = 0;
    /** See SelfCollisionParameter.listed. */
    private _listedDistance = 0;
    private _areListsValid = false;
    /** True if lists have been made in the present substep. */
    private _areListsFresh = false;
    /** See {@link MAX_CAPACITY_FACTOR}. */
    private _hasOverflowed = false;
    /** Lists of contacts made in this frame; true if no more are made in this substep, see {@link MAX_RELISTS}. */
    private _relistCount = 0;
    private _isBudgetSpent = false;
    private _hasWarned = false;
    private readonly _adaptiveSubsteps = new AdaptiveSubsteps();
    /** With triangles that pass through each other; and the number of the present frame. */
    private readonly _untangleTimeout = new UntangleTimeout();
    private _frame = 0;

    constructor(private readonly _kernels: Kernels) {
        _kernels.add(selfCollisionKernels);
    }

    /** Bytes in the arena. */
    get byteLength(): number {
        const shared =
            (this._buffers?.byteLength ?? 0) +
            (this._contacts?.byteLength ?? 0) +
            (this._swept?.byteLength ?? 0) +
            (this._untangling?.byteLength ?? 0);
        return this.proxies.reduce((sum, proxy) => sum + proxy.byteLength + proxy.bvh.byteLength, shared);
    }

    /** @throws RangeError when there is no memory left */
    add(body: SelfCollidingBody, options: CollisionProxyOptions): CollisionProxy {
        const proxy = new CollisionProxy(this._kernels.arena, body, options, this.proxies);
        this.proxies.push(proxy);
        this._releaseBuffers();
        return proxy;
    }

    remove(proxy: CollisionProxy): void {
        const index = this.proxies.indexOf(proxy);
        if (index < 0) return;
        this.proxies.splice(index, 1);
        proxy.setSubstepFactor(1);
        // What lies on it has nothing under it now.
        for (const other of this.proxies) if (other.island === proxy.island) other.body.sleep.wake();
        proxy.bvh.release();
        proxy.release();
        this._releaseBuffers();
    }

    /** Updates the group after bodies have joined or left. */
    private _releaseBuffers(): void {
        this._untangleTimeout.clear();
        this._buffers?.release();
        this._contacts?.release();
        this._swept?.release();
        this._untangling?.release();
        this._buffers = this._contacts = this._swept = this._untangling = null;
    }

    /** Makes ready for substeps. @throws RangeError when there is no memory left */
    prepareStep(): void {
        this._adaptiveSubsteps.beginStep(this.proxies);
        if (this._buffers) return;
        const { proxies } = this;
        const particles = proxies.reduce((sum, { particleCount }) => sum + particleCount, 0);
        const restPairCount = proxies.reduce((sum, { restPairCount }) => sum + restPairCount, 0);
        const arrays = new SelfCollisionBuffers(this._kernels.arena, particles, proxies.length, restPairCount);
        arrays.progress[SelfCollisionCounter.maxCandidates] = MAX_CANDIDATES;
        arrays.progress[SelfCollisionCounter.maxPairs] = MAX_PAIRS_PER_PARTICLE;
        let [first, firstPair] = [0, 0];
        proxies.forEach((proxy, index) => {
            firstPair = proxy.join(arrays, index, first, firstPair);
            first += proxy.particleCount;
        });
        this._buffers = arrays;
        this._ropes = proxies.filter(({ isRope }) => isRope);
        this._triangleParticleCount = proxies.reduce(
            (sum, { usesTriangles, particleCount }) => sum + (usesTriangles ? particleCount : 0),
            0,
        );
        const isSwept = this._triangleParticleCount > 0 && !proxies.some(isRobust) && this._ropes.length === 0;
        if (isSwept) this._swept = new SweptContacts(this._kernels.arena, arrays, proxies);
        else if (this._triangleParticleCount > 0)
            this._contacts = new SelfContacts(this._kernels.arena, arrays, this._triangleParticleCount, this._untangleTimeout);
        if (isSwept || proxies.some(usesParticles)) this._untangling = new Untangling(this._kernels.arena, arrays, isSwept);
        this._ccdRollback = proxies.some(isRobust) ? new CcdRollback() : null;
        this._areListsValid = false;
    }

    /** Lists pairs and contacts again in the next substep. */
    invalidateLists(): void {
        this._areListsValid = false;
    }

    /** Says which bodies take steps in the frame that begins: the first `count` of a list. */
    beginFrame(bodies: readonly SteppedBody[], count: number): void {
        const { proxies } = this;
        this._frame++;
        for (let i = 0; i < proxies.length; i++) if (proxies[i].wasReset) this._reset();
        // What passes through each other is looked at anew in each frame, as it comes out.
        if (this._untangling?.beginFrame() || this._contacts?.isIntersecting) this.invalidateLists();
        for (let i = 0; i < proxies.length; i++) proxies[i].stepsInFrame = false;
        for (let i = 0; i < count; i++) if (bodies[i].collisionProxy) bodies[i].collisionProxy!.stepsInFrame = true;
        this._skinScale = 1;
        this._relistCount = 0;
    }

    /** Resets all results of earlier searches. */
    private _reset(): void {
        this.invalidateLists();
        this._swept?.reset();
        this._untangling?.reset();
        this._untangleTimeout.clear();
    }

    /** Keeps particles apart after bodies of one step and substep have moved. */
    resolveAfterSolve(bodies: readonly SteppedBody[]): void {
        const { proxies, _kernels: kernels, _buffers: arrays } = this;
        if (!arrays) return;
        for (let i = 0; i < proxies.length; i++) proxies[i].isMoving = false;
        // What is tied to a proxy comes along without being one.
        for (let i = 0; i < bodies.length; i++) if (bodies[i].collisionProxy) bodies[i].collisionProxy!.isMoving = true;
        const { settings } = bodies[0];
        // Not the uniforms' gravity, which gives back what damping takes from what sails.
        const substep = settings.fixedTimeStep / settings.substepCount;
        for (let c = 0; c < 3; c++) arrays.numbers[SelfCollisionParameter.gravity + c] = settings.gravity[c] * substep * substep;
        arrays.numbers[SelfCollisionParameter.pushShare] = Math.min(1, substep / FULL_PUSH_SUBSTEP) ** 2;
        this._ccdRollback?.recordStarts(proxies);
        this._isBudgetSpent = this._ccdRollback !== null && this._relistCount >= Math.max(MAX_RELISTS, 2 * settings.substepCount);
        this._areListsFresh = !this._isBudgetSpent && !this._areListsCurrent(arrays);
        if (this._isBudgetSpent) return;
        if (this._areListsFresh) this._buildLists(arrays);
        const { _contacts: contacts, _swept: swept, _untangling: tangles } = this;
        const hasAny = arrays.progress[SelfCollisionCounter.pairCount] > 0 || contacts?.hasAny || swept?.hasAny;
        if (!hasAny && !tangles?.isIntersecting) return;
        for (let i = 0; i < proxies.length; i++) proxies[i].writeParticipation(settings);
        this._gather();
        kernels.resolvePairs(arrays);
        contacts?.resolve(kernels, proxies);
        swept?.resolve(kernels, proxies);
        tangles?.resolve(kernels);
        if (contacts) this._recordRopeContacts(contacts);
        this._scatter();
    }

    /** Resolves contacts once more if there are ropes: their chains have pulled since, and friction holds the slip. */
    private _resolveRopes(contacts: SelfContacts): void {
        this._gather();
        contacts.resolve(this._kernels, this.proxies);
        this._recordRopeContacts(contacts);
        this._scatter();
    }

    private _recordRopeContacts(contacts: SelfContacts): void {
        const { _ropes: ropes } = this;
        for (let i = 0; i < ropes.length; i++)
            if (ropes[i].hasActiveParticles && ropes[i].isMoving) ropes[i].recordContacts(contacts);
    }

    /** Runs CCD of the triangles, after the collisions of the substep. */
    finishSubstep(): void {
        const { _buffers: arrays, _contacts: contacts } = this;
        if (!arrays) return;
        propagateContact(this.proxies);
        if (this._isBudgetSpent) this._ccdRollback!.scaleMotion(this.proxies, 0);
        let isSettled = !contacts || this._isBudgetSpent || this._runCcd(arrays, contacts);
        if (this._swept) isSettled = this._checkSwept(this._swept);
        this._adaptiveSubsteps.endSubstep(isSettled, this._areListsFresh && arrays.progress[SelfCollisionCounter.pairCount] > 0);
    }

    /** @returns true if few are passed */
    private _checkSwept(swept: SweptContacts): boolean {
        if (!swept.hasAny) return true;
        this._gather();
        if (swept.check(this._kernels)) this._scatter();
        if (swept.hasPassed) this._untangling!.searchSoon();
        return swept.isSettled;
    }

    /** Runs CCD for triangles. @returns true if it settled */
    private _runCcd(arrays: SelfCollisionBuffers, contacts: SelfContacts): boolean {
        if (this._ropes.length > 0 && contacts.hasAny) this._resolveRopes(contacts);
        if (this._ccdRollback && !this._hasOverflowed) return this._runRobustCcd(arrays, this._ccdRollback);
        // What constraints do in a substep and contact undoes in it does not count.
        const isGood = isBoxWithin(this._kernels, this.proxies, arrays, this._ccdBound);
        if (contacts.hasAny) {
            this._gather();
            if (contacts.enforceCcd(this._kernels)) this._areListsValid = false;
            this._scatter();
        }
        this._areListsValid &&= isGood;
        return !contacts.hasAny || contacts.isSettled;
    }

    /** Runs CCD over all motion of this substep, whatever caused it: no separated pair passes. @returns true if no motion was cut and it settled */
    private _runRobustCcd(arrays: SelfCollisionBuffers, holdBack: CcdRollback): boolean {
        const { proxies, _kernels: kernels } = this;
        let isSettled = true;
        for (let halvings = 0; halvings <= MAX_CCD_HALVINGS + 1; halvings++) {
            const areKept = halvings === 0 && this._canKeepLists(arrays, holdBack);
            if (!areKept) this._buildLists(arrays);
            const contacts = this._contacts!;
            this._gather();
            if (!areKept) holdBack.writeStarts(contacts, proxies);
            if (contacts.enforceCcd(kernels)) this._areListsValid = false;
            const isClean = holdBack.resolve(contacts);
            isSettled &&= isClean && contacts.isSettled;
            this._scatter();
            if (isClean || this._hasOverflowed) break;
            this._areListsValid = false;
            if (halvings > MAX_CCD_HALVINGS) holdBack.scaleMotion(proxies, 0);
            else holdBack.scaleTroubled(contacts, proxies, halvings < MAX_CCD_HALVINGS ? 0.5 : 0);
        }
        this._areListsValid &&= isBoxWithin(this._kernels, this.proxies, arrays, this._ccdBound);
        return isSettled;
    }

    /** True if no unlisted pair can have passed in this substep. */
    private _canKeepLists(arrays: SelfCollisionBuffers, holdBack: CcdRollback): boolean {
        const isNear = isBoxWithin(this._kernels, this.proxies, arrays, this._listedDistance);
        if (this._areListsFresh) return holdBack.areWithinBounds(this.proxies);
        if (isNear) holdBack.extendBounds(arrays, this._listedDistance);
        return isNear;
    }

    private _gather(): void {
        const { proxies, _kernels: kernels } = this;
        for (let i = 0; i < proxies.length; i++)
            if (proxies[i].hasActiveParticles) kernels.gatherActive(proxies[i].body.state, proxies[i]);
    }

    private _scatter(): void {
        const { proxies, _kernels: kernels } = this;
        for (let i = 0; i < proxies.length; i++)
            if (proxies[i].hasActiveParticles) kernels.scatterActive(proxies[i].body.state, proxies[i]);
    }

    /** True if all unlisted pairs are still farther apart than the contact distance. */
    private _areListsCurrent(arrays: SelfCollisionBuffers): boolean {
        const { proxies, _kernels: kernels } = this;
        let isGood = this._areListsValid;
        for (let i = 0; i < proxies.length; i++) isGood = proxies[i].updateOrigin(this._origin) && isGood;
        if (!isGood) return false;
        if (this._contacts) return isBoxWithin(kernels, proxies, arrays, this._relistDistance);
        if (this._swept) {
            const areNear =
                isBoxWithin(kernels, proxies, arrays, this._skin) || this._triangleParticleCount === arrays.particleCount;
            return this._swept.areCurrent(kernels, proxies) && areNear;
        }
        return areDisplacementsWithin(kernels, proxies, arrays, this._skin);
    }

    private _buildLists(arrays: SelfCollisionBuffers): void {
        const { proxies, _kernels: kernels, _ccdRollback: holdBack } = this;
        arrays.slots.fill(NONE);
        // Far from it, 32-bit floats would not tell layers apart.
        this._origin.set(proxies[0].body.origin);
        let distance = 0;
        let margin = 0;
        this._minMargin = this._minThickness = this._minRelistLimit = Infinity;
        for (let i = 0; i < proxies.length; i++) {
            proxies[i].updateOrigin(this._origin);
            proxies[i].writeRecord();
            distance = Math.max(distance, proxies[i].interactionRadius);
            margin = Math.max(margin, proxies[i].margin);
            this._minMargin = Math.min(this._minMargin, proxies[i].margin);
            this._minThickness = Math.min(this._minThickness, proxies[i].thickness);
            this._minRelistLimit = Math.min(this._minRelistLimit, proxies[i].relistLimit);
            kernels.snapshotPositions(proxies[i].body.state, proxies[i]);
            proxies[i].snapshotStart();
            holdBack?.snapshotStart(proxies[i], arrays);
        }
        this._setSkinScale(arrays, this._skinScale);
        arrays.numbers[SelfCollisionParameter.searchDistance] = distance + margin;
        arrays.numbers[SelfCollisionParameter.inverseCellSize] = 1 / (distance + margin);
        arrays.progress[SelfCollisionCounter.pairCount] = arrays.progress[SelfCollisionCounter.overflowed] = 0;
        measureDisplacements(kernels, proxies, arrays);
        if (this._contacts) this._detectTriangleContacts(arrays, this._contacts);
        const { _contacts: contacts, _swept: swept, _untangling: tangles } = this;
        swept?.list(kernels, proxies);
        if (proxies.some(usesParticles)) {
            kernels.detectPairs(arrays);
            kernels.orderPairs(arrays);
        }
        if (tangles?.list(kernels, proxies) && swept) kernels.dropTangledPairs(swept.tree, tangles);
        kernels.compactActiveParticles(arrays);
        if (contacts) kernels.compactSelfContacts(contacts);
        if (swept) kernels.compactSweptPairs(swept.tree);
        if (tangles?.isIntersecting) kernels.compactSelfContacts(tangles);
        buildIslands(proxies, arrays, contacts, swept?.tree ?? null);
        holdBack?.recordBounds(proxies, arrays, this._listedDistance);
        this._areListsValid = true;
        const isFull = arrays.progress[SelfCollisionCounter.overflowed] > 0 || contacts?.hasOverflowed || swept?.hasOverflowed;
        if (!isFull || this._hasWarned) return;
        this._hasWarned = true;
        proxies[0].options.warn("more of it is in one place than self-collision looks at: some layers may pass through each other");
    }

    /** Lists within a share of the margins from now on, and says how far apart what is not listed is. */
    private _setSkinScale({ numbers }: SelfCollisionBuffers, sight: number): void {
        this._skinScale = sight;
        const slack = (this._skin = sight * this._minMargin);
        this._relistDistance = Math.min(slack + this._minThickness, this._minRelistLimit);
        const listed = Math.min(slack + this._minThickness, CCD_MARGINS * slack);
        this._ccdBound = CCD_BOUND_SHARE * listed;
        this._listedDistance = numbers[SelfCollisionParameter.listedDistance] = this._ccdRollback ? listed : 0;
    }

    private _detectTriangleContacts(arrays: SelfCollisionBuffers, contacts: SelfContacts): void {
        const { proxies, _kernels: kernels } = this;
        contacts.list(kernels, proxies, this._skinScale, this._frame);
        this._relistCount++;
        if (!this._ccdRollback) return;
        this._hasOverflowed &&= contacts.hasOverflowed;
        let halvings = 0;
        while (contacts.hasOverflowed && !this._hasOverflowed) {
            if (contacts.capacityFactor < MAX_CAPACITY_FACTOR) contacts = this._grow(arrays, contacts, 2 * contacts.capacityFactor);
            else if (this._skinScale > MIN_SKIN_SCALE) this._setSkinScale(arrays, this._skinScale / 2);
            else if (halvings <= MAX_OVERFLOW_HALVINGS) {
                // What comes far in a substep may meet much in it.
                if (halvings++ < MAX_OVERFLOW_HALVINGS) this._ccdRollback.scaleOverflowing(contacts, proxies, 0.5);
                else this._ccdRollback.scaleMotion(proxies, 0);
                measureDisplacements(kernels, proxies, arrays);
            } else {
                this._hasOverflowed = true;
                contacts = this._grow(arrays, contacts, 1);
                this._setSkinScale(arrays, 1);
            }
            contacts.list(kernels, proxies, this._skinScale, this._frame);
            this._relistCount++;
        }
    }

    private _grow(arrays: SelfCollisionBuffers, contacts: SelfContacts, room: number): SelfContacts {
        const other = new SelfContacts(this._kernels.arena, arrays, this._triangleParticleCount, this._untangleTimeout, room);
        contacts.release();
        return (this._contacts = other);
    }
}

function isRobust({ options }: CollisionProxy): boolean {
    return options.tier === "robust";
}

function usesParticles({ usesTriangles }: CollisionProxy): boolean {
    return !usesTriangles;
}
