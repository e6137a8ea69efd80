/** Colours on the cloth: how far it is stretched, or what it costs, from blue over green and yellow to red. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothMeasures } from "babylon-cloth";
import type { ClothBehavior } from "babylon-cloth";
import * as BABYLON from "../babylon";

/** Quantity that colours the cloth. */
export type Show = "fabric" | "stretch" | "cost";

/** Stretch that is all red. */
export const STRETCH_RANGE = 0.05;
/** Cost that is all red, as a multiple of the mean. */
export const COST_RANGE = 3;

const STOPS = [
    [0.16, 0.25, 0.62],
    [0.13, 0.6, 0.6],
    [0.45, 0.75, 0.3],
    [0.98, 0.8, 0.2],
    [0.8, 0.12, 0.1],
];

/** The stops as CSS, for a legend. */
export const GRADIENT = `linear-gradient(90deg, ${STOPS.map((stop) => `rgb(${stop.map((x) => Math.round(255 * x)).join(" ")})`).join(", ")})`;

/** Colours of one cloth. Takes the mesh's vertex colours over, and gives them back. */
export class Heat {
    private readonly _material: BABYLON.StandardMaterial;
    private readonly _own: Float32Array | number[] | null;
    private readonly _before: Mesh["material"];
    private readonly _values: Float32Array;
    private readonly _colours: Float32Array;

    constructor(
        private readonly _mesh: Mesh,
        private readonly _cloth: ClothBehavior,
        private readonly _show: Exclude<Show, "fabric">,
    ) {
        const own = _mesh.getVerticesData("color");
        this._own = own && own.slice();
        this._before = _mesh.material;
        this._values = new Float32Array(_cloth.particleCount);
        this._colours = new Float32Array(4 * _mesh.getTotalVertices()).fill(1);
        _mesh.setVerticesData("color", this._colours, true);
        _mesh.useVertexColors = true;
        const material = new BABYLON.StandardMaterial("heat", _mesh.getScene());
        material.backFaceCulling = false;
        material.twoSidedLighting = true;
        material.specularColor = BABYLON.Color3.Black();
        // Mostly a light of its own, so that colours are those of the legend; some shade, so that folds are seen.
        material.emissiveColor = BABYLON.Color3.White().scale(0.75);
        material.diffuseColor = BABYLON.Color3.White().scale(0.12);
        this._material = material;
        _mesh.material = material;
    }

    /** Takes in what the cloth is now. */
    update(): void {
        const cloth = this._cloth;
        const values = ClothMeasures[this._show](cloth, this._values);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const range = this._show === "stretch" ? STRETCH_RANGE : COST_RANGE * mean || 1;
        const colours = this._colours;
        for (let v = 0, o = 0; o < colours.length; v++, o += 4) {
            const x = Math.min(1, values[cloth.particleOfVertex(v)] / range) * (STOPS.length - 1);
            const low = Math.min(STOPS.length - 2, Math.floor(x));
            for (let c = 0; c < 3; c++) colours[o + c] = STOPS[low][c] + (STOPS[low + 1][c] - STOPS[low][c]) * (x - low);
        }
        this._mesh.updateVerticesData("color", colours);
    }

    /** Gives the mesh its looks back. */
    dispose(): void {
        if (this._mesh.isDisposed()) return;
        this._mesh.material = this._before;
        this._material.dispose();
        if (this._own) this._mesh.setVerticesData("color", this._own, true);
        else this._mesh.removeVerticesData("color");
    }
}
