/** Particles and colliders of cases that are small enough to know their answer. */
import type { Kernels } from "../../../src/engine/index";
import type { ParticleArrays } from "../../../src/kernels/layout";
import { allocate, randomParticles } from "./arrays";

/** Free particles of inverse mass 1 at rest at the given points. */
export function particlesAt(kernels: Kernels, ...points: readonly (readonly [number, number, number])[]): ParticleArrays {
    const particles = randomParticles(kernels.arena, points.length, 1);
    for (const array of [particles.positions, particles.previous, particles.residuals, particles.stepStart]) array.fill(0);
    points.forEach((point, i) => {
        for (const array of [particles.positions, particles.previous, particles.stepStart]) array.set(point, 4 * i);
    });
    particles.inverseMasses.fill(1, 0, points.length).fill(0, points.length);
    return particles;
}

/** Where a particle is. */
export const at = ({ positions }: ParticleArrays, i: number): number[] => Array.from(positions.subarray(4 * i, 4 * i + 3));

/** A collider's data of so many slots, 0 but for those given. */
export function colliderData(kernels: Kernels, count: number, slots: Record<number, readonly number[]>): Float32Array {
    const { data } = allocate(kernels.arena, { data: new Float32Array(0) as Float32Array }, (target, layout) => {
        target.data = layout.float32(count);
    });
    for (const [slot, values] of Object.entries(slots)) data.set(values, Number(slot));
    return data;
}
