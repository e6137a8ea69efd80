/** The kernels that keep cloth off itself and off other cloth: they list all near pairs, and move them as the reference does. */
import { describe, expect, test } from "@jest/globals";
import {
    SelfCollisionLayout,
    SelfCollisionParameter,
    SelfCollisionCounter,
    ProxyLayout,
    ProxyParameter,
    ProxyRecord,
    PairRecord,
} from "../../../src/kernels/selfCollisionLayout";
import type { SelfCollisionArrays, ProxyArrays } from "../../../src/kernels/selfCollisionLayout";
import { NONE } from "../../../src/kernels/structSchema";
import type { Kernels } from "../../../src/engine/index";
import { ROW, TriangleLayout } from "../../../src/kernels/layout";
import type { ParticleArrays } from "../../../src/kernels/layout";
import { seededRandom } from "../../random";
import { compare, wasmKernels } from "./agreement";
import { allocateStruct, randomParticles } from "./arrays";

const THICKNESS = 0.05;
const RADIUS = 0.06;
const MARGIN = 0.04;

interface Scene {
    readonly crowd: SelfCollisionArrays;
    readonly members: readonly ProxyArrays[];
    readonly bodies: readonly ParticleArrays[];
}

/** Members of so many particles each, in one another, with random triangles, neighbours and strangers. */
function crowdOf(
    { arena }: Kernels,
    counts: readonly number[],
    { mostCandidates = 512, mostPairs = 48, capacity = 8 } = {},
): Scene {
    const random = seededRandom(counts[0]);
    const particleCount = counts.reduce((sum, count) => sum + count);
    const cellCount = 2 ** Math.ceil(Math.log2(2 * particleCount));
    const crowd = allocateStruct(arena, SelfCollisionLayout, {
        particleCount,
        proxyCount: counts.length,
        paddedCount: particleCount + 4,
        cellCount,
        cellEndCount: cellCount + 1,
        restPairCount: particleCount,
        capacity: capacity * particleCount,
    });
    crowd.numbers[SelfCollisionParameter.searchDistance] = RADIUS + MARGIN;
    crowd.numbers[SelfCollisionParameter.inverseCellSize] = 1 / (RADIUS + MARGIN);
    crowd.numbers[SelfCollisionParameter.pushShare] = 1;
    crowd.numbers.set([0.001, -0.01, 0.002], SelfCollisionParameter.gravity);
    crowd.numbers.fill(Infinity, SelfCollisionParameter.minDisplacement, SelfCollisionParameter.minDisplacement + 3);
    crowd.numbers.fill(-Infinity, SelfCollisionParameter.maxDisplacement, SelfCollisionParameter.maxDisplacement + 3);
    crowd.progress[SelfCollisionCounter.maxCandidates] = mostCandidates;
    crowd.progress[SelfCollisionCounter.maxPairs] = mostPairs;
    let first = 0;
    const bodies = counts.map((count) => {
        const particles = randomParticles(arena, count, count);
        for (const name of ["positions", "previous"] as const) particles[name].forEach((x, o) => (particles[name][o] = x / 8));
        return particles;
    });
    const members = bodies.map((particles, index) => {
        const count = particles.particleCount;
        // Of several triangles each: of one and the same, the side on which two of its corners are would be for rounding to say.
        const surface = allocateStruct(arena, TriangleLayout, { triangleCount: 6 * count });
        surface.triangles.forEach((_, k) => (surface.triangles[k] = Math.floor(random() * count)));
        const o = index * ProxyRecord.count;
        crowd.proxyFloats.set([THICKNESS - 0.01 * index, RADIUS - 0.02 * index, MARGIN, 0.1 ** 2, 0.3 + index], o);
        // The last two do not meet each other.
        crowd.proxies.set([1 << index, index === 0 ? 0xffffffff : 1], o + ProxyRecord.group);
        for (let i = 0; i < count; i++) {
            const p = first + i;
            for (let c = 0; c < 3; c++) crowd.rest[p * ROW + c] = particles.positions[i * ROW + c] + (random() - 0.5) * 0.1;
            crowd.restPairs[p] = first + Math.floor(random() * count);
            crowd.restPairStarts[p + 1] = p + 1;
        }
        const member = allocateStruct(arena, ProxyLayout, { particleCount: count, index, first, shared: crowd, surface });
        member.numbers.set([0.01 * index, -0.02 * index, 0], ProxyParameter.offset);
        member.numbers[ProxyParameter.timeRatio] = 1 - 0.5 * index;
        member.numbers[ProxyParameter.mobility] = index < 2 ? 1 : 0;
        member.numbers[ProxyParameter.changesVelocity] = index === 0 ? 1 : 0;
        first += count;
        return member;
    });
    return { crowd, members, bodies };
}

function list(kernels: Kernels, { crowd, members, bodies }: Scene): void {
    members.forEach((member, m) => kernels.snapshotPositions(bodies[m], member));
    crowd.slots.fill(NONE);
    crowd.progress[SelfCollisionCounter.pairCount] = crowd.progress[SelfCollisionCounter.overflowed] = 0;
    kernels.detectPairs(crowd);
    kernels.orderPairs(crowd);
    kernels.compactActiveParticles(crowd);
}

/** Both particles of each pair. */
function pairsOf({ pairs, progress, activeParticles: placed }: SelfCollisionArrays): [a: number, b: number][] {
    return Array.from({ length: progress[SelfCollisionCounter.pairCount] }, (_, k) => {
        const o = k * PairRecord.count;
        return [placed[pairs[o + PairRecord.a] >> 4], placed[pairs[o + PairRecord.b] >> 4]];
    });
}

describe("crowds", () => {
    test("puts pairs in order along gravity, but for steps of height, and leaves them where there is none", () => {
        for (const kernels of [wasmKernels]) {
            const scene = crowdOf(kernels, [300, 200, 101]);
            const { crowd } = scene;
            const gravity = crowd.numbers.slice(SelfCollisionParameter.gravity, SelfCollisionParameter.gravity + 3);
            const fallOf = (i: number): number => gravity.reduce((sum, g, c) => sum + g * crowd.snapshot[i * ROW + c], 0);
            const fallsOf = (): number[] => pairsOf(crowd).map(([a, b]) => fallOf(a) + fallOf(b));
            list(kernels, scene);
            const ordered = fallsOf();
            crowd.numbers.fill(0, SelfCollisionParameter.gravity, SelfCollisionParameter.gravity + 3);
            list(kernels, scene);
            const found = fallsOf();
            expect(ordered.length).toBeGreaterThan(500);
            const sorted = found.slice().sort((a, b) => b - a);
            const step = (sorted[0] - sorted[sorted.length - 1]) / 500;
            ordered.forEach((fall, k) => expect(Math.abs(fall - sorted[k])).toBeLessThan(step));
            expect(found.some((fall, k) => Math.abs(fall - sorted[k]) > 10 * step)).toBe(true);
        }
    });

    test("lists what is near, not neighbours and not who does not meet", () => {
        for (const kernels of [wasmKernels]) {
            const scene = crowdOf(kernels, [60, 45, 30], { capacity: 48, mostPairs: 1000 });
            list(kernels, scene);
            const { crowd } = scene;
            const listed = new Set(pairsOf(crowd).map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
            const expected = new Set<string>();
            const apart = (rows: Float32Array, i: number, j: number): number =>
                Math.hypot(...[0, 1, 2].map((c) => rows[i * ROW + c] - rows[j * ROW + c]));
            for (let i = 0; i < crowd.particleCount; i++) {
                for (let j = i + 1; j < crowd.particleCount; j++) {
                    const [a, b] = [i, j].map((p) => crowd.snapshot[p * ROW + 3]);
                    if (a !== b && a > 0 && b > 0) continue;
                    const radius = RADIUS - 0.02 * Math.min(a, b);
                    let reach = Math.max(radius, (2 * THICKNESS - 0.01 * (a + b)) / 2);
                    const rest = apart(crowd.rest, i, j);
                    if (a === b && rest < 0.1) {
                        // Strangers are told by the particle that comes first in the grid.
                        if (crowd.restPairs[i] === j || crowd.restPairs[j] === i) listed.delete(`${i} ${j}`);
                        continue;
                    }
                    reach += MARGIN;
                    if (apart(crowd.snapshot, i, j) <= reach) expected.add(`${i} ${j}`);
                }
            }
            expect(crowd.progress[SelfCollisionCounter.overflowed]).toBe(0);
            expect(expected.size).toBeGreaterThan(100);
            expect([...listed].sort()).toEqual([...expected].sort());
        }
    });

    test("pairs move as their reference has it", () => {
        compare((kernels) => {
            const { crowd } = crowdOf(kernels, [40]);
            const random = seededRandom(11);
            const { activePositions: places, velocities, pairs, pairFloats, progress } = crowd;
            const count = Math.min(30, crowd.capacity);
            progress[SelfCollisionCounter.pairCount] = count;
            for (let o = 0; o < 40 * ROW; o++) {
                places[o] = o % ROW === 3 ? 1 : 0.1 * random();
                velocities[o] = o % ROW === 3 ? 0 : 0.01 * (random() - 0.5);
            }
            for (let k = 0; k < count; k++) {
                const o = k * PairRecord.count;
                pairs[o + PairRecord.a] = 4 * ROW * k;
                pairs[o + PairRecord.b] = 4 * ROW * (k + 1);
                pairFloats.fill(0, o + PairRecord.normal, o + PairRecord.normal + 3);
                pairFloats[o + PairRecord.friction] = 0.4;
                pairFloats[o + PairRecord.distance] = 0.08;
            }
            kernels.resolvePairs(crowd);
            return { places, velocities };
        }, 1e-5);
    });

    test("what rests at its distance, but for rounding, stays a number", () => {
        const kernels = wasmKernels;
        const { crowd } = crowdOf(kernels, [2]);
        const random = seededRandom(7);
        const { activePositions: places, velocities, pairs, pairFloats, progress } = crowd;
        progress[SelfCollisionCounter.pairCount] = 1;
        for (let turn = 0; turn < 5000; turn++) {
            velocities.fill(0);
            places.fill(0);
            for (let c = 0; c < 3; c++) places[c] = random() - 0.5;
            places[3] = places[ROW + 3] = 1;
            pairs[PairRecord.a] = 0;
            pairs[PairRecord.b] = 4 * ROW;
            pairFloats.fill(0, PairRecord.normal, PairRecord.normal + 3);
            pairFloats[PairRecord.friction] = 0.5;
            // What touches, and is apart by about one step of a float.
            pairFloats[PairRecord.distance] = Math.hypot(places[0], places[1], places[2]) * (1 + (turn % 3) * 6e-8);
            kernels.resolvePairs(crowd);
            expect(places.every(Number.isFinite)).toBe(true);
        }
    });

    test("a disc lifts what lies within it by a share of what it is too near, and less at its rim", () => {
        const kernels = wasmKernels;
        const { crowd } = crowdOf(kernels, [2]);
        const { activePositions: places, velocities, pairs, pairFloats, progress } = crowd;
        progress[SelfCollisionCounter.pairCount] = 1;
        crowd.numbers.fill(0, SelfCollisionParameter.gravity, SelfCollisionParameter.gravity + 3);
        /** How far a pair that is so far apart across the normal is pushed apart along it [m], where it closes by so much in a substep. */
        const pushed = (height: number, across: number, closing: number): number => {
            places.set([across, height, 0, 1, 0, 0, 0, 1]);
            velocities.set([0, -closing, 0, 0, 0, 0, 0, 0]);
            pairs.set([0, 4 * ROW]);
            pairFloats.set([THICKNESS, 0.5, 0, 1, 0, RADIUS ** 2], PairRecord.distance);
            kernels.resolvePairs(crowd);
            return places[1] - places[ROW + 1] - height;
        };
        const rim = 0.99 * RADIUS;
        for (const near of [0.001, 0.02]) {
            expect(pushed(THICKNESS - near, 0.5 * RADIUS, 0)).toBeCloseTo(near / 5, 6);
            expect(pushed(THICKNESS - near, rim, 0)).toBeLessThan(near / 100);
            expect(pushed(THICKNESS - near, 1.01 * RADIUS, 0)).toBeCloseTo(0, 7);
            // What closes is stopped all over the disc.
            expect(pushed(THICKNESS - near, rim, near / 2)).toBeGreaterThan(near / 2.001);
        }
    });
});
