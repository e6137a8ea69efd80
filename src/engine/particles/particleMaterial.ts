import type { ClothSettings } from "../state/settings";
import { defaultSettings } from "../state/settings";

/** Material of free particles: balls, all alike. */
export interface ParticleMaterial {
    /** Of one [kg], > 0. */
    mass: number;
    /** Of one [m], > 0. */
    radius: number;
    /** Drag coefficient over the cross-section π radius², >= 0. */
    drag: number;
    /** Share of the speed of an impact with which they leave cloth, 0..1. */
    restitution: number;
    /** Coulomb friction coefficient against what sets none of its own. */
    friction: number;
}

/** Settings of free particles. What their fabric says follows from their material, see {@link describe}. */
export interface ParticleSettings extends ClothSettings {
    readonly particles: ParticleMaterial;
}

/** Raindrops of 2 mm: of water, as round as those are, and as they splash. */
export function defaultParticles(): ParticleSettings {
    const particles = { mass: 4.2e-6, radius: 1e-3, drag: 0.5, restitution: 0.1, friction: 0.3 };
    const settings = { ...defaultSettings(), sleepSpeed: 0, particles };
    describe(settings);
    return settings;
}

/** Tells contacts and air what the particles are made of: they ask a fabric for it. To be called when that has changed. */
export function describe(settings: ParticleSettings): void {
    const { mass, radius, friction } = settings.particles;
    const arealDensity = mass / (Math.PI * radius * radius);
    settings.fabric = { ...settings.fabric, arealDensity, thickness: radius, friction, damping: 0 };
}
