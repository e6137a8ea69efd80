import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { finiteVector } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import { makeNode } from "../builders/babylonObjects";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import type { Pin } from "../pins/pinHold";

/** The hand comes after what moves it with this delay [s]: pointers move in jumps, and what is let go keeps the speed it has. */
const LAG_SECONDS = 0.02;
/** By how much the hand's pace changes in a frame where cloth is slack or taut, and its slowest a frame, as a share of the cloth's size. */
const SPEEDUP = 1.5;
const SLOWDOWN = 0.5;
const MIN_STEP_SHARE = 1e-3;

/** A cloth in a hand; made by {@link ClothPicker}. */
export class ClothGrip {
    /** Cloth in the grip. */
    readonly cloth: ClothBehavior;
    readonly mesh: Mesh;
    /** Target of the hand, world space [m]. */
    private readonly _target: number[];
    private readonly _node: TransformNode;
    private readonly _pin: Pin;
    /** Largest step of the hand in a frame [m]. */
    private _maxStep = 0;
    /** Stretch of the cloth when it was taken. */
    private readonly _stretchBefore: number;

    /**
     * @param point where it takes hold, world space [m]
     * @param radius of what it holds [m]; the nearest particle at least
     * @param carrier a node that carries the hand; null: {@link moveTo} does
     * @param _size of the cloth [m]
     * @param _maxStretch see {@link ClothPickerOptions}
     * @internal
     */
    constructor(
        cloth: ClothBehavior,
        point: VectorLike,
        radius: number,
        carrier: TransformNode | null,
        private readonly _size: number,
        private readonly _maxStretch: number,
    ) {
        this.cloth = cloth;
        this.mesh = cloth.attachedNode!;
        this._stretchBefore = cloth.stats.maxStretch;
        this._target = [point.x, point.y, point.z];
        this._node = makeNode("cloth hand", this.mesh, 0, 0, 0);
        this._node.parent = carrier;
        // Files are written as if there were no hand.
        this._node.doNotSerialize = true;
        this._node.setAbsolutePosition(this._node.position.clone().set(point.x, point.y, point.z));
        this._pin = cloth.pin(verticesNear(cloth, point, radius), this._node);
    }

    /** Position of the hand, world space [m]. */
    get point(): VectorLike {
        return this._node.getAbsolutePosition();
    }

    /** True if it still holds a particle. */
    get isHolding(): boolean {
        return this._pin.particleCount > 0 && (runtimeOf(this.cloth)!.pins as readonly Pin[]).includes(this._pin);
    }

    /** Moves the hand. It follows no further than the cloth stretches by. @param point world space [m] */
    moveTo(point: VectorLike): void {
        finiteVector("ClothGrip", "moveTo(point)", point);
        this._target.splice(0, 3, point.x, point.y, point.z);
    }

    /** Lets go: the cloth keeps the speed that it has. Idempotent. */
    release(): void {
        this.cloth.unpin(this._pin);
        this._node.dispose();
    }

    /** A frame passes. @internal */
    _update(seconds: number): void {
        if (this._node.parent || this._node.isDisposed()) return;
        const { position } = this._node;
        const share = 1 - Math.exp(-seconds / LAG_SECONDS);
        const step = [position.x, position.y, position.z].map((now, c) => (this._target[c] - now) * share);
        const [x, y, z] = this._maxStretch < Infinity ? this._limitStep(step) : step;
        position.set(position.x + x, position.y + y, position.z + z);
    }

    /**
     * Limits a step of the hand to one that the cloth can follow. That shows only afterwards: while the cloth is slack the hand may go faster and faster; when
     * it is stretched too far, the hand goes back, and on slowly.
     */
    private _limitStep(step: readonly number[]): readonly number[] {
        const far = Math.hypot(...step);
        if (far === 0) return step;
        const most = this._maxStretch + this._stretchBefore;
        const stretch = this.cloth.stats.maxStretch;
        const least = MIN_STEP_SHARE * this._size;
        if (stretch > most) {
            const back = -Math.min(1, this._maxStep / far) * Math.min(1, stretch / most - 1);
            this._maxStep = Math.max(least, this._maxStep * SLOWDOWN);
            return step.map((s) => s * back);
        }
        if (stretch < most / 2) this._maxStep *= SPEEDUP;
        this._maxStep = Math.min(Math.max(this._maxStep, least), Math.max(far, least));
        const share = Math.min(1, this._maxStep / far);
        return step.map((s) => s * share);
    }
}

/** Vertices of the particles within a radius of a point, world space [m]; at least of the nearest. */
function verticesNear(cloth: ClothBehavior, point: VectorLike, radius: number): number[] {
    const x = cloth.getParticlePositions();
    const squares = Float64Array.from({ length: x.length / 3 }, (_, i) => {
        return (x[3 * i] - point.x) ** 2 + (x[3 * i + 1] - point.y) ** 2 + (x[3 * i + 2] - point.z) ** 2;
    });
    const most = Math.max(
        radius * radius,
        squares.reduce((least, square) => Math.min(least, square), Infinity),
    );
    const vertices: number[] = [];
    const count = [cloth.attachedNode!, ...cloth.parts].reduce((sum, mesh) => sum + mesh.getTotalVertices(), 0);
    for (let v = 0; v < count; v++) if (squares[cloth.particleOfVertex(v)] <= most) vertices.push(v);
    return vertices;
}
