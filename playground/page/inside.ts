/** Switches of what the cloths are made of: the layers of a viewer, each by a button. */
import { ClothViewer } from "babylon-cloth";
import type { ClothViewerLayers } from "babylon-cloth";
import { element } from "./dom";
import type { Stage } from "./stage";

type Layer = keyof ClothViewerLayers;

/** Labels of the buttons. */
const LABELS: Record<Layer, string> = {
    structural: "sticks",
    shear: "shear",
    bend: "bending",
    unilateralLimits: "limits",
    farUnilateralLimits: "far limits",
    tethers: "tethers",
    particles: "particles",
    pins: "pins",
    contacts: "contacts",
    colliders: "colliders",
    thickness: "thickness",
    sleep: "sleep",
    skin: "skin",
    maxDistance: "max distance",
    backstop: "backstop",
};

const NAMES = Object.keys(LABELS) as Layer[];

/** Builds the buttons. The viewer comes with the first that is pressed, and goes with the last. */
export function buildInside(stage: Stage): HTMLElement {
    let viewer: ClothViewer | null = null;
    const isOn: ClothViewerLayers = Object.fromEntries(NAMES.map((name) => [name, false])) as ClothViewerLayers;
    const show = (): void => {
        if (!NAMES.some((name) => isOn[name])) {
            viewer?.dispose();
            viewer = null;
            return;
        }
        viewer ??= new ClothViewer(stage.scene);
        for (const cloth of stage.cloths) viewer.showCloth(cloth);
        Object.assign(viewer.layers, isOn);
    };
    const buttons = NAMES.map((name) => {
        const button = element("button", { textContent: LABELS[name], ariaPressed: "false" });
        button.onclick = () => {
            isOn[name] = !isOn[name];
            button.ariaPressed = `${isOn[name]}`;
            show();
        };
        return button;
    });
    return element("div", { id: "inside" }, ...buttons);
}
