/** Limits of strain that leave out what nothing has moved do the same as those that look everywhere. */
import { expect, test } from "@jest/globals";
import { StrainRegionLayout } from "../../../src/kernels/contactLayout";
import { DistanceLayout, DistanceRecord, Uniform } from "../../../src/kernels/layout";
import type { ParticleArrays, DistanceArrays } from "../../../src/kernels/layout";
import { buildOrderedDistances } from "../../../src/engine/solvers/xpbd/distanceConstraints";
import { seededRandom } from "../../random";
import { wasmKernels as kernels } from "./agreement";
import { allocateStruct, randomParticles } from "./arrays";

/** Edges of a grid [m], shorter than they are by 1 %. */
function gridSticks(n: number, { inverseMasses }: ParticleArrays): DistanceArrays {
    const ends: number[] = [];
    for (let i = 0; i < n * n; i++) {
        if (i % n < n - 1) ends.push(i, i + 1);
        if (i < n * (n - 1)) ends.push(i, i + n);
    }
    const count = ends.length / 2;
    const numbers = new Float32Array(count);
    const set = {
        stiffness: "stretchStiffness" as const,
        particlesA: Uint32Array.from(numbers, (_, s) => ends[2 * s]),
        particlesB: Uint32Array.from(numbers, (_, s) => ends[2 * s + 1]),
        restLengths: numbers.fill(0.99),
        stiffnessFactors: numbers,
    };
    const { constraintCount, records } = buildOrderedDistances(set, n * n, null);
    const sticks = allocateStruct(kernels.arena, DistanceLayout, { constraintCount });
    sticks.records.set(records);
    for (let s = 0; s < constraintCount; s++) {
        const record = (s >> 2) * DistanceRecord.count;
        const [a, b] = [0, 1].map((end) => inverseMasses[sticks.records[record + 2 * (s & 3) + end] / 16]);
        sticks.recordFloats[record + DistanceRecord.weightsA + (s & 3)] = a / (a + b || 1);
        sticks.recordFloats[record + DistanceRecord.weightsB + (s & 3)] = b / (a + b || 1);
    }
    return sticks;
}

/** Lays the particles out as a grid, and carries some of them away. */
function disturb({ positions }: ParticleArrays, n: number, random: () => number): void {
    for (let i = 0; i < n * n; i++) positions.set([i % n, Math.floor(i / n), 0], 4 * i);
    for (let k = 0; k < 5; k++) {
        const i = Math.floor(random() * n * n);
        for (let c = 0; c < 3; c++) positions[4 * i + c] += (random() - 0.5) * 1.5;
    }
}

test.each([1, 2, 9, 24, 64, 90])("%i² particles of which some are carried away, to the bit", (n) => {
    const random = seededRandom(n);
    const particles = randomParticles(kernels.arena, n * n, n);
    for (let i = 0; i < n * n; i++) particles.inverseMasses[i] = i % 50 === 7 ? 0 : 1 + random();
    const sticks = gridSticks(n, particles);
    const parts = allocateStruct(kernels.arena, StrainRegionLayout, {});
    particles.uniforms[Uniform.strain] = 1;
    let moved = 0;
    for (let turn = 0; turn < 4; turn++) {
        disturb(particles, n, random);
        const before = particles.positions.slice();
        kernels.limitStrain(particles, sticks);
        const expected = particles.positions.slice();
        particles.positions.set(before);
        kernels.limitStrainByRegion(particles, sticks, parts);
        expect(particles.positions).toEqual(expected);
        for (let i = 0; i < before.length; i++) if (before[i] !== expected[i]) moved++;
    }
    expect(moved).toBeGreaterThan(n > 2 ? 50 : -1);
});
