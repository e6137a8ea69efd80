import type { Calls } from "../kernels/kernels";
import type { Body } from "./body";
import { blow, substep } from "./step";

/** Bodies that advance together have no more particles: with their sticks, what a processor keeps near from substep to substep. */
const BATCH_PARTICLES = 2048;

/**
 * Bodies of equal step, substeps and kernels that take a step together, the substeps outermost. *Calm* bodies need nothing from
 * JavaScript between the kernels of a step: theirs are recorded, and made by one call until something about a body changes.
 */
export class Batch {
    readonly bodies: Body[] = [];
    private _particleCount = 0;
    /** Calls of the present bodies: wind, a substep, what ends the step. */
    private _calls: readonly Calls[] = [];
    /** What the calls were recorded of, see {@link revisionOf}: numbers, which hold no body that is gone. */
    private readonly _recorded: number[] = [];

    clear(): void {
        this.bodies.length = this._particleCount = 0;
    }

    /** Whether a body can take part in the step of those that do. */
    admits(body: Body): boolean {
        const { bodies } = this;
        if (bodies.length === 0) return true;
        if (this._particleCount + body.state.paddedCount > BATCH_PARTICLES) return false;
        const [{ kernels, settings, stopwatch, isCalm }] = bodies;
        // What is being measured goes alone: the time of a batch is no one's.
        if (kernels !== body.kernels || stopwatch.isOn || body.stopwatch.isOn || isCalm !== body.isCalm) return false;
        return settings.fixedTimeStep === body.settings.fixedTimeStep && settings.substepCount === body.settings.substepCount;
    }

    add(body: Body): void {
        this.bodies.push(body);
        this._particleCount += body.state.paddedCount;
    }

    /** Takes one fixed step, which the bodies have begun. */
    step(): void {
        const { bodies } = this;
        const { substepCount } = bodies[0].settings;
        if (bodies[0].isCalm && this._record()) {
            const [wind, substepOfAll, end] = this._calls;
            wind.run();
            for (let s = 1; s <= substepCount; s++) substepOfAll.run();
            end.run();
            return;
        }
        for (let i = 0; i < bodies.length; i++) blow(bodies[i]);
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

    /** Records the calls of a step unless they are known; false where there is no memory for them. */
    private _record(): boolean {
        const { bodies, _recorded: recorded } = this;
        let isKnown = recorded.length === bodies.length;
        for (let i = 0; i < bodies.length && isKnown; i++) isKnown = recorded[i] === revisionOf(bodies[i]);
        if (isKnown) return true;
        this.release();
        const { kernels } = bodies[0];
        const calls: Calls[] = [];
        this._calls = calls;
        try {
            calls.push(
                kernels.record((k) => {
                    for (const body of bodies) if (body.isWindy) k.applyWind(body.state, body.triangles);
                }),
                kernels.record((k) => {
                    for (const { state, passes } of bodies) {
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
