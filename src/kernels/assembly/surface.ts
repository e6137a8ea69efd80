/** The rendered surface. */
import { cross, dotRows, hoist, splat0, splat1, splat2, splat3, squaredLengths, xyz0 } from "./simd";
import { Frame, ParticleArrays, SurfaceArrays, rowOffset } from "./layout.generated";
import { word } from "./memory";

export function transformPoints(particles: ParticleArrays, surface: SurfaceArrays): void {
    const x = particles.positions;
    const stepStart = particles.stepStart;
    const frame = surface.frame;
    const pointCount = surface.pointCount;
    let particleOfPoint = surface.particleOfPoint;
    let points = surface.points;
    const alpha = v128.load32_splat(frame, Frame.alpha);
    const m0 = hoist(xyz0(v128.load(frame, Frame.toLocal)), 0);
    const m1 = hoist(xyz0(v128.load(frame, Frame.toLocal + 16)), 1);
    const m2 = hoist(xyz0(v128.load(frame, Frame.toLocal + 32)), 2);
    const m3 = hoist(xyz0(v128.load(frame, Frame.toLocal + 48)), 3);
    let minimum = f32x4.splat(Infinity);
    let maximum = f32x4.splat(-Infinity);
    const pairsEnd = points + rowOffset(pointCount & ~1);
    while (points < pairsEnd) {
        const local = toLocal(x, stepStart, load<u32>(particleOfPoint, 0), alpha, m0, m1, m2, m3);
        const local2 = toLocal(x, stepStart, load<u32>(particleOfPoint, 4), alpha, m0, m1, m2, m3);
        v128.store(points, local, 0);
        v128.store(points, local2, 16);
        minimum = f32x4.pmin(f32x4.pmin(minimum, local), local2);
        maximum = f32x4.pmax(f32x4.pmax(maximum, local), local2);
        particleOfPoint += 8;
        points += 32;
    }
    if (pointCount & 1) {
        const local = toLocal(x, stepStart, load<u32>(particleOfPoint), alpha, m0, m1, m2, m3);
        v128.store(points, local);
        minimum = f32x4.pmin(minimum, local);
        maximum = f32x4.pmax(maximum, local);
    }
    v128.store(frame, xyz0(minimum), Frame.minimum);
    v128.store(frame, xyz0(maximum), Frame.maximum);
}

/** A particle between the start and the end of the step, mapped by the rows of a matrix. */
// @ts-ignore: decorator
@inline
function toLocal(
    x: usize, stepStart: usize, particle: u32, alpha: v128, m0: v128, m1: v128, m2: v128, m3: v128,
): v128 {
    const row = rowOffset(particle);
    const from = v128.load(stepStart + row);
    const world = f32x4.add(from, f32x4.mul(f32x4.sub(v128.load(x + row), from), alpha));
    return f32x4.add(
        f32x4.add(f32x4.mul(splat0(world), m0), f32x4.mul(splat1(world), m1)),
        f32x4.add(f32x4.mul(splat2(world), m2), m3),
    );
}

/** Adds a triangle's cross product to the normals of the points in the given rows. */
// @ts-ignore: decorator
@inline
function addTriangle(points: usize, normals: usize, a: usize, b: usize, c: usize): void {
    const pa = v128.load(points + a);
    const n = cross(f32x4.sub(v128.load(points + b), pa), f32x4.sub(v128.load(points + c), pa));
    addTo(normals + a, n);
    addTo(normals + b, n);
    addTo(normals + c, n);
}

// @ts-ignore: decorator
@inline
function addTo(row: usize, v: v128): void {
    v128.store(row, f32x4.add(v128.load(row), v));
}

/** `unit` over the four lengths of which the squares are given; zero over none. */
// @ts-ignore: decorator
@inline
function inverseLengths(squared: v128, unit: v128): v128 {
    return v128.and(f32x4.div(unit, f32x4.sqrt(squared)), f32x4.gt(squared, f32x4.splat(0)));
}

export function computeNormals(surface: SurfaceArrays): void {
    const points = surface.points;
    const pointCount = surface.pointCount;
    const triangleCount = <usize>surface.surfaceTriangleCount;
    let normals = surface.pointNormals;
    let triangles = surface.surfaceTriangles;
    const side = f32x4.splat(surface.isMirrored ? -1 : 1);
    memory.fill(normals, 0, rowOffset(pointCount));
    const pairsEnd = triangles + (triangleCount & ~1) * 12;
    while (triangles < pairsEnd) {
        // Two triangles are six indices in three loads, shifted two at a time: points are fewer than 2^28.
        const ab = load<u64>(triangles, 0) << 4;
        const ca = load<u64>(triangles, 8) << 4;
        const bc = load<u64>(triangles, 16) << 4;
        addTriangle(points, normals, <usize>(<u32>ab), <usize>(ab >> 32), <usize>(<u32>ca));
        addTriangle(points, normals, <usize>(ca >> 32), <usize>(<u32>bc), <usize>(bc >> 32));
        triangles += 24;
    }
    if (triangleCount & 1) {
        const a = rowOffset(load<u32>(triangles, 0));
        const b = rowOffset(load<u32>(triangles, 4));
        const c = rowOffset(load<u32>(triangles, 8));
        addTriangle(points, normals, a, b, c);
    }
    const groupsEnd = normals + rowOffset(pointCount & ~3);
    const end = normals + rowOffset(pointCount);
    while (normals < groupsEnd) {
        const n0 = v128.load(normals, 0);
        const n1 = v128.load(normals, 16);
        const n2 = v128.load(normals, 32);
        const n3 = v128.load(normals, 48);
        const k = inverseLengths(squaredLengths(n0, n1, n2, n3), side);
        v128.store(normals, f32x4.mul(n0, splat0(k)), 0);
        v128.store(normals, f32x4.mul(n1, splat1(k)), 16);
        v128.store(normals, f32x4.mul(n2, splat2(k)), 32);
        v128.store(normals, f32x4.mul(n3, splat3(k)), 48);
        normals += 64;
    }
    while (normals < end) {
        const n = v128.load(normals);
        const k = inverseLengths(squaredLengths(n, n, n, n), side);
        v128.store(normals, f32x4.mul(n, k));
        normals += 16;
    }
}

/**
 * Rows x y z 0 packed to x y z: each row is stored whole, and the next one overwrites its last lane. The very last row
 * must not reach beyond the buffer.
 */
// @ts-ignore: decorator
@inline
function packRows(rowOfVertex: usize, rows: usize, packed: usize, vertexCount: u32): void {
    if (vertexCount == 0) return;
    const last = packed + <usize>(vertexCount - 1) * 12;
    while (packed < last) {
        v128.store(packed, v128.load(rows + rowOffset(load<u32>(rowOfVertex))));
        rowOfVertex += 4;
        packed += 12;
    }
    const row = v128.load(rows + rowOffset(load<u32>(rowOfVertex)));
    v128.store64_lane(packed, row, 0);
    v128.store32_lane(packed, row, 2, 8);
}

export function writeVertices(surface: SurfaceArrays): void {
    packRows(surface.pointOfVertex, surface.points, surface.vertexPositions, surface.vertexCount);
    if (surface.hasNormals) packRows(surface.pointOfVertex, surface.pointNormals, surface.vertexNormals, surface.vertexCount);
}

/** A vertex's tangent, by its weights in its triangle, as long as the deformed edges make it. */
// @ts-ignore: decorator
@inline
function tangentOf(points: usize, triangles: usize, triangle: usize, weights: usize): v128 {
    triangles += triangle * 12;
    const a = v128.load(points + rowOffset(load<u32>(triangles, 0)));
    const b = v128.load(points + rowOffset(load<u32>(triangles, 4)));
    const c = v128.load(points + rowOffset(load<u32>(triangles, 8)));
    return f32x4.add(
        f32x4.mul(f32x4.sub(b, a), v128.load32_splat(weights, 0)),
        f32x4.mul(f32x4.sub(c, a), v128.load32_splat(weights, 4)),
    );
}

/** Stores x y z of a tangent of non-zero length and leaves w alone. */
// @ts-ignore: decorator
@inline
function storeTangent(row: usize, tangent: v128, isUnit: v128): void {
    const old = v128.load(row);
    v128.store(row, v128.bitselect(v128.shuffle<f32>(tangent, old, 0, 1, 2, 7), old, isUnit));
}

export function writeTangents(surface: SurfaceArrays): void {
    const points = surface.points;
    const normals = surface.pointNormals;
    const pointOfVertex = surface.pointOfVertex;
    const triangles = surface.surfaceTriangles;
    const tangentTriangles = surface.tangentTriangles;
    const tangentWeights = surface.tangentWeights;
    const vertexTangents = surface.vertexTangents;
    const vertexCount = <usize>surface.vertexCount;
    for (let v: usize = 0; v < vertexCount; v += 4) {
        // Beyond the end, the last vertex is done again, with the same result.
        const last = vertexCount - 1;
        const v1 = min(v + 1, last);
        const v2 = min(v + 2, last);
        const v3 = min(v + 3, last);
        let t0 = tangentOf(points, triangles, word(tangentTriangles, v), tangentWeights + (v << 3));
        let t1 = tangentOf(points, triangles, word(tangentTriangles, v1), tangentWeights + (v1 << 3));
        let t2 = tangentOf(points, triangles, word(tangentTriangles, v2), tangentWeights + (v2 << 3));
        let t3 = tangentOf(points, triangles, word(tangentTriangles, v3), tangentWeights + (v3 << 3));
        const n0 = v128.load(normals + rowOffset(word(pointOfVertex, v)));
        const n1 = v128.load(normals + rowOffset(word(pointOfVertex, v1)));
        const n2 = v128.load(normals + rowOffset(word(pointOfVertex, v2)));
        const n3 = v128.load(normals + rowOffset(word(pointOfVertex, v3)));
        const along = dotRows(t0, n0, t1, n1, t2, n2, t3, n3);
        t0 = f32x4.sub(t0, f32x4.mul(n0, splat0(along)));
        t1 = f32x4.sub(t1, f32x4.mul(n1, splat1(along)));
        t2 = f32x4.sub(t2, f32x4.mul(n2, splat2(along)));
        t3 = f32x4.sub(t3, f32x4.mul(n3, splat3(along)));
        const k = inverseLengths(squaredLengths(t0, t1, t2, t3), f32x4.splat(1));
        const isUnit = f32x4.gt(k, f32x4.splat(0));
        storeTangent(vertexTangents + rowOffset(v), f32x4.mul(t0, splat0(k)), splat0(isUnit));
        storeTangent(vertexTangents + rowOffset(v1), f32x4.mul(t1, splat1(k)), splat1(isUnit));
        storeTangent(vertexTangents + rowOffset(v2), f32x4.mul(t2, splat2(k)), splat2(isUnit));
        storeTangent(vertexTangents + rowOffset(v3), f32x4.mul(t3, splat3(k)), splat3(isUnit));
    }
}
