/**
 * Bending of a chain that is straight at rest, all particles at once: an implicit step of the energy ½ Σ B_i |κ_i|², B the bending stiffness
 * times the length that particle i stands for, and
 *
 *     a ●━━━● b ━━━● c      κ_b = (a - b) / (l la) + (c - b) / (l lc),   l = (la + lc) / 2
 *
 * (Bergou et al. 2008, "Discrete elastic rods", for small turns from link to link). κ is linear in the places, so a step is one band matrix:
 * (M/dt² + K) Δx = -K x, factored as L D Lᵀ once; what is pinned has a row of its own. Any stiffness is stable, and is what it says.
 */
import { RopeBendArrays, ParticleArrays, rowOffset, wordOffset } from "./layout.generated";

// @ts-ignore: decorator
@inline
function times(row: v128, number: usize): v128 {
    return f32x4.mul(row, v128.load32_splat(number));
}

export function bendRope(particles: ParticleArrays, bend: RopeBendArrays): void {
    const x = particles.positions;
    const count = <usize>bend.particleCount;
    const rows = bend.rows + 32;
    const first = bend.first;
    const second = bend.second;
    const below = bend.subdiagonal;
    const secondSubdiagonal = bend.secondSubdiagonal;
    const zero = f32x4.splat(0);
    let a = v128.load(x);
    let b = v128.load(x, 16);
    let arm = f32x4.sub(a, b);
    for (let i: usize = 1; i < count - 1; i++) {
        a = b;
        b = v128.load(x + rowOffset(i + 1));
        const back = f32x4.sub(a, b);
        const curvature = f32x4.sub(times(arm, first + wordOffset(i)), times(back, second + wordOffset(i)));
        arm = back;
        v128.store(rows + rowOffset(i), times(curvature, bend.moments + wordOffset(i)));
    }
    let near = zero;
    let far = zero;
    let before = zero;
    for (let i: usize = 0; i < count; i++) {
        const at = wordOffset(i);
        const row = rows + rowOffset(i);
        const moment = v128.load(row);
        const own = f32x4.add(v128.load32_splat(first + at), v128.load32_splat(second + at));
        let push = f32x4.sub(f32x4.mul(moment, own), times(v128.load(row, 16), first + at + 4));
        push = times(f32x4.sub(push, before), bend.areFree + at);
        before = times(moment, second + at);
        const move = f32x4.sub(f32x4.sub(push, times(far, secondSubdiagonal + at)), times(near, below + at));
        v128.store(row, times(move, bend.inverses + at));
        far = near;
        near = move;
    }
    near = far = zero;
    for (let i = count; i-- > 0; ) {
        const at = wordOffset(i);
        const row = rows + rowOffset(i);
        const move = f32x4.sub(f32x4.sub(v128.load(row), times(far, secondSubdiagonal + at + 8)), times(near, below + at + 4));
        const o = x + rowOffset(i);
        v128.store(o, f32x4.add(v128.load(o), move));
        v128.store(row, zero);
        far = near;
        near = move;
    }
}
