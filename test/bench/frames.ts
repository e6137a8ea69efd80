/**
 * (c) Phases of a frame under Babylon's NullEngine: the solver's, as it counts them itself, and those of the write-back, whose
 * functions are timed in place.
 */
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import { select } from "../../src/babylon/pins/select";
import { stageNames } from "../../src/engine/index";
import { instanceOf, createSquare, createWorld, FRAME } from "./world";
import { atMost, number } from "./report";
import type { Section } from "./report";
import { summarize } from "./timing";

const RESOLUTIONS = [32, 64, 128];
const SUBSTEPS = [1, 4];
const SETTLING_FRAMES = 240;

/** Parts of the write-back, in order. */
const WRITE_PARTS = ["transform", "normals", "vertices", "upload", "bounds"] as const;
type WritePart = (typeof WRITE_PARTS)[number];

/** Median times of one frame [ms]. */
interface FramePhases {
    readonly resolution: number;
    readonly substeps: number;
    /** Of the whole `cloth.step`. */
    readonly total: number;
    /** What the solver's phases sum up to. */
    readonly solver: number;
    readonly phases: Record<string, number>;
    /** Sum of the particle heights at the end [m]: a checksum. */
    readonly checksum: number;
}

/** Wraps a method so that its time is added to `times[part]`; returns what undoes it. */
function probe(owner: object, method: string, times: Record<WritePart, number>, part: WritePart): () => void {
    const methods = owner as Record<string, (...args: unknown[]) => unknown>;
    const isOwn = Object.hasOwn(owner, method);
    const original = methods[method];
    methods[method] = (a: unknown, b: unknown) => {
        const start = performance.now();
        original.call(owner, a, b);
        times[part] += performance.now() - start;
    };
    return () => {
        if (isOwn) methods[method] = original;
        else delete methods[method];
    };
}

function measurePhases(resolution: number, substeps: number, frames: number): FramePhases {
    const scene = createWorld();
    const mesh = createSquare(scene, resolution);
    const cloth = new ClothBehavior({
        pins: [{ select: select.corners("-x+z", "+x+z") }],
        substepCount: substeps,
        autoStep: false,
        fabric: { arealDensity: 0.2, damping: 0.6, friction: 0.5 },
    });
    mesh.addBehavior(cloth);
    for (let frame = 0; frame < SETTLING_FRAMES; frame++) cloth.step(FRAME);

    const totals = new Float64Array(frames);
    for (let frame = 0; frame < frames; frame++) {
        const start = performance.now();
        cloth.step(FRAME);
        totals[frame] = performance.now() - start;
    }
    const attachment = instanceOf(cloth);
    const times = Object.fromEntries(WRITE_PARTS.map((part) => [part, 0])) as Record<WritePart, number>;
    const { _override: override, _bounds: bounds } = attachment.binding as unknown as { _override: object; _bounds: object };
    const undo = [
        probe(attachment.cloth.kernels, "transformPoints", times, "transform"),
        probe(attachment.cloth.kernels, "computeNormals", times, "normals"),
        probe(attachment.cloth.kernels, "writeVertices", times, "vertices"),
        probe(override, "upload", times, "upload"),
        probe(bounds, "write", times, "bounds"),
    ];
    const samples: Record<string, Float64Array> = {};
    for (const name of [...stageNames, "solver", ...WRITE_PARTS, "write"]) samples[name] = new Float64Array(frames);
    attachment.cloth.stopwatch.isOn = attachment.stopwatch.isOn = true;
    for (let frame = 0; frame < frames; frame++) {
        for (const part of WRITE_PARTS) times[part] = 0;
        cloth.step(FRAME);
        let solver = 0;
        stageNames.forEach((phase, i) => {
            samples[phase][frame] = attachment.cloth.stopwatch.milliseconds[i];
            solver += attachment.cloth.stopwatch.milliseconds[i];
        });
        samples.solver[frame] = solver;
        samples.write[frame] = attachment.stopwatch.milliseconds[0];
        for (const part of WRITE_PARTS) samples[part][frame] = times[part];
    }
    for (const restore of undo) restore();
    const heights = cloth.getParticlePositions();
    let checksum = 0;
    for (let i = 1; i < heights.length; i += 3) checksum += heights[i];
    const { solver, ...phases } = Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, summarize(all).median]));
    scene.getEngine().dispose();
    return { resolution, substeps, total: summarize(totals).median, solver, phases, checksum };
}

/** Measures all sizes with 1 and 4 substeps. */
export function framesSection(isFull: boolean): Section {
    const all = SUBSTEPS.flatMap((substeps) => RESOLUTIONS.map((n) => measurePhases(n, substeps, isFull ? 1200 : 300)));
    const names = Object.keys(all[0].phases);
    const largest = all.find(({ resolution, substeps }) => resolution === 128 && substeps === 1)!;
    return {
        tables: [
            {
                title: "Phases of a frame under NullEngine, two corners (median ms)",
                columns: ["n", "substeps", "frame", "solver", ...names, "rest", "beside solver"],
                rows: all.map(({ resolution, substeps, total, solver, phases }) => [
                    String(resolution),
                    String(substeps),
                    number(total),
                    number(solver),
                    ...names.map((name) => number(phases[name])),
                    number(total - solver - phases.write),
                    `${number(100 * ((total - solver) / solver))} %`,
                ]),
                note:
                    "Write: all of the write-back, with transform, normals, vertices (gather into the buffers), upload (a call of the " +
                    "NullEngine) and bounds as its parts. Rest: what is in neither.",
            },
        ],
        bars: [
            atMost(
                "128², two corners: everything outside the solver over the solver (1 substep)",
                (largest.total - largest.solver) / largest.solver,
                1,
                "x",
            ),
        ],
        data: all,
    };
}
