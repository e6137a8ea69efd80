/** Particle moves from the tensions of a chain's links. */
import { sum3 } from "./simd";
import { RopeArrays, RopeContactSlot, RopeLimit, ParticleArrays, wordOffset } from "./layout.generated";

export const IMPLICIT: f32 = 0.5;

/** Byte offset of the row of the element whose float lies at byte offset `i`. */
// @ts-ignore: decorator
@inline
export function rowBeside(i: usize): usize {
    return i << 2;
}

export function applyTensions(particles: ParticleArrays, w: usize, chain: RopeArrays, useContacts: bool): void {
    const zero = f32x4.splat(0);
    const x = particles.positions;
    const toPrevious = particles.previous - x;
    const last = wordOffset(chain.linkCount);
    const tensions = chain.tensions;
    const vectors = chain.vectors;
    const toPull = chain.pullDirections - vectors;
    const least = load<f32>(chain.limits, RopeLimit.minTension);
    const isElastic = load<f32>(chain.limits, RopeLimit.compliance) > 0;
    let work: f32 = isElastic ? max<f32>(strainEnergy(x, chain), strainEnergy(x + toPrevious, chain)) : 0;
    let hardest: f32 = 0;
    let behind = zero, ahead = zero;
    let tensionBehind: f32 = 0, tensionAhead: f32 = 0;
    let share: f32 = 0, shareBack: f32 = 0;
    let vector = zero, vectorBack = zero;
    const middle = wordOffset(chain.linkCount >> 1);
    // Both ends in one loop, as in solve. The first half may be a link shorter.
    for (let i: usize = 0, k = last; k > middle; k -= 4) {
        if (i < middle) {
            const row = rowBeside(i);
            const tension = max<f32>(least, load<f32>(tensions + i));
            const mass = load<f32>(w + i);
            const toBehind = IMPLICIT * mass * max<f32>(0, tensionBehind);
            const toAhead = IMPLICIT * mass * max<f32>(0, tension);
            const inverse: f32 = 1 / (1 + toAhead + toBehind * (1 - share));
            const onward = f32x4.mul(f32x4.splat(tension), v128.load(vectors + row + toPull, 16));
            const both = f32x4.sub(onward, behind);
            if (mass == 0) work -= sum3(f32x4.mul(both, displacementOf(x + row, toPrevious)));
            hardest = max<f32>(hardest, tension);
            work -= growthWork(chain, i, tension);
            const force = f32x4.mul(f32x4.splat(mass), both);
            if (useContacts) store<f32>(chain.rhs + i, -sum3(f32x4.mul(force, v128.load(chain.normals + row))));
            vector = f32x4.mul(f32x4.add(force, f32x4.mul(f32x4.splat(toBehind), vector)), f32x4.splat(inverse));
            v128.store(vectors + row, vector);
            share = toAhead * inverse;
            store<f32>(chain.diagonal + i, share);
            behind = onward;
            tensionBehind = tension;
            i += 4;
        }
        const row = rowBeside(k);
        const tension = max<f32>(least, load<f32>(tensions + k - 4));
        const mass = load<f32>(w + k);
        const toBehind = IMPLICIT * mass * max<f32>(0, tension);
        const toAhead = IMPLICIT * mass * max<f32>(0, tensionAhead);
        const inverse: f32 = 1 / (1 + toBehind + toAhead * (1 - shareBack));
        const back = f32x4.mul(f32x4.splat(tension), v128.load(vectors + row + toPull));
        const both = f32x4.sub(ahead, back);
        if (mass == 0) work -= sum3(f32x4.mul(both, displacementOf(x + row, toPrevious)));
        hardest = max<f32>(hardest, tension);
        work -= growthWork(chain, k - 4, tension);
        const force = f32x4.mul(f32x4.splat(mass), both);
        if (useContacts) store<f32>(chain.rhs + k, -sum3(f32x4.mul(force, v128.load(chain.normals + row))));
        vectorBack = f32x4.mul(f32x4.add(force, f32x4.mul(f32x4.splat(toAhead), vectorBack)), f32x4.splat(inverse));
        v128.store(vectors + row, vectorBack);
        shareBack = toBehind * inverse;
        store<f32>(chain.diagonal + k, shareBack);
        ahead = back;
        tensionAhead = tension;
    }
    store<f32>(chain.limits, hardest, RopeLimit.maxTension);
    // Solve at the middle, then substitute towards the ends.
    const row = rowBeside(middle);
    const mass = load<f32>(w + middle);
    const toBehind = IMPLICIT * mass * max<f32>(0, tensionBehind);
    const toAhead = IMPLICIT * mass * max<f32>(0, tensionAhead);
    const inverse: f32 = 1 / (1 + toBehind * (1 - share) + toAhead * (1 - shareBack));
    const both = f32x4.sub(ahead, behind);
    if (mass == 0) work -= sum3(f32x4.mul(both, displacementOf(x + row, toPrevious)));
    const force = f32x4.mul(f32x4.splat(mass), both);
    if (useContacts) store<f32>(chain.rhs + middle, -sum3(f32x4.mul(force, v128.load(chain.normals + row))));
    vector = f32x4.add(f32x4.mul(f32x4.splat(toBehind), vector), f32x4.mul(f32x4.splat(toAhead), vectorBack));
    vector = f32x4.mul(f32x4.add(force, vector), f32x4.splat(inverse));
    v128.store(vectors + row, vector);
    vectorBack = vector;
    for (let i = middle, k = middle + 4; k <= last; k += 4) {
        if (i > 0) {
            i -= 4;
            const o = vectors + rowBeside(i);
            vector = f32x4.add(v128.load(o), f32x4.mul(v128.load32_splat(chain.diagonal + i), vector));
            v128.store(o, vector);
        }
        const o = vectors + rowBeside(k);
        vectorBack = f32x4.add(v128.load(o), f32x4.mul(v128.load32_splat(chain.diagonal + k), vectorBack));
        v128.store(o, vectorBack);
    }
    const length = v128.load32_splat(chain.limits, RopeLimit.length);
    let opposed = zero;
    let squares = zero;
    for (let i = last + 4; i > 0; ) {
        i -= 4;
        const o = rowBeside(i);
        let move = v128.load(vectors + o);
        let press = zero;
        if (useContacts) {
            const n = v128.load(chain.normals + o);
            if (f32x4.extract_lane(n, 3) === 0) {
                const depth = max<f32>(0, min<f32>(load<f32>(chain.rhs + i), load<f32>(chain.limits, RopeLimit.maxDepth)));
                move = f32x4.sub(move, f32x4.mul(n, f32x4.splat(sum3(f32x4.mul(move, n)))));
                press = f32x4.mul(n, f32x4.splat(depth));
            }
            v128.store(chain.normals + o, zero);
        }
        move = f32x4.pmax(f32x4.neg(length), f32x4.pmin(length, move));
        v128.store(vectors + o, move);
        const inverseMass = load<f32>(particles.inverseMasses + i);
        const momentum = f32x4.mul(f32x4.splat(inverseMass > 0 ? 1 / inverseMass : 0), move);
        opposed = f32x4.add(opposed, f32x4.mul(momentum, displacementOf(x + o, toPrevious)));
        squares = f32x4.add(squares, f32x4.mul(momentum, move));
        v128.store(x + o, f32x4.add(v128.load(x + o), f32x4.sub(move, press)));
    }
    if (isElastic) work -= strainEnergy(x, chain);
    const touchCount = load<u32>(chain.contacts, RopeContactSlot.selfContactCount);
    if (touchCount > 0) work += load<f32>(chain.limits, RopeLimit.energyAllowance);
    const kept: f32 = (2 * (work - sum3(opposed))) / sum3(squares);
    if (!(kept < 1) || load<u32>(chain.contacts, RopeContactSlot.hasDynamicCarrier) > 0) return;
    if (useContacts && touchCount === 0 && hardest < load<f32>(chain.limits, RopeLimit.windingTension)) return;
    const lost = f32x4.splat(1 - max<f32>(0, kept));
    for (let o: usize = 0, end = rowBeside(last); o <= end; o += 16) {
        const p = x + toPrevious + o;
        v128.store(p, f32x4.add(v128.load(p), f32x4.mul(lost, v128.load(vectors + o))));
    }
}

/** Work that the growth of a link at a tension takes. */
// @ts-ignore: decorator
@inline
function growthWork(chain: RopeArrays, j: usize, tension: f32): f32 {
    const rest = load<f32>(chain.restLengths + j);
    return tension * rest * (rest - load<f32>(chain.previousRestLengths + j));
}

/** Displacement of a particle in this substep. */
// @ts-ignore: decorator
@inline
function displacementOf(x: usize, toPrevious: usize): v128 {
    return f32x4.sub(v128.load(x), v128.load(x + toPrevious));
}

function strainEnergy(x: usize, chain: RopeArrays): f32 {
    let sum: f32 = 0;
    for (let j: usize = 0, end = wordOffset(chain.linkCount); j < end; j += 4) {
        const o = x + rowBeside(j);
        const vector = f32x4.sub(v128.load(o, 16), v128.load(o));
        const strained = sqrt<f32>(sum3(f32x4.mul(vector, vector))) - load<f32>(chain.restLengths + j);
        sum += (strained * strained) / (2 * load<f32>(chain.compliances + j));
    }
    return sum;
}
