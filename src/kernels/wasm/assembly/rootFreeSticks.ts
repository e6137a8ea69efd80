/** Sticks without square roots, four at once; specification: scalar/rootFreeSticks.ts. */
import { largestOf } from "./lanes";
import { ParticleArrays, StickArrays, Uniform } from "./layout.generated";
import { project } from "./sticks";

export function projectRootFreeSticks(particles: ParticleArrays, sticks: StickArrays): void {
    project(particles, sticks, false, false);
}

export function projectRootFreeLengths(particles: ParticleArrays, sticks: StickArrays): void {
    store<f32>(particles.uniforms, largestOf(project(particles, sticks, true, false)), Uniform.strain);
}
