/** The exact mode against the algorithm that is published with VRM, run beside it. */
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import * as THREE from "three";
import { onNode } from "../../../../src/babylon/colliders/skeleton/boneShape";
import { planeOnNode } from "../../../../src/babylon/vrm/nodePlane";
import { BoneChainBehavior } from "../../../../src/index";
import type { ColliderEntry } from "../../../../src/babylon/colliders/colliderOptions";
import { disposeWorlds, makeWorld } from "../harness";
import { makeChain } from "./rigs";

/** Part of the package that is used; its joints keep the lengths of bones of the frame before, which the specification does not ask. */
interface SpringBones {
    VRMSpringBoneManager: new () => { addJoint(joint: object): void; setInitState(): void; update(seconds: number): void };
    VRMSpringBoneJoint: new (
        bone: object,
        child: object,
        settings: object,
        groups: object[],
    ) => {
        center: object | null;
        _calcWorldSpaceBoneLength(): void;
    };
    VRMSpringBoneCollider: new (shape: object) => THREE.Object3D;
    VRMSpringBoneColliderShapeSphere: new (shape: object) => object;
    VRMSpringBoneColliderShapeCapsule: new (shape: object) => object;
    VRMSpringBoneColliderShapePlane: new (shape: object) => object;
}

const springBones = await (import("@pixiv/three-vrm-springbone" as string) as Promise<SpringBones>).catch(() => null);

afterEach(() => disposeWorlds());

/** Minimal standard generator (Park and Miller 1988). */
function randomOf(seed: number): (from: number, to: number) => number {
    let state = seed;
    return (from, to) => {
        state = (state * 16807) % 2147483647;
        return from + (to - from) * (state / 2147483647);
    };
}

/** Largest angle between rotations of both in 300 frames of a random rig [rad], and how far it swings. */
function compare(seed: number, seconds: (frame: number) => number): { difference: number; swing: number } {
    const random = randomOf(seed * 7919);
    for (let i = 0; i < 5; i++) random(0, 1);
    const vector = (size: number): [number, number, number] => [random(-size, size), random(-size, size), random(-size, size)];
    const turn = (): Quaternion => new Quaternion(...vector(1), random(0.5, 2)).normalize();
    const jointCount = Math.round(random(2, 7));
    const offsets = Array.from({ length: jointCount + 1 }, () => Vector3.FromArray(vector(0.05)).addInPlaceFromFloats(0, -0.07, 0));
    const turns = offsets.map(turn);
    const number = (from: number, to: number): number[] => offsets.map(() => random(from, to));
    const [stiffness, drag, power, radii] = [number(0, 2), number(0.05, 0.9), number(0, 1), number(0, 0.04)];
    const direction = Vector3.FromArray(vector(1)).normalize();
    const hasCenter = seed % 3 === 0;

    const world = makeWorld({ rightHanded: true });
    const root = new TransformNode("root", world.scene);
    const head = new TransformNode("head", world.scene);
    head.parent = root;
    root.rotationQuaternion = Quaternion.Identity();
    const nodes = makeChain(world.scene, "joint", head, offsets);
    nodes.forEach((node, j) => node.rotationQuaternion!.copyFrom(turns[j]));
    const theirRoot = new THREE.Object3D();
    const theirHead = new THREE.Object3D();
    theirRoot.add(theirHead);
    const bones: THREE.Object3D[] = [];
    offsets.forEach((offset, j) => {
        const bone = new THREE.Object3D();
        bone.position.set(offset.x, offset.y, offset.z);
        bone.quaternion.set(turns[j].x, turns[j].y, turns[j].z, turns[j].w);
        (bones[j - 1] ?? theirHead).add(bone);
        bones.push(bone);
    });

    const S = springBones!;
    const three = (v: readonly number[]): THREE.Vector3 => new THREE.Vector3(...v);
    const colliders: ColliderEntry[] = [];
    const theirs: THREE.Object3D[] = [];
    const add = (entry: ColliderEntry, shape: object): void => {
        colliders.push(entry);
        const collider = new S.VRMSpringBoneCollider(shape);
        theirHead.add(collider);
        theirs.push(collider);
    };
    const ball = (start: [number, number, number], end: [number, number, number], radius: number) =>
        onNode({ name: "shape", carrier: head, start, end, startRadius: radius, endRadius: radius }, head);
    for (let i = 0; i < seed % 4; i++) {
        const [a, b, radius] = [vector(0.2), vector(0.2), random(0.03, 0.1)];
        if (i % 2) add({ source: ball(a, a, radius) }, new S.VRMSpringBoneColliderShapeSphere({ offset: three(a), radius }));
        else
            add(
                { source: ball(a, b, radius) },
                new S.VRMSpringBoneColliderShapeCapsule({ offset: three(a), tail: three(b), radius }),
            );
    }
    if (seed % 5 === 1) {
        const [offset, normal] = [vector(0.2), vector(1)];
        add(
            { source: planeOnNode(head, offset, normal) },
            new S.VRMSpringBoneColliderShapePlane({ offset: three(offset), normal: three(normal) }),
        );
    }
    if (seed % 5 === 2) {
        const [a, b] = [vector(0.1), vector(0.1)];
        const shape = { offset: three(a), tail: three(b), radius: 0.3, inside: true };
        add({ source: ball(a, b, 0.3), inside: true }, new S.VRMSpringBoneColliderShapeCapsule(shape));
    }

    const rate = (j: number): number => Math.sqrt((60 * stiffness[j]) / offsets[j + 1].length());
    const behavior = new BoneChainBehavior({
        mode: "exact",
        colliders,
        chains: [
            {
                root: nodes[0],
                stiffness: stiffness.slice(0, -1).map((_, j) => rate(j)),
                damping: drag.map((share) => -60 * Math.log(1 - share)),
                gravity: power.map((g) => direction.scale(60 * g)),
                radius: radii,
            },
        ],
        inertia: hasCenter ? { anchor: root, linear: 0, angular: 0 } : null,
    });
    root.addBehavior(behavior);
    const manager = new S.VRMSpringBoneManager();
    const joints = bones.slice(0, -1).map((bone, j) => {
        const settings = {
            hitRadius: radii[j],
            stiffness: stiffness[j],
            gravityPower: power[j],
            gravityDir: three(direction.asArray()),
            dragForce: drag[j],
        };
        const joint = new S.VRMSpringBoneJoint(bone, bones[j + 1], settings, [{ colliders: theirs }]);
        if (hasCenter) joint.center = theirRoot;
        manager.addJoint(joint);
        return joint;
    });

    const [way, spin] = [Vector3.FromArray(vector(0.5)), Vector3.FromArray(vector(1)).normalize()];
    const place = (time: number): void => {
        root.position = way.scale(Math.sin(3 * time));
        Quaternion.RotationAxisToRef(spin, Math.sin(2 * time), root.rotationQuaternion!);
        const q = root.rotationQuaternion!;
        theirRoot.position.set(root.position.x, root.position.y, root.position.z);
        theirRoot.quaternion.set(q.x, q.y, q.z, q.w);
        theirRoot.updateMatrixWorld(true);
    };
    place(0);
    manager.setInitState();
    theirRoot.updateMatrixWorld(true);
    for (const joint of joints) {
        joint._calcWorldSpaceBoneLength();
        joint._calcWorldSpaceBoneLength = () => {};
    }
    world.frame(0);
    let [difference, swing, time] = [0, 0, 0];
    for (let frame = 0; frame < 300; frame++) {
        const dt = seconds(frame);
        time += dt;
        place(time);
        manager.update(dt);
        world.frame(1000 * dt);
        for (let j = 0; j < jointCount; j++) {
            const { x, y, z, w } = bones[j].quaternion;
            const own = nodes[j].rotationQuaternion!;
            const sine = (q: Quaternion): number =>
                q
                    .multiply(Quaternion.Inverse(own))
                    .asArray()
                    .slice(0, 3)
                    .reduce((sum, c) => sum + c * c, 0);
            difference = Math.max(difference, 2 * Math.asin(Math.sqrt(Math.min(1, sine(new Quaternion(x, y, z, w))))));
            swing = Math.max(swing, 2 * Math.asin(Math.sqrt(Math.min(1, sine(turns[j])))));
        }
    }
    return { difference, swing };
}

(springBones ? describe : describe.skip)("exact mode", () => {
    test("40 random rigs turn as three-vrm turns them, in 300 frames within 1e-4 rad", () => {
        const results = Array.from({ length: 40 }, (_, seed) => compare(seed + 1, () => 1 / 60));
        expect(Math.max(...results.map(({ difference }) => difference))).toBeLessThan(1e-4);
        expect(Math.min(...results.map(({ swing }) => swing))).toBeGreaterThan(0.1);
    });

    test("at uneven frames, too", () => {
        const results = Array.from({ length: 8 }, (_, seed) => compare(seed + 50, (frame) => 0.004 + 0.002 * ((frame * 7) % 11)));
        expect(Math.max(...results.map(({ difference }) => difference))).toBeLessThan(1e-4);
    });
});
