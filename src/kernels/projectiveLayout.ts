/** The net of a plant: all that keeps its shape, solved at once; see layout.ts. */
import { asFloats, count, floats, integers } from "./structSchema";
import type { Struct } from "./structSchema";
import { ROW } from "./layout";

/** Slots of an element of {@link ProjectiveLayout.elements} and of its numbers. */
export const ProjectiveElement = {
    /** Places of four particles in the order of the matrix. */
    places: 0,
    /** Weight of each particle. */
    weights: 4,
    /** The length of the sum at rest, and the stiffness. */
    rest: 8,
    stiffness: 9,
    count: 12,
} as const;

/** See assembly/projectiveSolve.ts. */
export const ProjectiveLayout = {
    particleCount: count,
    elementCount: count,
    /** Numbers of the factor L below its diagonal. */
    entryCount: count,
    /** See {@link ProjectiveElement}; the same memory as integers and as numbers. */
    elements: integers("elementCount", ProjectiveElement.count),
    elementFloats: asFloats("elements"),
    /** Particle of each place in the order of the matrix, shape [particleCount]. */
    order: integers("particleCount"),
    /** First column of each row that L has, shape [particleCount]. */
    firstColumns: integers("particleCount"),
    /** Rows of L from there to the diagonal, one after the other; and 1/D of M/dt² + K = L D Lᵀ, 0 where a particle is held. */
    entries: floats("entryCount"),
    inverses: floats("particleCount"),
    /** Mass over the substep squared, 0 where a particle is held [kg/s²], shape [particleCount]. */
    inertias: floats("particleCount"),
    /** 1 where a particle moves, else 0, shape [particleCount]. */
    areFree: floats("particleCount"),
    /** Within a pass, in the order of the matrix: positions at its start, now, and moves, x y z 0. */
    starts: floats("particleCount", ROW),
    current: floats("particleCount", ROW),
    moves: floats("particleCount", ROW),
};

/** See {@link ProjectiveLayout}. */
export type ProjectiveArrays = Struct<typeof ProjectiveLayout>;
