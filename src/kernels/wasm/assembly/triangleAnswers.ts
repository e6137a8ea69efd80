/** Answers the contacts of triangles one by one, as rows; specification: scalar/triangleAnswers.ts. */
import { supportAt } from "./contacts";
import { splat0, splat1, splat2, square, sum3, xyz0 } from "./lanes";
import {
    BLOCK, ColliderData, Contact, ContactArrays, ParticleArrays, ROW, rowOffset, SupportRecord, TriangleContactArrays, TriangleProgress,
    TriangleRecord,
} from "./layout.generated";

export function answerTriangles(particles: ParticleArrays, collider: ColliderData, found: TriangleContactArrays): void {
    const positions = particles.positions;
    const toPrevious = particles.previous - positions;
    const toResiduals = particles.residuals - positions;
    const inverseMasses = particles.inverseMasses;
    const boxes = particles.blockBounds;
    const contacts = found.contacts;
    const areHeeded = load<u32>(contacts.areHeeded) > 0;
    const motion = collider + Contact.motion;
    const friction = load<f32>(collider, Contact.friction);
    const thickness = load<f32>(collider, Contact.thickness);
    const name = load<f32>(collider, Contact.name);
    let record = found.records;
    const end = record + <usize>load<u32>(found.progress, TriangleProgress.recordCount) * TriangleRecord.count;
    for (; record < end; record += TriangleRecord.count) {
        const a = <usize>load<u32>(record, TriangleRecord.rows);
        const b = <usize>load<u32>(record, TriangleRecord.rows + 4);
        const c = <usize>load<u32>(record, TriangleRecord.rows + 8);
        const shares = v128.load(record, TriangleRecord.shares);
        const n = v128.load(record, TriangleRecord.normal);
        const sa = splat0(shares), sb = splat1(shares), sc = splat2(shares);
        const xa = positions + a, xb = positions + b, xc = positions + c;
        let q = f32x4.add(f32x4.add(f32x4.mul(sa, v128.load(xa)), f32x4.mul(sb, v128.load(xb))), f32x4.mul(sc, v128.load(xc)));
        const depth = load<f32>(record, TriangleRecord.offset) - sum3(f32x4.mul(q, n));
        if (!(depth > 0)) continue;
        if (areHeeded) {
            if (isHeld(contacts, name, a, n) || isHeld(contacts, name, b, n) || isHeld(contacts, name, c, n)) continue;
        }
        const push = f32x4.mul(n, f32x4.splat(depth));
        const p = f32x4.add(
            f32x4.add(
                f32x4.mul(sa, f32x4.sub(v128.load(xa + toPrevious), v128.load(xa + toResiduals))),
                f32x4.mul(sb, f32x4.sub(v128.load(xb + toPrevious), v128.load(xb + toResiduals)))),
            f32x4.mul(sc, f32x4.sub(v128.load(xc + toPrevious), v128.load(xc + toResiduals))));
        q = f32x4.add(q, push);
        let d = f32x4.sub(f32x4.sub(q, p), xyz0(f32x4.add(
            f32x4.add(
                f32x4.mul(splat0(q), v128.load(motion, 0)), f32x4.mul(splat1(q), v128.load(motion, 16))),
            f32x4.add(f32x4.mul(splat2(q), v128.load(motion, 32)), v128.load(motion, 48)))));
        const normal = sum3(f32x4.mul(d, n));
        if (normal > depth + depth + thickness) continue;
        d = f32x4.sub(d, f32x4.mul(n, f32x4.splat(normal)));
        const slide = <f32>Math.sqrt(sum3(square(d)));
        const grip = friction * depth;
        d = f32x4.sub(push, f32x4.mul(d, f32x4.splat(slide > grip ? grip / slide : 1)));
        const away = f32x4.mul(n, f32x4.splat(max<f32>(0, normal)));
        const wa = f32x4.extract_lane(shares, 0) * load<f32>(inverseMasses + (a >> 2));
        const wb = f32x4.extract_lane(shares, 1) * load<f32>(inverseMasses + (b >> 2));
        const wc = f32x4.extract_lane(shares, 2) * load<f32>(inverseMasses + (c >> 2));
        const whole = wa * f32x4.extract_lane(shares, 0) + wb * f32x4.extract_lane(shares, 1) + wc * f32x4.extract_lane(shares, 2);
        const scale = <f32>1 / max(whole, max(wa, max(wb, wc)) * <f32>0.5);
        moveCorner(xa, a, toResiduals, boxes, d, away, wa * scale);
        moveCorner(xb, b, toResiduals, boxes, d, away, wb * scale);
        moveCorner(xc, c, toResiduals, boxes, d, away, wc * scale);
    }
}

function moveCorner(
    x: usize, row: usize, toResiduals: usize, boxes: usize, d: v128, away: v128, weight: f32,
): void {
    if (!(weight > 0)) return;
    const place = v128.load(x);
    const w = f32x4.splat(weight);
    const moved = f32x4.add(place, f32x4.mul(d, w));
    v128.store(x, moved);
    v128.store(x + toResiduals, f32x4.sub(v128.load(x + toResiduals), f32x4.mul(away, w)));
    const box = boxes + row / rowOffset(BLOCK) * (2 * ROW);
    v128.store(box, f32x4.pmin(v128.load(box, 0), moved), 0);
    v128.store(box, f32x4.pmax(v128.load(box, 16), moved), 16);
}

/** Whether the particle of a row has a support that a push along n goes against. */
// @ts-ignore: decorator
@inline
function isHeld(contacts: ContactArrays, name: f32, row: usize, n: v128): bool {
    if (load<f32>(contacts.squeezers + (row >> 2)) == name) return true;
    const support = supportAt(contacts.supports, row & ~63) + ((row & 63) >> 2);
    const x = f32x4.extract_lane(n, 0) * load<f32>(support, SupportRecord.normals);
    const y = f32x4.extract_lane(n, 1) * load<f32>(support, SupportRecord.normals + 16);
    return x + y + f32x4.extract_lane(n, 2) * load<f32>(support, SupportRecord.normals + 32) < 0;
}
