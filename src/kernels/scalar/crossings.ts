import { CrowdNumber } from "../crowdLayout";
import { NONE } from "../fields";
import { Crossing, TouchNumber, TouchProgress, WebFace, WebTriangle } from "../touchLayout";
import type { TouchArrays, WebArrays } from "../touchLayout";
import { findFoot, shares } from "./nearest";
import { LEVER } from "./touches";

/** Sine of two triangles that lie in one plane: they have no line in common. */
const LEVEL = 1e-4;
/** Share of what is crossed moves against each other that is lost in a substep. */
const STUCK = 0.5;

/**
 * Lists the edges of each of two triangles that pass through the other; whether any does.
 * @param over heights of the corners of the first over the second, and of the second over the first [m]
 */
export function addCrossings(touches: TouchArrays, a: WebArrays, s: number, b: WebArrays, t: number, over: Float64Array): boolean {
    let isCrossed = false;
    for (let k = 0; k < 3; k++) {
        if (crosses(a, s, k, b, t, over[k], over[(k + 1) % 3])) {
            isCrossed = true;
            addCrossing(touches, a, s, k, b, t);
        }
        if (crosses(b, t, k, a, s, over[3 + k], over[3 + ((k + 1) % 3)])) {
            isCrossed = true;
            addCrossing(touches, b, t, k, a, s);
        }
    }
    return isCrossed;
}

/** The point in which an edge goes through a triangle, as a share of the edge, and the point itself [m]. */
const passage = new Float64Array(4);

/** Whether the `k`-th edge of a triangle goes through another. @param p heights of its ends [m] */
function crosses(a: WebArrays, s: number, k: number, b: WebArrays, t: number, p: number, q: number): boolean {
    if (p < 0 === q < 0) return false;
    const { triangles, faces: f } = a;
    const l = (k + 1) % 3;
    if (a === b && (isCorner(a, t, triangles[s * WebTriangle.count + k]) || isCorner(a, t, triangles[s * WebTriangle.count + l])))
        return false;
    const o = s * WebFace.count + WebFace.corners + 4 * k;
    const u = s * WebFace.count + WebFace.corners + 4 * l;
    const share = p / (p - q);
    passage[0] = share;
    for (let c = 0; c < 3; c++) passage[1 + c] = f[o + c] + share * (f[u + c] - f[o + c]);
    return findFoot(b, t, passage[1], passage[2], passage[3]);
}

function isCorner({ triangles }: WebArrays, t: number, particle: number): boolean {
    const o = t * WebTriangle.count + WebTriangle.corners;
    return triangles[o] === particle || triangles[o + 1] === particle || triangles[o + 2] === particle;
}

/** What shortens the line of intersection: a displacement of the edge against the triangle, x y z. */
const gradient = new Float64Array(3);

/** Adds the edge that has just been found to pass, if the triangle owns it. */
function addCrossing(touches: TouchArrays, a: WebArrays, s: number, k: number, b: WebArrays, t: number): void {
    const { crossings, crossingFloats: f, progress, numbers, crowd } = touches;
    const { triangles } = a;
    const i = s * WebTriangle.count;
    if (!((triangles[i + WebTriangle.owned] >> (3 + k)) & 1)) return;
    const crossing = progress[TouchProgress.crossingCount];
    if (crossing === touches.crossingCapacity) {
        progress[TouchProgress.isFull] = 1;
        return;
    }
    const l = (k + 1) % 3;
    gradient[0] = gradient[1] = gradient[2] = 0;
    addLine(a, s, k, s, b, t);
    const neighbour = triangles[i + WebTriangle.neighbours + k];
    if (neighbour !== NONE) addLine(a, s, k, neighbour, b, t);
    const length = Math.sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]);
    const scale = length > 0 ? numbers[TouchNumber.pull] / Math.max(1, length) : 0;
    progress[TouchProgress.crossingCount] = crossing + 1;
    const o = crossing * Crossing.count;
    crossings[o] = a.member.first + triangles[i + k];
    crossings[o + 1] = a.member.first + triangles[i + l];
    f[o + Crossing.weights] = 1 - passage[0];
    f[o + Crossing.weights + 1] = passage[0];
    for (let c = 0; c < 3; c++) {
        crossings[o + 2 + c] = b.member.first + b.triangles[t * WebTriangle.count + c];
        f[o + Crossing.weights + 2 + c] = -shares[c];
        f[o + Crossing.displacement + c] = gradient[c] * scale;
    }
    for (let r = 0; r < 5; r++) crowd.slots[crossings[o + r]] = 0;
}

/**
 * Adds what the line that one triangle at an edge has in common with the pierced one asks for: along it from the edge on it gets shorter,
 *
 *     R - (E · R) / (E · N) N      E the edge, R the unit direction of the line into the triangle, N the normal of the pierced one
 *
 * (after Volino and Magnenat-Thalmann 2006, "Resolving surface collisions through intersection contour minimization").
 */
function addLine({ faces: f }: WebArrays, s: number, k: number, face: number, { faces: g }: WebArrays, t: number): void {
    const l = (k + 1) % 3;
    const p = s * WebFace.count + WebFace.corners + 4 * k;
    const q = s * WebFace.count + WebFace.corners + 4 * l;
    const m = face * WebFace.count;
    const n = t * WebFace.count;
    const ex = f[q] - f[p];
    const ey = f[q + 1] - f[p + 1];
    const ez = f[q + 2] - f[p + 2];
    let rx = f[m + 1] * g[n + 2] - f[m + 2] * g[n + 1];
    let ry = f[m + 2] * g[n] - f[m] * g[n + 2];
    let rz = f[m] * g[n + 1] - f[m + 1] * g[n];
    const length = Math.sqrt(rx * rx + ry * ry + rz * rz);
    const through = ex * g[n] + ey * g[n + 1] + ez * g[n + 2];
    // An edge that lies in the other's plane goes through it by rounding alone: nothing of it gets shorter.
    if (!(length > LEVEL) || through === 0) return;
    // Across the edge, towards the middle of the triangle: its centre is a sum of three.
    const edge = ex * ex + ey * ey + ez * ez;
    const cx = f[m + WebFace.centre] / 3 - f[p];
    const cy = f[m + WebFace.centre + 1] / 3 - f[p + 1];
    const cz = f[m + WebFace.centre + 2] / 3 - f[p + 2];
    const along = (ex * cx + ey * cy + ez * cz) / edge;
    const into = rx * (cx - along * ex) + ry * (cy - along * ey) + rz * (cz - along * ez);
    const scale = (into < 0 ? -1 : 1) / length;
    rx *= scale;
    ry *= scale;
    rz *= scale;
    const rise = (ex * rx + ey * ry + ez * rz) / through;
    gradient[0] += rx - rise * g[n];
    gradient[1] += ry - rise * g[n + 1];
    gradient[2] += rz - rise * g[n + 2];
}

/**
 * Moves what passes through each other on, out of it. Nothing is thrown: places alone are moved; and what constraints answer to that, which
 * is speed, is taken off, a share of what the edge moves against the triangle in each substep.
 */
export function pullCrossings({ crossings, crossingFloats: f, progress, crowd }: TouchArrays): void {
    const { places: x, velocities: v, numbers } = crowd;
    const pushShare = numbers[CrowdNumber.pushShare];
    for (let o = 0, end = progress[TouchProgress.crossingCount] * Crossing.count; o < end; o += Crossing.count) {
        let sum = 0;
        let largest = 0;
        for (let k = 0; k < 5; k++) {
            const w = f[o + Crossing.weights + k];
            const m = w * x[(crossings[o + k] >> 2) + 3];
            sum += w * m;
            largest = Math.max(largest, Math.abs(m));
        }
        if (!(largest > 0)) continue;
        sum = Math.max(sum, LEVER * largest);
        for (let c = 0; c < 3; c++) {
            let speed = 0;
            for (let k = 0; k < 5; k++) speed += f[o + Crossing.weights + k] * v[(crossings[o + k] >> 2) + c];
            const taken = STUCK * speed;
            const pulled = pushShare * f[o + Crossing.displacement + c];
            for (let k = 0; k < 5; k++) {
                const row = crossings[o + k] >> 2;
                const share = (f[o + Crossing.weights + k] * x[row + 3]) / sum;
                x[row + c] += share * pulled;
                v[row + c] -= share * taken;
            }
        }
    }
}
