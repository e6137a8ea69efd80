/** (g) Time of the first attach in a process, whole and by steps; every sample is a fresh process (attachOnce.ts). */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { atMost, number } from "./report";
import type { Section } from "./report";
import { summarize } from "./timing";
import type { Timing } from "./timing";

const RESOLUTIONS = [32, 64, 128];
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

type Times = Record<string, { wall: number; cpu: number }>;

function attachOnce(resolution: number, mode: "whole" | "phases"): Times {
    const script = fileURLToPath(new URL("attachOnce.ts", import.meta.url));
    const output = execFileSync(process.execPath, ["--import", "./.ci/ts.mjs", script, String(resolution), mode], {
        cwd: ROOT,
        encoding: "utf8",
    });
    return JSON.parse(output.slice(output.lastIndexOf("\n{") + 1)) as Times;
}

/**
 * Milliseconds of a step: the lesser of wall time, which other processes disturb, and processor time, which counts the
 * compiler's threads.
 */
function milliseconds({ wall, cpu }: { wall: number; cpu: number }): number {
    return Math.min(wall, cpu);
}

/** Measures all sizes. */
export function attachSection(isFull: boolean): Section {
    const runs = isFull ? 9 : 3;
    const results = RESOLUTIONS.map((resolution) => {
        const sample = (mode: "whole" | "phases"): Times[] => Array.from({ length: runs }, () => attachOnce(resolution, mode));
        const wholes = sample("whole");
        const over = (name: string): Timing => summarize(Float64Array.from(wholes, (times) => milliseconds(times[name])));
        const whole = over("attach");
        const all = sample("phases");
        const phases = Object.keys(all[0]).map((name) => ({
            name,
            median: summarize(Float64Array.from(all, (times) => milliseconds(times[name]))).median,
        }));
        return { resolution, median: whole.median, least: whole.minimum, third: over("third").median, phases };
    });
    const { median } = results[results.length - 1];
    return {
        tables: [
            {
                title: `Attach of the first cloth in a fresh process, two corners (ms; median of ${runs})`,
                columns: ["n", "attach", "least", "third cloth", ...results[0].phases.map(({ name }) => name)],
                rows: results.map(({ resolution, median: whole, least, third, phases }) => [
                    String(resolution),
                    number(whole),
                    number(least),
                    number(third),
                    ...phases.map((phase) => number(phase.median)),
                ]),
                note: "Nothing is compiled yet when the first begins. The steps are those of another process, one by one.",
            },
        ],
        bars: [atMost("attach of 128²", median, 80, " ms"), atMost("attach of 128² (first issue)", median, 150, " ms")],
        data: results,
    };
}
