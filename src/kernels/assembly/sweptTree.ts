/** The tree over all triangles of a self-collision group, fitted to the paths that its particles are forecast to take. */
import { dotColumns, hoist, joinHigh, joinLow, square, sum3, xyz0, zipHigh, zipLow } from "./simd";
import { FourBoxes, FourCones, ParticleArrays, ProxyArrays, ProxyParameter, ProxyRecord, ROW, SelfCollisionParameter, SweptArrays, SweptCounter, SweptLeaf, SweptLeafBoxes, SweptParameter, rowOffset } from "./layout.generated";
import { word } from "./memory";

/** Displacement that all particles have in common since the snapshot. */
// @ts-ignore: decorator
@inline
function driftOf(proxy: ProxyArrays): v128 {
    const numbers = proxy.shared.numbers;
    const box = f32x4.add(v128.load(numbers, SelfCollisionParameter.minDisplacement), v128.load(numbers, SelfCollisionParameter.maxDisplacement));
    return hoist(xyz0(f32x4.mul(box, f32x4.splat(0.5))), 0);
}

/**
 * Forecasts where the particles go: as in this substep, so many times as far. What is common to all does not count.
 *
 *     ●───────────▶  forecast, and a margin about it for what constraints and contacts change
 */
export function forecastPaths(particles: ParticleArrays, proxy: ProxyArrays, swept: SweptArrays): void {
    const snapshot = proxy.shared.snapshot + rowOffset(proxy.first);
    const drift = driftOf(proxy);
    const offset = hoist(v128.load(proxy.numbers, ProxyParameter.offset), 1);
    const substeps = hoist(v128.load32_splat(proxy.numbers, ProxyParameter.sweptSubsteps), 2);
    const least = load<f32>(swept.numbers, SweptParameter.leastMargin);
    const share = load<f32>(swept.numbers, SweptParameter.marginShare);
    const most = load<f32>(swept.numbers, SweptParameter.mostMargin);
    for (let row: usize = 0, end = rowOffset(proxy.particleCount); row < end; row += ROW) {
        const x = xyz0(v128.load(snapshot + row));
        const moved = xyz0(f32x4.sub(f32x4.add(v128.load(particles.positions + row), offset), x));
        const path = f32x4.mul(f32x4.sub(moved, drift), substeps);
        const margin = min<f32>(most, least + share * sqrt<f32>(sum3(square(path))));
        const wide = f32x4.splat(margin);
        const y = f32x4.add(x, path);
        const to = rowOffset(proxy.first) + row;
        v128.store(swept.forecasts + to, f32x4.replace_lane(path, 3, margin));
        v128.store(swept.lows + to, f32x4.sub(f32x4.pmin(x, y), wide));
        v128.store(swept.highs + to, f32x4.add(f32x4.pmax(x, y), wide));
    }
}

export function countStrays(particles: ParticleArrays, proxy: ProxyArrays, swept: SweptArrays): void {
    const snapshot = proxy.shared.snapshot + rowOffset(proxy.first);
    const forecasts = swept.forecasts + rowOffset(proxy.first);
    const drift = driftOf(proxy);
    const offset = hoist(v128.load(proxy.numbers, ProxyParameter.offset), 1);
    let count: u32 = 0;
    for (let row: usize = 0, end = rowOffset(proxy.particleCount); row < end; row += ROW) {
        const forecast = v128.load(forecasts + row);
        const path = xyz0(forecast);
        const margin = f32x4.extract_lane(forecast, 3);
        const moved = xyz0(f32x4.sub(f32x4.sub(f32x4.add(v128.load(particles.positions + row), offset), v128.load(snapshot + row)), drift));
        const along = sum3(f32x4.mul(moved, path)) / max<f32>(1e-12, sum3(square(path)));
        const away = f32x4.sub(moved, f32x4.mul(path, f32x4.splat(max<f32>(0, min<f32>(1, along)))));
        count += sum3(square(away)) > margin * margin ? 1 : 0;
    }
    store<u32>(swept.progress, load<u32>(swept.progress, SweptCounter.strayCount) + count, SweptCounter.strayCount);
}

// @ts-ignore: decorator
@inline
export function least4(v: v128): f32 {
    return min(min(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)), min(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)));
}

// @ts-ignore: decorator
@inline
export function most4(v: v128): f32 {
    return max(max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)), max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)));
}

// @ts-ignore: decorator
@inline
function sum4(v: v128): f32 {
    return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

/** Stores four rows as columns x y z and, beyond them, the fourth lane. */
// @ts-ignore: decorator
@inline
export function storeColumns(to: usize, a: v128, b: v128, c: v128, d: v128): void {
    const xy0 = zipLow(a, b);
    const xy1 = zipLow(c, d);
    const zw0 = zipHigh(a, b);
    const zw1 = zipHigh(c, d);
    v128.store(to, joinLow(xy0, xy1));
    v128.store(to, joinHigh(xy0, xy1), 16);
    v128.store(to, joinLow(zw0, zw1), 32);
    v128.store(to, joinHigh(zw0, zw1), 48);
}

/** Columns of one corner of four triangles. */
// @ts-ignore: decorator
@inline
function storeCorners(to: usize, rows: usize, corner: usize): void {
    storeColumns(
        to,
        v128.load(rows + rowOffset(load<u32>(corner))),
        v128.load(rows + rowOffset(load<u32>(corner, 16))),
        v128.load(rows + rowOffset(load<u32>(corner, 32))),
        v128.load(rows + rowOffset(load<u32>(corner, 48))),
    );
}

/** Adds to three columns. */
// @ts-ignore: decorator
@inline
function widen(at: usize, x: v128, y: v128, z: v128): void {
    v128.store(at, f32x4.add(v128.load(at), x));
    v128.store(at, f32x4.add(v128.load(at, 16), y), 16);
    v128.store(at, f32x4.add(v128.load(at, 32), z), 32);
}

// @ts-ignore: decorator
@inline
function extent(rows: usize, ids: usize, i: usize, j: usize, isUpper: bool): v128 {
    const a = v128.load(rows + rowOffset(load<u32>(ids + i)));
    const b = v128.load(rows + rowOffset(load<u32>(ids + j)));
    return isUpper ? f32x4.pmax(a, b) : f32x4.pmin(a, b);
}

/** Box of the corners of the triangle in a row of a leaf. */
// @ts-ignore: decorator
@inline
function triangleExtent(rows: usize, ids: usize, isUpper: bool): v128 {
    const c = v128.load(rows + rowOffset(load<u32>(ids, 8)));
    const both = extent(rows, ids, 0, 4, isUpper);
    return isUpper ? f32x4.pmax(both, c) : f32x4.pmin(both, c);
}

/** One side, lower or upper, of the boxes of a leaf. */
// @ts-ignore: decorator
@inline
function fitSide(leaf: usize, to: usize, rows: usize, group: usize, isUpper: bool, hx: v128, hy: v128, hz: v128, ix: f32, iy: f32, iz: f32): void {
    const r0 = triangleExtent(rows, leaf, isUpper);
    const r1 = triangleExtent(rows, leaf + 16, isUpper);
    const r2 = triangleExtent(rows, leaf + 32, isUpper);
    const r3 = triangleExtent(rows, leaf + 48, isUpper);
    storeThree(to, r0, r1, r2, r3);
    widen(to, hx, hy, hz);
    const x = f32x4.splat(ix);
    const y = f32x4.splat(iy);
    const z = f32x4.splat(iz);
    for (let k: usize = 0; k < 2; k++) {
        const edges = leaf + SweptLeaf.edges + 32 * k;
        const box = to + SweptLeafBoxes.edges + FourBoxes.count * k;
        storeThree(box, extent(rows, edges, 0, 4, isUpper), extent(rows, edges, 8, 12, isUpper), extent(rows, edges, 16, 20, isUpper), extent(rows, edges, 24, 28, isUpper));
        widen(box, x, y, z);
    }
    const vertices = leaf + SweptLeaf.vertices;
    const box = to + SweptLeafBoxes.vertices;
    storeThree(box, extent(rows, vertices, 0, 0, isUpper), extent(rows, vertices, 4, 4, isUpper), extent(rows, vertices, 8, 8, isUpper), extent(rows, vertices, 12, 12, isUpper));
    widen(box, x, y, z);
    const all = isUpper ? f32x4.pmax(f32x4.pmax(r0, r1), f32x4.pmax(r2, r3)) : f32x4.pmin(f32x4.pmin(r0, r1), f32x4.pmin(r2, r3));
    store<f32>(group, f32x4.extract_lane(all, 0) + ix);
    store<f32>(group, f32x4.extract_lane(all, 1) + iy, 16);
    store<f32>(group, f32x4.extract_lane(all, 2) + iz, 32);
}

/** Three columns of four rows. */
// @ts-ignore: decorator
@inline
function storeThree(to: usize, a: v128, b: v128, c: v128, d: v128): void {
    const xy0 = zipLow(a, b);
    const xy1 = zipLow(c, d);
    v128.store(to, joinLow(xy0, xy1));
    v128.store(to, joinHigh(xy0, xy1), 16);
    v128.store(to, joinLow(zipHigh(a, b), zipHigh(c, d)), 32);
}

/** Fits the boxes of all leaves, widened by half of the thickness along the normals only, the cones of their normals, and the boxes above. */
export function refitSweptTree(swept: SweptArrays): void {
    const snapshot = swept.shared.snapshot;
    const lanes = swept.lanes;
    const one = f32x4.splat(1);
    for (let i: u32 = 0; i < swept.leafCount; i++) {
        const leaf = swept.leaves + <usize>i * SweptLeaf.count;
        if (load<u32>(leaf) === swept.particleCount) continue;
        const thickness = load<f32>(swept.shared.proxies + <usize>load<u32>(leaf, SweptLeaf.proxy) * ProxyRecord.count, ProxyRecord.thickness);
        const half = f32x4.splat(0.5 * thickness);
        storeCorners(lanes, snapshot, leaf);
        storeCorners(lanes + 64, snapshot, leaf + 4);
        storeCorners(lanes + 128, snapshot, leaf + 8);
        const ax = v128.load(lanes);
        const ay = v128.load(lanes, 16);
        const az = v128.load(lanes, 32);
        const bx = v128.load(lanes, 64);
        const by = v128.load(lanes, 80);
        const bz = v128.load(lanes, 96);
        const cx = v128.load(lanes, 128);
        const cy = v128.load(lanes, 144);
        const cz = v128.load(lanes, 160);
        const ux = f32x4.sub(bx, ax);
        const uy = f32x4.sub(by, ay);
        const uz = f32x4.sub(bz, az);
        const vx = f32x4.sub(cx, ax);
        const vy = f32x4.sub(cy, ay);
        const vz = f32x4.sub(cz, az);
        const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
        const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
        const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
        const scale = f32x4.div(one, f32x4.sqrt(f32x4.add(dotColumns(nx, ny, nz, nx, ny, nz), f32x4.splat(1e-30))));
        const mx = f32x4.mul(nx, scale);
        const my = f32x4.mul(ny, scale);
        const mz = f32x4.mul(nz, scale);
        const lane = <usize>(i & 3) << 2;
        const cone = swept.cones + <usize>(i >> 2) * FourCones.count + lane;
        store<f32>(cone, least4(mx), FourCones.minNormal);
        store<f32>(cone, least4(my), FourCones.minNormal + 16);
        store<f32>(cone, least4(mz), FourCones.minNormal + 32);
        store<f32>(cone, most4(mx), FourCones.maxNormal);
        store<f32>(cone, most4(my), FourCones.maxNormal + 16);
        store<f32>(cone, most4(mz), FourCones.maxNormal + 32);
        store<f32>(cone, sum4(f32x4.add(f32x4.add(ax, bx), cx)) / 12, FourCones.centre);
        store<f32>(cone, sum4(f32x4.add(f32x4.add(ay, by), cy)) / 12, FourCones.centre + 16);
        store<f32>(cone, sum4(f32x4.add(f32x4.add(az, bz), cz)) / 12, FourCones.centre + 32);
        const hx = f32x4.mul(half, f32x4.abs(mx));
        const hy = f32x4.mul(half, f32x4.abs(my));
        const hz = f32x4.mul(half, f32x4.abs(mz));
        const ix = most4(hx);
        const iy = most4(hy);
        const iz = most4(hz);
        const boxes = swept.leafBoxes + <usize>i * SweptLeafBoxes.count;
        const group = swept.groups + <usize>(i >> 2) * FourBoxes.count + lane;
        fitSide(leaf, boxes, swept.lows, group, false, f32x4.neg(hx), f32x4.neg(hy), f32x4.neg(hz), -ix, -iy, -iz);
        fitSide(leaf, boxes + FourBoxes.maximum, swept.highs, group + FourBoxes.maximum, true, hx, hy, hz, ix, iy, iz);
    }
    for (let level: u32 = 1; level < swept.levelCount; level++) {
        const first = word(swept.levels, level - 1);
        const above = word(swept.levels, level);
        for (let g = first; g < above; g++) {
            const from = swept.groups + <usize>g * FourBoxes.count;
            const to = swept.groups + <usize>(above + ((g - first) >> 2)) * FourBoxes.count + (<usize>((g - first) & 3) << 2);
            for (let k: usize = 0; k < 48; k += 16) {
                store<f32>(to + k, least4(v128.load(from + k)));
                store<f32>(to + k, most4(v128.load(from + k, FourBoxes.maximum)), FourBoxes.maximum);
            }
        }
    }
}
