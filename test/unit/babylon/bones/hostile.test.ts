/** Bone chains under what users do: weights, additive layers and blending of clips, scales and mirrors of all kinds, joints that are disposed. */
import { Animation } from "@babylonjs/core/Animations/animation";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { BoneChainBehavior } from "../../../../src/index";
import { seededRandom } from "../../../random";
import { disposeWorlds, FRAME, makeWorld } from "../harness";
import { makeChain } from "./rigs";

afterEach(() => disposeWorlds());

/** Rotations of bones after each frame's animations, in a random play of clips. */
function play(seed: number, hasChains: boolean): number[][] {
    const random = seededRandom(seed);
    const range = (low: number, high: number): number => low + (high - low) * random();
    const axis = (): Vector3 => new Vector3(range(-1, 1), range(-1, 1), range(-1, 1)).normalize();
    const { scene, frame } = makeWorld();
    scene.useConstantAnimationDeltaTime = true;
    const root = new Mesh("root", scene);
    const offsets = Array.from({ length: 5 }, () => axis().scaleInPlace(0.1));
    const nodes = makeChain(scene, "joint", root, offsets);
    for (const node of nodes) node.rotationQuaternion = Quaternion.RotationAxis(axis(), range(0, 0.5));
    const clips = Array.from({ length: 4 }, (_, c) => {
        const group = new AnimationGroup(`clip${c}`, scene);
        for (const node of nodes) {
            if (random() < 0.3) continue;
            const turn = new Animation("turn", "rotationQuaternion", 30, Animation.ANIMATIONTYPE_QUATERNION, c % 2);
            turn.setKeys([0, 10, 20].map((at) => ({ frame: at, value: Quaternion.RotationAxis(axis(), range(0, 1)) })));
            if (c === 2) {
                turn.enableBlending = true;
                turn.blendingSpeed = 0.1;
            }
            group.addTargetedAnimation(turn, node);
        }
        return group;
    });
    AnimationGroup.MakeAnimationAdditive(clips[3]);
    clips[3].isAdditive = true;
    const seen: number[][] = [];
    scene.onAfterAnimationsObservable.add(() => void seen.push(nodes.flatMap(({ rotationQuaternion: q }) => q!.asArray())));
    if (hasChains)
        root.addBehavior(
            new BoneChainBehavior({ chains: [{ root: nodes[0] }], stiffness: 5, damping: 2, gravity: new Vector3(5, -9, 0) }),
        );
    for (let step = 0; step < 25; step++) {
        const clip = clips[Math.floor(random() * clips.length)];
        const action = Math.floor(random() * 8);
        const [a, b] = [random(), random()];
        if (action === 0) clip.start(a < 0.7, 0.5 + b);
        if (action === 1) clip.stop();
        if (action === 2) clip.weight = a;
        if (action === 3) clip.pause();
        if (action === 4) clip.play(true);
        // A blending clip that is set by hand between frames begins from the pose that is drawn.
        const isSettable = clip.isStarted && clip !== clips[2];
        if (action === 5 && isSettable) clip.goToFrame(20 * a);
        if (action === 6) nodes[1].rotationQuaternion = Quaternion.RotationAxis(new Vector3(0, a, b).normalize(), a);
        if (action === 7 && isSettable) clip.reset();
        frame(FRAME, 1 + Math.floor(4 * random()));
    }
    return seen;
}

test("clips, weights, additive layers and blending are to the bit what they are without chains", () => {
    for (let seed = 0; seed < 12; seed++) {
        const [without, withChains] = [play(seed, false), play(seed, true)];
        const first = withChains.findIndex((pose, i) => pose.some((x, k) => x !== without[i][k]));
        expect([seed, first]).toEqual([seed, -1]);
    }
});

test("nodes are where the kernel has them, and keep their lengths, under scales and mirrors of all kinds", () => {
    for (let seed = 0; seed < 12; seed++) {
        const random = seededRandom(1000 + seed);
        const range = (low: number, high: number): number => low + (high - low) * random();
        const axis = (): Vector3 => new Vector3(range(-1, 1), range(-1, 1), range(-1, 1)).normalize();
        const size = (): number => range(0.4, 2) * (random() < 0.3 ? -1 : 1);
        const { scene, frame } = makeWorld({ rightHanded: random() < 0.5 });
        const parent = new TransformNode("parent", scene);
        parent.scaling.set(size(), size(), size());
        const root = new Mesh("root", scene);
        root.parent = parent;
        root.rotation = axis();
        root.scaling.set(size(), size(), size());
        const nodes = makeChain(
            scene,
            "joint",
            root,
            Array.from({ length: 5 }, () => axis().scaleInPlace(0.1)),
        );
        for (const node of nodes) if (random() < 0.5) node.scaling.set(size(), size(), size());
        const chains = new BoneChainBehavior({
            chains: [{ root: nodes[0] }],
            stiffness: 5,
            damping: 3,
            gravity: new Vector3(0, -9.81, 0),
        });
        root.addBehavior(chains);
        const { _rig: rig } = (chains as unknown as { _runtime: { _rig: { frames: Float64Array } } })._runtime;
        for (let i = 0; i < 40; i++) {
            root.position.x = 0.3 * Math.sin(i / 5);
            parent.rotation.y = 0.3 * Math.sin(i / 7);
            if (seed % 2) parent.scaling.scaleInPlace(1.01);
            frame(i % 5 ? FRAME : 31);
            for (let j = 0; j < 4; j++) {
                const place = (nodes[j + 1].computeWorldMatrix(true), nodes[j + 1].absolutePosition);
                expect([seed, i, j, Vector3.Distance(place, Vector3.FromArray(rig.frames, 25 * j + 21)) < 1e-6]).toEqual([
                    seed,
                    i,
                    j,
                    true,
                ]);
            }
        }
        disposeWorlds();
    }
});

test("several meshes share a skeleton without nodes: chains follow the one that has them", () => {
    const { scene, frame } = makeWorld();
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const bones = Array.from(
        { length: 5 },
        (_, j): Bone => new Bone(`Hair_${j}`, skeleton, j ? skeleton.bones[j - 1] : null, Matrix.Translation(0, j ? -0.1 : 1, 0)),
    );
    const [one, other] = ["one", "other"].map((name) => {
        const mesh = new Mesh(name, scene);
        mesh.skeleton = skeleton;
        return mesh;
    });
    other.position.x = 7;
    const chains = new BoneChainBehavior({ chains: [{ root: "Hair_0" }], stiffness: 3, gravity: new Vector3(9, 0, 0) });
    one.addBehavior(chains);
    frame(FRAME, 200);
    expect(bones[2].getAbsolutePosition(one).x).toBeGreaterThan(0.05);
    const before = bones[3].rotationQuaternion.clone();
    other.dispose();
    frame(FRAME, 10);
    expect(Math.abs(Quaternion.Dot(before, bones[3].rotationQuaternion))).toBeGreaterThan(0.9999);
    one.removeBehavior(chains);
    for (const bone of bones) expect(Math.abs(bone.rotationQuaternion.w)).toBeCloseTo(1, 9);
});

test("joints, their parents and skeletons may be disposed while chains run; errors end none", () => {
    for (const victim of [0, 2, 5, 6, -1]) {
        const { scene, frame } = makeWorld();
        const parent = new TransformNode("parent", scene);
        const root = new Mesh("root", scene);
        root.parent = parent;
        const nodes = makeChain(
            scene,
            "joint",
            root,
            Array.from({ length: 7 }, () => new Vector3(0, -0.1, 0)),
        );
        root.addBehavior(new BoneChainBehavior({ chains: [{ root: nodes[0] }], gravity: new Vector3(0, -9.81, 0) }));
        frame(FRAME, 5);
        (victim < 0 ? parent : nodes[victim]).dispose();
        frame(FRAME, 5);
        for (const { rotationQuaternion: q } of nodes) if (q) expect(Math.hypot(q.x, q.y, q.z, q.w)).toBeCloseTo(1, 6);
        scene.dispose();
    }
});

test("joints turned by Euler angles swing as those by quaternions, and have their angles afterwards", () => {
    const swing = (isEuler: boolean) => {
        const { scene, frame } = makeWorld();
        const root = new TransformNode("root", scene);
        const nodes = makeChain(
            scene,
            "joint",
            root,
            Array.from({ length: 4 }, () => new Vector3(0, -0.1, 0)),
        );
        nodes.forEach((node, j) => {
            node.rotationQuaternion = null;
            node.rotation.set(0.3, 0.2 * j, -0.4);
            if (!isEuler) node.rotationQuaternion = node.rotation.toQuaternion();
        });
        const chains = new BoneChainBehavior({ chains: [{ root: nodes[0] }], stiffness: 60 });
        root.addBehavior(chains);
        const places: number[] = [];
        for (let step = 0; step < 40; step++) {
            root.position.x = 0.2 * Math.sin(0.3 * step);
            frame(FRAME, 1);
            places.push(...nodes.flatMap((node) => node.getAbsolutePosition().asArray()));
        }
        root.removeBehavior(chains);
        return { places, nodes };
    };
    const { places, nodes } = swing(true);
    const other = swing(false);
    expect(Math.max(...places.map((x, k) => Math.abs(x - other.places[k])))).toBeLessThan(1e-6);
    expect(nodes.map(({ rotation }) => rotation.asArray())).toEqual(nodes.map((_, j) => [0.3, 0.2 * j, -0.4]));
    expect(nodes.map(({ rotationQuaternion }) => rotationQuaternion)).toEqual(nodes.map(() => null));
});
