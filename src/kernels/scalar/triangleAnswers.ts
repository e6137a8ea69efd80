/** Answers what triangles.ts finds. */
import { Contact, TriangleProgress, TriangleRecord } from "../contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { supportSlot, widen } from "./contacts";
import type { Point } from "./triangleCandidates";
import { dot } from "./triangles";

/** See kernels.ts. What answerContacts does with a particle, it does with the point of the triangle. */
export function answerTriangles(particles: ParticleArrays, collider: Float32Array, found: TriangleContactArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses } = particles;
    const { records, recordFloats, progress, contacts } = found;
    const areHeeded = contacts.areHeeded[0] > 0;
    const m = Contact.motion;
    for (let k = 0; k < progress[TriangleProgress.recordCount]; k++) {
        const record = k * TriangleRecord.count;
        const rows = [records[record] >>> 2, records[record + 1] >>> 2, records[record + 2] >>> 2];
        const shares = recordFloats.subarray(record + TriangleRecord.shares, record + TriangleRecord.shares + 3);
        const n = recordFloats.subarray(record + TriangleRecord.normal, record + TriangleRecord.normal + 3);
        const q: Point = [0, 0, 0];
        const d: Point = [0, 0, 0];
        for (let i = 0; i < 3; i++) {
            for (let c = 0; c < 3; c++) {
                const o = rows[i] + c;
                q[c] += shares[i] * x[o];
                d[c] += shares[i] * (x[o] - p[o] + r[o]);
            }
        }
        const depth = recordFloats[record + TriangleRecord.offset] - (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]);
        if (!(depth > 0)) continue;
        if (areHeeded && rows.some((o) => isHeld(o, contacts, n, collider[Contact.name]))) continue;
        for (let c = 0; c < 3; c++) q[c] += n[c] * depth;
        for (let c = 0; c < 3; c++) {
            d[c] +=
                n[c] * depth -
                (q[0] * collider[m + c] + q[1] * collider[m + 4 + c] + q[2] * collider[m + 8 + c] + collider[m + 12 + c]);
        }
        const normal = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
        // What comes from farther within has been passed by the solid: out is on the other side, and its particles know.
        if (normal > 2 * depth + collider[Contact.thickness]) continue;
        for (let c = 0; c < 3; c++) d[c] -= normal * n[c];
        const slide = Math.sqrt(dot(d, d));
        const grip = collider[Contact.friction] * depth;
        const stick = slide > grip ? grip / slide : 1;
        for (let c = 0; c < 3; c++) d[c] = n[c] * depth - d[c] * stick;
        const away = Math.max(0, normal);
        const weights = rows.map((o, i) => shares[i] * inverseMasses[o >> 2]);
        const whole = weights[0] * shares[0] + weights[1] * shares[1] + weights[2] * shares[2];
        // No corner moves more than twice as far as the point: where others are pinned, it takes a few substeps.
        const scale = 1 / Math.max(whole, Math.max(...weights) / 2);
        for (let i = 0; i < 3; i++) {
            const weight = weights[i] * scale;
            if (!(weight > 0)) continue;
            const o = rows[i];
            for (let c = 0; c < 3; c++) {
                x[o + c] += d[c] * weight;
                r[o + c] -= n[c] * away * weight;
            }
            widen(particles, o);
        }
    }
}

/** Whether the particle at slot o has a support that a push along n goes against: what is squeezed is left to its particles. */
function isHeld(o: number, { supports, squeezers }: ContactArrays, n: Float32Array, name: number): boolean {
    if (squeezers[o >>> 2] === name) return true;
    const s = supportSlot(o);
    return n[0] * supports[s] + n[1] * supports[s + 4] + n[2] * supports[s + 8] < 0;
}
