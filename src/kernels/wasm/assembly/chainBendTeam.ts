/** Bending of four chains abreast, one a lane. Each gets to the bit what chainBend.ts makes of it alone. */
import { lay } from "./chainTeam";
import { COLUMNS } from "./chainTeamPull";
import { joinHigh, joinLow, zipHigh, zipLow } from "./lanes";
import { ChainBendTeamArrays } from "./layout.generated";

function layColumns(team: ChainBendTeamArrays): void {
    const a = team.firstBend, b = team.secondBend, c = team.thirdBend, d = team.fourthBend;
    const count = a.rowCount;
    lay(a.first, b.first, c.first, d.first, team.before, count);
    lay(a.second, b.second, c.second, d.second, team.after, count);
    lay(a.moments, b.moments, c.moments, d.moments, team.moments, count);
    lay(a.below, b.below, c.below, d.below, team.below, count);
    lay(a.farBelow, b.farBelow, c.farBelow, d.farBelow, team.farBelow, count);
    lay(a.inverses, b.inverses, c.inverses, d.inverses, team.inverses, count);
    lay(a.areFree, b.areFree, c.areFree, d.areFree, team.areFree, count);
    for (let o: usize = 0; o < <usize>count << 4; o += 16)
        v128.store(team.sums + o, f32x4.add(v128.load(team.before + o), v128.load(team.after + o)));
    store<u32>(team.fresh, 0);
}

// @ts-ignore: decorator
@inline
function sub(a: v128, b: v128): v128 {
    return f32x4.sub(a, b);
}

// @ts-ignore: decorator
@inline
function mul(a: v128, b: v128): v128 {
    return f32x4.mul(a, b);
}

export function bendChains(team: ChainBendTeamArrays): void {
    if (load<u32>(team.fresh) > 0) layColumns(team);
    const count = <usize>team.firstBend.particleCount;
    const zero = f32x4.splat(0);
    let x0 = team.first.positions, x1 = team.second.positions, x2 = team.third.positions, x3 = team.fourth.positions;
    let at = team.before;
    const toAfter = team.after - at;
    const toSum = team.sums - at;
    const toMoment = team.moments - at;
    const toBelow = team.below - at;
    const toFarBelow = team.farBelow - at;
    const toInverse = team.inverses - at;
    const toFree = team.areFree - at;
    let moves = team.columns.vectors;

    // Where the first two are.
    let a0 = v128.load(x0), a1 = v128.load(x1), a2 = v128.load(x2), a3 = v128.load(x3);
    let xy01 = zipLow(a0, a1), xy23 = zipLow(a2, a3);
    let px = joinLow(xy01, xy23), py = joinHigh(xy01, xy23), pz = joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
    x0 += 16; x1 += 16; x2 += 16; x3 += 16;
    a0 = v128.load(x0); a1 = v128.load(x1); a2 = v128.load(x2); a3 = v128.load(x3);
    xy01 = zipLow(a0, a1); xy23 = zipLow(a2, a3);
    let bx = joinLow(xy01, xy23), by = joinHigh(xy01, xy23), bz = joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
    let armX = sub(px, bx), armY = sub(py, by), armZ = sub(pz, bz);

    // Moments, the forces that are minus K x, and down L. Ends bend nothing.
    let mx = zero, my = zero, mz = zero, beforeX = zero, beforeY = zero, beforeZ = zero;
    let nearX = zero, nearY = zero, nearZ = zero, farX = zero, farY = zero, farZ = zero;
    const last = at + ((count - 1) << 4);
    for (; at <= last; at += 16) {
        let nextX = zero, nextY = zero, nextZ = zero;
        const first = v128.load(at, 16);
        if (at + 16 < last) {
            x0 += 16; x1 += 16; x2 += 16; x3 += 16;
            a0 = v128.load(x0); a1 = v128.load(x1); a2 = v128.load(x2); a3 = v128.load(x3);
            xy01 = zipLow(a0, a1); xy23 = zipLow(a2, a3);
            const cx = joinLow(xy01, xy23), cy = joinHigh(xy01, xy23), cz = joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
            const backX = sub(bx, cx), backY = sub(by, cy), backZ = sub(bz, cz);
            const second = v128.load(at + toAfter, 16), moment = v128.load(at + toMoment, 16);
            nextX = mul(sub(mul(armX, first), mul(backX, second)), moment);
            nextY = mul(sub(mul(armY, first), mul(backY, second)), moment);
            nextZ = mul(sub(mul(armZ, first), mul(backZ, second)), moment);
            armX = backX; armY = backY; armZ = backZ;
            bx = cx; by = cy; bz = cz;
        }
        const sum = v128.load(at + toSum), free = v128.load(at + toFree), farBelow = v128.load(at + toFarBelow);
        const below = v128.load(at + toBelow), inverse = v128.load(at + toInverse), after = v128.load(at + toAfter);
        const moveX = sub(sub(mul(sub(sub(mul(mx, sum), mul(nextX, first)), beforeX), free), mul(farX, farBelow)), mul(nearX, below));
        const moveY = sub(sub(mul(sub(sub(mul(my, sum), mul(nextY, first)), beforeY), free), mul(farY, farBelow)), mul(nearY, below));
        const moveZ = sub(sub(mul(sub(sub(mul(mz, sum), mul(nextZ, first)), beforeZ), free), mul(farZ, farBelow)), mul(nearZ, below));
        beforeX = mul(mx, after); beforeY = mul(my, after); beforeZ = mul(mz, after);
        v128.store(moves, mul(moveX, inverse), 0);
        v128.store(moves, mul(moveY, inverse), 16);
        v128.store(moves, mul(moveZ, inverse), 32);
        moves += COLUMNS;
        farX = nearX; farY = nearY; farZ = nearZ;
        nearX = moveX; nearY = moveY; nearZ = moveZ;
        mx = nextX; my = nextY; mz = nextZ;
    }

    // Up its transpose.
    nearX = nearY = nearZ = farX = farY = farZ = zero;
    x0 = team.first.positions; x1 = team.second.positions; x2 = team.third.positions; x3 = team.fourth.positions;
    const members = team.memberCount;
    for (let o = (count - 1) << 4, left = count; left > 0; left--) {
        at -= 16;
        moves -= COLUMNS;
        const farBelow = v128.load(at + toFarBelow, 32), below = v128.load(at + toBelow, 16);
        const moveX = sub(sub(v128.load(moves, 0), mul(farX, farBelow)), mul(nearX, below));
        const moveY = sub(sub(v128.load(moves, 16), mul(farY, farBelow)), mul(nearY, below));
        const moveZ = sub(sub(v128.load(moves, 32), mul(farZ, farBelow)), mul(nearZ, below));
        const m01 = zipLow(moveX, moveY), m23 = zipHigh(moveX, moveY), z01 = zipLow(moveZ, zero), z23 = zipHigh(moveZ, zero);
        // Who stands in for one that is missing is moved once.
        v128.store(x0 + o, f32x4.add(v128.load(x0 + o), joinLow(m01, z01)));
        v128.store(x1 + o, f32x4.add(v128.load(x1 + o), joinHigh(m01, z01)));
        if (members > 2) v128.store(x2 + o, f32x4.add(v128.load(x2 + o), joinLow(m23, z23)));
        if (members > 3) v128.store(x3 + o, f32x4.add(v128.load(x3 + o), joinHigh(m23, z23)));
        o -= 16;
        farX = nearX; farY = nearY; farZ = nearZ;
        nearX = moveX; nearY = moveY; nearZ = moveZ;
    }
}
