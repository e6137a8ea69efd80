/**
 * Two ways to move a drop that nothing pushes but weight and still air, in error and cost: the steps of FreeParticles, and IlliCloth's alternative (Witt 2003), a path
 * that is computed once at birth, as cubic Hermite segments between knots, and looked up in each frame.
 *
 *     node --import ./.ci/ts.mjs test/bench/segments.ts
 */
import { FreeParticles } from "../../src/solver/particles/freeParticles";
import { AIR_DENSITY } from "../../src/solver/particles/ballAir";
import { defaultParticles } from "../../src/solver/particles/particleMaterial";
import { getKernels } from "../../src/kernels/backend";
import { World } from "../../src/solver/world";

const G = 9.81;
const LIFE = 2;
const FRAME = 1 / 60;
const DROPS = 2000;
const { mass, radius, drag } = defaultParticles().particles;
const K = (0.5 * AIR_DENSITY * drag * Math.PI * radius * radius) / mass;

/** A drop's state: x y, speeds x y. */
type State = [number, number, number, number];
const START: State = [0, 0, 3, 4];

function slope([, , vx, vy]: State): State {
    const speed = Math.hypot(vx, vy);
    return [vx, vy, -K * speed * vx, -G - K * speed * vy];
}

/** One step of the classical Runge-Kutta method. */
function advance(state: State, h: number): State {
    const add = (a: State, k: State, share: number): State => a.map((x, c) => x + share * k[c]) as State;
    const k1 = slope(state);
    const k2 = slope(add(state, k1, h / 2));
    const k3 = slope(add(state, k2, h / 2));
    const k4 = slope(add(state, k3, h));
    return state.map((x, c) => x + (h / 6) * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c])) as State;
}

/** States at even times, from fine steps. */
function pathOf(count: number, apart: number): State[] {
    const fine = 64;
    const path: State[] = [START];
    for (let i = 1; i <= count; i++) {
        let state = path[i - 1];
        for (let s = 0; s < fine; s++) state = advance(state, apart / fine);
        path.push(state);
    }
    return path;
}

/** Writes the place at a share of the segment from knot `o`; knots are rows of places and speeds, `apart` [s]. */
function lookUp(knots: Float64Array, o: number, share: number, apart: number, target: Float64Array, at: number): void {
    const s2 = share * share;
    const s3 = s2 * share;
    const [h00, h10, h01, h11] = [2 * s3 - 3 * s2 + 1, s3 - 2 * s2 + share, 3 * s2 - 2 * s3, s3 - s2];
    for (let c = 0; c < 2; c++) {
        target[at + c] =
            h00 * knots[o + c] + h10 * apart * knots[o + 2 + c] + h01 * knots[o + 4 + c] + h11 * apart * knots[o + 6 + c];
    }
}

const frames = Math.round(LIFE / FRAME);
const exact = pathOf(frames, FRAME);
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

/** Largest error [m] and time a drop and frame [ns] of segments. */
function segments(count: number): [error: number, nanoseconds: number, birth: number] {
    const apart = LIFE / count;
    const knots = Float64Array.from(pathOf(count, apart).flat());
    const place = new Float64Array(2 * DROPS);
    let error = 0;
    for (let f = 0; f < frames; f++) {
        const t = (f * FRAME) / apart;
        const i = Math.min(count - 1, Math.floor(t));
        lookUp(knots, 4 * i, t - i, apart, place, 0);
        error = Math.max(error, Math.hypot(place[0] - exact[f][0], place[1] - exact[f][1]));
    }
    const times: number[] = [];
    for (let round = 0; round < 200; round++) {
        const start = performance.now();
        for (let d = 0; d < DROPS; d++) {
            const t = ((d % frames) * FRAME) / apart;
            const i = Math.min(count - 1, Math.floor(t));
            lookUp(knots, 4 * i, t - i, apart, place, 2 * d);
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
    const drops = new FreeParticles(getKernels("wasm", console.warn), DROPS, settings, new Float64Array(3));
    for (let d = 0; d < DROPS; d++) {
        drops.numbers.set([START[0], START[1], 0, START[2], START[3], 0]);
        drops.bear();
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
        drops.body.begin();
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
