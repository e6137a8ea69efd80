/**
 * Bending of a chain that is straight at rest, all particles at once: an implicit step of the energy ½ Σ B_i |κ_i|², B the bending stiffness
 * times the length that particle i stands for, and
 *
 *     a ●━━━● b ━━━● c      κ_b = (a - b) / (l la) + (c - b) / (l lc),   l = (la + lc) / 2
 *
 * (Bergou et al. 2008, "Discrete elastic rods", for small turns from link to link). κ is linear in the places, so a step is one band matrix:
 * (M/dt² + K) Δx = -K x, factored as L D Lᵀ once; what is pinned has a row of its own. Any stiffness is stable, and is what it says.
 */
import type { ChainBendArrays } from "../chainLayout";
import { ROW } from "../layout";
import type { ParticleArrays } from "../layout";

export function bendChain({ positions: x }: ParticleArrays, bend: ChainBendArrays): void {
    const { particleCount, first, second, moments, below, farBelow, inverses, areFree, rows } = bend;
    const end = particleCount * ROW;
    for (let c = 0; c < 3; c++) {
        // Moments; row i + 2 of the scratch is that of particle i.
        for (let i = 1, o = ROW + c; i < particleCount - 1; i++, o += ROW) {
            const curvature = (x[o - ROW] - x[o]) * first[i] + (x[o + ROW] - x[o]) * second[i];
            rows[o + 2 * ROW] = curvature * moments[i];
        }
        // Forces -Kᵢ x, and down L.
        let near = 0;
        let far = 0;
        let before = 0;
        for (let i = 0, o = c; o < end; i++, o += ROW) {
            const moment = rows[o + 2 * ROW];
            const next = rows[o + 3 * ROW];
            const push = moment * (first[i] + second[i]) - next * first[i + 1] - before * (i > 0 ? second[i - 1] : 0);
            before = moment;
            const move = push * areFree[i] - below[i] * near - farBelow[i] * far;
            rows[o + 2 * ROW] = move * inverses[i];
            far = near;
            near = move;
        }
        // Up Lᵀ.
        near = far = 0;
        for (let i = particleCount - 1, o = end - ROW + c; i >= 0; i--, o -= ROW) {
            const move = rows[o + 2 * ROW] - below[i + 1] * near - farBelow[i + 2] * far;
            x[o] += move;
            far = near;
            near = move;
            rows[o + 2 * ROW] = 0;
        }
    }
}
