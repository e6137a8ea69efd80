import { describe, expect, test } from "@jest/globals";
import { Geodesics } from "../../../src/solver/rest/geodesics";
import { NearestGroups } from "../../../src/solver/rest/nearestGroups";
import { disc, grid, irregular, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { seededRandom } from "../../random";

interface Entry {
    distance: number;
    source: number;
}

function marched(mesh: Geodesics, pins: Iterable<number>, slots: number): NearestGroups {
    const nearest = new NearestGroups(slots);
    nearest.update(mesh, mesh.groups(Uint32Array.from(pins)));
    return nearest;
}

/** A particle's list, nearest first. */
function listOf({ slots, counts, distances, sources }: NearestGroups, p: number): Entry[] {
    return Array.from({ length: counts[p] }, (_, k) => ({
        distance: distances[p * slots + k],
        source: sources[p * slots + k],
    })).sort((a, b) => a.distance - b.distance || a.source - b.source);
}

/** The lists of several searches for one group each. */
function listsOfSingles(mesh: Geodesics, pins: readonly number[]): Entry[][] {
    const labels = mesh.groups(Uint32Array.from(pins));
    const singles = [...new Set(labels)]
        .filter((label) => label >= 0)
        .map((label) =>
            marched(
                mesh,
                pins.filter((p) => labels[p] === label),
                1,
            ),
        );
    return Array.from(labels, (_, p) =>
        singles.flatMap((single) => listOf(single, p)).sort((a, b) => a.distance - b.distance || a.source - b.source),
    );
}

/** The first particle whose lists differ; -1: none. */
function firstDifference(a: readonly Entry[][], b: readonly Entry[][]): number {
    return a.findIndex(
        (list, p) =>
            list.length !== b[p].length ||
            list.some(({ distance, source }, k) => distance !== b[p][k].distance || source !== b[p][k].source),
    );
}

function listsOf(nearest: NearestGroups): Entry[][] {
    return Array.from(nearest.counts, (_, p) => listOf(nearest, p));
}

function meshOf({ positions, triangles }: Sheet): Geodesics {
    return new Geodesics(positions, triangles);
}

function scatter(count: number, particleCount: number, random: () => number): number[] {
    return [...new Set(Array.from({ length: count }, () => Math.floor(random() * particleCount)))];
}

/** Meshes of all kinds; some with holes and pieces that hang by a corner or not at all. */
function anySheet(random: () => number): Sheet {
    const kinds: (() => Sheet)[] = [
        () => grid(12, 17, lying(2)),
        () => grid(14, 12, lying(2, 1), "alternating"),
        () => disc(16, 8, lying(2)),
        () => sphere(2),
        () => irregular(14, 14, lying(2), random, 0.45),
        () => irregular(14, 14, (u, v) => [u, 0.3 * Math.sin(5 * u) * Math.cos(4 * v), v], random),
    ];
    const sheet = kinds[Math.floor(random() * kinds.length)]();
    if (random() < 0.7) return sheet;
    const kept: number[] = [];
    for (let t = 0; t < sheet.triangles.length; t += 3) if (random() < 0.85) kept.push(...sheet.triangles.subarray(t, t + 3));
    return { positions: sheet.positions, triangles: Uint32Array.from(kept) };
}

describe("nearest groups", () => {
    const sheets: Record<string, Sheet> = {
        grid: grid(24, 24, lying(2)),
        irregular: irregular(24, 24, lying(2), seededRandom(2), 0.4),
        disc: disc(32, 12, lying(2)),
        sphere: sphere(3),
    };

    test.each(Object.keys(sheets))("up to four groups are found as by a search for each (%s)", (name) => {
        const mesh = meshOf(sheets[name]);
        for (const count of [1, 2, 3, 4]) {
            const pins = scatter(count, mesh.particleCount, seededRandom(count));
            const nearest = marched(mesh, pins, 4);
            expect(firstDifference(listsOf(nearest), listsOfSingles(mesh, pins))).toBe(-1);
        }
    });

    test.each(Object.keys(sheets))(
        "of many, the four nearest, a few at the borders of a group's reach by a longer way (%s)",
        (name) => {
            const mesh = meshOf(sheets[name]);
            for (const count of [8, 30, 120]) {
                const pins = scatter(count, mesh.particleCount, seededRandom(count));
                const nearest = marched(mesh, pins, 4);
                const singles = listsOfSingles(mesh, pins);
                const lists = listsOf(nearest);
                expect(lists.every((list, p) => list.length === Math.min(4, singles[p].length))).toBe(true);
                // Beside the source itself, at distance 0.
                const shares = lists
                    .flatMap((list, p) => list.map(({ distance }, k) => distance / singles[p][k].distance))
                    .filter(Number.isFinite);
                expect(Math.min(...shares)).toBeGreaterThan(0.99);
                expect(Math.max(...shares)).toBeLessThan(1.15);
                expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeLessThan(1.002);
            }
        },
    );

    test("after any changes of the groups the lists are those of a search from scratch, to the bit", () => {
        for (let seed = 1; seed <= 60; seed++) {
            const random = seededRandom(seed);
            const pick = (count: number): number => Math.floor(random() * count);
            const mesh = meshOf(anySheet(random));
            const pins = new Set(scatter(pick(random() < 0.5 ? 8 : 60), mesh.particleCount, random));
            const nearest = marched(mesh, pins, 4);
            for (let change = 0; change < 5; change++) {
                for (let i = pick(4); i >= 0; i--) {
                    const [one = 0] = [...pins].slice(pick(pins.size));
                    const choice = random();
                    if (choice < 0.4) pins.delete(one);
                    else if (choice < 0.6) pins.add(mesh.others[2 * mesh.starts[one]] ?? 0);
                    else pins.add(pick(mesh.particleCount));
                }
                nearest.update(mesh, mesh.groups(Uint32Array.from(pins)));
                expect(firstDifference(listsOf(nearest), listsOf(marched(mesh, pins, 4)))).toBe(-1);
            }
        }
    });

    test("a thousand groups cost as much as four, one more a small part of one; one of a few costs one to add, nothing to take away", () => {
        const sheet = grid(99, 99, lying(2));
        const mesh = meshOf(sheet);
        const cost = (nearest: NearestGroups, pins: Iterable<number>): number => {
            const before = nearest.marched;
            nearest.update(mesh, mesh.groups(Uint32Array.from(pins)));
            return nearest.marched - before;
        };
        const one = cost(new NearestGroups(4), [0]);
        expect(one).toBe(mesh.particleCount);
        const few = marched(mesh, [0, 99], 4);
        expect(cost(few, [0, 99, 5050])).toBe(one);
        expect(cost(few, [0, 5050])).toBe(0);
        const pins = scatter(1000, mesh.particleCount, seededRandom(1));
        const nearest = new NearestGroups(4);
        expect(cost(nearest, pins)).toBeLessThan(4.5 * one);
        const more = [5050, 1234].filter((p) => !pins.includes(p));
        for (const p of more) {
            expect(cost(nearest, [...pins, p])).toBeLessThan(0.2 * one);
            expect(cost(nearest, pins)).toBeLessThan(0.2 * one);
        }
    });
});

test("members are one group only where edges join them, also around particle 0", () => {
    const mesh = meshOf(grid(10, 3, lying(10, 3)));
    // 1 and 11 are both next to 0, but not to each other.
    for (const members of [
        [1, 11],
        [11, 1],
        [1, 11, 30, 31],
    ]) {
        const labels = mesh.groups(Uint32Array.from(members));
        expect([labels[0], labels[1], labels[11]]).toEqual([-1, 1, 11]);
        if (members.length > 2) expect([labels[30], labels[31]]).toEqual([30, 30]);
        expect(labels.filter((label) => label >= 0).length).toBe(members.length);
    }
});
