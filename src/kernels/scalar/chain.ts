/**
 * The lengths of a chain, all at once: a Newton step for C_j = |x_{j+1} - x_j| - L_j = 0, whose matrix is tridiagonal, since a link
 * shares particles with its neighbours only (Thomas's algorithm; from both ends to the middle, which is twice as fast where divisions
 * are waited for). However long the chain, one pass is as good as any number of passes over sticks.
 *
 *     x0 ●━━━━● x1 ━━━━● x2      Δx_j = w_j (μ_j m_j - μ_{j-1} m_{j-1}),   |m_j| = L_j,   μ > 0 pulls
 *
 * Links pull along m: where they led before the substep, e (SHAKE, Ryckaert, Ciccotti & Berendsen 1977), and by a quarter where they lead now, d (more where
 * bending is stiff, see ChainLimit.lead). Along e alone what swings keeps its energy, along d it loses it. The same directions stand for ∇C, so that the matrix is one of dot products, which
 * no fold makes singular. With compliances α (XPBD, Macklin 2016), row j is
 *
 *     -w_j m_j·m_{j-1} μ_{j-1} + (w_j + w_{j+1} + α_j) L_j² μ_j - w_{j+1} m_j·m_{j+1} μ_{j+1} = L_j C_j.
 *
 * Under tension T the particles swing across the rope by T/l each way: light ones on a heavy load far faster than any substep, and what is pulled
 * along a known direction then grows without bounds from T dt²/(m l) = w μ of about one on. So the moves are implicit in that stiffness (as average
 * acceleration is, Newmark 1959), see pull below: it holds up to some hundreds; what links do beyond that adds no
 * energy, see pull. What is pushed buckles: links push by no more than light particles can.
 *
 * What is in contact cannot give way along its normal n: its w becomes w (1 - n nᵀ), which leaves the matrix tridiagonal. A rope round a post
 * then bears its load as a rope does, and not by the inertia of what lies on the post. It is pressed into the post by what that bears, so that
 * contact answers with the friction of that.
 */
import { ChainContact, ChainLimit } from "../chainLayout";
import type { ChainArrays } from "../chainLayout";
import { ContactRecord } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import { ROW, rowAt, rowOf } from "../layout";
import type { ParticleArrays } from "../layout";

/** See {@link pull}. */
const IMPLICIT = 0.5;
/** A link counts as strained by no more than this share. */
const MOST_STRAIN = 0.5;
/** Links give by this share more than they do: those of a straight chain between two pins would not know what to do. */
const GIVE = 1e-6;
/** What of a strain that there was before the substep is left for later: taken back at once, it would throw... */
const KEPT = 0.9;
/** ...beyond so much; not in contact, which takes the speed. */
const SLIGHT = 1e-3;
/** What is left of a link's row beside contacts, at least, as a share of what it is without. */
const LEAST = 1e-3;
/** What is in contact has so many times the mass at least that would swing across the chain once in 2π substeps... */
const HEAVY = 3;
/** ...by what has pulled at it lately: of that, a pass forgets the rest. */
const FORGET = 0.7;

type Row = Float32Array;

function dot(a: Row, o: number, b: Row, p: number): number {
    return a[o] * b[p] + a[o + 1] * b[p + 1] + a[o + 2] * b[p + 2];
}

export function projectChain(particles: ParticleArrays, chain: ChainArrays): void {
    const isTouching = chain.contacts[ChainContact.count] > 0;
    const isHeeded = isTouching && !isHeldApart(chain);
    const w = isHeeded ? weighContacts(particles, chain) : particles.inverseMasses;
    measureLinks(particles, chain);
    // What gives way takes no speed: what it has strained would be thrown.
    const isHard = isHeeded && chain.contacts[ChainContact.touchCount] === 0;
    writeSystem(w, chain, isHard);
    if (isHeeded) heedContacts(w, chain);
    solve(chain);
    if (findPushed(chain)) {
        writeSystem(w, chain, isHard);
        if (isHeeded) heedContacts(w, chain);
        dropPushed(chain);
        solve(chain);
    }
    pull(particles, w, chain, isHeeded);
    if (isTouching || chain.contacts[ChainContact.areLoaded] > 0) noteLoads(chain, isHeeded);
}

/** See kernels.ts. */
export function growChain({ paddedLinks, parts, restLengths, restBefore, compliances, limits, contacts }: ChainArrays): void {
    if (contacts[ChainContact.growing] === 0) return;
    const growing = --contacts[ChainContact.growing];
    if (growing > 1) limits[ChainLimit.length] += limits[ChainLimit.growth];
    else if (growing === 1) limits[ChainLimit.length] = limits[ChainLimit.whole];
    for (let j = 0; j < paddedLinks; j++) {
        restBefore[j] = restLengths[j];
        restLengths[j] = parts[j] * limits[ChainLimit.length];
        compliances[j] = restLengths[j] * limits[ChainLimit.compliance];
    }
}

/** Where links lead, and along what they pull. */
function measureLinks(
    { positions: x, previous: p }: ParticleArrays,
    { linkCount, vectors, pulls, restLengths, squaresBefore, limits }: ChainArrays,
): void {
    for (let j = 0, o = 0; j < linkCount; j++, o += ROW) {
        let turned = 0;
        for (let c = 0; c < 3; c++) {
            const vector = x[o + ROW + c] - x[o + c];
            const before = p[o + ROW + c] - p[o + c];
            vectors[o + ROW + c] = vector;
            pulls[o + ROW + c] = before;
            turned += vector * before;
        }
        squaresBefore[j] = dot(pulls, o + ROW, pulls, o + ROW);
        // What has turned about pulls where it leads.
        const share = turned > 0 ? limits[ChainLimit.lead] : 1;
        for (let c = 4; c < 7; c++) pulls[o + c] += share * (vectors[o + c] - pulls[o + c]);
        const length = Math.sqrt(dot(pulls, o + ROW, pulls, o + ROW));
        const scale = length > 0 ? restLengths[j] / length : 0;
        for (let c = 4; c < 7; c++) pulls[o + c] *= scale;
    }
}

/**
 * Whether contacts hold a link apart, from opposite sides: of a rope that goes through the ground, or is caught between two things that are nearer than
 * it is thick. No pull can do what both demand, and one that heeded them would throw the rest of the rope.
 */
function isHeldApart({ linkCount, normals }: ChainArrays): boolean {
    for (let o = 0; o < rowOf(linkCount); o += ROW) if (dot(normals, o, normals, o + ROW) < 0) return true;
    return false;
}

/**
 * Inverse masses, what is in contact and its neighbours heavy enough for what pulls at them, but no heavier than the whole rope: what slides is little slower for it, as there is g dt² / l of
 * the load's mass in each, and contact and friction have something to act on.
 */
function weighContacts(
    { inverseMasses }: ParticleArrays,
    { linkCount, weights, loads, normals, limits }: ChainArrays,
): Float32Array {
    let before = 0;
    let here = dot(normals, 0, normals, 0);
    for (let i = 0, o = ROW; i <= linkCount; i++, o += ROW) {
        const next = dot(normals, o, normals, o);
        const least = before + here + next > 0 ? Math.min(limits[ChainLimit.mass], HEAVY * Math.max(loads[i], loads[i + 1])) : 0;
        weights[i] = Math.min(inverseMasses[i], 1 / least);
        before = here;
        here = next;
    }
    return weights;
}

/** Remembers what links pull by, and forgets it by and by. */
function noteLoads({ linkCount, tensions, loads, normals, contacts }: ChainArrays, isHeeded: boolean): void {
    for (let j = 0; j < linkCount; j++) loads[j + 1] = isHeeded ? Math.max(FORGET * loads[j + 1], tensions[j]) : 0;
    normals.fill(0);
    contacts[ChainContact.count] = contacts[ChainContact.touchCount] = 0;
    contacts[ChainContact.areLoaded] = isHeeded ? 1 : 0;
}

function writeSystem(w: Float32Array, chain: ChainArrays, isHard: boolean): void {
    const { linkCount, vectors, pulls, restLengths, restBefore, squaresBefore, compliances, own, after, excess, tensions } = chain;
    for (let j = 0, o = ROW; j < linkCount; j++, o += ROW) {
        const length = Math.sqrt(dot(vectors, o, vectors, o));
        const rest = restLengths[j];
        after[j] = w[j + 1] * dot(pulls, o, pulls, o + ROW);
        own[j] = ((w[j] + w[j + 1]) * (1 + GIVE) + compliances[j]) * rest * rest;
        const strained = Math.sqrt(squaresBefore[j]) - restBefore[j];
        const slight = SLIGHT * rest;
        const kept = compliances[j] > 0 || isHard ? 0 : KEPT * (strained - Math.max(-slight, Math.min(slight, strained)));
        excess[j] = rest * (length - rest - kept);
        // What gives way to pulls implicitly gives way along them, too (Woodbury): they pull more by the strain that they end.
        const strain = Math.min(MOST_STRAIN, 1 - rest / length);
        tensions[j] = compliances[j] > 0 ? 1 : 1 / (1 - IMPLICIT * strain);
    }
}

/** Takes what particles in contact cannot do out of the system. */
function heedContacts(w: Float32Array, { linkCount, pulls, normals, own, after }: ChainArrays): void {
    for (let i = 0, o = 0; i <= linkCount; i++, o += ROW) {
        if (dot(normals, o, normals, o) === 0) continue;
        const toward = i > 0 ? dot(pulls, o, normals, o) : 0;
        const onward = i < linkCount ? dot(pulls, o + ROW, normals, o) : 0;
        if (i > 0) {
            own[i - 1] = Math.max(LEAST * own[i - 1], own[i - 1] - w[i] * toward * toward);
            after[i - 1] -= w[i] * toward * onward;
        }
        own[i] = Math.max(LEAST * own[i], own[i] - w[i] * onward * onward);
    }
}

/** Notes the links that would push by more than they can; whether any of them is folded onto its neighbour. */
function findPushed({ linkCount, tensions, pushed, after, limits }: ChainArrays): boolean {
    let isAny = false;
    for (let j = 0; j < linkCount; j++) {
        pushed[j] = tensions[j] < limits[ChainLimit.tension] ? 1 : 0;
        isAny ||= pushed[j] > 0 && (after[j] < 0 || (j > 0 && after[j - 1] < 0));
    }
    return isAny;
}

/** Takes those out of the system: they push by what they can. Left in, folded neighbours would pull by what these do not do, and be thrown. */
function dropPushed({ linkCount, pushed, own, after, excess, tensions, limits }: ChainArrays): void {
    for (let j = 0; j < linkCount; j++) {
        if (pushed[j] + pushed[j + 1] > 0) after[j] = 0;
        if (pushed[j] === 0) continue;
        own[j] = tensions[j] = 1;
        excess[j] = limits[ChainLimit.tension];
    }
}

/** Solves it: `own` becomes what μ_j owes its neighbour, `excess` what it is without. */
function solve({ linkCount, own, after, excess, tensions }: ChainArrays): void {
    const middle = linkCount >>> 1;
    let share = 0;
    let rest = 0;
    let before = 0;
    for (let j = 0; j < middle; j++) {
        const inverse = inverseOf(own[j] - before * share, own[j]);
        rest = (excess[j] + before * rest) * inverse;
        before = after[j];
        share = before * inverse;
        own[j] = share;
        excess[j] = rest;
    }
    let shareBack = 0;
    let restBack = 0;
    for (let j = linkCount - 1; j > middle; j--) {
        const inverse = inverseOf(own[j] - after[j] * shareBack, own[j]);
        restBack = (excess[j] + after[j] * restBack) * inverse;
        shareBack = after[j - 1] * inverse;
        own[j] = shareBack;
        excess[j] = restBack;
    }
    const left = own[middle] - before * share - after[middle] * shareBack;
    const tension = (excess[middle] + before * rest + after[middle] * restBack) * inverseOf(left, own[middle]);
    tensions[middle] *= tension;
    for (let j = middle - 1, next = tension; j >= 0; j--) tensions[j] *= next = excess[j] + own[j] * next;
    for (let j = middle + 1, next = tension; j < linkCount; j++) tensions[j] *= next = excess[j] + own[j] * next;
}

/** One over what is left of a row, `whole` of which it was; 0 where nothing is: a link of no length pulls nowhere. */
function inverseOf(left: number, whole: number): number {
    return left > 1e-7 * whole ? 1 / left : 0;
}

/**
 * Moves the particles: (1 + ½ w L) Δx = w (μ_j m_j - μ_{j-1} m_{j-1}), L the differences along the chain weighed by the links' pulls. What is in
 * contact is not lifted, but pressed by what it bears, no deeper than so far. Nothing is moved by more than the chain is long, so that what is beyond
 * hope stays a number.
 *
 * No more of the moves than adds no energy becomes speed: with v what a particle has moved in the substep and W what pins, winch and strain put in, a share
 * s ≤ 1 with Σ m (|v + s Δx|² - |v|²) ≤ 2 s W. Of what holds its lengths it is all; taking back strain, or pulls beyond what is right, would throw the rope.
 * What lies on something and is pulled no harder than ChainLimit.wound keeps it all: friction holds particles where they were, and that would creep. What
 * touches others of its crowd may gain no more than ChainLimit.ease.
 */
function pull(particles: ParticleArrays, w: Float32Array, chain: ChainArrays, isHeeded: boolean): void {
    const { positions: x, previous: p, inverseMasses } = particles;
    const { linkCount, vectors, own, excess, normals, limits, contacts } = chain;
    const most = limits[ChainLimit.length];
    const isElastic = limits[ChainLimit.compliance] > 0;
    sums.work = isElastic ? Math.max(strainEnergy(x, chain), strainEnergy(p, chain)) : 0;
    sums.hardest = 0;
    // From both ends: rows of `vectors` become what a particle moves by without the one nearer to the middle, `own` what it owes that.
    const middle = linkCount >>> 1;
    for (let i = 0; i < middle; i++) own[i] = reduce(particles, w, chain, i, i > 0 ? own[i - 1] : 0, 0);
    for (let i = linkCount; i > middle; i--) own[i] = reduce(particles, w, chain, i, 0, i < linkCount ? own[i + 1] : 0);
    reduce(particles, w, chain, middle, middle > 0 ? own[middle - 1] : 0, own[middle + 1]);
    const { hardest } = sums;
    limits[ChainLimit.hardest] = hardest;
    // And back from the middle: what they move by.
    for (let i = middle - 1; i >= 0; i--) {
        for (let o = i * ROW, c = o; c < o + 3; c++) vectors[c] += own[i] * vectors[c + ROW];
    }
    for (let i = middle + 1; i <= linkCount; i++) {
        for (let o = i * ROW, c = o; c < o + 3; c++) vectors[c] += own[i] * vectors[c - ROW];
    }
    let { work } = sums;
    let opposed = 0;
    let squares = 0;
    for (let i = linkCount, o = linkCount * ROW; i >= 0; i--, o -= ROW) {
        // What it touches may give way: it moves as it would, and what it touches is pushed by it.
        const isHeld = isHeeded && normals[o + 3] === 0;
        const depth = isHeld ? Math.max(0, Math.min(excess[i], limits[ChainLimit.depth])) : 0;
        const lift = isHeld ? dot(vectors, o, normals, o) : 0;
        const mass = inverseMasses[i] > 0 ? 1 / inverseMasses[i] : 0;
        for (let c = 0; c < 3; c++) {
            const move = within(most, vectors[o + c] - lift * normals[o + c]);
            opposed += mass * move * (x[o + c] - p[o + c]);
            squares += mass * move * move;
            vectors[o + c] = move;
            x[o + c] += move - depth * normals[o + c];
        }
    }
    if (isElastic) work -= strainEnergy(x, chain);
    const isHard = isHeeded && contacts[ChainContact.touchCount] === 0;
    if (contacts[ChainContact.touchCount] > 0) work += limits[ChainLimit.ease];
    const kept = (2 * (work - opposed)) / squares;
    if (!(kept < 1) || contacts[ChainContact.areTaken] > 0 || (isHard && hardest < limits[ChainLimit.wound])) return;
    const lost = 1 - Math.max(0, kept);
    for (let i = 0, o = 0; i <= linkCount; i++, o += ROW) for (let c = 0; c < 3; c++) p[o + c] += lost * vectors[o + c];
}

/** Within {@link pull}: what pins, winch and strain put in, and the hardest pull. */
const sums = { work: 0, hardest: 0 };

/**
 * Solves the row of particle i for it, with those of its neighbours that are farther from the middle put in.
 * @param owedBehind what of its neighbours' moves is its own: of the one behind it, and of the one ahead
 * @returns what of the move of the one nearer to the middle is its
 */
function reduce(
    { positions: x, previous: p }: ParticleArrays,
    w: Float32Array,
    { linkCount, pulls, vectors, tensions, restLengths, restBefore, excess, normals, limits }: ChainArrays,
    i: number,
    owedBehind: number,
    owedAhead: number,
): number {
    const o = i * ROW;
    const middle = linkCount >>> 1;
    const least = limits[ChainLimit.tension];
    const behind = i > 0 ? Math.max(least, tensions[i - 1]) : 0;
    const ahead = i < linkCount ? Math.max(least, tensions[i]) : 0;
    const toBehind = IMPLICIT * w[i] * Math.max(0, behind);
    const toAhead = IMPLICIT * w[i] * Math.max(0, ahead);
    const inverse = 1 / (1 + toBehind * (1 - owedBehind) + toAhead * (1 - owedAhead));
    excess[i] = 0;
    sums.hardest = Math.max(sums.hardest, ahead);
    if (i < linkCount) sums.work -= ahead * restLengths[i] * (restLengths[i] - restBefore[i]);
    for (let c = o; c < o + 3; c++) {
        const both = (i < linkCount ? ahead * pulls[c + ROW] : 0) - (i > 0 ? behind * pulls[c] : 0);
        const force = w[i] * both;
        if (w[i] === 0) sums.work -= both * (x[c] - p[c]);
        excess[i] -= force * normals[c];
        let owed = 0;
        if (i > 0 && i <= middle) owed += toBehind * vectors[c - ROW];
        if (i < linkCount && i >= middle) owed += toAhead * vectors[c + ROW];
        vectors[c] = (force + owed) * inverse;
    }
    return (i < middle ? toAhead : toBehind) * inverse;
}

/** Of links that stretch: Σ C² / 2 α, over the square of the substep. */
function strainEnergy(x: Row, { linkCount, restLengths, compliances }: ChainArrays): number {
    let sum = 0;
    for (let j = 0, o = 0; j < linkCount; j++, o += ROW) {
        let squared = 0;
        for (let c = 0; c < 3; c++) squared += (x[o + ROW + c] - x[o + c]) ** 2;
        const strained = Math.sqrt(squared) - restLengths[j];
        sum += (strained * strained) / (2 * compliances[j]);
    }
    return sum;
}

/** A move that is no larger than a limit, whichever way; what is no number is the limit. */
function within(limit: number, move: number): number {
    const below = move < limit ? move : limit;
    return below > -limit ? below : -limit;
}

/** See kernels.ts. Of two contacts of a particle, the last counts. */
export function noteChainContacts({ records, recordFloats, recordCount }: ContactArrays, { normals, contacts }: ChainArrays): void {
    for (let k = 0, record = 0; k < recordCount[0]; k++, record += ContactRecord.count) {
        for (let lane = 0, o = rowAt(records[record + ContactRecord.row]); lane < 4; lane++, o += ROW) {
            if (!(recordFloats[record + ContactRecord.depths + lane] > 0)) continue;
            for (let c = 0; c < 3; c++) normals[o + c] = recordFloats[record + ContactRecord.normals + 4 * c + lane];
            normals[o + 3] = 0;
        }
    }
    contacts[ChainContact.count] += recordCount[0];
}
