/** Bodies from bones: capsules fitted to skin weights, carried by bones; and those that a VRM brings along. */
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Colliders } from "../../../src/index";
import { disposeWorlds, listen, makeSquare, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/**
 * An arm along x, 1 m: a cone from radius 0.1 to 0.05, bound to an upper bone (x < 0.5), a lower one (to 0.95), and the finger, of
 * 5 cm. Its frame is moved off the origin, so that nothing works by being there.
 */
function makeArm(scene: Scene): { mesh: Mesh; upper: Bone; lower: Bone; finger: Bone } {
    const mesh = MeshBuilder.CreateTube(
        "arm",
        {
            path: Array.from({ length: 41 }, (_, i) => new Vector3(i / 40, 2, 0)),
            radiusFunction: (i) => 0.1 - 0.05 * (i / 40),
            tessellation: 16,
        },
        scene,
    );
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const upper = new Bone("upper", skeleton, null, Matrix.Translation(0, 2, 0));
    const lower = new Bone("lower", skeleton, upper, Matrix.Translation(0.5, 0, 0));
    const finger = new Bone("finger", skeleton, lower, Matrix.Translation(0.46, 0, 0));
    const positions = mesh.getVerticesData("position")!;
    const indices: number[] = [];
    const weights: number[] = [];
    for (let o = 0; o < positions.length; o += 3) {
        const x = positions[o];
        indices.push(x < 0.5 ? 0 : x < 0.96 ? 1 : 2, x < 0.5 ? 1 : 0, 0, 0);
        weights.push(0.8, 0.2, 0, 0);
    }
    mesh.setVerticesData("matricesIndices", indices);
    mesh.setVerticesData("matricesWeights", weights);
    mesh.skeleton = skeleton;
    return { mesh, upper, lower, finger };
}

describe("Colliders.fromSkeleton", () => {
    test("fits tapered capsules from joint to joint; small bones count with their parents", () => {
        const { mesh, upper, lower } = makeArm(makeWorld().scene);
        const shapes = Colliders.fromSkeleton(mesh, { least: 0.2 });
        expect(shapes.map(({ name }) => name)).toEqual(["upper", "lower"]);
        expect(shapes.map(({ carrier }) => carrier)).toEqual([upper, lower]);
        const [a, b] = shapes;
        // Ends at the elbow; begins within the skin.
        for (const [c, x] of [0.5, 2, 0].entries()) expect(a.end[c]).toBeCloseTo(x, 2);
        expect(a.start[0]).toBeCloseTo(0.1, 1);
        expect(a.startRadius).toBeCloseTo(0.095, 2);
        expect(a.endRadius).toBeCloseTo(0.083, 2);
        expect(b.end[0] + b.endRadius).toBeCloseTo(1, 1);
        expect(b.startRadius).toBeGreaterThan(b.endRadius);
    });

    test("the share of the vertices that the radius holds, and the least size, are the user's", () => {
        const { mesh } = makeArm(makeWorld().scene);
        const radius = (percentile: number): number => Colliders.fromSkeleton(mesh, { percentile })[0].startRadius;
        expect(radius(1)).toBeGreaterThan(radius(0.2));
        expect(Colliders.fromSkeleton(mesh, { least: 0 }).map(({ name }) => name)).toEqual(["upper", "lower", "finger"]);
        expect(Colliders.fromSkeleton(mesh, { least: 1 })).toEqual([]);
    });

    test("the bones carry them: cloth lies on a bent arm, under a scaled and turned parent", () => {
        const world = makeWorld();
        const { mesh, lower } = makeArm(world.scene);
        const parent = new TransformNode("parent", world.scene);
        parent.position.set(5, -1, 3);
        parent.rotation.y = Math.PI / 2;
        parent.scaling.setAll(2);
        mesh.parent = parent;
        const sheet = makeSquare(world.scene, 12);
        // Above the lower arm, which is bent to hang from the elbow along z: x 5, z from 3 - 1 on.
        lower.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Up(), Math.PI / 2));
        world.frame();
        const along = Vector3.TransformCoordinates(new Vector3(0.25, 0, 0), lower.getAbsoluteMatrix());
        const middle = Vector3.TransformCoordinates(along, mesh.computeWorldMatrix(true));
        sheet.position.copyFrom(middle).addInPlaceFromFloats(0, 0.5, 0);
        const cloth = new ClothBehavior({ fabric: { thickness: 0.01 } });
        sheet.addBehavior(cloth);
        for (const shape of Colliders.fromSkeleton(mesh)) expect(cloth.addCollider(shape).shape).toBe("capsule");
        world.frame(undefined, 60);
        const positions = cloth.getParticlePositions();
        let highest = -Infinity;
        for (let i = 0; i < positions.length; i += 3) {
            const here = Vector3.FromArray(positions, i).subtract(middle);
            if (Math.hypot(here.x, here.z) < 0.1) highest = Math.max(highest, here.y);
        }
        // Radius about 0.075 m, scaled by two.
        expect(highest).toBeGreaterThan(0.14);
        expect(highest).toBeLessThan(0.19);
        expect(told("warn")).toEqual([]);
    });

    test("a bone that turns takes the cloth on it along; the mesh's end drops all with a warning each", () => {
        const world = makeWorld();
        const { mesh, upper } = makeArm(world.scene);
        const sheet = makeSquare(world.scene, 12);
        sheet.position.set(0.4, 2.3, 0);
        const cloth = new ClothBehavior({ colliders: Colliders.fromSkeleton(mesh), fabric: { thickness: 0.01, friction: 1 } });
        sheet.addBehavior(cloth);
        world.frame(undefined, 60);
        const heightOf = (): number =>
            cloth.getParticlePositions().reduce((most, x, i) => (i % 3 === 1 ? Math.max(most, x) : most), -9);
        expect(heightOf()).toBeCloseTo(2.11, 1);
        for (let f = 0; f < 30; f++) {
            upper.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Forward(), f / 60));
            world.frame();
        }
        expect(heightOf()).toBeGreaterThan(2.3);
        const count = cloth.colliders.length;
        mesh.dispose();
        world.frame(undefined, 3);
        expect(cloth.colliders).toEqual([]);
        expect(told("warn")).toHaveLength(count);
        expect(told("warn")).toContain('ClothBehavior: the collider "upper" was disposed; it is dropped');
    });

    test("a bone that is not finite stays where it was, with one warning", () => {
        const world = makeWorld();
        const { mesh, upper } = makeArm(world.scene);
        const cloth = new ClothBehavior({ colliders: Colliders.fromSkeleton(mesh).slice(0, 1) });
        makeSquare(world.scene).addBehavior(cloth);
        world.frame();
        upper.setPosition(new Vector3(NaN, 0, 0));
        world.frame(undefined, 3);
        expect(told("warn")).toEqual([expect.stringMatching(/the place of the collider "upper" is not finite/)]);
        expect(Array.from(cloth.getParticlePositions()).every(Number.isFinite)).toBe(true);
    });

    test("says what it cannot use", () => {
        const { scene } = makeWorld();
        const { mesh } = makeArm(scene);
        expect(messageOf(() => Colliders.fromSkeleton(makeSquare(scene)))).toBe(
            'Colliders: fromSkeleton: mesh must be a mesh with a skeleton, got "square"',
        );
        expect(messageOf(() => Colliders.fromSkeleton(null as never))).toMatch(/mesh must be a mesh with a skeleton/);
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { percentile: 2 }))).toMatch(
            /percentile must be a number from 0 to 1, got 2/,
        );
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { size: 2 } as never))).toMatch(/unknown option "size"/);
        const bare = makeSquare(scene);
        bare.skeleton = mesh.skeleton;
        expect(messageOf(() => Colliders.fromSkeleton(bare))).toMatch(/mesh must be a mesh with bones' weights/);
        mesh.dispose();
        expect(messageOf(() => Colliders.fromSkeleton(mesh))).toMatch(/mesh must be a mesh/);
    });
});

describe("colliders of a VRM's spring bones", () => {
    /** As the glTF loader leaves it: nodes know where they were in the file. */
    function load(scene: Scene): { mesh: Mesh; root: TransformNode; head: TransformNode } {
        const { mesh } = makeArm(scene);
        const root = new TransformNode("__root__", scene);
        root.scaling.z = -1;
        const head = new TransformNode("head", scene);
        head.parent = mesh.parent = root;
        head.position.set(0, 1, 0.5);
        (head as unknown as { _internalMetadata: object })._internalMetadata = { gltf: { pointers: ["/nodes/7"] } };
        return { mesh, root, head };
    }

    const version0 = {
        extensions: {
            VRM: {
                secondaryAnimation: {
                    colliderGroups: [{ node: 7, colliders: [{ offset: { x: 0.1, y: 0.2, z: 0.3 }, radius: 0.25 }] }],
                },
            },
        },
    };
    const version1 = {
        extensions: {
            VRMC_springBone: {
                colliders: [
                    { node: 7, shape: { sphere: { offset: [0.1, 0.2, -0.3], radius: 0.25 } } },
                    { node: 7, shape: { capsule: { offset: [0, 0, 0], tail: [0, 0.4, 0], radius: 0.1 } } },
                ],
            },
        },
    };

    test("version 0: spheres, in axes whose z is turned", () => {
        const { mesh, head } = load(makeWorld().scene);
        const shapes = Colliders.fromSkeleton(mesh, { gltf: version0 });
        expect(shapes).toHaveLength(1);
        expect(shapes[0]).toMatchObject({
            name: "head",
            carrier: head,
            start: [0.1, 0.2, -0.3],
            end: [0.1, 0.2, -0.3],
            startRadius: 0.25,
        });
        expect(new ClothBehavior().addCollider(shapes[0]).shape).toBe("sphere");
    });

    test("version 1: spheres and capsules; found in what the loader leaves of the file, too", () => {
        const { mesh, root } = load(makeWorld().scene);
        root.metadata = { gltf: version1 };
        const shapes = Colliders.fromSkeleton(mesh);
        expect(shapes.map(({ start, end, endRadius }) => [start, end, endRadius])).toEqual([
            [[0.1, 0.2, -0.3], [0.1, 0.2, -0.3], 0.25],
            [[0, 0, 0], [0, 0.4, 0], 0.1],
        ]);
        expect(shapes.map((shape) => new ClothBehavior().addCollider(shape).shape)).toEqual(["sphere", "capsule"]);
        root.metadata = { gltf: { extras: version0.extensions } };
        expect(Colliders.fromSkeleton(mesh)).toHaveLength(1);
    });

    test("cloth lies on one, under a mirrored root", () => {
        const world = makeWorld();
        const { mesh } = load(world.scene);
        const sheet = makeSquare(world.scene, 16);
        // The sphere's middle: 0.1, 1.2, 0.5 - 0.3, and z mirrored.
        sheet.position.set(0.1, 1.6, -0.2);
        const cloth = new ClothBehavior({
            colliders: Colliders.fromSkeleton(mesh, { gltf: version1 }).slice(0, 1),
            fabric: { thickness: 0.01 },
        });
        sheet.addBehavior(cloth);
        world.frame(undefined, 60);
        const x = cloth.getParticlePositions();
        let nearest = Infinity;
        for (let i = 0; i < x.length; i += 3) nearest = Math.min(nearest, Math.hypot(x[i] - 0.1, x[i + 1] - 1.2, x[i + 2] + 0.2));
        expect(nearest).toBeCloseTo(0.26, 2);
    });

    test("says which node is not there, and what numbers cannot be used", () => {
        const { mesh } = load(makeWorld().scene);
        const file = (node: number, radius: number): object => ({
            extensions: { VRMC_springBone: { colliders: [{ node, shape: { sphere: { radius } } }] } },
        });
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { gltf: file(8, 1) }))).toMatch(/on a node that is not there\), got 8/);
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { gltf: file(7, NaN) }))).toMatch(/finite numbers, got "head"/);
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { gltf: file(7, -1) }))).toMatch(/finite numbers/);
        // What has no size is passed over, and the mesh fitted instead.
        expect(Colliders.fromSkeleton(mesh, { gltf: file(7, 0) }).length).toBeGreaterThan(1);
    });
});
