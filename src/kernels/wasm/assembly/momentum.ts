/** Momentum of a body, and what gives it back. */
import { hoist, largestOf, xyz0 } from "./lanes";
import { ParticleArrays, Uniform, rowOffset } from "./layout.generated";

/**
 * Sums over the particles, to the uniforms (see there): mass, first and second moments, momentum and spin. Places a are told from that of the first
 * particle, displacements d = x - p + r from `reference`, so that little of them is lost to rounding, however far and fast the body goes.
 */
export function measureMomentum(particles: ParticleArrays): void {
    let x = particles.positions;
    let inverseMasses = particles.inverseMasses;
    const toPrevious = particles.previous - x;
    const toResiduals = particles.residuals - x;
    const uniforms = particles.uniforms;
    const zero = f32x4.splat(0);
    const one = hoist(f32x4.splat(1), 0);
    const origin = hoist(v128.load(x), 1);
    const reference = hoist(xyz0(v128.load(uniforms, Uniform.reference)), 2);
    let fastest = zero, moments = zero, squares = zero, products = zero;
    let masses = f64x2.splat(0), momentumLow = masses, momentumHigh = momentumLow, spinLow = momentumLow, spinHigh = momentumLow;
    for (const end = x + rowOffset(particles.particleCount); x < end; x += 16, inverseMasses += 4) {
        const w = v128.load32_splat(inverseMasses);
        const m = v128.and(f32x4.div(one, w), f32x4.gt(w, zero));
        const a = f32x4.sub(v128.load(x), origin);
        const gone = displacement(x, toPrevious, toResiduals);
        const d = f32x4.mul(m, f32x4.sub(gone, reference));
        const ma = f32x4.mul(m, a);
        const turned = yzx(a);
        masses = f64x2.add(masses, f64x2.promote_low_f32x4(m));
        fastest = f32x4.pmax(fastest, f32x4.abs(gone));
        moments = f32x4.add(moments, ma);
        squares = f32x4.add(squares, f32x4.mul(ma, a));
        products = f32x4.add(products, f32x4.mul(ma, turned));
        momentumLow = f64x2.add(momentumLow, f64x2.promote_low_f32x4(d));
        momentumHigh = f64x2.add(momentumHigh, f64x2.promote_low_f32x4(highHalf(d)));
        // The cross product's z x y.
        const spin = f32x4.sub(f32x4.mul(a, yzx(d)), f32x4.mul(turned, d));
        spinLow = f64x2.add(spinLow, f64x2.promote_low_f32x4(spin));
        spinHigh = f64x2.add(spinHigh, f64x2.promote_low_f32x4(highHalf(spin)));
    }
    v128.store(uniforms, xyz0(moments), Uniform.moments);
    v128.store(uniforms, xyz0(squares), Uniform.squares);
    v128.store(uniforms, xyz0(products), Uniform.products);
    const momentum = together(momentumLow, momentumHigh);
    v128.store(uniforms, momentum, Uniform.momentum);
    momentumLow = f64x2.sub(momentumLow, f64x2.promote_low_f32x4(momentum));
    momentumHigh = f64x2.sub(momentumHigh, f64x2.promote_low_f32x4(highHalf(momentum)));
    v128.store(uniforms, together(momentumLow, momentumHigh), Uniform.momentumRest);
    v128.store(uniforms, xyz0(yzx(together(spinLow, spinHigh))), Uniform.spin);
    store<f32>(uniforms, <f32>f64x2.extract_lane(masses, 0), Uniform.mass);
    store<f32>(uniforms, largestOf(fastest), Uniform.fastest);
}

/** Adds the shift and the turn in the uniforms, about the first particle, to the displacements: r += shift + turn × a. What is pinned stays. */
export function addRigidMotion(particles: ParticleArrays): void {
    let x = particles.positions;
    let inverseMasses = particles.inverseMasses;
    const toResiduals = particles.residuals - x;
    const uniforms = particles.uniforms;
    const zero = f32x4.splat(0);
    const origin = hoist(v128.load(x), 0);
    const shift = hoist(xyz0(v128.load(uniforms, Uniform.shift)), 1);
    const turn = xyz0(v128.load(uniforms, Uniform.turn));
    const turned = hoist(yzx(turn), 2);
    for (const end = x + rowOffset(particles.particleCount); x < end; x += 16, inverseMasses += 4) {
        const a = f32x4.sub(v128.load(x), origin);
        const crossed = f32x4.sub(f32x4.mul(turn, yzx(a)), f32x4.mul(turned, a));
        const added = v128.and(f32x4.add(shift, yzx(crossed)), f32x4.gt(v128.load32_splat(inverseMasses), zero));
        v128.store(x + toResiduals, f32x4.add(v128.load(x + toResiduals), added));
    }
}

/** x - p + r of the row at `x`. */
// @ts-ignore: decorator
@inline
function displacement(x: usize, toPrevious: usize, toResiduals: usize): v128 {
    return f32x4.add(f32x4.sub(v128.load(x), v128.load(x + toPrevious)), v128.load(x + toResiduals));
}

/** y z x of a row. */
// @ts-ignore: decorator
@inline
function yzx(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 1, 2, 0, 3);
}

/** Lanes 2 and 3, at the places of 0 and 1. */
// @ts-ignore: decorator
@inline
function highHalf(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 2, 3, 0, 1);
}

/** A row of two halves. */
// @ts-ignore: decorator
@inline
function together(low: v128, high: v128): v128 {
    return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}
