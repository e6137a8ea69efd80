import { describe, expect, jest, test } from "@jest/globals";
import type { Body, Collider, ColliderShape } from "../../../src/engine/index";
import type { RenderMotion } from "../../../src/engine/state/renderState";
import { grid, gridIndex, lying } from "../../physics/meshes";
import { addCollider, makeCloth, pose, runFrame } from "../../physics/support";

const N = 20;
/** A picture that is moved up, between the start (0) and the end (1) of the last step. */
const moved = (y: number, alpha: number): RenderMotion => ({ map: pose([0, y, 0]), isMoving: y !== 0, alpha });
const STILL = moved(0, 1);
const STILL_BETWEEN = moved(0, 0.5);
const RADIUS = 0.2;

/** A sheet at rest in the plane y = 0 without gravity. */
const sheet = (): Body =>
    makeCloth(grid(N, N, lying()), { fabric: { thickness: 0.01, friction: 0.3 }, gravity: [0, 0, 0], pinned: [0] });

function add(cloth: Body, shape: ColliderShape, at: Float64Array): Collider {
    const collider = addCollider(cloth, shape, at, { hasGhost: true });
    // Two steps: it has been seen, and stands.
    runFrame(cloth, 1 / 60);
    runFrame(cloth, 1 / 60);
    return collider;
}

const ball = (x: number, y: number, z: number): Float64Array => pose([x, y, z], [RADIUS, RADIUS, RADIUS]);
const state = ({ state: s }: Body): Float32Array[] =>
    [s.positions, s.previous, s.residuals, s.stepStart].map((array) => array.slice());
const pictureOf = (cloth: Body, particle: number): Float32Array =>
    cloth.renderer.contacts!.positions.slice(4 * particle, 4 * particle + 3);

/** Has the picture catch up with the present, whether it must or not. */
function catchUp(cloth: Body, motion: RenderMotion): void {
    cloth.renderer.contacts!.needsUpdate(cloth, motion);
    cloth.renderer.contacts!.copy(motion);
    cloth.renderer.contacts!.resolve(cloth, motion);
}

describe("what is drawn goes with the colliders", () => {
    test("there is no picture without colliders", () => {
        expect(sheet().renderer.contacts).toBeNull();
    });

    test("nothing to do where nothing moves, or nothing near, or nothing that is seen", () => {
        const cloth = sheet();
        const near = add(cloth, "sphere", ball(0, 0.22, 0));
        const far = add(cloth, "sphere", ball(0, 9, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, STILL_BETWEEN)).toBe(false);
        far.setPose(ball(0, 8, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, STILL_BETWEEN)).toBe(false);
        near.setPose(ball(1e-7, 0.22, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, STILL_BETWEEN)).toBe(false);
        near.setPose(ball(0, 0.2, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, STILL_BETWEEN)).toBe(true);
    });

    test("what stands counts where the picture is moved along", () => {
        const cloth = sheet();
        add(cloth, "sphere", ball(0, 0.22, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, moved(0.1, 0.5))).toBe(true);
        expect(cloth.renderer.contacts!.needsUpdate(cloth, moved(-0.1, 0.5))).toBe(false);
        catchUp(cloth, moved(0.1, 0.5));
        const middle = pictureOf(cloth, gridIndex(N, N / 2, N / 2));
        expect(middle[1]).toBeCloseTo(0.01, 5);
        expect(pictureOf(cloth, N)[1]).toBeCloseTo(0.1, 6);
    });

    test.each([0.02, 0.1, 0.16, 0.35])("a ball that comes %d m nearer pushes ahead, and leaves what it does not meet", (way) => {
        const cloth = sheet();
        const collider = add(cloth, "sphere", ball(0, 0.215, 0));
        const before = state(cloth);
        collider.setPose(ball(0, 0.215 - way, 0));
        expect(cloth.renderer.contacts!.needsUpdate(cloth, STILL)).toBe(true);
        catchUp(cloth, STILL);
        expect(state(cloth)).toEqual(before);
        const middle = pictureOf(cloth, gridIndex(N, N / 2, N / 2));
        expect(middle[1]).toBeCloseTo(0.215 - way - RADIUS - 0.01, 4);
        for (let i = 0; i < cloth.state.particleCount; i++) {
            const [x, y, z] = pictureOf(cloth, i);
            expect(Math.hypot(x, y - 0.215 + way, z)).toBeGreaterThan(RADIUS + 0.01 - 1e-5);
            if (Math.hypot(cloth.state.positions[4 * i], cloth.state.positions[4 * i + 2]) > RADIUS + 0.02) {
                expect([x, y, z]).toEqual([...cloth.state.positions.slice(4 * i, 4 * i + 3)]);
            }
        }
    });

    test("a ball keeps its margin and its friction, as they are now", () => {
        const cloth = sheet();
        const collider = add(cloth, "sphere", ball(0, 0.3, 0));
        collider.settings.margin = 0.03;
        collider.setPose(ball(0, 0.2, 0));
        const middle = gridIndex(N, N / 2, N / 2);
        catchUp(cloth, STILL);
        expect(pictureOf(cloth, middle)[1]).toBeCloseTo(0.2 - RADIUS - 0.01 - 0.03, 4);
        // Turned about the vertical, it takes along what it touches only by friction.
        const turn = (friction: number): number => {
            collider.settings.friction = friction;
            collider.setPose(pose([0, 0.2, 0], [RADIUS, RADIUS, RADIUS], 0.2, "y"));
            catchUp(cloth, STILL);
            return Math.abs(pictureOf(cloth, middle + 1)[2]);
        };
        expect(turn(0)).toBeLessThan(0.2 * turn(2));
    });

    test("a ball alone meets the cloth once a slice, and twice in the last", () => {
        const cloth = sheet();
        const collider = add(cloth, "sphere", ball(0, 0.215, 0));
        const find = jest.spyOn(collider.renderCopy!, "detect");
        for (const [way, count] of [
            [0.01, 2],
            [0.16, 0],
        ]) {
            find.mockClear();
            collider.setPose(ball(0, 0.215 - way, 0));
            cloth.renderer.contacts!.needsUpdate(cloth, STILL);
            const moves = jest.spyOn(collider.renderCopy!, "moveTo");
            cloth.renderer.contacts!.copy(STILL);
            cloth.renderer.contacts!.resolve(cloth, STILL);
            const slices = moves.mock.calls.length;
            moves.mockRestore();
            expect(find).toHaveBeenCalledTimes(slices + 1);
            if (count > 0) expect(slices + 1).toBe(count);
            else expect(slices).toBeGreaterThan(1);
        }
    });

    test("a ball that goes away takes nothing along", () => {
        const cloth = sheet();
        const collider = add(cloth, "sphere", ball(0, 0.215, 0));
        collider.setPose(ball(0, 0.4, 0));
        catchUp(cloth, STILL);
        expect(cloth.renderer.contacts!.positions).toEqual(cloth.state.positions);
    });

    test("pinned particles stay", () => {
        const cloth = sheet();
        const [x, , z] = cloth.state.positions;
        const collider = add(cloth, "sphere", ball(x, 0.25, z));
        collider.setPose(ball(x, 0.1, z));
        catchUp(cloth, STILL);
        expect([...pictureOf(cloth, 0)]).toEqual([x, 0, z]);
        expect(pictureOf(cloth, 1)[1]).toBeLessThan(-0.01);
    });

    test.each(["plane", "halfSpace"] as const)("a %s takes along what is on its side, and only that", (shape) => {
        for (const way of [0.2, -0.2]) {
            const cloth = sheet();
            // Facing up, below the sheet.
            const flat = (y: number): Float64Array => pose([0, y, 0], [2, 2, 1], -Math.PI / 2, "x");
            const collider = add(cloth, shape, flat(-0.01));
            collider.setPose(flat(-0.01 + way));
            catchUp(cloth, STILL);
            expect(pictureOf(cloth, gridIndex(N, N / 2, N / 2))[1]).toBeCloseTo(way > 0 ? 0.2 : 0, 5);
        }
    });

    test("between two balls that close on each other it is in neither", () => {
        const cloth = sheet();
        const left = add(cloth, "sphere", ball(-0.15, 0.25, 0));
        const right = add(cloth, "sphere", ball(0.15, 0.25, 0));
        left.setPose(ball(-0.15, 0.1, 0));
        right.setPose(ball(0.12, 0.1, 0));
        catchUp(cloth, STILL);
        for (let i = 1; i < cloth.state.particleCount; i++) {
            const [x, y, z] = pictureOf(cloth, i);
            expect(Math.min(Math.hypot(x + 0.15, y - 0.1, z), Math.hypot(x - 0.12, y - 0.1, z))).toBeGreaterThan(RADIUS + 0.009);
        }
    });

    test("its memory is the cloth's, and goes with it", () => {
        const { arena } = sheet().kernels;
        const used = (): number => (arena as unknown as { usedBytes?: number }).usedBytes ?? 0;
        const before = used();
        const cloth = sheet();
        const alone = cloth.byteLength;
        add(cloth, "sphere", ball(0, 1, 0));
        expect(cloth.byteLength - alone).toBe(cloth.renderer.contacts!.byteLength + cloth.contacts!.byteLength);
        expect(cloth.renderer.contacts!.byteLength).toBeLessThan(cloth.state.paddedCount * 48.5 + 512);
        cloth.release();
        expect(used()).toBe(before);
    });
});
