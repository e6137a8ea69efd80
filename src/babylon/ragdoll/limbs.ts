import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, multiply, reject } from "../../engine/index";
import type { Affine } from "../../engine/index";
import { fitBones } from "../colliders/skeleton/fitBones";
import type { BonePoses } from "./bonePoses";
import { Limb } from "./limb";
import { OWNER, readOptions } from "./ragdollOptions";
import type { RagdollLimit, RagdollOptions } from "./ragdollOptions";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { worldOf } from "../scene/bodyWorld";
import type { SceneLoop } from "../scene/sceneLoop";

/** Tolerance of lengths and angles of a uniform scale, as a share. */
const SCALE_TOLERANCE = 0.02;

/** Creates a mesh's limbs, parents first. @param bones matrices in the mesh's space @param toWorld from there @throws RangeError if the mesh cannot be a ragdoll */
export function makeLimbs(
    mesh: AbstractMesh,
    poses: BonePoses,
    bones: readonly Affine[],
    toWorld: Affine,
    options: RagdollOptions,
): Limb[] {
    const { bodies, mass } = readOptions(options);
    const fitted = fitBones(OWNER, mesh, options);
    if (fitted.length === 0) reject(OWNER, "mesh", "a mesh with bones that move enough of it to be bodies", mesh.name);
    checkScale(mesh.name, toWorld);
    const world = identity();
    const limbs: Limb[] = [];
    try {
        for (const { bone, capsule } of fitted) {
            const number = poses.bones.indexOf(bone);
            multiply(bones[number], toWorld, world);
            checkScale(bone.name, world);
            limbs.push(new Limb({ bone, capsule }, number, toWorld, bodies, mesh.getScene()));
        }
    } catch (error) {
        for (const limb of limbs) limb.mesh.dispose();
        throw error;
    }
    limbs.sort((a, b) => a.boneNumber - b.boneNumber);
    if (mass) distributeMass(limbs, mass);
    return limbs;
}

/** Distributes a mass to limbs by volume. */
function distributeMass(limbs: readonly Limb[], mass: number): void {
    const sum = limbs.reduce((total, { volume }) => total + volume, 0);
    for (const { body, volume } of limbs) body.mass = (mass * volume) / sum;
}

/** @throws RangeError if a map does not scale uniformly */
function checkScale(name: string, m: Affine): void {
    const size = Math.hypot(m[0], m[1], m[2]);
    const dot = (a: number, b: number): number => (m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2]) / (size * size);
    const skew = Math.max(Math.abs(dot(0, 4)), Math.abs(dot(4, 8)), Math.abs(dot(8, 0)));
    const stretch = Math.max(Math.abs(dot(4, 4) - 1), Math.abs(dot(8, 8) - 1)) / 2;
    if (!(size > 0) || !(Math.max(skew, stretch) < SCALE_TOLERANCE))
        reject(OWNER, "mesh", "scaled evenly to all sides, and its bones", name);
}

/** Joins each to the nearest parent that has a body, else to the first limb. @param parents of bones, see BonePoses */
export function joinLimbs(limbs: readonly Limb[], parents: readonly number[], limitOf: (bone: string) => RagdollLimit): void {
    const ofBone = new Map(limbs.map((limb) => [limb.boneNumber, limb]));
    for (const limb of limbs) {
        let parent = parents[limb.boneNumber];
        while (parent >= 0 && !ofBone.has(parent)) parent = parents[parent];
        const to = ofBone.get(parent) ?? limbs[0];
        if (to !== limb) limb.join(to, limitOf(limb.bone.name));
    }
    limbs.forEach((a, i) => {
        for (const b of limbs.slice(i + 1)) if (a.overlaps(b)) a.ignoreContactsWith(b);
    });
}

/** Steps all limbs manually and together: stepped one by one, a joint would pull a limb towards one that is not stepped yet. */
export function stepLimbs(frames: SceneLoop, limbs: readonly Limb[], seconds: number): void {
    const { autoStep } = limbs[0].body;
    const runtimes = limbs.map(({ body }) => runtimeOf(body)!);
    frames.seconds = seconds;
    frames.colliders.beginFrame();
    try {
        for (const { body } of limbs) body.autoStep = true;
        const startedFrames = runtimes.map((runtime) => runtime.beginFrame()).filter((frame) => frame !== null);
        worldOf(frames).advance(startedFrames.map(({ cloth }) => cloth));
        for (const frame of startedFrames) frame.endFrame();
        for (const runtime of runtimes) runtime.onDraw(false);
    } finally {
        for (const { body } of limbs) body.autoStep = autoStep;
        frames.colliders.impulses!.apply();
    }
}
