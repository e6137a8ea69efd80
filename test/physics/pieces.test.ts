// Pieces of one mesh hang, and lean in wind, as each would alone, however far apart they are.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, Wind } from "../../src/index";
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

/** Lean of flaps of 3×3 quads in an even wind of 0.9 m/s along z, as pieces of one mesh: the mean of their lower edges' ways [m]. */
function lean(places: readonly (readonly [number, number])[], rate: number): number[] {
    const { scene, frame } = makeWorld();
    const flaps = places.map(([x, z], i) => {
        const flap = MeshBuilder.CreateGround(`flap ${i}`, { width: 0.5, height: 0.5, subdivisions: 3 }, scene);
        flap.rotation.x = -Math.PI / 2;
        flap.position.set(x, 0, z);
        return flap;
    });
    const mesh = Mesh.MergeMeshes(flaps, true)!;
    const wind = new Wind({ velocity: new Vector3(0, 0, 0.9), turbulence: 0 });
    const cloth = new ClothBehavior({ wind, pins: [{ select: ({ y }) => y > 0.249 }], sleepSpeed: 0 });
    mesh.addBehavior(cloth);
    const rest = cloth.getParticlePositions().slice();
    frame(1000 / rate, 10 * rate);
    const now = cloth.getParticlePositions();
    return places.map(([x, z]) => {
        let [way, count] = [0, 0];
        for (let i = 0; i < rest.length; i += 3) {
            if (rest[i + 1] > -0.249 || Math.hypot(rest[i] - x, rest[i + 2] - z) > 0.4) continue;
            way += now[i + 2] - rest[i + 2];
            count++;
        }
        return way / count;
    });
}

test.each([59.94, 144])("flaps in wind, at %d Hz", (rate) => {
    const [alone] = lean([[0, 0]], rate);
    expect(alone).toBeGreaterThan(0.02);
    const together = lean(
        [
            [0, 0],
            [1, 0],
            [0, 3],
            [-20, -1],
        ],
        rate,
    );
    for (const way of together) expect(Math.abs(way / alone - 1)).toBeLessThan(0.01);
});
