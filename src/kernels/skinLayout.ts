/** Slots and structs of the skin as a target of particles: where bones and morph targets have each of them. For what slots and structs are see layout.ts. */
import { ROW } from "./layout";
import { count, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";

/** Slots of {@link SkinTargetLayout}'s numbers. */
export const SkinTargetNumber = {
    /** Fraction of the present frame's motion at the step's end, 0..1. */
    fraction: 0,
    /** Fraction of the step at the present substep's end, 0..1; share of a substep in the step. */
    share: 1,
    substepShare: 2,
    /** Share of its distance from the skin by which a free particle is pulled in a substep, 0..1. */
    pull: 3,
    /** Share of the simulation in what is drawn, 0..1. */
    blend: 4,
    /** 1 if normals are posed, else 0. */
    hasNormals: 5,
    /** Largest displacement of a place since the last frame [m]. */
    motion: 6,
    /** Position of the drawn state between the start (0) and the end (1) of the last step. */
    alpha: 7,
    count: 8,
} as const;

/** Slots of the limits of one particle about its place on the skin. */
export const SkinLimit = {
    /** Largest distance from the place [m]; Infinity: any. */
    maxDistance: 0,
    /** Depth of the backstop's surface behind the place, along the normal [m]. */
    backstopDistance: 1,
    /** Radius of the backstop's sphere [m]; 0: there is none. */
    backstopRadius: 2,
    count: 4,
} as const;

/** Places of particles on a skin (linear blend skinning: Magnenat-Thalmann 1988), in simulation space. */
export const SkinTargetLayout = {
    particleCount: count,
    boneCount: count,
    /** Bones that may carry a particle. */
    influenceCount: count,
    /** Places as they were bound, morphed, x y z 1, and unit normals there, x y z 0; shape [particleCount, 4]. */
    rest: floats("particleCount", ROW),
    restNormals: floats("particleCount", ROW),
    /** Byte offsets of the bones' matrices, shape [particleCount, influenceCount]. */
    bones: integers("particleCount", "influenceCount"),
    /** Shape [particleCount, influenceCount]; the sum of each particle's is 1. */
    weights: floats("particleCount", "influenceCount"),
    /** Of each bone, from where it was bound to simulation space, row vectors, the fourth column 0; shape [boneCount, 4, 4]. */
    matrices: floats("boneCount", 16),
    /** Places at the last frame and in this one [m], shape [particleCount, 4]. */
    from: floats("particleCount", ROW),
    to: floats("particleCount", ROW),
    /** Places at the start and at the end of the present step [m], shape [particleCount, 4]. */
    stepFrom: floats("particleCount", ROW),
    stepTo: floats("particleCount", ROW),
    /** Normals at these four times, of any length, shape [particleCount, 4]. */
    normalsFrom: floats("particleCount", ROW),
    normalsTo: floats("particleCount", ROW),
    stepNormalsFrom: floats("particleCount", ROW),
    stepNormalsTo: floats("particleCount", ROW),
    /** See {@link SkinLimit}, shape [particleCount, SkinLimit.count]. */
    limits: floats("particleCount", SkinLimit.count),
    /** See {@link SkinTargetNumber}. */
    numbers: floats(SkinTargetNumber.count),
};

/** See {@link SkinTargetLayout}. */
export type SkinTargetArrays = Struct<typeof SkinTargetLayout>;
