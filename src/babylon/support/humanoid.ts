import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";

/** Bones of a humanoid, by VRM's names. */
export type HumanoidBone =
    | "hips"
    | "spine"
    | "chest"
    | "neck"
    | "head"
    | `${"left" | "right"}${"Shoulder" | "UpperArm" | "LowerArm" | "Hand" | "UpperLeg" | "LowerLeg" | "Foot"}`;

/** Bones of a skeleton by what they are; those that it does not have are left out. */
export type HumanoidBones = Partial<Record<HumanoidBone, Bone>>;

/**
 * Names in the order in which they are looked for, lower case, without separators, namespaces and {@link PREFIX}: Mixamo and Ready Player Me (`LeftArm`),
 * VRM (`leftUpperArm`, `J_Bip_L_UpperArm`), Rigify (`DEF-upper_arm.L`), Unreal (`upperarm_l`).
 */
const MIDDLE: Readonly<Record<string, readonly string[]>> = {
    hips: ["hips", "pelvis", "spine"],
    spine: ["spine001", "spine01", "spine"],
    chest: ["upperchest", "spine003", "spine03", "spine2", "chest", "spine002", "spine02", "spine1"],
    neck: ["neck", "neck01", "spine004"],
    head: ["head", "spine006"],
};
const SIDES: Readonly<Record<string, readonly string[]>> = {
    Shoulder: ["shoulder", "clavicle", "collar"],
    UpperArm: ["upperarm", "arm"],
    LowerArm: ["lowerarm", "forearm"],
    Hand: ["hand", "wrist"],
    UpperLeg: ["upperleg", "upleg", "thigh"],
    LowerLeg: ["lowerleg", "leg", "shin", "calf"],
    Foot: ["foot", "ankle"],
};
/** Of a rig's name in the names of its bones. */
const PREFIX = /^(.*[:|]|mixamorig\d*_?|DEF-|J_Bip_(C_)?)/;

/** Names that a bone may have, see {@link MIDDLE}. */
function namesOf(bone: HumanoidBone): readonly string[] {
    const [, side, part] = /^(left|right)?(.*)$/.exec(bone)!;
    if (!side) return MIDDLE[part];
    const initial = side[0];
    return SIDES[part].flatMap((name) => [side + name, initial + name, name + initial, name + side]);
}

/** The names of {@link HumanoidBone}. A function: a constant would stay in apps without it. */
export function humanoidBoneNames(): readonly HumanoidBone[] {
    const sides = ["left", "right"].flatMap((side) => Object.keys(SIDES).map((part) => side + part));
    return [...Object.keys(MIDDLE), ...sides] as HumanoidBone[];
}

/**
 * The bones of a humanoid, found by the names of Mixamo, VRM, Ready Player Me, Rigify and Unreal.
 *
 *     const { head, leftUpperLeg } = humanoidBones(hero.skeleton);
 */
export function humanoidBones(skeleton: Skeleton): HumanoidBones {
    const named = new Map<string, Bone>();
    for (const bone of skeleton.bones) {
        const name = bone.name.replace(PREFIX, "").replace(/[^a-z0-9]/gi, "");
        if (!named.has(name.toLowerCase())) named.set(name.toLowerCase(), bone);
    }
    const found: HumanoidBones = {};
    for (const bone of humanoidBoneNames()) {
        const name = namesOf(bone).find((each) => named.has(each));
        if (name !== undefined) found[bone] = named.get(name)!;
    }
    return found;
}

/** Names to look for, for errors. */
export function soughtNames(bones: readonly HumanoidBone[]): string {
    return bones.map((bone) => `${bone} (${namesOf(bone).join(", ")})`).join(", ");
}
