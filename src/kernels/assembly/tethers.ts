/** Tether projection. */
import { dotRows, splat0, splat1, splat2, splat3, squaredLengths } from "./simd";
import { ParticleArrays, rowOffset, TetherArrays, wordOffset, TetherOrderArrays } from "./layout.generated";
import { double, put, putReal, real, word } from "./memory";

/**
 * Four tethers at once. Most are slack most of the time, so the root and the division are left to the groups that have a
 * taut one.
 */
export function projectTethers(particles: ParticleArrays, tethers: TetherArrays): void {
    const x = particles.positions;
    const toPrevious = particles.previous - x;
    let held = tethers.particles;
    let anchors = tethers.anchors;
    let maxLengths = tethers.maxLengths;
    const end = held + wordOffset(tethers.tetherCount);
    while (held < end) {
        const p0 = x + rowOffset(load<u32>(held, 0));
        const p1 = x + rowOffset(load<u32>(held, 4));
        const p2 = x + rowOffset(load<u32>(held, 8));
        const p3 = x + rowOffset(load<u32>(held, 12));
        const a0 = x + rowOffset(load<u32>(anchors, 0));
        const a1 = x + rowOffset(load<u32>(anchors, 4));
        const a2 = x + rowOffset(load<u32>(anchors, 8));
        const a3 = x + rowOffset(load<u32>(anchors, 12));
        const d0 = f32x4.sub(v128.load(p0), v128.load(a0));
        const d1 = f32x4.sub(v128.load(p1), v128.load(a1));
        const d2 = f32x4.sub(v128.load(p2), v128.load(a2));
        const d3 = f32x4.sub(v128.load(p3), v128.load(a3));
        const squared = squaredLengths(d0, d1, d2, d3);
        const limit = v128.load(maxLengths);
        const isTaut = f32x4.gt(squared, f32x4.mul(limit, limit));
        if (v128.any_true(isTaut)) {
            const e0 = f32x4.sub(v128.load(p0 + toPrevious), v128.load(a0 + toPrevious));
            const e1 = f32x4.sub(v128.load(p1 + toPrevious), v128.load(a1 + toPrevious));
            const e2 = f32x4.sub(v128.load(p2 + toPrevious), v128.load(a2 + toPrevious));
            const e3 = f32x4.sub(v128.load(p3 + toPrevious), v128.load(a3 + toPrevious));
            const product = dotRows(d0, e0, d1, e1, d2, e2, d3, e3);
            const w = v128.and(f32x4.splat(1), f32x4.gt(product, f32x4.splat(0)));
            // A slack particle keeps its place to the last bit: its correction is masked to zero.
            const strain = f32x4.sub(f32x4.splat(1), f32x4.div(limit, f32x4.sqrt(squared)));
            const share = f32x4.div(f32x4.mul(strain, squared), f32x4.add(squared, f32x4.mul(w, product)));
            const k = v128.and(share, isTaut);
            v128.store(p0, f32x4.sub(v128.load(p0), f32x4.mul(f32x4.add(d0, f32x4.mul(e0, splat0(w))), splat0(k))));
            v128.store(p1, f32x4.sub(v128.load(p1), f32x4.mul(f32x4.add(d1, f32x4.mul(e1, splat1(w))), splat1(k))));
            v128.store(p2, f32x4.sub(v128.load(p2), f32x4.mul(f32x4.add(d2, f32x4.mul(e2, splat2(w))), splat2(k))));
            v128.store(p3, f32x4.sub(v128.load(p3), f32x4.mul(f32x4.add(d3, f32x4.mul(e3, splat3(w))), splat3(k))));
        }
        held += 16;
        anchors += 16;
        maxLengths += 16;
    }
}

/** Tethers in rounds. In doubles, to the bit. */

export function countTethers(tethers: TetherOrderArrays): void {
    const slots = tethers.slots;
    const rounds = tethers.rounds;
    let longest: f64 = 0;
    for (let p: u32 = 0; p < tethers.particleCount; p++) {
        if (real(tethers.inverseMasses, p) == 0) continue;
        const count = word(tethers.counts, p);
        for (let k: u32 = 0; k < count; k++) {
            put(rounds, k, word(rounds, k) + 1);
            longest = max<f64>(longest, real(tethers.distances, p * slots + k));
        }
    }
    putReal(tethers.longest, 0, longest);
}

export function orderTethers(tethers: TetherOrderArrays): void {
    const slots = tethers.slots;
    const order = tethers.order;
    const next = tethers.next;
    const sources = tethers.sources;
    const labels = tethers.labels;
    const scale = double(tethers.scale, 0);
    for (let p: u32 = 0; p < tethers.particleCount; p++) {
        if (real(tethers.inverseMasses, p) == 0) continue;
        const count = word(tethers.counts, p);
        for (let k: u32 = 0; k < count; k++) {
            const e = p * slots + k;
            const label = word(labels, word(sources, e));
            let r = k;
            for (; r > 0 && word(labels, word(sources, word(order, r - 1))) > label; r--) put(order, r, word(order, r - 1));
            put(order, r, e);
        }
        for (let r: u32 = 0; r < count; r++) {
            const t = word(next, r);
            const e = word(order, r);
            put(next, r, t + 1);
            put(tethers.particles, t, p);
            put(tethers.anchors, t, word(sources, e));
            putReal(tethers.lengths, t, real(tethers.distances, e) * scale);
        }
    }
}
