import * as BABYLON from "../babylon";
import { dancerClips } from "./dancerClips";
import type { DancerClip } from "./dancerClips";
import { bonesAt, dancerBody, dancerBones, dancerHair, skinSolids, surfaceOf } from "./dancerShape";
import type { Surface } from "./dancerShape";

export type Dancer = ReturnType<typeof makeDancer>;

/** Points of a foot that may touch the ground: bone, and place in the bind pose [m]. */
const SOLES = ["Left", "Right"].flatMap((side) => {
    const x = side === "Left" ? 0.093 : -0.093;
    return [
        [`${side}Foot`, new BABYLON.Vector3(x, 0.006, 0.045)],
        [`${side}Foot`, new BABYLON.Vector3(x, 0.003, -0.09)],
        [`${side}ToeBase`, new BABYLON.Vector3(x, 0.001, -0.155)],
    ] as const;
});

/** Colours of the body by bone, the first that fits: skin, shoes, tights, suit. */
const COLOURS = (
    [
        [/Hand|Neck|Head/, "#d3a387"],
        [/Foot|Toe/, "#3a2a2c"],
        [/Leg/, "#6b5a5e"],
        [/./, "#35222b"],
    ] as const
).map(([bones, hex]) => ({ bones, colour: BABYLON.Color3.FromHexString(hex).toLinearSpace() }));

/** Turns of arms from the bind pose to where they hang down. */
const HANGING = { Left: -0.698, Right: 0.698 };

/**
 * A dancer of 1.72 m that faces -z: a body and hair, skinned to a skeleton of 22 bones with Mixamo's names, and clips that blend.
 * @param cell size of the body's triangles [m]
 */
export function makeDancer(scene: BABYLON.Scene, cell = 0.0165) {
    const root = new BABYLON.TransformNode("dancer", scene);
    const skeleton = new BABYLON.Skeleton("dancer", "dancer", scene);
    const joints: Record<string, BABYLON.TransformNode> = {};
    const placeOf = (name: string | null) => new BABYLON.Vector3(...(dancerBones.find(([own]) => own === name)?.[2] ?? [0, 0, 0]));
    for (const [name, parent] of dancerBones) {
        const joint = (joints[name] = new BABYLON.TransformNode(name, scene));
        joint.parent = parent ? joints[parent] : root;
        joint.position = placeOf(name).subtract(placeOf(parent));
        joint.rotationQuaternion = BABYLON.Quaternion.Identity();
        const { x, y, z } = joint.position;
        const above = parent === null ? null : skeleton.bones.find((own) => own.name === parent)!;
        new BABYLON.Bone(name, skeleton, above, BABYLON.Matrix.Translation(x, y, z)).linkTransformNode(joint);
    }

    const body = skinned("body", surfaceOf(dancerBody, [-0.64, -0.04, -0.24], [0.64, 1.76, 0.22], cell));
    const hair = skinned("hair", surfaceOf(dancerHair, [-0.13, 1.42, -0.13], [0.13, 1.8, 0.19], 0.7 * cell));

    /** A mesh on the skeleton, carried by the nearest solids. */
    function skinned(name: string, { positions, normals, indices }: Surface) {
        const data = new BABYLON.VertexData();
        const skin: { bones: number[]; weights: number[] } = { bones: [], weights: [] };
        for (let i = 0; i < positions.length; i += 3) {
            const { bones, weights } = bonesAt([positions[i], positions[i + 1], positions[i + 2]], skinSolids, 0.013, 0.012);
            skin.bones.push(...bones);
            skin.weights.push(...weights);
        }
        Object.assign(data, { positions, normals, indices, matricesIndices: skin.bones, matricesWeights: skin.weights });
        // Each bone has a colour, which its part of the body fades into as it bends.
        if (name === "body") {
            const byBone = dancerBones.map(([bone]) => COLOURS.find(({ bones }) => bones.test(bone))!.colour);
            data.colors = Array.from({ length: positions.length / 3 }, (_, v) => {
                const colour = new BABYLON.Color3();
                for (let k = 4 * v; k < 4 * v + 4; k++) byBone[skin.bones[k]].scaleAndAddToRef(skin.weights[k], colour);
                return [colour.r, colour.g, colour.b, 1];
            }).flat();
        }
        const mesh = new BABYLON.Mesh(name, scene);
        data.applyToMesh(mesh);
        return wear(mesh);
    }

    /** Has the skeleton carry a mesh whose vertices have weights. */
    function wear(mesh: BABYLON.Mesh) {
        mesh.parent = root;
        mesh.skeleton = skeleton;
        mesh.alwaysSelectAsActiveMesh = true;
        return mesh;
    }

    const goals = dancerBones.map(() => BABYLON.Quaternion.Identity());
    const starts = dancerBones.map(() => BABYLON.Quaternion.Identity());
    /** The pose of the moment, without the heading. */
    const poses = dancerBones.map(() => BABYLON.Quaternion.Identity());
    const hanging = dancerBones.map(([name]) => {
        const side = name.startsWith("Left") ? "Left" : "Right";
        return /Arm|Hand/.test(name) ? BABYLON.Quaternion.RotationAxis(BABYLON.Vector3.Forward(), HANGING[side]) : null;
    });
    let clip: DancerClip = "idle";
    let clipTime = 0;
    let fade = 0;
    const motion = { lift: 0, back: 0, spin: 0, speed: 0 };
    const motionBefore = { ...motion };
    let heading = 0;
    const turned = new BABYLON.Quaternion();
    const soles = SOLES.map(([name, place]) => ({ name, place: place.subtract(placeOf(name)) }));
    const point = new BABYLON.Vector3();

    /** Changes to a clip within a time [s]. */
    function play(name: DancerClip, seconds = name === "sit" || clip === "sit" ? 0.9 : 0.45) {
        clip = name;
        clipTime = 0;
        fade = seconds;
        Object.assign(motionBefore, motion);
        poses.forEach((pose, i) => starts[i].copyFrom(pose));
    }

    /** Goes on by a time [s], 0 to pose it only. */
    function advance(seconds: number) {
        clipTime += seconds;
        const pose = dancerClips[clip](clipTime);
        const share = fade > 0 ? Math.min(1, clipTime / fade) : 1;
        const blend = share * share * (3 - 2 * share);
        dancerBones.forEach(([name], i) => {
            const [x, y, z] = pose.turns[name] ?? [0, 0, 0];
            const goal = BABYLON.Quaternion.RotationYawPitchRollToRef(y, x, z, goals[i]);
            const hang = hanging[i];
            // The upper arm is lowered first; what follows turns about axes that are lowered with it.
            if (hang) goal.multiplyInPlace(hang);
            if (hang && !name.endsWith("tArm")) hang.conjugate().multiplyToRef(goal, goal);
            BABYLON.Quaternion.SlerpToRef(starts[i], goal, blend, poses[i]);
            joints[name].rotationQuaternion!.copyFrom(poses[i]);
        });
        for (const name of ["lift", "back", "spin", "speed"] as const)
            motion[name] = motionBefore[name] + blend * (pose[name] - motionBefore[name]);
        heading += motion.spin * seconds;
        BABYLON.Quaternion.RotationAxisToRef(BABYLON.Vector3.UpReadOnly, heading, turned);
        turned.multiplyToRef(poses[0], joints.Hips.rotationQuaternion!);
        stand();
    }

    /** Puts the lower foot on the ground, or as high above it as the clip has it. */
    function stand() {
        const hips = joints.Hips;
        hips.position.set(0, 1, motion.back);
        let lowest = Infinity;
        for (const { name, place } of soles) {
            point.copyFrom(place);
            for (
                let node: BABYLON.TransformNode | null = joints[name];
                node && node !== root;
                node = node.parent as BABYLON.TransformNode
            ) {
                point.rotateByQuaternionToRef(node.rotationQuaternion!, point);
                point.addInPlace(node.position);
            }
            lowest = Math.min(lowest, point.y);
        }
        hips.position.y = 1 - lowest + motion.lift;
    }

    /** Back to the start of a clip, at once. */
    function reset(name: DancerClip = "idle") {
        Object.assign(motion, { lift: 0, back: 0, spin: 0, speed: 0 });
        heading = 0;
        play(name, 0);
        advance(0);
    }

    reset();
    return {
        ...{ root, skeleton, joints, body, hair, wear, play, advance, reset, motion },
        get clip() {
            return clip;
        },
    };
}
