// Bones of humanoids by the names of rigs: what they are, capes that hang on them, capsules on some of them.
import "@babylonjs/core/Materials/standardMaterial";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBehavior, ClothBuilder, Colliders, humanoidBones } from "babylon-cloth";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { disposeWorlds, listen, makeWorld, messageOf, told, worldVertices } from "./harness";
import { makeHumanoid, rigs } from "./humanoids";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

test.each(Object.entries(rigs))("all bones of a humanoid are found by the names of %s", (_, nameOf) => {
    const { skeleton, bones } = makeHumanoid(makeWorld().scene, nameOf);
    const found = humanoidBones(skeleton);
    expect(Object.keys(found).length).toBe(19);
    for (const [bone, given] of bones) expect([bone, found[bone]?.name]).toEqual([bone, given.name]);
});

test("names beside a rig's are no bones: fingers, twists, controls", () => {
    const skeleton = new Skeleton("rig", "rig", makeWorld().scene);
    const root = new Bone("root", skeleton, null, Matrix.Identity());
    const names = ["hand_ik.L", "DEF-forearm.L.001", "LeftHandThumb1", "ORG-shin.L", "mixamorig:LeftToeBase", "jaw", "skirt_l"];
    for (const name of names) new Bone(name, skeleton, root, Matrix.Identity());
    expect(humanoidBones(skeleton)).toEqual({});
});

describe.each([
    ["left-handed", false],
    ["right-handed", true],
])("a cape by skeleton in a %s scene", (_, rightHanded) => {
    test("hangs between the arms on the shoulder bones, behind the body, and follows the figure", () => {
        const { scene, frame } = makeWorld({ rightHanded });
        const { mesh, skeleton, bones } = makeHumanoid(scene, rigs.Mixamo);
        mesh.position.set(1, 0, 2);
        mesh.rotation.y = 0.7;
        const cape = ClothBuilder.CreateCape("cape", { skeleton, height: 0.9 }, scene);
        expect(cape.cloth.pins.map(({ target }) => target)).toEqual([bones.get("leftShoulder"), bones.get("rightShoulder")]);
        expect(cape.cloth.colliders.length).toBeGreaterThan(8);
        for (const { shape } of cape.cloth.colliders) expect(["capsule", "sphere"]).toContain(shape);
        const toBody = (): number[] => {
            const inverse = mesh.computeWorldMatrix(true).clone().invert();
            const world = worldVertices(cape);
            return Array.from({ length: world.length / 3 }, (_, v) =>
                Vector3.TransformCoordinates(Vector3.FromArray(world, 3 * v), inverse).asArray(),
            ).flat();
        };
        const x = toBody();
        expect(Math.min(...x.filter((_, i) => i % 3 === 0))).toBeLessThan(-0.2);
        expect(x[1]).toBeCloseTo(1.42, 2);
        for (let f = 0; f < 90; f++) {
            mesh.position.z += 1 / 60;
            bones.get("leftUpperArm")!.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Right(), 0.4 * Math.sin(f / 12)));
            frame();
        }
        const after = toBody();
        // It is behind the back, not in it, and has come along.
        const lowest = Math.min(...after.filter((_, i) => i % 3 === 1));
        expect(lowest).toBeGreaterThan(0.3);
        const middleDepths = after.filter(
            (_, i) => i % 3 === 2 && Math.abs(after[i - 1] - 1) < 0.1 && Math.abs(after[i - 2]) < 0.08,
        );
        expect(middleDepths.length).toBeGreaterThan(3);
        for (const depth of middleDepths) expect(depth).toBeLessThan(-0.1);
        expect(cape.cloth.stats.maxStretch).toBeLessThan(0.15);
        expect(told("warn").filter((text) => !text.startsWith("Skeleton"))).toEqual([]);
    });
});

describe("a cape finds its wearer's skeleton", () => {
    test("below the wearer; without shoulder bones it hangs on the chest", () => {
        const { scene } = makeWorld();
        const { mesh, skeleton, bones } = makeHumanoid(scene, (bone) => (bone.endsWith("Shoulder") ? `twist ${bone}` : bone));
        const hero = new TransformNode("hero", scene);
        mesh.parent = hero;
        const cape = ClothBuilder.CreateCape("cape", { wearer: hero }, scene);
        expect(cape.cloth.pins.map(({ target }) => target)).toEqual([bones.get("chest"), bones.get("chest")]);
        expect(skeleton.bones.length).toBe(19);
    });

    test.each([
        [
            "no bones of these names",
            /^ClothBuilder: CreateCape: skeleton must be a humanoid's, with leftUpperArm \(leftupperarm, .*leftarm.*\), rightUpperArm .*; or give shoulders, got "?a, b"?$/,
        ],
        ["no skeleton", /^ClothBuilder: CreateCape: skeleton must be a Skeleton, got 1$/],
        ["skeleton and shoulders", /^ClothBuilder: CreateCape: skeleton must be left out where there are shoulders, got/],
    ])("%s", (name, message) => {
        const { scene } = makeWorld();
        const skeleton = new Skeleton("rig", "rig", scene);
        const a = new Bone("a", skeleton, null, Matrix.Identity());
        const b = new Bone("b", skeleton, a, Matrix.Identity());
        const options = { [name]: {}, "no bones of these names": { skeleton }, "no skeleton": { skeleton: 1 as never } }[name]!;
        const both = name === "skeleton and shoulders" ? { skeleton, shoulders: [a, b] as [Bone, Bone] } : options;
        expect(messageOf(() => ClothBuilder.CreateCape("cape", both, scene))).toMatch(message);
        expect(scene.meshes).toEqual([]);
    });
});

test("capsules on some bones alone; unknown and missing ones are told", () => {
    const { mesh, bones } = makeHumanoid(makeWorld().scene, rigs.Rigify);
    const shapes = Colliders.fromSkeleton(mesh, { bones: ["leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg"] });
    expect(shapes.map(({ carrier }) => carrier)).toEqual(
        (["leftUpperLeg", "leftLowerLeg", "rightUpperLeg", "rightLowerLeg"] as const).map((bone) => bones.get(bone)),
    );
    expect(messageOf(() => Colliders.fromSkeleton(mesh, { bones: ["thigh" as never] }))).toMatch(
        /^Colliders: fromSkeleton: bones\[0\] must be one of hips, spine, .*, got "?thigh"?$/,
    );
    bones.get("head")!.name = "skull";
    expect(messageOf(() => Colliders.fromSkeleton(mesh, { bones: ["head"] }))).toMatch(
        /^Colliders: fromSkeleton: bones\[0\] must be a bone of "humanoid" \(hips, .*\), got "?head"?$/,
    );
});

describe("shapes near a cloth", () => {
    /** A band about the hips, of which the lower half is free to a distance. */
    async function wearBand(maxDistance: number) {
        const { scene } = makeWorld();
        const { mesh, skeleton, bones } = makeHumanoid(scene);
        const path = Array.from({ length: 13 }, (_, j) => new Vector3(0, 1.05 - 0.02 * j, 0));
        const band = MeshBuilder.CreateTube("band", { path, radius: 0.2, tessellation: 24 }, scene);
        const count = band.getTotalVertices();
        const x = band.getVerticesData("position")!;
        band.setVerticesData("matricesIndices", new Array<number>(4 * count).fill(0));
        band.setVerticesData(
            "matricesWeights",
            Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
        );
        band.skeleton = skeleton;
        for (const each of [mesh, band]) each.position.set(3, 0, 0);
        const distances = Array.from({ length: count }, (_, v) => (x[3 * v + 1] > 0.93 ? 0 : maxDistance));
        const cloth = new ClothBehavior({ maxDistance: distances });
        band.addBehavior(cloth);
        await cloth.whenReady();
        return { mesh, cloth, bones };
    }

    test("are those that its free particles may reach", async () => {
        const { mesh, cloth, bones } = await wearBand(0.05);
        const named = Colliders.fromSkeleton(mesh, { near: cloth }).map(({ name }) => name);
        // Not the hips, which are farther than the free part may go from the pinned one.
        const expected = ["leftHand", "leftLowerArm", "leftUpperLeg", "rightHand", "rightLowerArm", "rightUpperLeg"];
        expect(named.sort()).toEqual(expected);
        expect(bones.size).toBe(19);
        expect(Colliders.fromSkeleton(mesh).length).toBeGreaterThan(14);
    });

    test("fewer where they may hardly leave the skin; what is no cloth is told", async () => {
        const { mesh, cloth } = await wearBand(0.001);
        expect(Colliders.fromSkeleton(mesh, { near: cloth }).map(({ name }) => name)).toEqual([]);
        const alone = new ClothBehavior();
        expect(messageOf(() => Colliders.fromSkeleton(mesh, { near: alone }))).toMatch(
            /^Colliders: fromSkeleton: near must be a ClothBehavior on a mesh, got/,
        );
    });
});
