/**
 * A drop that nothing pushes but weight and still air, and IlliCloth's alternative to stepping it (Witt 2003): a path that is computed once at birth, as cubic
 * Hermite segments between knots, and looked up in each frame.
 */
import { defaultParticles } from "../../src/engine/index";
import { AIR_DENSITY } from "../../src/engine/forces/stillAir";

const G = 9.81;
const { mass, radius, drag } = defaultParticles().particles;
const K = (0.5 * AIR_DENSITY * drag * Math.PI * radius * radius) / mass;

/** A drop's state: x y [m], speeds x y [m/s]. */
export type State = [number, number, number, number];
/** At birth. */
export const START: State = [0, 0, 3, 4];

function slope([, , vx, vy]: State): State {
    const speed = Math.hypot(vx, vy);
    return [vx, vy, -K * speed * vx, -G - K * speed * vy];
}

/** One step of the classical Runge-Kutta method. */
export function advance(state: State, h: number): State {
    const add = (a: State, k: State, share: number): State => a.map((x, c) => x + share * k[c]) as State;
    const k1 = slope(state);
    const k2 = slope(add(state, k1, h / 2));
    const k3 = slope(add(state, k2, h / 2));
    const k4 = slope(add(state, k3, h));
    return state.map((x, c) => x + (h / 6) * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c])) as State;
}

/** States at even times, from fine steps. */
export function pathOf(count: number, apart: number): State[] {
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
export function sampleSegment(
    knots: Float64Array,
    o: number,
    share: number,
    apart: number,
    target: Float64Array,
    at: number,
): void {
    const s2 = share * share;
    const s3 = s2 * share;
    const [h00, h10, h01, h11] = [2 * s3 - 3 * s2 + 1, s3 - 2 * s2 + share, 3 * s2 - 2 * s3, s3 - s2];
    for (let c = 0; c < 2; c++) {
        target[at + c] =
            h00 * knots[o + c] + h10 * apart * knots[o + 2 + c] + h01 * knots[o + 4 + c] + h11 * apart * knots[o + 6 + c];
    }
}

/** Largest error of a path of so many segments, looked up at the moments of an exact one [m]. @param life of the drop [s] */
export function errorOfSegments(count: number, life: number, exact: readonly State[]): number {
    const apart = life / count;
    const knots = Float64Array.from(pathOf(count, apart).flat());
    const place = new Float64Array(2);
    let error = 0;
    exact.forEach(([x, y], f) => {
        const t = (f * count) / (exact.length - 1);
        const i = Math.min(count - 1, Math.floor(t));
        sampleSegment(knots, 4 * i, t - i, apart, place, 0);
        error = Math.max(error, Math.hypot(place[0] - x, place[1] - y));
    });
    return error;
}
