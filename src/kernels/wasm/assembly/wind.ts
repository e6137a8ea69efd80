/** Wind; specification: scalar/wind.ts. */
import { cross, dotColumns, joinHigh, joinLow, splat0, splat1, splat2, splat3, zipHigh, zipLow } from "./lanes";
import { ParticleArrays, Scratch, TriangleArrays, Uniform, rowOffset, scratch } from "./layout.generated";

/** Byte offset of corner `i` of a triangle in the arrays of rows. */
// @ts-ignore: decorator
@inline
function rowOf(triangle: usize, i: usize): usize {
    return rowOffset(load<u32>(triangle + i * 4));
}

/** Displacement of a particle in the last substep. */
// @ts-ignore: decorator
@inline
function displacement(position: v128, previous: usize, residuals: usize, row: usize): v128 {
    return f32x4.add(f32x4.sub(position, v128.load(previous + row)), v128.load(residuals + row));
}

/**
 * Writes a triangle's normal N, three times its mean displacement and its first corner to row `i` of the tables.
 */
// @ts-ignore: decorator
@inline
function measure(tables: usize, x: usize, previous: usize, residuals: usize, triangle: usize, i: usize): void {
    const a = rowOf(triangle, 0);
    const b = rowOf(triangle, 1);
    const c = rowOf(triangle, 2);
    const xa = v128.load(x + a);
    const xb = v128.load(x + b);
    const xc = v128.load(x + c);
    v128.store(tables + i * 16, cross(f32x4.sub(xb, xa), f32x4.sub(xc, xa)), Scratch.normals);
    v128.store(
        tables + i * 16,
        f32x4.add(
            f32x4.add(displacement(xa, previous, residuals, a), displacement(xb, previous, residuals, b)),
            displacement(xc, previous, residuals, c),
        ),
        Scratch.displacements,
    );
    v128.store(tables + i * 16, xa, Scratch.corners);
}

/** Inverse masses of corner `i` of four triangles. */
// @ts-ignore: decorator
@inline
function masses(inverseMasses: usize, t0: usize, t1: usize, t2: usize, t3: usize, i: usize): v128 {
    let w = v128.load32_zero(inverseMasses + (<usize>load<u32>(t0 + i * 4) << 2));
    w = v128.load32_lane(inverseMasses + (<usize>load<u32>(t1 + i * 4) << 2), w, 1);
    w = v128.load32_lane(inverseMasses + (<usize>load<u32>(t2 + i * 4) << 2), w, 2);
    return v128.load32_lane(inverseMasses + (<usize>load<u32>(t3 + i * 4) << 2), w, 3);
}

// @ts-ignore: decorator
@inline
function addTo(row: usize, v: v128): void {
    v128.store(row, f32x4.add(v128.load(row), v));
}

// @ts-ignore: decorator
@inline
function push(residuals: usize, triangle: usize, normal: v128, ka: v128, kb: v128, kc: v128): void {
    addTo(residuals + rowOf(triangle, 0), f32x4.mul(normal, ka));
    addTo(residuals + rowOf(triangle, 1), f32x4.mul(normal, kb));
    addTo(residuals + rowOf(triangle, 2), f32x4.mul(normal, kc));
}

/** See wave() in the specification. */
// @ts-ignore: decorator
@inline
function wave(cycles: v128): v128 {
    const half = f32x4.splat(0.5);
    const fraction = f32x4.sub(cycles, f32x4.floor(cycles));
    const isFirstHalf = f32x4.lt(fraction, half);
    const h = v128.bitselect(fraction, f32x4.sub(fraction, half), isFirstHalf);
    const parabola = f32x4.mul(f32x4.mul(f32x4.splat(16), h), f32x4.sub(half, h));
    return v128.bitselect(parabola, f32x4.neg(parabola), isFirstHalf);
}

/**
 * Four triangles at once: their velocities are read before any of the four pushes. Impulses are added one triangle
 * after the other, so that triangles of a group may share particles.
 */
export function applyWind(particles: ParticleArrays, surface: TriangleArrays): void {
    const x = particles.positions;
    const previous = particles.previous;
    const residuals = particles.residuals;
    const inverseMasses = particles.inverseMasses;
    const uniforms = particles.uniforms;
    const triangles = surface.triangles;
    const tables = scratch;
    const substep = load<f32>(uniforms, Uniform.substep);
    const third = f32x4.splat(1 / (substep * 3));
    const stepThird = f32x4.splat(substep / 3);
    const halfDrag = f32x4.splat(0.5 * load<f32>(uniforms, Uniform.dragTime));
    const wind = uniforms + Uniform.windVelocity;
    const gustVelocity = uniforms + Uniform.gustVelocity;
    const gustWave = uniforms + Uniform.gustWave;
    const hasGusts = load<f32>(gustVelocity, 0) != 0 || load<f32>(gustVelocity, 4) != 0 || load<f32>(gustVelocity, 8) != 0;
    const last = triangles + (surface.triangleCount - 1) * 12;
    for (let t0 = triangles; t0 <= last; t0 += 48) {
        const t1 = min(t0 + 12, last);
        const t2 = min(t0 + 24, last);
        const t3 = min(t0 + 36, last);

        measure(tables, x, previous, residuals, t0, 0);
        measure(tables, x, previous, residuals, t1, 1);
        measure(tables, x, previous, residuals, t2, 2);
        measure(tables, x, previous, residuals, t3, 3);

        const n0 = v128.load(tables, Scratch.normals);
        const n1 = v128.load(tables, Scratch.normals + 16);
        const n2 = v128.load(tables, Scratch.normals + 32);
        const n3 = v128.load(tables, Scratch.normals + 48);
        const nxy01 = zipLow(n0, n1);
        const nxy23 = zipLow(n2, n3);
        const nx = joinLow(nxy01, nxy23);
        const ny = joinHigh(nxy01, nxy23);
        const nz = joinLow(zipHigh(n0, n1), zipHigh(n2, n3));

        // Wind relative to the triangle.
        const d0 = v128.load(tables, Scratch.displacements);
        const d1 = v128.load(tables, Scratch.displacements + 16);
        const d2 = v128.load(tables, Scratch.displacements + 32);
        const d3 = v128.load(tables, Scratch.displacements + 48);
        const dxy01 = zipLow(d0, d1);
        const dxy23 = zipLow(d2, d3);
        let rx = f32x4.sub(v128.load32_splat(wind, 0), f32x4.mul(joinLow(dxy01, dxy23), third));
        let ry = f32x4.sub(v128.load32_splat(wind, 4), f32x4.mul(joinHigh(dxy01, dxy23), third));
        let rz = f32x4.sub(v128.load32_splat(wind, 8), f32x4.mul(joinLow(zipHigh(d0, d1), zipHigh(d2, d3)), third));
        if (hasGusts) {
            const a0 = v128.load(tables, Scratch.corners);
            const a1 = v128.load(tables, Scratch.corners + 16);
            const a2 = v128.load(tables, Scratch.corners + 32);
            const a3 = v128.load(tables, Scratch.corners + 48);
            const xy01 = zipLow(a0, a1);
            const xy23 = zipLow(a2, a3);
            const cycles = dotColumns(
                joinLow(xy01, xy23), joinHigh(xy01, xy23), joinLow(zipHigh(a0, a1), zipHigh(a2, a3)),
                v128.load32_splat(gustWave, 0), v128.load32_splat(gustWave, 4), v128.load32_splat(gustWave, 8),
            );
            const gust = wave(f32x4.sub(cycles, v128.load32_splat(uniforms, Uniform.gustPhase)));
            rx = f32x4.add(rx, f32x4.mul(gust, v128.load32_splat(gustVelocity, 0)));
            ry = f32x4.add(ry, f32x4.mul(gust, v128.load32_splat(gustVelocity, 4)));
            rz = f32x4.add(rz, f32x4.mul(gust, v128.load32_splat(gustVelocity, 8)));
        }

        const doubleArea = f32x4.sqrt(dotColumns(nx, ny, nz, nx, ny, nz));
        const crossing = dotColumns(nx, ny, nz, rx, ry, rz);
        const wa = masses(inverseMasses, t0, t1, t2, t3, 0);
        const wb = masses(inverseMasses, t0, t1, t2, t3, 1);
        const wc = masses(inverseMasses, t0, t1, t2, t3, 2);
        const mobility = f32x4.mul(f32x4.add(f32x4.add(wa, wb), wc), f32x4.splat(<f32>(2.0 / 3.0)));
        const implicit = f32x4.add(f32x4.splat(1), f32x4.mul(f32x4.mul(halfDrag, doubleArea), mobility));
        const k = v128.and(
            f32x4.div(f32x4.mul(f32x4.mul(halfDrag, stepThird), crossing), f32x4.mul(doubleArea, implicit)),
            f32x4.gt(doubleArea, f32x4.splat(0)),
        );
        const ka = f32x4.mul(k, wa);
        const kb = f32x4.mul(k, wb);
        const kc = f32x4.mul(k, wc);

        push(residuals, t0, v128.load(tables, Scratch.normals), splat0(ka), splat0(kb), splat0(kc));
        if (t0 + 12 > last) return;
        push(residuals, t1, v128.load(tables, Scratch.normals + 16), splat1(ka), splat1(kb), splat1(kc));
        if (t0 + 24 > last) return;
        push(residuals, t2, v128.load(tables, Scratch.normals + 32), splat2(ka), splat2(kb), splat2(kc));
        if (t0 + 36 > last) return;
        push(residuals, t3, v128.load(tables, Scratch.normals + 48), splat3(ka), splat3(kb), splat3(kc));
    }
}
