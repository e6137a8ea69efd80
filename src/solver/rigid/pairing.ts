import type { KernelFunctions } from "../../kernels/kernels";
import type { StickBodyArrays } from "../../kernels/stickBodyLayout";

/** Has the sticks of bodies hold two by two, as they come to that in a substep: the kernel has a lane for each, and two cost little more than one. */
export class Pairing {
    private _first: StickBodyArrays | null = null;
    private _kernels: KernelFunctions | null = null;

    /** Has a body's sticks hold, at the latest when all have come to that. */
    hold(kernels: KernelFunctions, sticks: StickBodyArrays): void {
        if (this._kernels !== kernels) this.end();
        this._kernels = kernels;
        const { _first: first } = this;
        this._first = first ? null : sticks;
        if (first) kernels.holdStickBodies(first, sticks);
    }

    /** All have come to it: has those of the last one hold that has found no other. */
    end(): void {
        const { _first: first } = this;
        this._first = null;
        if (first) this._kernels!.holdStickBodies(first, first);
    }

    /** Forgets what an interrupted substep has left. */
    clear(): void {
        this._first = null;
    }
}
