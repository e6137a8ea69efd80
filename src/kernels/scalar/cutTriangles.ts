/**
 * Triangles whose corners are on two sides of a box: its rim has cut them, and no direction from its core leads out.
 *
 *     a ●  door        a squeezed corner b stays. One that is in front of the box, as told by what b is squeezed against, goes aside, until
 *     ══╲══════┐       the triangle can go round the rim.
 *        ╲     │ →     Where none is squeezed, the triangle's point goes out over the nearest face that it does not span.
 *     ━━━━●b━━━━━ wall
 */
import { Contact, SolidData } from "../contactLayout";
import type { TriangleContactArrays } from "../contactLayout";
import { supportSlot } from "./contacts";
import type { Point } from "./triangleCandidates";

/** What is cut comes out by no more than this in an answer [m]: it is held on both sides, and tears where it is pulled at once. */
export const OUT = 3e-3;

/** A point of a triangle, as shares, too, and by how much it is to move along a unit normal, in the solid's frame. */
export interface Push {
    readonly q: Point;
    readonly shares: Point;
    readonly n: Point;
    readonly depth: number;
}

/** Whether a solid squeezes any of a triangle's corners. */
export function isAnySqueezed({ contacts }: TriangleContactArrays, solid: Float32Array, particles: readonly number[]): boolean {
    return contacts.areSqueezed[0] > 0 && particles.some((i) => contacts.squeezers[i] === solid[Contact.name]);
}

/** How far a box reaches along an axis of its frame, however deep the core that is looked at. */
const sizeOf = (solid: Float32Array, axis: number): number => solid[SolidData.core + axis] + solid[SolidData.rim];

/** What pushes the corners of a triangle aside that are in front of a box which squeezes another one; null: none. */
export function findAside(
    { contacts, heldBy }: TriangleContactArrays,
    solid: Float32Array,
    particles: readonly number[],
    corners: readonly Point[],
): Push | null {
    const held = particles.findIndex((i) => contacts.squeezers[i] === solid[Contact.name]);
    const s = supportSlot(4 * particles[held]);
    const m = SolidData.toFrame;
    const facing = [0, 1, 2].map(
        (c) => solid[m + c] * heldBy[s] + solid[m + 4 + c] * heldBy[s + 4] + solid[m + 8 + c] * heldBy[s + 8],
    );
    const most = Math.max(...facing.map(Math.abs));
    if (!(most > 0)) return null;
    const across = facing.findIndex((f) => Math.abs(f) === most);
    const isInFront = (k: number): boolean =>
        contacts.squeezers[particles[k]] !== solid[Contact.name] &&
        (facing[across] < 0 ? -corners[k][across] : corners[k][across]) > sizeOf(solid, across);
    let push: Push | null = null;
    for (let axis = 0; axis < 3; axis++) {
        for (let sign = 1; sign >= -1 && axis !== across; sign -= 2) {
            const end = sizeOf(solid, axis) + solid[Contact.thickness];
            let depth = -Infinity;
            let farthest = 0;
            for (let k = 0; k < 3; k++) {
                const left = end - sign * corners[k][axis];
                if (left > depth && isInFront(k)) [depth, farthest] = [left, k];
            }
            if (depth === -Infinity) return null;
            if (push && depth >= push.depth) continue;
            push = { q: corners[farthest], shares: unit(farthest, 1), n: unit(axis, sign), depth };
        }
    }
    return push && { ...push, depth: Math.min(push.depth, OUT) };
}

/** The push over the nearest face of a box that brings a point q of a triangle out which is deep in its core; null: it spans the box every way. */
export function findOut(solid: Float32Array, q: Point, shares: Point, [a, b, c]: readonly Point[]): Push | null {
    let least = Infinity;
    let n: Point | null = null;
    for (let axis = 0; axis < 3; axis++) {
        const size = sizeOf(solid, axis);
        const low = Math.min(a[axis], b[axis], c[axis]);
        const high = Math.max(a[axis], b[axis], c[axis]);
        // Corners beyond both of its faces know on which side they are.
        if (low < -size && high > size) continue;
        if (size - low < least) [least, n] = [size - low, unit(axis, 1)];
        if (size + high < least) [least, n] = [size + high, unit(axis, -1)];
    }
    return n && { q, shares, n, depth: OUT };
}

function unit(axis: number, length: number): Point {
    const n: Point = [0, 0, 0];
    n[axis] = length;
    return n;
}
