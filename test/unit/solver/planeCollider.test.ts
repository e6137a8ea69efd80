import { describe, expect, test } from "@jest/globals";
import { Contact, PlaneData } from "../../../src/kernels/contactLayout";
import { HalfSpaceCollider } from "../../../src/engine/collision/shapes/halfSpace";
import { QuadCollider } from "../../../src/engine/collision/shapes/quad";
import { WorldCollider } from "../../../src/engine/index";
import { NO_LIMIT } from "../../../src/engine/collision/shapes/jumpDetector";
import { grid, lying } from "../../physics/meshes";
import { kernelsOf, makeCloth, PLAIN, pose } from "../../physics/support";

const AXES = [
    [0, "x"],
    [0.7, "x"],
    [2, "y"],
    [-1.2, "z"],
    [Math.PI / 2, "y"],
] as const;

/** What the kernel reads of a plane at a pose. */
function dataOf(at: Float64Array, isHalfSpace = false): Float32Array {
    const { arena } = kernelsOf();
    const collider = isHalfSpace ? new HalfSpaceCollider(arena) : new QuadCollider(arena, 4);
    collider.setPose(at);
    collider.beginStep({ fraction: 1 });
    collider.moveTo(1, 1, PLAIN);
    return collider.data;
}

/** Rows of a pose of half sides 2 and 0.5, turned about two axes. */
function turned(angle: number, axis: "x" | "y" | "z"): Float64Array {
    const m = pose([5, -6, 7], [1, 1, 1], angle, axis);
    const tilted = pose([0, 0, 0], [2, 0.5, 3], 0.4, "x");
    const rows = Float64Array.from(m);
    for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) rows[4 * r + c] = [0, 1, 2].reduce((sum, k) => sum + tilted[4 * r + k] * m[4 * k + c], 0);
    }
    return rows;
}

describe.each([false, true])("a plane (half-space: %p)", (isHalfSpace) => {
    test.each(AXES)("turned by %d about %s has its front on the side of its third row, however long that is", (angle, axis) => {
        const rows = turned(angle, axis);
        const normal = Array.from(rows.subarray(8, 11), (x) => x / 3);
        for (const scale of [1, 1e-3, 1e4, -1, 0]) {
            const scaled = rows.slice();
            for (let c = 8; c < 11; c++) scaled[c] *= scale;
            const data = dataOf(scaled, isHalfSpace);
            // Without a third row, the side from which the first turns to the second against the clock.
            const side = scale < 0 ? -1 : 1;
            normal.forEach((n, c) => expect(data[PlaneData.normal + c]).toBeCloseTo(side * n, 5));
            expect(data[PlaneData.offset]).toBeCloseTo(side * (5 * normal[0] - 6 * normal[1] + 7 * normal[2]), 4);
        }
    });
});

test.each(AXES)("turned by %d about %s its corners are those of the unit square", (angle, axis) => {
    const rows = turned(angle, axis);
    const data = dataOf(rows);
    for (const [s, t] of [
        [0, 0],
        [1, 1],
        [-1, 1],
        [0.3, -0.7],
    ]) {
        // A way off the plane does not count.
        const point = [0, 1, 2].map((c) => rows[12 + c] + s * rows[c] + t * rows[4 + c] + 0.5 * rows[8 + c]);
        [s, t].forEach((coordinate, c) => {
            const m = data.subarray(PlaneData.toUnit + c);
            expect(point[0] * m[0] + point[1] * m[4] + point[2] * m[8] + m[12]).toBeCloseTo(coordinate, 4);
        });
    }
});

test("a rectangle lets the cloth be while no particle belongs to the side beyond", () => {
    const { state } = makeCloth(grid(1, 1, lying(1, 1, 0.5)));
    const kernels = kernelsOf();
    const rectangle = new QuadCollider(kernels.arena, 4);
    // Facing up, at y = 0.
    rectangle.setPose(pose([0, 0, 0], [2, 2, 1], -Math.PI / 2, "x"));
    rectangle.beginStep({ fraction: 1 });
    rectangle.moveTo(1, 1, PLAIN);
    const box = (low: number, high: number): Float32Array => Float32Array.of(-0.5, low, -0.5, 0, 0.5, high, 0.5, 0);
    const touches = (): boolean[] => [
        rectangle.mayTouch(box(0.2, 0.6)),
        rectangle.mayTouch(box(-0.6, -0.2)),
        rectangle.mayTouch(box(-0.1, 0.1)),
    ];
    expect(touches()).toEqual([false, false, true]);
    // Seen above, all of it belongs there: below it is wrong.
    rectangle.prepareContacts(kernels, state);
    expect(touches()).toEqual([false, true, true]);
    rectangle.forgetParticles();
    expect(touches()).toEqual([false, false, true]);
    for (let i = 0; i < 4; i++) state.positions[4 * i + 1] = state.previous[4 * i + 1] = -0.5;
    rectangle.prepareContacts(kernels, state);
    expect(touches()).toEqual([true, false, true]);
});

test("a half-space turns about its point nearest to the body, after a move of the origin, too", () => {
    const world = new WorldCollider("halfSpace");
    const collider = new HalfSpaceCollider(kernelsOf().arena);
    const origin = Float64Array.of(7, 1, 0);
    const follow = (): void => {
        collider.updatePose(world, origin, NO_LIMIT);
        collider.beginStep({ fraction: 1 });
        collider.moveTo(1, 1, PLAIN);
    };
    /** Motion of the material under the body: nothing along the plane. */
    const expectMotion = (y: number): void => {
        const motion = collider.data.subarray(Contact.motion + 12, Contact.motion + 15);
        [0, y, 0].forEach((m, c) => expect(Math.abs(motion[c] - m)).toBeLessThan(1e-5));
    };
    world.setPose(pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    follow();
    expectMotion(0);
    origin[0] += 300;
    collider.rebase(300, 0, 0);
    world.setPose(pose([0, 0.01, 0], [1, 1, 1], -Math.PI / 2, "x"));
    follow();
    expectMotion(0.01);
});

test("in the picture, a half-space moves along itself as the picture does", () => {
    const { arena } = kernelsOf();
    const world = new WorldCollider("halfSpace");
    const collider = new HalfSpaceCollider(arena);
    const ghost = (collider.renderCopy = new HalfSpaceCollider(arena));
    world.setPose(pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    collider.updatePose(world, new Float64Array(3), NO_LIMIT);
    collider.beginStep({ fraction: 1 });
    collider.placeRenderCopy({ map: pose([0.1, 0, 0]), isMoving: true, alpha: 1 });
    ghost.moveTo(1, 1, PLAIN);
    expect(ghost.data[Contact.motion + 12]).toBeCloseTo(-0.1, 6);
});
