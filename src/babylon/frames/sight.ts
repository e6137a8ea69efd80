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
class Eye implements ICullable {
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
    sees(ball: Float64Array): boolean {
        const { planes } = this;
        for (let p = 0; p < planes.length; p++) {
            const { normal, d } = planes[p];
            if (normal.x * ball[0] + normal.y * ball[1] + normal.z * ball[2] + d < -ball[3]) return false;
        }
        return true;
    }
}

/**
 * What of a scene is seen in a frame: through its cameras, by their frustums and layer masks, and in render targets that have lists of
 * meshes (shadow maps, mirrors, probes). It is asked before Babylon chooses what it draws, so it reckons with balls that have room.
 * Where that cannot be told, everything is seen: without a camera, on an engine without a canvas, in a scene that does not clip or that
 * draws in another way.
 */
export class Sight {
    private readonly _eyes: Eye[] = [];
    private _eyeCount = 0;
    /** Whether everything counts as seen. */
    isTotal = true;
    /** Meshes that are asked for, and in which look a render target last had them on its list. */
    private readonly _listed = new Map<AbstractMesh, number>();
    private _look = 0;

    constructor(private readonly _scene: Scene) {}

    /** From now on it is told whether render targets draw a mesh. */
    watch(mesh: AbstractMesh): void {
        if (!this._listed.has(mesh)) this._listed.set(mesh, 0);
    }

    forget(mesh: AbstractMesh): void {
        this._listed.delete(mesh);
    }

    /** Looks anew, in a new frame. */
    look(): void {
        const { _scene: scene } = this;
        const { activeCamera, activeCameras } = scene;
        this._eyeCount = 0;
        for (let i = 0; activeCameras && i < activeCameras.length; i++) this._open(activeCameras[i]);
        if (this._eyeCount === 0 && activeCamera) this._open(activeCamera);
        const isCustom = Boolean((scene as unknown as CustomScene).customRenderFunction);
        const hasCanvas = Boolean(scene.getEngine().getRenderingCanvas());
        this.isTotal = this._eyeCount === 0 || isCustom || !hasCanvas || scene.skipFrustumClipping;
        if (!this.isTotal) this._readLists();
    }

    /** In a frame in which everything is to count as seen, and near. */
    lookEverywhere(): void {
        this._eyeCount = 0;
        this.isTotal = true;
    }

    /** Whether a mesh may be seen that is in a ball. @param ball world x y z and radius [m] */
    sees(mesh: Mesh, ball: Float64Array): boolean {
        if (this.isTotal || mesh.alwaysSelectAsActiveMesh || this._listed.get(mesh) === this._look) return true;
        for (let e = 0; e < this._eyeCount; e++) {
            const eye = this._eyes[e];
            if ((mesh.layerMask & eye.camera.layerMask) !== 0 && eye.sees(ball)) return true;
        }
        return false;
    }

    /** Writes how far the nearest camera is from the middle of a ball [m]; 0 where there is none: everything is seen then. */
    measure(ball: Float64Array, target: Float64Array): void {
        target[0] = this._eyeCount > 0 ? Infinity : 0;
        for (let e = 0; e < this._eyeCount; e++) {
            const { x, y, z } = this._eyes[e].camera.globalPosition;
            target[0] = Math.min(target[0], Math.hypot(x - ball[0], y - ball[1], z - ball[2]));
        }
    }

    private _open(camera: Camera): void {
        const { rigCameras } = camera;
        for (let i = 0; i < rigCameras.length; i++) this._open(rigCameras[i]);
        if (rigCameras.length > 0) return;
        const eye = (this._eyes[this._eyeCount++] ??= new Eye());
        eye.camera = camera;
        camera.getViewMatrix();
        camera.getProjectionMatrix();
        camera.isInFrustum(eye);
    }

    private _readLists(): void {
        this._look++;
        const { textures } = this._scene;
        for (let i = 0; i < textures.length; i++) {
            if (!textures[i].isRenderTarget) continue;
            const { renderList } = textures[i] as RenderTargetTexture;
            if (!renderList) continue;
            for (let m = 0; m < renderList.length; m++) {
                if (this._listed.has(renderList[m])) this._listed.set(renderList[m], this._look);
            }
        }
    }
}
