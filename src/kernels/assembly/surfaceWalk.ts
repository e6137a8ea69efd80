/**
 * Straight marches over a surface at rest: from a particle, in a direction of its tangent plane, across the triangles, which are
 * unfolded into that plane as they come, to the particle nearest to a distance.
 *
 *          q ●─────────● r        the ray runs along x; the edge p–q that it leaves through has p on it or below, q above;
 *           ╱ ╲       ╱           behind it lies r, and the ray leaves through p–r or r–q
 *      b ●╌╌╌╌╌╲╌╌╌╌╌╱╌╌╌→ x
 *           ╲   ╲   ╱
 *            ╲───● p              A ray through a particle passes on its left.
 *
 * Flat and developable surfaces are marched exactly; elsewhere a march is as straight as the triangles on its left allow.
 */
import { RestSurfaceArrays } from "./layout.generated";
import { lastSide, nextSide, placeOf } from "./restSurface";
import { cos, double, NONE, sin, word } from "./memory";

/** A ray passes what lies within this share of the first edge on the same side [1]. */
const TOLERANCE: f64 = 1e-3;
/** Most triangles in a march. */
const MAX_TRIANGLES: u32 = 1000;
/** Weight of a particle's distance from the ray, relative to its distance from the end of the march. */
const STRAIGHTNESS: f64 = 2;
const TURN: f64 = 6.283185307179586;

/** The fan: its particle, its neighbours' indices in the rest's arrays, and true if it is closed. */
export let centre: u32 = 0;
export let first: u32 = 0;
export let count: u32 = 0;
export let isClosed: bool = false;

/** Particle at the end of the last march. */
export let end: u32 = 0;
export let endX: f64 = 0;
export let endY: f64 = 0;

let best: f64 = 0;

export function loadFan(rest: RestSurfaceArrays, particle: u32): bool {
    centre = particle;
    first = word(rest.fanStarts, particle);
    count = word(rest.fanCounts, particle);
    isClosed = word(rest.isClosed, particle) == 1;
    return count > 0;
}

export function walkFrom(rest: RestSurfaceArrays, direction: f64, length: f64): bool {
    const lengths = rest.lengths;
    const angles = rest.angles + (<usize>first << 3);
    let angle = direction;
    if (isClosed) angle -= TURN * floor<f64>(angle / TURN);
    else if (angle < -1e-3) angle += TURN;
    let k = count - 1;
    while (k > 0 && double(angles, k) > angle + 1e-3) k--;
    let side: f64 = 1;
    const low = first + k;
    let high = k + 1 == count ? first : low + 1;
    if (!isClosed && k == count - 1) {
        if (angle > double(angles, k) + 1e-3) return false;
        side = -1;
        k--;
        high = first + k;
    }
    const here = double(angles, k);
    const width = (k + 1 < count ? double(angles, k + 1) : TURN) - here;
    const share = side < 0 ? 0 : max<f64>(0, (angle - here) / width);
    const below = share * width < 1e-3 ? 0 : share * double(rest.sectorAngles, first + k);
    const lowLength = double(lengths, low);
    if (below == 0 && length < 1.001 * lowLength) {
        end = word(rest.neighbours, low);
        endX = lowLength;
        endY = 0;
        return true;
    }
    best = Infinity;
    const triangles = rest.triangles;
    const lowest = word(rest.neighbours, low);
    let away = 4 * word(rest.sectors, first + k);
    while (word(triangles, placeOf(away)) != centre) away++;
    const isLowNext = word(triangles, placeOf(nextSide(away))) == lowest;
    const third = thirdOf(rest, isLowNext ? away : lastSide(away), isLowNext);
    const x = load<f64>(third) * lowLength;
    const y = load<f64>(third, 8) * lowLength;
    const cosine = below == 0 ? 1 : cos(below);
    const sine = below == 0 ? 0 : sin(below);
    const qx = x * cosine + y * sine;
    const qy = y * cosine - x * sine;
    const tolerance = TOLERANCE * min<f64>(lowLength, double(lengths, high));
    if (!walkThrough(rest, nextSide(away), lowest, lowLength * cosine, -lowLength * sine, word(rest.neighbours, high), qx, qy, length, tolerance)) {
        return false;
    }
    endY *= side;
    return true;
}

function walkThrough(
    rest: RestSurfaceArrays, side: u32, p: u32, px: f64, py: f64, q: u32, qx: f64, qy: f64, length: f64, tolerance: f64,
): bool {
    const triangles = rest.triangles;
    const across = rest.across;
    const tie = 1e-5 * length;
    updateBest(p, px, py, length);
    updateBest(q, qx, qy, length);
    // In locals: baseline-compiled code is slow with globals and calls.
    const middle = centre;
    let least = best;
    let nearest = end;
    let x = endX;
    let y = endY;
    for (let made: u32 = 0; made < MAX_TRIANGLES; made++) {
        const rise = qy - py;
        const run = qx - px;
        if (!(rise > 0) || px - (py * run) / rise >= length) break;
        const beyond = word(across, placeOf(side));
        if (beyond == NONE) break;
        const isAlong = word(triangles, placeOf(beyond)) == p;
        const r = word(triangles, placeOf(lastSide(beyond)));
        const third = thirdOf(rest, beyond, isAlong);
        const along = load<f64>(third);
        const height = load<f64>(third, 8);
        const rx = px + along * run + height * rise;
        const ry = py + along * rise - height * run;
        const score = abs<f64>(rx - length) + STRAIGHTNESS * abs<f64>(ry);
        if (score < least - tie && rx > 0 && r != middle) {
            least = score;
            nearest = r;
            x = rx;
            y = ry;
        }
        const isAbove = ry > tolerance;
        if (isAbove) {
            qx = rx;
            qy = ry;
        } else {
            p = r;
            px = rx;
            py = ry;
        }
        side = isAbove == isAlong ? lastSide(beyond) : nextSide(beyond);
    }
    end = nearest;
    endX = x;
    endY = y;
    return least < Infinity;
}

/** Index in `thirds` of the third corner of a side's triangle. @param isAlong true as seen from the side's first end */
// @ts-ignore: decorator
@inline
function thirdOf(rest: RestSurfaceArrays, side: u32, isAlong: bool): usize {
    return rest.thirds + (<usize>placeOf(side) << 5) + (isAlong ? 0 : 16);
}

function updateBest(particle: u32, x: f64, y: f64, length: f64): void {
    const score = abs<f64>(x - length) + STRAIGHTNESS * abs<f64>(y);
    if (!(score < best - 1e-5 * length) || x <= 0 || particle == centre) return;
    best = score;
    end = particle;
    endX = x;
    endY = y;
}
