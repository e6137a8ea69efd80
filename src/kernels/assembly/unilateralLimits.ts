/** Long limits, four at once. */
import { squaredLengths } from "./simd";
import { LimitArrays, LimitRecord, ParticleArrays, DistanceArrays, DistanceRecord } from "./layout.generated";
import { difference, move, moveOutOfLine, weighted } from "./distance";

/** Inverse masses that differ by less than this share are the same. */
const MASS_TOLERANCE: f32 = 1e-5;

export function projectUnilateralLimits(particles: ParticleArrays, sticks: DistanceArrays): void {
    enforceAll(particles, sticks.records, sticks.constraintCount, DistanceRecord.count, 0);
}

export function projectUnsplitLimits(particles: ParticleArrays, limits: LimitArrays): void {
    enforceAll(particles, limits.records, limits.constraintCount, LimitRecord.count, limits.overRelaxation);
}

/** Most limits are slack, whole records of neighbours at once: roots, divisions and what pulls are left to the others. */
// @ts-ignore: decorator
@inline
function enforceAll(particles: ParticleArrays, records: usize, constraintCount: u32, recordSize: usize, pull: usize): void {
    const x = particles.positions;
    const end = records + <usize>(constraintCount >> 2) * recordSize;
    for (let record = records; record < end; record += recordSize) {
        const d0 = difference(x, record, 0);
        const d1 = difference(x, record, 1);
        const d2 = difference(x, record, 2);
        const d3 = difference(x, record, 3);
        const squared = squaredLengths(d0, d1, d2, d3);
        const limit = v128.load(record, DistanceRecord.restLengths);
        const isTaut = f32x4.gt(squared, f32x4.mul(limit, limit));
        if (v128.any_true(isTaut)) enforceRecord(particles, record, recordSize, pull, isTaut, squared, limit, d0, d1, d2, d3);
    }
}

/** Moves the particles of a record that only pulls; without weights: by half if it is marked, else by their shares of the inverse masses. */
// @ts-ignore: decorator
@inline
function enforceRecord(
    particles: ParticleArrays, record: usize, recordSize: usize, pull: usize, isTaut: v128, squared: v128, limit: v128,
    d0: v128, d1: v128, d2: v128, d3: v128,
): void {
    const x = particles.positions;
    const p = particles.previous;
    const half = f32x4.splat(0.5);
    const strain = v128.and(f32x4.sub(half, f32x4.div(f32x4.mul(half, limit), f32x4.sqrt(squared))), isTaut);
    const m0 = f32x4.add(d0, difference(p, record, 0));
    const m1 = f32x4.add(d1, difference(p, record, 1));
    const m2 = f32x4.add(d2, difference(p, record, 2));
    const m3 = f32x4.add(d3, difference(p, record, 3));
    if (recordSize == DistanceRecord.count) {
        move(x, record, weighted(record, strain, 0), weighted(record, strain, 16), m0, m1, m2, m3);
        return;
    }
    const more = f32x4.mul(strain, v128.load32_splat(pull));
    if (load<u32>(record) > load<u32>(record, 4)) {
        const k = f32x4.mul(more, half);
        move(x, record, k, k, m0, m1, m2, m3);
    } else enforceUnevenRecord(x, particles.inverseMasses, record, more, strain, m0, m1, m2, m3);
}

/** Projects records that are not marked, and marks those that should be, see LimitRecord. A call, so that the loop keeps its registers. */
function enforceUnevenRecord(x: usize, masses: usize, record: usize, more: v128, strain: v128, m0: v128, m1: v128, m2: v128, m3: v128): void {
    const wa = massesOf(masses, record, 0);
    const wb = massesOf(masses, record, 4);
    let ka = f32x4.mul(more, f32x4.splat(0.5));
    let kb = ka;
    if (i32x4.all_true(f32x4.lt(f32x4.abs(f32x4.sub(wa, wb)), f32x4.mul(wa, f32x4.splat(MASS_TOLERANCE))))) {
        store<u64>(record, rotl<u64>(load<u64>(record), 32));
        // The first limit runs the other way now.
        m0 = f32x4.neg(m0);
    } else {
        // Two pinned ends have nothing to share.
        const sum = f32x4.pmax(f32x4.splat(f32.MIN_NORMAL_VALUE), f32x4.add(wa, wb));
        const areFree = f32x4.gt(f32x4.min(wa, wb), f32x4.splat(0));
        const perMass = f32x4.div(v128.bitselect(more, strain, areFree), sum);
        ka = f32x4.mul(perMass, wa);
        kb = f32x4.mul(perMass, wb);
    }
    moveOutOfLine(x, record, ka, kb, m0, m1, m2, m3);
}

/** Inverse masses of the four ends a (0) or b (4) of a record. */
function massesOf(masses: usize, record: usize, end: usize): v128 {
    const at = record + end;
    const w0 = v128.load32_zero(masses + <usize>(load<u32>(at, 0) >>> 2));
    const w01 = v128.load32_lane(masses + <usize>(load<u32>(at, 8) >>> 2), w0, 1);
    const w012 = v128.load32_lane(masses + <usize>(load<u32>(at, 16) >>> 2), w01, 2);
    return v128.load32_lane(masses + <usize>(load<u32>(at, 24) >>> 2), w012, 3);
}
