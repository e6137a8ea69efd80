import { transformPoint } from "../solver/affine";
import type { Affine } from "../solver/affine";
import type { BodyState } from "../solver/state";

/** Where the particles of a mesh are and how they move, to go on from in another attachment of it. */
export interface Motion {
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    /** The world's time [s]. */
    readonly worldTime: number;
    /** Copies of the particles' arrays, see {@link movingArrays}. */
    readonly arrays: readonly Float32Array[];
    readonly particleOfVertex: Uint32Array;
}

/** The arrays that hold a body's motion: those of places first, what positions are too coarse to show last. */
export function movingArrays({ positions, previous, stepStart, residuals }: BodyState): Float32Array[] {
    return [positions, previous, stepStart, residuals];
}

/**
 * Takes over the motion of a mesh's last attachment.
 * @param particleOfVertex of this attachment
 * @param sources the vertex that each vertex was, where the mesh has been edited since
 */
export function takeMotion(state: BodyState, motion: Motion, particleOfVertex: Uint32Array, sources?: Uint32Array): void {
    const arrays = movingArrays(state);
    if (!sources && motion.particleOfVertex.every((particle, v) => particle === particleOfVertex[v])) {
        arrays.forEach((array, i) => array.set(motion.arrays[i]));
        return;
    }
    // What rides on what depends on the mesh's size, too.
    for (let v = 0; v < particleOfVertex.length; v++) {
        const to = 4 * particleOfVertex[v];
        const from = 4 * motion.particleOfVertex[sources ? sources[v] : v];
        arrays.forEach((array, i) => array.set(motion.arrays[i].subarray(from, from + 4), to));
    }
}

/** Moves the places of all particles by a map of simulation space. */
export function moveParticles(state: BodyState, map: Affine): void {
    for (const array of movingArrays(state).slice(0, 3)) {
        for (let p = 0; p < state.particleCount; p++) transformPoint(map, array, 4 * p, array, 4 * p);
    }
}
