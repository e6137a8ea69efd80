/** Verlet integration and bounds. */
import { hoist, largestOf, splat0, splat1, splat2, splat3, xyz0 } from "./simd";
import { BLOCK, ParticleArrays, ROW, Uniform, rowOffset } from "./layout.generated";

/** Four rows a turn; nothing crosses lanes. */
export function integrate(particles: ParticleArrays): void {
    let x = particles.positions;
    let previous = particles.previous;
    let residuals = particles.residuals;
    let inverseMasses = particles.inverseMasses;
    const uniforms = particles.uniforms;
    const zero = f32x4.splat(0);
    const kept = v128.load32_splat(uniforms, Uniform.displacementFactor);
    const gravity = hoist(xyz0(v128.load(uniforms, Uniform.gravity)), 0);
    const limit = v128.load32_splat(uniforms, Uniform.maxDisplacement);
    const lowerLimit = hoist(f32x4.neg(limit), 1);
    const end = x + rowOffset(particles.paddedCount);
    while (x < end) {
        const isFree = f32x4.gt(v128.load(inverseMasses), zero);
        advance(x, previous, residuals, kept, gravity, lowerLimit, limit, splat0(isFree));
        advance(x + 16, previous + 16, residuals + 16, kept, gravity, lowerLimit, limit, splat1(isFree));
        advance(x + 32, previous + 32, residuals + 32, kept, gravity, lowerLimit, limit, splat2(isFree));
        advance(x + 48, previous + 48, residuals + 48, kept, gravity, lowerLimit, limit, splat3(isFree));
        x += 64;
        previous += 64;
        residuals += 64;
        inverseMasses += 16;
    }
}

// @ts-ignore: decorator
@inline
function advance(
    x: usize, previous: usize, residuals: usize,
    kept: v128, gravity: v128, lowerLimit: v128, limit: v128, isFree: v128,
): void {
    const position = v128.load(x);
    const velocity = f32x4.add(f32x4.sub(position, v128.load(previous)), v128.load(residuals));
    const moved = f32x4.add(f32x4.mul(velocity, kept), gravity);
    const displacement = v128.and(f32x4.pmax(lowerLimit, f32x4.pmin(limit, moved)), isFree);
    const next = f32x4.add(position, displacement);
    v128.store(x, next);
    v128.store(residuals, f32x4.sub(displacement, f32x4.sub(next, position)));
    v128.store(previous, position);
}

/** The boxes over positions and previous positions; four rows a turn, since each minimum waits for the one before. */
export function measureBounds(particles: ParticleArrays): void {
    let x = particles.positions;
    let bounds = particles.blockBounds;
    const toPrevious = particles.previous - x;
    const uniforms = particles.uniforms;
    let lowest = f32x4.splat(Infinity);
    let highest = f32x4.splat(-Infinity);
    const end = x + rowOffset(particles.particleCount);
    while (x < end) {
        let minimum = f32x4.splat(Infinity);
        let maximum = f32x4.splat(-Infinity);
        const blockEnd = min(end, x + rowOffset(BLOCK));
        for (; x + 64 <= blockEnd; x += 64) {
            const p = x + toPrevious;
            const r0 = v128.load(x, 0), r1 = v128.load(x, 16), r2 = v128.load(x, 32), r3 = v128.load(x, 48);
            const p0 = v128.load(p, 0), p1 = v128.load(p, 16), p2 = v128.load(p, 32), p3 = v128.load(p, 48);
            const low = f32x4.pmin(f32x4.pmin(r0, r1), f32x4.pmin(r2, r3));
            const lowBefore = f32x4.pmin(f32x4.pmin(p0, p1), f32x4.pmin(p2, p3));
            const high = f32x4.pmax(f32x4.pmax(r0, r1), f32x4.pmax(r2, r3));
            const highBefore = f32x4.pmax(f32x4.pmax(p0, p1), f32x4.pmax(p2, p3));
            minimum = f32x4.pmin(minimum, f32x4.pmin(low, lowBefore));
            maximum = f32x4.pmax(maximum, f32x4.pmax(high, highBefore));
        }
        for (; x < blockEnd; x += 16) {
            minimum = f32x4.pmin(minimum, f32x4.pmin(v128.load(x), v128.load(x + toPrevious)));
            maximum = f32x4.pmax(maximum, f32x4.pmax(v128.load(x), v128.load(x + toPrevious)));
        }
        v128.store(bounds, minimum, 0);
        v128.store(bounds, maximum, 16);
        bounds += 2 * ROW;
        lowest = f32x4.pmin(lowest, minimum);
        highest = f32x4.pmax(highest, maximum);
    }
    v128.store(uniforms, xyz0(lowest), Uniform.minimum);
    v128.store(uniforms, xyz0(highest), Uniform.maximum);
}

/** The largest of all differences, by two maxima in turn. */
export function measureMotion(particles: ParticleArrays): void {
    let x = particles.positions;
    let stepStart = particles.stepStart;
    const uniforms = particles.uniforms;
    let motion = f32x4.splat(0);
    let motion2 = motion;
    const end = x + rowOffset(particles.paddedCount);
    while (x < end) {
        motion = f32x4.pmax(motion, f32x4.abs(f32x4.sub(v128.load(x, 0), v128.load(stepStart, 0))));
        motion2 = f32x4.pmax(motion2, f32x4.abs(f32x4.sub(v128.load(x, 16), v128.load(stepStart, 16))));
        x += 32;
        stepStart += 32;
    }
    store<f32>(uniforms, largestOf(f32x4.pmax(motion, motion2)), Uniform.motion);
}
