// Equal pieces of one mesh hang as each would alone, however far apart they are.
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** Lowest places of sheets that hang by two corners each, as pieces of one mesh [m]. */
function hang(widths: readonly number[], gap: number, rate: number): number[] {
    const { scene, frame } = makeWorld();
    const sheets = widths.map((width, i) => {
        const sheet = MeshBuilder.CreateGround(`sheet ${i}`, { width, height: width, subdivisions: 12 }, scene);
        sheet.rotation.x = -Math.PI / 2;
        sheet.position.set(gap * i, -width / 2, 0);
        return sheet;
    });
    const mesh = Mesh.MergeMeshes(sheets, true)!;
    const isCorner = ({ x, y }: Vector3): boolean =>
        y > -1e-3 && Math.abs(Math.abs(x - gap * Math.round(x / gap)) - widths[Math.round(x / gap)] / 2) < 1e-3;
    const fabric = { stretchStiffness: 300, arealDensity: 1, damping: 1 };
    const cloth = new ClothBehavior({ wind: null, fabric, pins: [{ select: isCorner }], sleepSpeed: 0 });
    mesh.addBehavior(cloth);
    frame(1000 / rate, 6 * rate);
    const places = cloth.getParticlePositions();
    const lowest = widths.map(() => 0);
    for (let i = 0; i < places.length; i += 3) {
        const piece = Math.round(places[i] / gap);
        lowest[piece] = Math.min(lowest[piece], places[i + 1]);
    }
    return lowest;
}

test.each([
    [2, 59.94],
    [50, 72],
])("sheets %d m apart, at %d Hz", (gap, rate) => {
    const widths = [1, 1, 1];
    const together = hang(widths, gap, rate);
    widths.forEach((width, i) => {
        const [alone] = hang([width], gap, rate);
        // Of the elongation, which is 44 mm.
        expect(Math.abs(together[i] - alone)).toBeLessThan(3e-4);
    });
});
