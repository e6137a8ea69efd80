import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../src/index";
import { difference, disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

const makers: Record<string, (scene: Scene) => Mesh> = {
    "a needle's point": (scene) =>
        MeshBuilder.CreateCylinder(
            "m",
            { height: 1, diameterTop: 0.8, diameterBottom: 0.001, tessellation: 24, subdivisions: 6 },
            scene,
        ),
    "a sheet with a bevel": (scene) => bevelled(scene),
};

/** A sheet of 12 × 12 quads, whose middle row is a strip 1 mm wide that rises by 1 mm. */
function bevelled(scene: Scene): Mesh {
    const positions: number[] = [];
    const indices: number[] = [];
    const rows = Array.from({ length: 14 }, (_, j) => (j < 7 ? j : j - 1 + 0.012) / 12);
    rows.forEach((v, j) => {
        for (let i = 0; i <= 12; i++) positions.push(i / 12, -v, j < 7 ? 0 : 0.001);
    });
    for (let j = 0; j < 13; j++) {
        for (let i = 0; i < 12; i++) {
            const a = 13 * j + i;
            indices.push(a, a + 1, a + 13, a + 1, a + 14, a + 13);
        }
    }
    const mesh = new Mesh("m", scene);
    const data = Object.assign(new VertexData(), { positions, indices, normals: [] });
    VertexData.ComputeNormals(positions, indices, data.normals);
    data.applyToMesh(mesh);
    return mesh;
}

/** Sticks of slivers showed hundreds of per cent of stretch, 818 % in the playground. */
describe("edges far below the mesh's scale", () => {
    test.each(Object.keys(makers))("%s hangs, keeps its details, and is not stretched", (name) => {
        const { scene, frame } = makeWorld();
        const mesh = makers[name](scene);
        const authored = mesh.getVerticesData("position")!.slice();
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+y") }], fabric: { damping: 2 } });
        mesh.addBehavior(cloth);
        cloth.step(0);
        expect(difference(mesh.getVerticesData("position")!, authored)).toBeLessThan(1e-6);
        frame(1000 / 60, 300);
        expect(cloth.stats.maxStretch).toBeLessThan(0.1);
        const now = mesh.getVerticesData("position")!;
        const indices = mesh.getIndices()!;
        for (let i = 0; i < indices.length; i += 3) {
            const [before, after] = [authored, now].map((x) =>
                Math.hypot(...[0, 1, 2].map((c) => x[3 * indices[i + 1] + c] - x[3 * indices[i] + c])),
            );
            if (before > 1e-9) expect(after / before).toBeLessThan(1.6);
        }
        const { minimum, maximum } = mesh.getBoundingInfo().boundingBox;
        for (let i = 0; i < now.length; i += 3) {
            expect(
                Math.min(now[i] - minimum.x, maximum.x - now[i], now[i + 1] - minimum.y, maximum.y - now[i + 1]),
            ).toBeGreaterThan(-1e-6);
        }
        mesh.removeBehavior(cloth);
        expect(difference(mesh.getVerticesData("position")!, authored)).toBe(0);
    });
});
