import { describe, expect, test } from "@jest/globals";
import { Geodesics } from "../../../src/engine/topology/geodesics";
import { findNearestGroups } from "../../../src/engine/solvers/xpbd/tethers";
import type { TetherAnchors } from "../../../src/engine/solvers/xpbd/tethers";
import { disc, grid, irregular, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { seededRandom } from "../../random";

interface Entry {
    distance: number;
    source: number;
}

function marched(mesh: Geodesics, pins: Iterable<number>, slots: number): TetherAnchors {
    return findNearestGroups(mesh, mesh.connectedGroups(Uint32Array.from(pins)), slots);
}

/** A particle's list, nearest first. */
function listOf({ slots, counts, distances, sources }: TetherAnchors, p: number): Entry[] {
    return Array.from({ length: counts[p] }, (_, k) => ({
        distance: distances[p * slots + k],
        source: sources[p * slots + k],
    })).sort((a, b) => a.distance - b.distance || a.source - b.source);
}

/** The lists of several searches for one group each. */
function listsOfSingles(mesh: Geodesics, pins: readonly number[]): Entry[][] {
    const labels = mesh.connectedGroups(Uint32Array.from(pins));
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

function listsOf(nearest: TetherAnchors): Entry[][] {
    return Array.from(nearest.counts, (_, p) => listOf(nearest, p));
}

function meshOf({ positions, triangles }: Sheet): Geodesics {
    return new Geodesics(positions, triangles);
}

function scatter(count: number, particleCount: number, random: () => number): number[] {
    return [...new Set(Array.from({ length: count }, () => Math.floor(random() * particleCount)))];
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
});

test("members are one group only where edges join them, also around particle 0", () => {
    const mesh = meshOf(grid(10, 3, lying(10, 3)));
    // 1 and 11 are both next to 0, but not to each other.
    for (const members of [
        [1, 11],
        [11, 1],
        [1, 11, 30, 31],
    ]) {
        const labels = mesh.connectedGroups(Uint32Array.from(members));
        expect([labels[0], labels[1], labels[11]]).toEqual([-1, 1, 11]);
        if (members.length > 2) expect([labels[30], labels[31]]).toEqual([30, 30]);
        expect(labels.filter((label) => label >= 0).length).toBe(members.length);
    }
});
