import { PERTURBATION } from "../tunables";
import { ROW } from "../../kernels/layout";
import type { Body } from "./body";
import type { Collider } from "../collision/shapes/collider";

/*
 * What is flat to the last bit cannot buckle: pressed in its own plane it stays there, crushed, and swings to and fro for ever. No cloth is so
 * flat. What moves a place by less than its rounding is lost: so by a share of the largest coordinate there is.
 */

/**
 * Ahead of a body's first step moves every particle by a hair, the same in every run; they keep their velocities. Not where it may lie in the
 * surface of a mesh, whose sides are told by where particles were: half of them would begin behind it. Other methods bend exactly.
 */
export function perturbFlat({ state, clock, solver: method, colliders }: Body): void {
    if (clock.time > 0 || clock.steps === 0 || method || colliders.some(isMesh)) return;
    const { positions: x, previous, residuals, particleCount } = state;
    let largest = 0;
    for (let o = 0; o < x.length; o++) largest = Math.max(largest, Math.abs(x[o]));
    for (let i = 0; i < particleCount; i++) {
        for (let o = ROW * i; o < ROW * i + 3; o++) {
            const displacement = x[o] - previous[o] + residuals[o];
            x[o] += PERTURBATION * largest * hashNoise(o);
            state.setDisplacement(o, displacement);
        }
    }
}

function isMesh(collider: Collider): boolean {
    return collider.segmentShape === "mesh";
}

/** A number from -1 to 1 that looks as if it were random. */
function hashNoise(seed: number): number {
    let h = Math.imul(seed, 0x9e3779b1);
    h = Math.imul(h ^ (h >>> 15), 0x85ebca77);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae3d);
    return ((h ^ (h >>> 16)) >>> 0) / 2 ** 31 - 1;
}
