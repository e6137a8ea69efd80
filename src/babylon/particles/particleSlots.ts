import type { Particle } from "@babylonjs/core/Particles/particle";
import type { FreeParticles } from "../../engine/particles/freeParticles";

/**
 * Which of a system's particles each of ours stands for: the one of the same index. Babylon gives the place of one that dies to the last of its list, over and
 * over from the first index on, and with it the number that it was born with; so the list tells who has died and who is new.
 */
export class ParticleSlots {
    /** Numbers of the system's particles when last seen. */
    private readonly _ids: Float64Array;

    constructor(private readonly _own: FreeParticles) {
        this._ids = new Float64Array(_own.capacity);
    }

    /**
     * Takes in who has died since it was called last, and who was born.
     * @param speed how fast a direction of length 1 is [m/s]
     */
    follow(particles: readonly Particle[], speed: number): void {
        const { _ids: ids, _own: own } = this;
        let end = own.count;
        let i = 0;
        for (; i < particles.length && i < end; i++) {
            const { id } = particles[i];
            if (ids[i] === id) continue;
            // Those that are passed over have died, too.
            do end--;
            while (end > i && ids[end] !== id);
            if (end === i) break;
            own.moveSlot(end, i);
            ids[i] = id;
        }
        own.parkFrom(i);
        for (; i < particles.length && i < own.capacity; i++) {
            ids[i] = particles[i].id;
            this._bear(particles[i], speed);
        }
    }

    private _bear({ position, direction }: Particle, speed: number): void {
        const { particleState: numbers } = this._own;
        numbers[0] = position.x;
        numbers[1] = position.y;
        numbers[2] = position.z;
        numbers[3] = speed * direction.x;
        numbers[4] = speed * direction.y;
        numbers[5] = speed * direction.z;
        this._own.spawn();
    }

    /**
     * Writes where the system's particles are and how fast.
     * @param share where between the ends of the last step they are drawn, 0..1
     */
    write(particles: readonly Particle[], share: number, speed: number): void {
        const { _own: own } = this;
        const { particleState: numbers } = own;
        for (let i = 0; i < own.count && i < particles.length; i++) {
            const { position, direction } = particles[i];
            own.read(i, share);
            position.x = numbers[0];
            position.y = numbers[1];
            position.z = numbers[2];
            direction.x = numbers[3] / speed;
            direction.y = numbers[4] / speed;
            direction.z = numbers[5] / speed;
        }
    }
}
