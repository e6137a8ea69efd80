/** The kernels that keep triangles of cloth off each other: touches, guards and crossings. */
import { describe, expect, test } from "@jest/globals";
import {
    SelfCollisionLayout,
    SelfCollisionParameter,
    SelfCollisionCounter,
    ProxyLayout,
    ProxyParameter,
    ProxyRecord,
} from "../../../src/kernels/selfCollisionLayout";
import { NONE } from "../../../src/kernels/structSchema";
import type { Kernels } from "../../../src/engine/index";
import { ROW, rowAt, TriangleLayout } from "../../../src/kernels/layout";
import {
    IntersectionRecord,
    SelfContactRecord,
    SelfContactLayout,
    SelfContactParameter,
    SelfContactCounter,
    BvhLayout,
    BvhTriangle,
} from "../../../src/kernels/selfContactLayout";
import { countCrossings } from "../../physics/crossings";
import { seededRandom } from "../../random";
import { wasmKernels } from "./agreement";
import { allocateStruct, randomParticles } from "./arrays";

const REACH = 0.05;
const DISTANCE = 0.03;

/** Two webs of so many loose triangles each, in one another. */
function websOf({ arena }: Kernels, count: number, capacity: number, crossingCapacity = capacity) {
    const random = seededRandom(count);
    const particleCount = 6 * count;
    const crowd = allocateStruct(arena, SelfCollisionLayout, {
        particleCount,
        proxyCount: 2,
        paddedCount: particleCount + 4,
        cellCount: 4,
        cellEndCount: 5,
        restPairCount: 0,
        capacity: 1,
    });
    const bodies = [0, 1].map((b) => {
        const particles = randomParticles(arena, 3 * count, b + count);
        for (let i = 0; i < particles.particleCount; i++) {
            const corner = i - (i % 3);
            for (let c = 0; c < 3; c++) {
                const o = i * ROW + c;
                particles.positions[o] = particles.previous[o] =
                    i === corner ? random() * 0.6 : particles.positions[corner * ROW + c] + (random() - 0.5) * 0.2;
            }
        }
        return particles;
    });
    const leafCount = 2 ** Math.ceil(Math.log2(count));
    const members = bodies.map((_, index) => {
        const surface = allocateStruct(arena, TriangleLayout, { triangleCount: count });
        surface.triangles.forEach((__, k) => (surface.triangles[k] = k));
        const member = allocateStruct(arena, ProxyLayout, {
            particleCount: 3 * count,
            index,
            first: 3 * count * index,
            shared: crowd,
            surface,
        });
        member.numbers.set([1, 1, 1, 1], ProxyParameter.timeRatio);
        crowd.proxyFloats[index * ProxyRecord.count + ProxyRecord.usesTriangles] = 1;
        for (let i = 0; i < 3 * count; i++) crowd.rest.set([i, 2 * i, index], (member.first + i) * ROW);
        return member;
    });
    const webs = members.map((member) => {
        const web = allocateStruct(arena, BvhLayout, {
            triangleCount: count,
            leafCount,
            boxCount: 2 * leafCount - 1,
            hasLayers: 0,
            proxy: member,
        });
        for (let t = 0; t < count; t++)
            web.triangles.set([3 * t, 3 * t + 1, 3 * t + 2, 63, NONE, NONE, NONE], t * BvhTriangle.count);
        return web;
    });
    const touches = allocateStruct(arena, SelfContactLayout, {
        capacity,
        particleCount,
        intersectionCapacity: crossingCapacity,
        shared: crowd,
    });
    touches.numbers.set([REACH, DISTANCE, 0.4, 0.01], SelfContactParameter.searchDistance);
    touches.progress[SelfContactCounter.maxBoxPairs] = 1e6;
    return { crowd, members, bodies, webs, touches };
}

function list(kernels: Kernels, { crowd, members, bodies, webs, touches }: ReturnType<typeof websOf>): void {
    crowd.slots.fill(NONE);
    members.forEach((member, m) => kernels.snapshotPositions(bodies[m], member));
    kernels.clearSelfContacts(touches);
    crowd.numbers.fill(0, SelfCollisionParameter.minDisplacement, SelfCollisionParameter.gravity);
    webs.forEach((web, m) => kernels.refitBvh(bodies[m], web));
    kernels.detectSelfContacts(touches, webs[0], webs[0]);
    kernels.detectSelfContacts(touches, webs[0], webs[1]);
    kernels.detectSelfContacts(touches, webs[1], webs[1]);
    kernels.dropTangledContacts(touches);
    kernels.compactActiveParticles(crowd);
    kernels.compactSelfContacts(touches);
}

describe("touches", () => {
    test("what is chained by its particles is parted as what is read", () => {
        const places = [0, 3].map((readCount) => {
            const scene = websOf(wasmKernels, 9, 100_000);
            const { touches, crowd } = scene;
            list(wasmKernels, scene);
            for (const [m, member] of scene.members.entries()) wasmKernels.gatherActive(scene.bodies[m], member);
            for (const member of scene.members) wasmKernels.recordStartPositions(touches, member);
            touches.progress[SelfContactCounter.scanCount] = readCount;
            // One goes through what is below it.
            const row = rowAt(touches.records[0]);
            for (let c = 0; c < 3; c++) crowd.activePositions[row + c] -= 0.2 * touches.recordFloats[SelfContactRecord.normal + c];
            wasmKernels.enforceSeparation(touches);
            expect(touches.progress[SelfContactCounter.violationCount]).toBeGreaterThan(0);
            return crowd.activePositions.slice();
        });
        expect(places[1]).toEqual(places[0]);
    });

    test("of what is chained, only what is at the particles that have come far is looked at", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 9, 100_000);
            const { touches, crowd, members } = scene;
            const { progress } = touches;
            list(kernels, scene);
            for (const [m, member] of members.entries()) kernels.gatherActive(scene.bodies[m], member);
            for (const member of members) kernels.recordStartPositions(touches, member);
            // It counts for far: nothing has moved.
            touches.bounds[crowd.activeParticles[0]] = 0;
            crowd.activePositions[0] += 1e-6;
            const unread = 12_345;
            const isRead = (): boolean => {
                progress[SelfContactCounter.narrowCount] = unread;
                kernels.enforceSeparation(touches);
                expect(progress[SelfContactCounter.unresolvedCount]).toBe(0);
                return progress[SelfContactCounter.narrowCount] !== unread;
            };
            expect(Array.from({ length: 6 }, isRead)).toEqual([true, true, true, false, false, false]);
            // New lists are chained by themselves.
            kernels.compactSelfContacts(touches);
            expect(progress[SelfContactCounter.scanCount]).toBe(0);
        }
    });

    test("finds all that passes through each other", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 40, 100_000);
            list(kernels, scene);
            const triangles = Uint32Array.from({ length: scene.crowd.particleCount }, (_, i) => i);
            const expected = countCrossings(scene.crowd.snapshot, ROW, triangles);
            expect(expected).toBeGreaterThan(10);
            expect(scene.touches.progress[SelfContactCounter.intersectionCount]).toBe(expected);
            expect(scene.crowd.progress[SelfCollisionCounter.pairCount]).toBe(0);
        }
    });

    test("what is squeezed into a point, to the last bits, is pulled nowhere that is no number", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 2, 1000);
            const { touches, bodies } = scene;
            const { progress, intersectionFloats: crossingFloats } = touches;
            const random = seededRandom(7);
            let crossings = 0;
            for (let draw = 0; draw < 4000; draw++) {
                for (const { positions, previous } of bodies)
                    positions.forEach((_, k) => {
                        const [at, bit] = [
                            [0.664, 2 ** -24],
                            [-3.728, 2 ** -22],
                            [6.475, 2 ** -21],
                            [0, 0],
                        ][k % 4];
                        positions[k] = previous[k] = at + Math.round(4 * random() - 2) * bit;
                    });
                list(kernels, scene);
                crossings += progress[SelfContactCounter.intersectionCount];
                const end = progress[SelfContactCounter.intersectionCount] * IntersectionRecord.count;
                expect(
                    crossingFloats.subarray(0, end).every((x, k) => k % IntersectionRecord.count < 5 || Number.isFinite(x)),
                ).toBe(true);
            }
            expect(crossings).toBeGreaterThan(1000);
        }
    });
});
