/**
 * (g) Flags in a breeze, whole and torn: cuts a third of their height long, at random. What a tear takes, and what a step of torn cloth takes for
 * each particle, in turns with the whole flag's.
 */
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, ClothTearing } from "../../src/index";
import type { ClothBehavior } from "../../src/index";
import { seededRandom } from "../random";
import { atMost, withSpread } from "./report";
import type { Section } from "./report";
import { cpuTime, ratio, summarize, takeTurns } from "./timing";
import { createWorld, FRAME } from "./world";

const CUTS = [0, 1, 8, 30];
const LENGTH = 0.33;

interface Torn {
    readonly cloth: ClothBehavior;
    /** Of each tear [ms of processor time]. */
    readonly times: number[];
}

function tear(scene: Scene, cuts: number): Torn {
    const mesh = ClothBuilder.CreateFlag("flag", { subdivisions: 64, wind: "breeze", autoStep: false }, scene);
    const { cloth } = mesh;
    const tearing = new ClothTearing({ strain: Infinity });
    mesh.addBehavior(tearing);
    cloth.step(0.5);
    const random = seededRandom(1);
    const times: number[] = [];
    while (times.length < cuts) {
        const x = cloth.getParticlePositions();
        const p = 3 * Math.floor(random() * cloth.particleCount);
        const middle = new Vector3(x[p], x[p + 1], x[p + 2]);
        const half = new Vector3(random() - 0.5, random() - 0.5, 0).normalize().scale(LENGTH / 2);
        const start = cpuTime();
        if (tearing.cut(middle.subtract(half), middle.add(half))) times.push(cpuTime() - start);
        cloth.step(FRAME);
    }
    cloth.step(0.5);
    return { cloth, times };
}

/** Measures all. */
export function tornSection(isFull: boolean): Section {
    const scene = createWorld();
    const flags = CUTS.map((cuts) => tear(scene, cuts));
    const steps = takeTurns(
        flags.map(({ cloth }) => ({ run: () => cloth.step(FRAME) })),
        isFull ? 8000 : 3000,
    );
    const share = (i: number): number =>
        (ratio(steps[i], steps[0]).median * flags[0].cloth.particleCount) / flags[i].cloth.particleCount;
    const tears = summarize(Float64Array.from(flags.at(-1)!.times));
    return {
        tables: [
            {
                title: "A flag of 64 × 43 edges in a breeze, torn",
                columns: ["cuts", "particles", "ms a step", "a particle, over the whole flag's"],
                rows: flags.map(({ cloth }, i) => [
                    String(CUTS[i]),
                    String(cloth.particleCount),
                    withSpread(steps[i]),
                    `${share(i).toFixed(2)}x`,
                ]),
                note: `A tear takes ${withSpread(tears)} ms.`,
            },
        ],
        bars: [
            atMost("A flag torn once: cost of a particle over the whole flag's", share(1), 1.2, "x"),
            atMost("A flag torn eight times: the same", share(2), 1.2, "x"),
            atMost("A tear", tears.median, 16, "ms"),
        ],
        data: { tear: tears.median, shares: CUTS.map((_, i) => share(i)) },
    };
}
