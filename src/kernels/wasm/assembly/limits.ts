/** Limits, sticks that only pull; specification: scalar/sticks.ts. */
import { splat0, splat1, splat2, splat3, squaredLengths } from "./lanes";

export function projectLimits(
    x: usize, particlesA: usize, particlesB: usize, restLengths: usize, weightsA: usize, weightsB: usize,
    start: usize, end: usize,
): void {
    const zero = f32x4.splat(0);
    end <<= 2;
    for (let s = start << 2; s < end; s += 16) {
        const pa = particlesA + s;
        const a0 = x + (<usize>load<u32>(pa, 0) << 4);
        const a1 = x + (<usize>load<u32>(pa, 4) << 4);
        const a2 = x + (<usize>load<u32>(pa, 8) << 4);
        const a3 = x + (<usize>load<u32>(pa, 12) << 4);
        const pb = particlesB + s;
        const b0 = x + (<usize>load<u32>(pb, 0) << 4);
        const b1 = x + (<usize>load<u32>(pb, 4) << 4);
        const b2 = x + (<usize>load<u32>(pb, 8) << 4);
        const b3 = x + (<usize>load<u32>(pb, 12) << 4);
        const xa0 = v128.load(a0);
        const xa1 = v128.load(a1);
        const xa2 = v128.load(a2);
        const xa3 = v128.load(a3);
        const xb0 = v128.load(b0);
        const xb1 = v128.load(b1);
        const xb2 = v128.load(b2);
        const xb3 = v128.load(b3);
        const d0 = f32x4.sub(xb0, xa0);
        const d1 = f32x4.sub(xb1, xa1);
        const d2 = f32x4.sub(xb2, xa2);
        const d3 = f32x4.sub(xb3, xa3);
        const length = f32x4.sqrt(squaredLengths(d0, d1, d2, d3));
        const stretch = f32x4.div(f32x4.sub(length, v128.load(restLengths + s)), length);
        // A negative stretch, and the NaN of a stick without length, become zero.
        const strain = f32x4.pmax(zero, stretch);
        const ka = f32x4.mul(strain, v128.load(weightsA + s));
        const kb = f32x4.mul(strain, v128.load(weightsB + s));
        v128.store(a0, f32x4.add(xa0, f32x4.mul(d0, splat0(ka))));
        v128.store(a1, f32x4.add(xa1, f32x4.mul(d1, splat1(ka))));
        v128.store(a2, f32x4.add(xa2, f32x4.mul(d2, splat2(ka))));
        v128.store(a3, f32x4.add(xa3, f32x4.mul(d3, splat3(ka))));
        v128.store(b0, f32x4.sub(xb0, f32x4.mul(d0, splat0(kb))));
        v128.store(b1, f32x4.sub(xb1, f32x4.mul(d1, splat1(kb))));
        v128.store(b2, f32x4.sub(xb2, f32x4.mul(d2, splat2(kb))));
        v128.store(b3, f32x4.sub(xb3, f32x4.mul(d3, splat3(kb))));
    }
}
