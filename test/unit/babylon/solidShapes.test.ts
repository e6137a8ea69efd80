/** Boxes, capsules, cylinders and convex meshes are recognised, and cloth lies on them as they look. */
import { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { fitShape, inferShape } from "../../../src/babylon/colliders/shapeInference";
import type { MeshShape } from "../../../src/index";
import { ClothBehavior } from "../../../src/index";
import { disposeWorlds, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

type Make = (scene: Scene) => Mesh;

/** The mesh, turned and shifted for good. */
function baked(mesh: Mesh): Mesh {
    mesh.rotation.set(0.4, 0.7, 0.2);
    mesh.position.set(1, 2, 3);
    mesh.bakeCurrentTransformIntoVertices();
    return mesh;
}

/** Turned so that its axis is another of the mesh's. */
function lying(mesh: Mesh): Mesh {
    mesh.rotation.z = Math.PI / 2;
    mesh.bakeCurrentTransformIntoVertices();
    return mesh;
}

const solids: Record<string, [Make, MeshShape]> = {
    box: [(scene) => MeshBuilder.CreateBox("m", {}, scene), "box"],
    "long box": [(scene) => MeshBuilder.CreateBox("m", { width: 0.1, height: 3, depth: 0.5 }, scene), "box"],
    "box with a baked transform": [(scene) => baked(MeshBuilder.CreateBox("m", { width: 1, height: 2, depth: 3 }, scene)), "box"],
    "tiled box": [(scene) => MeshBuilder.CreateTiledBox("m", { width: 2, height: 1, depth: 3, tileSize: 0.5 }, scene), "box"],
    "prism of four sides": [(scene) => MeshBuilder.CreateCylinder("m", { tessellation: 4 }, scene), "box"],
    capsule: [(scene) => MeshBuilder.CreateCapsule("m", {}, scene), "capsule"],
    "capsule along x": [(scene) => lying(MeshBuilder.CreateCapsule("m", { height: 3, radius: 0.2 }, scene)), "capsule"],
    "tapered capsule": [
        (scene) => MeshBuilder.CreateCapsule("m", { height: 2, radius: 0.3, radiusTop: 0.15, radiusBottom: 0.4 }, scene),
        "capsule",
    ],
    "coarse capsule": [(scene) => MeshBuilder.CreateCapsule("m", { tessellation: 8, capSubdivisions: 3 }, scene), "capsule"],
    cylinder: [(scene) => MeshBuilder.CreateCylinder("m", {}, scene), "cylinder"],
    "flat cylinder along x": [(scene) => lying(MeshBuilder.CreateCylinder("m", { height: 0.05, diameter: 2 }, scene)), "cylinder"],
    "cylinder of rows": [(scene) => MeshBuilder.CreateCylinder("m", { subdivisions: 5, tessellation: 12 }, scene), "cylinder"],
    cone: [(scene) => MeshBuilder.CreateCylinder("m", { diameterTop: 0 }, scene), "hull"],
    "cut cone": [(scene) => MeshBuilder.CreateCylinder("m", { diameterTop: 0.5 }, scene), "hull"],
    "double-sided prism of five sides": [
        (scene) => MeshBuilder.CreateCylinder("m", { tessellation: 5, sideOrientation: 2 }, scene),
        "hull",
    ],
    "prism of five sides": [(scene) => MeshBuilder.CreateCylinder("m", { tessellation: 5 }, scene), "hull"],
    ...Object.fromEntries(
        [0, 1, 5].map((type): [string, [Make, MeshShape]] => [
            `polyhedron ${type}`,
            [(scene) => MeshBuilder.CreatePolyhedron("m", { type, flat: false }, scene), "hull"],
        ]),
    ),
};

describe("the shape of a solid", () => {
    test.each(Object.keys(solids))("%s", (name) => {
        const [make, shape] = solids[name];
        expect(inferShape(make(makeWorld().scene))).toBe(shape);
    });

    test("a tapered capsule's radii and place", () => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateCapsule("m", { height: 2, radiusTop: 0.2, radiusBottom: 0.4, capSubdivisions: 12 }, scene);
        const { toLocal, form } = fitShape(mesh, "capsule");
        expect(toLocal[0]).toBeCloseTo(0.4, 2);
        expect(toLocal[5]).toBeCloseTo(1, 2);
        expect(form[0]).toBe(1);
        expect(form[1]).toBeCloseTo(0.5, 2);
    });

    /** Height at which the middle of a cloth comes to rest on a mesh. */
    function restOn(make: Make, options: { shape?: MeshShape; at?: (mesh: Mesh) => void } = {}): number {
        const { scene, frame } = makeWorld();
        const mesh = make(scene);
        options.at?.(mesh);
        const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
        sheet.position.y = 2;
        const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
        sheet.addBehavior(cloth);
        cloth.addCollider(mesh, options.shape ? { shape: options.shape } : {});
        for (let f = 0; f < 150; f++) frame(1000 / 60);
        return cloth.getParticlePositions()[3 * (17 * 8 + 8) + 1];
    }

    test.each<[string, Make, (mesh: Mesh) => void, number]>([
        ["box", (scene) => MeshBuilder.CreateBox("m", { height: 1 }, scene), () => {}, 0.51],
        ["scaled box", (scene) => MeshBuilder.CreateBox("m", {}, scene), (mesh) => mesh.scaling.set(0.6, 2, 1.3), 1.01],
        ["mirrored box", (scene) => MeshBuilder.CreateBox("m", {}, scene), (mesh) => mesh.scaling.set(-0.6, 2, 1.3), 1.01],
        ["capsule", (scene) => MeshBuilder.CreateCapsule("m", { height: 2, radius: 0.4 }, scene), () => {}, 1.01],
        [
            "capsule that lies",
            (scene) => MeshBuilder.CreateCapsule("m", { height: 2, radius: 0.4 }, scene),
            (mesh) => (mesh.rotation.x = Math.PI / 2),
            0.41,
        ],
        ["cylinder", (scene) => MeshBuilder.CreateCylinder("m", { height: 1, diameter: 1 }, scene), () => {}, 0.51],
        ["prism", (scene) => MeshBuilder.CreateCylinder("m", { height: 1, tessellation: 6 }, scene), () => {}, 0.51],
    ])("cloth lies on a %s where its top is", (_name, make, at, height) => {
        expect(Math.abs(restOn(make, { at }) - height)).toBeLessThan(0.02);
    });

    test("a torus told to be a hull is closed over its hole", () => {
        const torus: Make = (scene) => MeshBuilder.CreateTorus("m", { diameter: 1, thickness: 0.3, tessellation: 32 }, scene);
        expect(Math.abs(restOn(torus, { shape: "hull" }) - 0.16)).toBeLessThan(0.02);
    });

    test("a BoundingBox, followed as it is updated", () => {
        const { scene, frame } = makeWorld();
        const box = new BoundingBox(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
        const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        sheet.position.y = 1;
        const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
        sheet.addBehavior(cloth);
        expect(cloth.addCollider(box).shape).toBe("box");
        const middle = (): number => cloth.getParticlePositions()[3 * (9 * 4 + 4) + 1];
        for (let f = 0; f < 120; f++) frame(1000 / 60);
        expect(middle()).toBeCloseTo(0.51, 2);
        for (let f = 0; f < 60; f++) {
            box.reConstruct(box.minimum.clone(), box.maximum.clone(), Matrix.Translation(0, f / 120, 0));
            frame(1000 / 60);
        }
        expect(middle()).toBeGreaterThan(0.98);
    });

    test("what cannot be the shape that it is told to have", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior();
        const plank = MeshBuilder.CreateBox("plank", { width: 3, height: 0.1, depth: 1.7 }, scene);
        const ground = MeshBuilder.CreateGround("ground", {}, scene);
        expect(messageOf(() => cloth.addCollider(plank, { shape: "capsule" }))).toBe(
            'ClothBehavior: addCollider: source must be as wide as deep to be a "capsule", got "plank"',
        );
        expect(messageOf(() => cloth.addCollider(plank, { shape: "cylinder" }))).toBe(
            'ClothBehavior: addCollider: source must be as wide as deep to be a "cylinder", got "plank"',
        );
        expect(messageOf(() => cloth.addCollider(ground, { shape: "hull" }))).toBe(
            'ClothBehavior: addCollider: source must be a solid to be a "hull", got "ground"',
        );
        expect(cloth.colliders).toEqual([]);
    });
});
