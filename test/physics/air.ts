import { windKernels } from "../../src/kernels/modules/wind.generated";
import { Uniform } from "../../src/kernels/layout";
import { Fabrics } from "../../src/engine/index";
import type { Body, Fabric, WindField, Vector } from "../../src/engine/index";
import { grid, gridIndex } from "./meshes";
import { at, G, makeCloth, measure, runSteps, setVelocity, stretchOf } from "./support";

/** Coefficients of air: those of `Wind` where they are left out. */
export interface AirNumbers {
    airDensity?: number;
    drag?: number;
    skinFriction?: number;
}

/** An even wind [m/s]. */
export function evenWind(velocity: Vector, { airDensity = 1.2, drag = 1.2, skinFriction = 0.02 }: AirNumbers = {}): WindField {
    return {
        zone: null,
        isActive: true,
        sample(_clock, uniforms) {
            uniforms.fill(0, Uniform.windVelocity, Uniform.gustPhase + 1);
            uniforms.set(velocity, Uniform.windVelocity);
            uniforms[Uniform.airDensity] = airDensity;
            uniforms[Uniform.drag] = drag;
            uniforms[Uniform.skinFriction] = skinFriction;
        },
        addToAir: (kernels, particles, air) => kernels.add(windKernels).addWind(particles, air),
    };
}

/** How often a list of numbers crosses its mean. */
function crossings(values: readonly number[]): number {
    const mean = values.reduce((sum, value) => sum + value) / values.length;
    let count = 0;
    for (let i = 1; i < values.length; i++) if (values[i] > mean !== values[i - 1] > mean) count++;
    return count;
}

/** How a plate falls, and how it is computed. */
export interface Fall {
    /** Against the horizontal [rad]. */
    angle: number;
    hertz: number;
    substepCount: number;
    quads: number;
    skinFriction?: number;
    seconds?: number;
    /** The fabric's [1/s]. Default 0. */
    damping?: number;
}

/**
 * A stiff square metre of 0.2 kg/m² falls in still air, held at its angle: turned back in each step, since the air would right it.
 * @returns its speeds across its face and along it, over those of theory: ½ ρ |v| drag v_n = σ g cos α, the same along
 */
export function fallOfPlate({ angle, hertz, substepCount, quads, skinFriction = 0.3, seconds = 8, damping = 0 }: Fall): {
    across: number;
    along: number;
} {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const flat = grid(quads, quads, (u, v) => [(u - 0.5) * cos, (u - 0.5) * sin, v - 0.5], "alternating");
    const drag = 1.2;
    const cloth = makeCloth(flat, {
        fixedTimeStep: 1 / hertz,
        substepCount,
        fabric: { arealDensity: 0.2, shearStiffness: Infinity, bendStiffness: Infinity, damping },
        wind: evenWind([0, 0, 0], { drag, skinFriction }),
    });
    const mean = (): Vector => {
        const { momentum, mass } = measure(cloth);
        return [momentum[0] / mass, momentum[1] / mass, momentum[2] / mass];
    };
    const stepCount = Math.round(seconds * hertz);
    // Over the last quarter: at thirty metres rounding alone pushes it about by half a percent of its speed.
    const sums = [0, 0, 0];
    runSteps(cloth, stepCount, (step) => {
        const { centre } = measure(cloth);
        const v = mean();
        if (step >= 0.75 * stepCount) v.forEach((value, c) => (sums[c] += value));
        for (let i = 0; i < cloth.state.particleCount; i++) {
            for (let c = 0; c < 3; c++) cloth.state.positions[4 * i + c] = flat.positions[3 * i + c] + centre[c];
            setVelocity(cloth, i, v);
        }
    });
    cloth.release();
    const [x, y] = sums.map((sum) => sum / (stepCount - Math.ceil(0.75 * stepCount)));
    const [push, pull] = [(2 * 0.2 * G * cos) / (1.2 * drag), (2 * 0.2 * G * sin) / (1.2 * skinFriction)];
    const speed = Math.sqrt(Math.hypot(push, pull));
    return {
        across: ((y * cos - x * sin) * speed) / -push,
        along: pull > 1e-9 ? ((x * cos + y * sin) * speed) / -pull : 1,
    };
}

/** A flag and its wind. */
export interface Flight {
    /** Of the wind [m/s]. */
    speed: number;
    /** [kg/m²] */
    arealDensity: number;
    /** How long it flies; the last half counts [s]. Default 20. */
    seconds?: number;
    /** Quads along it; two thirds of them across. Default 24. */
    columns?: number;
    substepCount?: number;
    /**
     * Speed of a wind in which it would weigh, resist and be damped as it does; here in proportion, so that it moves alike, faster as the wind is
     * [m/s]. Default: this wind's.
     */
    likeAt?: number;
}

/**
 * A flag of 3 × 2 m, held by one side, in a steady wind 3° off its plane.
 * @returns how far the middle of its trailing edge swings across the wind, peak to peak, as a share of its length, and how often a
 * second; mean and largest stretch
 */
export function flyFlag({ speed, arealDensity, seconds = 20, columns = 24, substepCount = 4, likeAt = speed }: Flight) {
    const faster = speed / likeAt;
    const { nylon } = Fabrics;
    const fabric = {
        ...nylon,
        arealDensity,
        damping: nylon.damping * faster,
        bendStiffness: nylon.bendStiffness * faster ** 2,
        shearStiffness: nylon.shearStiffness * faster ** 2,
    };
    const rows = Math.round((columns * 2) / 3);
    const angle = Math.PI / 60;
    const cloth = makeCloth(
        grid(columns, rows, (u, v) => [3 * u, 2 * (v - 1), 0]),
        {
            fabric,
            gravity: [0, -G * faster ** 2, 0],
            substepCount,
            tetherSlack: 0,
            pinned: Array.from({ length: rows + 1 }, (_, j) => gridIndex(columns, 0, j)),
            wind: evenWind([speed * Math.cos(angle), 0, speed * Math.sin(angle)]),
        },
    );
    const tip = gridIndex(columns, columns, rows >> 1);
    const places: number[] = [];
    let [mean, max] = [0, 0];
    const steps = Math.round(seconds * 60);
    runSteps(cloth, steps, (step) => {
        if (step < steps / 2) return;
        places.push(at(cloth, tip)[2]);
        if (step % 10 > 0) return;
        const stretch = stretchOf(cloth);
        mean = Math.max(mean, stretch.mean);
        max = Math.max(max, stretch.max);
    });
    const [x, y] = at(cloth, tip);
    cloth.release();
    return {
        swing: (Math.max(...places) - Math.min(...places)) / 3,
        frequency: crossings(places) / seconds,
        meanStretch: mean,
        maxStretch: max,
        tip: [x, y],
    };
}

/** A nylon flag of 1.5 × 1 m, held by one side, in a steady wind. */
export interface HungFlag {
    /** Steps a second. Default 60. */
    hertz?: number;
    /** Of the wind, against the flag's plane [°]. Default 3. */
    direction?: number;
    /** Quads along it; two thirds of them across. Default 44. */
    columns?: number;
}

function makeFlag(speed: number, { hertz = 60, direction = 3, columns = 44 }: HungFlag): Body {
    const rows = Math.floor((columns * 2) / 3);
    const angle = (direction * Math.PI) / 180;
    return makeCloth(
        grid(columns, rows, (u, v) => [1.5 * u, v - 1, 0]),
        {
            fabric: { ...Fabrics.nylon },
            fixedTimeStep: 1 / hertz,
            substepCount: 5,
            tetherSlack: 0,
            pinned: Array.from({ length: rows + 1 }, (_, j) => gridIndex(columns, 0, j)),
            wind: evenWind([speed * Math.cos(angle), 0, speed * Math.sin(angle)]),
        },
    );
}

/** @returns squared curvature along its rows in even columns over that in odd ones, over the last of 8 s */
export function creasesOfFlag(speed: number, settings: HungFlag = {}): number {
    const { hertz = 60, columns = 30 } = settings;
    const rows = Math.floor((columns * 2) / 3);
    const cloth = makeFlag(speed, { ...settings, columns });
    const sums = [0, 0];
    runSteps(cloth, 8 * hertz, (step) => {
        if (step < 3 * hertz || step % 4 > 0) return;
        for (let j = 1; j < rows; j++) {
            for (let i = 2; i < columns - 2; i++) {
                const [a, b, c] = [-1, 0, 1].map((k) => at(cloth, gridIndex(columns, i + k, j)));
                for (let k = 0; k < 3; k++) sums[i % 2] += (a[k] - 2 * b[k] + c[k]) ** 2;
            }
        }
    });
    cloth.release();
    return sums[0] / sums[1];
}

/** @returns its mean angle below the horizontal [°], and how often it flaps [Hz], over 20 s */
export function hangFlag(speed: number, { hertz = 60, direction = 3, columns = 44 }: HungFlag = {}) {
    const rows = Math.floor((columns * 2) / 3);
    const cloth = makeFlag(speed, { hertz, direction, columns });
    const tips = Array.from({ length: rows + 1 }, (_, j) => gridIndex(columns, columns, j));
    const aside: number[] = [];
    const seconds = 30;
    let [out, down] = [0, 0];
    runSteps(cloth, seconds * hertz, (step) => {
        if (3 * step < seconds * hertz) return;
        const places = tips.map((tip) => at(cloth, tip));
        const [x, y] = [0, 1].map((c) => places.reduce((sum, place) => sum + place[c], 0) / places.length);
        out += x;
        down -= y + 0.5;
        aside.push(places[rows >> 1][2]);
    });
    cloth.release();
    return { angle: (Math.atan2(down, out) * 180) / Math.PI, frequency: crossings(aside) / 2 / (seconds * (2 / 3)) };
}

/**
 * Means over flags in winds of slightly different directions: in a steady wind one flag hangs for ten seconds or more, then flies, and the mean
 * over one flag's 20 s is a matter of chance.
 */
export function hangFlags(speed: number, count: number, settings: HungFlag = {}) {
    const flags = Array.from({ length: count }, (_, i) => hangFlag(speed, { ...settings, direction: 1 + (4 * i) / count }));
    const mean = (of: (flag: { angle: number; frequency: number }) => number): number =>
        flags.reduce((sum, flag) => sum + of(flag), 0) / count;
    return { angle: mean(({ angle }) => angle), frequency: mean(({ frequency }) => frequency) };
}

/** A square metre of cloth that is let go. */
export interface Drop {
    /** Against the horizontal [°]. */
    angle: number;
    seconds: number;
    fabric?: Partial<Fabric>;
    quads?: number;
    /** Length of a side [m]. Default 1. */
    size?: number;
}

/** @returns top speed of a level sheet of 1.2 m in the first 2 m of its fall over theory's, of quadratic drag */
export function topSpeedOfDrop(fabric: Fabric, hertz: number): number {
    const sheet = grid(24, 24, (u, v) => [1.2 * (u - 0.5), 0, 1.2 * (v - 0.5)], "alternating");
    const cloth = makeCloth(sheet, { fabric, fixedTimeStep: 1 / hertz, wind: evenWind([0, 0, 0]) });
    const height = 2;
    let top = 0;
    runSteps(cloth, 4 * hertz, () => {
        const { momentum, mass, centre } = measure(cloth);
        if (centre[1] > -height) top = Math.max(top, -momentum[1] / mass);
    });
    cloth.release();
    const terminalSquared = (2 * fabric.arealDensity * G) / (1.2 * 1.2);
    return top / Math.sqrt(terminalSquared * (1 - Math.exp((-2 * G * height) / terminalSquared)));
}

/** @returns share of the area that faces one way, how often its motion aside turns, mean speed of fall in the last half [m/s] */
export function dropSheet({ angle, seconds, fabric, quads = 16, size = 1 }: Drop) {
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const sheet = grid(quads, quads, (u, v) => [(u - 0.5) * size * cos, (u - 0.5) * size * sin, (v - 0.5) * size], "alternating");
    const cloth = makeCloth(sheet, {
        fabric: { ...Fabrics.cotton, damping: 0, ...fabric },
        wind: evenWind([0, 0, 0]),
    });
    const steps = Math.round(seconds * 60);
    let aside = 0;
    let sways = 0;
    let before = 0;
    let height = 0;
    runSteps(cloth, steps, (step) => {
        const { momentum, centre } = measure(cloth);
        if (step === steps >> 1) height = centre[1];
        // It speeds up in one direction, then in the other.
        const faster = momentum[0] - before;
        if (step > 6 && faster * aside < 0) sways++;
        before = momentum[0];
        if (faster !== 0) aside = faster;
    });
    const fall = (height - measure(cloth).centre[1]) / ((steps - (steps >> 1)) / 60);
    const flatness = flatnessOf(cloth.state.positions, sheet.triangles);
    const stretch = stretchOf(cloth).max;
    cloth.release();
    return { flatness, sways, fall, stretch };
}

/** Length of the sum of the triangles' area vectors over the sum of their lengths: 1 is flat. */
function flatnessOf(x: Float32Array, triangles: Uint32Array): number {
    let area = 0;
    const sum = [0, 0, 0];
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => 4 * triangles[t + k]);
        const p = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
        const q = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
        const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        area += Math.hypot(...n);
        n.forEach((value, k) => (sum[k] += value));
    }
    return Math.hypot(...sum) / area;
}

/** A sail and its wind. */
export interface Sail {
    speed: number;
    fabric: Fabric;
    seconds: number;
}

/**
 * A triangular sail of 3 × 4 m, its tack, clew and head pinned, a wind at 45° to it.
 * @returns how far its middle is out of the plane, how far that moves in the last second, both as a share of 3 m; largest stretch then
 */
export function fillSail({ speed, fabric, seconds }: Sail) {
    const n = 16;
    const positions: number[] = [];
    const triangles: number[] = [];
    const index = (i: number, j: number): number => (j * (2 * n + 3 - j)) / 2 + i;
    for (let j = 0; j <= n; j++) for (let i = 0; i <= n - j; i++) positions.push((3 * i) / n, (4 * j) / n, 0);
    for (let j = 0; j < n; j++) {
        for (let i = 0; i < n - j; i++) {
            triangles.push(index(i, j), index(i + 1, j), index(i, j + 1));
            if (i < n - j - 1) triangles.push(index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
        }
    }
    const cloth = makeCloth(
        { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
        {
            fabric,
            tetherSlack: 0.03,
            pinned: [index(0, 0), index(n, 0), index(0, n)],
            wind: evenWind([speed * Math.SQRT1_2, 0, speed * Math.SQRT1_2]),
        },
    );
    const middle = index(n / 4, n / 4);
    const depths: number[] = [];
    runSteps(cloth, seconds * 60, () => void depths.push(at(cloth, middle)[2] / 3));
    const last = depths.slice(-60);
    const stretch = stretchOf(cloth).max;
    cloth.release();
    return { depth: last[59], motion: Math.max(...last) - Math.min(...last), stretch };
}
