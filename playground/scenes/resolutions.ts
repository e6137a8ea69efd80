import * as BABYLON from "../babylon/shapes";
import * as BABYLONCLOTH from "babylon-cloth";

/** One fabric at 16², 32², 64² and 128² quads, hung by two corners: the sheets should hang and swing alike. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const sheets = [16, 32, 64, 128].map((subdivisions, i) => {
        const sheet = BABYLON.MeshBuilder.CreateGround(`${subdivisions}²`, { width: 1.2, height: 1.2, subdivisions }, scene);
        sheet.position.set((i - 1.5) * 1.6, 2, 0);
        return sheet;
    });
    const cloths = sheets.map((sheet) => {
        const cloth = new BABYLONCLOTH.ClothBehavior({
            pins: [{ select: BABYLONCLOTH.select.corners("-x+z", "+x+z") }],
            fabric: { arealDensity: 0.2, damping: 0.4 },
        });
        sheet.addBehavior(cloth);
        return cloth;
    });

    return { cloths, sheets, floor };
}
