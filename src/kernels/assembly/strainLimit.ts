/** Limits of strain, four sticks at once. */
import { squaredLengths } from "./simd";
import { ParticleArrays, DistanceArrays, DistanceRecord, Uniform } from "./layout.generated";
import { difference, moveOutOfLine, strains, weighted } from "./distance";

export const MAX_STRAIN: f32 = 0.04;
const STOP_STRAIN: f32 = 0.042;
const OVER_RELAXATION: f32 = 1.85;
const PASSES = 80;
const GENTLE_STRAIN: f32 = 1.28;
const LAST_PASS = 2;
const WHOLE_SET = 4;
export const REGION_COUNT = 64;

export function limitStrain(particles: ParticleArrays, sticks: DistanceArrays): void {
    if (load<f32>(particles.uniforms, Uniform.strain) > MAX_STRAIN) limitRegions(particles.positions, sticks, 0, 0);
}

/** What a part measures among the records [B]. */
export function regionSizeOf(sticks: DistanceArrays): usize {
    return ((recordCountOf(sticks) + REGION_COUNT - 1) / REGION_COUNT) * DistanceRecord.count;
}

// @ts-ignore: decorator
@inline
export function recordCountOf(sticks: DistanceArrays): usize {
    return <usize>(sticks.constraintCount >> 2);
}

/**
 * All passes.
 * @param regions address of the regions of each part, 64 bits each; 0: parts are looked at whether or not anything of them has moved, known when this is compiled
 * @param touched see {@link limit}
 */
// @ts-ignore: decorator
@inline
export function limitRegions(x: usize, sticks: DistanceArrays, regions: usize, touched: usize): void {
    const size = regionSizeOf(sticks);
    const end = sticks.records + recordCountOf(sticks) * DistanceRecord.count;
    // A bit for each part: the last pass has found something in it, and something of it has moved since a pass looked there.
    let busy: u64 = 0;
    let stale = ~(<u64>0);
    for (let pass = 0; pass < PASSES; pass++) {
        const isWhole = pass % WHOLE_SET == 0;
        const visited = isWhole ? ~(<u64>0) : busy;
        const pull = overRelaxationOf(pass);
        busy = 0;
        let record = sticks.records;
        for (let part: u64 = 0; record < end; part++, record += size) {
            if (!(((visited & stale) >> part) & 1)) continue;
            if (regions) {
                stale &= ~((<u64>1) << part);
                store<u64>(touched, 0);
            }
            busy |= <u64>limit(x, record, min(end, record + size), pull, touched) << part;
            if (regions && load<u64>(touched)) stale |= regionsTouched(load<u64>(touched), regions);
        }
        if (busy) continue;
        if (isWhole) return;
        pass += WHOLE_SET - 1 - (pass % WHOLE_SET);
    }
}

/** The parts that have particles in some of these regions, a bit for each. */
function regionsTouched(touched: u64, regions: usize): u64 {
    let found: u64 = 0;
    for (let part: usize = 0; part < <usize>REGION_COUNT; part++) {
        found |= <u64>((load<u64>(regions + (part << 3)) & touched) != 0) << <u64>part;
    }
    return found;
}

// @ts-ignore: decorator
@inline
function overRelaxationOf(pass: i32): f32 {
    return pass == 0 || pass >= PASSES - LAST_PASS ? GENTLE_STRAIN : OVER_RELAXATION;
}

/**
 * One pass over some records. Squares tell which have a strain to limit: roots and divisions are left to those.
 * @param touched address to which the regions are added whose particles may have moved, after the shift of rows to those; 0: not noted, known when this is compiled
 * @returns whether any is beyond {@link ENOUGH}
 */
// @ts-ignore: decorator
@inline
function limit(x: usize, record: usize, end: usize, pull: f32, touched: usize): bool {
    const longest: f32 = 1 / (1 - MAX_STRAIN);
    let isLeft = false;
    for (; record < end; record += DistanceRecord.count) {
        const d0 = difference(x, record, 0);
        const d1 = difference(x, record, 1);
        const d2 = difference(x, record, 2);
        const d3 = difference(x, record, 3);
        const most = f32x4.mul(v128.load(record, DistanceRecord.restLengths), f32x4.splat(longest));
        if (!v128.any_true(f32x4.gt(squaredLengths(d0, d1, d2, d3), f32x4.mul(most, most)))) continue;
        const strain = strains(record, d0, d1, d2, d3);
        const beyond = f32x4.sub(strain, f32x4.splat(MAX_STRAIN));
        const weights = f32x4.add(v128.load(record, DistanceRecord.weightsA), v128.load(record, DistanceRecord.weightsB));
        // The bound remains of what is no number; what is pinned at both ends has no weights.
        const bounded = f32x4.pmax(f32x4.splat(0), f32x4.mul(f32x4.splat(pull), beyond));
        const areFree = f32x4.gt(weights, f32x4.splat(0));
        const excess = v128.and(bounded, areFree);
        if (!v128.any_true(excess)) continue;
        isLeft = isLeft || v128.any_true(v128.and(f32x4.gt(strain, f32x4.splat(STOP_STRAIN)), areFree));
        const whole = f32x4.div(excess, f32x4.pmax(f32x4.splat(f32.MIN_NORMAL_VALUE), weights));
        moveOutOfLine(x, record, weighted(record, whole, 0), weighted(record, whole, 16), d0, d1, d2, d3);
        if (touched) store<u64>(touched, load<u64>(touched) | regionsOf(record, load<u64>(touched, 8)));
    }
    return isLeft;
}

/** The regions of a record's particles, a bit for each. */
// @ts-ignore: decorator
@inline
export function regionsOf(record: usize, shift: u64): u64 {
    let regions: u64 = 0;
    for (let i: usize = 0; i < 32; i += 4) regions |= (<u64>1) << (<u64>load<u32>(record + i) >> shift);
    return regions;
}
