import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../src/index";
import {
    column,
    difference,
    disposeWorlds,
    FRAME,
    listen,
    makeSquare,
    makeWorld,
    toldBesidesAdvice,
    worldVertices,
} from "../unit/babylon/harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A square that hangs from two corners, under way since half a second. */
function hang(prepare: (mesh: Mesh) => void = () => {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "cloth");
    prepare(mesh);
    const rest = worldVertices(mesh);
    const restNormals = Float32Array.from(mesh.getVerticesData("normal")!);
    const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z", "+x+z") }] });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 32);
    return { ...world, mesh, cloth, rest, restNormals };
}

/** Bounds and mean of the particles. */
function outline(cloth: ClothBehavior): number[] {
    const x = cloth.getParticlePositions();
    return [0, 1, 2].flatMap((axis) => {
        const c = column(x, axis);
        return [Math.min(...c), Math.max(...c), c.reduce((sum, value) => sum + value / c.length, 0)];
    });
}

/** How far the cloth moves in a frame [m]. */
function leap({ cloth, frame }: { cloth: ClothBehavior; frame(): void }): number {
    const before = outline(cloth);
    frame();
    return difference(outline(cloth), before);
}

describe("an edit of the vertices' looks or of the triangles goes on with the cloth", () => {
    const edits: Record<string, (mesh: Mesh) => void> = {
        convertToFlatShadedMesh: (mesh) => mesh.convertToFlatShadedMesh(),
        convertToUnIndexedMesh: (mesh) => mesh.convertToUnIndexedMesh(),
        createNormals: (mesh) => mesh.createNormals(true),
        "flipFaces(true)": (mesh) => mesh.flipFaces(true),
        "normals removed": (mesh) => mesh.removeVerticesData("normal"),
        "the same positions anew": (mesh) => mesh.setVerticesData("position", Array.from(mesh.getVerticesData("position")!)),
        "triangles in another order": (mesh) => mesh.setIndices([...mesh.getIndices()!].reverse()),
        forceSharedVertices: (mesh) => mesh.forceSharedVertices(),
    };

    test.each(Object.keys(edits))("%s", (name) => {
        const set = hang();
        const { mesh, cloth } = set;
        const normal = leap(set);
        edits[name](mesh);
        expect(leap(set)).toBeLessThan(2 * normal);
        expect(cloth.particleCount).toBe(81);
        set.frame(FRAME, 10);
        expect(mesh.getVerticesData("position")!.length).toBe(3 * mesh.getTotalVertices());
        expect(Math.min(...column(worldVertices(mesh), 1))).toBeCloseTo(Math.min(...column(cloth.getParticlePositions(), 1)), 1);
        mesh.removeBehavior(cloth);
        expect(column(worldVertices(mesh), 1).every((y) => y === 0)).toBe(true);
        expect(mesh.getBoundingInfo().boundingBox.minimumWorld.y).toBe(0);
        const up = name === "flipFaces(true)" ? -1 : 1;
        const normals = mesh.getVerticesData("normal");
        if (normals) expect(column(normals, 1).every((y) => Math.abs(y - up) < 1e-6)).toBe(true);
        expect(toldBesidesAdvice()).toEqual([]);
    });
});

test("flat shading of a curved mesh stays flat on the moving cloth, and at rest", () => {
    const { scene, frame } = makeWorld();
    // Not a sphere of quads: their two triangles lie in one plane, and so share a normal.
    const mesh = MeshBuilder.CreateIcoSphere("ball", { radius: 0.5, subdivisions: 3, flat: false }, scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.near(new Vector3(0, 0.5, 0), 0.2) }] });
    mesh.addBehavior(cloth);
    frame(FRAME, 20);
    mesh.convertToFlatShadedMesh();
    const expectFlat = (): void => {
        const x = mesh.getVerticesData("position")!;
        const n = mesh.getVerticesData("normal")!;
        for (let o = 0; o < x.length; o += 9) {
            const [a, b, c] = [0, 3, 6].map((k) => Vector3.FromArray(x, o + k));
            const face = Vector3.Cross(b.subtract(a), c.subtract(a));
            if (face.length() < 1e-4) continue;
            for (const k of [0, 3, 6])
                expect(Math.abs(Vector3.Dot(face.normalize(), Vector3.FromArray(n, o + k)))).toBeGreaterThan(0.999);
        }
    };
    frame(FRAME, 5);
    expectFlat();
    mesh.removeBehavior(cloth);
    expectFlat();
    expect(toldBesidesAdvice()).toEqual([]);
});

test("colours and texture coordinates set meanwhile stay", () => {
    const { mesh, cloth, frame } = hang();
    const { particleCount } = cloth;
    const colors = new Float32Array(mesh.getTotalVertices() * 4).fill(0.25);
    mesh.setVerticesData("color", colors);
    mesh.updateVerticesData(
        "uv",
        mesh.getVerticesData("uv")!.map(() => 0.5),
    );
    frame(FRAME, 3);
    expect(cloth.particleCount).toBe(particleCount);
    mesh.removeBehavior(cloth);
    expect(difference(mesh.getVerticesData("color")!, colors)).toBe(0);
    expect(toldBesidesAdvice()).toEqual([]);
});

describe("the mesh's matrix baked into its vertices leaves the cloth where it is", () => {
    const poses: Record<string, (mesh: Mesh) => void> = {
        moved: (mesh) => mesh.position.set(0, 3, 1),
        "turned and scaled": (mesh) => {
            mesh.position.set(1, 2, 3);
            mesh.rotationQuaternion = Quaternion.RotationYawPitchRoll(1, 0.4, 0.2);
            mesh.scaling.set(1, 2, 1.5);
        },
        mirrored: (mesh) => {
            mesh.position.y = 2;
            mesh.scaling.x = -1;
        },
    };

    test.each(Object.keys(poses))("%s", (name) => {
        const set = hang(poses[name]);
        const { mesh, cloth, rest, frame } = set;
        const normal = leap(set);
        mesh.bakeCurrentTransformIntoVertices();
        expect(leap(set)).toBeLessThan(1.5 * normal);
        frame(FRAME, 10);
        const pinned = [0, 8].map((v) => 3 * v);
        for (const o of pinned)
            expect(difference(worldVertices(mesh).subarray(o, o + 3), rest.subarray(o, o + 3))).toBeLessThan(1e-3);
        cloth.reset();
        expect(difference(worldVertices(mesh), rest)).toBeLessThan(1e-4);
        mesh.removeBehavior(cloth);
        expect(difference(worldVertices(mesh), rest)).toBeLessThan(1e-4);
        expect(toldBesidesAdvice()).toEqual([]);
    });

    test("at once, before a frame or the detach", () => {
        for (const isFramed of [false, true]) {
            const { scene, frame } = makeWorld();
            const mesh = makeSquare(scene);
            mesh.position.y = 5;
            const cloth = new ClothBehavior();
            mesh.addBehavior(cloth);
            mesh.bakeCurrentTransformIntoVertices();
            if (isFramed) frame(FRAME, 1);
            mesh.removeBehavior(cloth);
            expect(column(mesh.getVerticesData("position")!, 1).every((y) => Math.abs(y - 5) < 1e-5)).toBe(true);
            expect(mesh.position.y).toBe(0);
        }
    });

    test("baked without the mesh's matrix, it moves along with its vertices, whose rest shape stays", () => {
        const set = hang();
        const { mesh, cloth, rest, frame } = set;
        const before = cloth.getParticlePositions();
        mesh.bakeTransformIntoVertices(Matrix.Translation(0, 7, 0));
        frame(0);
        expect(
            difference(
                cloth.getParticlePositions(),
                before.map((x, i) => (i % 3 === 1 ? x + 7 : x)),
            ),
        ).toBeLessThan(1e-4);
        frame(FRAME, 10);
        mesh.removeBehavior(cloth);
        expect(
            difference(
                worldVertices(mesh),
                rest.map((x, i) => (i % 3 === 1 ? x + 7 : x)),
            ),
        ).toBeLessThan(1e-4);
    });
});

describe("another shape", () => {
    test("is what the cloth starts anew from, and it says so once", () => {
        const { mesh, cloth, frame } = hang();
        for (let time = 0; time < 2; time++) {
            const wave = mesh
                .getVerticesData("position")!
                .map((x, i, all) => (i % 3 === 1 ? 1 + 0.2 * Math.sin(9 * all[i - 1]) : i % 3 === 2 ? Math.round(8 * x) / 8 : x));
            mesh.setVerticesData("position", wave);
            frame(0);
            // The wave lays vertices on others: those within 1e-5 of the diagonal are welded, and drawn at one place.
            expect(difference(worldVertices(mesh), wave)).toBeLessThan(2e-5);
            frame(FRAME, 20);
            expect(difference(worldVertices(mesh), wave)).toBeGreaterThan(0.1);
            mesh.removeBehavior(cloth);
            expect(difference(worldVertices(mesh), wave)).toBe(0);
            mesh.addBehavior(cloth);
        }
        expect(toldBesidesAdvice()).toEqual([
            'ClothBehavior: "cloth" was given another shape while it is cloth; the cloth starts anew from it',
        ]);
    });

    test("also in place", () => {
        const { mesh, cloth, frame } = hang();
        mesh.updateMeshPositions((x) => {
            for (let i = 1; i < x.length; i += 3) x[i] = Math.cos(5 * x[i - 1]);
        });
        frame(FRAME, 5);
        mesh.removeBehavior(cloth);
        expect(column(worldVertices(mesh), 1).every((y, v) => Math.abs(y - Math.cos(5 * worldVertices(mesh)[3 * v])) < 1e-6)).toBe(
            true,
        );
        expect(toldBesidesAdvice().length).toBe(1);
    });

    test("of another geometry", () => {
        const { scene, mesh, cloth, frame } = hang();
        const { geometry } = MeshBuilder.CreateSphere("ball", {}, scene);
        geometry!.applyToMesh(mesh);
        frame(FRAME, 20);
        expect(cloth.particleCount).toBeGreaterThan(1000);
        mesh.removeBehavior(cloth);
        expect(mesh.geometry === geometry).toBe(true);
        expect(toldBesidesAdvice().length).toBe(1);
    });

    test("that keeps less than half of the vertices", () => {
        const { mesh, cloth, frame } = hang();
        const drawn = mesh.getVerticesData("position")!;
        // 32 of 81 where they were, and 68 others.
        const positions = Array.from({ length: 300 }, (_, i) => (i < 96 ? drawn[i] : Math.sin(i) + 2));
        const indices = Array.from({ length: 294 }, (_, i) => Math.floor(i / 3) + (i % 3));
        Object.assign(new VertexData(), { positions, indices }).applyToMesh(mesh, true);
        frame(FRAME, 5);
        expect(cloth.attachedNode).toBe(mesh);
        expect(toldBesidesAdvice()).toEqual([
            'ClothBehavior: "cloth" was given another shape while it is cloth; the cloth starts anew from it',
        ]);
    });

    test("of other vertex data", () => {
        const { mesh, cloth, frame } = hang();
        VertexData.CreateBox({ size: 2 }).applyToMesh(mesh, true);
        frame(FRAME, 20);
        expect(cloth.particleCount).toBe(8);
        expect(Math.min(...column(worldVertices(mesh), 1))).toBeLessThan(-1.02);
        expect(toldBesidesAdvice().length).toBe(1);
    });
});

describe("where the cloth cannot go on it ends, says so once, and leaves the mesh as the user made it", () => {
    const edits: Record<string, (mesh: Mesh) => void> = {
        increaseVertices: (mesh) => mesh.increaseVertices(1),
        "vertices that are NaN": (mesh) =>
            mesh.setVerticesData(
                "position",
                mesh.getVerticesData("position")!.map(() => NaN),
            ),
        "no triangle left": (mesh) => mesh.setIndices([0, 0, 0]),
        "a geometry disposed of": (mesh) => mesh.geometry!.dispose(),
    };

    test.each(Object.keys(edits))("%s", (name) => {
        const { scene, mesh, cloth, frame } = hang();
        edits[name](mesh);
        const count = mesh.getTotalVertices();
        frame(FRAME, 5);
        expect(cloth.attachedNode).toBeNull();
        expect(mesh.behaviors.length).toBe(0);
        expect(mesh.getTotalVertices()).toBe(count);
        expect(toldBesidesAdvice().length).toBe(1);
        expect(toldBesidesAdvice()[0]).toMatch(/^ClothBehavior: the cloth on "cloth" ends, since the mesh was edited: /);
        const other = makeSquare(scene);
        other.addBehavior(cloth);
        frame(FRAME, 5);
        expect(column(worldVertices(other), 1)[40]).toBeLessThan(0);
    });
});
