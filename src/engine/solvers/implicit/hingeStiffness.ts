import type { Fabric } from "../../materials/fabric";
import { finiteWarpWeft, finiteBending } from "../base/solverMaterial";
import type { SolverMaterial } from "../base/solverMaterial";

/**
 * Stiffness of a hinge a b c d against its angle [N·m], see hinges.ts. Across an edge the sheet bends along what is at a right angle to it.
 * @param inverseMasses 0 where pinned
 */
export function stiffnessAt(
    { topology: { positions }, warpWeft: threads, stiffnessAlong }: SolverMaterial,
    fabric: Fabric,
    [a, b, c, d]: Uint32Array,
    inverseMasses: Float32Array,
): number {
    const { warp, weft } = finiteWarpWeft(fabric.bendStiffness, finiteBending);
    const stiffness = warp === weft ? warp : stiffnessAlong(warp, weft, 1 - threads().alongWarp(a, b));
    const isHeld = (...corners: number[]): boolean => corners.every((p) => inverseMasses[p] === 0);
    const area = (isHeld(a, b, c) ? 0 : areaOf(positions, a, b, c)) + (isHeld(a, b, d) ? 0 : areaOf(positions, a, b, d));
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (positions[3 * b + k] - positions[3 * a + k]) ** 2;
    return area > 0 ? (stiffness * squared) / area : 0;
}

function areaOf(x: Float32Array, a: number, b: number, c: number): number {
    const side = (p: number, k: number): number => x[3 * p + k] - x[3 * a + k];
    const cross = (k: number, l: number): number => side(b, k) * side(c, l) - side(b, l) * side(c, k);
    return Math.hypot(cross(0, 1), cross(1, 2), cross(2, 0)) / 2;
}
