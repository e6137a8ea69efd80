import { expect, test } from "@jest/globals";
import { findClusters, minHeight } from "../../../src/engine/meshmap/clusters";

test("where a triangle would vanish with an edge that is no other's, the place farthest from its particle is released", () => {
    // Two slivers from place 0 to place 3, over 1 and over 2; 2 is nearer. The edge from 0 to 3 is theirs alone.
    const positions = Float32Array.of(0, 0, 0, 0.02, 0, 0, -0.01, 0, 0, 0, -1, 0, 1, 0.2, 0, 0, 1, 0);
    for (const slivers of [
        [0, 1, 3, 0, 3, 2],
        [0, 3, 2, 0, 1, 3],
        [3, 2, 0, 3, 0, 1],
        [2, 0, 3, 1, 3, 0],
    ]) {
        const { clusterCount, clusterOfPlace, placeOfCluster } = findClusters(positions, Uint32Array.of(...slivers, 0, 4, 5))!;
        expect(clusterCount).toBe(5);
        expect([...clusterOfPlace]).toEqual([0, 1, 0, 2, 3, 4]);
        expect([...placeOfCluster]).toEqual([0, 1, 3, 4, 5]);
    }
});

test("the least height of a triangle is its doubled area over its longest edge", () => {
    const positions = Float32Array.of(0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 6, 0, 0);
    expect(minHeight(positions, 0, 1, 2)).toBeCloseTo(12 / 5, 6);
    expect(minHeight(positions, 2, 0, 1)).toBeCloseTo(12 / 5, 6);
    expect(minHeight(positions, 0, 1, 4)).toBe(0);
    expect(minHeight(positions, 0, 3, 0)).toBe(0);
});
