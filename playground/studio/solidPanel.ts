/** The part of the panel with the solids that the cloth meets: added, chosen, placed and sized. */
import type { FolderApi } from "@tweakpane/core";
import { short } from "../page/fabricRanges";
import type { Controls } from "./controls";
import { sizeOf } from "./paint";
import type { SolidGizmos } from "./solidGizmos";
import { LARGEST, SHAPES, SMALLEST, newSolid, piecesOf } from "./solids";
import type { Shape, Solid } from "./solids";
import type { Studio } from "./studio";

/** Size of a new solid, over the cloth's. */
const SIZE = 0.3;
const AXES = ["x", "y", "z"] as const;
/** Farthest that sliders place a solid [m]. */
const FAR = 5;

export function addSolidControls(folder: FolderApi, controls: Controls, studio: Studio, gizmos: SolidGizmos): void {
    const add = (shape: Shape) => (): void => {
        const shown = studio.view.shown.get("a");
        if (!shown) return;
        const size = Number((SIZE * sizeOf(shown.rest.positions)).toPrecision(2));
        const { minimumWorld: low, maximumWorld: high } = shown.mesh.getBoundingInfo().boundingBox;
        const middle = low.add(high).scaleInPlace(0.5);
        // In front of the cloth, as one sees it at first.
        const position = [middle.x, middle.y, low.z - size].map((x) => Number(x.toFixed(3))) as unknown as Solid["position"];
        const { solids } = studio.document;
        gizmos.chosen = solids.length;
        studio.change({ solids: [...solids, newSolid(shape, size, position)] });
    };
    controls.addButtons(folder, "Add a collider", { Sphere: add("Sphere"), Box: add("Box"), Capsule: add("Capsule") });
    const { solids } = studio.document;
    if (solids.length === 0) return;
    const names = piecesOf(solids).map(({ name }, i) => [name, i]);
    const none = -1;
    controls.add<number>(folder, {
        label: "collider",
        params: { options: Object.fromEntries([["none", none], ...names]) },
        get: () => gizmos.chosen ?? none,
        set: (value) => (gizmos.chosen = value === none ? null : value),
    });
    const { chosen } = gizmos;
    if (chosen === null) return;
    const now = (): Solid => studio.document.solids[chosen] ?? solids[chosen];
    const change = (part: Partial<Solid>, stroke: string, isLast: boolean): void => {
        studio.change({ solids: studio.document.solids.map((each, i) => (i === chosen ? { ...each, ...part } : each)) }, stroke);
        if (isLast) studio.history.endStroke();
    };
    AXES.forEach((axis, i) =>
        controls.add<number>(folder, {
            label: `${axis} [m]`,
            params: { min: -FAR, max: FAR, step: 0.01, format: short },
            get: () => now().position[i],
            set: (value, isLast) => {
                const position = now().position.map((x, k) => (k === i ? value : x)) as unknown as Solid["position"];
                change({ position }, `solid ${chosen} ${axis}`, isLast);
            },
        }),
    );
    for (const name of SHAPES[solids[chosen].shape]) {
        controls.add<number>(folder, {
            label: `${name} [m]`,
            params: { min: SMALLEST, max: LARGEST, step: 0.01, format: short },
            get: () => now().sizes[name],
            // Another mesh is made for it: once the slider is let go.
            set: (value, isLast) => isLast && change({ sizes: { ...now().sizes, [name]: value } }, name, isLast),
        });
    }
    controls.addButtons(folder, "The chosen collider", {
        "Remove it": () => {
            gizmos.chosen = null;
            studio.change({ solids: studio.document.solids.filter((_, i) => i !== chosen) });
        },
    });
}
