/** Answers the contacts of triangles one by one, as rows. */
import { supportAt } from "./contactResponse";
import { splat0, splat1, splat2, square, sum3, xyz0 } from "./simd";
import {
    BLOCK, ColliderData, Contact, ContactArrays, ParticleArrays, ROW, rowOffset, SupportRecord, FaceContactArrays, FaceContactCounter,
    FaceContactRecord,
} from "./layout.generated";

/**
 * See kernelTable.ts. Each triangle pushes its corners, in turn; then each pushed corner is resolved once, as by one contact along all of its
 * pushes. Friction of each triangle at its own point would be undone by the push of the next one, with another normal: the cloth would creep off a ball.
 */
export function resolveFaceContacts(particles: ParticleArrays, collider: ColliderData, found: FaceContactArrays): void {
    const positions = particles.positions;
    const toPrevious = particles.previous - positions;
    const toResiduals = particles.residuals - positions;
    const inverseMasses = particles.inverseMasses;
    const boxes = particles.blockBounds;
    const contacts = found.contacts;
    const supportMode = load<u32>(contacts.supportMode) > 0;
    const motion = collider + Contact.motion;
    const friction = load<f32>(collider, Contact.friction);
    const thickness = load<f32>(collider, Contact.thickness);
    const name = load<f32>(collider, Contact.id);
    const pushes = found.pushes;
    const end = found.records + <usize>load<u32>(found.progress, FaceContactCounter.recordCount) * FaceContactRecord.count;
    let isAny = false;
    for (let record = found.records; record < end; record += FaceContactRecord.count) {
        const a = <usize>load<u32>(record, FaceContactRecord.rows);
        const b = <usize>load<u32>(record, FaceContactRecord.rows + 4);
        const c = <usize>load<u32>(record, FaceContactRecord.rows + 8);
        const shares = v128.load(record, FaceContactRecord.shares);
        const n = v128.load(record, FaceContactRecord.normal);
        const xa = positions + a, xb = positions + b, xc = positions + c;
        const q = blend(shares, v128.load(xa), v128.load(xb), v128.load(xc));
        const depth = load<f32>(record, FaceContactRecord.offset) - sum3(f32x4.mul(q, n));
        if (!(depth > 0)) continue;
        if (supportMode) {
            if (f32x4.extract_lane(shares, 0) > 0 && isSupported(contacts, name, a, n)) continue;
            if (f32x4.extract_lane(shares, 1) > 0 && isSupported(contacts, name, b, n)) continue;
            if (f32x4.extract_lane(shares, 2) > 0 && isSupported(contacts, name, c, n)) continue;
        }
        const p = blend(shares, startOf(xa, toPrevious, toResiduals), startOf(xb, toPrevious, toResiduals), startOf(xc, toPrevious, toResiduals));
        const push = f32x4.mul(n, f32x4.splat(depth));
        const d = relativeMotion(motion, f32x4.add(q, push), p);
        if (sum3(f32x4.mul(d, n)) > depth + depth + thickness) continue;
        const wa = f32x4.extract_lane(shares, 0) * load<f32>(inverseMasses + (a >> 2));
        const wb = f32x4.extract_lane(shares, 1) * load<f32>(inverseMasses + (b >> 2));
        const wc = f32x4.extract_lane(shares, 2) * load<f32>(inverseMasses + (c >> 2));
        const whole = wa * f32x4.extract_lane(shares, 0) + wb * f32x4.extract_lane(shares, 1) + wc * f32x4.extract_lane(shares, 2);
        const scale = <f32>1 / max(whole, max(wa, max(wb, wc)) * <f32>0.5);
        pushCorner(xa, pushes + a, push, wa * scale);
        pushCorner(xb, pushes + b, push, wb * scale);
        pushCorner(xc, pushes + c, push, wc * scale);
        isAny = true;
    }
    if (!isAny) return;
    for (let record = found.records; record < end; record += FaceContactRecord.count) {
        for (let corner: usize = 0; corner < 12; corner += 4) {
            const row = <usize>load<u32>(record + corner, FaceContactRecord.rows);
            const push = v128.load(pushes + row);
            const length = <f32>Math.sqrt(sum3(square(push)));
            if (!(length > 0)) continue;
            v128.store(pushes + row, f32x4.splat(0));
            const x = positions + row;
            const place = v128.load(x);
            const n = f32x4.div(push, f32x4.splat(length));
            let d = relativeMotion(motion, place, startOf(x, toPrevious, toResiduals));
            const normal = sum3(f32x4.mul(d, n));
            d = f32x4.sub(d, f32x4.mul(n, f32x4.splat(normal)));
            const slide = <f32>Math.sqrt(sum3(square(d)));
            const grip = friction * length;
            const moved = f32x4.sub(place, f32x4.mul(d, f32x4.splat(slide > grip ? grip / slide : 1)));
            v128.store(x, moved);
            v128.store(x + toResiduals, f32x4.sub(v128.load(x + toResiduals), f32x4.mul(n, f32x4.splat(min(length, max<f32>(0, normal))))));
            const box = boxes + row / rowOffset(BLOCK) * (2 * ROW);
            v128.store(box, f32x4.pmin(v128.load(box, 0), moved), 0);
            v128.store(box, f32x4.pmax(v128.load(box, 16), moved), 16);
        }
    }
}

/** A point of a triangle. */
// @ts-ignore: decorator
@inline
function blend(shares: v128, a: v128, b: v128, c: v128): v128 {
    return f32x4.add(f32x4.add(f32x4.mul(splat0(shares), a), f32x4.mul(splat1(shares), b)), f32x4.mul(splat2(shares), c));
}

/** Position of a row's particle a substep ago, less the residual of its displacement. */
// @ts-ignore: decorator
@inline
function startOf(x: usize, toPrevious: usize, toResiduals: usize): v128 {
    return f32x4.sub(v128.load(x + toPrevious), v128.load(x + toResiduals));
}

/** The displacement of a point from p to q against a collider's material. */
// @ts-ignore: decorator
@inline
function relativeMotion(motion: usize, q: v128, p: v128): v128 {
    return f32x4.sub(f32x4.sub(q, p), xyz0(f32x4.add(
        f32x4.add(f32x4.mul(splat0(q), v128.load(motion, 0)), f32x4.mul(splat1(q), v128.load(motion, 16))),
        f32x4.add(f32x4.mul(splat2(q), v128.load(motion, 32)), v128.load(motion, 48)))));
}

// @ts-ignore: decorator
@inline
function pushCorner(x: usize, pushed: usize, push: v128, weight: f32): void {
    if (!(weight > 0)) return;
    push = f32x4.mul(push, f32x4.splat(weight));
    v128.store(x, f32x4.add(v128.load(x), push));
    v128.store(pushed, f32x4.add(v128.load(pushed), push));
}

/** True if the particle at slot o has a support that opposes a push along n; triangles pressed against a support are left to their particles. */
// @ts-ignore: decorator
@inline
function isSupported(contacts: ContactArrays, name: f32, row: usize, n: v128): bool {
    if (load<f32>(contacts.opposing + (row >> 2)) == name) return true;
    const support = supportAt(contacts.supports, row & ~63) + ((row & 63) >> 2);
    const x = f32x4.extract_lane(n, 0) * load<f32>(support, SupportRecord.normals);
    const y = f32x4.extract_lane(n, 1) * load<f32>(support, SupportRecord.normals + 16);
    return x + y + f32x4.extract_lane(n, 2) * load<f32>(support, SupportRecord.normals + 32) < 0;
}
