import type { Particle } from "@babylonjs/core/Particles/particle";
import type { FreeParticles } from "../../engine/index";

/**
 * Maps simulated particles to those of a particle system, index by index. Babylon moves the last particle of its list into the slot of one that dies. Particles
 * keep their ids, so that comparing ids shows deaths and births.
 */
export class ParticleSlots {
    /** Ids of the system's particles at the last call of {@link sync}. */
    private readonly _ids: Float64Array;

    constructor(private readonly _freeParticles: FreeParticles) {
        this._ids = new Float64Array(_freeParticles.capacity);
    }

    /**
     * Applies deaths and births since the last call.
     * @param speed speed of a direction of length 1 [m/s]
     */
    sync(particles: readonly Particle[], speed: number): void {
        const { _ids: ids, _freeParticles: particleSet } = this;
        let end = particleSet.count;
        let i = 0;
        for (; i < particles.length && i < end; i++) {
            const { id } = particles[i];
            if (ids[i] === id) continue;
            // Skipped particles have died, too.
            do end--;
            while (end > i && ids[end] !== id);
            if (end === i) break;
            particleSet.moveSlot(end, i);
            ids[i] = id;
        }
        particleSet.parkFrom(i);
        for (; i < particles.length && i < particleSet.capacity; i++) {
            ids[i] = particles[i].id;
            this._spawn(particles[i], speed);
        }
    }

    private _spawn({ position, direction }: Particle, speed: number): void {
        const { particleState: numbers } = this._freeParticles;
        numbers[0] = position.x;
        numbers[1] = position.y;
        numbers[2] = position.z;
        numbers[3] = speed * direction.x;
        numbers[4] = speed * direction.y;
        numbers[5] = speed * direction.z;
        this._freeParticles.spawn();
    }

    /**
     * Writes positions and velocities to the system's particles.
     * @param share interpolation between the ends of the last step, 0..1
     */
    write(particles: readonly Particle[], share: number, speed: number): void {
        const { _freeParticles: particleSet } = this;
        const { particleState: numbers } = particleSet;
        for (let i = 0; i < particleSet.count && i < particles.length; i++) {
            const { position, direction } = particles[i];
            particleSet.read(i, share);
            position.x = numbers[0];
            position.y = numbers[1];
            position.z = numbers[2];
            direction.x = numbers[3] / speed;
            direction.y = numbers[4] / speed;
            direction.z = numbers[5] / speed;
        }
    }
}
