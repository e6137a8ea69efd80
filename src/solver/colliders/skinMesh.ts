/**
 * Triangle mesh that bones carry (a *skin*): a mesh (mesh.ts) whose corners move in its frame. Within a step they go in straight lines; in
 * each substep what is known of particles is carried along by the triangles that it is near, and what touches them feels their motion.
 *
 *        ● ↑ n       →        ●
 *     ╲__╱╲___╱╲__        ___╱╲╱╲__     the place stays where it was over its triangle
 *
 * Data: SkinMeshLayout in kernels/meshLayout.ts; the vertices of a frame are shared, see skin.ts.
 */
import type { Arena } from "../../kernels/arena";
import type { ContactArrays } from "../../kernels/contactLayout";
import { MeshData, SkinMeasure, SkinPlace, SkinStep } from "../../kernels/meshLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import type { Clock } from "../time/clock";
import type { Fabric } from "../materials/fabric";
import { lengths, widenAll } from "./bounds";
import { MeshSolid } from "./meshSolid";
import type { PosedSkin } from "./posedSkin";
import { SkinTriangles } from "./skinTriangles";

export class SkinMeshCollider extends MeshSolid {
    readonly mesh: SkinTriangles;
    override readonly isRigid = false;
    private readonly _skin: PosedSkin;

    override get form(): object {
        return this._skin;
    }
    /** Whether the vertices move in the present frame, in the present step, and in the one before. */
    private _isPosing = false;
    private _isStepPosing = false;
    /** Whether it is known where the vertices end in the present step, and in the last one; whether they are at the end. */
    private _isStepped = false;
    private _isEndKnown = false;
    private _isAtEnd = false;
    /** Whether it stands, in the step to come, where its frame ends. */
    private _isPut = true;
    /** The pose of the vertices that it has last taken. */
    private _seen = 0;
    /** Where in the motion of the frame the present step ends. */
    private _fraction = 1;
    /** Whose ghost it is, and where in the last step of that the picture stands. */
    private _owner: SkinMeshCollider | null = null;
    private _alpha = 0;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, particleCount: number, sides: number, skin: PosedSkin) {
        super(arena, particleCount, SkinPlace.count, sides);
        this._skin = skin;
        try {
            this.mesh = new SkinTriangles(arena, skin, this);
        } catch (error) {
            super.release();
            throw error;
        }
        skin.hold();
    }

    override release(): void {
        if (this.byteLength > 0) {
            this.mesh.release();
            this._skin.letGo();
        }
        super.release();
    }

    protected override _takeSize(): void {
        this.size.set(this._stretch);
    }

    /** There is a new pose, of the mesh or of its bones. */
    protected override _comeNear(): void {
        if (!this._hasSize) return;
        const { _skin: skin } = this;
        skin.pose(this.size);
        this._isPosing = skin.poses !== this._seen && skin.motion > 0;
        this._seen = skin.poses;
        this._within = this._isPosing ? skin.motion : 0;
        if (this._isPosing) this._trajectory.isMoving = true;
    }

    override stay(): void {
        super.stay();
        this._isPosing = false;
        this._within = 0;
    }

    override teleport(): void {
        super.teleport();
        this._isPut = true;
        this._isPosing = this._isStepPosing = this._isEndKnown = this._isAtEnd = false;
    }

    override reset(): void {
        super.reset();
        if (this._skin.poses === 0) return;
        this._isPut = false;
        this._isEndKnown = true;
        this.mesh.to.set(this._skin.posed);
    }

    /** What moves within its frame goes on to. */
    override comeAlong(): void {
        const { _isPosing: isPosing } = this;
        super.comeAlong();
        this._isPosing = isPosing;
        this._isPut = !isPosing;
    }

    protected override _writeDimensions(): void {
        super._writeDimensions();
        const { data, _extent: extent } = this;
        const { measure } = this._skin;
        let sum = 0;
        for (let c = 0; c < 3; c++) {
            const farthest = Math.max(Math.abs(measure[SkinMeasure.minimum + c]), Math.abs(measure[SkinMeasure.maximum + c]));
            // In the first step in which it is near, it may come as far again.
            extent[c] = farthest + measure[SkinMeasure.motion];
            sum += extent[c];
        }
        data[MeshData.size] = 8 * sum;
    }

    /** Turned in any way. */
    protected override widen(reach: Float64Array): void {
        const { _extent: extent } = this;
        lengths[0] = extent[0] + extent[1] + extent[2];
        widenAll(reach);
    }

    override measureFromPicture(alpha: number, lag: Float64Array, target: Float64Array): void {
        super.measureFromPicture(alpha, lag, target);
        if (this._isStepPosing) target[0] += 2 * this._skin.motion;
    }

    override sendGhost(alpha: number, lag: Float64Array): void {
        super.sendGhost(alpha, lag);
        const ghost = this.ghost as SkinMeshCollider | null;
        if (!ghost) return;
        ghost._owner = this;
        ghost._alpha = alpha;
        ghost._isStepPosing = this._isStepPosing;
        ghost._isStepped = false;
    }

    override beginStep(clock: Pick<Clock, "fraction">): void {
        super.beginStep(clock);
        if (this._isPut) this._isPosing = false;
        this._isPut = false;
        // What ends within a frame's motion goes on in the next step.
        const goesOn = this._isStepPosing && this._fraction < 1;
        if (this._isStepPosing && !this._isStepped) this._isEndKnown = this._isAtEnd = false;
        this._isStepPosing = this._isPosing || goesOn;
        this._fraction = this._isPosing ? clock.fraction : 1;
        this._isStepped = false;
    }

    override moveTo(done: number, count: number, fabric: Fabric): void {
        const { step } = this.mesh;
        step[SkinStep.share] = done / count;
        step[SkinStep.substepShare] = 1 / count;
        super.moveTo(done, count, fabric);
        if (!this._isStepPosing) return;
        this._trajectory.isMoving = true;
        this._stepsAtRest = 0;
    }

    override approach(kernels: Kernels): void {
        if (this._isAtEnd && !this._isStepPosing) return;
        if (!this._isStepped) this._takeStep(kernels);
        kernels.carrySkin(this.mesh);
        this._isAtEnd = !this._isStepPosing || this.mesh.step[SkinStep.share] === 1;
    }

    override takeAlong(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays, share: number): void {
        if (!this._isStepPosing) return;
        this.mesh.step[SkinStep.sign] = share;
        kernels.shiftBySkin(particles, this.mesh, contacts);
    }

    /** Tells where the vertices begin and end in the present step. */
    private _takeStep(kernels: Kernels): void {
        const { mesh, _skin: skin, _owner: owner } = this;
        if (owner?._isStepped) mesh.begin(owner.mesh, this._alpha);
        else if (this._isEndKnown) mesh.from.set(mesh.to);
        else mesh.from.set(this._isPosing ? skin.posedBefore : skin.posed);
        mesh.step[SkinStep.fraction] = this._fraction;
        kernels.stepSkin(mesh);
        this._isStepped = this._isEndKnown = true;
    }
}
