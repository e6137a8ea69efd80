import { describe, expect, test } from "@jest/globals";
import { HeapArena } from "../../reference/heapArena";
import { identity, invert, PinSet } from "../../../src/engine/index";
import { BodyState } from "../../../src/engine/state/state";

const STEPS = { fixedTimeStep: 1 / 60, substepCount: 4 };

/** Three particles on the x axis at 1, 2, 3, moving up by 0.01 a substep; pinned are the last two. */
function setUp(): { state: BodyState; pins: PinSet; carrier: Float64Array } {
    const state = new BodyState(new HeapArena(), 3);
    state.resetTo(Float32Array.of(1, 0, 0, 2, 0, 0, 3, 0, 0));
    for (let i = 0; i < 3; i++) state.previous[4 * i + 1] = -0.01;
    const pins = new PinSet(Uint32Array.of(1, 2));
    const carrier = identity();
    carrier[12] = 10;
    const inverse = identity();
    invert(carrier, inverse);
    pins.attach(state, inverse);
    return { state, pins, carrier };
}

const at = (array: Float32Array, particle: number): number[] => Array.from(array.subarray(4 * particle, 4 * particle + 3));

describe("a set of pins", () => {
    test("grabs the particles where they are", () => {
        const { pins, state } = setUp();
        expect(Array.from(pins.offsets)).toEqual([-8, 0, 0, -7, 0, 0]);
        pins.placeNow(state);
        expect(at(state.positions, 1)).toEqual([2, 0, 0]);
        expect(pins.isMoving).toBe(false);
    });

    test("carries them in a straight line through the frame's steps", () => {
        const { pins, state, carrier } = setUp();
        carrier[13] = 1;
        pins.setTargets(carrier);
        expect(pins.isMoving).toBe(true);
        pins.beginStep(state, { fraction: 0.5 }, STEPS);
        expect(at(state.positions, 1)[1]).toBe(0);
        pins.moveToSubstep(state, 1, 2);
        expect(at(state.positions, 1)[1]).toBeCloseTo(0.25, 6);
        pins.moveToSubstep(state, 1, 1);
        expect(at(state.positions, 1)[1]).toBeCloseTo(0.5, 6);
        pins.beginStep(state, { fraction: 1 }, STEPS);
        pins.moveToSubstep(state, 1, 1);
        expect(at(state.positions, 2)).toEqual([3, 1, 0]);
        expect(at(state.positions, 0)).toEqual([1, 0, 0]);
    });

    test("turns and scales with the carrier", () => {
        const { pins, state } = setUp();
        // x becomes z, twice as long; the carrier's origin is at (0, 5, 0).
        pins.setTargets(Float64Array.of(0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 5, 0, 1));
        pins.placeNow(state);
        expect(at(state.positions, 1)).toEqual([0, 5, -16]);
        expect(at(state.positions, 2)).toEqual([0, 5, -14]);
    });

    test("placing now keeps the speed, and shows no interpolation", () => {
        const { pins, state, carrier } = setUp();
        carrier[13] = 3;
        pins.setTargets(carrier);
        pins.placeNow(state);
        expect(at(state.positions, 1)).toEqual([2, 3, 0]);
        expect(at(state.stepStart, 1)).toEqual([2, 3, 0]);
        expect(at(state.positions, 1)[1] - at(state.previous, 1)[1]).toBeCloseTo(0.01, 6);
        expect(at(state.previous, 0)[1]).toBeCloseTo(-0.01, 6);
    });

    test("stays where it is in a frame without news", () => {
        const { pins, state, carrier } = setUp();
        carrier[13] = 1;
        pins.setTargets(carrier);
        pins.beginStep(state, { fraction: 1 }, STEPS);
        pins.moveToSubstep(state, 1, 1);
        pins.keepTargets();
        for (const fraction of [0.5, 1]) {
            pins.beginStep(state, { fraction }, STEPS);
            pins.moveToSubstep(state, 1, 1);
            expect(at(state.positions, 1)).toEqual([2, 1, 0]);
        }
        expect(pins.isMoving).toBe(false);
    });

    test("reads places as they are drawn and as they are now, and leaves the state alone", () => {
        const { pins, state, carrier } = setUp();
        carrier[13] = 1;
        pins.setTargets(carrier);
        pins.beginStep(state, { fraction: 1 }, STEPS);
        pins.moveToSubstep(state, 1, 1);
        carrier[13] = 3;
        pins.setTargets(carrier);
        const places = Float64Array.of(0, 0, 0, 0, 0, 0, 0.25);
        pins.readRenderPlaces(1, places);
        expect([...places.subarray(0, 6)]).toEqual([3, 0.25, 0, 3, 3, 0]);
        const copy = state.positions.slice();
        pins.placeForRender(copy);
        expect(at(copy, 1)).toEqual([2, 3, 0]);
        expect(at(copy, 0)).toEqual([1, 0, 0]);
        expect(at(state.positions, 1)).toEqual([2, 1, 0]);
    });

    test("follows the origin", () => {
        const { pins, state, carrier } = setUp();
        carrier[13] = 1;
        pins.setTargets(carrier);
        pins.beginStep(state, { fraction: 1 }, STEPS);
        pins.rebase(1, 2, 3);
        state.rebase(1, 2, 3);
        pins.moveToSubstep(state, 1, 1);
        expect(at(state.positions, 1)).toEqual([1, -1, -3]);
        pins.placeNow(state);
        expect(at(state.positions, 2)).toEqual([2, -1, -3]);
    });
});

test("particles just grabbed are where they are, without motion", () => {
    const state = new BodyState(new HeapArena(), 5);
    const places = Float32Array.from({ length: 15 }, (_, i) => i * i + 1);
    state.resetTo(places);
    const pins = new PinSet(Uint32Array.of(1, 3, 4));
    const away = identity();
    away.set([5, 6, 7], 12);
    for (let time = 0; time < 2; time++) {
        pins.attach(state, identity());
        expect([pins.isMoving, pins.displacement]).toEqual([false, 0]);
        expect([...pins.to]).toEqual([1, 3, 4].flatMap((p) => [...places.subarray(3 * p, 3 * p + 3)]));
        expect([...pins.from]).toEqual([...pins.to]);
        pins.setTargets(away);
        expect(pins.displacement).toBeCloseTo(Math.hypot(5, 6, 7), 5);
    }
});

test("settled particles keep their speed on every axis", () => {
    const state = new BodyState(new HeapArena(), 1);
    state.resetTo(Float32Array.of(1, 2, 3));
    state.previous.set([0.75, 2.5, 3.125]);
    const pins = new PinSet(Uint32Array.of(0));
    pins.attach(state, identity());
    const away = identity();
    away.set([4, -8, 16], 12);
    pins.setTargets(away);
    pins.placeNow(state);
    expect(at(state.positions, 0)).toEqual([5, -6, 19]);
    expect(at(state.stepStart, 0)).toEqual([5, -6, 19]);
    expect(at(state.previous, 0)).toEqual([4.75, -5.5, 19.125]);
});
