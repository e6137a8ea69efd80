import { ClothImpacts, FreeParticles, defaultParticles, describe, SweptCloth } from "../../src/engine/index";
import type { ParticleMaterial, Body, Vector } from "../../src/engine/index";
import { G, kernelsOf, runFrame } from "./support";

/** What a test sets about particles; gravity is {@link G} down. */
export interface ParticleTestOptions extends Partial<ParticleMaterial> {
    capacity?: number;
    gravity?: Vector;
    substepCount?: number;
    fixedTimeStep?: number;
}

/** Free particles, none of which lives yet. */
export function makeParticles(options: ParticleTestOptions = {}): FreeParticles {
    const { capacity = 16, gravity = [0, -G, 0], substepCount = 4, fixedTimeStep = 1 / 60, ...material } = options;
    const settings = { ...defaultParticles(), substepCount, fixedTimeStep };
    settings.gravity.set(gravity);
    Object.assign(settings.particles, material);
    describe(settings);
    return new FreeParticles(kernelsOf(), capacity, settings, new Float64Array(3));
}

/** Lets one live. @returns its index */
export function spawn(particles: FreeParticles, place: Vector, velocity: Vector = [0, 0, 0]): number {
    particles.particleState.set([...place, ...velocity]);
    particles.spawn();
    return particles.count - 1;
}

/** What particles and cloths do to each other. */
export function impactsOf(particles: FreeParticles, cloths: readonly Body[]): ClothImpacts {
    const impacts = new ClothImpacts(particles);
    impacts.cloths.push(...cloths.map((cloth) => new SweptCloth(cloth)));
    return impacts;
}

/** Takes steps of particles and cloths, and has them meet after each. `after` is called then. */
export function runTogether(impacts: ClothImpacts, particles: FreeParticles, count: number, after?: (step: number) => void): void {
    for (let s = 0; s < count; s++) {
        for (const { cloth } of impacts.cloths) runFrame(cloth, 1 / 60);
        runFrame(particles.body, 1 / 60);
        impacts.sweep();
        after?.(s);
    }
}
