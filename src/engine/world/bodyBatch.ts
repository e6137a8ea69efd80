import { MAX_BATCH_PARTICLES } from "../tunables";
import type { Body } from "../bodies/body";
import { takeSubsteps } from "./pipeline";

/** In a list of bodies, a place that is free. */
const EMPTY_SLOT = undefined as unknown as Body;

/** Bodies of equal step, substeps and kernels that take a step together, the substeps outermost. */
export class BodyBatch {
    readonly bodies: Body[] = [];
    private _count = 0;
    private _particleCount = 0;

    /** Begins to collect. */
    reset(): void {
        this._count = this._particleCount = 0;
    }

    /** Ends it: the bodies are those that were added. */
    trim(): void {
        if (this.bodies.length !== this._count) this.bodies.length = this._count;
    }

    /** Lets go of the bodies. The list keeps its length: one that is emptied gives its memory back, and asks for it anew. */
    clear(): void {
        this.bodies.fill(EMPTY_SLOT);
    }

    /** True if it has no room for another one as large as the last: then none is looked for. */
    get isFull(): boolean {
        const last = this._count - 1;
        if (last < 0 || this.bodies[last].steppingGroup) return false;
        return this._particleCount + this.bodies[last].state.paddedCount > MAX_BATCH_PARTICLES;
    }

    /** True if a body can take part in the batch's step. */
    accepts(body: Body): boolean {
        const { bodies } = this;
        if (this._count === 0) return true;
        // Those that may touch go together.
        if (body.steppingGroup !== bodies[0].steppingGroup) return false;
        const [{ kernels, settings, stopwatch }] = bodies;
        if (!body.steppingGroup) {
            if (this._particleCount + body.state.paddedCount > MAX_BATCH_PARTICLES) return false;
            // What is being measured goes alone: the time of a batch is no one's.
            if (kernels !== body.kernels || stopwatch.isMeasuring || body.stopwatch.isMeasuring) return false;
        }
        return settings.fixedTimeStep === body.settings.fixedTimeStep && settings.substepCount === body.settings.substepCount;
    }

    add(body: Body): void {
        this.bodies[this._count++] = body;
        this._particleCount += body.state.paddedCount;
    }

    /** Takes one fixed step, which the bodies have begun. */
    step(): void {
        const { bodies } = this;
        takeSubsteps(bodies, bodies[0].steppingGroup);
        for (let i = 0; i < bodies.length; i++) bodies[i].kernels.measureMotion(bodies[i].state);
    }
}
