import type { Particle } from "@babylonjs/core/Particles/particle";
import type { FreeParticles } from "../../engine/particles/freeParticles";

/**
 * Which of a system's particles each of ours stands for: the one of the same index. Babylon gives the place of one that dies to the last of its list, over and
 * over from the first index on, and with it the number that it was born with; so the list tells who has died and who is new.
 */
export class ParticleSlots {
    /** Numbers of the system's particles when last seen. */
    private readonly _ids: Float64Array;

    constructor(private readonly _freeParticles: FreeParticles) {
        this._ids = new Float64Array(_freeParticles.capacity);
    }

    /**
     * Takes in who has died since it was called last, and who was born.
     * @param speed how fast a direction of length 1 is [m/s]
     */
    sync(particles: readonly Particle[], speed: number): void {
        const { _ids: ids, _freeParticles: particleSet } = this;
        let end = particleSet.count;
        let i = 0;
        for (; i < particles.length && i < end; i++) {
            const { id } = particles[i];
            if (ids[i] === id) continue;
            // Those that are passed over have died, too.
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
     * Writes where the system's particles are and how fast.
     * @param share where between the ends of the last step they are drawn, 0..1
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
