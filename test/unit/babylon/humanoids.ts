// A humanoid made by code: limbs as tubes, each on a bone, named as rigs name them.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import type { HumanoidBone } from "babylon-cloth";

type Place = [x: number, y: number, z: number];

/** Bones with parent, head, tail and radius [m]; left ones, which right ones mirror. The figure looks along z. */
const middle: [HumanoidBone, HumanoidBone | null, Place, Place, number][] = [
    ["hips", null, [0, 0.95, 0], [0, 1.05, 0], 0.14],
    ["spine", "hips", [0, 1.05, 0], [0, 1.2, 0], 0.13],
    ["chest", "spine", [0, 1.2, 0], [0, 1.42, 0], 0.13],
    ["neck", "chest", [0, 1.45, 0], [0, 1.55, 0], 0.05],
    ["head", "neck", [0, 1.55, 0], [0, 1.75, 0], 0.1],
];
const left: typeof middle = [
    ["leftShoulder", "chest", [-0.03, 1.42, 0], [-0.17, 1.42, 0], 0.06],
    ["leftUpperArm", "leftShoulder", [-0.18, 1.42, 0], [-0.24, 1.15, 0], 0.05],
    ["leftLowerArm", "leftUpperArm", [-0.24, 1.15, 0], [-0.27, 0.9, 0], 0.04],
    ["leftHand", "leftLowerArm", [-0.27, 0.9, 0], [-0.28, 0.8, 0], 0.04],
    ["leftUpperLeg", "hips", [-0.1, 0.92, 0], [-0.11, 0.5, 0], 0.08],
    ["leftLowerLeg", "leftUpperLeg", [-0.11, 0.5, 0], [-0.11, 0.1, 0], 0.06],
    ["leftFoot", "leftLowerLeg", [-0.11, 0.08, 0], [-0.11, 0.05, 0.15], 0.05],
];
const toRight = (bone: HumanoidBone): HumanoidBone => bone.replace("left", "right") as HumanoidBone;
const mirrored = ([x, y, z]: Place): Place => [-x, y, z];
const limbs = [
    ...middle,
    ...left,
    ...left.map(([bone, parent, from, to, radius]): (typeof middle)[0] => [
        toRight(bone),
        parent && toRight(parent),
        mirrored(from),
        mirrored(to),
        radius,
    ]),
];

/** Names of bones in rigs. */
export const rigs: Record<string, (bone: HumanoidBone) => string> = {
    Mixamo: (bone) => `mixamorig:${mixamo(bone)}`,
    "Ready Player Me": mixamo,
    VRM: (bone) => bone,
    VRoid: (bone) => {
        const [, side, part] = /^(left|right)?(.*)$/.exec(bone)!;
        const name = part[0].toUpperCase() + part.slice(1);
        return `J_Bip_${side ? side[0].toUpperCase() : "C"}_${name}`;
    },
    Rigify: (bone) => {
        const spine = ["hips", "spine", "", "chest", "neck", "", "head"].indexOf(bone);
        if (spine >= 0) return spine === 0 ? "DEF-spine" : `DEF-spine.00${spine}`;
        const [, side, part] = /^(left|right)(.*)$/.exec(bone)!;
        const names: Record<string, string> = {
            ...{ Shoulder: "shoulder", UpperArm: "upper_arm", LowerArm: "forearm", Hand: "hand" },
            ...{ UpperLeg: "thigh", LowerLeg: "shin", Foot: "foot" },
        };
        return `DEF-${names[part]}.${side[0].toUpperCase()}`;
    },
};

function mixamo(bone: HumanoidBone): string {
    const names: Record<string, string> = {
        UpperArm: "Arm",
        LowerArm: "ForeArm",
        UpperLeg: "UpLeg",
        LowerLeg: "Leg",
        Chest: "Spine2",
    };
    const name = bone[0].toUpperCase() + bone.slice(1);
    const [, side = "", part] = /^(Left|Right)?(.*)$/.exec(name)!;
    return side + (names[part] ?? part);
}

/** A skinned figure in its bind pose, and its skeleton. */
export function makeHumanoid(scene: Scene, nameOf: (bone: HumanoidBone) => string = (bone) => bone) {
    const skeleton = new Skeleton("humanoid", "humanoid", scene);
    const bones = new Map<HumanoidBone, Bone>();
    const head = (bone: HumanoidBone): Place => limbs.find(([name]) => name === bone)![2];
    const [positions, normals, indices, matricesIndices]: number[][] = [[], [], [], []];
    const turn = scene.useRightHandedSystem ? -1 : 1;
    limbs.forEach(([bone, parent, from, to, radius], b) => {
        const origin = parent ? head(parent) : [0, 0, 0];
        const local = from.map((x, c) => (x - origin[c]) * (c === 0 ? turn : 1));
        const matrix = Matrix.Translation(local[0], local[1], local[2]);
        bones.set(bone, new Bone(nameOf(bone), skeleton, (parent && bones.get(parent)) ?? null, matrix));
        const [columns, rows] = [10, 6];
        const first = positions.length / 3;
        for (let j = 0; j <= rows; j++) {
            for (let i = 0; i < columns; i++) {
                const angle = (2 * Math.PI * i) / columns;
                const isLevel = Math.abs(to[0] - from[0]) > Math.abs(to[1] - from[1]);
                const across = isLevel ? [0, Math.cos(angle), Math.sin(angle)] : [Math.cos(angle), 0, Math.sin(angle)];
                const at = from.map((x, c) => x + ((to[c] - x) * j) / rows + radius * across[c]);
                positions.push(turn * at[0], at[1], at[2]);
                normals.push(turn * across[0], across[1], across[2]);
                matricesIndices.push(b, 0, 0, 0);
                const [p, q] = [first + j * columns + i, first + j * columns + ((i + 1) % columns)];
                if (j < rows) indices.push(p, q, p + columns, q, q + columns, p + columns);
            }
        }
    });
    const mesh = new Mesh("humanoid", scene);
    const data = new VertexData();
    Object.assign(data, { positions, normals, indices, matricesIndices });
    data.matricesWeights = matricesIndices.map((_, i) => (i % 4 === 0 ? 1 : 0));
    data.applyToMesh(mesh);
    mesh.skeleton = skeleton;
    return { mesh, skeleton, bones };
}
