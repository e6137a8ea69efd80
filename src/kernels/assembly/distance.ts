/** Distance constraints, four at once. Data: DistanceRecord in ../layout.ts. */
import { largestOf, splat0, splat1, splat2, splat3, squaredLengths } from "./simd";
import { ParticleArrays, DistanceArrays, DistanceRecord, Uniform } from "./layout.generated";

const GENTLE_PUSH: f32 = 2.2;
const MIN_PUSH: f32 = 0.05;
const NOTHING: f32 = 16;
/** See MAX_TURN in test/reference/distance.ts. */
const MAX_TURN: f32 = 0.25;

export function projectDistances(particles: ParticleArrays, sticks: DistanceArrays): void {
    projectAlongPrevious(particles, sticks, true);
}

export function projectLengths(particles: ParticleArrays, sticks: DistanceArrays): void {
    store<f32>(particles.uniforms, largestOf(project(particles, sticks, true)), Uniform.strain);
}

/**
 * Moves the ends along the directions before the substep, as SHAKE does (Ryckaert, Ciccotti & Berendsen 1977). What pushes along the present direction
 * adds energy to motion across it. Of the two diagonals of a sheared cell one pushes: sheets would swing for ever.
 * What turns or grows by more than half of its length in a substep moves along the present direction: along another one it could explode.
 * @param isRooted true for exact strains, false for those without square roots, a constant
 */
// @ts-ignore: decorator
@inline
export function projectAlongPrevious(particles: ParticleArrays, sticks: DistanceArrays, isRooted: bool): void {
    const x = particles.positions;
    const p = particles.previous;
    const least = f32x4.splat(-load<f32>(sticks.maxPush));
    let record = sticks.records;
    const end = record + <usize>(sticks.constraintCount >> 2) * DistanceRecord.count;
    for (; record < end; record += DistanceRecord.count) {
        const d0 = difference(x, record, 0);
        const d1 = difference(x, record, 1);
        const d2 = difference(x, record, 2);
        const d3 = difference(x, record, 3);
        const strain = isRooted
            ? correctionOf(strains(record, d0, d1, d2, d3), least)
            : f32x4.pmax(strainsNearRest(record, d0, d1, d2, d3), least);
        const ka = weighted(record, strain, 0);
        const kb = weighted(record, strain, 16);
        let e0 = difference(p, record, 0);
        let e1 = difference(p, record, 1);
        let e2 = difference(p, record, 2);
        let e3 = difference(p, record, 3);
        const turn = squaredLengths(f32x4.sub(e0, d0), f32x4.sub(e1, d1), f32x4.sub(e2, d2), f32x4.sub(e3, d3));
        const isFar = f32x4.gt(turn, f32x4.mul(f32x4.splat(MAX_TURN), squaredLengths(d0, d1, d2, d3)));
        if (v128.any_true(isFar)) {
            e0 = v128.bitselect(d0, e0, splat0(isFar));
            e1 = v128.bitselect(d1, e1, splat1(isFar));
            e2 = v128.bitselect(d2, e2, splat2(isFar));
            e3 = v128.bitselect(d3, e3, splat3(isFar));
        }
        move(x, record, ka, kb, e0, e1, e2, e3);
    }
}

/**
 * Software pipeline: the strains of the next record go through root and division (25 cycles) while the
 * distance constraints of the last one move. Two records in a row share no particle, so the order of the results does not change.
 * @param isRooted true for exact strains, false for those without square roots, a constant
 * @returns the largest strains of four distance constraints each, not less than 0
 */
// @ts-ignore: decorator
@inline
export function project(particles: ParticleArrays, sticks: DistanceArrays, isRooted: bool): v128 {
    const recordCount = <usize>(sticks.constraintCount >> 2);
    let largest = f32x4.splat(0);
    if (recordCount == 0) return largest;
    const x = particles.positions;
    let record = sticks.records;
    const last = record + (recordCount - 1) * DistanceRecord.count;
    const least = f32x4.splat(-load<f32>(sticks.maxPush));
    let d0 = difference(x, record, 0);
    let d1 = difference(x, record, 1);
    let d2 = difference(x, record, 2);
    let d3 = difference(x, record, 3);
    let strain = isRooted ? strains(record, d0, d1, d2, d3) : strainsNearRest(record, d0, d1, d2, d3);
    while (record < last) {
        largest = f32x4.pmax(largest, strain);
        const next = record + DistanceRecord.count;
        const e0 = difference(x, next, 0);
        const e1 = difference(x, next, 1);
        const e2 = difference(x, next, 2);
        const e3 = difference(x, next, 3);
        const nextStrain = isRooted ? strains(next, e0, e1, e2, e3) : strainsNearRest(next, e0, e1, e2, e3);
        strain = isRooted ? correctionOf(strain, least) : f32x4.pmax(strain, least);
        move(x, record, weighted(record, strain, 0), weighted(record, strain, 16), d0, d1, d2, d3);
        record = next;
        strain = nextStrain;
        d0 = e0;
        d1 = e1;
        d2 = e2;
        d3 = e3;
    }
    strain = isRooted ? correctionOf(strain, least) : f32x4.pmax(strain, least);
    moveOutOfLine(x, record, weighted(record, strain, 0), weighted(record, strain, 16), d0, d1, d2, d3);
    return f32x4.pmax(largest, strain);
}

/** b - a of distance constraint `i` of a record. */
// @ts-ignore: decorator
@inline
export function difference(x: usize, record: usize, i: usize): v128 {
    const rows = load<u64>(record + i * 8);
    return f32x4.sub(v128.load(x + <usize>(rows >> 32)), v128.load(x + <usize>(<u32>rows)));
}

/** (|d| - L) / |d| of the four distance constraints; zero for a constraint of no length. */
// @ts-ignore: decorator
@inline
export function strains(record: usize, d0: v128, d1: v128, d2: v128, d3: v128): v128 {
    const length = f32x4.sqrt(squaredLengths(d0, d1, d2, d3));
    const strain = f32x4.div(f32x4.sub(length, v128.load(record, DistanceRecord.restLengths)), length);
    return v128.and(strain, f32x4.gt(length, f32x4.splat(0)));
}

/** Share of the strains that a pass corrects. @param least least correction of one strain, negative */
// @ts-ignore: decorator
@inline
function correctionOf(strain: v128, least: v128): v128 {
    return v128.any_true(f32x4.lt(strain, least)) ? pushedGently(strain, least) : strain;
}

/** Corrected strains if any is below `least`. A call, since this is rare. */
function pushedGently(strain: v128, least: v128): v128 {
    const falling = f32x4.sub(f32x4.mul(least, f32x4.splat(GENTLE_PUSH)), strain);
    const rising = f32x4.add(strain, f32x4.splat(NOTHING));
    const most = f32x4.pmin(f32x4.pmin(f32x4.mul(least, f32x4.splat(MIN_PUSH)), falling), rising);
    return f32x4.pmax(f32x4.pmax(strain, least), most);
}

/** (|d|² - L²) / (|d|² + L²) of the four distance constraints; zero where they have no length either way. */
// @ts-ignore: decorator
@inline
function strainsNearRest(record: usize, d0: v128, d1: v128, d2: v128, d3: v128): v128 {
    const squared = squaredLengths(d0, d1, d2, d3);
    const restLength = v128.load(record, DistanceRecord.restLengths);
    const rest = f32x4.mul(restLength, restLength);
    const sum = f32x4.add(squared, rest);
    return v128.and(f32x4.div(f32x4.sub(squared, rest), sum), f32x4.gt(sum, f32x4.splat(0)));
}

/** The shares of the ends A (0) or B (16) in the strains. */
// @ts-ignore: decorator
@inline
export function weighted(record: usize, strain: v128, end: usize): v128 {
    return f32x4.mul(strain, v128.load(record + end, DistanceRecord.weightsA));
}

/** Moves the particles of a record's distance constraints by ka and kb times their differences. */
// @ts-ignore: decorator
@inline
export function move(x: usize, record: usize, ka: v128, kb: v128, d0: v128, d1: v128, d2: v128, d3: v128): void {
    moveEnds(x, record, 0, f32x4.mul(d0, splat0(ka)), f32x4.mul(d0, splat0(kb)));
    moveEnds(x, record, 1, f32x4.mul(d1, splat1(ka)), f32x4.mul(d1, splat1(kb)));
    moveEnds(x, record, 2, f32x4.mul(d2, splat2(ka)), f32x4.mul(d2, splat2(kb)));
    moveEnds(x, record, 3, f32x4.mul(d3, splat3(ka)), f32x4.mul(d3, splat3(kb)));
}

/** Record move as a call, for rare paths: smaller code than the inlined form. */
// @ts-ignore: decorator
@inline
export function moveOutOfLine(x: usize, record: usize, ka: v128, kb: v128, d0: v128, d1: v128, d2: v128, d3: v128): void {
    moveInCall(x, record, ka, kb, d0, d1, d2, d3);
}

/** Not exported: values of v128 are not for every host. */
function moveInCall(x: usize, record: usize, ka: v128, kb: v128, d0: v128, d1: v128, d2: v128, d3: v128): void {
    move(x, record, ka, kb, d0, d1, d2, d3);
}

/** a += ma, b -= mb for distance constraint `i` of a record. */
// @ts-ignore: decorator
@inline
function moveEnds(x: usize, record: usize, i: usize, ma: v128, mb: v128): void {
    const rows = load<u64>(record + i * 8);
    const a = x + <usize>(<u32>rows);
    const b = x + <usize>(rows >> 32);
    v128.store(a, f32x4.add(v128.load(a), ma));
    v128.store(b, f32x4.sub(v128.load(b), mb));
}
