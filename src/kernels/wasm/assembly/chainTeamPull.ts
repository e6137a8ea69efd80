/** How four chains are moved by their tensions, one a lane; see chainTeam.ts, and chainPull.ts for one chain. */
import { IMPLICIT, rowBeside, strainEnergy } from "./chainPull";
import { dotColumns, joinHigh, joinLow, zipHigh, zipLow } from "./lanes";
import { ChainArrays, ChainContact, ChainLimit, ChainTeamArrays, ParticleArrays, wordOffset } from "./layout.generated";

/** Bytes of three columns, x y z of four chains. */
export const COLUMNS: usize = 48;

/** The same number of each chain. */
export function limitsOf(team: ChainTeamArrays, slot: usize): v128 {
    let lanes = v128.load32_zero(team.firstChain.limits + slot);
    lanes = v128.load32_lane(team.secondChain.limits + slot, lanes, 1);
    lanes = v128.load32_lane(team.thirdChain.limits + slot, lanes, 2);
    return v128.load32_lane(team.fourthChain.limits + slot, lanes, 3);
}

/** Column of what particles in a row of bytes have moved by in this substep, and pins do by what pulls at them; see pull in chainPull.ts. */
function workOf(team: ChainTeamArrays, row: usize, x: v128, y: v128, z: v128): v128 {
    const a = moved(team.first, row), b = moved(team.second, row), c = moved(team.third, row), d = moved(team.fourth, row);
    const xy01 = zipLow(a, b), xy23 = zipLow(c, d);
    return dotColumns(x, y, z, joinLow(xy01, xy23), joinHigh(xy01, xy23), joinLow(zipHigh(a, b), zipHigh(c, d)));
}

// @ts-ignore: decorator
@inline
function moved(particles: ParticleArrays, row: usize): v128 {
    return f32x4.sub(v128.load(particles.positions + row), v128.load(particles.previous + row));
}

/** Energies of those that stretch; 0 for the others. */
function energies(team: ChainTeamArrays, isBefore: bool): v128 {
    let lanes = f32x4.splat(0);
    lanes = f32x4.replace_lane(lanes, 0, energyOf(team.first, team.firstChain, isBefore));
    lanes = f32x4.replace_lane(lanes, 1, energyOf(team.second, team.secondChain, isBefore));
    lanes = f32x4.replace_lane(lanes, 2, energyOf(team.third, team.thirdChain, isBefore));
    return f32x4.replace_lane(lanes, 3, energyOf(team.fourth, team.fourthChain, isBefore));
}

function energyOf(particles: ParticleArrays, chain: ChainArrays, isBefore: bool): f32 {
    if (!(load<f32>(chain.limits, ChainLimit.compliance) > 0)) return 0;
    return strainEnergy(isBefore ? particles.previous : particles.positions, chain);
}

export function pull(team: ChainTeamArrays): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const implicit = f32x4.splat(IMPLICIT);
    const least = limitsOf(team, ChainLimit.tension);
    const isElastic = v128.any_true(f32x4.gt(limitsOf(team, ChainLimit.compliance), zero));
    const linkCount = <usize>team.firstChain.linkCount;
    const tensions = team.columns.tensions;
    const toMass = team.masses - tensions;
    const toOwn = team.columns.own - tensions;
    const toRest = team.restLengths - tensions;
    const toBefore = team.restBefore - tensions;
    const toPull = team.columns.pulls - team.columns.vectors;
    const last = tensions + (linkCount << 4);
    const half = linkCount >> 1;
    const middle = tensions + (half << 4);
    let work = isElastic ? f32x4.max(energies(team, false), energies(team, true)) : zero;
    let hardest = zero;
    let behindX = zero, behindY = zero, behindZ = zero, aheadX = zero, aheadY = zero, aheadZ = zero;
    let tensionBehind = zero, tensionAhead = zero, share = zero, shareBack = zero;
    let vx = zero, vy = zero, vz = zero, wx = zero, wy = zero, wz = zero;
    let front = team.columns.vectors, frontRow: usize = 0;
    let back = team.columns.vectors + linkCount * COLUMNS, backRow = linkCount << 4;
    // Both ends in one loop, as in the pass of one: sums are added up in its order.
    for (let i = tensions, k = last; k > middle; k -= 16) {
        if (i < middle) {
            const tension = f32x4.pmax(v128.load(i), least);
            const mass = v128.load(i + toMass);
            const toBehind = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tensionBehind));
            const toAhead = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tension));
            const inverse = f32x4.div(one, f32x4.add(f32x4.add(one, toAhead), f32x4.mul(toBehind, f32x4.sub(one, share))));
            const onX = f32x4.mul(tension, v128.load(front + toPull, 0));
            const onY = f32x4.mul(tension, v128.load(front + toPull, 16));
            const onZ = f32x4.mul(tension, v128.load(front + toPull, 32));
            const bothX = f32x4.sub(onX, behindX), bothY = f32x4.sub(onY, behindY), bothZ = f32x4.sub(onZ, behindZ);
            const isFixed = f32x4.eq(mass, zero);
            if (v128.any_true(isFixed))
                work = v128.bitselect(f32x4.sub(work, workOf(team, frontRow, bothX, bothY, bothZ)), work, isFixed);
            hardest = f32x4.max(hardest, tension);
            const rest = v128.load(i + toRest);
            work = f32x4.sub(work, f32x4.mul(f32x4.mul(tension, rest), f32x4.sub(rest, v128.load(i + toBefore))));
            vx = f32x4.mul(f32x4.add(f32x4.mul(mass, bothX), f32x4.mul(toBehind, vx)), inverse);
            vy = f32x4.mul(f32x4.add(f32x4.mul(mass, bothY), f32x4.mul(toBehind, vy)), inverse);
            vz = f32x4.mul(f32x4.add(f32x4.mul(mass, bothZ), f32x4.mul(toBehind, vz)), inverse);
            v128.store(front, vx, 0);
            v128.store(front, vy, 16);
            v128.store(front, vz, 32);
            share = f32x4.mul(toAhead, inverse);
            v128.store(i + toOwn, share);
            behindX = onX; behindY = onY; behindZ = onZ;
            tensionBehind = tension;
            front += COLUMNS;
            frontRow += 16;
            i += 16;
        }
        const tension = f32x4.pmax(v128.load(k - 16), least);
        const mass = v128.load(k + toMass);
        const toBehind = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tension));
        const toAhead = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tensionAhead));
        const inverse = f32x4.div(one, f32x4.add(f32x4.add(one, toBehind), f32x4.mul(toAhead, f32x4.sub(one, shareBack))));
        const onX = f32x4.mul(tension, v128.load(back + toPull - COLUMNS, 0));
        const onY = f32x4.mul(tension, v128.load(back + toPull - COLUMNS, 16));
        const onZ = f32x4.mul(tension, v128.load(back + toPull - COLUMNS, 32));
        const bothX = f32x4.sub(aheadX, onX), bothY = f32x4.sub(aheadY, onY), bothZ = f32x4.sub(aheadZ, onZ);
        const isFixed = f32x4.eq(mass, zero);
        if (v128.any_true(isFixed))
            work = v128.bitselect(f32x4.sub(work, workOf(team, backRow, bothX, bothY, bothZ)), work, isFixed);
        hardest = f32x4.max(hardest, tension);
        const rest = v128.load(k + toRest - 16);
        work = f32x4.sub(work, f32x4.mul(f32x4.mul(tension, rest), f32x4.sub(rest, v128.load(k + toBefore - 16))));
        wx = f32x4.mul(f32x4.add(f32x4.mul(mass, bothX), f32x4.mul(toAhead, wx)), inverse);
        wy = f32x4.mul(f32x4.add(f32x4.mul(mass, bothY), f32x4.mul(toAhead, wy)), inverse);
        wz = f32x4.mul(f32x4.add(f32x4.mul(mass, bothZ), f32x4.mul(toAhead, wz)), inverse);
        v128.store(back, wx, 0);
        v128.store(back, wy, 16);
        v128.store(back, wz, 32);
        shareBack = f32x4.mul(toBehind, inverse);
        v128.store(k + toOwn, shareBack);
        aheadX = onX; aheadY = onY; aheadZ = onZ;
        tensionAhead = tension;
        back -= COLUMNS;
        backRow -= 16;
    }
    store<f32>(team.firstChain.limits, f32x4.extract_lane(hardest, 0), ChainLimit.hardest);
    store<f32>(team.secondChain.limits, f32x4.extract_lane(hardest, 1), ChainLimit.hardest);
    store<f32>(team.thirdChain.limits, f32x4.extract_lane(hardest, 2), ChainLimit.hardest);
    store<f32>(team.fourthChain.limits, f32x4.extract_lane(hardest, 3), ChainLimit.hardest);
    // Where they meet, and on to the ends.
    const mass = v128.load(middle + toMass);
    const toBehind = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tensionBehind));
    const toAhead = f32x4.mul(f32x4.mul(implicit, mass), f32x4.pmax(zero, tensionAhead));
    const through = f32x4.add(f32x4.add(one, f32x4.mul(toBehind, f32x4.sub(one, share))), f32x4.mul(toAhead, f32x4.sub(one, shareBack)));
    const inverse = f32x4.div(one, through);
    const bothX = f32x4.sub(aheadX, behindX), bothY = f32x4.sub(aheadY, behindY), bothZ = f32x4.sub(aheadZ, behindZ);
    const isFixed = f32x4.eq(mass, zero);
    if (v128.any_true(isFixed))
        work = v128.bitselect(f32x4.sub(work, workOf(team, half << 4, bothX, bothY, bothZ)), work, isFixed);
    vx = f32x4.add(f32x4.mul(toBehind, vx), f32x4.mul(toAhead, wx));
    vy = f32x4.add(f32x4.mul(toBehind, vy), f32x4.mul(toAhead, wy));
    vz = f32x4.add(f32x4.mul(toBehind, vz), f32x4.mul(toAhead, wz));
    vx = f32x4.mul(f32x4.add(f32x4.mul(mass, bothX), vx), inverse);
    vy = f32x4.mul(f32x4.add(f32x4.mul(mass, bothY), vy), inverse);
    vz = f32x4.mul(f32x4.add(f32x4.mul(mass, bothZ), vz), inverse);
    front = team.columns.vectors + half * COLUMNS;
    v128.store(front, vx, 0);
    v128.store(front, vy, 16);
    v128.store(front, vz, 32);
    wx = vx; wy = vy; wz = vz;
    back = front;
    for (let i = middle, k = middle + 16; k <= last; k += 16) {
        if (i > tensions) {
            i -= 16;
            front -= COLUMNS;
            const owed = v128.load(i + toOwn);
            vx = f32x4.add(v128.load(front, 0), f32x4.mul(owed, vx));
            vy = f32x4.add(v128.load(front, 16), f32x4.mul(owed, vy));
            vz = f32x4.add(v128.load(front, 32), f32x4.mul(owed, vz));
            v128.store(front, vx, 0);
            v128.store(front, vy, 16);
            v128.store(front, vz, 32);
        }
        back += COLUMNS;
        const owed = v128.load(k + toOwn);
        wx = f32x4.add(v128.load(back, 0), f32x4.mul(owed, wx));
        wy = f32x4.add(v128.load(back, 16), f32x4.mul(owed, wy));
        wz = f32x4.add(v128.load(back, 32), f32x4.mul(owed, wz));
        v128.store(back, wx, 0);
        v128.store(back, wy, 16);
        v128.store(back, wz, 32);
    }
    move(team, work, isElastic);
}

/** Moves the particles by what {@link pull} has found, and has no more of it become speed than adds no energy. */
function move(team: ChainTeamArrays, work: v128, isElastic: bool): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const length = limitsOf(team, ChainLimit.length);
    const lowest = f32x4.neg(length);
    const linkCount = <usize>team.firstChain.linkCount;
    const p0 = team.first.previous, p1 = team.second.previous, p2 = team.third.previous, p3 = team.fourth.previous;
    const x0 = team.first.positions, x1 = team.second.positions, x2 = team.third.positions, x3 = team.fourth.positions;
    let opposedX = zero, opposedY = zero, opposedZ = zero, squaresX = zero, squaresY = zero, squaresZ = zero;
    let vector = team.columns.vectors + linkCount * COLUMNS;
    let mass = team.masses + (linkCount << 4);
    for (let o = linkCount << 4, left = linkCount + 1; left > 0; left--) {
        const mx = f32x4.pmax(lowest, f32x4.pmin(length, v128.load(vector, 0)));
        const my = f32x4.pmax(lowest, f32x4.pmin(length, v128.load(vector, 16)));
        const mz = f32x4.pmax(lowest, f32x4.pmin(length, v128.load(vector, 32)));
        v128.store(vector, mx, 0);
        v128.store(vector, my, 16);
        v128.store(vector, mz, 32);
        const a0 = v128.load(x0 + o), a1 = v128.load(x1 + o), a2 = v128.load(x2 + o), a3 = v128.load(x3 + o);
        const d0 = f32x4.sub(a0, v128.load(p0 + o)), d1 = f32x4.sub(a1, v128.load(p1 + o));
        const d2 = f32x4.sub(a2, v128.load(p2 + o)), d3 = f32x4.sub(a3, v128.load(p3 + o));
        const xy01 = zipLow(d0, d1), xy23 = zipLow(d2, d3);
        const inverseMass = v128.load(mass);
        const heavy = v128.and(f32x4.div(one, inverseMass), f32x4.gt(inverseMass, zero));
        const nx = f32x4.mul(heavy, mx), ny = f32x4.mul(heavy, my), nz = f32x4.mul(heavy, mz);
        opposedX = f32x4.add(opposedX, f32x4.mul(nx, joinLow(xy01, xy23)));
        opposedY = f32x4.add(opposedY, f32x4.mul(ny, joinHigh(xy01, xy23)));
        opposedZ = f32x4.add(opposedZ, f32x4.mul(nz, joinLow(zipHigh(d0, d1), zipHigh(d2, d3))));
        squaresX = f32x4.add(squaresX, f32x4.mul(nx, mx));
        squaresY = f32x4.add(squaresY, f32x4.mul(ny, my));
        squaresZ = f32x4.add(squaresZ, f32x4.mul(nz, mz));
        const m01 = zipLow(mx, my), m23 = zipHigh(mx, my), z01 = zipLow(mz, zero), z23 = zipHigh(mz, zero);
        v128.store(x0 + o, f32x4.add(a0, joinLow(m01, z01)));
        v128.store(x1 + o, f32x4.add(a1, joinHigh(m01, z01)));
        v128.store(x2 + o, f32x4.add(a2, joinLow(m23, z23)));
        v128.store(x3 + o, f32x4.add(a3, joinHigh(m23, z23)));
        vector -= COLUMNS;
        mass -= 16;
        o -= 16;
    }
    if (isElastic) work = f32x4.sub(work, energies(team, false));
    const opposed = f32x4.add(f32x4.add(opposedX, opposedY), opposedZ);
    const squares = f32x4.add(f32x4.add(squaresX, squaresY), squaresZ);
    const kept = f32x4.div(f32x4.mul(f32x4.splat(2), f32x4.sub(work, opposed)), squares);
    slow(team.first, team.firstChain, team.columns.vectors, f32x4.extract_lane(kept, 0));
    if (team.memberCount > 1) slow(team.second, team.secondChain, team.columns.vectors + 4, f32x4.extract_lane(kept, 1));
    if (team.memberCount > 2) slow(team.third, team.thirdChain, team.columns.vectors + 8, f32x4.extract_lane(kept, 2));
    if (team.memberCount > 3) slow(team.fourth, team.fourthChain, team.columns.vectors + 12, f32x4.extract_lane(kept, 3));
}

/** @param moves of the chain: a number each in columns */
function slow(particles: ParticleArrays, chain: ChainArrays, moves: usize, kept: f32): void {
    if (!(kept < 1) || load<u32>(chain.contacts, ChainContact.areTaken) > 0) return;
    const lost = f32x4.splat(1 - max<f32>(0, kept));
    let p = particles.previous;
    for (const end = p + rowBeside(wordOffset(chain.linkCount)); p <= end; p += 16) {
        let row = v128.load32_zero(moves);
        row = v128.load32_lane(moves, row, 1, 16);
        row = v128.load32_lane(moves, row, 2, 32);
        v128.store(p, f32x4.add(v128.load(p), f32x4.mul(lost, row)));
        moves += COLUMNS;
    }
}
