import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { IntersectionRecord, SelfContactParameter, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { SelfCollisionBuffers } from "./selfCollisionBuffers";
import type { CollisionProxy } from "./collisionProxy";
import { hasMovingPins } from "./untangleTimeout";
import type { UntangleTimeout } from "./untangleTimeout";
import { SelfContactBuffers } from "./selfCollisionBuffers";

/** Capacity for contacts and intersections per particle, at the minimum size. */
const CONTACTS_PER_PARTICLE = 48;
const INTERSECTIONS_PER_PARTICLE = 2;
/** Share of the particles that have to be held, and how many substeps lists have to be old, for them to be renewed. */
const RELIST_SHARE = 0.005;
const RELIST_AGE = 32;

/** Share of the particles that would pass something in a substep from which on contact does not settle. */
const UNSETTLED_SHARE = 0.02;

/** Triangle contacts and intersections of a self-collision group, see SelfContactLayout. */
export class SelfContacts extends SelfContactBuffers {
    readonly capacity: number;
    readonly intersectionCapacity: number;
    readonly particleCount: number;
    protected readonly minRegionSize = 1;
    /** Substeps since the lists were made. */
    private _substepsSinceList = 0;
    /** Of what has been given up: the first crossing, and that after the last. */
    private readonly _abandoned: number[] = [];

    /**
     * @param particleCount of bodies with triangle contacts
     * @param _timeout with what passes through each other
     * @param capacityFactor how many times the least room is there, and is looked at
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly shared: SelfCollisionBuffers,
        particleCount: number,
        private readonly _timeout: UntangleTimeout,
        readonly capacityFactor = 1,
    ) {
        super();
        this.particleCount = shared.particleCount;
        this.capacity = capacityFactor * CONTACTS_PER_PARTICLE * particleCount;
        this.intersectionCapacity = capacityFactor * INTERSECTIONS_PER_PARTICLE * particleCount;
        this._allocate(arena);
    }

    /** True if any pair is listed. */
    get hasAny(): boolean {
        const { progress } = this;
        return (
            progress[SelfContactCounter.contactCount] +
                progress[SelfContactCounter.ccdCount] +
                progress[SelfContactCounter.intersectionCount] >
            0
        );
    }

    /** True if the last call of {@link enforceCcd} stopped few pairs, and none has passed. */
    get isSettled(): boolean {
        const { progress } = this;
        return (
            progress[SelfContactCounter.unresolvedCount] === 0 &&
            progress[SelfContactCounter.violationCount] <= UNSETTLED_SHARE * this.particleCount
        );
    }

    /**
     * Lists contacts and intersections at the group's present positions. What gets no better, since pins hold it through each other, say, is pulled no more.
     * @param sight share of the margins within which it looks
     * @param frame its number
     */
    list(kernels: KernelFunctions, proxies: readonly CollisionProxy[], sight: number, frame: number): void {
        const { numbers } = this;
        kernels.clearSelfContacts(this);
        this._substepsSinceList = 0;
        this._abandoned.length = 0;
        for (let i = 0; i < proxies.length; i++)
            if (proxies[i].usesTriangles) kernels.refitBvh(proxies[i].body.state, proxies[i].bvh);
        for (let i = 0; i < proxies.length; i++) {
            const a = proxies[i];
            if (!a.usesTriangles) continue;
            for (let j = i; j < proxies.length; j++) {
                const b = proxies[j];
                if (!b.usesTriangles || !a.collidesWith(b)) continue;
                const distance = (a.thickness + b.thickness) / 2;
                numbers[SelfContactParameter.distance] = distance;
                numbers[SelfContactParameter.searchDistance] = distance + (sight * (a.margin + b.margin)) / 2;
                numbers[SelfContactParameter.friction] = (a.body.settings.fabric.friction + b.body.settings.fabric.friction) / 2;
                const before = this.progress[SelfContactCounter.intersectionCount];
                this.detect(kernels, a, b, this.capacityFactor);
                const behind = this.pushBackRegions(before, a, b) || Infinity;
                const found = this.progress[SelfContactCounter.intersectionCount] - before;
                const key = i * proxies.length + j;
                if (found > 0 && (hasMovingPins(a) || hasMovingPins(b))) this._timeout.extend(key, frame);
                const revision = a.body.revision + b.body.revision;
                if (!this._timeout.shouldContinue(key, frame, found, behind, revision))
                    this._abandoned.push(before, before + found);
            }
        }
        kernels.dropTangledContacts(this);
        if (this._abandoned.length > 0) this._dropAbandoned();
    }

    /** Leaves out the crossings of what has been given up. */
    private _dropAbandoned(): void {
        const { progress, intersections: crossings, _abandoned: left } = this;
        for (let k = left.length - 2; k >= 0; k -= 2) {
            crossings.copyWithin(
                left[k] * IntersectionRecord.count,
                left[k + 1] * IntersectionRecord.count,
                progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count,
            );
            progress[SelfContactCounter.intersectionCount] -= left[k + 1] - left[k];
        }
    }

    /** Separates contacts in the group's positions, and resolves pairs that have passed. */
    resolve(kernels: KernelFunctions, proxies: readonly CollisionProxy[]): void {
        for (let i = 0; i < proxies.length; i++) {
            if (!proxies[i].hasActiveParticles) continue;
            kernels.recordStartPositions(this, proxies[i]);
            proxies[i].writeStartPositions(this.startPositions);
        }
        kernels.resolveSelfContacts(this);
        kernels.resolveIntersections(this);
    }

    /**
     * Sees that nothing has passed, in the group's positions.
     * @returns whether much would have: the lists are to be renewed
     */
    enforceCcd(kernels: KernelFunctions): boolean {
        kernels.enforceSeparation(this);
        return (
            ++this._substepsSinceList > RELIST_AGE &&
            this.progress[SelfContactCounter.violationCount] > RELIST_SHARE * this.particleCount
        );
    }
}
