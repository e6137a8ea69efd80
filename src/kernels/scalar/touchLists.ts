import { NONE } from "../fields";
import { particleAt, ROW } from "../layout";
import { Crossing, Touch, TouchNumber, TouchProgress, WebFace, WebTriangle } from "../touchLayout";
import type { TouchArrays, WebArrays } from "../touchLayout";

/** Touches within a cloth keep at most this share of their distance at rest: it folds as sharply as it likes. */
const REST_SHARE = 0.6;
/** How far a particle may be beside a triangle, as a share of it, and how near its edge it is left to the neighbour that comes first. */
const BESIDE = 0.05;
const SHARED = BESIDE / 4;
/** How near the ends of an edge, as a share of it, the particles there do instead. */
const ENDS = 0.02;
/** Squared sine of two edges that are parallel. */
const PARALLEL = 0.01;
/** Share of the distance to what is nearest that a particle may come while the lists hold: two that meet do not pass (Chen et al. 2025, "Offset geometric contact"). */
const BOUND = 0.42;
/** Least share of the distance to keep that counts as distance there: what is in contact is not stuck. */
const LOOSE = 0.05;
/** What has been passed through by more than this share of its distance is for crossings to part. */
const LOST = 0.5;

/** The touch that is being added: its particles, weights and normal. */
const rows = new Uint32Array(4);
const weights = new Float64Array(4);
const normal = new Float64Array(3);

/** Lists the `k`-th corner of a triangle over another. @param height over its plane [m] */
export function meetParticle(
    touches: TouchArrays,
    a: WebArrays,
    s: number,
    k: number,
    b: WebArrays,
    t: number,
    height: number,
): void {
    rows[0] = cornerOf(a, s, k);
    for (let l = 0; l < 3; l++) {
        rows[1 + l] = cornerOf(b, t, l);
        if (rows[1 + l] === rows[0]) return;
    }
    const { faces: f } = a;
    const p = s * WebFace.count + WebFace.corners + 4 * k;
    if (!findShares(b, t, f[p], f[p + 1], f[p + 2], -BESIDE) || isNeighbours(b, t)) return;
    weights[0] = 1;
    for (let l = 0; l < 3; l++) {
        weights[1 + l] = -shares[l];
        normal[l] = b.faces[t * WebFace.count + WebFace.normal + l];
    }
    addTouch(touches, a === b, height, 1);
}

/** Whether what is over an edge of a triangle, or beside it, is its neighbour's: of those that share an edge or a corner one has it. */
function isNeighbours({ triangles }: WebArrays, t: number): boolean {
    for (let k = 0; k < 3; k++) {
        const neighbour = triangles[t * WebTriangle.count + WebTriangle.neighbours + k];
        if (shares[(k + 2) % 3] < SHARED && neighbour < t) return true;
    }
    return false;
}

/** Shares of a triangle's corners in the point of its plane that {@link findShares} was last asked for. */
export const shares = new Float64Array(3);

/** Finds the barycentric coordinates of a point's foot in a triangle; whether all are at least so large. */
export function findShares({ faces: f }: WebArrays, t: number, x: number, y: number, z: number, least: number): boolean {
    const o = t * WebFace.count + WebFace.corners;
    const ux = f[o + 4] - f[o];
    const uy = f[o + 5] - f[o + 1];
    const uz = f[o + 6] - f[o + 2];
    const vx = f[o + 8] - f[o];
    const vy = f[o + 9] - f[o + 1];
    const vz = f[o + 10] - f[o + 2];
    const dx = x - f[o];
    const dy = y - f[o + 1];
    const dz = z - f[o + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const area = uu * vv - uv * uv;
    if (!(area > 0)) return false;
    shares[1] = (vv * du - uv * dv) / area;
    shares[2] = (uu * dv - uv * du) / area;
    shares[0] = 1 - shares[1] - shares[2];
    return shares[0] >= least && shares[1] >= least && shares[2] >= least;
}

/** Lists two edges where one passes over the other. */
export function meetEdges(touches: TouchArrays, a: WebArrays, s: number, k: number, b: WebArrays, t: number, l: number): void {
    rows[0] = cornerOf(a, s, k);
    rows[1] = cornerOf(a, s, (k + 1) % 3);
    rows[2] = cornerOf(b, t, l);
    rows[3] = cornerOf(b, t, (l + 1) % 3);
    if (rows[0] === rows[2] || rows[0] === rows[3] || rows[1] === rows[2] || rows[1] === rows[3]) return;
    const { faces: f } = a;
    const { faces: g } = b;
    const p = s * WebFace.count + WebFace.corners + 4 * k;
    const q = s * WebFace.count + WebFace.corners + 4 * ((k + 1) % 3);
    const i = t * WebFace.count + WebFace.corners + 4 * l;
    const j = t * WebFace.count + WebFace.corners + 4 * ((l + 1) % 3);
    const ux = f[q] - f[p];
    const uy = f[q + 1] - f[p + 1];
    const uz = f[q + 2] - f[p + 2];
    const vx = g[j] - g[i];
    const vy = g[j + 1] - g[i + 1];
    const vz = g[j + 2] - g[i + 2];
    const dx = f[p] - g[i];
    const dy = f[p + 1] - g[i + 1];
    const dz = f[p + 2] - g[i + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const area = uu * vv - uv * uv;
    if (!(area > PARALLEL * uu * vv)) return;
    const du = dx * ux + dy * uy + dz * uz;
    const dv = dx * vx + dy * vy + dz * vz;
    const along = (uv * dv - vv * du) / area;
    if (!(along >= ENDS && along <= 1 - ENDS)) return;
    const alongOther = (uu * dv - uv * du) / area;
    if (!(alongOther >= ENDS && alongOther <= 1 - ENDS)) return;
    const scale = 1 / Math.sqrt(area);
    normal[0] = (uy * vz - uz * vy) * scale;
    normal[1] = (uz * vx - ux * vz) * scale;
    normal[2] = (ux * vy - uy * vx) * scale;
    weights[0] = 1 - along;
    weights[1] = along;
    weights[2] = alongOther - 1;
    weights[3] = -alongOther;
    addTouch(touches, a === b, normal[0] * dx + normal[1] * dy + normal[2] * dz, 2);
}

function cornerOf({ member, triangles }: WebArrays, t: number, k: number): number {
    return member.first + triangles[t * WebTriangle.count + WebTriangle.corners + k];
}

/** Adds a touch to the list, unless it is too far. @param height along the normal [m]; `firsts` see Touch */
function addTouch(touches: TouchArrays, isOwn: boolean, height: number, firsts: number): void {
    const { crowd, numbers, progress, touches: records, touchFloats: f, bounds } = touches;
    let distance = numbers[TouchNumber.distance];
    const margin = numbers[TouchNumber.reach] - distance;
    if (isOwn) distance = Math.min(distance, REST_SHARE * restDistance(crowd.rest));
    if (!(Math.abs(height) < distance + margin)) return;
    const touch = progress[TouchProgress.touchCount];
    if (touch === touches.capacity) {
        progress[TouchProgress.isFull] = 1;
        return;
    }
    progress[TouchProgress.touchCount] = touch + 1;
    const o = touch * Touch.count;
    const bound = BOUND * Math.max(Math.abs(height), LOOSE * distance);
    const side = height < 0 !== isKept(touches) ? -1 : 1;
    for (let k = 0; k < 4; k++) {
        records[o + Touch.rows + k] = rows[k];
        f[o + Touch.weights + k] = weights[k];
        crowd.slots[rows[k]] = 0;
        bounds[rows[k]] = Math.min(bounds[rows[k]], bound);
    }
    for (let c = 0; c < 3; c++) f[o + Touch.normal + c] = normal[c] * side;
    f[o + Touch.distance] = distance;
    f[o + Touch.friction] = numbers[TouchNumber.friction];
    records[o + Touch.firsts] = firsts;
}

/** How far the two points of a touch are apart at rest [m]. */
function restDistance(rest: Float32Array): number {
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        let d = 0;
        for (let k = 0; k < 4; k++) d += weights[k] * rest[rows[k] * ROW + c];
        squared += d * d;
    }
    return Math.sqrt(squared);
}

/** Begins new lists. Touches of the old ones that have been passed through a little keep their side. */
export function beginTouches(touches: TouchArrays): void {
    const { crowd, progress, touches: records, touchFloats: f, kept, keptCapacity } = touches;
    if (progress[TouchProgress.keptCount] > 0) kept.fill(NONE);
    progress[TouchProgress.keptCount] = 0;
    for (let o = 0, end = progress[TouchProgress.touchCount] * Touch.count; o < end; o += Touch.count) {
        let height = 0;
        for (let k = 0; k < 4; k++) {
            rows[k] = crowd.placed[particleAt(records[o + Touch.rows + k])];
            const p = rows[k] * ROW;
            let along = 0;
            for (let c = 0; c < 3; c++) along += f[o + Touch.normal + c] * crowd.points[p + c];
            height += f[o + Touch.weights + k] * along;
        }
        if (!(height < 0 && height > -LOST * f[o + Touch.distance])) continue;
        if (2 * progress[TouchProgress.keptCount] >= keptCapacity) break;
        kept.set(rows, 4 * slotOf(touches));
        progress[TouchProgress.keptCount]++;
    }
    touches.bounds.fill(Infinity);
    progress[TouchProgress.touchCount] = progress[TouchProgress.crossingCount] = progress[TouchProgress.isFull] = 0;
}

/** Whether the touch that is being added keeps a side that it is not on. */
function isKept(touches: TouchArrays): boolean {
    return touches.progress[TouchProgress.keptCount] > 0 && touches.kept[4 * slotOf(touches)] !== NONE;
}

/** Where the touch of the present rows is in the table of those that keep their side, or would be. */
function slotOf({ kept, keptCapacity }: TouchArrays): number {
    let hash = rows[0];
    for (let k = 1; k < 4; k++) hash = Math.imul(hash, 0x9e3779b1) ^ rows[k];
    hash ^= hash >>> 15;
    for (let slot = hash & (keptCapacity - 1); ; slot = (slot + 1) & (keptCapacity - 1)) {
        const o = 4 * slot;
        if (kept[o] === NONE) return slot;
        if (kept[o] === rows[0] && kept[o + 1] === rows[1] && kept[o + 2] === rows[2] && kept[o + 3] === rows[3]) return slot;
    }
}

/** Has touches and crossings name the places of their particles, once those are laid. */
export function layTouches({ crowd, progress, touches, crossings }: TouchArrays): void {
    nameRows(touches, progress[TouchProgress.touchCount], Touch.count, 4, crowd.slots);
    nameRows(crossings, progress[TouchProgress.crossingCount], Crossing.count, 5, crowd.slots);
}

function nameRows(records: Uint32Array, count: number, slots: number, particles: number, places: Uint32Array): void {
    for (let o = 0; o < count * slots; o += slots) for (let k = 0; k < particles; k++) records[o + k] = places[records[o + k]] << 4;
}
