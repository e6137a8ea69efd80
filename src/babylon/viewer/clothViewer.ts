import type { Scene } from "@babylonjs/core/scene";
import { boolean, knownOptions, positive, reject } from "../../engine/state/validate";
import { driverOf } from "../clothDriver";
import type { ClothDriver } from "../clothDriver";
import { Drawing } from "./drawing";
import { layerKinds } from "./layers";
import type { ClothViewerLayer } from "./layers";
import { ShownCloth } from "./shownCloth";
import type { AnyCloth } from "./shownCloth";

const OWNER = "ClothViewer";
/** Names of the layers. No constant: its making would stay, and the layers with it, in apps that have no viewer. */
const layerNames = (): ClothViewerLayer[] => Object.keys(layerKinds) as ClothViewerLayer[];
const DEFAULT_LAYERS: readonly ClothViewerLayer[] = ["structural", "particles", "pins", "contacts", "colliders"];

/** What a {@link ClothViewer} shows; each can be switched at any time. */
export type ClothViewerLayers = Record<ClothViewerLayer, boolean>;

/** A cloth with what is drawn of it. */
interface Shown {
    cloth: ShownCloth | null;
    readonly drawings: Map<ClothViewerLayer, Drawing>;
}

/**
 * Shows what cloth is made of, over the picture: particles, sticks by kind and strain, bending, limits, tethers, pins, contacts, colliders,
 * thickness and sleep. For looking into, not for the finished page.
 *
 *     const viewer = new ClothViewer(scene);
 *     viewer.showCloth(cloth);
 *     viewer.layers.tethers = true;
 *
 * Lines and points are as the picture has the cloth, colliders where they are now. One mesh a layer and cloth, which cannot be
 * picked and is not serialised. Layers that are off cost nothing. The motion is the same with and without.
 */
export class ClothViewer {
    /**
     * Which layers are shown. `sleep`: the box about the cloth, green awake, blue asleep. `colliders`: those it meets, orange where near.
     * `thickness`: how far it is kept off them. `bend`: arms of the bending stencils. `unilateralLimits`, `farUnilateralLimits`, `tethers`: bright where
     * taut. `shear`, `structural`: sticks, red where stretched and blue where pressed, see {@link strainRange}. `particles`: points, pink
     * where pinned. `pins`: crosses. `contacts`: normals. On at first: structural, particles, pins, contacts, colliders.
     */
    readonly layers: ClothViewerLayers;
    private _strainRange = 0.05;
    private readonly _shown = new Map<ClothDriver, Shown>();
    private _frame = -1;
    private readonly _end: () => void;

    /**
     * @param layers to switch, see {@link ClothViewerLayers}
     * @throws RangeError on something that is no scene, or an unknown layer
     */
    constructor(
        private readonly _scene: Scene,
        layers: Partial<ClothViewerLayers> = {},
    ) {
        if (typeof _scene !== "object" || !_scene?.onBeforeActiveMeshesEvaluationObservable)
            reject(OWNER, "scene", "a Scene", _scene);
        knownOptions(OWNER, layers, layerNames());
        this.layers = makeSwitches();
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

    /** Stretch at which a stick is all red, and all blue where pressed together, > 0. Default 0.05. */
    get strainRange(): number {
        return this._strainRange;
    }
    set strainRange(value: number) {
        this._strainRange = positive(OWNER, "strainRange", value);
    }

    /** Shows a cloth, a rope, a plant or a rigid body, as far as it has what layers show, for as long as it is on a mesh of the scene. @throws RangeError when it is none */
    showCloth(cloth: AnyCloth): void {
        const driver = driverOf(cloth) ?? reject(OWNER, "showCloth(cloth)", "a ClothBehavior", cloth);
        if (!this._shown.has(driver)) this._shown.set(driver, { cloth: null, drawings: new Map() });
    }

    /** Ends it. A cloth that is not shown is passed over. */
    hideCloth(cloth: AnyCloth): void {
        const driver = driverOf(cloth);
        const shown = driver && this._shown.get(driver);
        if (!shown) return;
        this._shown.delete(driver);
        clear(shown);
    }

    /** Hides all cloths and lets go of the scene. Idempotent. */
    dispose(): void {
        this._end();
        for (const shown of this._shown.values()) clear(shown);
        this._shown.clear();
    }

    private _update(): void {
        // Once a frame, however many cameras look.
        const frame = this._scene.getFrameId();
        if (frame === this._frame) return;
        this._frame = frame;
        for (const [{ attachment }, shown] of this._shown) {
            if (shown.cloth?.attachment !== attachment) {
                clear(shown);
                const isHere = attachment?.mesh.getScene() === this._scene;
                shown.cloth = isHere ? new ShownCloth(attachment) : null;
            }
            if (shown.cloth) this._draw(shown.cloth, shown.drawings);
        }
    }

    private _draw(cloth: ShownCloth, drawings: Map<ClothViewerLayer, Drawing>): void {
        const isSeen = cloth.mesh.isEnabled();
        if (isSeen) cloth.update();
        for (const name of layerNames()) {
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
                const title = `${OWNER}: ${name} of ${cloth.mesh.name}`;
                drawing = new Drawing(title, this._scene, cloth.mesh, name === "particles" ? "points" : "lines");
                drawings.set(name, drawing);
            }
            drawing.begin(cloth.body.origin);
            layerKinds[name](cloth, drawing, this._strainRange);
            drawing.end();
        }
    }
}

function clear(shown: Shown): void {
    for (const drawing of shown.drawings.values()) drawing.dispose();
    shown.drawings.clear();
    shown.cloth = null;
}

/** The layers as they are at first; each takes true or false, and there are no others. */
function makeSwitches(): ClothViewerLayers {
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
