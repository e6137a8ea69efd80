/**
 * Where the time goes, by the sampling profiler: the 128² frame (two corners, 1 substep) and the frame of 200 flags. Functions
 * of the WebAssembly module appear under the names of their exports.
 */
import { Session } from "node:inspector";
import type { Profiler } from "node:inspector";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import { select } from "../../src/babylon/pins/select";
import { coreKernels } from "../../src/kernels/modules/core.generated";
import { bytesOf } from "../../src/kernels/wasmKernels";
import { createFlags } from "./flags";
import { MODULES } from "../unit/kernels/allKernels";
import { number } from "./report";
import type { Section, Table } from "./report";
import { createSquare, createWorld, FRAME, ownFrameOf } from "./world";

/** Between two samples [µs]. */
const INTERVAL = 100;
/** Shares of time below this are summed up as the rest. */
const SMALLEST_SHARE = 0.006;

/** A function and its own time. */
interface Hot {
    readonly name: string;
    readonly milliseconds: number;
}

/** Names of the modules' functions by their index; those of several modules together, which the profiler does not tell apart. */
function exportNames(): Map<string, string> {
    const memory = new WebAssembly.Memory({ initial: 16 });
    const names = new Map<string, string>();
    for (const { text } of [coreKernels, ...MODULES]) {
        const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(text)), {
            env: { memory, scratch: 16 },
            Math: Math as unknown as WebAssembly.ModuleImports,
        });
        for (const [name, value] of Object.entries(exports)) {
            if (typeof value !== "function") continue;
            const index = (value as { name: string }).name;
            names.set(index, names.has(index) ? `${names.get(index)} or ${name}` : name);
        }
    }
    return names;
}

/** Own time per call of every function that runs in `run` [ms], longest first. */
function profile(run: () => void, calls: number): Hot[] {
    const names = exportNames();
    const session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: INTERVAL });
    session.post("Profiler.start");
    for (let i = 0; i < calls; i++) run();
    let result: Profiler.Profile | undefined;
    session.post("Profiler.stop", (error, answer) => {
        if (!error) result = answer.profile;
    });
    session.disconnect();
    if (!result?.samples || !result.timeDeltas) return [];
    const { nodes, samples, timeDeltas } = result;
    const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
    const times = new Map<string, number>();
    // The profiler answers by a function of this name.
    const isOwn = (name: string): boolean => name === "dispatch" || name === "post";
    samples.forEach((id, i) => {
        const { functionName, url, lineNumber } = byId.get(id)!;
        if (isOwn(functionName)) return;
        const index = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1];
        const place = url ? ` (${url.split("/").slice(-2).join("/")}:${lineNumber + 1})` : "";
        const name = index ? `wasm ${names.get(index) ?? index}` : `${functionName || "(anonymous)"}${place}`;
        times.set(name, (times.get(name) ?? 0) + timeDeltas[i] / 1000 / calls);
    });
    return Array.from(times, ([name, milliseconds]) => ({ name, milliseconds })).sort((a, b) => b.milliseconds - a.milliseconds);
}

function tableOf(title: string, hot: readonly Hot[]): Table {
    const sum = hot.reduce((all, { milliseconds }) => all + milliseconds, 0);
    const shown = hot.filter(({ milliseconds }) => milliseconds >= SMALLEST_SHARE * sum);
    const rest = sum - shown.reduce((all, { milliseconds }) => all + milliseconds, 0);
    return {
        title,
        columns: ["function", "ms a frame", "%"],
        rows: [...shown, { name: "(rest)", milliseconds: rest }].map(({ name, milliseconds }) => [
            name,
            number(milliseconds),
            number((100 * milliseconds) / sum),
        ]),
    };
}

/** Profiles both scenes. */
export function profileSection(): Section {
    const mesh = createSquare(createWorld(), 128);
    const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z", "+x+z") }], substepCount: 1, autoStep: false });
    mesh.addBehavior(cloth);
    for (let frame = 0; frame < 120; frame++) cloth.step(FRAME);
    const square = profile(() => cloth.step(FRAME), 400);
    const scene = createWorld();
    createFlags(scene);
    const ownFrame = ownFrameOf(scene);
    for (let frame = 0; frame < 120; frame++) ownFrame();
    const many = profile(ownFrame, 300);
    return {
        tables: [
            tableOf("Profile: 128², two corners, 1 substep, on a mesh under NullEngine", square),
            tableOf("Profile: 200 flags of 24 × 16 in wind", many),
        ],
        bars: [],
        data: { square, flags: many },
    };
}
