/** The brush: paints held vertices, or how far they may go. The cloth lies still meanwhile, as it is before it moves. */
import { PointerEventTypes } from "@babylonjs/core/Events/pointerEvents";
import type { PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothViewer } from "babylon-cloth";
import * as BABYLON from "../babylon";
import type { StudioDocument } from "./document";
import { ERASED, HELD, applyLayers, heldVertices, readPaint } from "./pins";
import type { Distance, DistanceLayer } from "./pins";
import { change, dab, gradient } from "./strokes";
import type { Change } from "./strokes";
import type { Shown, View } from "./view";

const NO_LAYERS = { structural: false, particles: false, contacts: false, colliders: false };
/** Points of a fast stroke, over the radius of the brush on the screen; and at most. */
const [STROKE_STEP, MOST_STEPS] = [0.5, 200];
/** Distances that are painted at first [m], as shares of the cloth's size. */
const FIRST_REACH: Readonly<Record<DistanceLayer, number>> = { distance: 0.2, backstop: 0.02 };

/** Kinds of paint: held or not, or a distance from nothing to the layer's reach. */
export type Layer = "pins" | DistanceLayer;

/** A part of the document that painting changes. */
export type Painted = Partial<Pick<StudioDocument, Layer>>;

/** Point at which the pointer touches a cloth. */
interface Touch {
    readonly shown: Shown;
    readonly point: BABYLON.Vector3;
    readonly normal: BABYLON.Vector3 | null;
    /** On the mesh at rest, mesh-local. */
    readonly place: readonly number[];
}

export class Brush {
    /** Radius as a share of the cloth's largest side, 0.005 to 0.5. */
    radius = 0.04;
    /** Share of the way to its value that one dab on a distance goes, 0 to 1. */
    strength = 0.5;
    /** Distance that is painted, as a share of the reach, 0 to 1. */
    value = 1;
    /** True to unpin, or to free. Shift inverts it. */
    isErasing = false;
    /** True if a stroke is a gradient, from nothing at its begin to the value at its end. */
    isGradient = false;
    private _layer: Layer = "pins";
    private _isOn = false;
    private _pointer: Observer<PointerInfo> | null = null;
    /** Shows the pins. */
    private _viewer: ClothViewer | null = null;
    private _ring: BABYLON.Mesh | null = null;
    /** Bytes of the layer during a stroke; null: no stroke. */
    private _bytes: Uint8Array | null = null;
    private _begin: Touch | null = null;
    private _last = { x: 0, y: 0 };

    /**
     * @param _document that is painted
     * @param _changed hears of each stroke once it ends
     */
    constructor(
        private readonly _view: View,
        private readonly _document: () => StudioDocument,
        private readonly _changed: (part: Painted) => void,
    ) {}

    get isOn(): boolean {
        return this._isOn;
    }
    set isOn(value: boolean) {
        this._isOn = value;
        this._view.isAtRest = value;
        this.follow();
    }

    /** Layer that is painted. Default "pins". */
    get layer(): Layer {
        return this._layer;
    }
    set layer(value: Layer) {
        if (value === this._layer) return;
        this._layer = value;
        this.follow();
    }

    /** Goes on in the scene that is shown now. */
    follow(): void {
        const { scene, shown } = this._view;
        this._pointer?.remove();
        this._viewer?.dispose();
        this._ring?.dispose();
        this._pointer = this._viewer = this._ring = this._bytes = null;
        if (!scene || !this._isOn) return;
        this._pointer = scene.onPointerObservable.add((info) => this._hear(info));
        // Distances are seen as colours.
        if (this._layer !== "pins") return;
        this._viewer = new ClothViewer(scene, NO_LAYERS);
        for (const { cloth } of shown.values()) this._viewer.showCloth(cloth);
    }

    /** Bytes of the layer, as painted; during a stroke, as it is so far. Null while nothing is shown. */
    get bytes(): Uint8Array | null {
        const shown = this._view.shown.get("a");
        return this._bytes ?? (shown ? readPaint(shown, this._document()[this.layer]?.paint ?? null) : null);
    }

    /** Layer of distances that is shown in colours: the one that is painted, or the largest distances. */
    get shownLayer(): DistanceLayer {
        return this.layer === "pins" ? "distance" : this.layer;
    }

    /** Bytes of the {@link shownLayer}, as {@link bytes}. */
    get shades(): Uint8Array | null {
        if (this.layer !== "pins") return this.bytes;
        const shown = this._view.shown.get("a");
        return shown ? readPaint(shown, this._document().distance?.paint ?? null) : null;
    }

    /** Changes all of the layer at once. */
    apply(kind: Change): void {
        const shown = this._view.shown.get("a");
        const bytes = this.bytes;
        if (!shown || !bytes) return;
        const { surface } = shown;
        const isPins = this.layer === "pins";
        const { pins } = this._document();
        // Of pins, what is seen is changed: those of the builder and of sides, too.
        if (isPins) {
            const held = new Set(heldVertices(shown, pins));
            const seen = surface.spread((vertex) => (held.has(vertex) ? HELD : 0));
            bytes.set(seen);
        }
        const changed = change(surface, bytes, kind, this._byte);
        // The builder's pins stay, since they know what carries them: they are painted over.
        this._keep(isPins ? changed.map((byte) => (byte > 127 ? HELD : pins.own ? ERASED : 0)) : changed, isPins);
    }

    /** Byte of what is painted. */
    private get _byte(): number {
        return this.layer === "pins" ? HELD : 1 + Math.round(254 * this.value);
    }

    private _keep(bytes: Uint8Array, isWhole: boolean): void {
        const { surface, rest } = this._view.shown.get("a")!;
        const { layer } = this;
        const document = this._document();
        const paint = surface.write(bytes);
        if (layer === "pins") this._changed({ pins: { ...document.pins, ...(isWhole && { sides: [] }), paint } });
        else this._changed({ [layer]: paint && { reach: document[layer]?.reach ?? firstReach(rest.positions, layer), paint } });
    }

    private _hear(info: PointerInfo): void {
        const { type, event } = info;
        const isErasing = this.isErasing !== event.shiftKey;
        const scene = this._view.scene!;
        const here = { x: scene.pointerX, y: scene.pointerY };
        if (type === PointerEventTypes.POINTERDOWN && event.button === 0 && (this._begin = this._touch(here))) {
            this._bytes = this.bytes!.slice();
            this._last = here;
            // The camera turns only where there is no cloth.
            this._view.camera!.detachControl();
            if (!this._isGradientNow) this._paint(here, isErasing);
        } else if (type === PointerEventTypes.POINTERMOVE) {
            this._showRing(here);
            if (this._bytes && !this._isGradientNow) this._paint(here, isErasing);
        } else if (type === PointerEventTypes.POINTERUP && this._bytes) {
            const end = this._isGradientNow && this._touch(here);
            if (end) gradient(end.shown.surface, this._bytes, this._begin!.place, end.place, this._byte);
            const bytes = this._bytes;
            this._bytes = null;
            this._view.camera!.attachControl(true);
            this._keep(bytes, false);
        }
    }

    private get _isGradientNow(): boolean {
        return this.isGradient && this.layer !== "pins";
    }

    /** Hit of the pointer on a cloth. */
    private _touch({ x, y }: { x: number; y: number }): Touch | null {
        const all = [...this._view.shown.values()];
        const pick = this._view.scene!.pick(x, y, (candidate) => all.some(({ mesh }) => mesh === candidate));
        const shown = all.find(({ mesh }) => mesh === pick.pickedMesh);
        if (!pick.hit || !shown) return null;
        const { positions } = shown.rest;
        const corners = shown.mesh.getIndices()!.slice(3 * pick.faceId, 3 * pick.faceId + 3);
        const weights = [pick.bu, pick.bv, 1 - pick.bu - pick.bv];
        const place = [0, 1, 2].map((i) => weights.reduce((sum, weight, k) => sum + weight * positions[3 * corners[k] + i], 0));
        return { shown, point: pick.pickedPoint!, normal: pick.getNormal(true), place };
    }

    /** Paints from where the pointer was to where it is, along the surface. */
    private _paint(to: { x: number; y: number }, isErasing: boolean): void {
        const from = this._last;
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        const count = Math.min(MOST_STEPS, Math.ceil(length / (STROKE_STEP * this._screenRadius(to))) || 1);
        this._last = to;
        const isPins = this.layer === "pins";
        for (let step = 1; step <= count; step++) {
            const share = step / count;
            const touch = this._touch({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) });
            if (!touch) continue;
            const byte = isErasing ? (isPins ? ERASED : 0) : this._byte;
            const strength = isPins || isErasing ? null : this.strength;
            dab(touch.shown.surface, this._bytes!, touch.place, this._reachOf(touch.shown), byte, strength);
        }
        const { layer } = this;
        const document = this._document();
        for (const shown of this._view.shown.values()) {
            const begun = layer !== "pins" && {
                [layer]: document[layer] ?? { reach: firstReach(shown.rest.positions, layer), paint: null },
            };
            applyLayers(shown, { ...document, ...begun }, { [layer]: this._bytes! });
        }
    }

    /** Radius of the brush on the screen [canvas pixels], about. */
    private _screenRadius(at: { x: number; y: number }): number {
        const touch = this._touch(at) ?? this._begin!;
        const reach = this._reachOf(touch.shown) * scaleOf(touch.shown.mesh);
        const camera = this._view.camera!;
        const distance = BABYLON.Vector3.Distance(camera.globalPosition, touch.point);
        return Math.max(2, ((reach / distance) * this._view.canvas.clientHeight) / (2 * Math.tan(camera.fov / 2)));
    }

    /** Radius of the brush on a mesh at rest, mesh-local, at least one vertex wide. */
    private _reachOf({ rest }: Shown): number {
        return Math.max(this.radius, 0.8 / Math.sqrt(rest.vertexCount)) * sizeOf(rest.positions);
    }

    /** A ring on the cloth under the pointer. */
    private _showRing(at: { x: number; y: number }): void {
        const touch = this._touch(at);
        if (!touch) {
            this._ring?.setEnabled(false);
            return;
        }
        const { shown, point, normal } = touch;
        this._ring ??= makeRing(this._view.scene!);
        this._ring.setEnabled(true);
        this._ring.position.copyFrom(point);
        if (normal) this._ring.setDirection(normal);
        this._ring.scaling.setAll(this._reachOf(shown) * scaleOf(shown.mesh));
    }
}

/** Reach of a new layer [m]. */
export function firstReach(positions: Float32Array, layer: DistanceLayer): Distance["reach"] {
    return Number((FIRST_REACH[layer] * sizeOf(positions)).toPrecision(2));
}

/** Largest side of the box about positions. */
export function sizeOf(positions: Float32Array): number {
    let size = 0;
    for (let axis = 0; axis < 3; axis++) {
        let [low, high] = [Infinity, -Infinity];
        for (let k = axis; k < positions.length; k += 3) {
            low = Math.min(low, positions[k]);
            high = Math.max(high, positions[k]);
        }
        size = Math.max(size, high - low);
    }
    return size;
}

/** Largest scale of a mesh in the world. */
function scaleOf(mesh: Mesh): number {
    const m = mesh.getWorldMatrix().m;
    return Math.max(...[0, 4, 8].map((row) => Math.hypot(m[row], m[row + 1], m[row + 2])));
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
