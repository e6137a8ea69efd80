/**
 * A net of elements that are each linear in the positions, solved all at once (projective dynamics: Liu et al. 2013, "Fast simulation of mass-spring
 * systems"; Bouaziz et al. 2014). Element e sums up to four particles and keeps the length of that sum:
 *
 *     d = Σ c_k x_k,   energy ½ k (|d| - L)²          stick  a ●━━━━━● b   c = (-1, 1),            L its length
 *                                                     bending  a ●━━●━━● c   c of the stencil (κ),  L its curvature at rest
 *
 * From where inertia has taken the particles, the step to the minimum of inertia and energy, each element's direction held, is
 * (M/dt² + K) Δx = Σ -k c (1 - L/|d|) d, K = Σ k c cᵀ. That matrix is the same for x, y and z, and changes with masses, pins and the substep only: it is
 * factored as L D Lᵀ once, in an order that keeps its rows short. Any stiffness is stable; directions that turn within a substep make it softer.
 *
 * Each such step lowers the sum of both energies. They begin where inertia has led, which turns as the body does. From where it has jerked stiff sticks, they
 * may end with more than the sum was where the substep began, and gave thin shells energy from nothing: then they begin there.
 */
import { ROW } from "../layout";
import type { ParticleArrays } from "../layout";
import { NetElement } from "../netLayout";
import type { NetArrays } from "../netLayout";

/** Steps of a pass, each from where the last one has led. */
const ROUNDS = 3;

export function solveNet(particles: ParticleArrays, net: NetArrays): void {
    const { particleCount, order, starts, places } = net;
    const x = particles.positions;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) for (let c = 0; c < 3; c++) starts[o + c] = x[order[i] * ROW + c];
    takePlaces(net, particles.previous);
    const before = energyOf(net);
    takePlaces(net, x);
    goRounds(net);
    if (energyOf(net) > before) {
        takePlaces(net, particles.previous);
        goRounds(net);
    }
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) for (let c = 0; c < 3; c++) x[order[i] * ROW + c] = places[o + c];
}

function goRounds(net: NetArrays): void {
    const { particleCount, inertias, starts, places, moves } = net;
    for (let round = 0; round < ROUNDS; round++) {
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW)
            for (let c = 0; c < 3; c++) moves[o + c] = inertias[i] * (starts[o + c] - places[o + c]);
        pullElements(net);
        goDown(net);
        goUp(net);
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) for (let c = 0; c < 3; c++) places[o + c] += moves[o + c];
    }
}

/** Takes places of particles, in the order of the matrix; what is held is where its pins have taken it: at its start. */
function takePlaces({ particleCount, order, areFree, starts, places }: NetArrays, from: Float32Array): void {
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW)
        for (let c = 0; c < 3; c++) places[o + c] = areFree[i] > 0 ? from[order[i] * ROW + c] : starts[o + c];
}

/** What is minimised: inertia's, and that of the elements [J]. */
function energyOf(net: NetArrays): number {
    const { particleCount, inertias, starts, places, elementCount, elementFloats: f } = net;
    let energy = 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW)
        for (let c = 0; c < 3; c++) energy += 0.5 * inertias[i] * (starts[o + c] - places[o + c]) ** 2;
    for (let e = 0, o = 0; e < elementCount; e++, o += NetElement.count)
        energy += 0.5 * f[o + NetElement.stiffness] * (sumUp(net, o) - f[o + NetElement.rest]) ** 2;
    return energy;
}

const sum = new Float32Array(3);

/** Sums up an element's particles. @returns the length */
function sumUp({ elements, elementFloats: f, places }: NetArrays, o: number): number {
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        sum[c] = 0;
        for (let k = 0; k < 4; k++) sum[c] += f[o + NetElement.weights + k] * places[elements[o + k] * ROW + c];
        squared += sum[c] * sum[c];
    }
    return Math.sqrt(squared);
}

/** Adds what the elements pull by. */
function pullElements(net: NetArrays): void {
    const { elementCount, elements, elementFloats: f, moves } = net;
    for (let e = 0, o = 0; e < elementCount; e++, o += NetElement.count) {
        const length = sumUp(net, o);
        const strain = length > 0 ? f[o + NetElement.rest] / length - 1 : 0;
        const pull = f[o + NetElement.stiffness] * strain;
        for (let k = 0; k < 4; k++)
            for (let c = 0; c < 3; c++) moves[elements[o + k] * ROW + c] += f[o + NetElement.weights + k] * pull * sum[c];
    }
}

/** L y = what pulls, and D⁻¹ y. */
function goDown({ particleCount, firsts, entries, inverses, areFree, moves }: NetArrays): void {
    for (let i = 0, o = 0, entry = 0; i < particleCount; i++, o += ROW) {
        const first = entry;
        for (let c = 0; c < 3; c++) {
            let y = moves[o + c] * areFree[i];
            entry = first;
            for (let j = firsts[i]; j < i; j++) y -= entries[entry++] * moves[j * ROW + c];
            moves[o + c] = y;
        }
    }
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) for (let c = 0; c < 3; c++) moves[o + c] *= inverses[i];
}

/** Lᵀ x = y. */
function goUp({ particleCount, entryCount, firsts, entries, moves }: NetArrays): void {
    let entry = entryCount;
    for (let i = particleCount - 1; i >= 0; i--) {
        entry -= i - firsts[i];
        for (let j = firsts[i], e = entry; j < i; j++, e++)
            for (let c = 0; c < 3; c++) moves[j * ROW + c] -= entries[e] * moves[i * ROW + c];
    }
}
