// ClothBuilder.Subdivide: short edges, and all that a mesh has at its vertices.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Mesh as RealMesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { MultiMaterial } from "@babylonjs/core/Materials/multiMaterial";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothBuilder, select } from "../../../src/index";
import { disposeWorlds, listen, makeWorld, messageOf, told } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
});
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

function longestEdge(mesh: Mesh): number {
    const x = mesh.getVerticesData("position")!;
    const indices = mesh.getIndices()!;
    const world = mesh.computeWorldMatrix(true);
    const at = (v: number): Vector3 => Vector3.TransformCoordinates(Vector3.FromArray(x, 3 * v), world);
    return Math.max(...Array.from(indices, (v, i) => Vector3.Distance(at(v), at(indices[i % 3 === 2 ? i - 2 : i + 1]))));
}

/** Largest distance of rows that are to be linear in the place: of the vertex data at x, y and z. */
function errorOf(
    mesh: Mesh,
    rows: ArrayLike<number>,
    size: number,
    expected: (x: number, y: number, z: number) => number[],
): number {
    const x = mesh.getVerticesData("position")!;
    expect(rows.length).toBe((x.length / 3) * size);
    let most = 0;
    for (let v = 0; v < x.length / 3; v++) {
        expected(x[3 * v], x[3 * v + 1], x[3 * v + 2]).forEach(
            (value, c) => (most = Math.max(most, Math.abs(rows[size * v + c] - value))),
        );
    }
    return most;
}

test("a plane of two triangles folds, and keeps texture coordinates, normals and colours", () => {
    const world = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 2, height: 2, subdivisions: 1 }, world.scene);
    mesh.setVerticesData("color", Array.from({ length: 4 }, (_, v) => [v / 4, 0.5, 1, 1]).flat());
    mesh.scaling.setAll(0.5);
    const box = mesh.getBoundingInfo().boundingBox.maximum.clone();
    expect(ClothBuilder.Subdivide(mesh, 0.07)).toBe(mesh);
    expect(longestEdge(mesh)).toBeLessThanOrEqual(0.07);
    expect(longestEdge(mesh)).toBeGreaterThan(0.03);
    expect(mesh.getBoundingInfo().boundingBox.maximum).toEqual(box);
    expect(errorOf(mesh, mesh.getVerticesData("uv")!, 2, (x, _, z) => [(x + 1) / 2, (z + 1) / 2])).toBeLessThan(1e-6);
    expect(errorOf(mesh, mesh.getVerticesData("normal")!, 3, () => [0, 1, 0])).toBeLessThan(1e-6);
    expect(errorOf(mesh, mesh.getVerticesData("color")!, 4, (x, _, z) => [(x + 1) / 8 + (1 - z) / 4, 0.5, 1, 1])).toBeLessThan(
        1e-6,
    );
    const cloth = new ClothBehavior({ wind: null, pins: [{ select: select.edge("+z") }] });
    mesh.addBehavior(cloth);
    world.frame(1000 / 59.94, 60);
    expect(told("warn")).toEqual([]);
    expect(cloth.stats.maxStretch).toBeLessThan(0.05);
    expect(mesh.getBoundingInfo().boundingBox.minimum.y).toBeLessThan(-0.5);
});

test("the triangles keep their side and their area, whatever the mesh", () => {
    const { scene } = makeWorld();
    for (const mesh of [
        MeshBuilder.CreateBox("box", { size: 1 }, scene),
        MeshBuilder.CreateCylinder("tube", { height: 1, diameterTop: 0.2, diameterBottom: 1, tessellation: 7 }, scene),
        MeshBuilder.CreatePolyhedron("solid", { type: 3 }, scene),
    ]) {
        const area = (): Vector3[] => {
            const x = mesh.getVerticesData("position")!;
            const at = (v: number): Vector3 => Vector3.FromArray(x, 3 * v);
            const i = mesh.getIndices()!;
            const sums = [0, 0].map(() => Vector3.Zero());
            for (let t = 0; t < i.length; t += 3) {
                const normal = at(i[t + 1])
                    .subtract(at(i[t]))
                    .cross(at(i[t + 2]).subtract(at(i[t])));
                sums[0].addInPlace(new Vector3(Math.abs(normal.x), Math.abs(normal.y), Math.abs(normal.z)));
                const centre = at(i[t])
                    .add(at(i[t + 1]))
                    .add(at(i[t + 2]));
                sums[1].addInPlace(normal.multiply(centre));
            }
            return sums;
        };
        const before = area();
        const particles = new ClothBehavior({ wind: null });
        ClothBuilder.Subdivide(mesh, 0.1);
        area().forEach((sum, i) => expect(Vector3.Distance(sum, before[i])).toBeLessThan(1e-4));
        mesh.addBehavior(particles);
        // Closed: V - E + F = 2, where E = 3/2 F.
        const triangles = mesh.getTotalIndices() / 3;
        expect(particles.particleCount - triangles / 2).toBe(2);
    }
});

test("skin weights blend, bones do not mix", () => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("skin", { width: 1, height: 1, subdivisions: 1 }, scene);
    const skeleton = (mesh.skeleton = new Skeleton("skeleton", "skeleton", scene));
    for (let i = 0; i < 9; i++) new Bone(`bone ${i}`, skeleton, null, Matrix.Identity());
    // The left side hangs on bone 7, the right side on 3 and 8.
    const left = (v: number): boolean => mesh.getVerticesData("position")![3 * v] < 0;
    const at = [0, 1, 2, 3];
    const bones = at.flatMap((v) => (left(v) ? [7, 0, 0, 0] : [3, 8, 0, 0]));
    const weights = at.flatMap((v) => (left(v) ? [1, 0, 0, 0] : [0.75, 0.25, 0, 0]));
    mesh.setVerticesData("matricesIndices", bones, false, 4);
    mesh.setVerticesData("matricesWeights", weights, false, 4);
    ClothBuilder.Subdivide(mesh, 0.2);
    const x = mesh.getVerticesData("position")!;
    const newBones = mesh.getVerticesData("matricesIndices")!;
    const newWeights = mesh.getVerticesData("matricesWeights")!;
    expect(newBones.length).toBe((x.length / 3) * 4);
    for (let v = 0; v < x.length / 3; v++) {
        const found = [0, 0, 0, 0, 0, 0, 0, 0, 0];
        for (let i = 4 * v; i < 4 * v + 4; i++) found[newBones[i]] += newWeights[i];
        const right = x[3 * v] + 0.5;
        [0, 0, 0, 0.75 * right, 0, 0, 0, 1 - right, 0.25 * right].forEach((weight, b) => expect(found[b]).toBeCloseTo(weight, 6));
    }
});

test("morph targets go on", () => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("face", { width: 1, height: 1, subdivisions: 1 }, scene);
    const manager = (mesh.morphTargetManager = new MorphTargetManager(scene));
    const places = mesh.getVerticesData("position")!;
    for (const height of [0.5, -1]) {
        const target = new MorphTarget(`to ${height}`, 0.5, scene);
        target.setPositions(Float32Array.from(places, (x, i) => (i % 3 === 1 ? height * (1 + places[i - 1]) : x)));
        target.setNormals(mesh.getVerticesData("normal")!);
        manager.addTarget(target);
    }
    ClothBuilder.Subdivide(mesh, 0.3);
    expect(told("error")).toEqual([]);
    expect(manager.vertexCount).toBe(mesh.getTotalVertices());
    [0.5, -1].forEach((height, i) => {
        const error = errorOf(mesh, manager.getTarget(i).getPositions()!, 3, (x, _, z) => [x, height * (1 + x), z]);
        expect(error).toBeLessThan(1e-6);
    });
    const posed = mesh.getPositionData(false, true)!;
    expect(errorOf(mesh, posed, 3, (x, _, z) => [x, -0.25 * (1 + x), z])).toBeLessThan(1e-6);
});

test("materials keep their parts; a clone keeps the old geometry", () => {
    const { scene } = makeWorld();
    const parts = [0, 1].map((i) => {
        const part = MeshBuilder.CreateGround(`part ${i}`, { width: 1, height: 1, subdivisions: 1 }, scene);
        part.material = new StandardMaterial(`material ${i}`, scene);
        part.position.x = i;
        return part;
    });
    const mesh = RealMesh.MergeMeshes(parts, true, true, undefined, false, true)!;
    const clone = mesh.clone("clone");
    ClothBuilder.Subdivide(mesh, 0.1);
    expect(clone.getTotalVertices()).toBe(8);
    expect((mesh.material as MultiMaterial).subMaterials.map((material) => material!.name)).toEqual(["material 0", "material 1"]);
    expect(mesh.subMeshes.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
    const x = mesh.getVerticesData("position")!;
    const indices = mesh.getIndices()!;
    mesh.subMeshes.forEach(({ indexStart, indexCount }, i) => {
        expect(indexCount).toBe(indices.length / 2);
        for (let k = indexStart; k < indexStart + indexCount; k++)
            expect(Math.abs(x[3 * indices[k]] - i)).toBeLessThanOrEqual(0.5001);
    });
});

test("wrong", () => {
    const { scene } = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
    expect(messageOf(() => ClothBuilder.Subdivide(mesh, 0))).toMatch(
        /^ClothBuilder: Subdivide: maxEdge must be a finite number > 0|^ClothBuilder: Subdivide: maxEdge must be/,
    );
    expect(messageOf(() => ClothBuilder.Subdivide(mesh, 1e-5))).toBe(
        'ClothBuilder: Subdivide: maxEdge must be so long that "sheet" has at most 1000000 vertices, got 0.00001',
    );
    expect(mesh.getTotalVertices()).toBe(81);
    expect(messageOf(() => ClothBuilder.Subdivide(null as never, 1))).toBe(
        "ClothBuilder: Subdivide: mesh must be a Mesh, got null",
    );
    mesh.addBehavior(new ClothBehavior({ wind: null }));
    expect(messageOf(() => ClothBuilder.Subdivide(mesh, 0.1))).toBe(
        'ClothBuilder: Subdivide: mesh must be subdivided before it is cloth, got "sheet"',
    );
});
