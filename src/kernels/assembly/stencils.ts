/**
 * Bending stencils, data: LineStencilRecord and StencilRecord in ../../layout.ts. A stencil works on rows, and
 * has no root: only those with a curvature at rest go four at once, for theirs.
 */
import { splat0, splat1, splat2, splat3, squaredLengths } from "./simd";
import { LineStencilArrays, LineStencilRecord, ParticleArrays, StencilArrays, StencilRecord } from "./layout.generated";

export function projectLineStencils(particles: ParticleArrays, stencils: LineStencilArrays): void {
    const x = particles.positions;
    let r = stencils.records;
    for (const end = r + <usize>stencils.recordCount * LineStencilRecord.count; r < end; r += LineStencilRecord.count) {
        const a = x + <usize>load<u32>(r, LineStencilRecord.rows);
        const b = x + <usize>load<u32>(r, LineStencilRecord.rows + 4);
        const c = x + <usize>load<u32>(r, LineStencilRecord.rows + 8);
        const xa = v128.load(a);
        const xb = v128.load(b);
        const xc = v128.load(c);
        const d = f32x4.add(
            f32x4.mul(f32x4.sub(xa, xb), v128.load32_splat(r, LineStencilRecord.weights)),
            f32x4.mul(f32x4.sub(xc, xb), v128.load32_splat(r, LineStencilRecord.weights + 4)),
        );
        v128.store(a, f32x4.add(xa, f32x4.mul(d, v128.load32_splat(r, LineStencilRecord.moves))));
        v128.store(b, f32x4.add(xb, f32x4.mul(d, v128.load32_splat(r, LineStencilRecord.moves + 4))));
        v128.store(c, f32x4.add(xc, f32x4.mul(d, v128.load32_splat(r, LineStencilRecord.moves + 8))));
    }
}

export function projectStencils(particles: ParticleArrays, stencils: StencilArrays): void {
    const x = particles.positions;
    let r = stencils.records;
    for (const end = r + <usize>stencils.recordCount * StencilRecord.count; r < end; r += StencilRecord.count) {
        move(x, r, curvatureOf(x, r));
    }
}

export function projectCurvedStencils(particles: ParticleArrays, stencils: StencilArrays): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const x = particles.positions;
    let r = stencils.records;
    for (const end = r + <usize>stencils.recordCount * StencilRecord.count; r < end; r += 4 * StencilRecord.count) {
        const d0 = curvatureOf(x, r);
        const d1 = curvatureOf(x, r + StencilRecord.count);
        const d2 = curvatureOf(x, r + 2 * StencilRecord.count);
        const d3 = curvatureOf(x, r + 3 * StencilRecord.count);
        const length = f32x4.sqrt(squaredLengths(d0, d1, d2, d3));
        let curvature = v128.load32_splat(r, StencilRecord.curvature);
        curvature = v128.load32_lane(r + StencilRecord.count, curvature, 1, StencilRecord.curvature);
        curvature = v128.load32_lane(r + 2 * StencilRecord.count, curvature, 2, StencilRecord.curvature);
        curvature = v128.load32_lane(r + 3 * StencilRecord.count, curvature, 3, StencilRecord.curvature);
        const excess = v128.and(f32x4.sub(one, f32x4.div(curvature, length)), f32x4.gt(length, zero));
        move(x, r, f32x4.mul(d0, splat0(excess)));
        move(x, r + StencilRecord.count, f32x4.mul(d1, splat1(excess)));
        move(x, r + 2 * StencilRecord.count, f32x4.mul(d2, splat2(excess)));
        move(x, r + 3 * StencilRecord.count, f32x4.mul(d3, splat3(excess)));
    }
}

/** Ka (a - b) + Kc (c - b) + Ke (e - b). */
// @ts-ignore: decorator
@inline
function curvatureOf(x: usize, r: usize): v128 {
    const b = v128.load(x + <usize>load<u32>(r, StencilRecord.rows + 4));
    const a = f32x4.sub(v128.load(x + <usize>load<u32>(r, StencilRecord.rows)), b);
    const c = f32x4.sub(v128.load(x + <usize>load<u32>(r, StencilRecord.rows + 8)), b);
    const e = f32x4.sub(v128.load(x + <usize>load<u32>(r, StencilRecord.rows + 12)), b);
    return f32x4.add(
        f32x4.add(
            f32x4.mul(a, v128.load32_splat(r, StencilRecord.weights)),
            f32x4.mul(c, v128.load32_splat(r, StencilRecord.weights + 4)),
        ),
        f32x4.mul(e, v128.load32_splat(r, StencilRecord.weights + 8)),
    );
}

/** Moves the particles of a stencil, one by one: e may be b. */
// @ts-ignore: decorator
@inline
function move(x: usize, r: usize, d: v128): void {
    const a = x + <usize>load<u32>(r, StencilRecord.rows);
    const b = x + <usize>load<u32>(r, StencilRecord.rows + 4);
    const c = x + <usize>load<u32>(r, StencilRecord.rows + 8);
    const e = x + <usize>load<u32>(r, StencilRecord.rows + 12);
    v128.store(a, f32x4.add(v128.load(a), f32x4.mul(d, v128.load32_splat(r, StencilRecord.moves))));
    v128.store(b, f32x4.add(v128.load(b), f32x4.mul(d, v128.load32_splat(r, StencilRecord.moves + 4))));
    v128.store(c, f32x4.add(v128.load(c), f32x4.mul(d, v128.load32_splat(r, StencilRecord.moves + 8))));
    v128.store(e, f32x4.add(v128.load(e), f32x4.mul(d, v128.load32_splat(r, StencilRecord.moves + 12))));
}
