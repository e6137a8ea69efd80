/** Ragdolls: bodies from bones, blended with an animation. */
import { readFileSync } from "node:fs";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Colliders, Ragdoll } from "../../../src/index";
import type { RagdollOptions } from "../../../src/index";
import type { Joint } from "../../../src/engine/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, told } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const FILE = `data:;base64,${readFileSync("playground/assets/walker.glb").toString("base64")}`;

/** The figure of the gallery; `pose` has it walk by hand. */
async function makeWalker({ scene }: World) {
    const { meshes, animationGroups } = await ImportMeshAsync(FILE, scene, { pluginExtension: ".glb" });
    const [walk] = animationGroups;
    walk.start(true);
    walk.pause();
    const pose = (frame: number) => walk.goToFrame(walk.from + ((frame / 66) % 1) * (walk.to - walk.from));
    return { root: meshes[0], figure: scene.getMeshByName("Walker") as Mesh, pose };
}

/** An arm along x of 1 m, of two bones that no nodes pose, in a parent that is turned and scaled. */
function makeArm(scene: Scene): { mesh: Mesh; upper: Bone; lower: Bone; parent: TransformNode } {
    const path = Array.from({ length: 41 }, (_, i) => new Vector3(i / 40, 2, 0));
    const mesh = MeshBuilder.CreateTube("arm", { path, radius: 0.08 }, scene);
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const upper = new Bone("upper", skeleton, null, Matrix.Translation(0, 2, 0));
    const lower = new Bone("lower", skeleton, upper, Matrix.Translation(0.5, 0, 0));
    const positions = mesh.getVerticesData("position")!;
    const indices: number[] = [];
    for (let o = 0; o < positions.length; o += 3) indices.push(positions[o] < 0.5 ? 0 : 1, 0, 0, 0);
    mesh.setVerticesData("matricesIndices", indices);
    mesh.setVerticesData(
        "matricesWeights",
        indices.map((_, k) => (k % 4 === 0 ? 1 : 0)),
    );
    mesh.skeleton = skeleton;
    const parent = new TransformNode("parent", scene);
    parent.position.set(5, -1, 3);
    parent.rotation.y = Math.PI / 2;
    parent.scaling.setAll(2);
    mesh.parent = parent;
    return { mesh, upper, lower, parent };
}

/** Babylon warns that its engine without a screen has no room for bones. */
const warnings = () => told("warn").filter((line) => !line.startsWith("Skeleton"));

/** How bones are posed in their parents: position and rotation each. */
function posesOf(mesh: AbstractMesh): { position: Vector3; rotation: Quaternion }[] {
    return mesh.skeleton!.bones.map((bone) => {
        const { position, rotationQuaternion } = bone.getTransformNode() ?? bone;
        return { position: position.clone(), rotation: rotationQuaternion!.clone() };
    });
}

/** Where a bone's skin goes in the world. */
function skinOf(mesh: AbstractMesh, bone: Bone): Matrix {
    mesh.skeleton!.prepare(true);
    return bone.getAbsoluteInverseBindMatrix().multiply(bone.getFinalMatrix()).multiply(mesh.computeWorldMatrix(true));
}

/** How far its worst joint is open [m]. */
function openingOf({ limbs }: Ragdoll): number {
    let most = 0;
    for (const { joint } of limbs) {
        const { data } = (joint as unknown as { _joint?: Joint } | null)?._joint ?? {};
        if (data) most = Math.max(most, Math.hypot(data[12], data[13], data[14]));
    }
    return most;
}

test("one that walks is hit, falls down stairs, and comes to rest: no bone gets in, no joint opens", async () => {
    const world = makeWorld();
    const { figure, pose } = await makeWalker(world);
    const stairs = Array.from({ length: 7 }, (_, i) => {
        const deep = i > 0 && i < 6 ? 0.3 : 20;
        const step = MeshBuilder.CreateBox("step", { width: 20, height: 1, depth: deep }, world.scene);
        step.position.set(0, -0.5 - 0.18 * i, 0.3 * i - 0.15 + (i > 0 ? deep / 2 : 0.3 - deep / 2));
        return step;
    });
    const ragdoll = Ragdoll.fromSkeleton(figure, { blend: 0, colliders: stairs });
    for (let k = 0; k < 10; k++) {
        pose(k);
        world.frame();
    }
    ragdoll.blend = 1;
    world.frame();
    ragdoll.limbs.find(({ bone }) => bone.name === "chest")!.body.applyImpulse(new Vector3(0, 1.3, 0), new Vector3(0, 0, 25));
    let [opening, depth, seconds] = [0, -Infinity, 0];
    const head = new Vector3();
    while (!ragdoll.isAsleep && seconds < 15) {
        world.frame();
        seconds += FRAME / 1000;
        opening = Math.max(opening, openingOf(ragdoll));
        for (const { bone } of ragdoll.limbs) {
            head.copyFrom(bone.getTransformNode()!.getAbsolutePosition());
            // Tops of the steps.
            const step = Math.min(6, Math.max(0, Math.floor(head.z / 0.3 + 0.5)));
            depth = Math.max(depth, -0.18 * step - head.y);
        }
    }
    expect(ragdoll.isAsleep).toBe(true);
    expect(opening).toBeLessThan(6e-3);
    expect(depth).toBeLessThan(0);
    expect(ragdoll.limbs[0].mesh.position.y).toBeLessThan(0.3);
    expect(warnings()).toEqual([]);
});

test("at 0 the animation's pose, at 1 the bodies', at 0.5 between both", async () => {
    const world = makeWorld();
    const { figure, pose } = await makeWalker(world);
    const ragdoll = Ragdoll.fromSkeleton(figure, { blend: 0 });
    const at = (blend: number) => {
        ragdoll.blend = blend;
        world.frame(0);
        return posesOf(figure);
    };
    pose(5);
    const animated = posesOf(figure);
    world.frame();
    expect(posesOf(figure)).toEqual(animated);
    ragdoll.blend = 1;
    world.frame(FRAME, 20);
    const [fallen, half] = [at(1), at(0.5)];
    let apart = 0;
    animated.forEach((from, i) => {
        apart = Math.max(apart, Vector3.Distance(from.position, fallen[i].position));
        expect(Vector3.Distance(half[i].position, Vector3.Lerp(from.position, fallen[i].position, 0.5))).toBeLessThan(1e-6);
        const turn = Quaternion.Slerp(from.rotation, fallen[i].rotation, 0.5);
        expect(Math.abs(Quaternion.Dot(turn, half[i].rotation))).toBeGreaterThan(1 - 1e-6);
    });
    expect(apart).toBeGreaterThan(0.3);
    // The animation goes on meanwhile, though bones show something else.
    pose(20);
    const later = posesOf(figure).map(({ rotation }) => rotation);
    at(0.5);
    const shown = at(0);
    expect(shown.map(({ rotation }) => rotation)).toEqual(later);
    // It moves no bone but the hips.
    expect(shown.slice(1).map(({ position }) => position)).toEqual(animated.slice(1).map(({ position }) => position));
    expect(ragdoll.isAsleep).toBe(false);
});

test("bodies begin with the animation's motion, and have the skin where their bones do", async () => {
    const world = makeWorld();
    const { root, figure, pose } = await makeWalker(world);
    const ragdoll = Ragdoll.fromSkeleton(figure, { blend: 0, gravity: Vector3.Zero(), damping: 0, mass: 70 });
    expect(ragdoll.limbs.reduce((sum, { body }) => sum + body.mass!, 0)).toBeCloseTo(70, 6);
    root.rotationQuaternion = null;
    for (let k = 0; k < 5; k++) {
        pose(5);
        root.position.x = (2 * k * FRAME) / 1000;
        root.rotation.y = (3 * k * FRAME) / 1000;
        world.frame();
    }
    ragdoll.blend = 1;
    const [{ mesh }] = ragdoll.limbs;
    world.frame();
    const before = mesh.position.clone();
    const turnBefore = mesh.rotationQuaternion!.clone();
    world.frame();
    expect((1000 * (mesh.position.x - before.x)) / FRAME).toBeCloseTo(2, 0);
    const turn = mesh.rotationQuaternion!.multiply(turnBefore.conjugate());
    expect((2000 * Math.abs(turn.y)) / FRAME).toBeCloseTo(3, 0);
    // Skin and box agree.
    for (const limb of ragdoll.limbs) {
        const { bone, mesh: box } = limb;
        const moved = (limb as unknown as { _toBox: Float64Array })._toBox;
        const expected = Matrix.FromArray(Array.from(moved)).multiply(box.computeWorldMatrix(true));
        const actual = bone.getAbsoluteInverseBindMatrix().clone().invert().multiply(skinOf(figure, bone));
        expected.m.forEach((x, i) => expect(Math.abs(x - actual.m[i])).toBeLessThan(1e-4));
    }
});

test("bones without nodes, under a parent that is turned and scaled; cloth on their colliders goes along", () => {
    const world = makeWorld();
    const { mesh } = makeArm(world.scene);
    const floor = MeshBuilder.CreateBox("floor", { size: 20 }, world.scene);
    floor.position.y = -10;
    const sheet = makeSquare(world.scene, 16);
    sheet.position.set(5, 3.6, 2.2);
    const cloth = new ClothBehavior({
        wind: null,
        colliders: [floor, ...Colliders.fromSkeleton(mesh)],
        fabric: { thickness: 0.01 },
    });
    sheet.addBehavior(cloth);
    const ragdoll = Ragdoll.fromSkeleton(mesh, { colliders: [floor] });
    world.frame(FRAME, 120);
    for (const { mesh: box, bone } of ragdoll.limbs) {
        // Of 0.16 m, twice as large.
        expect(box.position.y).toBeCloseTo(0.16, 1);
        expect(skinOf(mesh, bone).getTranslation().y).toBeLessThan(-3);
    }
    expect(openingOf(ragdoll)).toBeLessThan(2e-3);
    const positions = cloth.getParticlePositions();
    let highest = 0;
    for (let o = 0; o < positions.length; o += 3) highest = Math.max(highest, positions[o + 1]);
    expect(highest).toBeGreaterThan(0.28);
    expect(highest).toBeLessThan(0.4);
});

test("steps by hand, all limbs at once", async () => {
    const world = makeWorld();
    const { figure } = await makeWalker(world);
    const ragdoll = Ragdoll.fromSkeleton(figure, { autoStep: false });
    world.frame(FRAME, 10);
    const { position } = ragdoll.limbs[0].mesh;
    const from = position.y;
    ragdoll.step(0);
    for (let k = 0; k < 30; k++) ragdoll.step(1 / 60);
    // As what falls freely.
    expect(from - position.y).toBeCloseTo((9.81 / 2) * 0.25, 1);
    expect(openingOf(ragdoll)).toBeLessThan(1e-3);
    await ragdoll.whenReady();
});

test("its end, and that of its mesh, leave nothing", async () => {
    const world = makeWorld();
    const { figure, root } = await makeWalker(world);
    const count = world.scene.meshes.length;
    const ragdoll = Ragdoll.fromSkeleton(figure);
    world.frame(FRAME, 3);
    ragdoll.dispose();
    ragdoll.dispose();
    expect(world.scene.meshes.length).toBe(count);
    const posed = posesOf(figure);
    world.frame(FRAME, 3);
    expect(posesOf(figure)).toEqual(posed);
    Ragdoll.fromSkeleton(figure);
    world.frame(FRAME, 3);
    root.dispose();
    expect(world.scene.meshes.length).toBe(0);
    world.frame(FRAME, 3);
    expect(warnings()).toEqual([]);
});

describe("what cannot be a ragdoll", () => {
    const tell = (mesh: AbstractMesh, options: object = {}) =>
        messageOf(() => Ragdoll.fromSkeleton(mesh, options as RagdollOptions));

    test("meshes", () => {
        const { scene } = makeWorld();
        expect(tell(MeshBuilder.CreateBox("box", {}, scene))).toBe(`Ragdoll: mesh must be a mesh with a skeleton, got "box"`);
        expect(tell(null as unknown as AbstractMesh)).toMatch(/^Ragdoll: mesh must be a mesh with a skeleton/);
        const { mesh, parent, upper } = makeArm(scene);
        const indices = mesh.getVerticesData("matricesIndices")!;
        mesh.setVerticesData("matricesIndices", new Float32Array(indices.length).fill(9));
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be a mesh with bones that move enough of it to be bodies, got "arm"/);
        mesh.setVerticesData("matricesIndices", indices);
        parent.scaling.x = 3;
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be scaled evenly to all sides, and its bones, got "arm"/);
        parent.scaling.x = NaN;
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be scaled evenly/);
        parent.scaling.x = 2;
        upper.setScale(new Vector3(1, 2, 1));
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be scaled evenly to all sides, and its bones, got "upper"/);
        upper.setScale(Vector3.One());
        const count = scene.meshes.length;
        mesh.removeVerticesData("matricesWeights");
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be a mesh with bones' weights, got "arm"/);
        mesh.dispose();
        expect(tell(mesh)).toMatch(/^Ragdoll: mesh must be a mesh (with a skeleton|that is not disposed), got "arm"/);
        expect(scene.meshes.length).toBe(count - 1);
    });

    test("options", () => {
        const { mesh } = makeArm(makeWorld().scene);
        expect(tell(mesh, { blend: 2 })).toBe("Ragdoll: blend must be a number from 0 to 1, got 2");
        expect(tell(mesh, { blend: NaN })).toMatch(/^Ragdoll: blend/);
        expect(tell(mesh, { mass: 0 })).toMatch(/^Ragdoll: mass must be/);
        expect(tell(mesh, { pins: [] })).toMatch(/^Ragdoll: .*pins/);
        expect(tell(mesh, { percentile: 2 })).toMatch(/^Ragdoll: percentile must be a number from 0 to 1, got 2/);
        expect(tell(mesh, { limits: {} })).toMatch(/^Ragdoll: limits must be an array/);
        expect(tell(mesh, { limits: [{ bones: "arm" }] })).toMatch(
            /^Ragdoll: limits\[0\].bones must be a regular expression, got "arm"/,
        );
        expect(tell(mesh, { limits: [{ bones: /a/, swing: 4 }] })).toMatch(
            /^Ragdoll: limits\[0\].swing must be an angle from 0 to π, got 4/,
        );
        const hinge = { axis: Vector3.Up(), min: 0, max: 2 };
        for (const [limit, message] of [
            [{ bones: /a/, hinge, swing: 1 }, "Ragdoll: limits[0] must be a hinge, or swing and twist"],
            [{ bones: /a/, hinge: { ...hinge, min: 1 } }, "Ragdoll: limits[0].hinge must be of -π <= min <= 0 <= max <= π"],
            [{ bones: /a/, hinge: { ...hinge, axis: Vector3.Zero() } }, "Ragdoll: limits[0].hinge.axis must be a direction, not 0"],
        ] as const)
            expect(tell(mesh, { limits: [limit] })).toContain(message);
        expect(tell(mesh, { limits: [{ bones: /a/, lean: 4 }] })).toMatch(/^Ragdoll: .*lean/);
        const ragdoll = Ragdoll.fromSkeleton(mesh);
        expect(messageOf(() => (ragdoll.blend = -1))).toBe("Ragdoll: blend must be a number from 0 to 1, got -1");
    });

    test("a bone that is not finite: the rest goes on", () => {
        const world = makeWorld();
        const { mesh, lower } = makeArm(world.scene);
        const ragdoll = Ragdoll.fromSkeleton(mesh, { blend: 0 });
        lower.position = new Vector3(NaN, 0, 0);
        ragdoll.blend = 1;
        world.frame(FRAME, 3);
        expect(ragdoll.isAsleep).toBe(false);
        lower.position = new Vector3(0.5, 0, 0);
        world.frame(FRAME, 30);
        expect(ragdoll.limbs[0].mesh.position.y).toBeLessThan(2.7);
    });

    test.each([1, -1])("an elbow bends about its axis only, and not backwards; mirrored: %d", (mirror) => {
        for (const [push, turned] of [
            [new Vector3(-300, 0, 0), 1],
            [new Vector3(300, 0, 0), -1],
            [new Vector3(0, 300, 0), 0],
        ] as const) {
            const world = makeWorld();
            const { mesh } = makeArm(world.scene);
            mesh.scaling.x = mirror;
            mesh.computeWorldMatrix(true);
            const limits = [{ bones: /lower/, hinge: { axis: new Vector3(0, 2, 0), min: -0.1, max: 0.3 } }];
            const ragdoll = Ragdoll.fromSkeleton(mesh, { limits, gravity: Vector3.Zero() });
            world.frame(FRAME, 2);
            const [{ mesh: upper }, { mesh: lower, body }] = ragdoll.limbs;
            body.applyImpulse(lower.position, push);
            let [least, most, aside] = [0, 0, 0];
            for (let k = 0; k < 150; k++) {
                world.frame(1000 / 144);
                const axes = [upper, lower].map((box) =>
                    [Vector3.Forward(), Vector3.Up()].map((axis) => Vector3.TransformNormal(axis, box.computeWorldMatrix(true))),
                );
                // As the mesh's own space has it.
                const angle = mirror * Vector3.GetAngleBetweenVectors(axes[0][0], axes[1][0], axes[0][1]);
                least = Math.min(least, angle);
                most = Math.max(most, angle);
                aside = Math.max(aside, Math.acos(Math.min(1, Vector3.Dot(axes[0][1], axes[1][1]))));
            }
            expect(aside).toBeLessThan(0.02);
            expect(most).toBeLessThan(0.32);
            expect(least).toBeGreaterThan(-0.12);
            if (turned > 0) expect(most).toBeGreaterThan(0.28);
            if (turned < 0) expect(least).toBeLessThan(-0.08);
        }
    });

    test("limits of the user's hold", () => {
        const world = makeWorld();
        const { mesh } = makeArm(world.scene);
        const ragdoll = Ragdoll.fromSkeleton(mesh, { limits: [{ bones: /lower/, swing: 0.1, twist: 0 }], gravity: Vector3.Zero() });
        world.frame(FRAME, 2);
        const [{ mesh: upper }, { mesh: lower, body }] = ragdoll.limbs;
        body.applyImpulse(lower.position, new Vector3(30, 0, 0));
        let most = 0;
        for (let k = 0; k < 60; k++) {
            world.frame();
            const [a, b] = [upper, lower].map((box) => Vector3.TransformNormal(new Vector3(0, 0, 1), box.computeWorldMatrix(true)));
            most = Math.max(most, Math.abs(Vector3.GetAngleBetweenVectors(a, b, Vector3.Up())));
        }
        expect(most).toBeGreaterThan(0.08);
        expect(most).toBeLessThan(0.12);
    });
});
