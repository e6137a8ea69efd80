import { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { fitShape, inferShape } from "../../../src/babylon/colliders/shapeInference";
import { ClothBehavior } from "../../../src/index";
import { disposeWorlds, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

type Make = (scene: Scene) => Mesh;

function meshOf(scene: Scene, positions: number[], indices: number[]): Mesh {
    const mesh = new Mesh("odd", scene);
    Object.assign(new VertexData(), { positions, indices }).applyToMesh(mesh);
    return mesh;
}

/** Meshes that are spheres, with their half axes. */
const spheres: Record<string, [Make, [number, number, number]]> = {
    sphere: [(scene) => MeshBuilder.CreateSphere("m", {}, scene), [0.5, 0.5, 0.5]],
    ellipsoid: [(scene) => MeshBuilder.CreateSphere("m", { diameterX: 1, diameterY: 2, diameterZ: 4 }, scene), [0.5, 1, 2]],
    "double-sided sphere": [(scene) => MeshBuilder.CreateSphere("m", { sideOrientation: Mesh.DOUBLESIDE }, scene), [0.5, 0.5, 0.5]],
    "sphere off its origin": [
        (scene) => {
            const mesh = MeshBuilder.CreateSphere("m", { diameter: 2 }, scene);
            mesh.position.set(3, 4, 5);
            mesh.bakeCurrentTransformIntoVertices();
            return mesh;
        },
        [1, 1, 1],
    ],
    icosphere: [(scene) => MeshBuilder.CreateIcoSphere("m", { radius: 1, subdivisions: 4 }, scene), [1, 1, 1]],
    "coarse icosphere": [(scene) => MeshBuilder.CreateIcoSphere("m", { radius: 1, subdivisions: 1 }, scene), [1, 1, 1]],
    "geodesic sphere": [(scene) => MeshBuilder.CreateGeodesic("m", { m: 4, n: 2 }, scene), [1, 1, 1]],
    ...Object.fromEntries(
        [2, 3, 4, 5, 7, 9, 16].map((segments): [string, [Make, [number, number, number]]] => [
            `sphere of ${segments} segments`,
            [(scene) => MeshBuilder.CreateSphere("m", { segments, diameter: 2 }, scene), [1, 1, 1]],
        ]),
    ),
    "ellipsoid of 5 segments": [
        (scene) => MeshBuilder.CreateSphere("m", { segments: 5, diameterX: 2, diameterY: 4, diameterZ: 1 }, scene),
        [1, 2, 0.5],
    ],
};

/** Meshes that are rectangles, with what their half sides and front become under the map. */
const planes: Record<string, [Make, [number, number, number], [number, number, number]]> = {
    ground: [(scene) => MeshBuilder.CreateGround("m", { width: 4, height: 2 }, scene), [2, 0, 1], [0, 1, 0]],
    "fine ground": [
        (scene) => MeshBuilder.CreateGround("m", { width: 4, height: 2, subdivisions: 20 }, scene),
        [2, 0, 1],
        [0, 1, 0],
    ],
    "tiled ground": [
        (scene) => MeshBuilder.CreateTiledGround("m", { xmin: 0, zmin: 0, xmax: 4, zmax: 2 }, scene),
        [2, 0, 1],
        [0, 1, 0],
    ],
    plane: [(scene) => MeshBuilder.CreatePlane("m", { width: 4, height: 2 }, scene), [2, 1, 0], [0, 0, -1]],
    "unindexed ground": [
        (scene) => {
            const mesh = MeshBuilder.CreateGround("m", { width: 4, height: 2, subdivisions: 3 }, scene);
            mesh.convertToUnIndexedMesh();
            return mesh;
        },
        [2, 0, 1],
        [0, 1, 0],
    ],
    "double-sided plane": [
        (scene) => MeshBuilder.CreatePlane("m", { width: 4, height: 2, sideOrientation: Mesh.DOUBLESIDE }, scene),
        [2, 1, 0],
        [0, 0, 1],
    ],
    "tiled plane": [(scene) => MeshBuilder.CreateTiledPlane("m", { width: 4, height: 2 }, scene), [2, 1, 0], [0, 0, -1]],
};

/** What is no other shape. */
const meshes: Record<string, Make> = {
    torus: (scene) => MeshBuilder.CreateTorus("m", {}, scene),
    "open tube": (scene) => MeshBuilder.CreateCylinder("m", { cap: Mesh.NO_CAP }, scene),
    "box without a lid": (scene) => {
        const mesh = MeshBuilder.CreateBox("m", {}, scene);
        mesh.setIndices(Array.from(mesh.getIndices()!).slice(6));
        return mesh;
    },
    // Each side counted as a surface, they were hulls without end.
    "tube of six sides, double-sided": (scene) =>
        MeshBuilder.CreateCylinder("m", { cap: Mesh.NO_CAP, tessellation: 6, sideOrientation: Mesh.DOUBLESIDE }, scene),
    "box without a lid, double-sided": (scene) => {
        const mesh = MeshBuilder.CreateBox("m", { sideOrientation: Mesh.DOUBLESIDE }, scene);
        mesh.setIndices(Array.from(mesh.getIndices()!).filter((_, i) => i % 36 >= 6));
        return mesh;
    },
    "tilted disc, double-sided": (scene) => {
        const mesh = MeshBuilder.CreateDisc("m", { sideOrientation: Mesh.DOUBLESIDE }, scene);
        mesh.rotation.set(0.5, 0.4, 0.3);
        mesh.bakeCurrentTransformIntoVertices();
        return mesh;
    },
    hemisphere: (scene) => MeshBuilder.CreateSphere("m", { slice: 0.5 }, scene),
    "icosahedron of three faces": (scene) => meshOf(scene, [1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 1, 2]),
    disc: (scene) => MeshBuilder.CreateDisc("m", {}, scene),
    triangle: (scene) => meshOf(scene, [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]),
};

/** What has no triangles to collide with, and what is said of it. */
const none: Record<string, [Make, string]> = {
    line: [(scene) => meshOf(scene, [0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2]), "a mesh with triangles that have an area"],
    point: [(scene) => meshOf(scene, [1, 2, 3], [0, 0, 0]), "a mesh with triangles that have an area"],
    "two vertices": [(scene) => meshOf(scene, [1, 2, 3, 1, 2, 4], []), "a mesh with triangles"],
    lines: [
        (scene) => MeshBuilder.CreateLines("m", { points: [Vector3.Zero(), Vector3.Up(), Vector3.One()] }, scene),
        "a mesh made of triangles",
    ],
    "vertices that are NaN": [(scene) => meshOf(scene, [0, 0, 0, NaN, 0, 0, 0, 1, 0], [0, 1, 2]), "a mesh of finite vertices"],
    "an index beyond the vertices": [(scene) => meshOf(scene, [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 3]), "a mesh of finite vertices"],
    "sphere with a vertex that is NaN": [
        (scene) => {
            const mesh = MeshBuilder.CreateSphere("m", { updatable: true }, scene);
            const positions = Float32Array.from(mesh.getVerticesData("position")!);
            positions[31] = NaN;
            mesh.setVerticesData("position", positions);
            return mesh;
        },
        "a mesh of finite vertices",
    ],
};

describe("the shape of a collider", () => {
    test.each(Object.keys(spheres))("%s is a sphere", (name) => {
        const [make, half] = spheres[name];
        const mesh = make(makeWorld().scene);
        expect(inferShape(mesh)).toBe("sphere");
        const map = fitShape(mesh, "sphere").toLocal;
        const { center } = mesh.getBoundingInfo().boundingBox;
        for (let i = 0; i < 3; i++) {
            expect(map[5 * i] / half[i]).toBeGreaterThan(0.99);
            expect(map[5 * i] / half[i]).toBeLessThan(1.01);
            expect(map[12 + i]).toBeCloseTo(center.asArray()[i], 5);
        }
    });

    test.each(Object.keys(planes))("%s is a plane", (name) => {
        const [make, half, front] = planes[name];
        const mesh = make(makeWorld().scene);
        expect(inferShape(mesh)).toBe("plane");
        const map = fitShape(mesh, "plane").toLocal;
        for (let i = 0; i < 3; i++) {
            expect(Math.abs(map[i]) + Math.abs(map[4 + i])).toBeCloseTo(half[i], 5);
            expect(map[8 + i]).toBeCloseTo(front[i], 5);
        }
    });

    test("a rectangle along the mesh's own axes keeps to them, in their order, whatever its triangles", () => {
        const { scene } = makeWorld();
        const corners = [0, 0, 0, 4, 0, 0, 4, 0, 2, 0, 0, 2];
        const maps = [
            [0, 2, 1, 0, 3, 2],
            [2, 1, 0, 2, 0, 3],
            [1, 0, 2, 3, 2, 0],
            [0, 3, 1, 1, 3, 2],
        ].map((indices) => [...fitShape(meshOf(scene, corners, indices), "plane").toLocal]);
        for (const map of maps) expect(map.map(Math.abs)).toEqual([0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 1]);
    });

    test("a rectangle turned by less than what its area tells keeps to the mesh's own axes, too", () => {
        const { scene } = makeWorld();
        const rowOf = (angle: number): number[] => {
            const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
            const corners = [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 1],
            ].flatMap(([u, v]) => [u * cos - v * sin, 0, u * sin + v * cos]);
            const mesh = meshOf(scene, corners, [0, 2, 1, 0, 3, 2]);
            return [...fitShape(mesh, "plane").toLocal.subarray(0, 3)].map((x) => Math.abs(x));
        };
        // Around the own axes its area is larger by twice the angle.
        const isOwn = (angle: number): boolean => rowOf(angle).filter((x) => x === 0).length === 2;
        expect([0, 2e-5, 4e-5, 7e-5, 3e-4].map(isOwn)).toEqual([true, true, true, false, false]);
    });

    test("a mesh without indices has the triangles that its vertices make in order", () => {
        const { scene } = makeWorld();
        for (const [make, shape] of [
            [() => MeshBuilder.CreateSphere("m", { segments: 4 }, scene), "sphere"],
            [() => MeshBuilder.CreateGround("m", { width: 4, height: 2, subdivisions: 3 }, scene), "plane"],
        ] as const) {
            const mesh = make();
            mesh.convertToUnIndexedMesh();
            const bare = new Mesh("bare", scene);
            bare.setVerticesData("position", mesh.getVerticesData("position")!);
            expect(bare.getIndices()?.length ?? 0).toBe(0);
            expect(inferShape(bare)).toBe(shape);
        }
    });

    test("a strip is flat by its length, however narrow", () => {
        const { scene } = makeWorld();
        const strip = MeshBuilder.CreateBox("strip", { width: 4, height: 0.03, depth: 0.1 }, scene);
        expect(() => fitShape(strip, "plane").toLocal).not.toThrow();
        const bar = MeshBuilder.CreateBox("bar", { width: 4, height: 0.05, depth: 0.1 }, scene);
        expect(() => fitShape(bar, "plane").toLocal).toThrow('must be flat to be a "plane"');
    });

    test.each(Object.keys(meshes))("%s is a mesh", (name) => {
        expect(inferShape(meshes[name](makeWorld().scene))).toBe("mesh");
    });

    test.each(Object.keys(none))("%s is none, and says so", (name) => {
        const { scene, frame } = makeWorld();
        const [make, rule] = none[name];
        const mesh = make(scene);
        const cloth = new ClothBehavior();
        for (const options of [{}, { shape: "mesh" } as const]) {
            const message = messageOf(() => cloth.addCollider(mesh, options));
            expect(message).toBe(`ClothBehavior: addCollider: source must be ${rule}, got "${mesh.name}"`);
        }
        expect(cloth.colliders).toEqual([]);
        mesh.isVisible = false;
        frame();
    });

    test.each([0, 1, 2])(
        "a rectangle across axis %i, a fan around a point off its middle: the unit square lies on it, corner for corner",
        (thin) => {
            const [u, v] = [0, 1, 2].filter((axis) => axis !== thin);
            const place = (a: number, b: number): number[] => {
                const point = [7, 7, 7];
                point[u] = a;
                point[v] = b;
                return point;
            };
            const positions = [place(1, 2), place(5, 2), place(5, 8), place(1, 8), place(2, 6.5)].flat();
            const mesh = meshOf(makeWorld().scene, positions, [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]);
            expect(inferShape(mesh)).toBe("plane");
            const m = fitShape(mesh, "plane").toLocal;
            const corners = [
                [-1, -1],
                [1, -1],
                [1, 1],
                [-1, 1],
            ].map(([s, t]) => [0, 1, 2].map((c) => s * m[c] + t * m[4 + c] + m[12 + c]).join());
            expect(corners.sort()).toEqual(
                [place(1, 2), place(5, 2), place(5, 8), place(1, 8)].map((corner) => corner.join()).sort(),
            );
            expect([m[8], m[9], m[10]].map((x, c) => (c === thin ? Math.abs(x) : x))).toEqual(
                [0, 1, 2].map((c) => (c === thin ? 1 : 0)),
            );
        },
    );

    test("an instance has the shape of its source", () => {
        const { scene } = makeWorld();
        const instance = MeshBuilder.CreateSphere("m", {}, scene).createInstance("i");
        expect(new ClothBehavior().addCollider(instance).shape).toBe("sphere");
    });

    test("options.shape overrules the geometry", () => {
        const { scene } = makeWorld();
        const box = MeshBuilder.CreateBox("m", { width: 1, height: 2, depth: 3 }, scene);
        const cloth = new ClothBehavior();
        expect(cloth.addCollider(box, { shape: "sphere" }).shape).toBe("sphere");
        expect(cloth.addCollider(MeshBuilder.CreateDisc("d", {}, scene), { shape: "plane" }).shape).toBe("plane");
        expect([0, 5, 10].map((i) => fitShape(box, "sphere").toLocal[i])).toEqual([0.5, 1, 1.5]);
    });

    // The thinnest axis of the box was taken for the normal: cloth lay in the middle of it, or across the ramp.
    test("a mesh that is not flat is no plane, told or not", () => {
        const { scene } = makeWorld();
        const hill = MeshBuilder.CreateGround("hill", { width: 4, height: 4, subdivisions: 8 }, scene);
        const positions = Float32Array.from(hill.getVerticesData("position")!);
        for (let i = 0; i < positions.length; i += 3) positions[i + 1] = 0.3 * Math.cos(positions[i]);
        hill.setVerticesData("position", positions);
        for (const mesh of [MeshBuilder.CreateBox("box", { height: 0.2 }, scene), hill]) {
            expect(messageOf(() => new ClothBehavior().addCollider(mesh, { shape: "plane" }))).toBe(
                `ClothBehavior: addCollider: source must be flat to be a "plane", got "${mesh.name}"`,
            );
        }
    });

    test.each([undefined, "plane"] as const)("a ramp with a baked transform is the plane that it shows, shape %s", (shape) => {
        const { scene } = makeWorld();
        const ramp = MeshBuilder.CreateGround("ramp", { width: 4, height: 2, subdivisions: 3 }, scene);
        ramp.rotation.set(0.4, 0.7, 0.2);
        ramp.position.set(1, 2, 3);
        const world = ramp.computeWorldMatrix(true).clone();
        ramp.bakeCurrentTransformIntoVertices();
        expect(new ClothBehavior().addCollider(ramp, shape ? { shape } : {}).shape).toBe("plane");
        const map = fitShape(ramp, "plane").toLocal;
        const row = (r: number): number[] => Array.from(map.slice(4 * r, 4 * r + 3));
        const axis = (r: number, s: number): number[] => Array.from(world.m.slice(4 * r, 4 * r + 3), (x) => x * s);
        const isAlong = (a: number[], b: number[]): boolean => Math.hypot(...a.map((x, c) => Math.abs(x) - Math.abs(b[c]))) < 1e-5;
        expect([
            isAlong(row(0), axis(0, 2)) || isAlong(row(0), axis(2, 1)),
            isAlong(row(1), axis(0, 2)) || isAlong(row(1), axis(2, 1)),
        ]).toEqual([true, true]);
        row(2).forEach((x, c) => expect(x).toBeCloseTo(axis(1, 1)[c], 5));
        row(3).forEach((x, c) => expect(x).toBeCloseTo([1, 2, 3][c], 5));
    });

    test("a node without geometry", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior();
        const message = 'ClothBehavior: addCollider: "node" must have vertices, got none';
        expect(messageOf(() => cloth.addCollider(new TransformNode("node", scene)))).toBe(message);
        expect(messageOf(() => cloth.addCollider(new Mesh("node", scene), { shape: "sphere" }))).toBe(message);
    });
});
