/** Answers what triangles.ts finds. */
import { Contact, TriangleProgress, TriangleRecord } from "../contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../contactLayout";
import { particleOf, rowAt } from "../layout";
import type { ParticleArrays } from "../layout";
import { supportSlot, widen } from "./contacts";
import type { Point } from "./triangleCandidates";
import { dot } from "./triangles";

/**
 * See kernels.ts. Each triangle pushes its corners, in turn; then each corner that has been pushed is answered once, as by one contact along all of its
 * pushes. Friction of each triangle at its own point would be undone by the push of the next one, whose normal is another: cloth crept off a ball.
 */
export function answerTriangles(particles: ParticleArrays, collider: Float32Array, found: TriangleContactArrays): void {
    const { records, recordFloats, progress } = found;
    const end = progress[TriangleProgress.recordCount] * TriangleRecord.count;
    for (let record = 0; record < end; record += TriangleRecord.count) {
        pushCorners(particles, collider, found, record, recordFloats.subarray(record + TriangleRecord.normal));
    }
    for (let record = 0; record < end; record += TriangleRecord.count) {
        for (let corner = record; corner < record + 3; corner++)
            answerCorner(particles, collider, found.pushes, rowAt(records[corner]));
    }
}

/** Pushes the corners of the triangle of a record, so that its point comes out along the normal n. */
function pushCorners(
    { positions: x, previous: p, residuals: r, inverseMasses }: ParticleArrays,
    collider: Float32Array,
    { records, recordFloats, contacts, pushes }: TriangleContactArrays,
    record: number,
    n: Float32Array,
): void {
    const rows = [rowAt(records[record]), rowAt(records[record + 1]), rowAt(records[record + 2])];
    const shares = recordFloats.subarray(record + TriangleRecord.shares, record + TriangleRecord.shares + 3);
    const q: Point = [0, 0, 0];
    const from: Point = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
        for (let c = 0; c < 3; c++) {
            const o = rows[i] + c;
            q[c] += shares[i] * x[o];
            from[c] += shares[i] * (p[o] - r[o]);
        }
    }
    const depth = recordFloats[record + TriangleRecord.offset] - (q[0] * n[0] + q[1] * n[1] + q[2] * n[2]);
    if (!(depth > 0)) return;
    if (contacts.areHeeded[0] > 0 && rows.some((o, i) => shares[i] > 0 && isHeld(o, contacts, n, collider[Contact.name]))) return;
    for (let c = 0; c < 3; c++) q[c] += n[c] * depth;
    const d = against(collider, q, from);
    // What comes from farther within has been passed by the solid: out is on the other side, and its particles know.
    if (d[0] * n[0] + d[1] * n[1] + d[2] * n[2] > 2 * depth + collider[Contact.thickness]) return;
    const weights = rows.map((o, i) => shares[i] * inverseMasses[o >> 2]);
    const whole = weights[0] * shares[0] + weights[1] * shares[1] + weights[2] * shares[2];
    // All that bears the point is pinned.
    if (!(whole > 0)) return;
    // No corner moves more than twice as far as the point: where others are pinned, it takes a few substeps.
    const scale = 1 / Math.max(whole, Math.max(...weights) / 2);
    for (let i = 0; i < 3; i++) {
        for (let c = 0; c < 3; c++) {
            const push = n[c] * depth * (weights[i] * scale);
            x[rows[i] + c] += push;
            pushes[rows[i] + c] += push;
        }
    }
}

/** Answers all pushes of the corner at slot o: friction, and no more speed away than it had. What answerContacts does with a contact as deep. */
function answerCorner(particles: ParticleArrays, collider: Float32Array, pushes: Float32Array, o: number): void {
    const { positions: x, previous: p, residuals: r } = particles;
    const n: Point = [pushes[o], pushes[o + 1], pushes[o + 2]];
    const length = Math.sqrt(dot(n, n));
    if (!(length > 0)) return;
    pushes.fill(0, o, o + 4);
    for (let c = 0; c < 3; c++) n[c] /= length;
    const d = against(collider, [x[o], x[o + 1], x[o + 2]], [p[o] - r[o], p[o + 1] - r[o + 1], p[o + 2] - r[o + 2]]);
    const normal = dot(d, n);
    for (let c = 0; c < 3; c++) d[c] -= n[c] * normal;
    const slide = Math.sqrt(dot(d, d));
    const grip = collider[Contact.friction] * length;
    const stick = slide > grip ? grip / slide : 1;
    const away = Math.min(length, Math.max(0, normal));
    for (let c = 0; c < 3; c++) {
        x[o + c] -= d[c] * stick;
        r[o + c] -= n[c] * away;
    }
    widen(particles, o);
}

/** The displacement of a point from p to q against the material of a collider. */
function against(collider: Float32Array, q: Point, p: Point): Point {
    const m = Contact.motion;
    const along = (c: number): number =>
        q[c] - p[c] - (q[0] * collider[m + c] + q[1] * collider[m + 4 + c] + q[2] * collider[m + 8 + c] + collider[m + 12 + c]);
    return [along(0), along(1), along(2)];
}

/** Whether the particle at slot o has a support that a push along n goes against: what is squeezed is left to its particles. */
function isHeld(o: number, { supports, squeezers }: ContactArrays, n: Float32Array, name: number): boolean {
    if (squeezers[particleOf(o)] === name) return true;
    const s = supportSlot(o);
    return n[0] * supports[s] + n[1] * supports[s + 4] + n[2] * supports[s + 8] < 0;
}
