import { CrowdNumber } from "../crowdLayout";
import { TouchNumber, TouchProgress, WebBox, WebFace, WebTriangle } from "../touchLayout";
import type { TouchArrays, WebArrays } from "../touchLayout";
import { addCrossings } from "./crossings";
import { meetEdges, meetParticle } from "./nearest";

/** Squared share of the distance at rest between parts of one cloth at which they have hardly come nearer ... */
const UNBENT = 0.9;
/** ... and square of what unit normals of it differ by where it is not folded: by 30°. */
const UNFOLDED = 0.27;

/**
 * Lists touches and crossings between two webs, or within one, by their trees:
 *
 *     ●          particle over a triangle       ╲ ╱     two edges, one above the other
 *     ┊ n        C = n · (x - Σ w x)             ╳      C = n · (points nearest to each other)
 *     ▲                                         ╱ ╲
 *
 * Each pair of a particle and a triangle, and of two edges, is looked at once: by the triangles that own them (Curtis et al. 2008,
 * "Fast collision detection for deformable models using representative-triangles"). Where there is no room for touches, crossings alone.
 */
export function findTouches(touches: TouchArrays, a: WebArrays, b: WebArrays): void {
    const { stack, progress, numbers, crowd } = touches;
    const isAllListed = crowd.numbers[CrowdNumber.listed] > 0;
    const reach = numbers[TouchNumber.reach];
    const leavesA = a.boxCount - a.leafCount;
    const leavesB = b.boxCount - b.leafCount;
    let budget = progress[TouchProgress.mostBoxes];
    let top = push(stack, 0, 0, 0);
    while (top > 0 && progress[TouchProgress.isFull] === 0) {
        top -= 2;
        const i = stack[top];
        const j = stack[top + 1];
        const isOne = a === b && i === j;
        if (!isOne && areApart(a, i * WebBox.count, b, j * WebBox.count, reach)) continue;
        if (budget-- === 0) progress[TouchProgress.isFull] = 1;
        const isLeafA = i >= leavesA;
        const isLeafB = j >= leavesB;
        // Between parts that are large, cloth may go back and forth unseen.
        if (!isAllListed && a === b && (isOne || (isLeafA && isLeafB)) && isUnbent(a, i, j)) continue;
        if (isLeafA && isLeafB) {
            if (!isOne) meetTriangles(touches, a, i - leavesA, b, j - leavesB);
        } else if (isOne) {
            top = push(stack, top, 2 * i + 1, 2 * i + 1);
            top = push(stack, top, 2 * i + 1, 2 * i + 2);
            top = push(stack, top, 2 * i + 2, 2 * i + 2);
        } else if (isLeafB || (!isLeafA && sizeOf(a, i * WebBox.count) >= sizeOf(b, j * WebBox.count))) {
            top = push(stack, top, 2 * i + 1, j);
            top = push(stack, top, 2 * i + 2, j);
        } else {
            top = push(stack, top, i, 2 * j + 1);
            top = push(stack, top, i, 2 * j + 2);
        }
    }
}

function push(stack: Uint32Array, top: number, i: number, j: number): number {
    stack[top] = i;
    stack[top + 1] = j;
    return top + 2;
}

function areApart({ boxes: a }: WebArrays, i: number, { boxes: b }: WebArrays, j: number, reach: number): boolean {
    for (let c = 0; c < 3; c++) {
        // Boxes over nothing, and what is no number, are apart from all.
        if (!(a[i + WebBox.minimum + c] <= b[j + WebBox.maximum + c] + reach)) return true;
        if (!(b[j + WebBox.minimum + c] <= a[i + WebBox.maximum + c] + reach)) return true;
    }
    return false;
}

function sizeOf({ boxes }: WebArrays, i: number): number {
    let size = 0;
    for (let c = 0; c < 3; c++) size += boxes[i + WebBox.maximum + c] - boxes[i + WebBox.minimum + c];
    return size;
}

/** Heights of the corners of two triangles over each other's planes [m]. */
const over = new Float64Array(6);

function meetTriangles(touches: TouchArrays, a: WebArrays, s: number, b: WebArrays, t: number): void {
    const { numbers } = touches;
    const approach = measureApproach(a, s, b, t);
    const reach = numbers[TouchNumber.reach] + approach;
    const isAcross = measureHeights(over, 0, b, t, a, s, reach);
    if (isAcross === APART) return;
    const isAcrossToo = measureHeights(over, 3, a, s, b, t, reach);
    if (isAcrossToo === APART) return;
    if (isAcross + isAcrossToo === 2 * ACROSS && addCrossings(touches, a, s, b, t, over)) return;
    if (touches.capacity === 0) return;
    const ownedS = a.triangles[s * WebTriangle.count + WebTriangle.owned];
    const ownedT = b.triangles[t * WebTriangle.count + WebTriangle.owned];
    for (let k = 0; k < 3; k++) {
        if ((ownedS >> k) & 1 && Math.abs(over[k]) < reach) meetParticle(touches, a, s, k, b, t, over[k], approach);
        if ((ownedT >> k) & 1 && Math.abs(over[3 + k]) < reach) meetParticle(touches, b, t, k, a, s, over[3 + k], approach);
    }
    for (let k = 0; k < 3; k++) {
        if (!((ownedS >> (3 + k)) & 1)) continue;
        for (let l = 0; l < 3; l++) if ((ownedT >> (3 + l)) & 1) meetEdges(touches, a, s, k, b, t, l, approach);
    }
}

/** How far two triangles may come against each other in the present substep [m]. */
function measureApproach({ faces: f }: WebArrays, s: number, { faces: g }: WebArrays, t: number): number {
    const i = s * WebFace.count + WebFace.displacement;
    const j = t * WebFace.count + WebFace.displacement;
    const approach = Math.sqrt((f[i] - g[j]) ** 2 + (f[i + 1] - g[j + 1]) ** 2 + (f[i + 2] - g[j + 2]) ** 2);
    return approach + f[i + 3] + g[j + 3];
}

/**
 * Whether what is in two boxes of a cloth cannot touch: nothing of it is folded, nor have the boxes come nearer to each other than at rest
 * (after Volino and Magnenat-Thalmann 1994, "Efficient self-collision detection on smoothly discretized surface animations").
 */
function isUnbent({ boxes, hasLayers }: WebArrays, i: number, j: number): boolean {
    if (hasLayers > 0) return false;
    const p = i * WebBox.count;
    const q = j * WebBox.count;
    let spread = 0;
    let squared = 0;
    let restSquared = 0;
    for (let c = 0; c < 3; c++) {
        const least = Math.min(boxes[p + WebBox.leastNormal + c], boxes[q + WebBox.leastNormal + c]);
        const most = Math.max(boxes[p + WebBox.mostNormal + c], boxes[q + WebBox.mostNormal + c]);
        const d = boxes[p + WebBox.centre + c] - boxes[q + WebBox.centre + c];
        const r = boxes[p + WebBox.restCentre + c] - boxes[q + WebBox.restCentre + c];
        spread += (most - least) * (most - least);
        squared += d * d;
        restSquared += r * r;
    }
    return spread <= UNFOLDED && squared >= UNBENT * restSquared;
}

/** What triangles are to a plane: farther from it than the reach, on one side, or on both. */
const APART = 0;
const ASIDE = 1;
const ACROSS = 2;

/** Heights of the corners of a triangle over the plane of another. */
function measureHeights(
    heights: Float64Array,
    at: number,
    { faces: g }: WebArrays,
    t: number,
    { faces: f }: WebArrays,
    s: number,
    reach: number,
): number {
    const plane = t * WebFace.count;
    let least = Infinity;
    let most = -Infinity;
    for (let k = 0; k < 3; k++) {
        const o = s * WebFace.count + WebFace.corners + 4 * k;
        const height = g[plane] * f[o] + g[plane + 1] * f[o + 1] + g[plane + 2] * f[o + 2] - g[plane + WebFace.offset];
        heights[at + k] = height;
        if (height < least) least = height;
        if (height > most) most = height;
    }
    if (!(least < reach && most > -reach)) return APART;
    return least < 0 && most >= 0 ? ACROSS : ASIDE;
}
