/**
 * What a drop costs and errs that nothing pushes but weight and still air: by the steps of FreeParticles, and by segments (test/physics/flight.ts).
 *
 *     node --import ./.ci/ts.mjs test/bench/segments.ts
 */
import { FreeParticles, defaultParticles, World, getKernels } from "../../src/engine/index";
import { advance, errorOfSegments, sampleSegment, pathOf, START } from "../physics/flight";

const G = 9.81;
const LIFE = 2;
const FRAME = 1 / 60;
const DROPS = 2000;
const { radius } = defaultParticles().particles;

const frames = Math.round(LIFE / FRAME);
const exact = pathOf(frames, FRAME);
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

/** Largest error [m] and time a drop and frame [ns] of segments. */
function segments(count: number): [error: number, nanoseconds: number, birth: number] {
    const apart = LIFE / count;
    const knots = Float64Array.from(pathOf(count, apart).flat());
    const place = new Float64Array(2 * DROPS);
    const error = errorOfSegments(count, LIFE, exact);
    const times: number[] = [];
    for (let round = 0; round < 200; round++) {
        const start = performance.now();
        for (let d = 0; d < DROPS; d++) {
            const t = ((d % frames) * FRAME) / apart;
            const i = Math.min(count - 1, Math.floor(t));
            sampleSegment(knots, 4 * i, t - i, apart, place, 2 * d);
        }
        times.push(((performance.now() - start) * 1e6) / DROPS);
    }
    // A path with as many Runge-Kutta steps as it has segments.
    const births: number[] = [];
    for (let round = 0; round < 200; round++) {
        const start = performance.now();
        let state = START;
        for (let i = 0; i < count; i++) state = advance(state, apart);
        births.push((performance.now() - start) * 1e6);
    }
    return [error, median(times), median(births)];
}

/** The same of steps. */
function steps(substepCount: number): [error: number, nanoseconds: number] {
    const settings = { ...defaultParticles(), substepCount };
    settings.gravity.set([0, -G, 0]);
    const drops = new FreeParticles(getKernels(), DROPS, settings, new Float64Array(3));
    for (let d = 0; d < DROPS; d++) {
        drops.particleState.set([START[0], START[1], 0, START[2], START[3], 0]);
        drops.spawn();
    }
    const world = new World();
    const bodies = [drops.body];
    const times: number[] = [];
    let error = 0;
    for (let f = 0; f < frames; f++) {
        const { positions: x } = drops.body.state;
        error = Math.max(error, Math.hypot(x[0] - exact[f][0], x[1] - exact[f][1]));
        const start = performance.now();
        drops.body.clock.frameSeconds = FRAME;
        drops.body.beginFrame();
        world.advance(bodies);
        drops.body.endFrame();
        times.push(((performance.now() - start) * 1e6) / DROPS);
    }
    return [error, median(times)];
}

console.log(`drops of ${radius} m over ${LIFE} s: error [mm], time a drop and frame [ns], of a birth [ns]`);
for (const count of [1, 2, 4, 8, 16]) {
    const [error, time, birth] = segments(count);
    console.log(`${count} segments: ${(1e3 * error).toFixed(3)}, ${time.toFixed(1)}, ${birth.toFixed(0)}`);
}
for (const count of [1, 4]) {
    const [error, time] = steps(count);
    console.log(`steps of 1/60 s, ${count} substeps: ${(1e3 * error).toFixed(3)}, ${time.toFixed(1)}`);
}
