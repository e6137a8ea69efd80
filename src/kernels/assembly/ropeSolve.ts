/**
 * The lengths of a chain, all at once: a Newton step for C_j = |x_{j+1} - x_j| - L_j = 0, whose matrix is tridiagonal, since a link
 * shares particles with its neighbours only (Thomas's algorithm; from both ends to the middle, which is twice as fast where divisions
 * are waited for). However long the chain, one pass is as good as any number of passes over separate distance constraints.
 *
 *     x0 ●━━━━● x1 ━━━━● x2      Δx_j = w_j (μ_j m_j - μ_{j-1} m_{j-1}),   |m_j| = L_j,   μ > 0 pulls
 *
 * Links pull along m: where they led before the substep, e (SHAKE, Ryckaert, Ciccotti & Berendsen 1977), and by a quarter where they lead now, d (more where
 * bending is stiff, see RopeLimit.directionBlend). Along e alone a swinging rope keeps its energy, along d it loses energy. The same directions stand for ∇C, so that the matrix is one of dot products, which
 * no fold makes singular. With compliances α (XPBD, Macklin 2016), row j is
 *
 *     -w_j m_j·m_{j-1} μ_{j-1} + (w_j + w_{j+1} + α_j) L_j² μ_j - w_{j+1} m_j·m_{j+1} μ_{j+1} = L_j C_j.
 *
 * Under tension T the particles swing across the rope by T/l each way: light ones on a heavy load far faster than any substep, and moves
 * along a fixed direction then grow without bounds from T dt²/(m l) = w μ of about one on. The moves are therefore implicit in that stiffness (as average
 * acceleration is, Newmark 1959), see pull below: it holds up to some hundreds; larger tensions add no
 * energy, see pull. Compressed links buckle: they push by no more than light particles can.
 *
 * A particle in contact cannot move along its normal n: its w becomes w (1 - n nᵀ), which leaves the matrix tridiagonal. A rope round a post
 * then bears its load as a rope does, and not by the inertia of the particles on the post. The load presses it into the post, so that
 * contact responds with the matching friction.
 */
import { IMPLICIT, applyTensions, rowBeside } from "./ropeStrain";
import { sum3, dotRows } from "./simd";
import { RopeArrays, RopeContactSlot, RopeLimit, ContactArrays, ContactRecord, ParticleArrays, rowOffset, wordOffset } from "./layout.generated";

/** Share of a strain from before the substep that is left for later: corrected at once, it would throw... */
export const KEPT_ENERGY: f32 = 0.9;
/** ...beyond so much; not in contact, which takes the speed. */
export const SLIGHT_STRAIN: f32 = 1e-3;
/** A link counts as strained by no more than this share. */
export const MAX_STRAIN: f32 = 0.5;
/** Links give by this share more than they do: those of a straight chain between two pins would not know what to do. */
export const CONTACT_COMPLIANCE: f32 = 1e-6;
/** Least pivot of a link's row next to contacts, as a share of the pivot without contacts. */
const MIN_PIVOT: f32 = 1e-3;
/** Least mass of a particle in contact, as a multiple of the mass that would swing across the chain once in 2π substeps... */
const HEAVY_MASS: f32 = 3;
/** ...by recent tensions: the share of them that a pass keeps. */
const LOAD_DECAY: f32 = 0.7;

export function projectRope(particles: ParticleArrays, chain: RopeArrays): void {
    const isTouching = load<u32>(chain.contacts, RopeContactSlot.count) > 0;
    const useContacts = isTouching && !hasSeparatedSupports(chain);
    if (useContacts) weightContacts(particles, chain);
    const w = useContacts ? chain.weights : particles.inverseMasses;
    measureLinks(particles, chain);
    const isHard = useContacts && load<u32>(chain.contacts, RopeContactSlot.selfContactCount) === 0;
    writeSystem(w, chain, isHard);
    if (useContacts) applyContacts(w, chain);
    solve(chain);
    if (findCompressed(chain)) {
        writeSystem(w, chain, isHard);
        if (useContacts) applyContacts(w, chain);
        releaseCompressed(chain);
        solve(chain);
    }
    applyTensions(particles, w, chain, useContacts);
    if (isTouching || load<u32>(chain.contacts, RopeContactSlot.hasLoads) > 0) recordLoads(chain, useContacts);
    if (isTouching) memory.fill(chain.normals, 0, rowOffset(chain.linkCount) + 16);
}

/**
 * True if contacts hold a link apart from opposite sides: the rope goes through the ground, or lies between two colliders that are nearer than
 * the rope is thick. No tension satisfies both, and one that follows both would throw the rest of the rope.
 */
function hasSeparatedSupports(chain: RopeArrays): bool {
    for (let n = chain.normals, end = n + rowOffset(chain.linkCount); n < end; n += 16)
        if (sum3(f32x4.mul(v128.load(n), v128.load(n, 16))) < 0) return true;
    return false;
}

/**
 * Computes inverse masses. Particles in contact and their neighbours get enough mass for the tension on them, but no more than the whole rope's. A sliding rope is
 * hardly slower for it, as there is g dt² / l of the load's mass in each, and contact and friction have a mass to act on.
 */
function weightContacts(particles: ParticleArrays, chain: RopeArrays): void {
    const last = wordOffset(chain.linkCount);
    let before = f32x4.splat(0);
    let here = v128.load(chain.normals);
    for (let i: usize = 0; i <= last; i += 4) {
        const next = v128.load(chain.normals + rowBeside(i), 16);
        const least = v128.any_true(v128.or(v128.or(before, here), next))
            ? min<f32>(
                  load<f32>(chain.limits, RopeLimit.mass),
                  HEAVY_MASS * max<f32>(load<f32>(chain.loads + i), load<f32>(chain.loads + i, 4)),
              )
            : 0;
        store<f32>(chain.weights + i, min<f32>(load<f32>(particles.inverseMasses + i), 1 / least));
        before = here;
        here = next;
    }
}

/** Stores the links' tensions, which decay with each pass. */
export function recordLoads(chain: RopeArrays, useContacts: bool): void {
    const last = wordOffset(chain.linkCount);
    for (let j: usize = 0; j < last; j += 4) {
        const kept = useContacts ? max<f32>(LOAD_DECAY * load<f32>(chain.loads + j, 4), load<f32>(chain.tensions + j)) : 0;
        store<f32>(chain.loads + j, kept, 4);
    }
    // The contact normals are used; clear them.
    if (!useContacts) memory.fill(chain.normals, 0, <usize>chain.paddedCount << 4);
    store<u32>(chain.contacts, 0, RopeContactSlot.count);
    store<u32>(chain.contacts, 0, RopeContactSlot.selfContactCount);
    store<u32>(chain.contacts, useContacts, RopeContactSlot.hasLoads);
}

export function growRope(chain: RopeArrays): void {
    const before = load<u32>(chain.contacts, RopeContactSlot.growthSubsteps);
    if (before == 0) return;
    const growing = before - 1;
    store<u32>(chain.contacts, growing, RopeContactSlot.growthSubsteps);
    let length = load<f32>(chain.limits, RopeLimit.length);
    if (growing > 1) length += load<f32>(chain.limits, RopeLimit.growth);
    else if (growing == 1) length = load<f32>(chain.limits, RopeLimit.targetLength);
    store<f32>(chain.limits, length, RopeLimit.length);
    for (let j: usize = 0, end = wordOffset(chain.paddedLinks); j < end; j += 16) {
        const rest = f32x4.mul(v128.load(chain.lengthShares + j), f32x4.splat(length));
        v128.store(chain.previousRestLengths + j, v128.load(chain.restLengths + j));
        v128.store(chain.restLengths + j, rest);
        v128.store(chain.compliances + j, f32x4.mul(rest, v128.load32_splat(chain.limits, RopeLimit.compliance)));
    }
}

/** Computes the links' vectors and the directions of their tensions. */
function measureLinks(particles: ParticleArrays, chain: RopeArrays): void {
    let x = particles.positions;
    const toPrevious = particles.previous - x;
    const lead = load<f32>(chain.limits, RopeLimit.directionBlend);
    let vector = chain.vectors + 16;
    const toPull = chain.pullDirections - chain.vectors;
    let rest = chain.restLengths;
    const toSquare = chain.previousSquaredLengths - rest;
    let from = v128.load(x);
    let fromBefore = v128.load(x + toPrevious);
    for (const end = vector + rowOffset(chain.linkCount); vector < end; vector += 16) {
        x += 16;
        const to = v128.load(x);
        const toBefore = v128.load(x + toPrevious);
        const d = f32x4.sub(to, from);
        const e = f32x4.sub(toBefore, fromBefore);
        from = to;
        fromBefore = toBefore;
        v128.store(vector, d);
        store<f32>(rest + toSquare, sum3(f32x4.mul(e, e)));
        const share: f32 = sum3(f32x4.mul(d, e)) > 0 ? lead : 1;
        const m = f32x4.add(e, f32x4.mul(f32x4.splat(share), f32x4.sub(d, e)));
        const squared = sum3(f32x4.mul(m, m));
        const scale: f32 = squared > 0 ? load<f32>(rest) / sqrt<f32>(squared) : 0;
        v128.store(vector + toPull, f32x4.mul(m, f32x4.splat(scale)));
        rest += 4;
    }
}

/** Dot products of four rows in a row with four others. */
// @ts-ignore: decorator
@inline
function dots(a: usize, b: usize): v128 {
    return dotRows(
        v128.load(a), v128.load(b), v128.load(a, 16), v128.load(b, 16),
        v128.load(a, 32), v128.load(b, 32), v128.load(a, 48), v128.load(b, 48),
    );
}

function writeSystem(w: usize, chain: RopeArrays, isHard: bool): void {
    let vector = chain.vectors + 16;
    let applyTensions = chain.pullDirections + 16;
    const one = f32x4.splat(1);
    const zero = f32x4.splat(0);
    for (let j: usize = 0, end = wordOffset(chain.paddedLinks); j < end; j += 16) {
        const far = v128.load(w + j, 4);
        const length = f32x4.sqrt(dots(vector, vector));
        const rest = v128.load(chain.restLengths + j);
        const compliance = v128.load(chain.compliances + j);
        const isStiff = f32x4.eq(compliance, zero);
        v128.store(chain.offDiagonal + j, f32x4.mul(far, dots(applyTensions, applyTensions + 16)));
        const give = f32x4.mul(f32x4.add(v128.load(w + j), far), f32x4.splat(1 + CONTACT_COMPLIANCE));
        v128.store(chain.diagonal + j, f32x4.mul(f32x4.mul(f32x4.add(give, compliance), rest), rest));
        let change = f32x4.sub(length, rest);
        if (!isHard) {
            const strained = f32x4.sub(f32x4.sqrt(v128.load(chain.previousSquaredLengths + j)), v128.load(chain.previousRestLengths + j));
            const slight = f32x4.mul(f32x4.splat(SLIGHT_STRAIN), rest);
            const beyond = f32x4.sub(strained, f32x4.pmax(f32x4.neg(slight), f32x4.pmin(slight, strained)));
            change = f32x4.sub(change, v128.and(isStiff, f32x4.mul(f32x4.splat(KEPT_ENERGY), beyond)));
        }
        v128.store(chain.rhs + j, f32x4.mul(rest, change));
        const strain = f32x4.pmin(f32x4.splat(MAX_STRAIN), f32x4.sub(one, f32x4.div(rest, length)));
        const ended = v128.and(f32x4.splat(IMPLICIT), isStiff);
        v128.store(chain.tensions + j, f32x4.div(one, f32x4.sub(one, f32x4.mul(ended, strain))));
        vector += 64;
        applyTensions += 64;
    }
}

/** Removes from the system the motion that contacts block. */
function applyContacts(w: usize, chain: RopeArrays): void {
    const last = wordOffset(chain.linkCount);
    for (let i: usize = 0; i <= last; i += 4) {
        const o = rowBeside(i);
        const n = v128.load(chain.normals + o);
        if (!v128.any_true(n)) continue;
        const mass = load<f32>(w + i);
        const toward = i > 0 ? sum3(f32x4.mul(n, v128.load(chain.pullDirections + o))) : 0;
        const onward = i < last ? sum3(f32x4.mul(n, v128.load(chain.pullDirections + o, 16))) : 0;
        if (i > 0) {
            reduce(chain.diagonal + i - 4, mass * toward * toward);
            const after = chain.offDiagonal + i - 4;
            store<f32>(after, load<f32>(after) - mass * toward * onward);
        }
        reduce(chain.diagonal + i, mass * onward * onward);
    }
}

function reduce(at: usize, by: f32): void {
    const own = load<f32>(at);
    store<f32>(at, max(MIN_PIVOT * own, own - by));
}

/** Marks the links whose push exceeds their limit. Returns true if any of them is folded onto its neighbour. */
function findCompressed(chain: RopeArrays): bool {
    const least = v128.load32_splat(chain.limits, RopeLimit.minTension);
    const zero = f32x4.splat(0);
    let any = zero;
    let behind = zero;
    for (let j: usize = 0, end = wordOffset(chain.linkCount); j < end; j += 16) {
        const isPushed = f32x4.lt(v128.load(chain.tensions + j), least);
        const after = v128.load(chain.offDiagonal + j);
        v128.store(chain.compressed + j, v128.and(isPushed, f32x4.splat(1)));
        behind = i32x4.shuffle(behind, after, 3, 4, 5, 6);
        any = v128.or(any, v128.and(isPushed, v128.or(f32x4.lt(after, zero), f32x4.lt(behind, zero))));
        behind = after;
    }
    return v128.any_true(any);
}

/** Removes compressed links from the system: they push by their limit. Left in, folded neighbours would pull by the difference, and be thrown. */
function releaseCompressed(chain: RopeArrays): void {
    const least = load<f32>(chain.limits, RopeLimit.minTension);
    for (let j: usize = 0, end = wordOffset(chain.linkCount); j < end; j += 4) {
        const isPushed = load<f32>(chain.compressed + j) > 0;
        if (isPushed || load<f32>(chain.compressed + j, 4) > 0) store<f32>(chain.offDiagonal + j, 0);
        if (!isPushed) continue;
        store<f32>(chain.diagonal + j, 1);
        store<f32>(chain.tensions + j, 1);
        store<f32>(chain.rhs + j, least);
    }
}

/** Solves the system: `own` becomes the dependence of μ_j on its neighbour, `excess` the rest. */
function solve(chain: RopeArrays): void {
    const own = chain.diagonal;
    const toAfter = chain.offDiagonal - own;
    const toExcess = chain.rhs - own;
    const toTension = chain.tensions - own;
    const last = own + wordOffset(chain.linkCount - 1);
    const middle = own + wordOffset(chain.linkCount >> 1);
    let share: f64 = 0;
    let rest: f64 = 0;
    let before: f64 = 0;
    let shareBack: f64 = 0;
    let restBack: f64 = 0;
    // Both ends in one loop: each waits for its own divisions only. The second half may be a link shorter.
    let j = own;
    let k = last;
    while (j < middle) {
        const whole = <f64>load<f32>(j);
        const inverse = inverseOf(whole - before * share, whole);
        rest = (<f64>load<f32>(j + toExcess) + before * rest) * inverse;
        before = <f64>load<f32>(j + toAfter);
        share = before * inverse;
        store<f32>(j, <f32>share);
        store<f32>(j + toExcess, <f32>rest);
        j += 4;
        if (k > middle) {
            const after = <f64>load<f32>(k + toAfter);
            const wholeBack = <f64>load<f32>(k);
            const inverseBack = inverseOf(wholeBack - after * shareBack, wholeBack);
            restBack = (<f64>load<f32>(k + toExcess) + after * restBack) * inverseBack;
            shareBack = <f64>load<f32>(k + toAfter - 4) * inverseBack;
            store<f32>(k, <f32>shareBack);
            store<f32>(k + toExcess, <f32>restBack);
            k -= 4;
        }
    }
    const after = <f64>load<f32>(middle + toAfter);
    const whole = <f64>load<f32>(middle);
    const tension =
        (<f64>load<f32>(middle + toExcess) + before * rest + after * restBack) *
        inverseOf(whole - before * share - after * shareBack, whole);
    scaleTension(middle + toTension, <f32>tension);
    let next = <f32>tension;
    let nextBack = next;
    j = middle - 4;
    k = middle + 4;
    while (j >= own) {
        next = load<f32>(j + toExcess) + load<f32>(j) * next;
        scaleTension(j + toTension, next);
        j -= 4;
        if (k <= last) {
            nextBack = load<f32>(k + toExcess) + load<f32>(k) * nextBack;
            scaleTension(k + toTension, nextBack);
            k += 4;
        }
    }
}

/** Inverse of a row's remaining pivot, `whole` of which it was; 0 where nothing is left: a link of no length pulls nowhere. */
// @ts-ignore: decorator
@inline
function inverseOf(left: f64, whole: f64): f64 {
    return left > 1e-7 * whole ? 1 / left : 0;
}

/** Turns the factor at a place into a tension. */
// @ts-ignore: decorator
@inline
function scaleTension(at: usize, tension: f32): void {
    store<f32>(at, load<f32>(at) * tension);
}

/** See kernelTable.ts. Of two contacts of a particle, the last counts. */
export function recordRopeContacts(contacts: ContactArrays, chain: RopeArrays): void {
    const count = load<u32>(contacts.recordCount);
    let record = contacts.records;
    for (const end = record + <usize>count * ContactRecord.count; record < end; record += ContactRecord.count) {
        let normal = chain.normals + <usize>load<u32>(record, ContactRecord.row);
        for (let lane = record; lane < record + 16; lane += 4) {
            if (load<f32>(lane, ContactRecord.depths) > 0) {
                store<f32>(normal, load<f32>(lane, ContactRecord.normals), 0);
                store<f32>(normal, load<f32>(lane, ContactRecord.normals + 16), 4);
                store<f32>(normal, load<f32>(lane, ContactRecord.normals + 32), 8);
                store<f32>(normal, 0, 12);
            }
            normal += 16;
        }
    }
    store<u32>(chain.contacts, load<u32>(chain.contacts, RopeContactSlot.count) + count, RopeContactSlot.count);
}
