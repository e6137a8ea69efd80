/** Skinned mesh colliders. Four triangles or particles at once, as columns. */
import { BOUNDS_MOTION_FACTOR, MESH_PLANE_SLACK, MESH_SEARCH_SHARE } from "./tunables.generated";
import { subtractRows } from "./contactResponse";
import { dotColumns, joinHigh, joinLow, square, xyz0, zipHigh, zipLow } from "./simd";
import {
    ContactArrays, ContactRecord, MeshArrays, MeshData, MeshNode, MeshTriangle, ParticleArrays, ROW, rowOffset, SkinArrays, SkinBounds,
    SkinMeshArrays, SkinMemory, SkinStep,
} from "./layout.generated";
import { rotateToWorld } from "./solids";

const NO_AREA: f32 = 1e-30;

/** One over numbers, of those that are nearly nothing not infinite. */
// @ts-ignore: decorator
@inline
function inverse(x: v128): v128 {
    return f32x4.div(f32x4.splat(1), f32x4.pmax(f32x4.splat(NO_AREA), x));
}

/** Writes a row x y z w each of four triangles, by their addresses. */
// @ts-ignore: decorator
@inline
function storeRows(t0: usize, t1: usize, t2: usize, t3: usize, slot: usize, x: v128, y: v128, z: v128, w: v128): void {
    const xy01 = zipLow(x, y);
    const xy23 = zipHigh(x, y);
    const zw01 = zipLow(z, w);
    const zw23 = zipHigh(z, w);
    v128.store(t0 + slot, joinLow(xy01, zw01));
    v128.store(t1 + slot, joinHigh(xy01, zw01));
    v128.store(t2 + slot, joinLow(xy23, zw23));
    v128.store(t3 + slot, joinHigh(xy23, zw23));
}

/** Writes the triangles of a leaf, and the box of its node, as they are in this substep. A leaf of fewer than four repeats its last one. */
function poseLeaf(mesh: SkinMeshArrays, node: usize, range: u32): void {
    const vertices = mesh.vertices;
    const first = <usize>(range >>> 3);
    const last = <usize>(range & 7) - 1;
    const i1 = min(1, last);
    const i2 = min(2, last);
    const c0 = mesh.corners + first * 12, c1 = c0 + i1 * 12, c2 = c0 + i2 * 12, c3 = c0 + last * 12;
    const a0 = v128.load(vertices + load<u32>(c0)), b0 = v128.load(vertices + load<u32>(c0, 4)), e0 = v128.load(vertices + load<u32>(c0, 8));
    const a1 = v128.load(vertices + load<u32>(c1)), b1 = v128.load(vertices + load<u32>(c1, 4)), e1 = v128.load(vertices + load<u32>(c1, 8));
    const a2 = v128.load(vertices + load<u32>(c2)), b2 = v128.load(vertices + load<u32>(c2, 4)), e2 = v128.load(vertices + load<u32>(c2, 8));
    const a3 = v128.load(vertices + load<u32>(c3)), b3 = v128.load(vertices + load<u32>(c3, 4)), e3 = v128.load(vertices + load<u32>(c3, 8));
    storeBox(
        node,
        f32x4.pmin(f32x4.pmin(lowest(a0, b0, e0), lowest(a1, b1, e1)), f32x4.pmin(lowest(a2, b2, e2), lowest(a3, b3, e3))),
        f32x4.pmax(f32x4.pmax(highest(a0, b0, e0), highest(a1, b1, e1)), f32x4.pmax(highest(a2, b2, e2), highest(a3, b3, e3))));
    const ax = columnX(a0, a1, a2, a3), ay = columnY(a0, a1, a2, a3), az = columnZ(a0, a1, a2, a3);
    const ux = f32x4.sub(columnX(b0, b1, b2, b3), ax), uy = f32x4.sub(columnY(b0, b1, b2, b3), ay), uz = f32x4.sub(columnZ(b0, b1, b2, b3), az);
    const vx = f32x4.sub(columnX(e0, e1, e2, e3), ax), vy = f32x4.sub(columnY(e0, e1, e2, e3), ay), vz = f32x4.sub(columnZ(e0, e1, e2, e3), az);
    const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
    const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
    const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
    const squared = dotColumns(nx, ny, nz, nx, ny, nz);
    const hasArea = f32x4.gt(squared, f32x4.splat(NO_AREA));
    const unit = v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(squared)), hasArea);
    const share = v128.bitselect(f32x4.div(f32x4.splat(1), squared), f32x4.splat(NaN), hasArea);
    const wx = f32x4.sub(vx, ux), wy = f32x4.sub(vy, uy), wz = f32x4.sub(vz, uz);
    const mx = f32x4.mul(nx, unit), my = f32x4.mul(ny, unit), mz = f32x4.mul(nz, unit);
    const t0 = mesh.triangles + first * MeshTriangle.count;
    const t1 = t0 + i1 * MeshTriangle.count, t2 = t0 + i2 * MeshTriangle.count, t3 = t0 + last * MeshTriangle.count;
    storeRows(t0, t1, t2, t3, MeshTriangle.corner, ax, ay, az, inverse(dotColumns(ux, uy, uz, ux, uy, uz)));
    storeRows(t0, t1, t2, t3, MeshTriangle.ab, ux, uy, uz, inverse(dotColumns(vx, vy, vz, vx, vy, vz)));
    storeRows(t0, t1, t2, t3, MeshTriangle.ac, vx, vy, vz, inverse(dotColumns(wx, wy, wz, wx, wy, wz)));
    storeRows(t0, t1, t2, t3, MeshTriangle.normal, mx, my, mz, dotColumns(mx, my, mz, ax, ay, az));
    storeRows(
        t0, t1, t2, t3, MeshTriangle.dualB,
        f32x4.mul(f32x4.sub(f32x4.mul(vy, nz), f32x4.mul(vz, ny)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(vz, nx), f32x4.mul(vx, nz)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(vx, ny), f32x4.mul(vy, nx)), share), f32x4.splat(0));
    storeRows(
        t0, t1, t2, t3, MeshTriangle.dualC,
        f32x4.mul(f32x4.sub(f32x4.mul(ny, uz), f32x4.mul(nz, uy)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(nz, ux), f32x4.mul(nx, uz)), share),
        f32x4.mul(f32x4.sub(f32x4.mul(nx, uy), f32x4.mul(ny, ux)), share), f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function lowest(a: v128, b: v128, c: v128): v128 {
    return f32x4.pmin(f32x4.pmin(a, b), c);
}

// @ts-ignore: decorator
@inline
function highest(a: v128, b: v128, c: v128): v128 {
    return f32x4.pmax(f32x4.pmax(a, b), c);
}

// Columns of four rows.
// @ts-ignore: decorator
@inline
function columnX(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
    return joinLow(zipLow(r0, r1), zipLow(r2, r3));
}

// @ts-ignore: decorator
@inline
function columnY(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
    return joinHigh(zipLow(r0, r1), zipLow(r2, r3));
}

// @ts-ignore: decorator
@inline
function columnZ(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
    return joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
}

/** Writes a node's box; its fourth lanes hold integers. */
// @ts-ignore: decorator
@inline
function storeBox(node: usize, low: v128, high: v128): void {
    const next = load<u32>(node, MeshNode.next);
    const range = load<u32>(node, MeshNode.triangles);
    v128.store(node, low, MeshNode.minimum);
    v128.store(node, high, MeshNode.maximum);
    store<u32>(node, next, MeshNode.next);
    store<u32>(node, range, MeshNode.triangles);
}

/** Writes the triangles and the tree's boxes as they are in this substep: the nodes below one come after it. */
function poseTree(mesh: SkinMeshArrays): void {
    const nodes = mesh.nodes;
    for (let node = nodes + <usize>mesh.nodeCount * MeshNode.count; node > nodes;) {
        node -= MeshNode.count;
        const range = load<u32>(node, MeshNode.triangles);
        if (range > 0) {
            poseLeaf(mesh, node, range);
            continue;
        }
        const next = nodes + <usize>load<u32>(node, MeshNode.next) * MeshNode.count;
        let low = f32x4.splat(Infinity);
        let high = f32x4.splat(-Infinity);
        for (let child = node + MeshNode.count; child < next;) {
            low = f32x4.pmin(low, v128.load(child, MeshNode.minimum));
            high = f32x4.pmax(high, v128.load(child, MeshNode.maximum));
            child = nodes + <usize>load<u32>(child, MeshNode.next) * MeshNode.count;
        }
        storeBox(node, low, high);
    }
}

/** x' = Σ w x M: linear blend skinning, weights as they are. The previous vertices become the start of the motion. */
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
    v128.store(skin.bounds, xyz0(low), SkinBounds.minimum);
    v128.store(skin.bounds, xyz0(high), SkinBounds.maximum);
    store<f32>(skin.bounds, <f32>Math.sqrt(farthest), SkinBounds.motion);
}

// @ts-ignore: decorator
@inline
function squaredLength(d: v128): f32 {
    const s = square(d);
    return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}

/** Within a step vertices go in straight lines. */
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
}

/**
 * Carries a place with the nearby triangle, and the plane that stands for the mesh there. The triangles' motion reduces the radius of the ball in which
 * that plane is valid: another part of the mesh may come near.
 */
export function advanceSkin(mesh: SkinMeshArrays): void {
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
    poseTree(mesh);
    const data = mesh.data;
    const motion = v128.load32_splat(data, MeshData.motion);
    const slack = f32x4.mul(f32x4.splat(MESH_PLANE_SLACK), v128.load32_splat(data, MeshData.keptDistance));
    const end = data + 4 * <usize>mesh.slotCount;
    for (let place = data + MeshData.memory; place < end; place += SkinMemory.count) {
        v128.store(place, zero, SkinMemory.carriedMotion);
        v128.store(place, zero, SkinMemory.carriedMotion + 16);
        v128.store(place, zero, SkinMemory.carriedMotion + 32);
        const radius = v128.load(place, SkinMemory.radius);
        const isKnown = f32x4.ne(radius, zero);
        if (!v128.any_true(isKnown)) continue;
        const ball = f32x4.sqrt(f32x4.pmax(zero, radius));
        let left = f32x4.sub(ball, motion);
        const triangle = v128.load(place, SkinMemory.triangle);
        const isCarried = v128.and(isKnown, f32x4.gt(triangle, zero));
        if (v128.any_true(isCarried)) {
            const above = carryMemory(mesh, place, triangle, isCarried);
            const held = v128.and(
                f32x4.pmax(f32x4.sub(ball, f32x4.mul(f32x4.splat(<f32>BOUNDS_MOTION_FACTOR), motion)), f32x4.pmin(slack, above)),
                f32x4.gt(ball, zero));
            left = v128.bitselect(held, left, isCarried);
        }
        const isLeft = f32x4.gt(left, zero);
        v128.store(place, v128.and(v128.bitselect(square(left), f32x4.splat(-1), isLeft), isKnown), SkinMemory.radius);
    }
}

/** The address of the triangle of a number. */
// @ts-ignore: decorator
@inline
function triangleOf(mesh: MeshArrays, index: u32): usize {
    return mesh.triangles + <usize>index * MeshTriangle.count;
}

/** A number of each of four triangles, by their addresses. */
// @ts-ignore: decorator
@inline
function gather(t0: usize, t1: usize, t2: usize, t3: usize, slot: usize): v128 {
    let x = v128.load32_splat(t0 + slot);
    x = v128.load32_lane(t1 + slot, x, 1);
    x = v128.load32_lane(t2 + slot, x, 2);
    return v128.load32_lane(t3 + slot, x, 3);
}

/** Carries those of four places that are in a mask along with their triangles. @returns how high they are over their planes */
function carryMemory(mesh: SkinMeshArrays, place: usize, triangle: v128, isCarried: v128): v128 {
    const zero = f32x4.splat(0);
    const t = i32x4.trunc_sat_f32x4_u(v128.and(f32x4.sub(triangle, f32x4.splat(1)), isCarried));
    const triangles = changetype<MeshArrays>(mesh);
    const t0 = triangleOf(triangles, i32x4.extract_lane(t, 0)), t1 = triangleOf(triangles, i32x4.extract_lane(t, 1));
    const t2 = triangleOf(triangles, i32x4.extract_lane(t, 2)), t3 = triangleOf(triangles, i32x4.extract_lane(t, 3));
    const p0 = v128.load(place, SkinMemory.point), d0 = v128.load(place, SkinMemory.direction);
    const p1 = v128.load(place, SkinMemory.point + 16), d1 = v128.load(place, SkinMemory.direction + 16);
    const p2 = v128.load(place, SkinMemory.point + 32), d2 = v128.load(place, SkinMemory.direction + 32);
    let above = f32x4.neg(v128.load(place, SkinMemory.offset));
    let squared = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const c = k >> 2;
        const b = gather(t0, t1, t2, t3, MeshTriangle.ab + c);
        const e = gather(t0, t1, t2, t3, MeshTriangle.ac + c);
        const n = gather(t0, t1, t2, t3, MeshTriangle.normal + c);
        const before = v128.load(place + k);
        const normalBefore = v128.load(place + k, SkinMemory.normal);
        above = f32x4.add(above, f32x4.mul(before, normalBefore));
        const x = f32x4.add(gather(t0, t1, t2, t3, MeshTriangle.corner + c), dotColumns(p0, p1, p2, b, e, n));
        v128.store(place + k, v128.and(f32x4.sub(x, before), isCarried), SkinMemory.carriedMotion);
        v128.store(place + k, v128.bitselect(x, before, isCarried));
        const normal = dotColumns(d0, d1, d2, b, e, n);
        v128.store(place + k, v128.bitselect(normal, normalBefore, isCarried), SkinMemory.normal);
        squared = f32x4.add(squared, square(normal));
    }
    const inverse = v128.bitselect(
        v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(squared)), f32x4.gt(squared, zero)), f32x4.splat(1), isCarried);
    let height = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const normal = f32x4.mul(v128.load(place + k, SkinMemory.normal), inverse);
        v128.store(place + k, normal, SkinMemory.normal);
        height = f32x4.add(height, f32x4.mul(normal, v128.load(place + k)));
    }
    v128.store(place, v128.bitselect(f32x4.sub(height, above), v128.load(place, SkinMemory.offset), isCarried), SkinMemory.offset);
    return above;
}

/** Attaches the place and the normal at slot s to a triangle, unless it has no area. @param triangle < 0: none */
// @ts-ignore: decorator
@inline
export function anchor(mesh: MeshArrays, place: usize, triangle: v128, mask: v128): void {
    const zero = f32x4.splat(0);
    const t = i32x4.trunc_sat_f32x4_u(v128.and(f32x4.pmax(zero, triangle), mask));
    const t0 = triangleOf(mesh, i32x4.extract_lane(t, 0)), t1 = triangleOf(mesh, i32x4.extract_lane(t, 1));
    const t2 = triangleOf(mesh, i32x4.extract_lane(t, 2)), t3 = triangleOf(mesh, i32x4.extract_lane(t, 3));
    const x = f32x4.sub(v128.load(place, 0), gather(t0, t1, t2, t3, MeshTriangle.corner));
    const y = f32x4.sub(v128.load(place, 16), gather(t0, t1, t2, t3, MeshTriangle.corner + 4));
    const z = f32x4.sub(v128.load(place, 32), gather(t0, t1, t2, t3, MeshTriangle.corner + 8));
    const nx = v128.load(place, SkinMemory.normal);
    const ny = v128.load(place, SkinMemory.normal + 16);
    const nz = v128.load(place, SkinMemory.normal + 32);
    let hasArea = zero;
    for (let k: usize = 0; k < 48; k += 16) {
        const dual = k == 0 ? MeshTriangle.dualB : k == 16 ? MeshTriangle.dualC : MeshTriangle.normal;
        const dx = gather(t0, t1, t2, t3, dual), dy = gather(t0, t1, t2, t3, dual + 4), dz = gather(t0, t1, t2, t3, dual + 8);
        if (k == 0) hasArea = f32x4.eq(dx, dx);
        storeMasked(place + k, SkinMemory.point, dotColumns(dx, dy, dz, x, y, z), mask);
        storeMasked(place + k, SkinMemory.direction, dotColumns(dx, dy, dz, nx, ny, nz), mask);
    }
    const isThere = v128.and(hasArea, f32x4.ge(triangle, zero));
    storeMasked(place, SkinMemory.triangle, v128.and(f32x4.add(triangle, f32x4.splat(1)), isThere), mask);
}

// @ts-ignore: decorator
@inline
function storeMasked(place: usize, slot: usize, value: v128, mask: v128): void {
    v128.store(place + slot, v128.bitselect(value, v128.load(place + slot), mask));
}

/** The triangle that carries the place at slot s is no farther from q than this: so a search looks no farther, up to a radius. */
// @ts-ignore: decorator
@inline
export function boundBySkin(mesh: MeshArrays, place: usize, qx: v128, qy: v128, qz: v128, radius: v128): v128 {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const triangle = v128.load(place, SkinMemory.triangle);
    const isCarried = f32x4.gt(triangle, zero);
    if (!v128.any_true(isCarried)) return radius;
    const t = i32x4.trunc_sat_f32x4_u(v128.and(f32x4.sub(triangle, one), isCarried));
    const t0 = triangleOf(mesh, i32x4.extract_lane(t, 0)), t1 = triangleOf(mesh, i32x4.extract_lane(t, 1));
    const t2 = triangleOf(mesh, i32x4.extract_lane(t, 2)), t3 = triangleOf(mesh, i32x4.extract_lane(t, 3));
    const ax = f32x4.sub(qx, gather(t0, t1, t2, t3, MeshTriangle.corner));
    const ay = f32x4.sub(qy, gather(t0, t1, t2, t3, MeshTriangle.corner + 4));
    const az = f32x4.sub(qz, gather(t0, t1, t2, t3, MeshTriangle.corner + 8));
    let v = f32x4.pmax(zero, alongAll(t0, t1, t2, t3, MeshTriangle.dualB, ax, ay, az));
    let w = f32x4.pmax(zero, alongAll(t0, t1, t2, t3, MeshTriangle.dualC, ax, ay, az));
    const sum = f32x4.pmax(one, f32x4.add(v, w));
    v = f32x4.div(v, sum);
    w = f32x4.div(w, sum);
    let squared = zero;
    for (let k: usize = 0; k < 12; k += 4) {
        const a = k == 0 ? ax : k == 4 ? ay : az;
        squared = f32x4.add(squared, square(f32x4.sub(
            f32x4.sub(a, f32x4.mul(v, gather(t0, t1, t2, t3, MeshTriangle.ab + k))),
            f32x4.mul(w, gather(t0, t1, t2, t3, MeshTriangle.ac + k)))));
    }
    const margin = f32x4.mul(f32x4.splat(MESH_SEARCH_SHARE), v128.load32_splat(mesh.data, MeshData.keptDistance));
    return v128.bitselect(f32x4.pmin(radius, f32x4.add(f32x4.sqrt(squared), margin)), radius, isCarried);
}

/** Dot products with vectors of four triangles. */
// @ts-ignore: decorator
@inline
function alongAll(t0: usize, t1: usize, t2: usize, t3: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    return dotColumns(
        x, y, z, gather(t0, t1, t2, t3, slot), gather(t0, t1, t2, t3, slot + 4), gather(t0, t1, t2, t3, slot + 8));
}

/** Moves the previous positions of particles in contact along with the skin, so that their displacement is measured relative to it. */
export function shiftWithSkin(particles: ParticleArrays, mesh: SkinMeshArrays, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const data = mesh.data;
    const sign = f32x4.neg(v128.load32_splat(mesh.step, SkinStep.sign));
    const end = contacts.records + <usize>load<u32>(contacts.recordCount) * ContactRecord.count;
    for (let record = contacts.records; record < end; record += ContactRecord.count) {
        const row = <usize>load<u32>(record, ContactRecord.row);
        const place = data + MeshData.memory + row / rowOffset(4) * SkinMemory.count;
        const isHere = f32x4.ne(v128.load(record, ContactRecord.depths), zero);
        const cx = v128.load(place, SkinMemory.carriedMotion);
        const cy = v128.load(place, SkinMemory.carriedMotion + 16);
        const cz = v128.load(place, SkinMemory.carriedMotion + 32);
        const x = v128.and(f32x4.mul(sign, rotateToWorld(data, 0, cx, cy, cz)), isHere);
        const y = v128.and(f32x4.mul(sign, rotateToWorld(data, 16, cx, cy, cz)), isHere);
        const z = v128.and(f32x4.mul(sign, rotateToWorld(data, 32, cx, cy, cz)), isHere);
        subtractRows(particles.previous + row, x, y, z);
    }
}
