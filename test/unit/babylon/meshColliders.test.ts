/** Meshes of no other shape are their triangles, wherever they come from, and cloth lies on them as they look. */
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { fitShape, inferShape } from "../../../src/babylon/colliders/shapeInference";
import { ClothBehavior } from "../../../src/index";
import { disposeWorlds, makeWorld } from "./harness";

afterEach(disposeWorlds);

type Make = (scene: Scene) => Mesh;

const torus: Make = (scene) => MeshBuilder.CreateTorus("m", { diameter: 0.7, thickness: 0.3, tessellation: 32 }, scene);

/** A ground with a hill of 0.3 m, as a height map would make it. */
function hill(scene: Scene): Mesh {
    const ground = MeshBuilder.CreateGround("m", { width: 3, height: 3, subdivisions: 30, updatable: true }, scene);
    const positions = Float32Array.from(ground.getVerticesData("position")!);
    for (let o = 0; o < positions.length; o += 3) {
        positions[o + 1] = 0.3 * Math.exp(-4 * (positions[o] ** 2 + positions[o + 2] ** 2));
    }
    ground.updateVerticesData("position", positions);
    return ground;
}

/** Lowest and highest particle of a cloth of side 1.6 m that has come down on a mesh. */
function restOn(make: Make, place: (mesh: Mesh) => void = () => {}): [number, number] {
    const { scene, frame } = makeWorld();
    const mesh = make(scene);
    place(mesh);
    const sheet = MeshBuilder.CreateGround("sheet", { width: 1.6, height: 1.6, subdivisions: 20 }, scene);
    sheet.position.y = 1.2;
    const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
    sheet.addBehavior(cloth);
    expect(cloth.addCollider(mesh).shape).toBe("mesh");
    for (let f = 0; f < 120; f++) frame(1000 / 60);
    const heights = Array.from(cloth.getParticlePositions()).filter((_, i) => i % 3 === 1);
    return [Math.min(...heights), Math.max(...heights)];
}

describe("a mesh as a collider", () => {
    test.each<[string, Make, (mesh: Mesh) => void, number]>([
        ["torus", torus, () => {}, 0.16],
        ["mirrored and scaled torus", torus, (mesh) => mesh.scaling.set(-1.2, 2, 0.9), 0.31],
        ["torus in a parent that shears it", torus, (mesh) => shear(mesh), 0.16],
        ["ground with a hill", hill, () => {}, 0.31],
        ["dome", (scene) => MeshBuilder.CreateSphere("m", { slice: 0.5 }, scene), () => {}, 0.51],
        ["disc", (scene) => MeshBuilder.CreateDisc("m", { radius: 2 }, scene), (mesh) => (mesh.rotation.x = Math.PI / 2), 0.01],
    ])("cloth lies on a %s", (_name, make, place, height) => {
        const [, highest] = restOn(make, place);
        expect(Math.abs(highest - height)).toBeLessThan(0.025);
    });

    function shear(mesh: Mesh): void {
        mesh.setPreTransformMatrix(Matrix.FromValues(1, 0, 0, 0, 0.3, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    }

    test("closed where its edges are, its back counted once; open where one is missing", () => {
        const { scene } = makeWorld();
        const isClosed = (mesh: Mesh): number => fitShape(mesh, "mesh").form[0];
        expect(isClosed(torus(scene))).toBe(1);
        expect(isClosed(MeshBuilder.CreateTorus("m", { sideOrientation: Mesh.DOUBLESIDE }, scene))).toBe(1);
        expect(isClosed(MeshBuilder.CreateSphere("m", {}, scene))).toBe(1);
        expect(isClosed(MeshBuilder.CreateGround("m", { subdivisions: 3 }, scene))).toBe(0);
        expect(isClosed(MeshBuilder.CreatePlane("m", { sideOrientation: Mesh.DOUBLESIDE }, scene))).toBe(0);
        const open = torus(scene);
        open.setIndices(Array.from(open.getIndices()!).slice(3));
        expect(isClosed(open)).toBe(0);
    });

    test("copies share a form; an edited one gets another", () => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateTorus("m", { updatable: true }, scene);
        const { form } = fitShape(mesh, "mesh");
        expect(fitShape(mesh.clone("copy"), "mesh").form).toBe(form);
        const positions = Float32Array.from(mesh.getVerticesData("position")!);
        positions[0] += 0.01;
        mesh.updateVerticesData("position", positions);
        expect(fitShape(mesh, "mesh").form).not.toBe(form);
    });

    test("told to be one: a box of its triangles", () => {
        const { scene } = makeWorld();
        const box = MeshBuilder.CreateBox("m", {}, scene);
        expect(inferShape(box)).toBe("box");
        const collider = new ClothBehavior().addCollider(box, { shape: "mesh" });
        expect(collider.shape).toBe("mesh");
        expect(fitShape(box, "mesh").form).toHaveLength(1 + 12 * 9);
        expect(collider.source).toBe(box);
    });
});
