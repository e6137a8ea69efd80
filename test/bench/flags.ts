/**
 * (e) 200 flags of 24 × 16 particles in one scene and one wind, stepped by the scene: all that their observers do in a frame
 * against what the kernels take for it, in turns.
 */
import type { Scene } from "@babylonjs/core/scene";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import type { BodyInstance } from "../../src/babylon/behaviors/bodyInstance";
import type { RecordedCalls } from "../../src/kernels/kernelTable";
import type { Surface, Body } from "../../src/engine/index";
import { select } from "../../src/babylon/pins/select";
import { Wind } from "../../src/babylon/wind/wind";
import { callKernels } from "../../src/engine/bodies/recordedSubstep";
import { stageNames } from "../../src/engine/index";
import { instanceOf, createWorld, ownFrameOf } from "./world";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, summarize, takeTurns } from "./timing";

const FLAGS = 200;
const SETTLING_FRAMES = 60;

/** The flags, in a scene that steps them. */
export function createFlags(scene: Scene): ClothBehavior[] {
    const wind = new Wind({ velocity: new Vector3(6, 0, 2) });
    const flags: ClothBehavior[] = [];
    for (let i = 0; i < FLAGS; i++) {
        const mesh = MeshBuilder.CreateGround(`flag ${i}`, { width: 1.5, height: 1, subdivisionsX: 23, subdivisionsY: 15 }, scene);
        mesh.position.set((i % 20) * 2, 3, Math.floor(i / 20) * 2);
        mesh.rotation.x = -Math.PI / 2;
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind });
        mesh.addBehavior(cloth);
        flags.push(cloth);
    }
    return flags;
}

/** The kernels of one cloth's frame, recorded: one call from JavaScript for all of them. */
function recordFrame({ cloth, binding }: BodyInstance): RecordedCalls {
    const { _surface: surface } = binding as unknown as { _surface: Surface };
    const { state, air, settings } = cloth;
    return cloth.kernels.record((kernels) => {
        kernels.addWind(state, air!);
        kernels.predictMidstep(state);
        kernels.applyAir(state, air!);
        for (let s = 0; s < settings.substepCount; s++) callKernels(kernels, cloth);
        kernels.measureMotion(state);
        kernels.transformPoints(state, surface);
        kernels.computeNormals(surface);
        kernels.writeVertices(surface);
    });
}

/** Puts the particles of all cloths back to where they are now. */
function restorer(cloths: readonly Body[]): () => void {
    const saved = cloths.map(({ state }) => [state.positions.slice(), state.previous.slice(), state.residuals.slice()]);
    return () => {
        cloths.forEach(({ state }, i) => {
            state.positions.set(saved[i][0]);
            state.previous.set(saved[i][1]);
            state.residuals.set(saved[i][2]);
        });
    };
}

/** Time of the phases of a frame, and of the write-back, over all flags (ms). */
function measurePhases(attachments: readonly BodyInstance[], ownFrame: () => void): number[] {
    const phases = new Float64Array(stageNames.length + 1);
    const samples = Array.from(phases, () => new Float64Array(60));
    const turn = (isOn: boolean): void => {
        for (const { cloth, stopwatch } of attachments) cloth.stopwatch.isOn = stopwatch.isOn = isOn;
    };
    turn(true);
    for (let f = 0; f < 60; f++) {
        ownFrame();
        phases.fill(0);
        for (const { cloth, stopwatch } of attachments) {
            for (let p = 0; p < stageNames.length; p++) phases[p] += cloth.stopwatch.milliseconds[p];
            phases[stageNames.length] += stopwatch.milliseconds[0];
        }
        phases.forEach((time, p) => (samples[p][f] = time));
    }
    turn(false);
    return samples.map((all) => summarize(all).median);
}

/** Measures the frame and its parts. */
export function flagsSection(isFull: boolean): Section {
    const scene = createWorld();
    const flags = createFlags(scene);
    const ownFrame = ownFrameOf(scene);
    for (let f = 0; f < SETTLING_FRAMES; f++) ownFrame();
    const attachments = flags.map(instanceOf);
    const cloths = attachments.map(({ cloth }) => cloth);
    // Before the flags are put back to where they were: the wind goes on.
    const medians = measurePhases(attachments, ownFrame);
    const calls = attachments.map(recordFrame);
    const restore = restorer(cloths);
    const kernels = (): void => {
        for (let i = 0; i < calls.length; i++) calls[i].run();
    };
    const [a, b] = takeTurns(
        [
            { restore, run: ownFrame },
            { restore, run: kernels },
        ],
        isFull ? 8000 : 2500,
    );
    restore();
    for (const each of calls) each.release();
    const overKernels = ratio(a, b);
    const { counts, particleCount } = flags[0].stats;
    scene.getEngine().dispose();
    return {
        tables: [
            {
                title: `${FLAGS} flags of 24 × 16 in wind, ${cloths[0].settings.substepCount} substeps (ms a frame)`,
                columns: ["", "ms"],
                rows: [
                    ["frame: all that our observers do", withSpread(a)],
                    ["kernels: wind, substeps, motion, surface", withSpread(b)],
                    ...[...stageNames, "write"].map((phase, p) => [`phase ${phase}`, number(medians[p])]),
                ],
                note: `Each: ${particleCount} particles; ${Object.entries(counts)
                    .map(([name, count]) => `${name} ${count}`)
                    .join(", ")}.`,
            },
        ],
        bars: [atMost("200 flags: frame over the sum of its kernels", overKernels.median, 1.15, "x")],
        data: { frame: a.median, kernels: b.median, phases: medians, overKernels: overKernels.median },
    };
}
