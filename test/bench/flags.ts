/**
 * (e) 200 flags of 24 × 16 particles in one scene and one wind: a whole frame against the time that the kernels take for
 * their sticks alone, in turns.
 */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior } from "../../src/babylon/clothBehavior";
import { select } from "../../src/babylon/select";
import { Wind } from "../../src/babylon/wind";
import { PHASES } from "../../src/solver/body";
import type { Body } from "../../src/solver/body";
import { Sticks } from "../../src/solver/methods/xpbd/sticks";
import { attachmentOf, createWorld, FRAME } from "./world";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, summarize, takeTurns } from "./timing";
import type { Task } from "./timing";

const FLAGS = 200;
const SETTLING_FRAMES = 60;

/** The flags, flying. */
export function createFlags(): ClothBehavior[] {
    const scene = createWorld();
    const wind = new Wind({ velocity: new Vector3(6, 0, 2) });
    const flags: ClothBehavior[] = [];
    for (let i = 0; i < FLAGS; i++) {
        const mesh = MeshBuilder.CreateGround(`flag ${i}`, { width: 1.5, height: 1, subdivisionsX: 23, subdivisionsY: 15 }, scene);
        mesh.position.set((i % 20) * 2, 3, Math.floor(i / 20) * 2);
        mesh.rotation.x = -Math.PI / 2;
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind, autoStep: false });
        mesh.addBehavior(cloth);
        flags.push(cloth);
    }
    for (let frame = 0; frame < SETTLING_FRAMES; frame++) stepAll(flags);
    return flags;
}

/** One frame of all flags. */
export function stepAll(flags: readonly ClothBehavior[]): void {
    for (let i = 0; i < flags.length; i++) flags[i].step(FRAME);
}

/** One frame's passes over the sticks of all cloths, or over all constraints, and nothing else. */
function passesOf(cloths: readonly Body[], sticksOnly: boolean): Task {
    const passes = cloths.map((cloth) => cloth.passes.filter((pass) => !sticksOnly || pass instanceof Sticks));
    const states = cloths.map(({ state }) => state.positions.slice());
    return {
        restore() {
            cloths.forEach(({ state }, i) => state.positions.set(states[i]));
        },
        run() {
            for (let i = 0; i < cloths.length; i++) {
                const { kernels, state, settings } = cloths[i];
                for (let s = 0; s < settings.substepCount; s++) {
                    for (let p = 0; p < passes[i].length; p++) passes[i][p].project(kernels, state);
                }
            }
        },
    };
}

/** Measures the frame and its parts. */
export function flagsSection(isFull: boolean): Section {
    const flags = createFlags();
    const cloths = flags.map((flag) => attachmentOf(flag).cloth);
    const [sticks, constraints] = [passesOf(cloths, true), passesOf(cloths, false)];
    const previous = cloths.map(({ state }) => state.previous.slice());
    const frame: Task = {
        restore() {
            sticks.restore!();
            cloths.forEach(({ state }, i) => state.previous.set(previous[i]));
        },
        run: () => stepAll(flags),
    };
    const [a, b, c] = takeTurns([frame, sticks, constraints], isFull ? 8000 : 2500);
    frame.restore!();
    const phases = new Float64Array(PHASES.length + 1);
    const samples = Array.from(phases, () => new Float64Array(60));
    for (const flag of flags) attachmentOf(flag).cloth.stopwatch.isOn = attachmentOf(flag).stopwatch.isOn = true;
    for (let f = 0; f < 60; f++) {
        stepAll(flags);
        phases.fill(0);
        for (const flag of flags) {
            const run = attachmentOf(flag);
            for (let p = 0; p < PHASES.length; p++) phases[p] += run.cloth.stopwatch.milliseconds[p];
            phases[PHASES.length] += run.stopwatch.milliseconds[0];
        }
        phases.forEach((time, p) => (samples[p][f] = time));
    }
    const medians = samples.map((all) => summarize(all).median);
    const overSticks = ratio(a, b);
    const overConstraints = ratio(a, c);
    const { counts, particleCount } = flags[0].stats;
    attachmentOf(flags[0]).mesh.getEngine().dispose();
    return {
        tables: [
            {
                title: `${FLAGS} flags of 24 × 16 in wind, ${cloths[0].settings.substepCount} substeps (ms a frame)`,
                columns: ["", "ms"],
                rows: [
                    ["frame: step and write-back of all", withSpread(a)],
                    ["kernels: their sticks and long limits alone", withSpread(b)],
                    ["kernels: their sticks, long limits and tethers", withSpread(c)],
                    ...[...PHASES, "write"].map((phase, p) => [`phase ${phase}`, number(medians[p])]),
                ],
                note: `Each: ${particleCount} particles; ${Object.entries(counts)
                    .map(([name, count]) => `${name} ${count}`)
                    .join(", ")}.`,
            },
        ],
        bars: [
            atMost(
                "200 flags: frame over the kernels' time for their sticks",
                overSticks.median,
                1.5,
                "x",
                `${number(overConstraints.median)}x over sticks and tethers`,
            ),
        ],
        data: { frame: a.median, sticks: b.median, constraints: c.median, phases: medians, overSticks: overSticks.median },
    };
}
