/** Letters over two cloths that are compared. */
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { element } from "../page/dom";
import type { View } from "./view";

export function buildLabels(view: View): HTMLElement {
    const labels = { a: element("b", { textContent: "A", className: "a" }), b: element("b", { textContent: "B", className: "b" }) };
    const root = element("div", { id: "labels", ariaHidden: "true" }, labels.a, labels.b);
    const place = (): void => {
        const { scene, camera, shown, canvas, engine } = view;
        for (const side of ["a", "b"] as const) {
            const mesh = shown.get(side)?.mesh;
            labels[side].hidden = shown.size < 2 || !mesh;
            if (labels[side].hidden || !scene || !camera) continue;
            const { minimumWorld: low, maximumWorld: high } = mesh!.getBoundingInfo().boundingBox;
            const top = new Vector3((low.x + high.x) / 2, high.y, (low.z + high.z) / 2);
            const viewport = camera.viewport.toGlobal(engine.getRenderWidth(), engine.getRenderHeight());
            const { x, y } = Vector3.Project(top, Matrix.IdentityReadOnly, scene.getTransformMatrix(), viewport);
            const ratio = canvas.clientWidth / engine.getRenderWidth();
            labels[side].style.transform =
                `translate(${Math.round(x * ratio)}px, ${Math.round(y * ratio)}px) translate(-50%, -130%)`;
        }
    };
    view.onDrawn = place;
    return root;
}
