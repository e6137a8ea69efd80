/**
 * Finds the bending stencils of a surface at rest: at each particle, lines through it, and on each the particles at a distance of so
 * many edges on both sides, by straight marches.
 *
 *     grids: even particles ─●─ along the edges, odd ones ╳ along the diagonals; other meshes: along pairs of opposite edges
 *
 * The curvature of a sheet along lines in n directions evenly spread, squared and summed, is 3n/8 of what it is in all directions: so
 * every stencil stands for 8/(3n) of its particle's area, and bending is as stiff in every direction.
 */
import { LINES } from "../restLayout";
import type { BendLineArrays } from "../restLayout";
import { Marches } from "./marches";

/** Edges are opposite if their directions differ from half a turn by less than this [rad]… */
const OPPOSITE = 0.6;
/** …and cross at right angles within this [rad]. */
const RIGHT = 0.2;
/** A chord that misses the middle by more than this share of its length needs a fourth particle. */
const MISS = 0.004;
/** Angles that differ by less are the same [rad]. */
const SAME = 1e-9;
/** No arm is shorter than this share of the other. */
const SHORTEST_ARM = 0.03;
/** Multiples of it are evenly spread between whole numbers. */
const GOLDEN = 0.6180339887498949;
/** Share of their area that two crossing lines stand for, turned at random or from particle to particle. */
const BOTH = 4 / 3;
/** Lines that go on for this share of their length to both sides are long enough. */
const FAR_ENOUGH = 0.5;
/** Directions in which longer lines are looked for. */
const TURNS = 8;
/** A bend of the chord by more than this at rest is kept [rad]: well above rounding, since what is not kept is pressed flat, and rigid cloth never rests. */
const CURVED = 0.004;
/** No stencil spans more than this turn of the surface at rest [rad]. */
const LARGEST_TURN = 2.5;

/** See kernels.ts. */
export function findBendLines(arrays: BendLineArrays): void {
    const finder = new StencilFinder(arrays);
    for (let p = 0; p < arrays.particleCount; p++) finder.visit(p);
}

class StencilFinder {
    /** Area of the particle [m²]. */
    private _area = 0;
    /** The four neighbours of its cross, a quarter turn apart, where it has one; those that are being looked at. */
    private readonly _cross = [0, 0, 0, 0];
    private readonly _quarters = [0, 0, 0, 0];
    private readonly _marches: Marches;
    private readonly _k = [0, 0, 0];

    constructor(private readonly _arrays: BendLineArrays) {
        this._marches = new Marches(_arrays.rest);
    }

    visit(particle: number): void {
        const { _marches: marches } = this;
        const { span, shares } = this._arrays;
        if (!marches.turnTo(particle)) return;
        this._area = shares[particle];
        const corner = this._findCross();
        if (corner < 0 && !this._isWanted(particle)) return;
        if (corner < 0 && (span === 1 || !marches.isClosed)) {
            this._addPairs(particle);
            return;
        }
        if (corner < 0) {
            const { lengths, count } = marches;
            let length = 0;
            for (let i = 0; i < count; i++) length += (span * lengths[i]) / count;
            // As good as random, so that no direction is preferred.
            this._addLong(particle, Math.PI * ((particle * GOLDEN) % 1), length, length);
            return;
        }
        const direction = marches.angles[corner];
        const along = this._armOf(0);
        const across = this._armOf(1);
        // Around a particle of a grid the triangles need not be of its cell.
        this._area = Math.max(0.5 * this._area, Math.min(2 * this._area, along * across));
        const isOdd = this._parityOf(particle) === 2;
        if (!this._isWanted(particle)) return;
        if (span > 1) {
            const diagonal = span * Math.SQRT2 * Math.max(along, across);
            if (isOdd) this._addLong(particle, direction + Math.PI / 4, diagonal, diagonal);
            else this._addLong(particle, direction, span * along, span * across);
        } else this._addCell(particle, direction, along, across, isOdd);
    }

    /** Whether any of a particle's lines is: of what is not, the marches need not be made. */
    private _isWanted(particle: number): boolean {
        const { isChosen, leastChords } = this._arrays;
        if (!isChosen) return true;
        for (let line = LINES * particle; line < LINES * (particle + 1); line++) if (leastChords[line] > 0) return true;
        return false;
    }

    /**
     * Lines of one edge around a particle of a grid. With the diagonals at ±γ to the longer edges, bending is alike in all
     * directions if even particles' lines stand for 2 - 2/3 cot² γ and 2 - 2/3 tan² γ of their area, odd ones' for 1/(3 sin² γ cos² γ).
     */
    private _addCell(particle: number, direction: number, along: number, across: number, isOdd: boolean): void {
        const diagonal = Math.sqrt(along * along + across * across);
        const squaredTangent = (across * across) / (along * along);
        if (squaredTangent < 1 / 3 || squaredTangent > 3) {
            // Long cells have no diagonals that serve.
            this._addCross(particle, direction, along, across, 1);
        } else if (isOdd) {
            const angle = Math.atan2(across, along);
            const share = ((1 + squaredTangent) * (1 + squaredTangent)) / (3 * squaredTangent);
            this._add(particle, 0, direction + angle, direction + angle + Math.PI, diagonal, diagonal, share);
            this._add(particle, 1, direction - angle, direction - angle + Math.PI, diagonal, diagonal, share);
        } else {
            this._add(particle, 0, direction, direction + Math.PI, along, along, 2 - 2 / (3 * squaredTangent));
            this._add(
                particle,
                1,
                direction + Math.PI / 2,
                direction + 1.5 * Math.PI,
                across,
                across,
                2 - (2 / 3) * squaredTangent,
            );
        }
    }

    /** Mean length of an edge of the cross and of the one opposite [m]. */
    private _armOf(quarter: number): number {
        const { lengths } = this._marches;
        return (lengths[this._cross[quarter]] + lengths[this._cross[quarter + 2]]) / 2;
    }

    /** Two lines at right angles. */
    private _addCross(particle: number, direction: number, along: number, across: number, share: number): void {
        this._add(particle, 0, direction, direction + Math.PI, along, along, share);
        this._add(particle, 1, direction + Math.PI / 2, direction + 1.5 * Math.PI, across, across, share);
    }

    /** The same, turned to where the surface goes on for longest if it ends too near: there only one line carries. */
    private _addLong(particle: number, direction: number, along: number, across: number): void {
        const reach = Math.min(this._reach(direction, along) / along, this._reach(direction + Math.PI / 2, across) / across);
        if (reach >= FAR_ENOUGH) {
            this._addCross(particle, direction, along, across, BOTH);
            return;
        }
        const length = Math.max(along, across);
        let longest = 0;
        let best = 0;
        for (let k = 0; k < TURNS; k++) {
            // Of equals the first, which lies along the edges of a grid.
            const turned = direction + (k * Math.PI) / TURNS;
            const there = this._reach(turned, length);
            if (there > 1.05 * longest) {
                longest = there;
                best = turned;
            }
        }
        this._addCross(particle, best, length, length, 1);
    }

    /** The shorter of the ways that the surface goes on to both sides along a line [m]. */
    private _reach(direction: number, length: number): number {
        const { _marches: marches } = this;
        if (!marches.go(direction, length)) return 0;
        const there = marches.endX;
        return marches.go(direction + Math.PI, length) ? Math.min(there, marches.endX) : 0;
    }

    /** A neighbour that makes a cross with three others, of the shortest arms; -1: none. */
    private _findCross(): number {
        const { angles, lengths, count, isClosed } = this._marches;
        if (!isClosed || count < 4) return -1;
        const { _cross: cross, _quarters: quarters } = this;
        let best = -1;
        let shortest = Infinity;
        for (let i = 0; i < count && angles[i] < Math.PI / 2 + RIGHT; i++) {
            let length = lengths[i];
            quarters[0] = i;
            for (let k = 1; k < 4 && length < Infinity; k++) {
                const j = this._nearest(angles[i] + (k * Math.PI) / 2);
                const turn = Math.abs(angles[j] - angles[i] - (k * Math.PI) / 2);
                length = Math.min(turn, Math.abs(2 * Math.PI - turn)) < RIGHT ? length + lengths[j] : Infinity;
                quarters[k] = j;
            }
            if (length < shortest * 0.999) {
                shortest = length;
                best = i;
                for (let k = 0; k < 4; k++) cross[k] = quarters[k];
            }
        }
        return best;
    }

    /** The neighbour nearest to a direction. */
    private _nearest(direction: number): number {
        const { angles, count } = this._marches;
        let best = 0;
        let least = Infinity;
        for (let i = 0; i < count; i++) {
            let turn = Math.abs(angles[i] - direction);
            if (turn > Math.PI) turn = Math.abs(2 * Math.PI - turn);
            if (turn < least) {
                least = turn;
                best = i;
            }
        }
        return best;
    }

    /** Even (1) or odd (2): the other of the neighbours' that are known. */
    private _parityOf(particle: number): number {
        const { parities } = this._arrays;
        for (let k = 0; k < 4; k++) {
            const known = parities[this._marches.neighbours[this._cross[k]]];
            if (known > 0) return (parities[particle] = 3 - known);
        }
        return (parities[particle] = 1);
    }

    /** Stencils along all pairs of opposite edges, the straightest first. */
    private _addPairs(particle: number): void {
        const { span, isPaired, pairs } = this._arrays;
        const { angles, lengths, count } = this._marches;
        for (let i = 0; i < count; i++) isPaired[i] = 0;
        let pairCount = 0;
        for (;;) {
            let least = OPPOSITE;
            let first = -1;
            let second = -1;
            for (let i = 0; i < count; i++) {
                if (isPaired[i] === 1) continue;
                for (let j = i + 1; j < count; j++) {
                    const turn = Math.abs(angles[j] - angles[i] - Math.PI);
                    if (isPaired[j] === 1 || !(turn < least - 1e-5)) continue;
                    least = turn;
                    first = i;
                    second = j;
                }
            }
            if (first < 0) break;
            isPaired[first] = isPaired[second] = 1;
            pairs[2 * pairCount] = first;
            pairs[2 * pairCount + 1] = second;
            pairCount++;
        }
        const share = pairCount < 3 ? 1 : 8 / (3 * pairCount);
        for (let l = 0; l < pairCount; l++) {
            const i = pairs[2 * l];
            const j = pairs[2 * l + 1];
            this._add(particle, l, angles[i], angles[j], span * lengths[i], span * lengths[j], share);
        }
    }

    /** Adds the stencil of a line, if the surface goes on for it. */
    private _add(
        b: number,
        number: number,
        direction: number,
        back: number,
        length: number,
        lengthBack: number,
        share: number,
    ): void {
        const { _marches: marches } = this;
        const { isChosen, leastChords, span, rest } = this._arrays;
        const line = LINES * b + Math.min(number, LINES - 1);
        if (isChosen && leastChords[line] === 0) return;
        if (!marches.go(back, lengthBack)) return;
        const a = marches.end;
        // Places in a frame along the direction; most lines go straight back.
        const turned = back - direction;
        const isStraight = Math.abs(turned - Math.PI) < SAME;
        const cosine = isStraight ? -1 : Math.cos(turned);
        const sine = isStraight ? 0 : Math.sin(turned);
        const ax = marches.endX * cosine - marches.endY * sine;
        const ay = marches.endX * sine + marches.endY * cosine;
        if (!marches.go(direction, length)) return;
        const c = marches.end;
        const cx = marches.endX;
        const cy = marches.endY;
        if (a === c) return;
        const chord = Math.sqrt((cx - ax) * (cx - ax) + (cy - ay) * (cy - ay));
        if (isChosen && chord < leastChords[line]) return;
        const ux = (cx - ax) / chord;
        const uy = (cy - ay) / chord;
        const armA = -(ax * ux + ay * uy);
        const armC = cx * ux + cy * uy;
        const shorter = Math.min(armA, armC);
        if (!(shorter > SHORTEST_ARM * chord)) return;
        // How far the chord passes to the left of b.
        const miss = ux * ay - uy * ax;
        let e = b;
        let offset = 0;
        let along = 0;
        if (Math.abs(miss) > MISS * chord) {
            const { angles, lengths, neighbours, count } = marches;
            const side = Math.sign(miss);
            for (let i = 0; i < count; i++) {
                if (neighbours[i] === a || neighbours[i] === c) continue;
                const ex = lengths[i] * Math.cos(angles[i] - direction);
                const ey = lengths[i] * Math.sin(angles[i] - direction);
                const height = side * (ux * ey - uy * ex);
                if (height > offset) {
                    offset = height;
                    along = ux * ex + uy * ey;
                    e = neighbours[i];
                }
            }
            // A neighbour below the chord would count more than b itself.
            if (!(offset > 1.2 * Math.abs(miss))) return;
        }
        // Ka a + Kc c + Ke e + Kb b = 0 and sum to 0, with Ke = -ratio: the point of the chord over the line from b to e.
        const ratio = e === b ? 0 : Math.abs(miss) / offset;
        const foot = ratio * along;
        const ka = (armC - foot) / chord;
        const kc = (armA + foot) / chord;
        // ½ Σ K (r · u)² = 1.
        const scale = 2 / (ka * armA * armA + kc * armC * armC - ratio * along * along);
        if (!(scale > 0) || !(scale * chord * chord < 200)) return;
        const k = this._k;
        k[0] = scale * ka;
        k[1] = scale * kc;
        k[2] = -scale * ratio;
        const x = rest.positions;
        let squared = 0;
        for (let i = 0; i < 3; i++) {
            const d =
                k[0] * (x[3 * a + i] - x[3 * b + i]) + k[1] * (x[3 * c + i] - x[3 * b + i]) + k[2] * (x[3 * e + i] - x[3 * b + i]);
            squared += d * d;
        }
        const turn = Math.sqrt(squared) * chord;
        if (span > 1 && turn > LARGEST_TURN) return;
        this._push(b, a, c, e, line, k, (this._area * share * Math.max(armA, armC)) / shorter, turn > CURVED ? turn / chord : 0);
    }

    private _push(b: number, a: number, c: number, e: number, line: number, k: number[], area: number, curvature: number): void {
        const { found, capacity, particles, weights, areas, curvatures, lines } = this._arrays;
        const i = found[0]++;
        if (i >= capacity) return;
        particles[4 * i] = b;
        particles[4 * i + 1] = a;
        particles[4 * i + 2] = c;
        particles[4 * i + 3] = e;
        for (let n = 0; n < 3; n++) weights[3 * i + n] = k[n];
        lines[i] = line;
        areas[i] = area;
        curvatures[i] = curvature;
    }
}
