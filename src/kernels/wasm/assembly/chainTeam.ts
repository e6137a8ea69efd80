/** Four chains abreast, one a lane. Each gets to the bit what chain.ts makes of it alone. */
import { GIVE, KEPT, MOST_STRAIN, noteLoads, projectChain, SLIGHT } from "./chain";
import { IMPLICIT } from "./chainPull";
import { COLUMNS, limitsOf, pull } from "./chainTeamPull";
import { dotColumns, joinHigh, joinLow, zipHigh, zipLow } from "./lanes";
import { ChainArrays, ChainContact, ChainLimit, ChainTeamArrays, wordOffset } from "./layout.generated";

export function projectChains(team: ChainTeamArrays): void {
    if (isTouching(team.firstChain) || isTouching(team.secondChain) || isTouching(team.thirdChain) || isTouching(team.fourthChain)) {
        projectChain(team.first, team.firstChain);
        if (team.memberCount > 1) projectChain(team.second, team.secondChain);
        if (team.memberCount > 2) projectChain(team.third, team.thirdChain);
        if (team.memberCount > 3) projectChain(team.fourth, team.fourthChain);
        return;
    }
    // What growth has changed, it has ahead of this pass: the last time as its count came to an end.
    if (load<u32>(team.growing) > 0) layLinks(team);
    store<u32>(team.growing, growingOf(team.firstChain) | growingOf(team.secondChain) | growingOf(team.thirdChain) | growingOf(team.fourthChain));
    measureLinks(team);
    writeSystem(team);
    solve(team);
    const folded = findPushed(team);
    if (v128.any_true(folded)) {
        writeSystem(team);
        dropPushed(team);
        solve(team);
        keepSolved(team, folded);
    }
    pull(team);
    forget(team.firstChain);
    forget(team.secondChain);
    forget(team.thirdChain);
    forget(team.fourthChain);
}

// @ts-ignore: decorator
@inline
function isTouching(chain: ChainArrays): bool {
    return load<u32>(chain.contacts, ChainContact.count) > 0;
}

// @ts-ignore: decorator
@inline
function growingOf(chain: ChainArrays): u32 {
    return load<u32>(chain.contacts, ChainContact.growing);
}

function forget(chain: ChainArrays): void {
    if (load<u32>(chain.contacts, ChainContact.areLoaded) > 0) noteLoads(chain, false);
}

/** Four arrays as columns. */
export function lay(a: usize, b: usize, c: usize, d: usize, to: usize, count: u32): void {
    for (const end = a + wordOffset(count); a < end; a += 16) {
        const va = v128.load(a), vb = v128.load(b), vc = v128.load(c), vd = v128.load(d);
        const ab0 = zipLow(va, vb), ab2 = zipHigh(va, vb);
        const cd0 = zipLow(vc, vd), cd2 = zipHigh(vc, vd);
        v128.store(to, joinLow(ab0, cd0), 0);
        v128.store(to, joinHigh(ab0, cd0), 16);
        v128.store(to, joinLow(ab2, cd2), 32);
        v128.store(to, joinHigh(ab2, cd2), 48);
        b += 16;
        c += 16;
        d += 16;
        to += 64;
    }
}

function layLinks(team: ChainTeamArrays): void {
    const a = team.firstChain, b = team.secondChain, c = team.thirdChain, d = team.fourthChain;
    const count = a.linkCount;
    lay(a.restLengths, b.restLengths, c.restLengths, d.restLengths, team.restLengths, count);
    lay(a.restBefore, b.restBefore, c.restBefore, d.restBefore, team.restBefore, count);
    lay(a.compliances, b.compliances, c.compliances, d.compliances, team.compliances, count);
    const p = team.first, q = team.second, r = team.third, s = team.fourth;
    lay(p.inverseMasses, q.inverseMasses, r.inverseMasses, s.inverseMasses, team.masses, count + 1);
}

function measureLinks(team: ChainTeamArrays): void {
    let x0 = team.first.positions, x1 = team.second.positions, x2 = team.third.positions, x3 = team.fourth.positions;
    let p0 = team.first.previous, p1 = team.second.previous, p2 = team.third.previous, p3 = team.fourth.previous;
    const lead = limitsOf(team, ChainLimit.lead);
    const zero = f32x4.splat(0);
    let vector = team.columns.vectors;
    const toPull = team.columns.pulls - vector;
    let rest = team.restLengths;
    const toSquare = team.columns.squaresBefore - rest;
    let fx = zero, fy = zero, fz = zero;
    let gx = zero, gy = zero, gz = zero;
    const end = vector + <usize>team.firstChain.linkCount * COLUMNS;
    // The first turn reads where the first link begins.
    for (let isLink = false; ; isLink = true) {
        const a0 = v128.load(x0), a1 = v128.load(x1), a2 = v128.load(x2), a3 = v128.load(x3);
        const xy01 = zipLow(a0, a1), xy23 = zipLow(a2, a3);
        const tx = joinLow(xy01, xy23), ty = joinHigh(xy01, xy23), tz = joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
        const b0 = v128.load(p0), b1 = v128.load(p1), b2 = v128.load(p2), b3 = v128.load(p3);
        const uv01 = zipLow(b0, b1), uv23 = zipLow(b2, b3);
        const ux = joinLow(uv01, uv23), uy = joinHigh(uv01, uv23), uz = joinLow(zipHigh(b0, b1), zipHigh(b2, b3));
        x0 += 16; x1 += 16; x2 += 16; x3 += 16;
        p0 += 16; p1 += 16; p2 += 16; p3 += 16;
        if (isLink) {
            const dx = f32x4.sub(tx, fx), dy = f32x4.sub(ty, fy), dz = f32x4.sub(tz, fz);
            const ex = f32x4.sub(ux, gx), ey = f32x4.sub(uy, gy), ez = f32x4.sub(uz, gz);
            v128.store(vector, dx, 0);
            v128.store(vector, dy, 16);
            v128.store(vector, dz, 32);
            v128.store(rest + toSquare, dotColumns(ex, ey, ez, ex, ey, ez));
            const isTurned = f32x4.gt(dotColumns(dx, dy, dz, ex, ey, ez), zero);
            const share = v128.bitselect(lead, f32x4.splat(1), isTurned);
            const mx = f32x4.add(ex, f32x4.mul(share, f32x4.sub(dx, ex)));
            const my = f32x4.add(ey, f32x4.mul(share, f32x4.sub(dy, ey)));
            const mz = f32x4.add(ez, f32x4.mul(share, f32x4.sub(dz, ez)));
            const squared = dotColumns(mx, my, mz, mx, my, mz);
            const scale = v128.and(f32x4.div(v128.load(rest), f32x4.sqrt(squared)), f32x4.gt(squared, zero));
            v128.store(vector + toPull, f32x4.mul(mx, scale), 0);
            v128.store(vector + toPull, f32x4.mul(my, scale), 16);
            v128.store(vector + toPull, f32x4.mul(mz, scale), 32);
            vector += COLUMNS;
            rest += 16;
            if (vector >= end) break;
        }
        fx = tx; fy = ty; fz = tz;
        gx = ux; gy = uy; gz = uz;
    }
    // No link follows the last.
    v128.store(vector + toPull, zero, 0);
    v128.store(vector + toPull, zero, 16);
    v128.store(vector + toPull, zero, 32);
}

function writeSystem(team: ChainTeamArrays): void {
    let vector = team.columns.vectors;
    const toPull = team.columns.pulls - vector;
    let rest = team.restLengths;
    const toBefore = team.restBefore - rest;
    const toCompliance = team.compliances - rest;
    const toMass = team.masses - rest;
    const toSquare = team.columns.squaresBefore - rest;
    const toOwn = team.columns.own - rest;
    const toAfter = team.columns.after - rest;
    const toExcess = team.columns.excess - rest;
    const toTension = team.columns.tensions - rest;
    const one = f32x4.splat(1);
    const zero = f32x4.splat(0);
    let near = v128.load(rest + toMass);
    let ax = v128.load(vector + toPull, 0), ay = v128.load(vector + toPull, 16), az = v128.load(vector + toPull, 32);
    for (const end = rest + (<usize>team.firstChain.linkCount << 4); rest < end; rest += 16) {
        const far = v128.load(rest + toMass, 16);
        const dx = v128.load(vector, 0), dy = v128.load(vector, 16), dz = v128.load(vector, 32);
        const length = f32x4.sqrt(dotColumns(dx, dy, dz, dx, dy, dz));
        vector += COLUMNS;
        const bx = v128.load(vector + toPull, 0), by = v128.load(vector + toPull, 16), bz = v128.load(vector + toPull, 32);
        v128.store(rest + toAfter, f32x4.mul(far, dotColumns(ax, ay, az, bx, by, bz)));
        ax = bx; ay = by; az = bz;
        const atRest = v128.load(rest);
        const compliance = v128.load(rest + toCompliance);
        const isStiff = f32x4.eq(compliance, zero);
        const give = f32x4.mul(f32x4.add(near, far), f32x4.splat(1 + GIVE));
        near = far;
        v128.store(rest + toOwn, f32x4.mul(f32x4.mul(f32x4.add(give, compliance), atRest), atRest));
        const strained = f32x4.sub(f32x4.sqrt(v128.load(rest + toSquare)), v128.load(rest + toBefore));
        const slight = f32x4.mul(f32x4.splat(SLIGHT), atRest);
        const beyond = f32x4.sub(strained, f32x4.pmax(f32x4.neg(slight), f32x4.pmin(slight, strained)));
        const change = f32x4.sub(f32x4.sub(length, atRest), v128.and(isStiff, f32x4.mul(f32x4.splat(KEPT), beyond)));
        v128.store(rest + toExcess, f32x4.mul(atRest, change));
        const strain = f32x4.pmin(f32x4.splat(MOST_STRAIN), f32x4.sub(one, f32x4.div(atRest, length)));
        const ended = v128.and(f32x4.splat(IMPLICIT), isStiff);
        v128.store(rest + toTension, f32x4.div(one, f32x4.sub(one, f32x4.mul(ended, strain))));
    }
}

/** The first two of four numbers in doubles, and the others. */
// @ts-ignore: decorator
@inline
function lower(v: v128): v128 {
    return f64x2.promote_low_f32x4(v);
}

// @ts-ignore: decorator
@inline
function upper(v: v128): v128 {
    return f64x2.promote_low_f32x4(joinHigh(v, v));
}

// @ts-ignore: decorator
@inline
function single(low: v128, high: v128): v128 {
    return joinLow(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high));
}

// @ts-ignore: decorator
@inline
function inverseOf(left: v128, whole: v128): v128 {
    return v128.and(f64x2.div(f64x2.splat(1), left), f64x2.gt(left, f64x2.mul(f64x2.splat(1e-7), whole)));
}

/** What an element of a system is without its neighbour, or, put back in, with it. */
// @ts-ignore: decorator
@inline
function plus(excess: v128, after: v128, rest: v128): v128 {
    return f64x2.add(excess, f64x2.mul(after, rest));
}

// @ts-ignore: decorator
@inline
function less(whole: v128, after: v128, share: v128): v128 {
    return f64x2.sub(whole, f64x2.mul(after, share));
}

function solve(team: ChainTeamArrays): void {
    const own = team.columns.own;
    const toAfter = team.columns.after - own;
    const toExcess = team.columns.excess - own;
    const toTension = team.columns.tensions - own;
    const linkCount = <usize>team.firstChain.linkCount;
    const last = own + ((linkCount - 1) << 4);
    const middle = own + ((linkCount >> 1) << 4);
    const zero = f64x2.splat(0);
    let shareL = zero, shareH = zero, restL = zero, restH = zero, beforeL = zero, beforeH = zero;
    let backL = zero, backH = zero, restBackL = zero, restBackH = zero;
    let j = own;
    let k = last;
    // Both ends in one loop: each waits for its own divisions only. The second half may be a link shorter.
    for (; j < middle; j += 16) {
        const whole = v128.load(j), excess = v128.load(j + toExcess), after = v128.load(j + toAfter);
        const inverseL = inverseOf(less(lower(whole), beforeL, shareL), lower(whole));
        const inverseH = inverseOf(less(upper(whole), beforeH, shareH), upper(whole));
        restL = f64x2.mul(plus(lower(excess), beforeL, restL), inverseL);
        restH = f64x2.mul(plus(upper(excess), beforeH, restH), inverseH);
        beforeL = lower(after);
        beforeH = upper(after);
        shareL = f64x2.mul(beforeL, inverseL);
        shareH = f64x2.mul(beforeH, inverseH);
        v128.store(j, single(shareL, shareH));
        v128.store(j + toExcess, single(restL, restH));
        if (k > middle) {
            const whole = v128.load(k), excess = v128.load(k + toExcess), after = v128.load(k + toAfter);
            const ahead = v128.load(k + toAfter - 16);
            const inverseL = inverseOf(less(lower(whole), lower(after), backL), lower(whole));
            const inverseH = inverseOf(less(upper(whole), upper(after), backH), upper(whole));
            restBackL = f64x2.mul(plus(lower(excess), lower(after), restBackL), inverseL);
            restBackH = f64x2.mul(plus(upper(excess), upper(after), restBackH), inverseH);
            backL = f64x2.mul(lower(ahead), inverseL);
            backH = f64x2.mul(upper(ahead), inverseH);
            v128.store(k, single(backL, backH));
            v128.store(k + toExcess, single(restBackL, restBackH));
            k -= 16;
        }
    }
    const whole = v128.load(middle), excess = v128.load(middle + toExcess), after = v128.load(middle + toAfter);
    const leftL = less(less(lower(whole), beforeL, shareL), lower(after), backL);
    const leftH = less(less(upper(whole), beforeH, shareH), upper(after), backH);
    const sumL = plus(plus(lower(excess), beforeL, restL), lower(after), restBackL);
    const sumH = plus(plus(upper(excess), beforeH, restH), upper(after), restBackH);
    const tension = single(f64x2.mul(sumL, inverseOf(leftL, lower(whole))), f64x2.mul(sumH, inverseOf(leftH, upper(whole))));
    v128.store(middle + toTension, f32x4.mul(v128.load(middle + toTension), tension));
    let next = tension;
    let nextBack = tension;
    j = middle;
    k = middle + 16;
    while (j > own) {
        j -= 16;
        next = f32x4.add(v128.load(j + toExcess), f32x4.mul(v128.load(j), next));
        v128.store(j + toTension, f32x4.mul(v128.load(j + toTension), next));
        if (k <= last) {
            nextBack = f32x4.add(v128.load(k + toExcess), f32x4.mul(v128.load(k), nextBack));
            v128.store(k + toTension, f32x4.mul(v128.load(k + toTension), nextBack));
            k += 16;
        }
    }
}

/** Which chains have a link that pushes too much and is folded; its tensions so far are kept. */
function findPushed(team: ChainTeamArrays): v128 {
    const least = limitsOf(team, ChainLimit.tension);
    const zero = f32x4.splat(0);
    let tension = team.columns.tensions;
    const toAfter = team.columns.after - tension;
    const toPushed = team.columns.pushed - tension;
    const toSolved = team.columns.solved - tension;
    let any = zero;
    let behind = zero;
    for (const end = tension + (<usize>team.firstChain.linkCount << 4); tension < end; tension += 16) {
        const solved = v128.load(tension);
        const isPushed = f32x4.lt(solved, least);
        const after = v128.load(tension + toAfter);
        v128.store(tension + toPushed, isPushed);
        v128.store(tension + toSolved, solved);
        any = v128.or(any, v128.and(isPushed, v128.or(f32x4.lt(after, zero), f32x4.lt(behind, zero))));
        behind = after;
    }
    v128.store(tension + toPushed, zero);
    return any;
}

function dropPushed(team: ChainTeamArrays): void {
    const least = limitsOf(team, ChainLimit.tension);
    const one = f32x4.splat(1);
    let pushed = team.columns.pushed;
    const toOwn = team.columns.own - pushed;
    const toAfter = team.columns.after - pushed;
    const toExcess = team.columns.excess - pushed;
    const toTension = team.columns.tensions - pushed;
    for (const end = pushed + (<usize>team.firstChain.linkCount << 4); pushed < end; pushed += 16) {
        const isPushed = v128.load(pushed);
        v128.store(pushed + toAfter, v128.andnot(v128.load(pushed + toAfter), v128.or(isPushed, v128.load(pushed, 16))));
        v128.store(pushed + toOwn, v128.bitselect(one, v128.load(pushed + toOwn), isPushed));
        v128.store(pushed + toTension, v128.bitselect(one, v128.load(pushed + toTension), isPushed));
        v128.store(pushed + toExcess, v128.bitselect(least, v128.load(pushed + toExcess), isPushed));
    }
}

/** Chains where none is folded keep what was solved first. */
function keepSolved(team: ChainTeamArrays, folded: v128): void {
    let tension = team.columns.tensions;
    const toSolved = team.columns.solved - tension;
    for (const end = tension + (<usize>team.firstChain.linkCount << 4); tension < end; tension += 16)
        v128.store(tension, v128.bitselect(v128.load(tension), v128.load(tension + toSolved), folded));
}
