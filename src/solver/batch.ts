import type { Calls } from "../kernels/kernels";
import type { Body } from "./body";
import { substep } from "./step";

/** Bodies that advance together have no more particles: with their sticks, what a processor keeps near from substep to substep. */
const BATCH_PARTICLES = 2048;

/** In a list of bodies, a place that is free. */
const NOBODY = undefined as unknown as Body;

/**
 * Bodies of equal step, substeps and kernels that take a step together, the substeps outermost. *Calm* bodies need nothing from
 * JavaScript between the kernels of a step: theirs are recorded, and made by one call until something about a body changes.
 */
export class Batch {
    readonly bodies: Body[] = [];
    private _count = 0;
    private _particleCount = 0;
    /** Calls of the present bodies: a substep, what ends the step. */
    private _calls: readonly Calls[] = [];
    /** What the calls were recorded of, see {@link revisionOf}: numbers, which hold no body that is gone. */
    private readonly _recorded: number[] = [];

    /** Begins to collect. */
    begin(): void {
        this._count = this._particleCount = 0;
    }

    /** Ends it: the bodies are those that were added. */
    end(): void {
        if (this.bodies.length !== this._count) this.bodies.length = this._count;
    }

    /** Lets go of the bodies. The list keeps its length: one that is emptied gives its memory back, and asks for it anew. */
    clear(): void {
        this.bodies.fill(NOBODY);
    }

    /** Whether a body can take part in the step of those that do. */
    admits(body: Body): boolean {
        const { bodies } = this;
        if (this._count === 0) return true;
        if (this._particleCount + body.state.paddedCount > BATCH_PARTICLES) return false;
        const [{ kernels, settings, stopwatch, isCalm }] = bodies;
        // What is being measured goes alone: the time of a batch is no one's.
        if (kernels !== body.kernels || stopwatch.isOn || body.stopwatch.isOn || isCalm !== body.isCalm) return false;
        return settings.fixedTimeStep === body.settings.fixedTimeStep && settings.substepCount === body.settings.substepCount;
    }

    add(body: Body): void {
        this.bodies[this._count++] = body;
        this._particleCount += body.state.paddedCount;
    }

    /** Takes one fixed step, which the bodies have begun. */
    step(): void {
        const { bodies } = this;
        const { substepCount } = bodies[0].settings;
        if (bodies[0].isCalm && (this._isRecorded() || this._record())) {
            const { _calls: calls } = this;
            for (let s = 1; s <= substepCount; s++) calls[0].run();
            calls[1].run();
            return;
        }
        for (let s = 1; s <= substepCount; s++) {
            for (let i = 0; i < bodies.length; i++) substep(bodies[i], s);
        }
        for (let i = 0; i < bodies.length; i++) bodies[i].kernels.measureMotion(bodies[i].state);
    }

    /** Frees what was recorded. */
    release(): void {
        for (const calls of this._calls) calls.release();
        this._calls = [];
        this._recorded.length = 0;
    }

    /** Whether the calls are those of the present bodies as they are. */
    private _isRecorded(): boolean {
        const { bodies, _recorded: recorded } = this;
        if (recorded.length !== bodies.length) return false;
        for (let i = 0; i < bodies.length; i++) {
            if (recorded[i] !== revisionOf(bodies[i])) return false;
        }
        return true;
    }

    /** Records the calls of a step; false where there is no memory for them. Its closures cost memory at each entry. */
    private _record(): boolean {
        const { bodies, _recorded: recorded } = this;
        this.release();
        const { kernels } = bodies[0];
        const calls: Calls[] = [];
        this._calls = calls;
        try {
            calls.push(
                kernels.record((k) => {
                    for (const { state, passes, isWindy, air } of bodies) {
                        if (isWindy) k.pushByAir(state, air!);
                        k.integrate(state);
                        for (const pass of passes) pass.project(k, state);
                    }
                }),
                kernels.record((k) => {
                    for (const { state } of bodies) k.measureMotion(state);
                }),
            );
        } catch {
            // A full memory: the same calls, one by one.
            this.release();
            return false;
        }
        recorded.push(...bodies.map(revisionOf));
        return true;
    }
}

/** Tells a body, its preparation and whether there is wind from all others. */
function revisionOf({ revision, isWindy }: Body): number {
    return 2 * revision + (isWindy ? 1 : 0);
}
