/** Colours on the cloth: how far it is stretched, what it costs, or how far it may go, from blue over green and yellow to red. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothMeasures } from "babylon-cloth";
import type { ClothBehavior } from "babylon-cloth";
import * as BABYLON from "../babylon";

/** Quantity that colours the cloth. */
export type Show = "fabric" | "stretch" | "cost" | "distance";

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

/** Colour of what has no value. */
const NONE = [0.72, 0.72, 0.7];

/** Reads a share of the range for each vertex, 0 to 1; NaN: none. */
export type HeatSource = (shares: Float32Array) => void;

/** Stretch or cost of a cloth. */
export function measureOf(cloth: ClothBehavior, show: "stretch" | "cost"): HeatSource {
    const values = new Float32Array(cloth.particleCount);
    return (shares) => {
        ClothMeasures[show](cloth, values);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const range = show === "stretch" ? STRETCH_RANGE : COST_RANGE * mean || 1;
        for (let v = 0; v < shares.length; v++) shares[v] = values[cloth.particleOfVertex(v)] / range;
    };
}

/** The stops as CSS, for a legend. */
export const GRADIENT = `linear-gradient(90deg, ${STOPS.map((stop) => `rgb(${stop.map((x) => Math.round(255 * x)).join(" ")})`).join(", ")})`;

/** Colours of one cloth. Takes the mesh's vertex colours over, and gives them back. */
export class Heat {
    private readonly _material: BABYLON.StandardMaterial;
    private readonly _own: Float32Array | number[] | null;
    private readonly _before: Mesh["material"];
    private readonly _shares: Float32Array;
    private readonly _colours: Float32Array;

    constructor(
        private readonly _mesh: Mesh,
        private readonly _read: HeatSource,
    ) {
        const own = _mesh.getVerticesData("color");
        this._own = own && own.slice();
        this._before = _mesh.material;
        this._shares = new Float32Array(_mesh.getTotalVertices());
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
        const { _shares: shares, _colours: colours } = this;
        this._read(shares);
        for (let v = 0, o = 0; o < colours.length; v++, o += 4) {
            const isNone = Number.isNaN(shares[v]);
            const x = isNone ? 0 : Math.min(1, shares[v]) * (STOPS.length - 1);
            const low = Math.min(STOPS.length - 2, Math.floor(x));
            for (let c = 0; c < 3; c++)
                colours[o + c] = isNone ? NONE[c] : STOPS[low][c] + (STOPS[low + 1][c] - STOPS[low][c]) * (x - low);
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
