import type { Body } from "./body";
import { step } from "./step";

/** Bodies that advance together have no more particles: with their sticks, what a processor keeps near from substep to substep. */
const BATCH_PARTICLES = 2048;
/** Most bodies looked at in search of those that go with the first. */
const BATCH_SEARCH = 256;

/**
 * The bodies of a scene and their time. Bodies of equal step, substeps and kernels advance together, in *batches*: substeps
 * outermost, body for body inside. A body's motion does not depend on what shares its batch, nor on the order of bodies.
 */
export class World {
    /** Time that has passed [s]. */
    time = 0;
    private readonly _batch: Body[] = [];
    private _isStepping = false;

    /** Lets time pass. @param seconds what is no time counts as 0 */
    pass(seconds: number): void {
        if (seconds > 0 && seconds < Infinity) this.time += seconds;
    }

    /**
     * Takes the steps of the frames that these bodies have begun. What fails in a body ends its frame and is thrown by its
     * {@link Body.endFrame}. A step's observers may advance other bodies.
     */
    advance(bodies: readonly Body[]): void {
        // An observer's own steps, inside another body's, need a list of their own.
        const batch = this._isStepping ? [] : this._batch;
        const wasStepping = this._isStepping;
        this._isStepping = true;
        for (let s = 1; beginStep(bodies, s); s++) {
            for (let i = 0; i < bodies.length; i++) {
                gather(bodies, i, s, batch);
                if (batch.length === 0) continue;
                step(batch);
                for (let b = 0; b < batch.length; b++) endStep(batch[b]);
            }
        }
        batch.length = 0;
        this._isStepping = wasStepping;
    }
}

/** Tells the observers of the bodies whose frame has an `s`-th step; whether there are any. */
function beginStep(bodies: readonly Body[], s: number): boolean {
    let isAny = false;
    for (let i = 0; i < bodies.length; i++) {
        const body = bodies[i];
        body.isDue = s <= body.clock.steps;
        if (!body.isDue) continue;
        isAny = true;
        try {
            body.observer.beforeStep();
        } catch (error) {
            body.fail(error);
        }
    }
    return isAny;
}

/** Collects the first due body from the `first`-th on and those that may advance with it; none where it is not due. */
function gather(bodies: readonly Body[], first: number, s: number, batch: Body[]): void {
    batch.length = 0;
    let particles = 0;
    const end = Math.min(bodies.length, first + BATCH_SEARCH);
    for (let i = first; i < end; i++) {
        const body = bodies[i];
        if (!body.isDue || (batch.length > 0 && !goTogether(batch[0], body))) {
            if (i === first) return;
            continue;
        }
        if (batch.length > 0 && particles + body.state.paddedCount > BATCH_PARTICLES) return;
        body.isDue = false;
        if (!prepareStep(body, s)) {
            if (i === first) return;
            continue;
        }
        particles += body.state.paddedCount;
        batch.push(body);
    }
}

function goTogether(a: Body, b: Body): boolean {
    const { fixedTimeStep, substepCount } = a.settings;
    // What is being measured goes alone: the time of a batch is no one's.
    if (a.stopwatch.isOn || b.stopwatch.isOn || a.kernels !== b.kernels) return false;
    return b.settings.fixedTimeStep === fixedTimeStep && b.settings.substepCount === substepCount;
}

/** Makes a body ready for its `s`-th step; whether it takes it: an observer may have stopped it meanwhile. */
function prepareStep(body: Body, s: number): boolean {
    if (s > body.clock.steps) return false;
    try {
        body.prepare();
    } catch (error) {
        body.fail(error);
        return false;
    }
    body.clock.beginStep(s, body.settings.fixedTimeStep);
    return true;
}

function endStep(body: Body): void {
    body.endStep();
    try {
        body.observer.afterStep();
    } catch (error) {
        body.fail(error);
    }
}
