/** Tethers in rounds. In doubles, to the bit. */
import { TetherOrderArrays } from "./layout.generated";
import { double, put, putReal, real, word } from "./memory";

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
