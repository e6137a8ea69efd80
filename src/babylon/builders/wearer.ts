import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { worldMatrixOf } from "../support/carriers";

/** Placement of a cape: world position of its origin [m], and rotation about the world's y axis [rad]. */
export interface Placement {
    readonly at: readonly number[];
    readonly turn: number;
}

/** Triangles of a wearer as boxes in a cape's local space, in the pose of the moment: x and y from to, and how far back they reach. */
export interface WearerBox {
    readonly low: readonly [x: number, y: number];
    readonly high: readonly [x: number, y: number];
    readonly depth: number;
}

/** @param back 1 or -1: which way along the cape's z axis is behind the wearer */
export function wearerBoxes(meshes: readonly AbstractMesh[], { at, turn }: Placement, back: number): WearerBox[] {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    return meshes.flatMap((mesh) => {
        mesh.skeleton?.prepare(true);
        const local = mesh.getPositionData(true, true);
        const world = worldMatrixOf(mesh);
        const indices = mesh.getIndices() ?? [];
        if (!local) return [];
        const corner = (vertex: number): number[] => {
            const p = [0, 1, 2].map(
                (c) => world[12 + c] + [0, 1, 2].reduce((sum, k) => sum + local[3 * vertex + k] * world[4 * k + c], 0) - at[c],
            );
            return [p[0] * cos - p[2] * sin, p[1], back * (p[0] * sin + p[2] * cos)];
        };
        return Array.from({ length: Math.floor(indices.length / 3) }, (_, i): WearerBox => {
            const corners = [0, 1, 2].map((k) => corner(indices[3 * i + k]));
            const [xs, ys, depths] = [0, 1, 2].map((c) => corners.map((p) => p[c]));
            return {
                low: [Math.min(...xs), Math.min(...ys)],
                high: [Math.max(...xs), Math.max(...ys)],
                depth: Math.max(...depths),
            };
        });
    });
}

/**
 * Initial depth of a sheet's vertices behind the wearer: each row is the convex hull of the boxes at its height, and no row is in front of the row above.
 * @param boxes of the wearer
 * @param rows x, y and depth of the vertices, from the top; those of a row are level, from left to right
 * @param gap between sheet and wearer [m]
 * @returns depths by row
 */
export function depthsBehind(boxes: readonly WearerBox[], rows: readonly (readonly number[][])[], gap: number): number[][] {
    let above: readonly number[] = [];
    return rows.map((row) => {
        const level = row[0][1];
        const near = boxes.filter(({ low, high }) => level > low[1] - gap && level < high[1] + gap);
        const needed = row.map(([x, , depth]) =>
            near.reduce(
                (most, box) => (x > box.low[0] - gap && x < box.high[0] + gap ? Math.max(most, box.depth + gap) : most),
                depth,
            ),
        );
        const taut = upperHull(row.map(([x], i) => [x, needed[i]]));
        above = taut.map((depth, i) => Math.max(depth, above[i] ?? depth));
        return above as number[];
    });
}

/** The upper convex hull of points from left to right, at the places of the points. */
function upperHull(points: readonly (readonly number[])[]): number[] {
    const hull: (readonly number[])[] = [];
    for (const point of points) {
        while (hull.length > 1 && isBelow(hull[hull.length - 1], hull[hull.length - 2], point)) hull.pop();
        hull.push(point);
    }
    let edge = 0;
    return points.map(([x]) => {
        while (edge < hull.length - 2 && hull[edge + 1][0] < x) edge++;
        const [[x0, y0], [x1, y1]] = [hull[edge], hull[edge + 1]];
        return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
    });
}

/** True if a point is on or below the line from a point to its left to one to its right. */
function isBelow([x, y]: readonly number[], [x0, y0]: readonly number[], [x1, y1]: readonly number[]): boolean {
    return (y - y0) * (x1 - x0) <= (y1 - y0) * (x - x0);
}
