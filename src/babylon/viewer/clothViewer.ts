import type { Scene } from "@babylonjs/core/scene";
import { boolean, knownOptions, positive, reject } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { chainLayers } from "./chainLayers";
import type { ChainView } from "./chainLayers";
import { Drawing } from "./drawing";
import { layerKinds } from "./layers";
import type { ClothViewerLayer } from "./layers";
import { ViewedCloth } from "./viewedCloth";
import type { AnyCloth } from "./viewedCloth";

const OWNER = "ClothViewer";
/** Names of the layers. A function: a constant would keep all layers in apps without a viewer. */
const layerNames = (): ClothViewerLayer[] => Object.keys(layerKinds) as ClothViewerLayer[];
const DEFAULT_LAYERS: readonly ClothViewerLayer[] = ["structural", "particles", "pins", "contacts", "colliders"];

/** Layers of a {@link ClothViewer}; each can be switched at any time. */
export type ClothViewerLayers = Record<ClothViewerLayer, boolean>;

/** A cloth and its drawings. */
interface ViewedEntry {
    cloth: ViewedCloth | null;
    readonly drawings: Map<ClothViewerLayer, Drawing>;
}

/** Bone chains of a {@link BoneChainBehavior}. */
interface ViewedChains {
    readonly attachedNode: TransformNode | null;
    /** @internal */
    _view(): ChainView | null;
}

/**
 * Debug view of cloth, drawn over the scene: particles, constraints by kind and strain, bending, limits, tethers, pins, contacts, colliders,
 * thickness, sleep, skin, max distances and backstops.
 *
 *     const viewer = new ClothViewer(scene);
 *     viewer.showCloth(cloth);
 *     viewer.layers.tethers = true;
 *
 * Lines and points show the drawn state of the cloth, colliders their current pose. There is one mesh per layer and cloth, not pickable and not serialised.
 * Layers that are off cost nothing. The viewer does not change the motion.
 */
export class ClothViewer {
    /**
     * Visible layers. `sleep`: the bounding box, green awake, blue asleep. `colliders`: the cloth's colliders, orange if near.
     * `thickness`: the contact distance. `bend`: arms of the bending stencils. `unilateralLimits`, `farUnilateralLimits`, `tethers`: bright if
     * taut. `shear`, `structural`: distance constraints, red if stretched and blue if compressed, see {@link strainRange}. `particles`: points, pink
     * if pinned. `pins`: crosses. `contacts`: normals. On a skin, `skin`: the mesh's edges where bones and morph targets have them; `maxDistance`: from there to
     * each free particle, red at the limit, and the limit along the normal; `backstop`: lines to its surface. Default: structural, particles, pins, contacts,
     * colliders.
     */
    readonly layers: ClothViewerLayers;
    private _strainRange = 0.05;
    private readonly _shown = new Map<BodyRuntime, ViewedEntry>();
    private readonly _chains = new Map<ViewedChains, ViewedEntry["drawings"]>();
    private _frame = -1;
    private readonly _end: () => void;

    /**
     * @param layers to switch, see {@link ClothViewerLayers}
     * @throws RangeError if the scene is invalid or a layer unknown
     */
    constructor(
        private readonly _scene: Scene,
        layers: Partial<ClothViewerLayers> = {},
    ) {
        if (typeof _scene !== "object" || !_scene?.onBeforeActiveMeshesEvaluationObservable)
            reject(OWNER, "scene", "a Scene", _scene);
        knownOptions(OWNER, layers, layerNames());
        this.layers = createLayerSwitches();
        for (const name of layerNames()) {
            const value = layers[name];
            if (value !== undefined) this.layers[name] = value;
        }
        // After the cloths have been stepped and written, before meshes are chosen for drawing.
        const update = _scene.onBeforeActiveMeshesEvaluationObservable.add(() => this._update());
        const gone = _scene.onDisposeObservable.add(() => this.dispose());
        this._end = () => {
            _scene.onBeforeActiveMeshesEvaluationObservable.remove(update);
            _scene.onDisposeObservable.remove(gone);
        };
    }

    /** Strain at which a constraint is fully red, or fully blue in compression, > 0. Default 0.05. */
    get strainRange(): number {
        return this._strainRange;
    }
    set strainRange(value: number) {
        this._strainRange = positive(OWNER, "strainRange", value);
    }

    /** Shows a cloth, a rope, a plant or a rigid body while it is on a mesh of the scene. @throws RangeError if it is none */
    showCloth(cloth: AnyCloth): void {
        const runtime = runtimeOf(cloth) ?? reject(OWNER, "showCloth(cloth)", "a ClothBehavior", cloth);
        if (!this._shown.has(runtime)) this._shown.set(runtime, { cloth: null, drawings: new Map() });
    }

    /** Hides a cloth. No effect if it is not shown. */
    hideCloth(cloth: AnyCloth): void {
        const runtime = runtimeOf(cloth);
        const shown = runtime && this._shown.get(runtime);
        if (!shown) return;
        this._shown.delete(runtime);
        clear(shown.drawings);
    }

    /**
     * Shows bone chains while they are on a node of the scene: bones (`structural`), links (`shear`), tails (`particles`), radii (`thickness`), `colliders`.
     * @throws RangeError if it is no BoneChainBehavior
     */
    showChains(chains: { readonly attachedNode: TransformNode | null }): void {
        if (typeof (chains as ViewedChains)?._view !== "function")
            reject(OWNER, "showChains(chains)", "a BoneChainBehavior", chains);
        if (!this._chains.has(chains as ViewedChains)) this._chains.set(chains as ViewedChains, new Map());
    }

    /** Hides bone chains. No effect if they are not shown. */
    hideChains(chains: { readonly attachedNode: TransformNode | null }): void {
        clear(this._chains.get(chains as ViewedChains));
        this._chains.delete(chains as ViewedChains);
    }

    /** Hides all cloths and ends the viewer. Idempotent. */
    dispose(): void {
        this._end();
        for (const { drawings } of this._shown.values()) clear(drawings);
        for (const drawings of this._chains.values()) clear(drawings);
        this._shown.clear();
        this._chains.clear();
    }

    private _update(): void {
        // Once a frame, for any number of cameras.
        const frame = this._scene.getFrameId();
        if (frame === this._frame) return;
        this._frame = frame;
        for (const [{ instance }, shown] of this._shown) {
            if (shown.cloth?.attachment !== instance) {
                clear(shown.drawings);
                const isHere = instance?.mesh.getScene() === this._scene;
                shown.cloth = isHere ? new ViewedCloth(instance) : null;
            }
            if (shown.cloth) this._draw(shown.cloth, shown.drawings);
        }
        for (const [chains, drawings] of this._chains) this._drawChains(chains, drawings);
    }

    private _draw(cloth: ViewedCloth, drawings: ViewedEntry["drawings"]): void {
        const { mesh } = cloth;
        const isSeen = mesh.isEnabled();
        if (isSeen) cloth.update();
        this._drawLayers(layerNames(), mesh.name, mesh, isSeen, drawings, cloth.body.origin, (name, drawing) =>
            layerKinds[name](cloth, drawing, this._strainRange),
        );
    }

    private _drawChains(chains: ViewedChains, drawings: ViewedEntry["drawings"]): void {
        const node = chains.attachedNode;
        const view = node?.getScene() === this._scene ? chains._view() : null;
        const model = this._scene.meshes.find((mesh) => mesh.getClassName() === "Mesh") as Mesh | undefined;
        if (!node || !view || !model) return clear(drawings);
        const origin = node.getAbsolutePosition().asArray();
        this._drawLayers(
            Object.keys(chainLayers) as ClothViewerLayer[],
            node.name,
            model,
            node.isEnabled(),
            drawings,
            origin,
            (name, drawing) => chainLayers[name]?.(view, drawing, origin),
        );
    }

    /** @param model any mesh of the scene @param draw draws a layer */
    private _drawLayers(
        names: readonly ClothViewerLayer[],
        title: string,
        model: Mesh,
        isSeen: boolean,
        drawings: ViewedEntry["drawings"],
        origin: ArrayLike<number>,
        draw: (name: ClothViewerLayer, drawing: Drawing) => void,
    ): void {
        for (const name of names) {
            let drawing = drawings.get(name);
            const isOn = isSeen && this.layers[name];
            if (drawing?.isDisposed) {
                drawing.dispose();
                drawings.delete(name);
                drawing = undefined;
            }
            if (drawing) drawing.isShown = isOn;
            if (!isOn) continue;
            if (!drawing) {
                drawing = new Drawing(
                    `${OWNER}: ${name} of ${title}`,
                    this._scene,
                    model,
                    name === "particles" ? "points" : "lines",
                );
                drawings.set(name, drawing);
            }
            drawing.begin(origin);
            draw(name, drawing);
            drawing.end();
        }
    }
}

function clear(drawings: ViewedEntry["drawings"] | undefined): void {
    drawings?.forEach((drawing) => drawing.dispose());
    drawings?.clear();
}

/** Layer switches with their defaults; each accepts only booleans, and none can be added. */
function createLayerSwitches(): ClothViewerLayers {
    const switches = {} as ClothViewerLayers;
    for (const name of layerNames()) {
        let isOn = DEFAULT_LAYERS.includes(name);
        Object.defineProperty(switches, name, {
            enumerable: true,
            get: () => isOn,
            set: (value: boolean) => void (isOn = boolean(OWNER, name, value)),
        });
    }
    return Object.preventExtensions(switches);
}
