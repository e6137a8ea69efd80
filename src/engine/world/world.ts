import { BATCH_SEARCH_LIMIT } from "../tunables";
import { BodyBatch } from "./bodyBatch";
import type { Body } from "../bodies/body";
import type { Kernels } from "../../kernels/kernelTable";
import type { SelfCollision } from "../collision/self/selfCollision";
import type { CollisionProxyOptions } from "../collision/self/collisionProxy";
import { selfCollisionModule } from "../collision/self/self.lazy";
import type { WindField } from "../state/settings";
import { beginStep } from "./pipeline";
import { WorldTime } from "./worldTime";

/**
 * The bodies of a scene and their time. What may go together advances in batches (batch.ts). A body's motion does not depend
 * on what shares its batch, nor on the order of bodies.
 */
export class World {
    /** Groups of bodies with self-collision, by their kernels. */
    private readonly _selfCollisions = new Map<Kernels, SelfCollision>();
    /** Number of couplings between bodies. */
    couplingCount = 0;
    /** The batch of which a body is the first. */
    private readonly _batches = new WeakMap<Body, BodyBatch>();

    constructor(readonly clock = new WorldTime()) {}

    /** See {@link WorldTime}. */
    get time(): number {
        return this.clock.time;
    }
    get winds(): WindField[] {
        return this.clock.winds;
    }

    /** True if it has bodies that collide with each other, or are coupled: these step together. */
    get hasSteppingGroups(): boolean {
        return this._selfCollisions.size + this.couplingCount > 0;
    }

    /** Adds a body to the self-collision group of its kernels; with {@link selfCollisionModule}. @throws RangeError when there is no memory left */
    enableSelfCollision(body: Body, options: CollisionProxyOptions): void {
        const group = this._selfCollisions.get(body.kernels) ?? new selfCollisionModule.module.SelfCollision(body.kernels);
        body.collisionProxy = group.add(body, options);
        body.selfCollision = group;
        this._selfCollisions.set(body.kernels, group);
        body.wake();
    }

    /** Ends that. */
    disableSelfCollision(body: Body): void {
        const { selfCollision: group, collisionProxy: member } = body;
        if (!group || !member) return;
        group.remove(member);
        body.selfCollision = body.collisionProxy = null;
        body.wake();
        if (group.proxies.length === 0) this._selfCollisions.delete(body.kernels);
    }

    /**
     * Takes the steps of the frames that these bodies have begun. What fails in a body ends its frame and is thrown by its
     * {@link Body.endFrame}. A step's observers may advance other bodies.
     * @param count how many of the list; left out: all
     */
    advance(bodies: readonly Body[], count = bodies.length): void {
        for (const group of this._selfCollisions.values()) group.beginFrame(bodies, count);
        for (let s = 1; notifyBeforeStep(bodies, count, s); s++) {
            for (let i = 0; i < count; i++) {
                if (!bodies[i].hasPendingStep) continue;
                const batch = collectBatch(this._batchOf(bodies[i]), bodies, count, i, s);
                if (batch.bodies.length === 0) continue;
                batch.step();
                for (let b = 0; b < batch.bodies.length; b++) finishStep(batch.bodies[b]);
                batch.clear();
            }
        }
    }

    private _batchOf(body: Body): BodyBatch {
        let batch = this._batches.get(body);
        if (!batch) this._batches.set(body, (batch = new BodyBatch()));
        return batch;
    }
}

/** Tells the observers of the bodies whose frame has an `s`-th step; whether there are any. */
function notifyBeforeStep(bodies: readonly Body[], count: number, s: number): boolean {
    let isAny = false;
    for (let i = 0; i < count; i++) {
        const body = bodies[i];
        body.hasPendingStep = s <= body.clock.steps;
        if (!body.hasPendingStep) continue;
        isAny = true;
        try {
            body.observer?.beforeStep();
        } catch (error) {
            body.fail(error);
        }
    }
    return isAny;
}

/** Collects in a batch the `first`-th body and those after it that may advance with it; none where an observer has stopped it. */
function collectBatch(batch: BodyBatch, bodies: readonly Body[], count: number, first: number, s: number): BodyBatch {
    batch.reset();
    // All that may touch go together.
    const end = bodies[first].steppingGroup ? count : Math.min(count, first + BATCH_SEARCH_LIMIT);
    for (let i = first; i < end && !batch.isFull; i++) {
        const body = bodies[i];
        if (!body.hasPendingStep || !batch.accepts(body)) continue;
        body.hasPendingStep = false;
        if (prepareStep(body, s)) batch.add(body);
        else if (i === first) break;
    }
    batch.trim();
    return batch;
}

/** Makes a body ready for its `s`-th step; whether it takes it: an observer may have stopped it meanwhile. */
function prepareStep(body: Body, s: number): boolean {
    if (s > body.clock.steps) return false;
    try {
        body.steppingGroup?.prepareStep();
        body.definition.substepController?.update(body);
        body.prepare();
        body.clock.beginStep(s, body.settings);
        beginStep(body);
    } catch (error) {
        body.fail(error);
        return false;
    }
    return true;
}

function finishStep(body: Body): void {
    body.endStep();
    body.accumulatedMotion += body.inertia?.isMoving ? Infinity : body.state.motion;
    try {
        // Before the body may come to rest: observers ask how far it moved in this step.
        body.observer?.afterStep();
    } catch (error) {
        body.fail(error);
    }
    body.updateSleep();
}
