/** Boxes of blocks of particles: shapes pass over what they cannot touch, and find the same as without. */
import { describe, expect, test } from "@jest/globals";
import { Contact, SphereData } from "../../../src/kernels/contactLayout";
import { BLOCK, ROW } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import type { Kernels } from "../../../src/engine/index";
import { complete, createBodyKernels } from "./allKernels";
import { seededRandom } from "../../random";
import { allocate, collide, randomParticles } from "./arrays";

const COUNT = 700;
const KERNELS = complete(createBodyKernels());

/** Particles along a walk through space, so that blocks lie apart. */
function walk(kernels: Kernels, seed: number): ParticleArrays {
    const particles = randomParticles(kernels.arena, COUNT, seed);
    const random = seededRandom(seed + 1);
    const step = [0, 0, 0];
    for (let o = 0; o < COUNT * ROW; o += ROW) {
        for (let c = 0; c < 3; c++) {
            step[c] += (random() - 0.5) * 0.2;
            particles.positions[o + c] = step[c];
            particles.previous[o + c] = step[c] + (random() - 0.5) * 0.1;
        }
    }
    return particles;
}

function ball(kernels: Kernels, centre: ArrayLike<number>, radius: number, isBoxed: boolean): Float32Array {
    const { data } = allocate(kernels.arena, { data: new Float32Array() as Float32Array }, (target, layout) => {
        target.data = layout.float32(SphereData.count);
    });
    data[Contact.thickness] = 0.02;
    data[SphereData.reach] = radius + 0.02;
    data.set([1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, 1 / radius], SphereData.toUnit);
    data.fill(radius * radius, SphereData.squares, SphereData.squares + 3);
    data[SphereData.isRound] = 1;
    for (let c = 0; c < 3; c++) {
        data[SphereData.centre + c] = centre[c];
        data[Contact.minimum + c] = isBoxed ? centre[c] - radius - 0.02 : -Infinity;
        data[Contact.maximum + c] = isBoxed ? centre[c] + radius + 0.02 : Infinity;
    }
    return data;
}

// Memory that is there already does not move.
KERNELS.arena.allocate(16_000_000, { relocate: () => {} }).release();

describe("blocks", () => {
    const kernels = KERNELS;
    test("hold their particles' positions and previous positions, and no padding", () => {
        const particles = walk(kernels, 3);
        kernels.measureBounds(particles);
        expect(particles.blockCount).toBe(Math.ceil((COUNT + 1) / BLOCK));
        for (let block = 0; block < particles.blockCount; block++) {
            const range = [block * BLOCK * ROW, Math.min(COUNT, (block + 1) * BLOCK) * ROW] as const;
            const rows = [...particles.positions.slice(...range), ...particles.previous.slice(...range)];
            for (let c = 0; c < 3; c++) {
                const values = rows.filter((_, i) => i % ROW === c);
                expect(particles.blockBounds[block * 8 + c]).toBe(Math.min(...values));
                expect(particles.blockBounds[block * 8 + 4 + c]).toBe(Math.max(...values));
            }
        }
    });

    test("what is passed over has no contact", () => {
        let found = 0;
        for (let seed = 0; seed < 40; seed++) {
            const [boxed, whole] = [true, false].map((isBoxed) => {
                const particles = walk(kernels, seed);
                kernels.measureBounds(particles);
                const at = (seed * 17) % COUNT;
                const centre = particles.positions.slice(at * ROW, at * ROW + 3);
                const contacts = collide(kernels, "detectSphereContacts", particles, ball(kernels, centre, 0.3, isBoxed));
                found += contacts.recordCount[0];
                return [...particles.positions];
            });
            expect(boxed).toEqual(whole);
        }
        expect(found).toBeGreaterThan(100);
    });

    test("a box that no block touches is passed over", () => {
        const particles = walk(kernels, 5);
        kernels.measureBounds(particles);
        const data = ball(kernels, particles.positions.slice(0, 3), 0.3, true);
        data.fill(1000, Contact.minimum, Contact.minimum + 3);
        data.fill(1001, Contact.maximum, Contact.maximum + 3);
        expect(collide(kernels, "detectSphereContacts", particles, data).recordCount[0]).toBe(0);
    });

    test("grow with what is pushed", () => {
        const particles = walk(kernels, 7);
        kernels.measureBounds(particles);
        collide(kernels, "detectSphereContacts", particles, ball(kernels, particles.positions.slice(0, 3), 2, true));
        for (let i = 0; i < COUNT; i++) {
            for (let c = 0; c < 3; c++) {
                const box = 8 * Math.floor(i / BLOCK) + c;
                expect(particles.positions[i * ROW + c]).toBeGreaterThanOrEqual(particles.blockBounds[box]);
                expect(particles.positions[i * ROW + c]).toBeLessThanOrEqual(particles.blockBounds[box + 4]);
            }
        }
    });
});
