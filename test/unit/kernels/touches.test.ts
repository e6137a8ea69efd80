/** The kernels that keep triangles of cloth off each other: touches, guards and crossings. */
import { describe, expect, test } from "@jest/globals";
import {
    CrowdLayout,
    CrowdNumber,
    CrowdProgress,
    MemberLayout,
    MemberNumber,
    MemberRecord,
} from "../../../src/kernels/crowdLayout";
import { NONE } from "../../../src/kernels/fields";
import type { Kernels } from "../../../src/kernels/kernels";
import { ROW, rowAt, TriangleLayout } from "../../../src/kernels/layout";
import { Crossing, Touch, TouchLayout, TouchNumber, TouchProgress, WebLayout, WebTriangle } from "../../../src/kernels/touchLayout";
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
    const crowd = allocateStruct(arena, CrowdLayout, {
        particleCount,
        memberCount: 2,
        roomCount: particleCount + 4,
        cellCount: 4,
        cellEndCount: 5,
        strangerCount: 0,
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
        const member = allocateStruct(arena, MemberLayout, {
            particleCount: 3 * count,
            index,
            first: 3 * count * index,
            crowd,
            surface,
        });
        member.numbers.set([1, 1, 1, 1], MemberNumber.pace);
        crowd.memberFloats[index * MemberRecord.count + MemberRecord.hasTouches] = 1;
        for (let i = 0; i < 3 * count; i++) crowd.rest.set([i, 2 * i, index], (member.first + i) * ROW);
        return member;
    });
    const webs = members.map((member) => {
        const web = allocateStruct(arena, WebLayout, {
            triangleCount: count,
            leafCount,
            boxCount: 2 * leafCount - 1,
            hasLayers: 0,
            member,
        });
        for (let t = 0; t < count; t++)
            web.triangles.set([3 * t, 3 * t + 1, 3 * t + 2, 63, NONE, NONE, NONE], t * WebTriangle.count);
        return web;
    });
    const touches = allocateStruct(arena, TouchLayout, {
        capacity,
        particleCount,
        crossingCapacity,
        crowd,
    });
    touches.numbers.set([REACH, DISTANCE, 0.4, 0.01], TouchNumber.reach);
    touches.progress[TouchProgress.mostBoxes] = 1e6;
    return { crowd, members, bodies, webs, touches };
}

function list(kernels: Kernels, { crowd, members, bodies, webs, touches }: ReturnType<typeof websOf>): void {
    crowd.slots.fill(NONE);
    members.forEach((member, m) => kernels.notePoints(bodies[m], member));
    kernels.beginTouches(touches);
    crowd.numbers.fill(0, CrowdNumber.leastDisplacement, CrowdNumber.gravity);
    webs.forEach((web, m) => kernels.refitWeb(bodies[m], web));
    kernels.findTouches(touches, webs[0], webs[0]);
    kernels.findTouches(touches, webs[0], webs[1]);
    kernels.findTouches(touches, webs[1], webs[1]);
    kernels.dropTangled(touches);
    kernels.layPlaces(crowd);
    kernels.layTouches(touches);
}

describe("touches", () => {
    test("what is chained by its particles is parted as what is read", () => {
        const places = [0, 3].map((readCount) => {
            const scene = websOf(wasmKernels, 9, 100_000);
            const { touches, crowd } = scene;
            list(wasmKernels, scene);
            for (const [m, member] of scene.members.entries()) wasmKernels.takePlaces(scene.bodies[m], member);
            for (const member of scene.members) wasmKernels.noteStarts(touches, member);
            touches.progress[TouchProgress.readCount] = readCount;
            // One goes through what is below it.
            const row = rowAt(touches.touches[0]);
            for (let c = 0; c < 3; c++) crowd.places[row + c] -= 0.2 * touches.touchFloats[Touch.normal + c];
            wasmKernels.guardTouches(touches);
            expect(touches.progress[TouchProgress.heldCount]).toBeGreaterThan(0);
            return crowd.places.slice();
        });
        expect(places[1]).toEqual(places[0]);
    });

    test("of what is chained, only what is at the particles that have come far is looked at", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 9, 100_000);
            const { touches, crowd, members } = scene;
            const { progress } = touches;
            list(kernels, scene);
            for (const [m, member] of members.entries()) kernels.takePlaces(scene.bodies[m], member);
            for (const member of members) kernels.noteStarts(touches, member);
            // It counts for far: nothing has moved.
            touches.bounds[crowd.placed[0]] = 0;
            crowd.places[0] += 1e-6;
            const unread = 12_345;
            const isRead = (): boolean => {
                progress[TouchProgress.tightCount] = unread;
                kernels.guardTouches(touches);
                expect(progress[TouchProgress.openCount]).toBe(0);
                return progress[TouchProgress.tightCount] !== unread;
            };
            expect(Array.from({ length: 6 }, isRead)).toEqual([true, true, true, false, false, false]);
            // New lists are chained by themselves.
            kernels.layTouches(touches);
            expect(progress[TouchProgress.readCount]).toBe(0);
        }
    });

    test("finds all that passes through each other", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 40, 100_000);
            list(kernels, scene);
            const triangles = Uint32Array.from({ length: scene.crowd.particleCount }, (_, i) => i);
            const expected = countCrossings(scene.crowd.points, ROW, triangles);
            expect(expected).toBeGreaterThan(10);
            expect(scene.touches.progress[TouchProgress.crossingCount]).toBe(expected);
            expect(scene.crowd.progress[CrowdProgress.pairCount]).toBe(0);
        }
    });

    test("what is squeezed into a point, to the last bits, is pulled nowhere that is no number", () => {
        for (const kernels of [wasmKernels]) {
            const scene = websOf(kernels, 2, 1000);
            const { touches, bodies } = scene;
            const { progress, crossingFloats } = touches;
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
                crossings += progress[TouchProgress.crossingCount];
                const end = progress[TouchProgress.crossingCount] * Crossing.count;
                expect(crossingFloats.subarray(0, end).every((x, k) => k % Crossing.count < 5 || Number.isFinite(x))).toBe(true);
            }
            expect(crossings).toBeGreaterThan(1000);
        }
    });
});
