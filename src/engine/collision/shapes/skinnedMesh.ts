/**
 * Triangle mesh that bones carry (a *skin*): a mesh (mesh.ts) whose corners move in its frame. Within a step they go in straight lines; in
 * each substep what is known of particles is carried along by the triangles that it is near, and what touches them feels their motion.
 *
 *        ● ↑ n       →        ●
 *     ╲__╱╲___╱╲__        ___╱╲╱╲__     the place stays where it was over its triangle
 *
 * Data: SkinMeshLayout in kernels/meshLayout.ts; the vertices of a frame are shared, see skin.ts.
 */
import type { ContactArrays } from "../../../kernels/contactLayout";
import { MeshData, SkinBounds, SkinMemory, SkinStep, MeshNode, SkinMeshLayout } from "../../../kernels/meshLayout";
import { MAX_CARRIED_MOTION } from "../../tunables";
import type { Affine } from "../../math/affine";
import type { RenderMotion } from "../../state/renderState";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Clock } from "../../time/clock";
import type { Fabric } from "../../materials/fabric";
import { lengths, expandReach } from "../broadphase/bounds";
import { MeshColliderBase } from "./meshColliderBase";
import type { Arena } from "../../../kernels/arena";
import type { SkinMeshArrays } from "../../../kernels/meshLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { SkinnedPose } from "./skinnedPose";

const OWNED_ARRAYS = ["nodes", "nodeFloats", "triangles", "vertices", "from", "to", "step"];

/** The triangles of a skin as they are for one body. */
export class SkinnedTriangles extends ArenaStruct implements SkinMeshArrays {
    readonly nodeCount: number;
    readonly triangleCount: number;
    readonly vertexCount: number;
    nodes!: Uint32Array;
    nodeFloats!: Float32Array;
    triangles!: Float32Array;
    vertices!: Float32Array;
    from!: Float32Array;
    to!: Float32Array;
    step!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly skin: SkinnedPose,
        private readonly _collider: { readonly data: Float32Array },
    ) {
        super(SkinMeshLayout, OWNED_ARRAYS);
        const { next, ranges } = skin.plan;
        this.nodeCount = next.length;
        this.triangleCount = skin.triangleCount;
        this.vertexCount = skin.vertexCount;
        this._allocate(arena);
        for (let i = 0, o = 0; i < next.length; i++, o += MeshNode.count) {
            this.nodes[o + MeshNode.next] = next[i];
            this.nodes[o + MeshNode.triangles] = ranges[i];
        }
    }

    get data(): Float32Array {
        return this._collider.data;
    }

    get slotCount(): number {
        return this.data.length;
    }

    get corners(): Uint32Array {
        return this.skin.corners;
    }

    /** Begins where another is in its step: at its start (0), at its end (1), or between. */
    startFrom({ from, to }: SkinnedTriangles, share: number): void {
        for (let o = 0; o < from.length; o++) this.from[o] = from[o] + (to[o] - from[o]) * share;
    }
}

export class SkinnedMeshCollider extends MeshColliderBase {
    readonly mesh: SkinnedTriangles;
    override readonly isRigid = false;
    private readonly _skin: SkinnedPose;

    override get geometry(): object {
        return this._skin;
    }
    /** True if the vertices move in the present frame, in the present step, and in the one before. */
    private _movesInFrame = false;
    private _movesInStep = false;
    /** True if the vertices at the end of the present step, and of the last one, are computed; true if they are at the end. */
    private _isStepPosed = false;
    private _isEndKnown = false;
    private _isAtEnd = false;
    /** True if the next step starts at the frame's end. */
    private _isTeleported = true;
    /** The pose of the vertices that it has last taken. */
    private _lastPoseCount = 0;
    /** Fraction of the frame's motion at the end of the present step. */
    private _fraction = 1;
    /** Collider that this one copies for rendering, and the rendered fraction of that collider's last step. */
    private _owner: SkinnedMeshCollider | null = null;
    private _alpha = 0;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, particleCount: number, sides: number, skin: SkinnedPose) {
        super(arena, particleCount, SkinMemory.count, sides);
        this._skin = skin;
        try {
            this.mesh = new SkinnedTriangles(arena, skin, this);
        } catch (error) {
            super.release();
            throw error;
        }
        skin.addUser();
    }

    override release(): void {
        if (this.byteLength > 0) {
            this.mesh.release();
            this._skin.removeUser();
        }
        super.release();
    }

    protected override _updateSize(): void {
        this.size.set(this._stretch);
    }

    /** There is a new pose, of the mesh or of its bones. */
    protected override _onPoseChanged(): void {
        if (!this._hasSize) return;
        const { _skin: skin } = this;
        skin.pose(this.size);
        this._movesInFrame = skin.poseCount !== this._lastPoseCount && skin.motion > 0;
        this._lastPoseCount = skin.poseCount;
        this._innerMotion = this._movesInFrame ? skin.motion : 0;
        if (this._movesInFrame) this._trajectory.isMoving = true;
    }

    override holdPose(): void {
        super.holdPose();
        this._movesInFrame = false;
        this._innerMotion = 0;
    }

    override teleport(): void {
        super.teleport();
        this._isTeleported = true;
        this._movesInFrame = this._movesInStep = this._isEndKnown = this._isAtEnd = false;
    }

    /** Bones are not turned back: after a long way it stands in its new pose. */
    override dropMotion(carried: Affine, share: number): void {
        if (this._movesInFrame && share * this._innerMotion > MAX_CARRIED_MOTION) this.teleport();
        else super.dropMotion(carried, share);
    }

    override reset(): void {
        super.reset();
        if (this._skin.poseCount === 0) return;
        this._isTeleported = false;
        this._isEndKnown = true;
        this.mesh.to.set(this._skin.posed);
    }

    /** Advances the motion within its frame. */
    override teleportWithBody(): void {
        const { _movesInFrame: isPosing } = this;
        super.teleportWithBody();
        this._movesInFrame = isPosing;
        this._isTeleported = !isPosing;
    }

    protected override _writeDimensions(): void {
        super._writeDimensions();
        const { data, _extent: extent } = this;
        const { bounds: measure } = this._skin;
        let sum = 0;
        for (let c = 0; c < 3; c++) {
            const farthest = Math.max(Math.abs(measure[SkinBounds.minimum + c]), Math.abs(measure[SkinBounds.maximum + c]));
            // In the first step in which it is near, it may come as far again.
            extent[c] = farthest + measure[SkinBounds.motion];
            sum += extent[c];
        }
        data[MeshData.size] = 8 * sum;
    }

    /** Turned in any way. */
    protected override expandReach(reach: Float64Array): void {
        const { _extent: extent } = this;
        lengths[0] = extent[0] + extent[1] + extent[2];
        expandReach(reach);
    }

    override measureRenderLag(motion: RenderMotion, target: Float64Array): void {
        super.measureRenderLag(motion, target);
        if (this._movesInStep) target[0] += 2 * this._skin.motion;
    }

    override placeRenderCopy(motion: RenderMotion): void {
        super.placeRenderCopy(motion);
        const ghost = this.renderCopy as SkinnedMeshCollider | null;
        if (!ghost) return;
        ghost._owner = this;
        ghost._alpha = motion.alpha;
        ghost._movesInStep = this._movesInStep;
        ghost._isStepPosed = false;
    }

    override beginStep(clock: Pick<Clock, "fraction">): void {
        super.beginStep(clock);
        if (this._isTeleported) this._movesInFrame = false;
        this._isTeleported = false;
        // What ends within a frame's motion goes on in the next step.
        const goesOn = this._movesInStep && this._fraction < 1;
        if (this._movesInStep && !this._isStepPosed) this._isEndKnown = this._isAtEnd = false;
        this._movesInStep = this._movesInFrame || goesOn;
        this._fraction = this._movesInFrame ? clock.fraction : 1;
        this._isStepPosed = false;
    }

    override moveTo(done: number, count: number, fabric: Fabric): void {
        const { step } = this.mesh;
        step[SkinStep.share] = done / count;
        step[SkinStep.substepShare] = 1 / count;
        super.moveTo(done, count, fabric);
        if (!this._movesInStep) return;
        this._trajectory.isMoving = true;
        this._stepsAtRest = 0;
    }

    override prepareContacts(kernels: Kernels): void {
        if (this._isAtEnd && !this._movesInStep) return;
        if (!this._isStepPosed) this._poseStep(kernels);
        kernels.advanceSkin(this.mesh);
        this._isAtEnd = !this._movesInStep || this.mesh.step[SkinStep.share] === 1;
    }

    override shiftParticles(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays, share: number): void {
        if (!this._movesInStep) return;
        this.mesh.step[SkinStep.sign] = share;
        kernels.shiftWithSkin(particles, this.mesh, contacts);
    }

    /** Tells where the vertices begin and end in the present step. */
    private _poseStep(kernels: Kernels): void {
        const { mesh, _skin: skin, _owner: owner } = this;
        if (owner?._isStepPosed) mesh.startFrom(owner.mesh, this._alpha);
        else if (this._isEndKnown) mesh.from.set(mesh.to);
        else mesh.from.set(this._movesInFrame ? skin.posedBefore : skin.posed);
        mesh.step[SkinStep.fraction] = this._fraction;
        kernels.stepSkin(mesh);
        this._isStepPosed = this._isEndKnown = true;
    }
}
