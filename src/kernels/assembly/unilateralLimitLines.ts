/** Long limits. In doubles, to the bit. */
import { RestSurfaceArrays, StraightLimitArrays } from "./layout.generated";
import { count, end, endX, endY, first, walkFrom, isClosed, loadFan } from "./surfaceWalk";
import { atan2, double, put, putReal, word } from "./memory";

/** Least length of a march, as a share of its nominal number of edges. */
const MIN_LENGTH: f64 = 0.8;
/** Its end is no farther from the straight line than this share of the way. */
const SKEW_TOLERANCE: f64 = 0.2;
/** Edges are at right angles within this [rad]. */
const RIGHT: f64 = 0.2;
const PI: f64 = 3.141592653589793;

/**
 * Pairs of particles at a distance of so many edges, by straight marches along edges, or across: on grids, along their diagonals. No
 * sheet that does not stretch can bring them farther apart than the length of the straight line between them over the surface, whatever
 * its shape.
 */
export function findStraightLimits(limits: StraightLimitArrays): void {
    const rest = limits.rest;
    const every = limits.every;
    const past = word(limits.range, 1);
    for (let from = word(limits.range, 0); from < past; from++) {
        if (every > 1 && (word(rest.sides, from) != 1 || from % (every >> 1) > 0)) continue;
        if (!loadFan(rest, from)) continue;
        const begin = load<u32>(limits.found);
        const last = first + count;
        for (let i = first; i < last; i++) {
            if (word(rest.isEdge, i) == 0) continue;
            if (limits.isBias) walkBias(limits, rest, from, i, begin);
            else if (word(rest.neighbours, i) > from) add(limits, rest, from, double(rest.angles, i), double(rest.lengths, i), begin);
        }
    }
}

/** Between an edge and the next one around, where they are at right angles: along the diagonal of a grid's cell. */
function walkBias(limits: StraightLimitArrays, rest: RestSurfaceArrays, from: u32, i: u32, begin: u32): void {
    const last = first + count;
    const around = isClosed ? i + count : last;
    for (let k = i + 1; k < around; k++) {
        const j = k < last ? k : k - count;
        if (word(rest.isEdge, j) == 0) continue;
        const angle = double(rest.angles, i);
        const turn = double(rest.angles, j) - angle + (k < last ? 0.0 : 2.0 * PI);
        if (abs<f64>(turn - PI / 2) > RIGHT) return;
        const li = double(rest.lengths, i);
        const lj = double(rest.lengths, j);
        add(limits, rest, from, angle + atan2(lj, li), sqrt<f64>(li * li + lj * lj), begin);
        return;
    }
}

function add(limits: StraightLimitArrays, rest: RestSurfaceArrays, from: u32, direction: f64, edge: f64, begin: u32): void {
    const length = <f64>limits.span * edge;
    if (!walkFrom(rest, direction, length)) return;
    const distance = sqrt<f64>(endX * endX + endY * endY);
    if (distance < MIN_LENGTH * length || abs<f64>(endY) > SKEW_TOLERANCE * distance || (limits.isBias && end < from)) return;
    const found = load<u32>(limits.found);
    for (let k = begin; k < found && k < limits.capacity; k++) if (word(limits.particlesB, k) == end) return;
    store<u32>(limits.found, found + 1);
    if (found >= limits.capacity) return;
    put(limits.particlesA, found, from);
    put(limits.particlesB, found, end);
    putReal(limits.restLengths, found, distance);
}
