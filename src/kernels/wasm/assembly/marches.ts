/** Straight marches over a surface at rest; specification: scalar/marches.ts. In doubles, to the bit. */
import { RestArrays } from "./layout.generated";
import { thirdOf, triangleAcross } from "./rest";
import { cos, double, NONE, real, sin, word } from "./words";

const TOLERANCE: f64 = 1e-3;
const MOST_TRIANGLES: u32 = 1000;
const STRAIGHTNESS: f64 = 2;
const TURN: f64 = 6.283185307179586;

/** The fan: its particle, its neighbours by their places in the rest's arrays, whether it goes all around. */
export let centre: u32 = 0;
export let first: u32 = 0;
export let count: u32 = 0;
export let isClosed: bool = false;

/** Where the last march ended, and its distance from the straight line. */
export let end: u32 = 0;
export let endX: f64 = 0;
export let endY: f64 = 0;
export let askew: f64 = 0;

let best: f64 = 0;

export function turnTo(rest: RestArrays, particle: u32): bool {
    centre = particle;
    first = word(rest.fanStarts, particle);
    count = word(rest.fanCounts, particle);
    isClosed = word(rest.isClosed, particle) == 1;
    return count > 0;
}

export function go(rest: RestArrays, direction: f64, length: f64): bool {
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
    const sectorAngle = double(rest.sectorAngles, first + k);
    const below = share * width < 1e-3 ? 0 : share * sectorAngle;
    const above = sectorAngle - below;
    const cosine = cos(direction);
    const sine = sin(direction);
    const lowLength = double(lengths, low);
    if (below == 0 && length < 1.001 * lowLength) {
        end = word(rest.neighbours, low);
        endX = lowLength * cosine;
        endY = lowLength * sine;
        askew = 0;
        return true;
    }
    const highLength = double(lengths, high);
    best = Infinity;
    if (
        !march(
            rest,
            word(rest.sectors, first + k),
            word(rest.neighbours, low),
            below == 0 ? lowLength : lowLength * cos(below),
            below == 0 ? -0.0 : -lowLength * sin(below),
            word(rest.neighbours, high),
            highLength * cos(above),
            highLength * sin(above),
            length,
            TOLERANCE * min<f64>(lowLength, highLength),
        )
    ) return false;
    const ex = endX;
    const ey = side * endY;
    askew = abs<f64>(endY);
    endX = ex * cosine - ey * sine;
    endY = ex * sine + ey * cosine;
    return true;
}

function march(
    rest: RestArrays, t: u32, p: u32, px: f64, py: f64, q: u32, qx: f64, qy: f64, length: f64, tolerance: f64,
): bool {
    const x = rest.positions;
    consider(p, px, py, length);
    consider(q, qx, qy, length);
    for (let made: u32 = 0; made < MOST_TRIANGLES; made++) {
        const rise = qy - py;
        if (!(rise > 0) || px - (py * (qx - px)) / rise >= length) break;
        t = triangleAcross(rest, t, p, q);
        if (t == NONE) break;
        const r = thirdOf(rest, t, p, q);
        const x0 = real(x, 3 * p);
        const y0 = real(x, 3 * p + 1);
        const z0 = real(x, 3 * p + 2);
        const ex = real(x, 3 * q) - x0;
        const ey = real(x, 3 * q + 1) - y0;
        const ez = real(x, 3 * q + 2) - z0;
        const fx = real(x, 3 * r) - x0;
        const fy = real(x, 3 * r + 1) - y0;
        const fz = real(x, 3 * r + 2) - z0;
        const squared = ex * ex + ey * ey + ez * ez;
        const along = (fx * ex + fy * ey + fz * ez) / squared;
        const height = sqrt<f64>(max<f64>(0, fx * fx + fy * fy + fz * fz - along * along * squared) / squared);
        const rx = px + along * (qx - px) + height * (qy - py);
        const ry = py + along * (qy - py) - height * (qx - px);
        consider(r, rx, ry, length);
        if (ry > tolerance) {
            q = r;
            qx = rx;
            qy = ry;
        } else {
            p = r;
            px = rx;
            py = ry;
        }
    }
    return best < Infinity;
}

function consider(particle: u32, x: f64, y: f64, length: f64): void {
    const score = abs<f64>(x - length) + STRAIGHTNESS * abs<f64>(y);
    if (!(score < best - 1e-5 * length) || x <= 0 || particle == centre) return;
    best = score;
    end = particle;
    endX = x;
    endY = y;
}
