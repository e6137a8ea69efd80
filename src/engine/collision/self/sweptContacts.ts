import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { SelfContactCounter } from "../../../kernels/selfContactLayout";
import { ProxyParameter } from "../../../kernels/selfCollisionLayout";
import { SweptCounter, SweptParameter } from "../../../kernels/sweptLayout";
import type { CollisionProxy } from "./collisionProxy";
import { SelfContactBuffers } from "./selfCollisionBuffers";
import type { SelfCollisionBuffers } from "./selfCollisionBuffers";
import { SweptTree } from "./sweptTree";

/** Contacts at one time that there is room for, to a particle. */
const CONTACTS_PER_PARTICLE = 16;
/** Margin about a forecast path: at least this share of the thickness, this share of the path, and at most this share of the disc radius. */
const LEAST_MARGIN = 0.2;
const MARGIN_SHARE = 0.1;
const MOST_MARGIN = 0.2;
/** Share of a body's particles that may have left their forecasts before pairs are listed anew within a step. */
const STRAY_SHARE = 0.05;
/** Least share of a step that lists are made for. */
const MIN_REACH_SHARE = 1 / 8;
/** Share of its distance that a contact keeps at the end of a substep, passes of the check, and passes that join what is still passed to impact zones. */
const KEPT_SHARE = 0.1;
const CHECK_PASSES = 4;
const ZONE_PASSES = 24;
/** Share of the particles in contacts that the check leaves passed, and impact zones hold, from which on contact does not settle. */
const UNSETTLED_SHARE = 0.005;

/**
 * Contacts of triangles that are looked for about once a step, over the motion that is forecast for it:
 *
 *     step      refit the tree over the particles' paths → list the pairs that may meet
 *     substep   narrow the listed pairs → resolve → (solids) → check: what has passed nearly is pushed back, up to
 *               four times; what still passes moves as rigid bodies
 *
 * Lists are made anew within a step only if particles leave their forecasts. Cloth at rest never does.
 */
export class SweptContacts extends SelfContactBuffers {
    readonly capacity: number;
    readonly intersectionCapacity = 0;
    readonly particleCount: number;
    protected readonly minRegionSize = 0;
    readonly tree: SweptTree;
    /** Substeps since the lists were made. */
    private _age = 0;
    private _span = 1;
    /** Share of a step, and of the least margin, that lists are made for: less where they would not have room. */
    private _reachShare = 1;
    private readonly _triangleParticles: number;
    /** True if the last check has not parted all pairs by pushes. */
    hasPassed = false;
    /** True if the last check settled. */
    isSettled = true;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly shared: SelfCollisionBuffers,
        proxies: readonly CollisionProxy[],
    ) {
        super();
        let particles = 0;
        for (const { usesTriangles, particleCount } of proxies) if (usesTriangles) particles += particleCount;
        this._triangleParticles = particles;
        this.particleCount = shared.particleCount;
        this.capacity = CONTACTS_PER_PARTICLE * particles;
        this._allocate(arena);
        try {
            this.tree = new SweptTree(arena, shared, this, proxies, particles);
        } catch (error) {
            super.release();
            throw error;
        }
    }

    override get byteLength(): number {
        return super.byteLength + (this.tree?.byteLength ?? 0);
    }

    override release(): void {
        this.tree.release();
        super.release();
    }

    /** True if the lists have overflowed. */
    override get hasOverflowed(): boolean {
        return this.tree.progress[SweptCounter.overflowed] > 0;
    }

    /** True if any pair is listed. */
    get hasAny(): boolean {
        const { progress } = this.tree;
        return progress[SweptCounter.faceCount] + progress[SweptCounter.edgeCount] > 0;
    }

    /** Forgets all that has been seen. */
    reset(): void {
        this._reachShare = 1;
    }

    /** True if the lists are good for one more substep; once the displacements are measured. */
    areCurrent(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): boolean {
        const { tree } = this;
        const isOld = ++this._age >= this._span;
        for (let i = 0; i < proxies.length; i++) {
            if (!proxies[i].usesTriangles) continue;
            tree.progress[SweptCounter.strayCount] = 0;
            kernels.countStrays(proxies[i].body.state, proxies[i], tree);
            const strays = tree.progress[SweptCounter.strayCount];
            if (strays > (isOld ? 0 : STRAY_SHARE * proxies[i].particleCount)) return false;
        }
        return true;
    }

    /** Lists pairs over the coming substeps; once points and displacements are noted. */
    list(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): void {
        const { tree } = this;
        this._age = 0;
        this._span = 1;
        let thickness = Infinity;
        let radius = Infinity;
        for (let i = 0; i < proxies.length; i++) {
            if (!proxies[i].usesTriangles) continue;
            this._span = Math.max(this._span, proxies[i].body.settings.substepCount);
            thickness = Math.min(thickness, proxies[i].thickness);
            radius = Math.min(radius, proxies[i].radius);
        }
        for (;;) {
            const least = this._reachShare * LEAST_MARGIN * thickness;
            tree.numbers[SweptParameter.leastMargin] = least;
            tree.numbers[SweptParameter.marginShare] = this._reachShare * MARGIN_SHARE;
            tree.numbers[SweptParameter.mostMargin] = Math.max(least, this._reachShare * MOST_MARGIN * radius);
            this._detect(kernels, proxies);
            if (!this.hasOverflowed || this._reachShare <= MIN_REACH_SHARE) break;
            this._reachShare /= 2;
        }
        const isRoomy =
            4 * tree.progress[SweptCounter.faceCount] < tree.faceCapacity &&
            4 * tree.progress[SweptCounter.edgeCount] < tree.edgeCapacity;
        if (isRoomy) this._reachShare = Math.min(1, 2 * this._reachShare);
    }

    private _detect(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): void {
        const { tree } = this;
        for (let i = 0; i < proxies.length; i++) {
            if (!proxies[i].usesTriangles) continue;
            const { body, numbers } = proxies[i];
            numbers[ProxyParameter.sweptSubsteps] = Math.max(1, this._reachShare * body.settings.substepCount);
            kernels.forecastPaths(body.state, proxies[i], tree);
        }
        kernels.refitSweptTree(tree);
        kernels.detectSweptPairs(tree);
    }

    /** Resolves the contacts of the substep, in the group's positions. */
    resolve(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): void {
        for (let i = 0; i < proxies.length; i++) if (proxies[i].hasActiveParticles) kernels.recordStartPositions(this, proxies[i]);
        this.tree.numbers[SweptParameter.reach] = 1;
        kernels.narrowSweptPairs(this.tree);
        kernels.resolveSweptContacts(this.tree);
    }

    /** Pushes back what has passed or nearly, in the group's positions. @returns true if anything had to be */
    check(kernels: KernelFunctions): boolean {
        const { tree } = this;
        tree.numbers[SweptParameter.reach] = KEPT_SHARE;
        let pass = 0;
        for (; pass < CHECK_PASSES; pass++) {
            kernels.narrowSweptPairs(tree);
            if (this.progress[SelfContactCounter.contactCount] === 0) break;
            kernels.separateContacts(tree);
        }
        this.hasPassed = this.progress[SelfContactCounter.contactCount] > 0;
        this.isSettled = !this.hasPassed || this._moveZones(kernels) <= UNSETTLED_SHARE * this._triangleParticles;
        tree.numbers[SweptParameter.reach] = 0;
        tree.numbers[SweptParameter.commits] = 1;
        kernels.narrowSweptPairs(tree);
        tree.numbers[SweptParameter.commits] = 0;
        return pass > 0;
    }

    /** Has what has passed in the substep, and is still, move as one. @returns how many pairs it was */
    private _moveZones(kernels: KernelFunctions): number {
        const { tree } = this;
        tree.numbers[SweptParameter.joins] = 1;
        kernels.clearZones(this);
        let passed = 0;
        for (let pass = 0; pass < ZONE_PASSES; pass++) {
            kernels.narrowSweptPairs(tree);
            const left = this.progress[SelfContactCounter.contactCount];
            if (pass === 0) passed = left;
            if (left === 0) break;
            kernels.joinContacts(tree);
        }
        tree.numbers[SweptParameter.joins] = 0;
        return passed;
    }
}
