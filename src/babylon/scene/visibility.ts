import type { Camera } from "@babylonjs/core/Cameras/camera";
import type { ICullable } from "@babylonjs/core/Culling/boundingInfo";
import type { RenderTargetTexture } from "@babylonjs/core/Materials/Textures/renderTargetTexture";
import type { Plane } from "@babylonjs/core/Maths/math.plane";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";

/** Internals of a scene: what draws it instead of Babylon's own passes, such as a frame graph. */
interface CustomScene {
    readonly customRenderFunction?: unknown;
}

/** A camera's view in the present frame. */
class CameraView implements ICullable {
    camera!: Camera;
    /** Babylon's own, written anew as the camera moves. */
    planes: readonly Plane[] = [];

    /** Asked by {@link Camera.isInFrustum} with the planes of its frustum. */
    isInFrustum(planes: Plane[]): boolean {
        this.planes = planes;
        return true;
    }

    isCompletelyInFrustum(planes: Plane[]): boolean {
        return this.isInFrustum(planes);
    }

    /** @param ball x y z and radius */
    intersectsSphere(ball: Float64Array): boolean {
        const { planes } = this;
        for (let p = 0; p < planes.length; p++) {
            const { normal, d } = planes[p];
            if (normal.x * ball[0] + normal.y * ball[1] + normal.z * ball[2] + d < -ball[3]) return false;
        }
        return true;
    }
}

/**
 * Visibility in a frame: through a scene's cameras, by their frustums and layer masks, and in render targets that have lists of meshes (shadow maps, mirrors,
 * probes). It is asked before Babylon culls, so it uses bounding spheres with a margin. All counts as seen if that cannot be told: without a camera, on an
 * engine without a canvas, in a scene that does not clip or that draws in another way.
 */
export class Visibility {
    private readonly _views: CameraView[] = [];
    private _viewCount = 0;
    /** True if everything counts as seen. */
    isEverythingVisible = true;
    /** Meshes that are asked for, and in which look a render target last had them on its list. */
    private readonly _renderListFrames = new Map<AbstractMesh, number>();
    private _frame = 0;

    constructor(private readonly _scene: Scene) {}

    /** From now on it is told whether render targets draw a mesh. */
    track(mesh: AbstractMesh): void {
        if (!this._renderListFrames.has(mesh)) this._renderListFrames.set(mesh, 0);
    }

    untrack(mesh: AbstractMesh): void {
        this._renderListFrames.delete(mesh);
    }

    /** Looks anew, in a new frame. */
    update(): void {
        const { _scene: scene } = this;
        const { activeCamera, activeCameras } = scene;
        this._viewCount = 0;
        for (let i = 0; activeCameras && i < activeCameras.length; i++) this._addCamera(activeCameras[i]);
        if (this._viewCount === 0 && activeCamera) this._addCamera(activeCamera);
        const isCustom = Boolean((scene as unknown as CustomScene).customRenderFunction);
        const hasCanvas = Boolean(scene.getEngine().getRenderingCanvas());
        this.isEverythingVisible = this._viewCount === 0 || isCustom || !hasCanvas || scene.skipFrustumClipping;
        if (!this.isEverythingVisible) this._readRenderLists();
    }

    /** In a frame in which everything is to count as seen, and near. */
    showEverything(): void {
        this._viewCount = 0;
        this.isEverythingVisible = true;
    }

    /** True if a mesh within a bounding sphere may be seen. @param ball world x y z and radius [m] */
    isVisible(mesh: Mesh, ball: Float64Array): boolean {
        if (this.isEverythingVisible || mesh.alwaysSelectAsActiveMesh || this._renderListFrames.get(mesh) === this._frame)
            return true;
        for (let e = 0; e < this._viewCount; e++) {
            const view = this._views[e];
            if ((mesh.layerMask & view.camera.layerMask) !== 0 && view.intersectsSphere(ball)) return true;
        }
        return false;
    }

    /** Writes how far the nearest camera is from the middle of a ball [m]; 0 where there is none: everything is seen then. */
    measureDistance(ball: Float64Array, target: Float64Array): void {
        target[0] = this._viewCount > 0 ? Infinity : 0;
        for (let e = 0; e < this._viewCount; e++) {
            const { x, y, z } = this._views[e].camera.globalPosition;
            target[0] = Math.min(target[0], Math.hypot(x - ball[0], y - ball[1], z - ball[2]));
        }
    }

    private _addCamera(camera: Camera): void {
        const { rigCameras } = camera;
        for (let i = 0; i < rigCameras.length; i++) this._addCamera(rigCameras[i]);
        if (rigCameras.length > 0) return;
        const view = (this._views[this._viewCount++] ??= new CameraView());
        view.camera = camera;
        camera.getViewMatrix();
        camera.getProjectionMatrix();
        camera.isInFrustum(view);
    }

    private _readRenderLists(): void {
        this._frame++;
        const { textures } = this._scene;
        for (let i = 0; i < textures.length; i++) {
            if (!textures[i].isRenderTarget) continue;
            const { renderList } = textures[i] as RenderTargetTexture;
            if (!renderList) continue;
            for (let m = 0; m < renderList.length; m++) {
                if (this._renderListFrames.has(renderList[m])) this._renderListFrames.set(renderList[m], this._frame);
            }
        }
    }
}
