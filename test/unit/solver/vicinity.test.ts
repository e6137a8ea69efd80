import { expect, test } from "@jest/globals";
import { IntersectionRecord, SelfContactCounter, BvhBox, BvhTriangle } from "../../../src/kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../src/kernels/selfContactLayout";
import type { CollisionProxy } from "../../../src/engine/collision/self/collisionProxy";
import { IntersectionNeighbourhood } from "../../../src/engine/collision/self/untangling";

const TRIANGLES = 64;
const FIRST = 10;

/** A strip of triangles, each of which has two particles of the one before it, in a tree of boxes over all. */
function makeStrip(): CollisionProxy {
    const triangles = new Uint32Array(TRIANGLES * BvhTriangle.count);
    for (let t = 0; t < TRIANGLES; t++)
        for (let k = 0; k < 3; k++) triangles[t * BvhTriangle.count + BvhTriangle.corners + k] = t + k;
    const boxCount = 2 * TRIANGLES - 1;
    const boxes = new Float32Array(boxCount * BvhBox.count);
    return { first: FIRST, bvh: { triangles, boxes, boxCount, leafCount: TRIANGLES, triangleCount: TRIANGLES } } as never;
}

const isOpen = ({ bvh: web }: CollisionProxy, box: number): boolean => web.boxes[box * BvhBox.count + BvhBox.minimum] === 0;

/** Those whose boxes can be found, from the root on. */
function foundIn(member: CollisionProxy): number[] {
    const found: number[] = [];
    const boxes = [0];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
        if (!isOpen(member, box)) continue;
        if (box >= TRIANGLES - 1) found.push(box - (TRIANGLES - 1));
        else boxes.push(2 * box + 1, 2 * box + 2);
    }
    return found.sort((a, b) => a - b);
}

function crossingAt(...particles: number[]): SelfContactArrays {
    const crossings = new Uint32Array(IntersectionRecord.count);
    crossings.set(particles);
    const progress = new Uint32Array(16);
    progress[SelfContactCounter.intersectionCount] = particles.length > 0 ? 1 : 0;
    return { intersections: crossings, progress } as never;
}

test("is what is six triangles from a crossing over the mesh, and a search of it is a search of little", () => {
    const strip = makeStrip();
    const vicinity = new IntersectionNeighbourhood(FIRST + TRIANGLES + 2);
    // An edge of triangle 30 through something else, which is not of this member.
    vicinity.centreOn(crossingAt(FIRST + 30, FIRST + 31, 0, 1, 2));
    vicinity.restrictSearch(strip);
    // Two particles farther with each ring, and triangles that have one of those.
    const found = foundIn(strip);
    expect(found).toEqual(Array.from({ length: 31 - 30 + 2 * 12 + 3 }, (_, k) => 30 - 12 - 2 + k));
    let open = 0;
    for (let box = 0; box < 2 * TRIANGLES - 1; box++) if (isOpen(strip, box)) open++;
    expect(open).toBeLessThan(2.5 * found.length);
});

test("is nothing where nothing is crossed, whatever was", () => {
    const strip = makeStrip();
    const vicinity = new IntersectionNeighbourhood(FIRST + TRIANGLES + 2);
    vicinity.centreOn(crossingAt(FIRST + 3, FIRST + 4, 0, 1, 2));
    vicinity.centreOn(crossingAt());
    vicinity.restrictSearch(strip);
    expect(foundIn(strip)).toEqual([]);
});
