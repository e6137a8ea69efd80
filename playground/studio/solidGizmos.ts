/** Chooses one of a document's solids by clicking it, and moves it by arrows. Babylon's gizmos are loaded with the first solid. */
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import type { PositionGizmo } from "@babylonjs/core/Gizmos/positionGizmo";
import type { UtilityLayerRenderer } from "@babylonjs/core/Rendering/utilityLayerRenderer";
import type { Solid } from "./solids";
import type { Studio } from "./studio";

export class SolidGizmos {
    private _chosen: number | null = null;
    private _layer: UtilityLayerRenderer | null = null;
    private _gizmo: PositionGizmo | null = null;

    constructor(private readonly _studio: Studio) {}

    /** Number of the chosen solid; null: none. */
    get chosen(): number | null {
        return this._chosen !== null && this._chosen < this._studio.document.solids.length ? this._chosen : null;
    }
    set chosen(value: number | null) {
        this._chosen = value;
        this._attach();
        this._studio.onChange();
    }

    /** Goes on in the scene that is shown now. */
    follow(): void {
        // The scene before has disposed of its own.
        this._layer = this._gizmo = null;
        const { scene } = this._studio.view;
        scene?.onPointerObservable.add(() => {
            const meshes = this._meshes();
            const { pickedMesh } = scene.pick(scene.pointerX, scene.pointerY);
            const place = meshes.findIndex((mesh) => mesh === pickedMesh);
            if (place >= 0 && place !== this.chosen) this.chosen = place;
        }, PointerEventTypes.POINTERTAP);
        void this._begin();
    }

    private _meshes() {
        return this._studio.view.shown.get("a")?.solids ?? [];
    }

    private async _begin(): Promise<void> {
        const { scene } = this._studio.view;
        if (!scene || this._meshes().length === 0) return;
        const [{ PositionGizmo }, { UtilityLayerRenderer }] = await Promise.all([
            import("@babylonjs/core/Gizmos/positionGizmo"),
            import("@babylonjs/core/Rendering/utilityLayerRenderer"),
        ]);
        if (scene.isDisposed || scene !== this._studio.view.scene || this._layer) return;
        this._layer = new UtilityLayerRenderer(scene);
        this._gizmo = new PositionGizmo(this._layer);
        this._gizmo.onDragObservable.add(() => this._take());
        this._gizmo.onDragEndObservable.add(() => this._studio.history.endStroke());
        this._attach();
    }

    private _attach(): void {
        const { chosen } = this;
        if (this._gizmo) this._gizmo.attachedMesh = chosen === null ? null : (this._meshes()[chosen] ?? null);
    }

    /** Takes the place of the mesh that is dragged into the document. */
    private _take(): void {
        const { chosen } = this;
        const shown = this._studio.view.shown.get("a");
        if (chosen === null || !shown) return;
        const position = shown.solids[chosen].position.asArray().map((x) => Number(x.toFixed(3))) as unknown as Solid["position"];
        const { solids } = this._studio.document;
        const moved = solids.map((each, i) => (i === chosen ? { ...each, position } : each));
        this._studio.change({ solids: moved }, `solid ${chosen}`);
    }
}
