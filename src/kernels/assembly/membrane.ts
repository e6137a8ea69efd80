/**
 * Stretch and shear of triangles (Baraff & Witkin 1998, §4.1 and 4.2). A triangle has coordinates u, v at rest, along warp and weft; of its positions x,
 *
 *     w_u = ∂x/∂u = Σ α_i x_i,   w_v = Σ β_i x_i,      C_u = √a (|w_u| - 1),   C_v = √a (|w_v| - 1),   C_s = √a w_u · w_v
 *
 * with the root of its area a in place of the paper's a, so that ½ k C² is an energy of the sheet, k [N/m], on any mesh. Compression
 * gets no transverse stiffness (Choi & Ko 2002, §3: its second derivative makes matrices indefinite). All three together, of each pair of corners:
 *
 *     A_ij += α_i α_j U + β_i β_j V + α_i β_j W + β_i α_j Wᵀ,      W = H w_v w_uᵀ,      H = (h² + h β) k a of shear,
 *     U = P n nᵀ + T (I - n nᵀ) + H w_v w_vᵀ,      n = w_u / |w_u|,      P = (h² + h β) k a,      T = h² k a (1 - 1/|w_u|) where it is > 0
 */
import { MembraneArrays, MembraneNumber, SystemArrays, SystemNumber, TriangleBlocks } from "./layout.generated";
import { splat0, splat1, splat2 } from "./simd";
import { addBlock, blockAt, subtractForce, rowFrom } from "./sparseSystem";
import { double, putDouble, word } from "./memory";

/** Force of the stretch along an axis: coefficients along w and along the differential of w; and its block, coefficients of n nᵀ and of I. */
let alongW: f64 = 0;
let alongRate: f64 = 0;
let stiffPart: f64 = 0;
let tension: f64 = 0;

export function addMembrane(system: SystemArrays, membrane: MembraneArrays): void {
    const count = <usize>membrane.triangleCount;
    const h = <f64>load<f32>(system.numbers, SystemNumber.step);
    const damping = <f64>load<f32>(system.numbers, SystemNumber.damping);
    const warp = double(membrane.stiffnesses + 2 * MembraneNumber.warp, 0);
    const weft = double(membrane.stiffnesses + 2 * MembraneNumber.weft, 0);
    const shear = double(membrane.stiffnesses + 2 * MembraneNumber.shear, 0);
    const x = system.places;
    const v = system.velocities;
    for (let t: usize = 0; t < count; t++) {
        const particles = membrane.particles + 12 * t;
        const weights = membrane.weights + 48 * t;
        const a = <usize>word(particles, 0) * 24;
        const b = <usize>word(particles, 1) * 24;
        const c = <usize>word(particles, 2) * 24;
        const area = double(membrane.areas, t);
        // w_u, w_v, and what becomes of them in a second.
        const ux = weightedSum(x, a, b, c, weights);
        const uy = weightedSum(x + 8, a, b, c, weights);
        const uz = weightedSum(x + 16, a, b, c, weights);
        const vx = weightedSum(x, a, b, c, weights + 24);
        const vy = weightedSum(x + 8, a, b, c, weights + 24);
        const vz = weightedSum(x + 16, a, b, c, weights + 24);
        const rux = weightedSum(v, a, b, c, weights);
        const ruy = weightedSum(v + 8, a, b, c, weights);
        const ruz = weightedSum(v + 16, a, b, c, weights);
        const rvx = weightedSum(v, a, b, c, weights + 24);
        const rvy = weightedSum(v + 8, a, b, c, weights + 24);
        const rvz = weightedSum(v + 16, a, b, c, weights + 24);
        const squaredU = ux * ux + uy * uy + uz * uz;
        const squaredV = vx * vx + vy * vy + vz * vz;
        putDouble(membrane.strains, 2 * t, Math.abs(Math.sqrt(squaredU) - 1));
        putDouble(membrane.strains, 2 * t + 1, Math.abs(Math.sqrt(squaredV) - 1));
        const sheared =
            ux * vx + uy * vy + uz * vz + (h + damping) * (rux * vx + ruy * vy + ruz * vz + (ux * rvx + uy * rvy + uz * rvz));
        const turned = h * shear * area * sheared;
        const hardShear = f32x4.splat(<f32>((h * h + h * damping) * shear * area));
        const u = rowFrom(ux, uy, uz);
        const w = rowFrom(vx, vy, vz);
        const hu = f32x4.mul(hardShear, u);
        const hw = f32x4.mul(hardShear, w);

        stretch(squaredU, ux * rux + uy * ruy + uz * ruz, warp * area, h, damping);
        const pux = alongW * ux + alongRate * rux + turned * vx;
        const puy = alongW * uy + alongRate * ruy + turned * vy;
        const puz = alongW * uz + alongRate * ruz + turned * vz;
        const ku = f32x4.mul(f32x4.splat(<f32>stiffPart), u);
        const tu = f32x4.replace_lane(f32x4.splat(0), 0, <f32>tension);
        const u0 = f32x4.add(f32x4.add(f32x4.mul(ku, splat0(u)), f32x4.mul(hw, splat0(w))), tu);
        const u1 = f32x4.add(f32x4.add(f32x4.mul(ku, splat1(u)), f32x4.mul(hw, splat1(w))), v128.shuffle<f32>(tu, tu, 1, 0, 1, 1));
        const u2 = f32x4.add(f32x4.add(f32x4.mul(ku, splat2(u)), f32x4.mul(hw, splat2(w))), v128.shuffle<f32>(tu, tu, 1, 1, 0, 1));

        stretch(squaredV, vx * rvx + vy * rvy + vz * rvz, weft * area, h, damping);
        const pvx = alongW * vx + alongRate * rvx + turned * ux;
        const pvy = alongW * vy + alongRate * rvy + turned * uy;
        const pvz = alongW * vz + alongRate * rvz + turned * uz;
        const kw = f32x4.mul(f32x4.splat(<f32>stiffPart), w);
        const tw = f32x4.replace_lane(f32x4.splat(0), 0, <f32>tension);
        const v0 = f32x4.add(f32x4.add(f32x4.mul(kw, splat0(w)), f32x4.mul(hu, splat0(u))), tw);
        const v1 = f32x4.add(f32x4.add(f32x4.mul(kw, splat1(w)), f32x4.mul(hu, splat1(u))), v128.shuffle<f32>(tw, tw, 1, 0, 1, 1));
        const v2 = f32x4.add(f32x4.add(f32x4.mul(kw, splat2(w)), f32x4.mul(hu, splat2(u))), v128.shuffle<f32>(tw, tw, 1, 1, 0, 1));

        let slots = membrane.blocks + TriangleBlocks.count * t;
        for (let i: usize = 0; i < 3; i++) {
            const ai = double(weights, i);
            const bi = double(weights, 3 + i);
            subtractForce(system, word(particles, i), ai * pux + bi * pvx, ai * puy + bi * pvy, ai * puz + bi * pvz);
            for (let j = i + 1; j < 3; j++, slots += 8) {
                const aj = double(weights, j);
                const bj = double(weights, 3 + j);
                const aa = f32x4.splat(<f32>(ai * aj));
                const bb = f32x4.splat(<f32>(bi * bj));
                const ab = f32x4.splat(<f32>(ai * bj));
                const ba = f32x4.splat(<f32>(bi * aj));
                const x0 = f32x4.add(f32x4.mul(aa, u0), f32x4.mul(bb, v0));
                const x1 = f32x4.add(f32x4.mul(aa, u1), f32x4.mul(bb, v1));
                const x2 = f32x4.add(f32x4.mul(aa, u2), f32x4.mul(bb, v2));
                // W and its transpose.
                const p = f32x4.mul(ab, hw);
                const q = f32x4.mul(ba, hu);
                addBlock(
                    blockAt(system.blocks, load<u32>(slots)),
                    f32x4.add(x0, f32x4.add(f32x4.mul(p, splat0(u)), f32x4.mul(q, splat0(w)))),
                    f32x4.add(x1, f32x4.add(f32x4.mul(p, splat1(u)), f32x4.mul(q, splat1(w)))),
                    f32x4.add(x2, f32x4.add(f32x4.mul(p, splat2(u)), f32x4.mul(q, splat2(w)))),
                );
                const r = f32x4.mul(ab, u);
                const s = f32x4.mul(ba, w);
                addBlock(
                    blockAt(system.blocks, load<u32>(slots, 4)),
                    f32x4.add(x0, f32x4.add(f32x4.mul(r, splat0(hw)), f32x4.mul(s, splat0(hu)))),
                    f32x4.add(x1, f32x4.add(f32x4.mul(r, splat1(hw)), f32x4.mul(s, splat1(hu)))),
                    f32x4.add(x2, f32x4.add(f32x4.mul(r, splat2(hw)), f32x4.mul(s, splat2(hu)))),
                );
            }
        }
    }
}

/**
 * Growth of a triangle's largest strain, along warp or weft, since the step began. If contact has stretched some triangles before, the others may follow
 * them: contacts act between substeps only, and shorter steps would not help.
 */
export function measureStrain(system: SystemArrays, membrane: MembraneArrays): void {
    const count = <usize>membrane.triangleCount;
    const x = system.places;
    let before: f64 = 0;
    let most: f64 = 0;
    for (let t: usize = 0; t < count; t++) {
        const particles = membrane.particles + 12 * t;
        const a = <usize>word(particles, 0) * 24;
        const b = <usize>word(particles, 1) * 24;
        const c = <usize>word(particles, 2) * 24;
        for (let axis: usize = 0; axis < 2; axis++) {
            const weights = membrane.weights + 48 * t + 24 * axis;
            const wx = weightedSum(x, a, b, c, weights);
            const wy = weightedSum(x + 8, a, b, c, weights);
            const wz = weightedSum(x + 16, a, b, c, weights);
            const strain = Math.abs(Math.sqrt(wx * wx + wy * wy + wz * wz) - 1);
            before = max(before, double(membrane.strains, 2 * t + axis));
            if (!(strain <= most)) most = strain;
        }
    }
    store<f32>(system.numbers, <f32>(most - before), SystemNumber.strain);
}

/** Writes what stretch along an axis (0: warp, 3: weft) pushes by, and its block. @param stiffness times area */
// @ts-ignore: decorator
@inline
function stretch(squared: f64, rate: f64, stiffness: f64, h: f64, damping: f64): void {
    const length = Math.sqrt(squared);
    const share = length > 0 ? 1 / length : 0;
    tension = length > 1 ? h * h * stiffness * (1 - share) : 0;
    const subtractForce = length > 0 ? h * stiffness * (length - 1 + (h + damping) * rate * share) - tension * rate * share : 0;
    stiffPart = length > 0 ? ((h * h + h * damping) * stiffness - tension) * share * share : 0;
    alongW = subtractForce * share;
    alongRate = tension;
}

/** A coordinate of the weighted sum of the corners. */
// @ts-ignore: decorator
@inline
function weightedSum(x: usize, a: usize, b: usize, c: usize, weights: usize): f64 {
    return double(weights, 0) * load<f64>(x + a) + double(weights, 1) * load<f64>(x + b) + double(weights, 2) * load<f64>(x + c);
}
