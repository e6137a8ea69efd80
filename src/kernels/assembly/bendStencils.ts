/**
 * Finds the bending stencils of a surface at rest: at each particle, lines through it, and on each the particles at a distance of so
 * many edges on both sides, by straight marches.
 *
 *     grids: along every other row, every other column and one diagonal; other meshes: along pairs of opposite edges
 *
 * The curvature of a sheet along lines in n directions evenly spread, squared and summed, is 3n/8 of what it is in all directions: so
 * every stencil stands for 8/(3n) of its particle's area, and bending is as stiff in every direction. A line of a grid has a stencil at all its
 * particles or at none: where every other one had, zigzags that those do not see would take a third of the stiffness.
 */
import { BendStencilArrays } from "./layout.generated";
import { count, end, endX, endY, first, walkFrom, isClosed, loadFan } from "./surfaceWalk";
import { atan2, cos, double, NONE, put, putReal, real, sin, word } from "./memory";

/** Edges are opposite if their directions differ from half a turn by less than this [rad]… */
const OPPOSITE: f64 = 0.6;
/** …and cross at right angles within this [rad]. */
const RIGHT: f64 = 0.2;
/** A chord that misses the middle by more than this share of its length needs a fourth particle. */
const MISS_TOLERANCE: f64 = 0.004;
/** No arm is shorter than this share of the other. */
const MIN_ARM: f64 = 0.03;
/** Multiples of it are evenly spread over half a turn, as those of the golden section between whole numbers [rad]. */
const GOLDEN_TIE: f64 = 1.941611038725466;
/** Share of their area that two crossing lines stand for, turned at random. */
const BOTH: f64 = 4.0 / 3.0;
/** Flag of a particle's grid position: it is known. */
const KNOWN: u32 = 8;
/** Lines that go on for this share of their length to both sides are long enough. */
const FAR_ENOUGH: f64 = 0.5;
/** Diagonals that do not go on for this share to both sides are replaced by an edge's line… */
const TOO_NEAR: f64 = 0.34;
/** …that goes on for this. */
const WHOLE: f64 = 0.9;
/** Directions in which longer lines are searched. */
const CURVED_TURN: u32 = 8;
/** A bend of the chord by more than this at rest is kept [rad]. It is well above rounding: a smaller bend is pressed flat, and rigid cloth would never rest. */
const CURVED: f64 = 0.004;
/** No stencil spans more than this turn of the surface at rest [rad]. */
const MAX_TURN: f64 = 2.5;
const PI: f64 = 3.141592653589793;
const LINES: u32 = 4;

let lines = changetype<BendStencilArrays>(0);
let particle: u32 = 0;
/** Area of the particle [m²]. */
let area: f64 = 0;

export function findBendStencils(arrays: BendStencilArrays): void {
    lines = arrays;
    const past = word(arrays.range, 1);
    for (particle = word(arrays.range, 0); particle < past; particle++) if (loadFan(arrays.rest, particle)) processParticle();
}

function processParticle(): void {
    const rest = lines.rest;
    const span = <f64>lines.span;
    area = real(lines.shares, particle);
    const corner = findCross();
    if (corner == NONE) {
        if (!isWanted()) return;
        if (lines.span == 1 || !isClosed) {
            addPairs();
            return;
        }
        let length: f64 = 0;
        for (let i = first; i < first + count; i++) length += (span * double(rest.lengths, i)) / <f64>count;
        addLong(GOLDEN_TIE * <f64>particle, length);
        return;
    }
    const along = armOf(0);
    const across = armOf(1);
    area = max<f64>(0.5 * area, min<f64>(2 * area, along * across));
    const place = placeOf();
    if (isWanted()) addCell(double(rest.angles, corner), span * along, span * across, place);
}

function isWanted(): bool {
    // The chords of LINES lines, of which none is negative.
    return !lines.isChosen || v128.any_true(v128.load(lines.minChords + (<usize>particle << 4)));
}

function addCell(direction: f64, along: f64, across: f64, place: u32): void {
    const upright = direction + PI / 2;
    const squaredTangent = (across * across) / (along * along);
    if (squaredTangent < 1.0 / 3.0 || squaredTangent > 3) {
        addCross(direction, along, across, 1);
        return;
    }
    if (place & 1) addLine(0, direction, along, 2 - 2 / (3 * squaredTangent));
    if (place & 2) addLine(1, upright, across, 2 - (2.0 / 3.0) * squaredTangent);
    let length = sqrt<f64>(along * along + across * across);
    const angle = atan2(across, along);
    let slanted = place & 4 ? direction + angle : direction - angle;
    let share = ((1 + squaredTangent) * (1 + squaredTangent)) / (3 * squaredTangent);
    if (lines.span > 1 && reach(slanted, length) < TOO_NEAR * length) {
        if (reach(direction, along) >= WHOLE * along) {
            slanted = direction;
            length = along;
            share = 1 / (3 * squaredTangent);
        } else if (reach(upright, across) >= WHOLE * across) {
            slanted = upright;
            length = across;
            share = squaredTangent / 3;
        }
    }
    addLine(2, slanted, length, share);
}

function armOf(quarter: u32): f64 {
    const lengths = lines.rest.lengths;
    return (double(lengths, crossOf(quarter)) + double(lengths, crossOf(quarter + 2))) / 2;
}

/** A neighbour of the particle's cross, which is kept where pairs will be. */
function crossOf(quarter: u32): u32 {
    return first + word(lines.pairs, quarter);
}

function addCross(direction: f64, along: f64, across: f64, share: f64): void {
    addLine(0, direction, along, share);
    addLine(1, direction + PI / 2, across, share);
}

function addLine(number: u32, direction: f64, length: f64, share: f64): void {
    add(number, direction, direction + PI, length, length, share);
}

function addLong(direction: f64, length: f64): void {
    if (min<f64>(reach(direction, length), reach(direction + PI / 2, length)) >= FAR_ENOUGH * length) {
        addCross(direction, length, length, BOTH);
        return;
    }
    let longest: f64 = 0;
    let best: f64 = 0;
    for (let k: u32 = 0; k < CURVED_TURN; k++) {
        const turned = direction + (<f64>k * PI) / <f64>CURVED_TURN;
        const there = reach(turned, length);
        if (there > 1.05 * longest) {
            longest = there;
            best = turned;
        }
    }
    addCross(best, length, length, 1);
}

function reach(direction: f64, length: f64): f64 {
    const rest = lines.rest;
    if (!walkFrom(rest, direction, length)) return 0;
    const there = endX;
    return walkFrom(rest, direction + PI, length) ? min<f64>(there, endX) : 0;
}

/** Places of neighbours in the rest's arrays stand for them from here on. */
function findCross(): u32 {
    const angles = lines.rest.angles;
    const lengths = lines.rest.lengths;
    let best = NONE;
    if (!isClosed || count < 4) return best;
    const cross = lines.pairs;
    let shortest = Infinity;
    for (let i = first; i < first + count && double(angles, i) < PI / 2 + RIGHT; i++) {
        let length = double(lengths, i);
        put(cross, 4, i - first);
        let k: u32 = 1;
        for (; k < 4; k++) {
            const right = (<f64>k * PI) / 2;
            const j = nearest(double(angles, i) + right);
            const turn = abs<f64>(double(angles, j) - double(angles, i) - right);
            if (!(min<f64>(turn, abs<f64>(2 * PI - turn)) < RIGHT)) break;
            length += double(lengths, j);
            put(cross, 4 + k, j - first);
        }
        if (k == 4 && length < shortest * 0.999) {
            shortest = length;
            best = i;
            memory.copy(cross, cross + 16, 16);
        }
    }
    return best;
}

function nearest(direction: f64): u32 {
    const angles = lines.rest.angles;
    let best = first;
    let least = Infinity;
    for (let i = first; i < first + count; i++) {
        let turn = abs<f64>(double(angles, i) - direction);
        if (turn > PI) turn = abs<f64>(2 * PI - turn);
        if (turn < least) {
            least = turn;
            best = i;
        }
    }
    return best;
}

function placeOf(): u32 {
    const places = lines.places;
    const neighbours = lines.rest.neighbours;
    let place = KNOWN | 7;
    for (let k: u32 = 0; k < 4; k++) {
        const n = 3 * word(neighbours, crossOf(k));
        const known = word(places, n);
        if (known == 0) continue;
        const its: u32 = word(places, n + 1) == particle || word(places, n + 2) == particle ? 0 : 1;
        const own = k & 1;
        const isTurned = own ^ its;
        const row = (known >> its) & 1;
        const column = (~known >> (1 - its)) & 1;
        place = KNOWN | (row << own) | (column << (1 - own)) | ((~known ^ (isTurned << 2)) & 4);
        break;
    }
    put(places, 3 * particle, place);
    put(places, 3 * particle + 1, word(neighbours, crossOf(0)));
    put(places, 3 * particle + 2, word(neighbours, crossOf(2)));
    return place;
}

function addPairs(): void {
    const rest = lines.rest;
    const angles = rest.angles + (<usize>first << 3);
    const lengths = rest.lengths + (<usize>first << 3);
    const isPaired = lines.isPaired;
    const pairs = lines.pairs;
    for (let i: u32 = 0; i < count; i++) put(isPaired, i, 0);
    let pairCount: u32 = 0;
    for (;;) {
        let least = OPPOSITE;
        let one = NONE;
        let other: u32 = 0;
        for (let i: u32 = 0; i < count; i++) {
            if (word(isPaired, i) == 1) continue;
            for (let j = i + 1; j < count; j++) {
                const turn = abs<f64>(double(angles, j) - double(angles, i) - PI);
                if (word(isPaired, j) == 1 || !(turn < least - 1e-5)) continue;
                least = turn;
                one = i;
                other = j;
            }
        }
        if (one == NONE) break;
        put(isPaired, one, 1);
        put(isPaired, other, 1);
        put(pairs, 2 * pairCount, one);
        put(pairs, 2 * pairCount + 1, other);
        pairCount++;
    }
    const span = <f64>lines.span;
    const share = pairCount < 3 ? 1 : 8.0 / <f64>(3 * pairCount);
    for (let l: u32 = 0; l < pairCount; l++) {
        const i = word(pairs, 2 * l);
        const j = word(pairs, 2 * l + 1);
        add(l, double(angles, i), double(angles, j), span * double(lengths, i), span * double(lengths, j), share);
    }
}

function add(number: u32, direction: f64, back: f64, length: f64, lengthBack: f64, share: f64): void {
    const rest = lines.rest;
    const b = particle;
    const line = LINES * b + min<u32>(number, LINES - 1);
    const least = lines.isChosen ? real(lines.minChords, line) : -1;
    if (least == 0 || !walkFrom(rest, back, lengthBack)) return;
    const a = end;
    const turned = back - direction;
    const cosine = cos(turned);
    const sine = sin(turned);
    const ax = endX * cosine - endY * sine;
    const ay = endX * sine + endY * cosine;
    if (!walkFrom(rest, direction, length)) return;
    const c = end;
    const cx = endX;
    const cy = endY;
    if (a == c) return;
    const chord = sqrt<f64>((cx - ax) * (cx - ax) + (cy - ay) * (cy - ay));
    if (chord < least) return;
    const ux = (cx - ax) / chord;
    const uy = (cy - ay) / chord;
    const armA = -(ax * ux + ay * uy);
    const armC = cx * ux + cy * uy;
    const shorter = min<f64>(armA, armC);
    if (!(shorter > MIN_ARM * chord)) return;
    const miss = ux * ay - uy * ax;
    let e = b;
    let offset: f64 = 0;
    let along: f64 = 0;
    if (abs<f64>(miss) > MISS_TOLERANCE * chord) {
        const side: f64 = miss > 0 ? 1 : -1;
        for (let i = first; i < first + count; i++) {
            const neighbour = word(rest.neighbours, i);
            if (neighbour == a || neighbour == c) continue;
            const ex = double(rest.lengths, i) * cos(double(rest.angles, i) - direction);
            const ey = double(rest.lengths, i) * sin(double(rest.angles, i) - direction);
            const height = side * (ux * ey - uy * ex);
            if (height > offset) {
                offset = height;
                along = ux * ex + uy * ey;
                e = neighbour;
            }
        }
        if (!(offset > 1.2 * abs<f64>(miss))) return;
    }
    const ratio = e == b ? 0 : abs<f64>(miss) / offset;
    const foot = ratio * along;
    const ka = (armC - foot) / chord;
    const kc = (armA + foot) / chord;
    const scale = 2 / (ka * armA * armA + kc * armC * armC - ratio * along * along);
    if (!(scale > 0) || !(scale * chord * chord < 200)) return;
    const weightA = scale * ka;
    const weightC = scale * kc;
    const weightE = -scale * ratio;
    const x = rest.positions;
    let squared: f64 = 0;
    for (let i: u32 = 0; i < 3; i++) {
        const xb = real(x, 3 * b + i);
        const d = weightA * (real(x, 3 * a + i) - xb) + weightC * (real(x, 3 * c + i) - xb) + weightE * (real(x, 3 * e + i) - xb);
        squared += d * d;
    }
    const turn = sqrt<f64>(squared) * chord;
    if (lines.span > 1 && turn > MAX_TURN) return;
    const n = load<u32>(lines.found);
    store<u32>(lines.found, n + 1);
    if (n >= lines.capacity) return;
    put(lines.particles, 4 * n, b);
    put(lines.particles, 4 * n + 1, a);
    put(lines.particles, 4 * n + 2, c);
    put(lines.particles, 4 * n + 3, e);
    putReal(lines.weights, 3 * n, weightA);
    putReal(lines.weights, 3 * n + 1, weightC);
    putReal(lines.weights, 3 * n + 2, weightE);
    put(lines.lines, n, line);
    putReal(lines.areas, n, area * share * sqrt<f64>(max<f64>(armA, armC) / shorter));
    putReal(lines.curvatures, n, turn > CURVED ? turn / chord : 0);
}
