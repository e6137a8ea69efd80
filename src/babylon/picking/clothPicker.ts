import type { PickingInfo } from "@babylonjs/core/Collisions/pickingInfo";
import type { Ray } from "@babylonjs/core/Culling/ray";
import type { PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import type { Camera } from "@babylonjs/core/Cameras/camera";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { boolean, finiteVector, knownOptions, nonNegative, positive, reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import { checkScene } from "../support/validation";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { carrierOf } from "../support/carriers";
import { ClothGrip } from "./grip";
import { observeControllers } from "./xrHands";
import type { XRHands } from "./xrHands";

/** Options of {@link ClothPicker}. */
export interface ClothPickerOptions {
    /** Radius of what a hand holds, as a share of the diagonal of the mesh's bounding box, >= 0; one particle at least. Default 0.03. */
    radius?: number;
    /** Largest stretch of an edge, beyond what there was, at which the hand lags behind what moves it, > 0; Infinity: never. Default 0.1. */
    maxStretch?: number;
    /** True if a camera that the pointer moves waits while the pointer holds cloth. Default true. */
    holdsCamera?: boolean;
}

/** A place of a cloth that a pointer is at. */
export interface ClothHover {
    readonly cloth: ClothBehavior;
    /** World space [m]. */
    readonly point: VectorLike;
}

const OWNER = "ClothPicker";
/** Babylon's PointerEventTypes. */
const [DOWN, UP, MOVE] = [1, 2, 4];

/**
 * Lets users take hold of the cloths of a scene: by mouse and touch, and by XR controllers.
 *
 *     const picker = new ClothPicker(scene);
 *     picker.addXR(xr.input);
 *
 * A pointer that goes down on cloth holds what is around that place and drags it, in the plane that faces the camera; each finger for itself.
 * What it lets go keeps its speed. Needs Babylon's picking: `import "@babylonjs/core/Culling/ray"`.
 */
export class ClothPicker {
    /** A pointer has come to another cloth, or to none (null). While someone listens, the scene is picked at each move. */
    readonly onHoverObservable = new Observable<ClothHover | null>();
    /** A hand has taken hold. */
    readonly onGrabObservable = new Observable<ClothGrip>();
    /** A hand has let go. */
    readonly onReleaseObservable = new Observable<ClothGrip>();
    private readonly _options: Required<ClothPickerOptions>;
    private readonly _grips = new Set<ClothGrip>();
    private readonly _byPointer = new Map<number, { readonly grip: ClothGrip; readonly normal: VectorLike }>();
    private readonly _disposers: (() => void)[] = [];
    private _camera: Camera | null = null;
    private _hovered: ClothBehavior | null = null;
    private _enabled = true;

    /** @throws RangeError on what is no scene, an unknown option or a value out of range */
    constructor(
        readonly scene: Scene,
        options: ClothPickerOptions = {},
    ) {
        checkScene(OWNER, scene);
        knownOptions(OWNER, options, ["radius", "maxStretch", "holdsCamera"]);
        const { radius = 0.03, maxStretch = 0.1, holdsCamera = true } = options;
        this._options = {
            radius: nonNegative(OWNER, "radius", radius),
            maxStretch: maxStretch === Infinity ? maxStretch : positive(OWNER, "maxStretch", maxStretch),
            holdsCamera: boolean(OWNER, "holdsCamera", holdsCamera),
        };
        const frame = scene.onBeforeRenderObservable.add(() => this._updateGrips());
        const pointer = scene.onPointerObservable.add((info) => this._onPointer(info));
        const gone = scene.onDisposeObservable.add(() => this.dispose());
        this._disposers.push(() => {
            scene.onBeforeRenderObservable.remove(frame);
            scene.onPointerObservable.remove(pointer);
            scene.onDisposeObservable.remove(gone as Observer<Scene>);
        });
    }

    /** False lets all go, and takes no new hold. Default true. */
    get enabled(): boolean {
        return this._enabled;
    }
    set enabled(value: boolean) {
        this._enabled = boolean(OWNER, "enabled", value);
        if (!value) this._releaseAll();
    }

    /** Grips of the moment. */
    get grips(): readonly ClothGrip[] {
        return [...this._grips];
    }

    /**
     * Takes hold of a cloth, for hands of your own.
     * @param point world space [m]
     * @param carrier a node that carries the hand; left out: {@link ClothGrip.moveTo} does
     * @returns null where the cloth is on no mesh, or the picker not {@link enabled}
     * @throws RangeError on what is no cloth, a point that is not finite, or a carrier that is none
     */
    grab(cloth: ClothBehavior, point: VectorLike, carrier: TransformNode | null = null): ClothGrip | null {
        if (!runtimeOf(cloth)) reject(OWNER, "grab(cloth)", "a ClothBehavior", cloth);
        finiteVector(OWNER, "grab(point)", point);
        if (carrier !== null && !carrierOf(carrier)) reject(OWNER, "grab(carrier)", "a TransformNode", carrier);
        const mesh = cloth.attachedNode;
        if (!mesh || !this._enabled) return null;
        const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
        const size = maximumWorld.subtract(minimumWorld).length();
        const { radius, maxStretch } = this._options;
        const grip = new ClothGrip(cloth, point, radius * size, carrier, size, maxStretch);
        this._grips.add(grip);
        this.onGrabObservable.notifyObservers(grip);
        return grip;
    }

    /** Lets go of what a hand holds. Idempotent. */
    release(grip: ClothGrip): void {
        if (!this._grips.delete(grip)) return;
        grip.release();
        for (const [pointer, held] of this._byPointer) if (held.grip === grip) this._byPointer.delete(pointer);
        if (this._byPointer.size === 0) this._releaseCamera();
        this.onReleaseObservable.notifyObservers(grip);
    }

    /**
     * Hands of an XR session: its controllers hold, with their main button, what they point at or touch. @param input `xr.input` of a
     * WebXRDefaultExperience
     */
    addXR(input: XRHands): void {
        this._disposers.push(observeControllers(input, this));
    }

    /** The cloth that a ray meets first, and where. */
    pick(ray: Ray): ClothHover | null {
        return this._hoverOf(this.scene.pickWithRay(ray));
    }

    /** Lets all go and ends. Idempotent. */
    dispose(): void {
        this._releaseAll();
        for (const end of this._disposers.splice(0)) end();
    }

    private _releaseAll(): void {
        for (const grip of [...this._grips]) this.release(grip);
    }

    private _updateGrips(): void {
        const seconds = this.scene.getEngine().getDeltaTime() / 1000;
        for (const grip of this._grips) {
            if (grip.isHolding) grip._update(seconds);
            else this.release(grip);
        }
    }

    private _onPointer({ type, event, pickInfo }: PointerInfo): void {
        if (!this._enabled) return;
        const { pointerId } = event as PointerEvent;
        if (type === DOWN && event.button === 0) this._down(pointerId, this._hoverOf(pickInfo));
        const held = this._byPointer.get(pointerId);
        if (type === UP && event.button === 0 && held) this.release(held.grip);
        if (type !== MOVE) return;
        if (held) this._drag(held.grip, held.normal);
        else if (this.onHoverObservable.hasObservers()) this._hover(this._hoverOf(pickInfo));
    }

    private _down(pointerId: number, hover: ClothHover | null): void {
        const grip = hover && this.grab(hover.cloth, hover.point);
        if (!grip) return;
        const { x, y, z } = this._pickingCamera.getForwardRay().direction;
        this._byPointer.set(pointerId, { grip, normal: { x, y, z } });
        this._holdCamera();
    }

    /** Moves a hand to where the pointer's ray meets the plane through it that faces the camera. */
    private _drag(grip: ClothGrip, n: VectorLike): void {
        const { scene } = this;
        const { origin: o, direction: d } = scene.createPickingRay(scene.pointerX, scene.pointerY, null, this._pickingCamera);
        const p = grip.point;
        const towards = d.x * n.x + d.y * n.y + d.z * n.z;
        const away = (p.x - o.x) * n.x + (p.y - o.y) * n.y + (p.z - o.z) * n.z;
        const t = away / towards;
        if (t > 0 && t < Infinity) grip.moveTo({ x: o.x + t * d.x, y: o.y + t * d.y, z: o.z + t * d.z });
    }

    private _hover(hover: ClothHover | null): void {
        const cloth = hover?.cloth ?? null;
        if (cloth === this._hovered) return;
        this._hovered = cloth;
        this.onHoverObservable.notifyObservers(hover);
    }

    private _hoverOf(info: PickingInfo | null): ClothHover | null {
        const cloth = info?.hit && info.pickedPoint ? clothOf(info.pickedMesh) : null;
        return cloth && { cloth, point: info!.pickedPoint! };
    }

    /** The camera that the pointer moves waits. */
    private _holdCamera(): void {
        const camera = this._pickingCamera;
        if (!this._options.holdsCamera || this._camera || !camera.inputs?.attachedToElement) return;
        this._camera = camera;
        camera.detachControl();
    }

    private _releaseCamera(): void {
        const camera = this._camera;
        this._camera = null;
        if (camera && !camera.isDisposed()) camera.attachControl(camera.inputs.noPreventDefault);
    }

    /** The camera by which pointers pick; there is one where they have picked anything. */
    private get _pickingCamera(): Camera {
        return this.scene.cameraToUseForPointers ?? this.scene.activeCamera!;
    }
}

/** The cloth on a mesh, or whose part it is; null: it has none. */
function clothOf(mesh: AbstractMesh | null): ClothBehavior | null {
    for (const each of mesh ? [mesh, ...mesh.getScene().meshes] : []) {
        const cloth = each.getBehaviorByName("Cloth");
        const instance = cloth && runtimeOf(cloth)?.instance;
        if (instance && (each === mesh || instance.binding.parts?.meshes.includes(mesh as Mesh)))
            return cloth as unknown as ClothBehavior;
    }
    return null;
}
