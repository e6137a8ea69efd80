/**
 * Pairs of vertices and triangles, and of edges, that may come into contact on their forecast paths. One descent of the tree, whose leaves list and filter both
 * kinds in the same scratch, so longer than 400 lines.
 */
import { dotColumns } from "./simd";
import { FourBoxes, FourCones, ProxyRecord, ROW, SweptArrays, SweptCounter, SweptLeaf, SweptLeafBoxes, rowOffset, wordOffset } from "./layout.generated";
import { put, word } from "./memory";
import { storeColumns } from "./sweptTree";

/** Contacts within a cloth keep at most this share of their distance at rest, so the cloth folds as sharply as it can. */
const MAX_REST_SHARE: f32 = 0.6;
/** Squared difference of unit normals below which two leaves are not folded, and squared share of their distance at rest at which they have hardly come nearer. */
const UNFOLDED: f32 = 1;
const FLAT_COSINE: f32 = 0.7;
/** Squared sine of two edges below which they are parallel. */
const PARALLEL: f32 = 0.002;
/** Pairs of features of two leaves, at most. */
const LEAF_FACES: u32 = 32;
const LEAF_EDGES: u32 = 64;

// Pairs that wait for the filter, and what they have in common.
let faceEnd: u32 = 0;
let edgeEnd: u32 = 0;
let proxyA: u32 = 0;
let proxyB: u32 = 0;

/** Lanes of the boxes of four that meet the box at `q`, whose six numbers are sixteen bytes apart. */
// @ts-ignore: decorator
@inline
function meets(boxes: usize, q: usize): u32 {
    const isBelow = v128.and(
        v128.and(f32x4.le(v128.load(boxes), v128.load32_splat(q, 48)), f32x4.le(v128.load(boxes, 16), v128.load32_splat(q, 64))),
        f32x4.le(v128.load(boxes, 32), v128.load32_splat(q, 80)),
    );
    const isAbove = v128.and(
        v128.and(f32x4.ge(v128.load(boxes, 48), v128.load32_splat(q)), f32x4.ge(v128.load(boxes, 64), v128.load32_splat(q, 16))),
        f32x4.ge(v128.load(boxes, 80), v128.load32_splat(q, 32)),
    );
    return i32x4.bitmask(v128.and(isBelow, isAbove));
}

/**
 * Lists the pairs of all triangles of the group: from the root down, four nodes at a time; two leaves of one cloth that are not folded and have
 * not come nearer to each other are left out (Volino and Magnenat-Thalmann 1994). Each vertex and each edge is looked at in the leaf that owns
 * it (Curtis et al. 2008, "Fast collision detection for deformable models using representative-triangles").
 */
export function detectSweptPairs(swept: SweptArrays): void {
    store<u32>(swept.progress, 0, SweptCounter.faceCount);
    store<u32>(swept.progress, 0, SweptCounter.edgeCount);
    store<u32>(swept.progress, 0, SweptCounter.overflowed);
    faceEnd = edgeEnd = 0;
    const stack = swept.stack;
    let top: u32 = 0;
    top = push(stack, top, swept.levelCount - 1, 0, 0);
    while (top > 0) {
        top--;
        const at = stack + rowOffset(top);
        const level = load<u32>(at);
        const i = load<u32>(at, 4);
        const j = load<u32>(at, 8);
        const first = word(swept.levels, level);
        const a = swept.groups + <usize>(first + i) * FourBoxes.count;
        const b = swept.groups + <usize>(first + j) * FourBoxes.count;
        if (top + 16 > swept.stackCount) {
            store<u32>(swept.progress, 1, SweptCounter.overflowed);
            return;
        }
        const isOne = level === 0 && isOneCloth(swept, i, j);
        if (level === 0 && !isOne && !mayCollide(swept, proxyOfLeaf(swept, 4 * i), proxyOfLeaf(swept, 4 * j))) continue;
        for (let k: u32 = 0; k < 4; k++) {
            let mask = meets(b, a + wordOffset(k));
            if (i === j) mask &= 15 << k;
            if (mask === 0) continue;
            if (isOne) mask &= ~flatLanes(swept.cones + <usize>i * FourCones.count + wordOffset(k), swept.cones + <usize>j * FourCones.count);
            while (mask) {
                const l = ctz(mask);
                mask &= mask - 1;
                if (level > 0) top = push(stack, top, level - 1, 4 * i + k, 4 * j + l);
                else meetLeaves(swept, 4 * i + k, 4 * j + l);
            }
        }
    }
    filter(swept);
}

// @ts-ignore: decorator
@inline
function push(stack: usize, top: u32, level: u32, i: u32, j: u32): u32 {
    const at = stack + rowOffset(top);
    store<u32>(at, level);
    store<u32>(at, i, 4);
    store<u32>(at, j, 8);
    return top + 1;
}

// @ts-ignore: decorator
@inline
function proxyOfLeaf(swept: SweptArrays, leaf: u32): u32 {
    return load<u32>(swept.leaves + <usize>leaf * SweptLeaf.count, SweptLeaf.proxy);
}

/** True if two groups of leaves are of one proxy; a group never has leaves of two. */
// @ts-ignore: decorator
@inline
function isOneCloth(swept: SweptArrays, i: u32, j: u32): bool {
    return i === j || proxyOfLeaf(swept, 4 * i) === proxyOfLeaf(swept, 4 * j);
}

/** True if two proxies collide with each other. */
function mayCollide(swept: SweptArrays, i: u32, j: u32): bool {
    const a = swept.shared.proxies + <usize>i * ProxyRecord.count;
    const b = swept.shared.proxies + <usize>j * ProxyRecord.count;
    if ((load<u32>(a, ProxyRecord.group) & load<u32>(b, ProxyRecord.mask)) === 0) return false;
    if ((load<u32>(b, ProxyRecord.group) & load<u32>(a, ProxyRecord.mask)) === 0) return false;
    for (let k: usize = 0; k < 8; k += 4) {
        if (load<u32>(a + k, ProxyRecord.excluded) === j + 1 || load<u32>(b + k, ProxyRecord.excluded) === i + 1) return false;
    }
    return true;
}

// @ts-ignore: decorator
@inline
function squaredSpan(d: usize, c: usize, k: usize): v128 {
    const span = f32x4.sub(
        f32x4.pmax(v128.load(d + k, FourCones.maxNormal), v128.load32_splat(c + k, FourCones.maxNormal)),
        f32x4.pmin(v128.load(d + k, FourCones.minNormal), v128.load32_splat(c + k, FourCones.minNormal)),
    );
    return f32x4.mul(span, span);
}

// @ts-ignore: decorator
@inline
function squaredDifference(d: usize, c: usize): v128 {
    const x = f32x4.sub(v128.load(d), v128.load32_splat(c));
    const y = f32x4.sub(v128.load(d, 16), v128.load32_splat(c, 16));
    const z = f32x4.sub(v128.load(d, 32), v128.load32_splat(c, 32));
    return dotColumns(x, y, z, x, y, z);
}

/** Lanes of the cones at `d` that, with the cone at `c`, are not folded. */
// @ts-ignore: decorator
@inline
function flatLanes(c: usize, d: usize): u32 {
    const span = f32x4.add(f32x4.add(squaredSpan(d, c, 0), squaredSpan(d, c, 16)), squaredSpan(d, c, 32));
    const isUnfolded = f32x4.le(span, f32x4.splat(UNFOLDED));
    if (!v128.any_true(isUnfolded)) return 0;
    const now = squaredDifference(d + FourCones.centre, c + FourCones.centre);
    const rest = squaredDifference(d + FourCones.restCentre, c + FourCones.restCentre);
    return i32x4.bitmask(v128.and(isUnfolded, f32x4.ge(now, f32x4.mul(rest, f32x4.splat(FLAT_COSINE)))));
}

/** Collects the pairs of features of two leaves whose boxes meet. */
function meetLeaves(swept: SweptArrays, i: u32, j: u32): void {
    const leafA = swept.leaves + <usize>i * SweptLeaf.count;
    const leafB = swept.leaves + <usize>j * SweptLeaf.count;
    const a = load<u32>(leafA, SweptLeaf.proxy);
    const b = load<u32>(leafB, SweptLeaf.proxy);
    if (a !== proxyA || b !== proxyB || faceEnd + LEAF_FACES > swept.chunkCount || edgeEnd + LEAF_EDGES > swept.chunkCount) {
        filter(swept);
        proxyA = a;
        proxyB = b;
    }
    const boxesA = swept.leafBoxes + <usize>i * SweptLeafBoxes.count;
    const boxesB = swept.leafBoxes + <usize>j * SweptLeafBoxes.count;
    const wholeA = swept.groups + <usize>(i >> 2) * FourBoxes.count + wordOffset(i & 3);
    const wholeB = swept.groups + <usize>(j >> 2) * FourBoxes.count + wordOffset(j & 3);
    meetVertices(swept, leafA, boxesA, wholeB, leafB, boxesB);
    if (i !== j) meetVertices(swept, leafB, boxesB, wholeA, leafA, boxesA);
    meetEdges(swept, leafA, boxesA, wholeB, leafB, boxesB, wholeA, i === j);
}

// @ts-ignore: decorator
@inline
function meetVertices(swept: SweptArrays, leaf: usize, boxes: usize, whole: usize, other: usize, otherBoxes: usize): void {
    let mask = meets(boxes + SweptLeafBoxes.vertices, whole);
    while (mask) {
        const k = wordOffset(ctz(mask));
        mask &= mask - 1;
        const vertex = load<u32>(leaf + k, SweptLeaf.vertices);
        let hits = meets(otherBoxes, boxes + SweptLeafBoxes.vertices + k);
        while (hits) {
            const triangle = v128.load(other + rowOffset(ctz(hits)));
            hits &= hits - 1;
            if (v128.any_true(i32x4.eq(triangle, i32x4.splat(vertex)))) continue;
            v128.store(swept.rawFaces + rowOffset(faceEnd), v128.shuffle<u32>(i32x4.splat(vertex), triangle, 0, 4, 5, 6));
            faceEnd++;
        }
    }
}

/** Eight lanes of a leaf's edges that meet a box. */
// @ts-ignore: decorator
@inline
function meetsEdges(boxes: usize, q: usize): u32 {
    return meets(boxes + SweptLeafBoxes.edges, q) | (meets(boxes + SweptLeafBoxes.edges + FourBoxes.count, q) << 4);
}

// @ts-ignore: decorator
@inline
function meetEdges(swept: SweptArrays, leaf: usize, boxes: usize, whole: usize, other: usize, otherBoxes: usize, ownWhole: usize, isOne: bool): void {
    let mask = meetsEdges(boxes, whole);
    if (mask === 0) return;
    const near = meetsEdges(otherBoxes, ownWhole);
    while (mask) {
        const k = ctz(mask);
        mask &= mask - 1;
        let hits = near & meetsEdges(otherBoxes, boxes + SweptLeafBoxes.edges + <usize>(k >> 2) * FourBoxes.count + wordOffset(k & 3));
        if (isOne) hits &= 0xfe << k;
        const edge = load<u64>(leaf + (<usize>k << 3), SweptLeaf.edges);
        const p = <u32>edge;
        const q = <u32>(edge >> 32);
        while (hits) {
            const second = load<u64>(other + (<usize>ctz(hits) << 3), SweptLeaf.edges);
            hits &= hits - 1;
            const r = <u32>second;
            const s = <u32>(second >> 32);
            if (p === r || p === s || q === r || q === s) continue;
            const raw = swept.rawEdges + rowOffset(edgeEnd++);
            store<u64>(raw, edge);
            store<u64>(raw, second, 8);
        }
    }
}

/** Filters what waits. */
function filter(swept: SweptArrays): void {
    if (faceEnd + edgeEnd === 0) return;
    const a = swept.shared.proxies + <usize>proxyA * ProxyRecord.count;
    const b = swept.shared.proxies + <usize>proxyB * ProxyRecord.count;
    const distance: f32 = 0.5 * (load<f32>(a, ProxyRecord.thickness) + load<f32>(b, ProxyRecord.thickness));
    const friction: f32 = 0.5 * (load<f32>(a, ProxyRecord.friction) + load<f32>(b, ProxyRecord.friction));
    for (let n: u32 = 0; n < faceEnd; n += 4) filterFour(swept, swept.rawFaces + rowOffset(n), min<u32>(4, faceEnd - n), false, distance, friction);
    for (let n: u32 = 0; n < edgeEnd; n += 4) filterFour(swept, swept.rawEdges + rowOffset(n), min<u32>(4, edgeEnd - n), true, distance, friction);
    faceEnd = edgeEnd = 0;
}

/** Columns of one particle of four pairs. */
// @ts-ignore: decorator
@inline
function storePairColumns(to: usize, rows: usize, raw: usize, k: usize): void {
    storeColumns(
        to,
        v128.load(rows + rowOffset(load<u32>(raw + k))),
        v128.load(rows + rowOffset(load<u32>(raw + k, 16))),
        v128.load(rows + rowOffset(load<u32>(raw + k, 32))),
        v128.load(rows + rowOffset(load<u32>(raw + k, 48))),
    );
}

// @ts-ignore: decorator
@inline
function saturate(v: v128): v128 {
    return f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.splat(1), v));
}

// @ts-ignore: decorator
@inline
function squaredGap(lanes: usize, a: usize, b: usize): v128 {
    const x = f32x4.sub(v128.load(lanes + a, 256), v128.load(lanes + b, 256));
    const y = f32x4.sub(v128.load(lanes + a, 272), v128.load(lanes + b, 272));
    const z = f32x4.sub(v128.load(lanes + a, 288), v128.load(lanes + b, 288));
    return dotColumns(x, y, z, x, y, z);
}

/** Forecast of one particle of four pairs along unit vectors. */
// @ts-ignore: decorator
@inline
function forecastAlong(lanes: usize, a: usize, x: v128, y: v128, z: v128): v128 {
    return dotColumns(v128.load(lanes + a, 256), v128.load(lanes + a, 272), v128.load(lanes + a, 288), x, y, z);
}

/** Keeps those of four pairs that may come within their distance: near enough for the speed at which they close, and not beside each other. */
function filterFour(swept: SweptArrays, raw: usize, count: u32, isEdges: bool, distance: f32, friction: f32): void {
    const lanes = swept.lanes;
    // What the last four lack is what was there before, or zeros: particles in either case.
    for (let k: usize = 0; k < 4; k++) {
        storePairColumns(lanes + (k << 6), swept.shared.snapshot, raw, k << 2);
        storePairColumns(lanes + 256 + (k << 6), swept.forecasts, raw, k << 2);
    }
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    // The two edges of the triangle from its first corner, or both edges; and from the second side's first particle to the first.
    const o: usize = isEdges ? 128 : 64;
    const ux = isEdges ? f32x4.sub(v128.load(lanes, 64), v128.load(lanes)) : f32x4.sub(v128.load(lanes, 128), v128.load(lanes, 64));
    const uy = isEdges ? f32x4.sub(v128.load(lanes, 80), v128.load(lanes, 16)) : f32x4.sub(v128.load(lanes, 144), v128.load(lanes, 80));
    const uz = isEdges ? f32x4.sub(v128.load(lanes, 96), v128.load(lanes, 32)) : f32x4.sub(v128.load(lanes, 160), v128.load(lanes, 96));
    const vx = f32x4.sub(v128.load(lanes, 192), v128.load(lanes + o));
    const vy = f32x4.sub(v128.load(lanes, 208), v128.load(lanes + o, 16));
    const vz = f32x4.sub(v128.load(lanes, 224), v128.load(lanes + o, 32));
    const qx = f32x4.sub(v128.load(lanes), v128.load(lanes + o));
    const qy = f32x4.sub(v128.load(lanes, 16), v128.load(lanes + o, 16));
    const qz = f32x4.sub(v128.load(lanes, 32), v128.load(lanes + o, 32));
    const uu = dotColumns(ux, uy, uz, ux, uy, uz);
    const uv = dotColumns(ux, uy, uz, vx, vy, vz);
    const vv = dotColumns(vx, vy, vz, vx, vy, vz);
    const uq = dotColumns(ux, uy, uz, qx, qy, qz);
    const vq = dotColumns(vx, vy, vz, qx, qy, qz);
    const area = f32x4.sub(f32x4.mul(uu, vv), f32x4.mul(uv, uv));
    let t: v128;
    let u: v128;
    let nx: v128;
    let ny: v128;
    let nz: v128;
    if (isEdges) {
        t = saturate(f32x4.div(f32x4.sub(f32x4.mul(uv, vq), f32x4.mul(uq, vv)), f32x4.pmax(area, f32x4.splat(1e-16))));
        u = saturate(f32x4.div(f32x4.add(f32x4.mul(uv, t), vq), vv));
        t = saturate(f32x4.div(f32x4.sub(f32x4.mul(uv, u), uq), uu));
        nx = f32x4.add(qx, f32x4.sub(f32x4.mul(ux, t), f32x4.mul(vx, u)));
        ny = f32x4.add(qy, f32x4.sub(f32x4.mul(uy, t), f32x4.mul(vy, u)));
        nz = f32x4.add(qz, f32x4.sub(f32x4.mul(uz, t), f32x4.mul(vz, u)));
    } else {
        const inverse = f32x4.div(one, f32x4.pmax(area, f32x4.splat(1e-20)));
        t = f32x4.mul(f32x4.sub(f32x4.mul(vv, uq), f32x4.mul(uv, vq)), inverse);
        u = f32x4.mul(f32x4.sub(f32x4.mul(uu, vq), f32x4.mul(uv, uq)), inverse);
        const isOutside = v128.or(v128.or(f32x4.lt(t, zero), f32x4.lt(u, zero)), f32x4.gt(f32x4.add(t, u), one));
        if (v128.any_true(isOutside)) {
            // Nearest points of the three edges, and their squared distances less that of the first corner.
            const s1 = saturate(f32x4.div(uq, uu));
            const s2 = saturate(f32x4.div(vq, vv));
            const ww = f32x4.sub(f32x4.add(uu, vv), f32x4.add(uv, uv));
            const s3 = saturate(f32x4.div(f32x4.sub(f32x4.sub(vq, uq), f32x4.sub(uv, uu)), ww));
            const r3 = f32x4.sub(one, s3);
            const e1 = f32x4.mul(s1, f32x4.sub(f32x4.mul(s1, uu), f32x4.add(uq, uq)));
            const e2 = f32x4.mul(s2, f32x4.sub(f32x4.mul(s2, vv), f32x4.add(vq, vq)));
            const cross = f32x4.mul(f32x4.mul(r3, s3), uv);
            const down = f32x4.add(f32x4.mul(r3, uq), f32x4.mul(s3, vq));
            const e3 = f32x4.sub(
                f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(r3, r3), uu), f32x4.mul(f32x4.mul(s3, s3), vv)), f32x4.add(cross, cross)),
                f32x4.add(down, down),
            );
            const isSecond = f32x4.lt(e2, e1);
            const isThird = f32x4.lt(e3, f32x4.pmin(e1, e2));
            t = v128.bitselect(v128.bitselect(r3, v128.andnot(s1, isSecond), isThird), t, isOutside);
            u = v128.bitselect(v128.bitselect(s3, v128.and(s2, isSecond), isThird), u, isOutside);
        }
        nx = f32x4.sub(qx, f32x4.add(f32x4.mul(ux, t), f32x4.mul(vx, u)));
        ny = f32x4.sub(qy, f32x4.add(f32x4.mul(uy, t), f32x4.mul(vy, u)));
        nz = f32x4.sub(qz, f32x4.add(f32x4.mul(uz, t), f32x4.mul(vz, u)));
    }
    const squared = dotColumns(nx, ny, nz, nx, ny, nz);
    const apart = f32x4.sqrt(squared);
    const scale = f32x4.div(one, f32x4.pmax(apart, f32x4.splat(1e-9)));
    const mx = f32x4.mul(nx, scale);
    const my = f32x4.mul(ny, scale);
    const mz = f32x4.mul(nz, scale);
    const f0 = forecastAlong(lanes, 0, mx, my, mz);
    const f1 = forecastAlong(lanes, 64, mx, my, mz);
    const f2 = forecastAlong(lanes, 128, mx, my, mz);
    const f3 = forecastAlong(lanes, 192, mx, my, mz);
    const e0 = v128.load(lanes, 304);
    const e1 = v128.load(lanes, 368);
    const e2 = v128.load(lanes, 432);
    const e3 = v128.load(lanes, 496);
    const closing = isEdges
        ? f32x4.sub(f32x4.pmax(f2, f3), f32x4.pmin(f0, f1))
        : f32x4.sub(f32x4.pmax(f32x4.pmax(f1, f2), f3), f0);
    const margin = isEdges ? f32x4.add(f32x4.pmax(e0, e1), f32x4.pmax(e2, e3)) : f32x4.add(e0, f32x4.pmax(f32x4.pmax(e1, e2), e3));
    const reach = f32x4.add(f32x4.add(f32x4.splat(distance), f32x4.pmax(closing, zero)), margin);
    const Nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
    const Ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
    const Nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
    const height = dotColumns(Nx, Ny, Nz, nx, ny, nz);
    const beside = f32x4.sub(squared, f32x4.div(f32x4.mul(height, height), f32x4.pmax(area, f32x4.splat(1e-20))));
    const sliding = isEdges
        ? f32x4.pmax(
              f32x4.pmax(squaredGap(lanes, 0, 128), squaredGap(lanes, 64, 192)),
              f32x4.pmax(squaredGap(lanes, 0, 192), squaredGap(lanes, 64, 128)),
          )
        : f32x4.pmax(f32x4.pmax(squaredGap(lanes, 0, 64), squaredGap(lanes, 0, 128)), squaredGap(lanes, 0, 192));
    const slide = f32x4.add(margin, f32x4.sqrt(sliding));
    let isOver = f32x4.le(beside, f32x4.mul(slide, slide));
    if (isEdges) isOver = v128.or(isOver, f32x4.le(area, f32x4.mul(f32x4.mul(uu, vv), f32x4.splat(PARALLEL))));
    let mask: u32 = i32x4.bitmask(v128.and(f32x4.lt(apart, reach), isOver)) & ((1 << count) - 1);
    if (mask === 0) return;
    v128.store(lanes, apart);
    v128.store(lanes, reach, 16);
    v128.store(lanes, t, 32);
    v128.store(lanes, u, 48);
    v128.store(lanes, dotColumns(Nx, Ny, Nz, qx, qy, qz), 64);
    while (mask) {
        const l = ctz(mask);
        mask &= mask - 1;
        keep(swept, raw + rowOffset(l), lanes + wordOffset(l), isEdges, distance, friction);
    }
}

/** Lists one pair. */
// @ts-ignore: decorator
@inline
function keep(swept: SweptArrays, raw: usize, lane: usize, isEdges: bool, distance: f32, friction: f32): void {
    const i0 = load<u32>(raw);
    const i1 = load<u32>(raw, 4);
    const i2 = load<u32>(raw, 8);
    const i3 = load<u32>(raw, 12);
    let kept = distance;
    if (proxyA === proxyB) {
        const t = load<f32>(lane, 32);
        const u = load<f32>(lane, 48);
        const w0: f32 = isEdges ? 1 - t : 1;
        const w1: f32 = isEdges ? t : t + u - 1;
        const w2: f32 = isEdges ? u - 1 : -t;
        const rest = swept.shared.rest;
        const r = f32x4.add(
            f32x4.add(f32x4.mul(v128.load(rest + rowOffset(i0)), f32x4.splat(w0)), f32x4.mul(v128.load(rest + rowOffset(i1)), f32x4.splat(w1))),
            f32x4.add(f32x4.mul(v128.load(rest + rowOffset(i2)), f32x4.splat(w2)), f32x4.mul(v128.load(rest + rowOffset(i3)), f32x4.splat(-u))),
        );
        const p = f32x4.mul(r, r);
        kept = min<f32>(kept, MAX_REST_SHARE * sqrt<f32>(f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2)));
        if (load<f32>(lane) > load<f32>(lane, 16) - distance + kept) return;
    }
    const counter = isEdges ? SweptCounter.edgeCount : SweptCounter.faceCount;
    const count = load<u32>(swept.progress + counter);
    if (count === (isEdges ? swept.edgeCapacity : swept.faceCapacity)) {
        store<u32>(swept.progress, 1, SweptCounter.overflowed);
        return;
    }
    store<u32>(swept.progress + counter, count + 1);
    v128.store((isEdges ? swept.edgeRows : swept.faceRows) + <usize>count * ROW, v128.load(raw));
    store<f32>((isEdges ? swept.edgeSides : swept.faceSides) + wordOffset(count), load<f32>(lane, 64) < 0 ? -1 : 1);
    store<f32>((isEdges ? swept.edgeDistances : swept.faceDistances) + wordOffset(count), kept);
    store<f32>((isEdges ? swept.edgeFrictions : swept.faceFrictions) + wordOffset(count), friction);
    const slots = swept.shared.slots;
    put(slots, i0, 0);
    put(slots, i1, 0);
    put(slots, i2, 0);
    put(slots, i3, 0);
}
