/** Letters over two cloths that are compared. */
import { element } from "../page/dom";
import type { View } from "./view";

export function buildLabels(view: View): HTMLElement {
    const labels = { a: element("b", { textContent: "A", className: "a" }), b: element("b", { textContent: "B", className: "b" }) };
    const place = (): void => {
        for (const side of ["a", "b"] as const) {
            const mesh = view.shown.get(side)?.mesh;
            labels[side].hidden = view.shown.size < 2 || !mesh;
            if (labels[side].hidden) continue;
            const { centerWorld, extendSizeWorld } = mesh!.getBoundingInfo().boundingBox;
            const top = centerWorld.clone();
            top.y += extendSizeWorld.y;
            const { x, y } = view.project(top);
            labels[side].style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -130%)`;
        }
    };
    view.onDrawn = place;
    return element("div", { id: "labels", ariaHidden: "true" }, labels.a, labels.b);
}
