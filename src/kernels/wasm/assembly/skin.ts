/** Meshes that bones carry; specification: scalar/skin.ts. Four triangles or places at once, as columns. */
import { subtractRows } from "./contacts";
import { dotColumns, joinHigh, joinLow, square, xyz0, zipHigh, zipLow } from "./lanes";
import {
    ContactArrays, ContactRecord, MeshArrays, MeshData, MeshNode, MeshTriangle, ParticleArrays, ROW, rowOffset, Scratch, scratch, SkinArrays,
    SkinMeasure, SkinMeshArrays, SkinPlace, SkinStep,
} from "./layout.generated";
import { turnBack } from "./solids";

const SLACK: f32 = 0.2;
const TOWARDS: f32 = 2;
const NO_AREA: f32 = 1e-30;

/** One over numbers, of those that are nearly nothing not infinite. */
// @ts-ignore: decorator
@inline
function inverse(x: v128): v128 {
    return f32x4.div(f32x4.splat(1), f32x4.pmax(f32x4.splat(NO_AREA), x));
}

/** Where a column of the four triangles lies, by its slot of MeshTriangle. */
// @ts-ignore: decorator
@inline
function column(slot: usize): usize {
    return scratch + Scratch.columns + 4 * slot;
}

// @ts-ignore: decorator
@inline
function putColumns(slot: usize, x: v128, y: v128, z: v128, w: v128): void {
    const to = column(slot);
    v128.store(to, x, 0);
    v128.store(to, y, 16);
    v128.store(to, z, 32);
    v128.store(to, w, 48);
}

/** The rows of the `k`-th corners of four triangles, by addresses of those, as columns x y z at a slot. */
// @ts-ignore: decorator
@inline
function putCorners(vertices: usize, t0: usize, t1: usize, t2: usize, t3: usize, k: usize, slot: usize): void {
    const r0 = v128.load(vertices + load<u32>(t0 + 4 * k));
    const r1 = v128.load(vertices + load<u32>(t1 + 4 * k));
    const r2 = v128.load(vertices + load<u32>(t2 + 4 * k));
    const r3 = v128.load(vertices + load<u32>(t3 + 4 * k));
    const xy01 = zipLow(r0, r1);
    const xy23 = zipLow(r2, r3);
    putColumns(slot, joinLow(xy01, xy23), joinHigh(xy01, xy23), joinLow(zipHigh(r0, r1), zipHigh(r2, r3)), f32x4.splat(0));
}

/** Writes four triangles as they are in this substep, as columns in the order of MeshTriangle. */
function poseColumns(mesh: MeshArrays, i0: u32, i1: u32, i2: u32, i3: u32): void {
    const corners = mesh.corners;
    const vertices = mesh.vertices;
    const t0 = corners + <usize>i0 * 12;
    const t1 = corners + <usize>i1 * 12;
    const t2 = corners + <usize>i2 * 12;
    const t3 = corners + <usize>i3 * 12;
    putCorners(vertices, t0, t1, t2, t3, 0, MeshTriangle.corner);
    putCorners(vertices, t0, t1, t2, t3, 1, MeshTriangle.ab);
    putCorners(vertices, t0, t1, t2, t3, 2, MeshTriangle.ac);
    const a = column(MeshTriangle.corner);
    const b = column(MeshTriangle.ab);
    const c = column(MeshTriangle.ac);
    const ax = v128.load(a, 0), ay = v128.load(a, 16), az = v128.load(a, 32);
    const ux = f32x4.sub(v128.load(b, 0), ax), uy = f32x4.sub(v128.load(b, 16), ay), uz = f32x4.sub(v128.load(b, 32), az);
    const vx = f32x4.sub(v128.load(c, 0), ax), vy = f32x4.sub(v128.load(c, 16), ay), vz = f32x4.sub(v128.load(c, 32), az);
    const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
    const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
    const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
    const squared = dotColumns(nx, ny, nz, nx, ny, nz);
    const hasArea = f32x4.gt(squared, f32x4.splat(NO_AREA));
    const unit = v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(squared)), hasArea);
    const share = v128.bitselect(f32x4.div(f32x4.splat(1), squared), f32x4.splat(NaN), hasArea);
    const wx = f32x4.sub(vx, ux), wy = f32x4.sub(vy, uy), wz = f32x4.sub(vz, uz);
    const mx = f32x4.mul(nx, unit), my = f32x4.mul(ny, unit), mz = f32x4.mul(nz, unit);
    putColumns(MeshTriangle.corner, ax, ay, az, inverse(dotColumns(ux, uy, uz, ux, uy, uz)));
    putColumns(MeshTriangle.ab, ux, uy, uz, inverse(dotColumns(vx, vy, vz, vx, vy, vz)));
    putColumns(MeshTriangle.ac, vx, vy, vz, inverse(dotColumns(wx, wy, wz, wx, wy, wz)));
    putColumns(MeshTriangle.normal, mx, my, mz, dotColumns(mx, my, mz, ax, ay, az));
    putColumns(
        MeshTriangle.dualB,
        f32x4.mul(f32x4.sub(f32x4.mul(vy, nz), f32x4.mul(vz, ny)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(vz, nx), f32x4.mul(vx, nz)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(vx, ny), f32x4.mul(vy, nx)), share), f32x4.splat(0));
    putColumns(
        MeshTriangle.dualC,
        f32x4.mul(f32x4.sub(f32x4.mul(ny, uz), f32x4.mul(nz, uy)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(nz, ux), f32x4.mul(nx, uz)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(nx, uy), f32x4.mul(ny, ux)), share), f32x4.splat(0));
}

/** The triangles of a leaf as they are in this substep, one after the other as in MeshArrays.triangles. @param range see MeshNode.triangles */
export function poseLeaf(mesh: MeshArrays, range: u32): usize {
    const first = range >>> 3;
    const last = first + (range & 7) - 1;
    poseColumns(mesh, first, min(first + 1, last), min(first + 2, last), min(first + 3, last));
    const leaf = scratch + Scratch.leaf;
    for (let slot: usize = 0; slot < MeshTriangle.count; slot += 16) {
        const from = column(slot);
        const x = v128.load(from, 0), y = v128.load(from, 16), z = v128.load(from, 32), w = v128.load(from, 48);
        const xy01 = zipLow(x, y);
        const xy23 = zipHigh(x, y);
        const zw01 = zipLow(z, w);
        const zw23 = zipHigh(z, w);
        const to = leaf + slot;
        v128.store(to, joinLow(xy01, zw01));
        v128.store(to + MeshTriangle.count, joinHigh(xy01, zw01));
        v128.store(to + 2 * MeshTriangle.count, joinLow(xy23, zw23));
        v128.store(to + 3 * MeshTriangle.count, joinHigh(xy23, zw23));
    }
    return leaf;
}

export function poseSkin(skin: SkinArrays): void {
    const bytes = rowOffset(skin.vertexCount);
    const influenceCount = skin.influenceCount;
    const matrices = skin.matrices;
    memory.copy(skin.posedBefore, skin.posed, bytes);
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    let farthest: f32 = 0;
    let bone = skin.bones;
    let weight = skin.weights;
    for (let o: usize = 0; o < bytes; o += ROW) {
        const rest = v128.load(skin.rest + o);
        const x = v128.shuffle<f32>(rest, rest, 0, 0, 0, 0);
        const y = v128.shuffle<f32>(rest, rest, 1, 1, 1, 1);
        const z = v128.shuffle<f32>(rest, rest, 2, 2, 2, 2);
        let sum = f32x4.splat(0);
        for (let k: u32 = 0; k < influenceCount; k++, bone += 4, weight += 4) {
            const m = matrices + load<u32>(bone);
            const carried = f32x4.add(
                f32x4.add(
                    f32x4.add(f32x4.mul(x, v128.load(m, 0)), f32x4.mul(y, v128.load(m, 16))),
                    f32x4.mul(z, v128.load(m, 32))),
                v128.load(m, 48));
            sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weight), carried));
        }
        const now = xyz0(sum);
        const before = v128.load(skin.posedBefore + o);
        v128.store(skin.posed + o, now);
        low = f32x4.pmin(low, f32x4.pmin(now, before));
        high = f32x4.pmax(high, f32x4.pmax(now, before));
        farthest = max(farthest, squaredLength(f32x4.sub(now, before)));
    }
    v128.store(skin.measure, xyz0(low), SkinMeasure.minimum);
    v128.store(skin.measure, xyz0(high), SkinMeasure.maximum);
    store<f32>(skin.measure, <f32>Math.sqrt(farthest), SkinMeasure.motion);
}

// @ts-ignore: decorator
@inline
function squaredLength(d: v128): f32 {
    const s = square(d);
    return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}

export function stepSkin(mesh: SkinMeshArrays): void {
    const skin = mesh.skin;
    const from = mesh.from;
    const to = mesh.to;
    const fraction = v128.load32_splat(mesh.step, SkinStep.fraction);
    const bytes = rowOffset(mesh.vertexCount);
    let farthest: f32 = 0;
    for (let o: usize = 0; o < bytes; o += ROW) {
        const before = v128.load(skin.posedBefore + o);
        const end = f32x4.add(before, f32x4.mul(f32x4.sub(v128.load(skin.posed + o), before), fraction));
        v128.store(to + o, end);
        farthest = max(farthest, squaredLength(f32x4.sub(end, v128.load(from + o))));
    }
    store<f32>(mesh.data, <f32>Math.sqrt(farthest) * load<f32>(mesh.step, SkinStep.substepShare), MeshData.motion);
    const nodes = mesh.nodes;
    // The fourth lanes of a node's box hold integers.
    for (let node = nodes + <usize>mesh.nodeCount * MeshNode.count; node > nodes;) {
        node -= MeshNode.count;
        const range = load<u32>(node, MeshNode.triangles);
        const next = nodes + <usize>load<u32>(node, MeshNode.next) * MeshNode.count;
        let low = f32x4.splat(Infinity);
        let high = f32x4.splat(-Infinity);
        if (range == 0) {
            for (let child = node + MeshNode.count; child < next;) {
                low = f32x4.pmin(low, v128.load(child, MeshNode.minimum));
                high = f32x4.pmax(high, v128.load(child, MeshNode.maximum));
                child = nodes + <usize>load<u32>(child, MeshNode.next) * MeshNode.count;
            }
        } else {
            let corner = mesh.corners + <usize>(range >>> 3) * 12;
            for (const end = corner + <usize>(range & 7) * 12; corner < end; corner += 4) {
                const o = <usize>load<u32>(corner);
                const a = v128.load(from + o);
                const b = v128.load(to + o);
                low = f32x4.pmin(low, f32x4.pmin(a, b));
                high = f32x4.pmax(high, f32x4.pmax(a, b));
            }
        }
        const following = load<u32>(node, MeshNode.next);
        v128.store(node, low, MeshNode.minimum);
        v128.store(node, high, MeshNode.maximum);
        store<u32>(node, following, MeshNode.next);
        store<u32>(node, range, MeshNode.triangles);
    }
}

export function carrySkin(mesh: SkinMeshArrays): void {
    const zero = f32x4.splat(0);
    const from = mesh.from;
    const to = mesh.to;
    const vertices = mesh.vertices;
    const share = v128.load32_splat(mesh.step, SkinStep.share);
    const bytes = rowOffset(mesh.vertexCount);
    for (let o: usize = 0; o < bytes; o += ROW) {
        const start = v128.load(from + o);
        v128.store(vertices + o, f32x4.add(start, f32x4.mul(f32x4.sub(v128.load(to + o), start), share)));
    }
    const data = mesh.data;
    const motion = v128.load32_splat(data, MeshData.motion);
    const slack = f32x4.mul(f32x4.splat(SLACK), v128.load32_splat(data, MeshData.kept));
    const end = data + 4 * <usize>mesh.slotCount;
    for (let place = data + MeshData.places; place < end; place += SkinPlace.count) {
        v128.store(place, zero, SkinPlace.carried);
        v128.store(place, zero, SkinPlace.carried + 16);
        v128.store(place, zero, SkinPlace.carried + 32);
        const radius = v128.load(place, SkinPlace.radius);
        const isKnown = f32x4.ne(radius, zero);
        if (!v128.any_true(isKnown)) continue;
        const ball = f32x4.sqrt(f32x4.pmax(zero, radius));
        let left = f32x4.sub(ball, motion);
        const triangle = v128.load(place, SkinPlace.triangle);
        const isCarried = v128.and(isKnown, f32x4.gt(triangle, zero));
        if (v128.any_true(isCarried)) {
            const above = carryPlaces(mesh, place, triangle, isCarried);
            const held = v128.and(
                f32x4.pmax(f32x4.sub(ball, f32x4.mul(f32x4.splat(TOWARDS), motion)), f32x4.pmin(slack, above)),
                f32x4.gt(ball, zero));
            left = v128.bitselect(held, left, isCarried);
        }
        const isLeft = f32x4.gt(left, zero);
        v128.store(place, v128.and(v128.bitselect(square(left), f32x4.splat(-1), isLeft), isKnown), SkinPlace.radius);
    }
}

/** Carries those of four places that are in a mask along with their triangles. @returns how high they are over their planes */
function carryPlaces(mesh: SkinMeshArrays, place: usize, triangle: v128, isCarried: v128): v128 {
    const zero = f32x4.splat(0);
    const t = i32x4.trunc_sat_f32x4_u(v128.and(f32x4.sub(triangle, f32x4.splat(1)), isCarried));
    poseColumns(
        changetype<MeshArrays>(mesh), i32x4.extract_lane(t, 0), i32x4.extract_lane(t, 1), i32x4.extract_lane(t, 2), i32x4.extract_lane(t, 3));
    const p0 = v128.load(place, SkinPlace.point), d0 = v128.load(place, SkinPlace.direction);
    const p1 = v128.load(place, SkinPlace.point + 16), d1 = v128.load(place, SkinPlace.direction + 16);
    const p2 = v128.load(place, SkinPlace.point + 32), d2 = v128.load(place, SkinPlace.direction + 32);
    let above = f32x4.neg(v128.load(place, SkinPlace.offset));
    let squared = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const b = v128.load(column(MeshTriangle.ab) + k);
        const e = v128.load(column(MeshTriangle.ac) + k);
        const n = v128.load(column(MeshTriangle.normal) + k);
        const before = v128.load(place + k);
        above = f32x4.add(above, f32x4.mul(before, v128.load(place + k, SkinPlace.normal)));
        const x = f32x4.add(v128.load(column(MeshTriangle.corner) + k), dotColumns(p0, p1, p2, b, e, n));
        v128.store(place + k, v128.and(f32x4.sub(x, before), isCarried), SkinPlace.carried);
        v128.store(place + k, v128.bitselect(x, before, isCarried));
        const normal = dotColumns(d0, d1, d2, b, e, n);
        v128.store(column(MeshTriangle.dualB) + k, normal);
        squared = f32x4.add(squared, square(normal));
    }
    const inverse = v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(squared)), f32x4.gt(squared, zero));
    let height = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const normal = v128.bitselect(
            f32x4.mul(v128.load(column(MeshTriangle.dualB) + k), inverse), v128.load(place + k, SkinPlace.normal), isCarried);
        v128.store(place + k, normal, SkinPlace.normal);
        height = f32x4.add(height, f32x4.mul(normal, v128.load(place + k)));
    }
    v128.store(place, v128.bitselect(f32x4.sub(height, above), v128.load(place, SkinPlace.offset), isCarried), SkinPlace.offset);
    return above;
}

/** Has triangles carry those of four places that are in a mask. @param triangle their numbers; < 0: none */
// @ts-ignore: decorator
@inline
export function anchor(mesh: MeshArrays, place: usize, triangle: v128, mask: v128): void {
    const zero = f32x4.splat(0);
    const t = i32x4.trunc_sat_f32x4_u(v128.and(f32x4.pmax(zero, triangle), mask));
    poseColumns(mesh, i32x4.extract_lane(t, 0), i32x4.extract_lane(t, 1), i32x4.extract_lane(t, 2), i32x4.extract_lane(t, 3));
    const a = column(MeshTriangle.corner);
    const x = f32x4.sub(v128.load(place, 0), v128.load(a, 0));
    const y = f32x4.sub(v128.load(place, 16), v128.load(a, 16));
    const z = f32x4.sub(v128.load(place, 32), v128.load(a, 32));
    const nx = v128.load(place, SkinPlace.normal);
    const ny = v128.load(place, SkinPlace.normal + 16);
    const nz = v128.load(place, SkinPlace.normal + 32);
    let hasArea = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const dual = column(k == 0 ? MeshTriangle.dualB : k == 16 ? MeshTriangle.dualC : MeshTriangle.normal);
        const dx = v128.load(dual, 0), dy = v128.load(dual, 16), dz = v128.load(dual, 32);
        if (k == 0) hasArea = f32x4.eq(dx, dx);
        put(place + k, SkinPlace.point, dotColumns(dx, dy, dz, x, y, z), mask);
        put(place + k, SkinPlace.direction, dotColumns(dx, dy, dz, nx, ny, nz), mask);
    }
    const isThere = v128.and(hasArea, f32x4.ge(triangle, zero));
    put(place, SkinPlace.triangle, v128.and(f32x4.add(triangle, f32x4.splat(1)), isThere), mask);
}

// @ts-ignore: decorator
@inline
function put(place: usize, slot: usize, value: v128, mask: v128): void {
    v128.store(place + slot, v128.bitselect(value, v128.load(place + slot), mask));
}

export function shiftBySkin(particles: ParticleArrays, mesh: SkinMeshArrays, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const data = mesh.data;
    const sign = f32x4.neg(v128.load32_splat(mesh.step, SkinStep.sign));
    const end = contacts.records + <usize>load<u32>(contacts.recordCount) * ContactRecord.count;
    for (let record = contacts.records; record < end; record += ContactRecord.count) {
        const row = <usize>load<u32>(record, ContactRecord.row);
        const place = data + MeshData.places + row / rowOffset(4) * SkinPlace.count;
        const isHere = f32x4.ne(v128.load(record, ContactRecord.depths), zero);
        const cx = v128.load(place, SkinPlace.carried);
        const cy = v128.load(place, SkinPlace.carried + 16);
        const cz = v128.load(place, SkinPlace.carried + 32);
        const x = v128.and(f32x4.mul(sign, turnBack(data, 0, cx, cy, cz)), isHere);
        const y = v128.and(f32x4.mul(sign, turnBack(data, 16, cx, cy, cz)), isHere);
        const z = v128.and(f32x4.mul(sign, turnBack(data, 32, cx, cy, cz)), isHere);
        subtractRows(particles.previous + row, x, y, z);
    }
}
