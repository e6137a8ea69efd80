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
import { LINES } from "../restLayout";
import type { BendLineArrays } from "../restLayout";
import { Marches } from "./marches";

/** Edges are opposite if their directions differ from half a turn by less than this [rad]… */
const OPPOSITE = 0.6;
/** …and cross at right angles within this [rad]. */
const RIGHT = 0.2;
/** A chord that misses the middle by more than this share of its length needs a fourth particle. */
const MISS = 0.004;
/** No arm is shorter than this share of the other. */
const SHORTEST_ARM = 0.03;
/** Multiples of it are evenly spread over half a turn, as those of the golden section between whole numbers [rad]. */
const GOLDEN = 1.941611038725466;
/** Share of their area that two crossing lines stand for, turned at random. */
const BOTH = 4 / 3;
/** Of a particle's place in its grid: that it is known. */
const KNOWN = 8;
/** Lines that go on for this share of their length to both sides are long enough. */
const FAR_ENOUGH = 0.5;
/** Diagonals that do not go on for this share to both sides give way to an edge's line… */
const TOO_NEAR = 0.34;
/** …that goes on for this. */
const WHOLE = 0.9;
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
    /** The four neighbours of its cross, a quarter turn apart, where it has one; then those that are being looked at. */
    private readonly _cross: Uint32Array;
    private readonly _marches: Marches;
    private readonly _k = [0, 0, 0];

    constructor(private readonly _arrays: BendLineArrays) {
        this._marches = new Marches(_arrays.rest);
        this._cross = _arrays.pairs;
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
            this._addLong(particle, GOLDEN * particle, length);
            return;
        }
        const along = this._armOf(0);
        const across = this._armOf(1);
        // Around a particle of a grid the triangles need not be of its cell.
        this._area = Math.max(0.5 * this._area, Math.min(2 * this._area, along * across));
        const place = this._placeOf(particle);
        if (this._isWanted(particle)) this._addCell(particle, marches.angles[corner], span * along, span * across, place);
    }

    /** Whether any of a particle's lines is: of what is not, the marches need not be made. */
    private _isWanted(particle: number): boolean {
        const { isChosen, leastChords } = this._arrays;
        if (!isChosen) return true;
        for (let line = LINES * particle; line < LINES * (particle + 1); line++) if (leastChords[line] > 0) return true;
        return false;
    }

    /**
     * Lines through a particle of a grid. With the diagonals at ±γ to the longer edges, bending is alike in all directions if the lines along
     * rows and columns stand for 2 - 2/3 cot² γ and 2 - 2/3 tan² γ of the area, diagonals for 1/(3 sin² γ cos² γ).
     * @param place see BendLineLayout
     */
    private _addCell(particle: number, direction: number, along: number, across: number, place: number): void {
        const upright = direction + Math.PI / 2;
        const squaredTangent = (across * across) / (along * along);
        if (squaredTangent < 1 / 3 || squaredTangent > 3) {
            // Long cells have no diagonals that serve.
            this._addCross(particle, direction, along, across, 1);
            return;
        }
        if (place & 1) this._addLine(particle, 0, direction, along, 2 - 2 / (3 * squaredTangent));
        if (place & 2) this._addLine(particle, 1, upright, across, 2 - (2 / 3) * squaredTangent);
        let length = Math.sqrt(along * along + across * across);
        const angle = Math.atan2(across, along);
        let slanted = place & 4 ? direction + angle : direction - angle;
        let share = ((1 + squaredTangent) * (1 + squaredTangent)) / (3 * squaredTangent);
        if (this._arrays.span > 1 && this._reach(slanted, length) < TOO_NEAR * length) {
            // In a narrow strip, by as much as a diagonal adds to bending along the edge.
            if (this._reach(direction, along) >= WHOLE * along) {
                slanted = direction;
                length = along;
                share = 1 / (3 * squaredTangent);
            } else if (this._reach(upright, across) >= WHOLE * across) {
                slanted = upright;
                length = across;
                share = squaredTangent / 3;
            }
        }
        this._addLine(particle, 2, slanted, length, share);
    }

    /** Mean length of an edge of the cross and of the one opposite [m]. */
    private _armOf(quarter: number): number {
        const { lengths } = this._marches;
        return (lengths[this._cross[quarter]] + lengths[this._cross[quarter + 2]]) / 2;
    }

    /** Two lines at right angles. */
    private _addCross(particle: number, direction: number, along: number, across: number, share: number): void {
        this._addLine(particle, 0, direction, along, share);
        this._addLine(particle, 1, direction + Math.PI / 2, across, share);
    }

    /** A straight line. */
    private _addLine(particle: number, number: number, direction: number, length: number, share: number): void {
        this._add(particle, number, direction, direction + Math.PI, length, length, share);
    }

    /** Two lines at right angles, turned to where the surface goes on for longest if it ends too near: there only one line carries. */
    private _addLong(particle: number, direction: number, length: number): void {
        const reach = Math.min(this._reach(direction, length), this._reach(direction + Math.PI / 2, length));
        if (reach >= FAR_ENOUGH * length) {
            this._addCross(particle, direction, length, length, BOTH);
            return;
        }
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
        const { _cross: cross } = this;
        let best = -1;
        let shortest = Infinity;
        for (let i = 0; i < count && angles[i] < Math.PI / 2 + RIGHT; i++) {
            let length = lengths[i];
            cross[4] = i;
            let k = 1;
            for (; k < 4; k++) {
                const right = (k * Math.PI) / 2;
                const j = this._nearest(angles[i] + right);
                const turn = Math.abs(angles[j] - angles[i] - right);
                if (!(Math.min(turn, Math.abs(2 * Math.PI - turn)) < RIGHT)) break;
                length += lengths[j];
                cross[4 + k] = j;
            }
            if (k === 4 && length < shortest * 0.999) {
                shortest = length;
                best = i;
                cross.copyWithin(0, 4, 8);
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

    /** Finds where a particle is in its grid from the neighbours that know, see BendLineLayout. */
    private _placeOf(particle: number): number {
        const { places } = this._arrays;
        const { neighbours } = this._marches;
        const { _cross: cross } = this;
        let place = KNOWN | 7;
        for (let k = 0; k < 4; k++) {
            const n = 3 * neighbours[cross[k]];
            const known = places[n];
            if (known === 0) continue;
            // The edge between the two is the neighbour's first or second one.
            const its = places[n + 1] === particle || places[n + 2] === particle ? 0 : 1;
            const own = k & 1;
            const isTurned = own ^ its;
            const row = (known >> its) & 1;
            const column = (~known >> (1 - its)) & 1;
            place = KNOWN | (row << own) | (column << (1 - own)) | ((~known ^ (isTurned << 2)) & 4);
            break;
        }
        places[3 * particle] = place;
        places[3 * particle + 1] = neighbours[cross[0]];
        places[3 * particle + 2] = neighbours[cross[2]];
        return place;
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
        // Places in a frame along the direction.
        const turned = back - direction;
        const cosine = Math.cos(turned);
        const sine = Math.sin(turned);
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
        this._push(
            b,
            a,
            c,
            e,
            line,
            k,
            this._area * share * Math.sqrt(Math.max(armA, armC) / shorter),
            turn > CURVED ? turn / chord : 0,
        );
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
