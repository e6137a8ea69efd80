/**
 * The benchmark:
 *
 *     npm run bench                     all tables and bars, a few minutes
 *     npm run bench -- --full           every setting of every peer, 256² too, and the plot of docs/benchmark.md; most of an hour
 *     npm run bench -- --only flags     parts of it: kernels, sticks, scenes, frames, scaling, flags, unseen, small, contacts, layers, bodies, memory,
 *                                       attach, physics, motion, profile, bundle
 *     npm run bench -- --sweep          our own settings only: the table of the design notes
 *
 * --resolutions 64,128 limits the scenes and the sweep. Writes what it measured to .cache/bench.json (--json elsewhere).
 */
import "../parts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, machineLine } from "./machine";
import type { BenchOptions } from "./options";
import { printBars, printTable } from "./report";
import type { Bar, Section } from "./report";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values } = parseArgs({
    options: {
        full: { type: "boolean", default: false },
        sweep: { type: "boolean", default: false },
        only: { type: "string" },
        resolutions: { type: "string" },
        json: { type: "string", default: resolve(ROOT, ".cache/bench.json") },
    },
});

const machine = describeMachine();
const options: BenchOptions = {
    isFull: values.full,
    resolutions: values.resolutions?.split(",").map(Number) ?? (values.full ? [32, 64, 128, 256] : [32, 64, 128]),
    plotPath: resolve(ROOT, values.full ? "docs/images/cost-stretch.svg" : ".cache/cost-stretch.svg"),
};

/** The parts, each loaded when it runs, so that one part's code does not disturb another's. */
const parts: Record<string, () => Promise<Section> | Section> = {
    kernels: async () => (await import("./kernelsSection")).kernelsSection(options.isFull),
    sticks: async () => (await import("./stickPass")).stickPassSection(options.isFull),
    scenes: async () => (await import("./scenesSection")).scenesSection(options, plotCaption()),
    frames: async () => (await import("./frames")).framesSection(options.isFull),
    scaling: async () => (await import("./scaling")).scalingSection(options.isFull),
    flags: async () => (await import("./flags")).flagsSection(options.isFull),
    unseen: async () => (await import("./unseen")).unseenSection(options.isFull),
    torn: async () => (await import("./torn")).tornSection(options.isFull),
    small: async () => (await import("./small")).smallSection(options.isFull),
    contacts: async () => (await import("./contacts")).contactsSection(options.isFull),
    layers: async () => (await import("./layers")).layersSection(options.isFull),
    bodies: async () => (await import("./bodies")).bodiesSection(options.isFull),
    memory: async () => (await import("./memory")).memorySection(),
    attach: async () => (await import("./attach")).attachSection(options.isFull),
    physics: async () => (await import("./physics/physicsSection")).physicsSection(),
    motion: async () => (await import("./physics/motion")).motionSection(),
    profile: async () => (await import("./profile")).profileSection(),
    bundle: async () => (await import("./bundle")).bundleSection(),
};

function plotCaption(): string {
    const { date, cpu, node } = machine;
    return `Mean elongation of the structural sticks over the last 2 of 10 s. ${cpu}, Node ${node}, one thread, ${date}.`;
}

function wantedParts(): string[] {
    const names =
        values.only?.split(",") ??
        Object.keys(parts).filter((name) => values.full || !["physics", "motion", "profile"].includes(name));
    for (const name of names) {
        if (!(name in parts)) throw new Error(`--only: must be of ${Object.keys(parts).join(", ")}, got ${name}`);
    }
    return names;
}

const results: Record<string, unknown> = { machine };
const bars: Bar[] = [];
console.log(machineLine(machine));
const start = performance.now();
if (values.sweep)
    parts.sweep = async () =>
        (await import("./sweep")).sweepSection(values.resolutions ? options.resolutions : values.full ? [32, 64, 128] : [32, 64]);
for (const name of values.sweep ? ["sweep"] : wantedParts()) {
    process.stderr.write(`${name} ...\n`);
    const section = await parts[name]();
    section.tables.forEach(printTable);
    bars.push(...section.bars);
    results[name] = section.data;
}
printBars(bars);
results.bars = bars;
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, JSON.stringify(results, null, 1));
const { user, system } = process.cpuUsage();
console.log(
    `\n${Math.round((performance.now() - start) / 1000)} s, ${Math.round((user + system) / 1e6)} s of processor time; written to ${values.json}`,
);
process.exit(0);
