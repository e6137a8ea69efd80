/** Chooses the mesh of a file that is cloth, by clicking it. */
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import "@babylonjs/core/Rendering/outlineRenderer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import * as BABYLON from "../babylon";
import type { Studio } from "./studio";
import type { Choice } from "./suggest";

const HINT = "Click the mesh that is to be cloth";

export class Chooser {
    private _isOn = false;
    private _under: Mesh | null = null;

    constructor(private readonly _studio: Studio) {}

    get isOn(): boolean {
        return this._isOn;
    }
    set isOn(value: boolean) {
        this._isOn = value;
        this._mark(null);
        if (value) this._studio.say(HINT, false);
        this._studio.onChange();
    }

    /** Goes on in the scene that is shown now. */
    follow(): void {
        this._under = null;
        const { scene } = this._studio.view;
        scene?.onPointerObservable.add(({ type }) => {
            if (!this._isOn) return;
            const chosen = this._choiceAt(scene);
            if (type === PointerEventTypes.POINTERMOVE) this._mark(chosen?.mesh ?? null);
            else if (type === PointerEventTypes.POINTERTAP && chosen) {
                this.isOn = false;
                this._studio.chooseMesh(chosen.label);
            }
        });
    }

    private _choiceAt(scene: BABYLON.Scene): Choice | undefined {
        const choices = [...this._studio.view.shown.values()].flatMap((shown) => shown.choices);
        const { pickedMesh } = scene.pick(scene.pointerX, scene.pointerY, (mesh) =>
            choices.some((choice) => choice.mesh === mesh && mesh.isEnabled()),
        );
        return choices.find(({ mesh }) => mesh === pickedMesh);
    }

    /** Shows the mesh under the pointer. */
    private _mark(mesh: Mesh | null): void {
        if (this._under === mesh) return;
        if (this._under && !this._under.isDisposed()) this._under.renderOverlay = false;
        this._under = mesh;
        if (!mesh) return;
        mesh.overlayColor = new BABYLON.Color3(1, 0.2, 0.9);
        mesh.overlayAlpha = 0.4;
        mesh.renderOverlay = true;
    }
}
