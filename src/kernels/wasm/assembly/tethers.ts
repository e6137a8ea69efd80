/** Tether projection; specification: scalar/tethers.ts. */
import { splat0, splat1, splat2, splat3, squaredLengths } from "./lanes";
import { ParticleArrays, TetherArrays, rowOffset } from "./layout.generated";

/**
 * Four tethers at once. Most are slack most of the time, so the root and the division are left to the groups that have a
 * taut one.
 */
export function projectTethers(particles: ParticleArrays, tethers: TetherArrays): void {
    const x = particles.positions;
    let held = tethers.particles;
    let anchors = tethers.anchors;
    let maxLengths = tethers.maxLengths;
    const end = held + (tethers.tetherCount << 2);
    while (held < end) {
        const p0 = x + rowOffset(load<u32>(held, 0));
        const p1 = x + rowOffset(load<u32>(held, 4));
        const p2 = x + rowOffset(load<u32>(held, 8));
        const p3 = x + rowOffset(load<u32>(held, 12));
        const x0 = v128.load(x + rowOffset(load<u32>(anchors, 0)));
        const x1 = v128.load(x + rowOffset(load<u32>(anchors, 4)));
        const x2 = v128.load(x + rowOffset(load<u32>(anchors, 8)));
        const x3 = v128.load(x + rowOffset(load<u32>(anchors, 12)));
        const d0 = f32x4.sub(v128.load(p0), x0);
        const d1 = f32x4.sub(v128.load(p1), x1);
        const d2 = f32x4.sub(v128.load(p2), x2);
        const d3 = f32x4.sub(v128.load(p3), x3);
        const squared = squaredLengths(d0, d1, d2, d3);
        const limit = v128.load(maxLengths);
        const isTaut = f32x4.gt(squared, f32x4.mul(limit, limit));
        if (v128.any_true(isTaut)) {
            // A slack particle keeps its place to the last bit: its correction is masked to zero.
            const k = v128.and(f32x4.sub(f32x4.div(limit, f32x4.sqrt(squared)), f32x4.splat(1)), isTaut);
            v128.store(p0, f32x4.add(v128.load(p0), f32x4.mul(d0, splat0(k))));
            v128.store(p1, f32x4.add(v128.load(p1), f32x4.mul(d1, splat1(k))));
            v128.store(p2, f32x4.add(v128.load(p2), f32x4.mul(d2, splat2(k))));
            v128.store(p3, f32x4.add(v128.load(p3), f32x4.mul(d3, splat3(k))));
        }
        held += 16;
        anchors += 16;
        maxLengths += 16;
    }
}
