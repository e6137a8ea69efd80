/** Runs one cloth through one scene: times every step, and measures quality between the steps, outside the timer. */
import type { Grid } from "./grid";
import { isOnSphere } from "./peer";
import type { PeerCloth, PeerScene } from "./peer";
import { measurePenetration, measureSpeed, measureStretch, type Stretch } from "./quality";

/** Stretch is measured over the last part of a run, when the cloth should hang or lie [s]. */
const MEASURED_SECONDS = 2;
/** Frames at the start that are not timed: compilation and first contact with the caches. */
const WARM_UP_FRAMES = 10;
/** A cloth counts as settled while its mean particle speed is below this [m/s]. */
const SETTLED_SPEED = 0.05;
/** Beyond this mean elongation the run counts as diverged. */
const DIVERGED_STRETCH = 1;

/** A cloth whose mean height is below this has left the sphere, whose lowest point is at -1.05 [m]. */
const FALLEN_HEIGHT = -2;

/** Outcome of one run. */
export interface Measurement {
    /** `skipped`: the first frames predicted a run longer than the budget. `fell`: slid off the sphere or through it. */
    readonly status: "done" | "diverged" | "fell" | "skipped";
    readonly frames: number;
    /**
     * Median processor time of a step [ms]: that of the whole process, so that work on other threads counts, but not the time
     * that other processes take. On a quiet machine it equals `medianMs`.
     */
    readonly cpuMs: number;
    /** Wall time of a step [ms]. */
    readonly medianMs: number;
    readonly p95Ms: number;
    readonly minMs: number;
    readonly meanMs: number;
    /** Mean over the last 2 s of each frame's mean elongation. */
    readonly meanStretch: number;
    /** Largest elongation of any stick in any frame of the last 2 s. */
    readonly maxStretch: number;
    /** Mean over the last 2 s of each frame's mean |strain|. */
    readonly meanAbsoluteStrain: number;
    /** Elongation in the last frame alone. */
    readonly finalMeanStretch: number;
    readonly finalMaxStretch: number;
    /** Deepest penetration into the sphere in any frame [m]; 0 in scenes without one. */
    readonly penetration: number;
    /** First frame from which the mean speed stays below 0.05 m/s, or -1. */
    readonly settledFrame: number;
    /** Mean particle height in the last frame [m]; a checksum that also tells a hanging cloth from a collapsed one. */
    readonly meanHeight: number;
}

/**
 * Runs `scene.frameCount` frames.
 * @param budgetSeconds longest processor time that the steps of this run may take, as predicted after the warm-up [s]
 */
export function measure(cloth: PeerCloth, scene: PeerScene, grid: Grid, budgetSeconds = Infinity): Measurement {
    const { frameCount, frameSeconds } = scene;
    const firstMeasured = frameCount - Math.round(MEASURED_SECONDS / frameSeconds);
    const milliseconds = new Float64Array(frameCount);
    const cpuMilliseconds = new Float64Array(frameCount);
    const stretch: Stretch = { mean: 0, max: 0, meanAbsolute: 0 };
    let positions: Float32Array = new Float32Array(grid.positions);
    let previous: Float32Array = new Float32Array(grid.positions);
    let meanSum = 0;
    let absoluteSum = 0;
    let maxStretch = 0;
    let penetration = 0;
    let settledFrame = 0;
    let status: Measurement["status"] = "done";
    let frame = 0;
    for (; frame < frameCount && status === "done"; frame++) {
        [positions, previous] = [previous, positions];
        const cpuStart = process.cpuUsage();
        const start = performance.now();
        cloth.step();
        milliseconds[frame] = performance.now() - start;
        const cpu = process.cpuUsage(cpuStart);
        cpuMilliseconds[frame] = (cpu.user + cpu.system) / 1000;
        cloth.positions(positions);
        measureStretch(grid.structural, positions, stretch);
        if (!(stretch.mean < DIVERGED_STRETCH)) status = "diverged";
        if (isOnSphere(scene)) {
            penetration = Math.max(penetration, measurePenetration(positions));
            if (meanHeight(positions) < FALLEN_HEIGHT) status = "fell";
        }
        if (!(measureSpeed(positions, previous, frameSeconds) < SETTLED_SPEED)) settledFrame = frame + 1;
        if (frame >= firstMeasured) {
            meanSum += stretch.mean;
            absoluteSum += stretch.meanAbsolute;
            maxStretch = Math.max(maxStretch, stretch.max);
        }
        if (frame === WARM_UP_FRAMES) {
            const fastest = Math.min(...cpuMilliseconds.subarray(0, frame));
            if (fastest * frameCount > 1000 * budgetSeconds) status = "skipped";
        }
    }
    const firstTimed = Math.min(WARM_UP_FRAMES, frame - 1);
    const times = milliseconds.slice(firstTimed, frame).sort();
    const cpuTimes = cpuMilliseconds.slice(firstTimed, frame).sort();
    const measuredFrames = status === "done" ? frameCount - firstMeasured : NaN;
    return {
        status,
        frames: frame,
        cpuMs: quantile(cpuTimes, 0.5),
        medianMs: quantile(times, 0.5),
        p95Ms: quantile(times, 0.95),
        minMs: times[0],
        meanMs: times.reduce((sum, time) => sum + time, 0) / times.length,
        meanStretch: meanSum / measuredFrames,
        maxStretch: status === "done" ? maxStretch : NaN,
        meanAbsoluteStrain: absoluteSum / measuredFrames,
        finalMeanStretch: stretch.mean,
        finalMaxStretch: stretch.max,
        penetration,
        settledFrame: settledFrame < frameCount ? settledFrame : -1,
        meanHeight: meanHeight(positions),
    };
}

/** Value at quantile q of an ascending array. */
function quantile(sorted: Float64Array, q: number): number {
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

function meanHeight(positions: Float32Array): number {
    let sum = 0;
    for (let i = 1; i < positions.length; i += 3) sum += positions[i];
    return (3 * sum) / positions.length;
}
