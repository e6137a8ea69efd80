/** Bone chains: independent of frame rate, scale and jumps; bones keep their lengths, animations their pose. */
import { Animation } from "@babylonjs/core/Animations/animation";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { onNode } from "../../../../src/babylon/colliders/skeleton/boneShape";
import { BoneChainBehavior, Wind } from "../../../../src/index";
import type { BoneChainOptions } from "../../../../src/index";
import { disposeWorlds, FRAME, makeWorld, messageOf } from "../harness";
import { directionsOf, largestAngle, makeTail } from "./rigs";

afterEach(() => disposeWorlds());

const DEGREE = Math.PI / 180;
/** A VRM's stiffness 1 and drag 0.5, of bones of 8 cm. */
const HAIR = { damping: -60 * Math.log(0.5), stiffness: Math.sqrt(60 / 0.08) };

/** A head that nods and moves to and fro, with a tail. */
function makeHead(options: Partial<BoneChainOptions> = {}) {
    const world = makeWorld();
    const parent = new TransformNode("parent", world.scene);
    const root = new Mesh("root", world.scene);
    root.parent = parent;
    const nodes = makeTail(world.scene, root);
    const behavior = new BoneChainBehavior({ chains: [{ root: "Tail_0" }], ...options });
    const pose = (time: number): void => {
        root.position.x = 0.2 * Math.sin(4 * time);
        root.rotation.z = 0.4 * Math.sin(3 * time);
    };
    pose(0);
    root.addBehavior(behavior);
    world.frame(0);
    return { ...world, parent, root, nodes, behavior, pose };
}

/** Directions of the bones, ten times a second. */
function sampled(
    frames: (i: number) => number,
    options: Partial<BoneChainOptions> = HAIR,
    change: (head: ReturnType<typeof makeHead>) => void = () => {},
) {
    const head = makeHead(options);
    change(head);
    const samples: Vector3[][] = [];
    let time = 0;
    for (let i = 0, next = 0.1; samples.length < 20; i++) {
        let seconds = frames(i);
        if (time + 1.5 * seconds > next) seconds = next - time;
        time += seconds;
        head.pose(time);
        head.frame(1000 * seconds);
        if (time > next - 1e-9) {
            samples.push(directionsOf(head.nodes));
            next += 0.1;
        }
    }
    return samples;
}

const apart = (a: Vector3[][], b: Vector3[][]): number =>
    Math.max(...a.map((directions, i) => largestAngle(directions, b[i]))) / DEGREE;

describe("motion", () => {
    const steady = (rate: number) => (): number => 1 / rate;

    test("swings", () => {
        const samples = sampled(steady(60));
        expect(apart(samples.slice(0, -1), samples.slice(1))).toBeGreaterThan(20);
    });

    test.each([30, 59.94, 72, 144])("at %d Hz is that at 60 Hz within a degree", (rate) => {
        expect(apart(sampled(steady(rate)), sampled(steady(60)))).toBeLessThan(1);
    });

    test("at uneven frames, too, and after a late one", () => {
        expect(
            apart(
                sampled((i) => 0.004 + 0.003 * ((i * 7) % 10)),
                sampled(steady(60)),
            ),
        ).toBeLessThan(1);
        expect(apart(sampled((i) => (i === 20 ? 0.05 : 1 / 60)).slice(8), sampled(steady(60)).slice(8))).toBeLessThan(1);
    });

    test("does not depend on the scale that a character gets, nor on its change", () => {
        const gravity = new Vector3(0, 0, 9);
        const still = sampled(steady(60), { ...HAIR, gravity });
        for (const scale of [0.1, 10]) {
            const scaled = sampled(steady(60), { ...HAIR, gravity }, ({ parent }) => parent.scaling.setAll(scale));
            expect(apart(still, scaled)).toBeLessThan(1);
        }
    });

    test("under a mirrored parent is mirrored", () => {
        const mirrored = sampled(steady(60), HAIR, ({ parent, behavior, frame }) => {
            parent.scaling.x = -1;
            behavior.reset();
            frame(0);
        });
        for (const directions of mirrored) for (const direction of directions) direction.x *= -1;
        expect(apart(mirrored, sampled(steady(60)))).toBeLessThan(0.01);
    });

    test("bones keep their lengths", () => {
        const { nodes, frame, pose } = makeHead({ stiffness: 3, damping: 1, gravity: new Vector3(0, -9.81, 0) });
        for (let i = 0; i < 100; i++) {
            pose(i / 10);
            frame(i % 7 === 0 ? 60 : FRAME);
            for (const node of nodes.slice(1)) {
                node.computeWorldMatrix(true);
                const length = Vector3.Distance(node.absolutePosition, (node.parent as TransformNode).absolutePosition);
                expect(Math.abs(length / 0.08 - 1)).toBeLessThan(1e-4);
            }
        }
    });

    test("wind blows, and gravity pulls", () => {
        const { nodes, frame, behavior } = makeHead({
            stiffness: 5,
            wind: new Wind({ velocity: new Vector3(5, 0, 0), turbulence: 0 }),
        });
        frame(FRAME, 120);
        expect(directionsOf(nodes)[5].x).toBeGreaterThan(0.5);
        behavior.wind = null;
        behavior.gravity = new Vector3(-9, 0, 0);
        frame(FRAME, 120);
        expect(directionsOf(nodes)[5].x).toBeLessThan(-0.3);
    });

    test("joints stay within their limit", () => {
        const { nodes, frame } = makeHead({ stiffness: 0, gravity: new Vector3(9, 9, 0), limitAngle: 0.2 });
        frame(FRAME, 200);
        expect(2 * Math.acos(nodes[2].rotationQuaternion!.w)).toBeLessThan(0.2 + 1e-6);
        expect(2 * Math.acos(nodes[2].rotationQuaternion!.w)).toBeGreaterThan(0.19);
    });
});

describe("sudden motion", () => {
    /** Angle of the tail to its pose, the largest of its bones [rad]. */
    const bent = (nodes: readonly TransformNode[]): number =>
        Math.max(...nodes.slice(0, -1).map(({ rotationQuaternion: q }) => 2 * Math.acos(Math.min(1, Math.abs(q!.w)))));

    test("a teleport carries the chains along", () => {
        const { root, nodes, frame } = makeHead(HAIR);
        frame(FRAME, 10);
        root.position.set(100, 3, -50);
        root.rotation.y = 3;
        frame();
        expect(bent(nodes)).toBeLessThan(0.01);
        expect(Math.max(...directionsOf(nodes).map(({ y }) => y))).toBeLessThan(-0.99);
    });

    test("after a spin of 720°/s, a hidden tab and a snap of the pose, all is calm within a second", () => {
        const { root, nodes, frame } = makeHead(HAIR);
        for (let i = 0; i < 120; i++) {
            root.rotation.x = (i * 4 * Math.PI) / 60;
            frame();
        }
        frame(FRAME, 60);
        expect(bent(nodes)).toBeLessThan(0.02);
        root.position.y = 2;
        frame(60_000);
        frame();
        expect(bent(nodes)).toBeLessThan(0.02);
        root.rotation.z = Math.PI;
        frame(FRAME, 60);
        expect(bent(nodes)).toBeLessThan(0.02);
    });

    test("what it rides on is not felt with linear and angular 0", () => {
        const { root, nodes, frame, pose, behavior } = makeHead(HAIR);
        behavior.inertia = { anchor: root, linear: 0, angular: 0 };
        let most = 0;
        for (let i = 0; i < 120; i++) {
            pose(i / 60);
            frame();
            most = Math.max(most, bent(nodes));
        }
        expect(most).toBeLessThan(0.01);
    });
});

describe("colliders", () => {
    test("tails keep out of spheres, boxes and planes, and within a sphere", () => {
        const { scene, nodes, frame, behavior } = makeHead({
            stiffness: 2,
            damping: 5,
            radius: 0.01,
            gravity: new Vector3(0, -9.81, 0),
        });
        const sphere = MeshBuilder.CreateSphere("sphere", { diameter: 0.4 }, scene);
        sphere.position.set(0.02, -0.35, 0);
        behavior.addCollider(sphere);
        frame(FRAME, 120);
        const distances = nodes.slice(1).map((node) => Vector3.Distance(node.getAbsolutePosition(), sphere.position));
        expect(Math.min(...distances)).toBeGreaterThan(0.209);
        expect(Math.min(...distances)).toBeLessThan(0.22);
        behavior.removeCollider(behavior.colliders[0]);
        behavior.reset();
        frame(FRAME, 60);
        const box = MeshBuilder.CreateBox("box", { size: 2 }, scene);
        box.position.set(0.05, -1.3, 0);
        behavior.addCollider(box);
        frame(FRAME, 120);
        expect(Math.min(...nodes.slice(1).map((node) => node.getAbsolutePosition().y))).toBeGreaterThan(-0.2901);
    });

    test("names what it does not meet", () => {
        const { scene, behavior } = makeHead();
        const torus = MeshBuilder.CreateTorus("torus", {}, scene);
        expect(messageOf(() => behavior.addCollider(torus))).toMatch(
            /BoneChainBehavior: colliders must be spheres, capsules, boxes and planes/,
        );
    });
});

describe("animation", () => {
    /** A group that turns a node about z, to and fro. */
    function animate(node: TransformNode, angle: number): AnimationGroup {
        const animation = new Animation(
            "turn",
            "rotationQuaternion",
            60,
            Animation.ANIMATIONTYPE_QUATERNION,
            Animation.ANIMATIONLOOPMODE_CYCLE,
        );
        animation.setKeys(
            [0, 30, 60].map((frame, k) => ({ frame, value: Quaternion.RotationAxis(Vector3.Forward(), k === 1 ? angle : 0) })),
        );
        const group = new AnimationGroup("group", node.getScene());
        group.addTargetedAnimation(animation, node);
        return group;
    }

    test("is the pose to which a chain returns; its end finds the bones as animated", () => {
        const { nodes, frame, root, behavior } = makeHead({ stiffness: 60, damping: 60 });
        const group = animate(nodes[2], 1);
        group.start(true);
        group.goToFrame(30);
        group.pause();
        frame(FRAME, 200);
        expect(2 * Math.acos(nodes[2].rotationQuaternion!.w)).toBeCloseTo(1, 3);
        root.removeBehavior(behavior);
        expect(nodes[2].rotationQuaternion!.w).toBeCloseTo(Math.cos(0.5), 5);
        expect(nodes[3].rotationQuaternion!.equals(Quaternion.Identity())).toBe(true);
    });

    test("a group that starts does not capture the simulated pose", () => {
        const { nodes, frame, pose } = makeHead(HAIR);
        for (let i = 0; i < 40; i++) {
            pose(i / 60);
            frame();
        }
        expect(nodes[3].rotationQuaternion!.w).toBeLessThan(0.9999);
        let seen = Quaternion.Zero();
        nodes[0].getScene().onAfterAnimationsObservable.addOnce(() => (seen = nodes[3].rotationQuaternion!.clone()));
        frame();
        expect(seen.equals(Quaternion.Identity())).toBe(true);
    });

    test("blend lies between it and the simulation", () => {
        const [whole, half, none] = [1, 0.5, 0].map((blend) => {
            const { nodes, frame } = makeHead({ stiffness: 3, gravity: new Vector3(9, 0, 0), blend });
            frame(FRAME, 200);
            return 2 * Math.acos(Math.min(1, nodes[0].rotationQuaternion!.w));
        });
        expect(half).toBeCloseTo(whole / 2, 6);
        expect(none).toBe(0);
        expect(whole).toBeGreaterThan(0.3);
    });
});

describe("life", () => {
    test("clones have chains of their own, with their colliders; all may go at any time", async () => {
        const { scene, root, frame, pose, behavior } = makeHead(HAIR);
        behavior.addCollider(
            onNode(
                { name: "ball", carrier: root, start: [0.08, -0.2, 0], end: [0.08, -0.2, 0], startRadius: 0.1, endRadius: 0.1 },
                root,
            ),
        );
        const observers = scene.onBeforeAnimationsObservable.observers.length;
        const clones = Array.from({ length: 20 }, (_, i) => {
            const clone = root.clone(`clone${i}`);
            clone.position.z = i + 1;
            return clone;
        });
        for (let i = 0; i < 60; i++) {
            pose(i / 60);
            for (const clone of clones) {
                clone.position.x = root.position.x;
                clone.rotation.z = root.rotation.z;
            }
            frame();
            // A copy of a chain in motion has the pose that others have set.
            if (i === 20) clones.push(root.clone("late"));
        }
        const tail = (node: Mesh): Quaternion =>
            node.getChildTransformNodes(false, ({ name }) => name.includes("Tail_4"))[0].rotationQuaternion!;
        expect(clones.every((clone) => clone.getBehaviorByName("BoneChains"))).toBe(true);
        for (const clone of clones) expect(Quaternion.Dot(tail(clone), tail(root))).toBeGreaterThan(0.999);
        clones[3].removeBehavior(clones[3].getBehaviorByName("BoneChains")!);
        for (const clone of clones) clone.dispose();
        frame();
        // Babylon takes observers out of a list later.
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(scene.onBeforeAnimationsObservable.observers.length).toBeLessThanOrEqual(observers);
        root.dispose();
        frame();
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(scene.onBeforeRenderObservable.observers.length).toBe(0);
    });

    test("errors name the option, the rule, the value and the nearest name", () => {
        const { root } = makeHead();
        expect(messageOf(() => new BoneChainBehavior({ chains: [] }))).toMatch(/BoneChainBehavior: chains must be a list/);
        expect(messageOf(() => new BoneChainBehavior({ chains: [{ root: "a" }], stifness: 1 } as never))).toMatch(
            /did you mean "stiffness"/,
        );
        expect(messageOf(() => root.addBehavior(new BoneChainBehavior({ chains: [{ root: "Tial_0" }] })))).toMatch(
            /did you mean "Tail_0"/,
        );
        expect(messageOf(() => new BoneChainBehavior({ chains: [{ root: "a", stiffness: [1, -1] }] }))).toMatch(
            /chains\[0\]\.stiffness must be a finite number >= 0, got -1/,
        );
    });
});
