import type { KernelFunctions } from "../../kernels/kernelTable";
import type { RigidBodyArrays } from "../../kernels/rigidBodyLayout";

/** Has the sticks of bodies hold two by two, as they come to that in a substep: the kernel has a lane for each, and two cost little more than one. */
export class RigidSolveQueue {
    private _pending: RigidBodyArrays | null = null;
    private _kernels: KernelFunctions | null = null;

    /** Has a body's sticks hold, at the latest when all have come to that. */
    solve(kernels: KernelFunctions, sticks: RigidBodyArrays): void {
        if (this._kernels !== kernels) this.flush();
        this._kernels = kernels;
        const { _pending: first } = this;
        this._pending = first ? null : sticks;
        if (first) kernels.solveRigidConstraints(first, sticks);
    }

    /** All have come to it: has those of the last one hold that has found no other. */
    flush(): void {
        const { _pending: first } = this;
        this._pending = null;
        if (first) this._kernels!.solveRigidConstraints(first, first);
    }

    /** Forgets what an interrupted substep has left. */
    clear(): void {
        this._pending = null;
    }
}
