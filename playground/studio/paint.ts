/** The brush for pins: what it touches is held, or let go. The cloth lies still meanwhile, as it is before it moves. */
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import type { PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothViewer } from "babylon-cloth";
import * as BABYLON from "../babylon";
import { pinsOf } from "./pins";
import type { View } from "./view";

const NO_LAYERS = { structural: false, particles: false, contacts: false, colliders: false };

export class Brush {
    /** Radius as a share of the cloth's largest side, 0.005 to 0.5. */
    radius = 0.04;
    /** True to unpin. Shift inverts it. */
    isErasing = false;
    private _isOn = false;
    private _viewer: ClothViewer | null = null;
    private _ring: BABYLON.Mesh | null = null;
    /** Pinned vertices during a stroke; null: no stroke. */
    private _held: Set<number> | null = null;

    /**
     * @param _held vertices that are held before a stroke
     * @param _changed hears of each stroke once it ends
     */
    constructor(
        private readonly _view: View,
        private readonly _heldBefore: () => readonly number[],
        private readonly _changed: (pins: number[]) => void,
    ) {}

    get isOn(): boolean {
        return this._isOn;
    }
    set isOn(value: boolean) {
        this._isOn = value;
        this._view.isAtRest = value;
        this.follow();
    }

    /** Goes on in the scene that is shown now. */
    follow(): void {
        const { scene, shown } = this._view;
        this._viewer?.dispose();
        this._ring?.dispose();
        this._viewer = this._ring = this._held = null;
        if (!scene || !this._isOn) return;
        this._viewer = new ClothViewer(scene, NO_LAYERS);
        for (const { cloth } of shown.values()) this._viewer.showCloth(cloth);
        scene.onPointerObservable.add((info) => this._isOn && this._hear(info));
    }

    private _hear(info: PointerInfo): void {
        const { type, event } = info;
        const isErasing = this.isErasing !== event.shiftKey;
        if (type === PointerEventTypes.POINTERDOWN && event.button === 0 && this._touch()) {
            this._held = new Set(this._heldBefore());
            // The camera turns only where there is no cloth.
            this._view.camera!.detachControl();
            this._paint(isErasing);
        } else if (type === PointerEventTypes.POINTERMOVE) {
            this._showRing();
            if (this._held) this._paint(isErasing);
        } else if (type === PointerEventTypes.POINTERUP && this._held) {
            const held = [...this._held].sort((a, b) => a - b);
            this._held = null;
            this._view.camera!.attachControl(true);
            this._changed(held);
        }
    }

    /** Hit of the pointer on a cloth. */
    private _touch(): { mesh: Mesh; point: BABYLON.Vector3; normal: BABYLON.Vector3 | null } | null {
        const scene = this._view.scene!;
        const meshes = [...this._view.shown.values()].map(({ mesh }) => mesh);
        const pick = scene.pick(scene.pointerX, scene.pointerY, (candidate) => meshes.includes(candidate as Mesh));
        if (!pick.hit) return null;
        return { mesh: pick.pickedMesh as Mesh, point: pick.pickedPoint!, normal: pick.getNormal(true) };
    }

    private _paint(isErasing: boolean): void {
        const touch = this._touch();
        if (!touch) return;
        const { mesh, point } = touch;
        const x = mesh.getVerticesData("position")!;
        const world = mesh.getWorldMatrix();
        const place = new BABYLON.Vector3();
        const reach = this._reachOf(mesh);
        for (let v = 0; 3 * v < x.length; v++) {
            BABYLON.Vector3.TransformCoordinatesFromFloatsToRef(x[3 * v], x[3 * v + 1], x[3 * v + 2], world, place);
            if (BABYLON.Vector3.Distance(place, point) > reach) continue;
            if (isErasing) this._held!.delete(v);
            else this._held!.add(v);
        }
        for (const { cloth, authored } of this._view.shown.values()) cloth.pins = pinsOf(authored.pins, [...this._held!]);
    }

    /** Radius of the brush on a mesh [m], at least one vertex wide. */
    private _reachOf(mesh: Mesh): number {
        const { extendSizeWorld } = mesh.getBoundingInfo().boundingBox;
        const side = 2 * Math.max(...extendSizeWorld.asArray());
        return Math.max(this.radius, 0.8 / Math.sqrt(mesh.getTotalVertices())) * side;
    }

    /** A ring on the cloth under the pointer. */
    private _showRing(): void {
        const touch = this._touch();
        if (!touch) {
            this._ring?.setEnabled(false);
            return;
        }
        const { mesh, point, normal } = touch;
        this._ring ??= makeRing(this._view.scene!);
        this._ring.setEnabled(true);
        this._ring.position.copyFrom(point);
        if (normal) this._ring.setDirection(normal);
        this._ring.scaling.setAll(this._reachOf(mesh));
    }
}

function makeRing(scene: BABYLON.Scene): BABYLON.Mesh {
    const ring = BABYLON.MeshBuilder.CreateTorus("brush", { diameter: 2, thickness: 0.06, tessellation: 48 }, scene);
    ring.rotation.x = Math.PI / 2;
    ring.bakeCurrentTransformIntoVertices();
    const material = new BABYLON.StandardMaterial("brush", scene);
    material.disableLighting = true;
    material.emissiveColor = new BABYLON.Color3(1, 0.2, 0.9);
    ring.material = material;
    ring.isPickable = false;
    ring.renderingGroupId = 1;
    return ring;
}
