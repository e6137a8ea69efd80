/** Random lives of characters with bone chains: odd frame times, clips, blends, jumps, sizes, copies, removals, and reattachment. */
import { Animation } from "@babylonjs/core/Animations/animation";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { onNode } from "../../../../src/babylon/colliders/skeleton/boneShape";
import { BoneChainBehavior } from "../../../../src/index";
import type { AlongChain, BoneChainOptions } from "../../../../src/index";
import { isAll } from "../../../long";
import { seededRandom } from "../../../random";
import { disposeWorlds, makeWorld } from "../harness";
import { makeChain } from "./rigs";

afterEach(() => disposeWorlds());

const LIVES = isAll ? 200 : 30;

test(`${LIVES} random lives end with bones as they are animated, of their lengths, and nothing left behind`, () => {
    const faults: string[] = [];
    for (let seed = 0; seed < LIVES; seed++) {
        faults.push(...live(seed).map((fault) => `seed ${seed}: ${fault}`));
        disposeWorlds();
    }
    expect(faults).toEqual([]);
}, 120_000);

interface Avatar {
    readonly root: Mesh;
    readonly nodes: TransformNode[];
}

function live(seed: number): string[] {
    const random = seededRandom(seed);
    const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
    const range = (low: number, high: number): number => low + (high - low) * random();
    const direction = (): Vector3 => new Vector3(range(-1, 1), range(-1, 1), range(-1, 1)).normalize();
    const faults: string[] = [];
    const { scene, frame } = makeWorld({ rightHanded: random() < 0.5 });
    const parent = new TransformNode("__root__", scene);
    parent.scaling.set(1, 1, pick(1, -1));
    const root = new Mesh("root", scene);
    root.parent = parent;
    const nodes: TransformNode[] = [];
    const chainCount = 1 + Math.floor(random() * 4);
    for (let i = 0; i < chainCount; i++) {
        const joints = 2 + Math.floor(random() * 5);
        const offsets = Array.from({ length: joints + 1 }, () => direction().scaleInPlace(range(0.03, 0.12)));
        nodes.push(...makeChain(scene, `chain${i}`, random() < 0.2 && nodes.length ? pick(...nodes) : root, offsets));
    }
    for (const node of nodes) {
        node.rotationQuaternion = random() < 0.15 ? null : Quaternion.RotationAxis(direction(), range(0, 0.6));
        if (random() < 0.1) node.scaling.set(range(0.7, 1.4), range(0.7, 1.4), range(0.7, 1.4));
    }
    const options = (): BoneChainOptions => ({
        chains: [{ root: "chain0_0" }],
        stiffness: pick<AlongChain>(0, 5, 20, [30, 10], (place: number) => 30 - 20 * place),
        damping: pick(0.5, 12, 60, Infinity),
        gravity: pick(new Vector3(0, 0, 0), new Vector3(0, -9.81, 0)),
        limitAngle: pick(0.3, 2, Math.PI),
        blend: pick(1, 1, 0.5),
        target: pick("animation", "rest"),
        mode: pick("stable", "stable", "exact"),
        colliders: random() < 0.5 ? [capsule()] : [],
        inertia: pick(null, null, { anchor: root, linear: range(0, 1), angular: 0, maxSpeed: 3 }),
    });
    const capsule = () =>
        onNode({ name: "c", carrier: root, start: [0, 0, 0], end: [0, -0.3, 0], startRadius: 0.05, endRadius: 0.08 }, root);
    const clip = new AnimationGroup("clip", scene);
    for (const node of nodes.filter((each) => each.rotationQuaternion && random() < 0.5)) {
        const turn = new Animation(
            "turn",
            "rotationQuaternion",
            30,
            Animation.ANIMATIONTYPE_QUATERNION,
            Animation.ANIMATIONLOOPMODE_CYCLE,
        );
        const from = node.rotationQuaternion!.clone();
        turn.setKeys(
            [0, 15, 30].map((at) => ({
                frame: at,
                value: from.multiply(Quaternion.RotationAxis(direction(), at === 15 ? 0.5 : 0)),
            })),
        );
        clip.addTargetedAnimation(turn, node);
    }
    // Babylon takes removed observers off its list later.
    const countObservers = (): number =>
        scene.onBeforeAnimationsObservable.observers.filter((each) => !each._willBeUnregistered).length;
    const observers = countObservers();
    const posesOf = (all: readonly TransformNode[]): (number[] | null)[] =>
        all.map(({ rotationQuaternion }) => rotationQuaternion?.asArray() ?? null);
    const lengthsOf = ({ nodes: all }: Avatar): number[] => all.map(({ position }) => position.length());
    const avatars: Avatar[] = [{ root, nodes }];
    const rest = posesOf(nodes);
    const lengths = lengthsOf(avatars[0]);
    let behavior: BoneChainBehavior | null = null;
    const rate = pick(30, 60, 90, 144);
    for (let step = 0; step < 60; step++) {
        switch (Math.floor(random() * 14)) {
            case 0:
                if (behavior) root.removeBehavior(behavior);
                root.addBehavior((behavior = new BoneChainBehavior(options())));
                break;
            case 1:
                if (behavior) root.removeBehavior(behavior);
                behavior = null;
                break;
            case 2:
                clip.start(true, range(0.5, 2));
                break;
            case 3:
                clip.stop();
                break;
            case 4:
                root.position = direction().scaleInPlace(range(0, 50));
                break;
            case 5:
                root.rotation = direction().scaleInPlace(range(0, 3));
                break;
            case 6:
                parent.scaling.scaleInPlace(range(0.8, 1.25));
                break;
            case 7:
                if (behavior) behavior.blend = pick(0, 0.3, 1);
                break;
            case 8:
                root.setEnabled(random() < 0.5);
                break;
            case 9: {
                if (avatars.length > 4) break;
                const copy = root.clone(`copy${step}`, parent);
                const found = copy.getChildTransformNodes(false).filter(({ name }) => name.includes("chain"));
                avatars.push({ root: copy, nodes: found });
                break;
            }
            case 10:
                if (avatars.length > 1) avatars.pop()!.root.dispose();
                break;
            case 11:
                if (behavior) behavior.stiffness = range(0, 40);
                break;
        }
        frame(pick(0, 1000 / rate, 1000 / rate, 1000 / rate, range(2, 40), 300), 1 + Math.floor(random() * 6));
        for (const avatar of avatars) {
            for (const node of avatar.nodes) {
                const q = node.rotationQuaternion;
                if (q && !(Math.abs(Math.hypot(q.x, q.y, q.z, q.w) - 1) < 1e-3))
                    faults.push(`step ${step}: rotation of ${node.name} is ${q.toString()}`);
            }
        }
        if (lengthsOf(avatars[0]).some((length, j) => Math.abs(length - lengths[j]) > 1e-9))
            faults.push(`step ${step}: a bone was moved`);
        if (faults.length > 0) return faults;
    }
    clip.stop();
    for (const { root: each } of avatars.slice(1)) each.dispose();
    if (behavior) root.removeBehavior(behavior);
    frame(16, 2);
    clip.reset?.();
    const animated = new Set(clip.targetedAnimations.map(({ target }) => target as TransformNode));
    posesOf(nodes).forEach((pose, j) => {
        if (animated.has(nodes[j])) return;
        const before = rest[j];
        const isEqual = pose === before || (pose && before && pose.every((x, c) => Math.abs(x - before[c]) < 1e-9));
        if (!isEqual) faults.push(`${nodes[j].name} is ${String(pose)} instead of ${String(before)}`);
    });
    const left = countObservers() - observers;
    if (left > 0) faults.push(`${left} observers are left`);
    return faults;
}
