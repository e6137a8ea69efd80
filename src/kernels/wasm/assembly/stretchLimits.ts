/** Limits of strain, four sticks at once; specification: scalar/stretchLimits.ts. */
import { largestOf, squaredLengths } from "./lanes";
import { ParticleArrays, StickArrays, StickRecord, Uniform } from "./layout.generated";
import { difference, move, weighted } from "./sticks";

const MOST: f32 = 0.04;
const PULL: f32 = 1.5;
const PASSES = 4;

export function limitStretch(particles: ParticleArrays, sticks: StickArrays): void {
    const uniforms = particles.uniforms;
    for (let pass = 0; pass < PASSES && load<f32>(uniforms, Uniform.strain) > MOST; pass++) {
        store<f32>(uniforms, limit(particles.positions, sticks), Uniform.strain);
    }
}

function limit(x: usize, sticks: StickArrays): f32 {
    let record = sticks.records;
    const end = record + <usize>(sticks.stickCount >> 2) * StickRecord.count;
    let largest = f32x4.splat(0);
    for (; record < end; record += StickRecord.count) {
        const d0 = difference(x, record, 0);
        const d1 = difference(x, record, 1);
        const d2 = difference(x, record, 2);
        const d3 = difference(x, record, 3);
        const length = f32x4.sqrt(squaredLengths(d0, d1, d2, d3));
        const strain = f32x4.div(f32x4.sub(length, v128.load(record, StickRecord.restLengths)), length);
        // The bound remains of what is no number.
        largest = f32x4.pmax(largest, strain);
        const excess = f32x4.pmax(f32x4.splat(0), f32x4.mul(f32x4.splat(PULL), f32x4.sub(strain, f32x4.splat(MOST))));
        if (v128.any_true(excess)) move(x, record, weighted(record, excess, 0), weighted(record, excess, 16), d0, d1, d2, d3);
    }
    return largestOf(largest);
}
