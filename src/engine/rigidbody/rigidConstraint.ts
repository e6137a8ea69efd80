/** The six sticks of a rigid body, solved all at once, and the points that are embedded in it: engine/rigidbody/rigidMotion.ts. */
import { MIN_LOAD_ACCELERATION } from "../tunables";
import type { Arena } from "../../kernels/arena";
import { ROW } from "../../kernels/layout";
import { solveRigidConstraint } from "./rigidMotion";
import { RigidBodyLayout, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { ArenaStruct } from "../memory/arenaArrays";
import { PinConstraints } from "./pinConstraints";
import type { PinSet } from "../attachments/pinSet";
import type { BodyState } from "../state/state";
import type { RigidBodySettings } from "./rigidBodyMaterial";
import { massOf } from "./rigidBodyMaterial";
import type { Constraint } from "../state/constraint";
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

export class RigidConstraint extends ArenaStruct implements RigidBodyArrays, Constraint {
    readonly name = "sixSticks";
    readonly count = 6;
    readonly particleCount: number;
    readonly paddedCount: number;
    locals!: Float32Array;
    pose!: Float32Array;
    memory!: Float32Array;
    private readonly _pinConstraints: PinConstraints;

    /**
     * @param rest simulation space [m], shape [particleCount, 3]: the four particles, then points
     * @param _supportedLoad see SolverBody.supportedLoad
     * @param _solveQueue of the bodies that it goes with
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly particles: BodyState,
        rest: Float32Array,
        private readonly _supportedLoad: () => ArrayLike<number>,
        private readonly _solveQueue: RigidSolveQueue,
    ) {
        super(RigidBodyLayout, ["locals", "pose", "memory"]);
        this.particleCount = particles.particleCount;
        this.paddedCount = particles.paddedCount;
        this._allocate(arena);
        this._computeLocals(rest);
        this._pinConstraints = new PinConstraints(this);
    }

    /** Finds radii, and the places of all along the axes. */
    private _computeLocals(rest: Float32Array): void {
        const { pose, locals } = this;
        const corner = (i: number, c: number): number => rest[3 * i + c];
        const axes = [0, 1, 2].map((axis) =>
            [0, 1, 2].map((c) => {
                const [a, b] = [1, 2, 3].filter((i) => i !== axis + 1);
                return (corner(0, c) + corner(axis + 1, c) - corner(a, c) - corner(b, c)) / 4;
            }),
        );
        const lengths = axes.map(([x, y, z]) => Math.sqrt(x * x + y * y + z * z));
        pose.set(lengths, RigidBodyPose.radii);
        const centre = [0, 1, 2].map((c) => (corner(0, c) + corner(1, c) + corner(2, c) + corner(3, c)) / 4);
        for (let i = 0; i < this.particleCount; i++)
            for (let axis = 0; axis < 3; axis++) {
                let sum = 0;
                for (let c = 0; c < 3; c++) sum += ((corner(i, c) - centre[c]) * axes[axis][c]) / lengths[axis];
                locals[ROW * i + axis] = sum;
            }
    }

    /** Has pins hold points. */
    setPinConstraints(pins: readonly PinSet[]): void {
        const { locals } = this;
        for (let i = 0; i < this.particleCount; i++) locals[ROW * i + 3] = 0;
        for (const particle of this._pinConstraints.update(pins)) locals[ROW * particle + 3] = 1;
    }

    prepare(_state: BodyState, settings: RigidBodySettings, substep: number): void {
        const { pose, _pinConstraints: holds } = this;
        const mass = massOf(settings.body);
        holds.resetMasses(mass);
        const supportedLoad = this._supportedLoad();
        pose[RigidBodyPose.inverseMass] = 1 / mass;
        for (let axis = 0; axis < 3; axis++) {
            let sum = 0;
            for (let other = 0; other < 3; other++) if (other !== axis) sum += pose[RigidBodyPose.radii + other] ** 2;
            const least = MIN_LOAD_ACCELERATION * supportedLoad[axis] * substep * substep;
            pose[RigidBodyPose.inverseInertia + axis] = 1 / Math.max(mass * sum, least);
        }
    }

    project(kernels: KernelFunctions): void {
        const { _pinConstraints: holds } = this;
        holds.finishRecords();
        if (holds.pinCount > 0) solveRigidConstraint(this, holds);
        else this._solveQueue.solve(kernels, this);
        holds.endSubstep();
    }

    measureStretch(): void {}
}
