/** Sticks, four at once; specification: scalar/sticks.ts, data: StickRecord in ../../layout.ts. */
import { largestOf, splat0, splat1, splat2, splat3, squaredLengths } from "./lanes";
import { ParticleArrays, StickArrays, StickRecord, Uniform } from "./layout.generated";

export function projectSticks(particles: ParticleArrays, sticks: StickArrays): void {
    project(particles, sticks.records, sticks.stickCount, StickRecord.count, -Infinity, Infinity);
}

export function projectLengths(particles: ParticleArrays, sticks: StickArrays): void {
    const largest = project(particles, sticks.records, sticks.stickCount, StickRecord.count, -Infinity, Infinity);
    store<f32>(particles.uniforms, largestOf(largest), Uniform.strain);
}

/**
 * Software pipeline: the strains of the next record go through root and division (25 cycles) while the
 * sticks of the last one move. Two records in a row share no particle, so the order of the results does not change.
 * Strains are kept between lowest and highest: constants, 0 or infinite. What only pulls does so along the mean of two directions, see
 * scalar/longLimits.ts. Records of a limit's size have no weights.
 * @returns the largest strains of four sticks each, not less than 0
 */
// @ts-ignore: decorator
@inline
export function project(
    particles: ParticleArrays, records: usize, stickCount: u32, recordSize: usize, lowest: f32, highest: f32, pull: usize = 0,
): v128 {
    const recordCount = <usize>(stickCount >> 2);
    let largest = f32x4.splat(0);
    if (recordCount == 0) return largest;
    const x = particles.positions;
    let record = records;
    const last = record + (recordCount - 1) * recordSize;
    let d0 = difference(x, record, 0);
    let d1 = difference(x, record, 1);
    let d2 = difference(x, record, 2);
    let d3 = difference(x, record, 3);
    let strain = strains(record, d0, d1, d2, d3, lowest, highest);
    while (record < last) {
        largest = f32x4.pmax(largest, strain);
        const next = record + recordSize;
        const e0 = difference(x, next, 0);
        const e1 = difference(x, next, 1);
        const e2 = difference(x, next, 2);
        const e3 = difference(x, next, 3);
        const nextStrain = strains(next, e0, e1, e2, e3, lowest, highest);
        // Most limits are slack, whole records of neighbours at once.
        if (lowest != 0) move(x, record, weighted(record, strain, 0), weighted(record, strain, 16), d0, d1, d2, d3);
        else if (v128.any_true(strain)) pullBack(particles, record, recordSize, pull, strain, d0, d1, d2, d3);
        record = next;
        strain = nextStrain;
        d0 = e0;
        d1 = e1;
        d2 = e2;
        d3 = e3;
    }
    if (lowest != 0) move(x, record, weighted(record, strain, 0), weighted(record, strain, 16), d0, d1, d2, d3);
    else pullBack(particles, record, recordSize, pull, strain, d0, d1, d2, d3);
    return f32x4.pmax(largest, strain);
}

/** b - a of stick `i` of a record. */
// @ts-ignore: decorator
@inline
export function difference(x: usize, record: usize, i: usize): v128 {
    const rows = load<u64>(record + i * 8);
    return f32x4.sub(v128.load(x + <usize>(rows >> 32)), v128.load(x + <usize>(<u32>rows)));
}

/** (|d| - L) / |d| of the four sticks, within the bounds, constants that are 0 or infinite; zero where a stick has no length. */
// @ts-ignore: decorator
@inline
function strains(record: usize, d0: v128, d1: v128, d2: v128, d3: v128, lowest: f32, highest: f32): v128 {
    const length = f32x4.sqrt(squaredLengths(d0, d1, d2, d3));
    const strain = f32x4.div(f32x4.sub(length, v128.load(record, StickRecord.restLengths)), length);
    // The bound remains of what is no number.
    if (lowest == 0) return f32x4.pmax(f32x4.splat(0), strain);
    const bounded = highest == 0 ? f32x4.pmin(f32x4.splat(0), strain) : strain;
    return v128.and(bounded, f32x4.gt(length, f32x4.splat(0)));
}

/** The shares of the ends A (0) or B (16) in the strains. */
// @ts-ignore: decorator
@inline
export function weighted(record: usize, strain: v128, end: usize): v128 {
    return f32x4.mul(strain, v128.load(record + end, StickRecord.weightsA));
}

/** Moves the particles of a record that only pulls; without weights: by their shares of the inverse masses. */
// @ts-ignore: decorator
@inline
function pullBack(
    particles: ParticleArrays, record: usize, recordSize: usize, pull: usize, strain: v128, d0: v128, d1: v128, d2: v128, d3: v128,
): void {
    const x = particles.positions;
    const p = particles.previous;
    const m0 = f32x4.add(d0, difference(p, record, 0));
    const m1 = f32x4.add(d1, difference(p, record, 1));
    const m2 = f32x4.add(d2, difference(p, record, 2));
    const m3 = f32x4.add(d3, difference(p, record, 3));
    const half = f32x4.mul(f32x4.splat(0.5), strain);
    if (recordSize == StickRecord.count) {
        move(x, record, weighted(record, half, 0), weighted(record, half, 16), m0, m1, m2, m3);
        return;
    }
    const masses = particles.inverseMasses;
    const zero = f32x4.splat(0);
    const wa = massesOf(masses, record, 0);
    const wb = massesOf(masses, record, 4);
    const areFree = v128.and(f32x4.gt(wa, zero), f32x4.gt(wb, zero));
    const more = v128.bitselect(v128.load32_splat(pull), f32x4.splat(1), areFree);
    // Two pinned ends have nothing to share.
    const sum = f32x4.pmax(f32x4.splat(f32.MIN_NORMAL_VALUE), f32x4.add(wa, wb));
    const perMass = f32x4.div(f32x4.mul(half, more), sum);
    move(x, record, f32x4.mul(perMass, wa), f32x4.mul(perMass, wb), m0, m1, m2, m3);
}

/** Inverse masses of the four ends a (0) or b (4) of a record. */
// @ts-ignore: decorator
@inline
function massesOf(masses: usize, record: usize, end: usize): v128 {
    const at = record + end;
    const w0 = v128.load32_zero(masses + <usize>(load<u32>(at, 0) >>> 2));
    const w01 = v128.load32_lane(masses + <usize>(load<u32>(at, 8) >>> 2), w0, 1);
    const w012 = v128.load32_lane(masses + <usize>(load<u32>(at, 16) >>> 2), w01, 2);
    return v128.load32_lane(masses + <usize>(load<u32>(at, 24) >>> 2), w012, 3);
}

/** Moves the particles of a record's sticks, by ka and kb times their differences. */
// @ts-ignore: decorator
@inline
export function move(x: usize, record: usize, ka: v128, kb: v128, d0: v128, d1: v128, d2: v128, d3: v128): void {
    moveEnds(x, record, 0, f32x4.mul(d0, splat0(ka)), f32x4.mul(d0, splat0(kb)));
    moveEnds(x, record, 1, f32x4.mul(d1, splat1(ka)), f32x4.mul(d1, splat1(kb)));
    moveEnds(x, record, 2, f32x4.mul(d2, splat2(ka)), f32x4.mul(d2, splat2(kb)));
    moveEnds(x, record, 3, f32x4.mul(d3, splat3(ka)), f32x4.mul(d3, splat3(kb)));
}

/** a += ma, b -= mb for stick `i` of a record. */
// @ts-ignore: decorator
@inline
function moveEnds(x: usize, record: usize, i: usize, ma: v128, mb: v128): void {
    const rows = load<u64>(record + i * 8);
    const a = x + <usize>(<u32>rows);
    const b = x + <usize>(rows >> 32);
    v128.store(a, f32x4.add(v128.load(a), ma));
    v128.store(b, f32x4.sub(v128.load(b), mb));
}
