/** Strain limiting, four distance constraints at once. */
import { STRAIN_FULL_PERIOD, STRAIN_GENTLE_PASSES, STRAIN_GENTLE_RELAXATION, STRAIN_LIMIT, STRAIN_OVER_RELAXATION, STRAIN_PASSES, STRAIN_STOP } from "./tunables.generated";
import { squaredLengths } from "./simd";
import { ParticleArrays, DistanceArrays, DistanceRecord, Uniform } from "./layout.generated";
import { difference, moveOutOfLine, strains, weighted } from "./distance";

const REGION_COUNT = 64;

export function limitStrain(particles: ParticleArrays, sticks: DistanceArrays): void {
    if (load<f32>(particles.uniforms, Uniform.strain) > STRAIN_LIMIT) limitAll(particles.positions, sticks);
}

/** Size of a part among the records [B]. */
// @ts-ignore: decorator
@inline
function regionSizeOf(sticks: DistanceArrays): usize {
    return ((recordCountOf(sticks) + REGION_COUNT - 1) / REGION_COUNT) * DistanceRecord.count;
}

// @ts-ignore: decorator
@inline
function recordCountOf(sticks: DistanceArrays): usize {
    return <usize>(sticks.constraintCount >> 2);
}

/** Makes all passes: in three of four, only over the parts that the last one has found too long. */
function limitAll(x: usize, sticks: DistanceArrays): void {
    const size = regionSizeOf(sticks);
    const end = sticks.records + recordCountOf(sticks) * DistanceRecord.count;
    // A bit for each part in which the last pass has found something.
    let busy: u64 = 0;
    for (let pass = 0; pass < <i32>STRAIN_PASSES; pass++) {
        const isWhole = pass % <i32>STRAIN_FULL_PERIOD == 0;
        const visited = isWhole ? ~(<u64>0) : busy;
        const pull = overRelaxationOf(pass);
        busy = 0;
        let record = sticks.records;
        for (let part: u64 = 0; record < end; part++, record += size) {
            if (!((visited >> part) & 1)) continue;
            busy |= <u64>limit(x, record, min(end, record + size), pull) << part;
        }
        if (busy) continue;
        if (isWhole) return;
        pass += <i32>STRAIN_FULL_PERIOD - 1 - (pass % <i32>STRAIN_FULL_PERIOD);
    }
}

// @ts-ignore: decorator
@inline
function overRelaxationOf(pass: i32): f32 {
    return pass == 0 || pass >= <i32>STRAIN_PASSES - <i32>STRAIN_GENTLE_PASSES ? STRAIN_GENTLE_RELAXATION : STRAIN_OVER_RELAXATION;
}

/**
 * One pass over some records. Squares tell which have a strain to limit: roots and divisions are left to those.
 * @returns True if any is beyond {@link STRAIN_STOP}
 */
// @ts-ignore: decorator
@inline
function limit(x: usize, record: usize, end: usize, pull: f32): bool {
    const longest: f32 = 1 / (1 - STRAIN_LIMIT);
    let isLeft = false;
    for (; record < end; record += DistanceRecord.count) {
        const d0 = difference(x, record, 0);
        const d1 = difference(x, record, 1);
        const d2 = difference(x, record, 2);
        const d3 = difference(x, record, 3);
        const most = f32x4.mul(v128.load(record, DistanceRecord.restLengths), f32x4.splat(longest));
        if (!v128.any_true(f32x4.gt(squaredLengths(d0, d1, d2, d3), f32x4.mul(most, most)))) continue;
        const strain = strains(record, d0, d1, d2, d3);
        const beyond = f32x4.sub(strain, f32x4.splat(STRAIN_LIMIT));
        const weights = f32x4.add(v128.load(record, DistanceRecord.weightsA), v128.load(record, DistanceRecord.weightsB));
        // NaN strains keep the bound; constraints pinned at both ends have no weights.
        const bounded = f32x4.pmax(f32x4.splat(0), f32x4.mul(f32x4.splat(pull), beyond));
        const areFree = f32x4.gt(weights, f32x4.splat(0));
        const excess = v128.and(bounded, areFree);
        if (!v128.any_true(excess)) continue;
        isLeft = isLeft || v128.any_true(v128.and(f32x4.gt(strain, f32x4.splat(STRAIN_STOP)), areFree));
        const whole = f32x4.div(excess, f32x4.pmax(f32x4.splat(f32.MIN_NORMAL_VALUE), weights));
        moveOutOfLine(x, record, weighted(record, whole, 0), weighted(record, whole, 16), d0, d1, d2, d3);
    }
    return isLeft;
}
