/** Bending stencils along lines; specification: scalar/bendLines.ts. In doubles, to the bit. */
import { BendLineArrays } from "./layout.generated";
import { count, end, endX, endY, first, go, isClosed, turnTo } from "./marches";
import { atan2, cos, double, NONE, put, putReal, real, sin, word } from "./words";

const OPPOSITE: f64 = 0.6;
const RIGHT: f64 = 0.2;
const MISS: f64 = 0.004;
const SAME: f64 = 1e-9;
const SHORTEST_ARM: f64 = 0.03;
const GOLDEN: f64 = 0.6180339887498949;
const BOTH: f64 = 4.0 / 3.0;
const FAR_ENOUGH: f64 = 0.5;
const TURNS: u32 = 8;
const CURVED: f64 = 0.004;
const LARGEST_TURN: f64 = 2.5;
const PI: f64 = 3.141592653589793;
const LINES: u32 = 4;

let lines = changetype<BendLineArrays>(0);
let particle: u32 = 0;
/** Area of the particle [m²]. */
let area: f64 = 0;
/** The four neighbours of its cross. */
let cross0: u32 = 0;
let cross1: u32 = 0;
let cross2: u32 = 0;
let cross3: u32 = 0;

export function findBendLines(arrays: BendLineArrays): void {
    lines = arrays;
    for (particle = 0; particle < arrays.particleCount; particle++) if (turnTo(arrays.rest, particle)) visit();
}

function visit(): void {
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
        const share = <f64>particle * GOLDEN;
        addLong(PI * (share - floor<f64>(share)), length, length);
        return;
    }
    const direction = double(rest.angles, corner);
    const along = armOf(cross0, cross2);
    const across = armOf(cross1, cross3);
    area = max<f64>(0.5 * area, min<f64>(2 * area, along * across));
    const isOdd = parityOf() == 2;
    if (!isWanted()) return;
    if (lines.span > 1) {
        const diagonal = span * Math.SQRT2 * max<f64>(along, across);
        if (isOdd) addLong(direction + PI / 4, diagonal, diagonal);
        else addLong(direction, span * along, span * across);
    } else addCell(direction, along, across, isOdd);
}

function isWanted(): bool {
    if (!lines.isChosen) return true;
    for (let k: u32 = 0; k < LINES; k++) if (real(lines.leastChords, LINES * particle + k) > 0) return true;
    return false;
}

function addCell(direction: f64, along: f64, across: f64, isOdd: bool): void {
    const squaredTangent = (across * across) / (along * along);
    if (squaredTangent < 1.0 / 3.0 || squaredTangent > 3) {
        addCross(direction, along, across, 1);
    } else if (isOdd) {
        const diagonal = sqrt<f64>(along * along + across * across);
        const angle = atan2(across, along);
        const share = ((1 + squaredTangent) * (1 + squaredTangent)) / (3 * squaredTangent);
        add(0, direction + angle, direction + angle + PI, diagonal, diagonal, share);
        add(1, direction - angle, direction - angle + PI, diagonal, diagonal, share);
    } else {
        add(0, direction, direction + PI, along, along, 2 - 2 / (3 * squaredTangent));
        add(1, direction + PI / 2, direction + 1.5 * PI, across, across, 2 - (2.0 / 3.0) * squaredTangent);
    }
}

function armOf(one: u32, opposite: u32): f64 {
    return (double(lines.rest.lengths, one) + double(lines.rest.lengths, opposite)) / 2;
}

function addCross(direction: f64, along: f64, across: f64, share: f64): void {
    add(0, direction, direction + PI, along, along, share);
    add(1, direction + PI / 2, direction + 1.5 * PI, across, across, share);
}

function addLong(direction: f64, along: f64, across: f64): void {
    if (min<f64>(reach(direction, along) / along, reach(direction + PI / 2, across) / across) >= FAR_ENOUGH) {
        addCross(direction, along, across, BOTH);
        return;
    }
    const length = max<f64>(along, across);
    let longest: f64 = 0;
    let best: f64 = 0;
    for (let k: u32 = 0; k < TURNS; k++) {
        const turned = direction + (<f64>k * PI) / <f64>TURNS;
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
    if (!go(rest, direction, length)) return 0;
    const there = endX;
    return go(rest, direction + PI, length) ? min<f64>(there, endX) : 0;
}

/** Places of neighbours in the rest's arrays stand for them from here on. */
function findCross(): u32 {
    const angles = lines.rest.angles;
    const lengths = lines.rest.lengths;
    let best = NONE;
    if (!isClosed || count < 4) return best;
    let shortest = Infinity;
    for (let i = first; i < first + count && double(angles, i) < PI / 2 + RIGHT; i++) {
        const angle = double(angles, i);
        const q1 = atRight(angle, PI / 2);
        if (q1 == NONE) continue;
        const q2 = atRight(angle, (2 * PI) / 2);
        if (q2 == NONE) continue;
        const q3 = atRight(angle, (3 * PI) / 2);
        if (q3 == NONE) continue;
        const length = double(lengths, i) + double(lengths, q1) + double(lengths, q2) + double(lengths, q3);
        if (length < shortest * 0.999) {
            shortest = length;
            best = i;
            cross0 = i;
            cross1 = q1;
            cross2 = q2;
            cross3 = q3;
        }
    }
    return best;
}

/** The neighbour at a turn from an angle; NONE: there is none. */
function atRight(angle: f64, right: f64): u32 {
    const j = nearest(angle + right);
    const turn = abs<f64>(double(lines.rest.angles, j) - angle - right);
    return min<f64>(turn, abs<f64>(2 * PI - turn)) < RIGHT ? j : NONE;
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

function parityOf(): u32 {
    const parities = lines.parities;
    const neighbours = lines.rest.neighbours;
    let known = word(parities, word(neighbours, cross0));
    if (known == 0) known = word(parities, word(neighbours, cross1));
    if (known == 0) known = word(parities, word(neighbours, cross2));
    if (known == 0) known = word(parities, word(neighbours, cross3));
    const parity = known == 0 ? 1 : 3 - known;
    put(parities, particle, parity);
    return parity;
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
    const least = lines.isChosen ? real(lines.leastChords, line) : -1;
    if (least == 0 || !go(rest, back, lengthBack)) return;
    const a = end;
    const turned = back - direction;
    const isStraight = abs<f64>(turned - PI) < SAME;
    const cosine = isStraight ? -1 : cos(turned);
    const sine = isStraight ? 0 : sin(turned);
    const ax = endX * cosine - endY * sine;
    const ay = endX * sine + endY * cosine;
    if (!go(rest, direction, length)) return;
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
    if (!(shorter > SHORTEST_ARM * chord)) return;
    const miss = ux * ay - uy * ax;
    let e = b;
    let offset: f64 = 0;
    let along: f64 = 0;
    if (abs<f64>(miss) > MISS * chord) {
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
    if (lines.span > 1 && turn > LARGEST_TURN) return;
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
    putReal(lines.areas, n, (area * share * max<f64>(armA, armC)) / shorter);
    putReal(lines.curvatures, n, turn > CURVED ? turn / chord : 0);
}
