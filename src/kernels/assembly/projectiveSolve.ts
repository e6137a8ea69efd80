/**
 * A net of elements that are each linear in the positions, solved all at once (projective dynamics: Liu et al. 2013, "Fast simulation of mass-spring
 * systems"; Bouaziz et al. 2014). Element e sums up to four particles and keeps the length of that sum:
 *
 *     d = Σ c_k x_k,   energy ½ k (|d| - L)²          edge    a ●━━━━━● b   c = (-1, 1),            L its length
 *                                                     bending  a ●━━●━━● c   c of the stencil (κ),  L its curvature at rest
 *
 * From the inertial positions, the step to the minimum of inertia and energy, each element's direction held, is
 * (M/dt² + K) Δx = Σ -k c (1 - L/|d|) d, K = Σ k c cᵀ. That matrix is the same for x, y and z, and changes with masses, pins and the substep only: it is
 * factored as L D Lᵀ once, in an order that keeps its rows short. Any stiffness is stable; directions that turn within a substep make it softer.
 *
 * Each such step lowers the sum of both energies. They begin at the inertial positions, which turn as the body does. If inertia has strained stiff distance constraints, they
 * may end with more energy than at the start of the substep, which adds energy to thin shells: then they begin at the start positions.
 */
import { ProjectiveArrays, ProjectiveElement, ParticleArrays, rowOffset, wordOffset } from "./layout.generated";
import { word } from "./memory";

/** Steps of a pass, each from where the last one has led. */
const ITERATIONS = 3;

export function solveProjective(particles: ParticleArrays, net: ProjectiveArrays): void {
    const x = particles.positions;
    const count = <usize>net.particleCount;
    for (let i: usize = 0; i < count; i++)
        v128.store(net.starts + rowOffset(i), v128.load(x + rowOffset(word(net.order, i))));
    gather(net, particles.previous);
    const before = energyOf(net);
    gather(net, x);
    iterate(net);
    if (energyOf(net) > before) {
        gather(net, particles.previous);
        iterate(net);
    }
    for (let i: usize = 0; i < count; i++)
        v128.store(x + rowOffset(word(net.order, i)), v128.load(net.current + rowOffset(i)));
}

function iterate(net: ProjectiveArrays): void {
    const count = <usize>net.particleCount;
    for (let round = 0; round < ITERATIONS; round++) {
        for (let i: usize = 0; i < count; i++) {
            const o = rowOffset(i);
            const back = f32x4.sub(v128.load(net.starts + o), v128.load(net.current + o));
            v128.store(net.moves + o, f32x4.mul(v128.load32_splat(net.inertias + wordOffset(i)), back));
        }
        addElementForces(net);
        forwardSubstitute(net);
        backSubstitute(net);
        for (let o: usize = 0; o < rowOffset(count); o += 16)
            v128.store(net.current + o, f32x4.add(v128.load(net.current + o), v128.load(net.moves + o)));
    }
}

/** Gathers the positions of particles, in the order of the matrix; a held particle is at its start, to which its pins have moved it. */
function gather(net: ProjectiveArrays, from: usize): void {
    const count = <usize>net.particleCount;
    for (let i: usize = 0; i < count; i++) {
        const isFree = load<f32>(net.areFree + wordOffset(i)) > 0;
        const place = isFree ? from + rowOffset(word(net.order, i)) : net.starts + rowOffset(i);
        v128.store(net.current + rowOffset(i), v128.load(place));
    }
}

/** Sum of the squares of x, y and z. */
// @ts-ignore: decorator
@inline
function squareOf(d: v128): f32 {
    const square = f32x4.mul(d, d);
    return f32x4.extract_lane(square, 0) + f32x4.extract_lane(square, 1) + f32x4.extract_lane(square, 2);
}

// @ts-ignore: decorator
@inline
function elementTerm(element: usize, k: usize, places: usize): v128 {
    const place = places + rowOffset(word(element, k));
    return f32x4.mul(v128.load32_splat(element + wordOffset(k), ProjectiveElement.weights), v128.load(place));
}

// @ts-ignore: decorator
@inline
function addToElement(element: usize, k: usize, moves: usize, by: v128): void {
    const move = moves + rowOffset(word(element, k));
    const weight = v128.load32_splat(element + wordOffset(k), ProjectiveElement.weights);
    v128.store(move, f32x4.add(v128.load(move), f32x4.mul(weight, by)));
}

/** Sum of an element's particles: x y z, the fourth lane counts for nothing. */
// @ts-ignore: decorator
@inline
function elementSum(e: usize, places: usize): v128 {
    const near = f32x4.add(elementTerm(e, 0, places), elementTerm(e, 1, places));
    return f32x4.add(f32x4.add(near, elementTerm(e, 2, places)), elementTerm(e, 3, places));
}

/** Minimised energy: inertia plus the elements. */
function energyOf(net: ProjectiveArrays): f64 {
    let energy: f64 = 0;
    const places = net.current;
    const count = <usize>net.particleCount;
    for (let i: usize = 0; i < count; i++) {
        const d = f32x4.sub(v128.load(net.starts + rowOffset(i)), v128.load(places + rowOffset(i)));
        energy += 0.5 * <f64>load<f32>(net.inertias + wordOffset(i)) * <f64>squareOf(d);
    }
    const end = net.elements + <usize>net.elementCount * ProjectiveElement.count;
    for (let e = net.elements; e < end; e += ProjectiveElement.count) {
        const strain = <f64>(Mathf.sqrt(squareOf(elementSum(e, places))) - load<f32>(e, ProjectiveElement.rest));
        energy += 0.5 * <f64>load<f32>(e, ProjectiveElement.stiffness) * strain * strain;
    }
    return energy;
}

/** Adds the forces of the elements. */
function addElementForces(net: ProjectiveArrays): void {
    const places = net.current;
    const moves = net.moves;
    const end = net.elements + <usize>net.elementCount * ProjectiveElement.count;
    for (let e = net.elements; e < end; e += ProjectiveElement.count) {
        const d = elementSum(e, places);
        const length: f32 = Mathf.sqrt(squareOf(d));
        const strain: f32 = length > 0 ? load<f32>(e, ProjectiveElement.rest) / length - 1 : 0;
        const by = f32x4.mul(f32x4.splat(load<f32>(e, ProjectiveElement.stiffness) * strain), d);
        addToElement(e, 0, moves, by);
        addToElement(e, 1, moves, by);
        addToElement(e, 2, moves, by);
        addToElement(e, 3, moves, by);
    }
}

/** L y = what pulls, and D⁻¹ y. */
function forwardSubstitute(net: ProjectiveArrays): void {
    const moves = net.moves;
    const count = <usize>net.particleCount;
    let entry = net.entries;
    for (let i: usize = 0; i < count; i++) {
        let y = f32x4.mul(v128.load(moves + rowOffset(i)), v128.load32_splat(net.areFree + wordOffset(i)));
        const end = moves + rowOffset(i);
        for (let j = moves + rowOffset(word(net.firstColumns, i)); j < end; j += 16, entry += 4)
            y = f32x4.sub(y, f32x4.mul(v128.load32_splat(entry), v128.load(j)));
        v128.store(end, y);
    }
    for (let i: usize = 0; i < count; i++) {
        const o = moves + rowOffset(i);
        v128.store(o, f32x4.mul(v128.load(o), v128.load32_splat(net.inverses + wordOffset(i))));
    }
}

/** Lᵀ x = y. */
function backSubstitute(net: ProjectiveArrays): void {
    const moves = net.moves;
    let entry = net.entries + wordOffset(net.entryCount);
    for (let i = <usize>net.particleCount; i-- > 0; ) {
        const end = moves + rowOffset(i);
        const move = v128.load(end);
        const first = moves + rowOffset(word(net.firstColumns, i));
        entry -= (end - first) >> 2;
        for (let j = first, e = entry; j < end; j += 16, e += 4)
            v128.store(j, f32x4.sub(v128.load(j), f32x4.mul(v128.load32_splat(e), move)));
    }
}
