/** The picture: one scene after the other, each of a document, with its cloth once or twice, tuned while it runs. */
import "@babylonjs/core/Culling/ray";
import { Engine } from "@babylonjs/core/Engines/engine";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Scene } from "@babylonjs/core/scene";
import { ClothPicker, Colliders } from "babylon-cloth";
import * as BABYLON from "../babylon";
import { solid } from "../parts/fabric";
import type { Box } from "../parts/framing";
import { applyTiles, shade, studio } from "../parts/studio";
import { assemble } from "./assemble";
import type { Assembled } from "./assemble";
import { placeSolids, tune } from "./build";
import { sidesOf } from "./document";
import type { Side, StudioDocument } from "./document";
import { Heat, measureOf } from "./heat";
import type { Show } from "./heat";
import { fieldsOf, sizesOf } from "./kinds";
import { dress, materialOf } from "./look";
import { hasFile } from "./model";
import { applyLayers, isOwn } from "./pins";
import { Clips } from "./clips";

/** Milliseconds between two readings of colours. */
const HEAT_INTERVAL = 150;
/** A gust: duration [ms], factor of the wind's speed, and least speed [m/s]. */
const [GUST_TIME, GUST_FACTOR, GUST_SPEED] = [1500, 2.5, 4];
/** Distance of the second cloth from the first, over the first's width. */
const BESIDE = 1.35;

/** A cloth as it is seen. */
export interface Shown extends Assembled {
    /** Distance to the right of its place [m]. */
    readonly aside: number;
    /** The material that it came with. */
    readonly own: Mesh["material"];
}

export class View {
    readonly engine: Engine;
    /** Called when another scene has come. */
    onBuilt: () => void = () => {};
    /** Called after each frame. */
    onDrawn: () => void = () => {};
    /** Visible cloths of the document; empty while it is built. */
    shown: ReadonlyMap<Side, Shown> = new Map();
    /** Clips of the file, to see the cloth in motion. */
    readonly clips = new Clips();
    private _scene: Scene | null = null;
    private _camera: BABYLON.ArcRotateCamera | null = null;
    private _show: Show = "fabric";
    private _heats: Heat[] = [];
    private _lastHeat = 0;
    /** Bytes of painted distances; null where there are none. */
    readShades: () => Uint8Array | null = () => null;
    private _isPainting = false;
    private _isPaused = false;
    private _isAtRest = false;
    private _isTurning = false;
    /** Hands that pull the cloth while it moves. */
    private _picker: ClothPicker | null = null;
    private _bottom = 0;
    /** Number of the newest build: an older one that ends late is discarded. */
    private _building = 0;
    /** Number of the build that is shown; it is outdated while a newer one is running. */
    private _built = 0;

    constructor(readonly canvas: HTMLCanvasElement) {
        this.engine = new Engine(canvas, true, { preserveDrawingBuffer: true, stencil: false, adaptToDeviceRatio: true });
        new ResizeObserver(() => this.engine.resize()).observe(canvas);
        this.engine.runRenderLoop(() => this._draw());
    }

    get scene(): Scene | null {
        return this._scene;
    }

    get camera(): BABYLON.ArcRotateCamera | null {
        return this._camera;
    }

    /** Height of the canvas covered from below [CSS pixels]. */
    set bottom(value: number) {
        this._bottom = value;
        if (this._scene) this._scene.metadata = { margins: { bottom: value } };
    }

    get isPaused(): boolean {
        return this._isPaused;
    }
    set isPaused(value: boolean) {
        this._isPaused = value;
        this._setRunning();
    }

    /** True to turn the camera about the cloth. */
    get isTurning(): boolean {
        return this._isTurning;
    }
    set isTurning(value: boolean) {
        this._isTurning = value;
        if (this._camera) this._camera.useAutoRotationBehavior = value;
    }

    /** Blows once. */
    gust(): void {
        for (const { cloth } of this.shown.values()) {
            const wind = cloth.wind!;
            const before = wind.velocity.clone();
            const speed = before.length();
            const blown =
                speed > 0 ? before.scale(Math.max(GUST_FACTOR, GUST_SPEED / speed)) : new BABYLON.Vector3(GUST_SPEED, 0, 0);
            wind.velocity = blown;
            // A wind that was tuned meanwhile stays.
            setTimeout(() => wind.velocity.equals(blown) && (wind.velocity = before), GUST_TIME);
        }
    }

    /** Shows the cloth as it is before it moves, for painting. */
    get isAtRest(): boolean {
        return this._isAtRest;
    }
    set isAtRest(value: boolean) {
        this._isAtRest = value;
        this._setRunning();
        this.restart();
    }

    /** True to show distances, whatever {@link show} says, while they are painted. */
    set isPainting(value: boolean) {
        if (value === this._isPainting) return;
        this._isPainting = value;
        this._colour();
    }

    /** Quantity that colours the cloth. */
    get show(): Show {
        return this._isPainting ? "distance" : this._show;
    }
    set show(value: Show) {
        this._show = value;
        this._colour();
    }

    /** Back to the start. */
    restart(): void {
        for (const { cloth } of this.shown.values()) cloth.reset();
    }

    /** Shows a document, after another one: what can be tuned is tuned, and only what cannot makes another scene. */
    async update(document: StudioDocument, before: StudioDocument | null): Promise<void> {
        const isOther = !before || !this._scene || structureOf(document) !== structureOf(before);
        if (isOther || this._built !== this._building) return this._build(document);
        for (const [side, shown] of this.shown) {
            const tuning = document[side]!;
            tune(shown, tuning);
            if (tuning.look !== before[side]?.look || tuning.colour !== before[side]?.colour) {
                this._coolDown();
                dress(shown.mesh, materialOf(tuning, this._scene!), shown.own);
                this._colour();
            }
            const { source } = document;
            if ("kind" in source) {
                const sizes = sizesOf(source.kind, source.options);
                for (const { name, isLive } of fieldsOf(source.kind))
                    if (isLive) Object.assign(shown.mesh, { [name]: sizes[name] });
            }
            if (document.solids !== before.solids) placeSolids(shown.solids, document, shown.aside);
            if ((["pins", "distance", "backstop"] as const).some((layer) => document[layer] !== before[layer])) {
                applyLayers(shown, document);
                shown.cloth.reset();
            }
        }
    }

    /** Canvas position of a world point [CSS pixels]. */
    project(point: BABYLON.Vector3): { x: number; y: number } {
        const { engine, canvas } = this;
        const viewport = this._camera!.viewport.toGlobal(engine.getRenderWidth(), engine.getRenderHeight());
        const seen = BABYLON.Vector3.Project(point, BABYLON.Matrix.IdentityReadOnly, this._scene!.getTransformMatrix(), viewport);
        const ratio = canvas.clientWidth / engine.getRenderWidth();
        return { x: seen.x * ratio, y: seen.y * ratio };
    }

    private async _build(document: StudioDocument): Promise<void> {
        const building = ++this._building;
        const { source } = document;
        // Nothing is to be seen until the file is here.
        if ("file" in source && !hasFile(source.file)) return this._clear(building);
        const { alpha, beta } = this._camera ?? { alpha: -1.75, beta: 1.38 };
        const scene = new Scene(this.engine);
        const shown = new Map<Side, Shown>();
        try {
            let aside = 0;
            for (const side of sidesOf(document)) {
                const assembled = await assemble(document, document[side]!, scene, aside);
                const own = assembled.mesh.material;
                dress(assembled.mesh, materialOf(document[side]!, scene), own);
                shown.set(side, { ...assembled, aside, own });
                const [low, high] = boxOf(assembled);
                aside = BESIDE * (high[0] - low[0]);
            }
        } catch (error) {
            scene.dispose();
            if (building !== this._building) return;
            throw error;
        }
        if (building !== this._building) {
            scene.dispose();
            return;
        }
        this._clear(building);
        this._scene = scene;
        this.shown = shown;
        this.clips.take([...shown.values()].map((each) => each.clips));
        this.bottom = this._bottom;
        this._furnish(scene, [...shown.values()], alpha, beta);
        this._setRunning();
        this._colour();
        await scene.whenReadyAsync();
        await Promise.all([...shown.values()].map(({ cloth }) => cloth.whenReady()));
        this.onBuilt();
    }

    private _clear(building: number): void {
        this._built = building;
        this._heats = [];
        this.shown = new Map();
        this.clips.take([]);
        this._scene?.dispose();
        this._scene = this._camera = this._picker = null;
        this.engine.clear({ r: 0.85, g: 0.89, b: 0.91, a: 1 }, true, true);
    }

    /** Floor, light and camera. */
    private _furnish(scene: Scene, all: Shown[], alpha: number, beta: number): void {
        const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
        const boxes = all.map(boxOf);
        const size = Math.max(...boxes.flatMap(([low, high]) => high.map((x, i) => x - low[i])));
        // What comes in a file may stand anywhere.
        floor.position.y = Math.min(0, ...boxes.map(([low]) => low[1]));
        const shadows = studio(scene, { boxes, alpha, beta, extent: 2.5 * all.length * size });
        applyTiles(scene, floor);
        Colliders.add(scene, floor);
        const wood = solid(scene, "#8a5a35", 0.7, 0);
        const stone = solid(scene, "#9a9da3", 0.8, 0);
        for (const piece of all.flatMap(({ pieces }) => pieces)) piece.material ??= wood;
        for (const each of all.flatMap(({ solids }) => solids)) each.material = stone;
        shade(
            shadows,
            all.flatMap(({ mesh, pieces, solids }) => [mesh, ...pieces, ...solids]),
        );
        this._camera = scene.activeCamera as BABYLON.ArcRotateCamera;
        this.isTurning = this._isTurning;
        this._picker = new ClothPicker(scene);
    }

    private _setRunning(): void {
        const isRunning = !this._isPaused && !this._isAtRest;
        for (const { cloth } of this.shown.values()) cloth.autoStep = isRunning;
        this.clips.isRunning = isRunning;
        if (this._picker) this._picker.enabled = isRunning;
    }

    private _colour(): void {
        this._coolDown();
        const show = this._isPainting ? "distance" : this._show;
        if (show === "fabric") return;
        this._heats = [...this.shown.values()].map(({ mesh, cloth, surface }) => {
            if (show !== "distance") return new Heat(mesh, measureOf(cloth, show));
            return new Heat(mesh, (shares) => {
                const shades = this.readShades();
                surface.siteOfVertex.forEach((site, v) => (shares[v] = shades?.[site] ? (shades[site] - 1) / 254 : NaN));
            });
        });
        this._lastHeat = 0;
    }

    private _coolDown(): void {
        for (const heat of this._heats) heat.dispose();
        this._heats = [];
    }

    private _draw(): void {
        if (!this._scene?.activeCamera) return;
        const now = performance.now();
        if (now - this._lastHeat > HEAT_INTERVAL) {
            this._lastHeat = now;
            for (const heat of this._heats) heat.update();
        }
        this._scene.render();
        this.onDrawn();
    }
}

/** Key of the built scene: a change rebuilds it. The builder's default pins need a rebuild, too. */
function structureOf(document: StudioDocument): string {
    const { source, b } = document;
    // Solids move without a rebuild.
    const solids = document.solids.map(({ shape, sizes }) => [shape, sizes]);
    if (!("kind" in source)) return JSON.stringify([source, b !== null, solids]);
    const isLive = (name: string): boolean => fieldsOf(source.kind).some((field) => field.isLive && field.name === name);
    const options = Object.entries(source.options).filter(([name]) => !isLive(name));
    return JSON.stringify([source.kind, options, b !== null, isOwn(document), solids]);
}

/** The box about a cloth and its stand, as they were built. */
function boxOf({ mesh, pieces }: Assembled): Box {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const part of [mesh, ...pieces]) {
        part.computeWorldMatrix(true);
        const { minimumWorld, maximumWorld } = part.getBoundingInfo().boundingBox;
        minimumWorld.asArray().forEach((x, i) => (low[i] = Math.min(low[i], x)));
        maximumWorld.asArray().forEach((x, i) => (high[i] = Math.max(high[i], x)));
    }
    return [low, high];
}
