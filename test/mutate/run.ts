/**
 * Mutation testing: spoils the sources in small ways, one at a time, and counts how many of them the tests notice.
 *
 *     npm run mutate                      300 mutants of src/engine and src/babylon; about half an hour
 *     npm run mutate -- --count 60        the first 60 of them
 *     npm run mutate -- --seed 2          another draw
 *     npm run mutate -- --only pins       in files whose path contains "pins"
 *     npm run mutate -- --survivors       again those that survived the last run, also where files were moved since
 *     npm run mutate -- --thorough        with the slow test files too
 *     npm run mutate -- --without model    without the test files whose path matches
 *     npm run mutate -- --seconds 100     up to so many seconds of tests for each (30), the quick ones first
 *
 * A mutant is killed by a test that fails on it, and again alone, or takes 20 times as long as on the unchanged project, or by
 * the type check that is part of `npm test`; the report says how many by each. Survivors can be equivalent: read them.
 *
 * The draw orders mutants by a hash of their line: the first 60 are part of the first 300, and stay while their lines stay. WASM
 * kernels are not touched; conformance tests hold them to their references. Writes .cache/mutate/results.json. Exits with 1 below 85 %.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutants";
import type { Mutant } from "./mutants";
import { TypeChecker } from "./typeErrors";
import { filesOf, makeCopy, read, ROOT, Worker } from "./workshop";

/** Share of the mutants that must be killed. */
const BAR = 0.85;
/** A test may take this many times as long as in the unchanged project before it counts as endless. */
const PATIENCE = 20;

const { values } = parseArgs({
    options: {
        count: { type: "string", default: "300" },
        seed: { type: "string", default: "1" },
        only: { type: "string", default: "" },
        seconds: { type: "string", default: "30" },
        without: { type: "string", default: "" },
        thorough: { type: "boolean", default: false },
        survivors: { type: "boolean", default: false },
    },
});

/** What kills beside a failing test, by how the killer's name begins. */
const OTHER_KILLERS = ["type check", "out of time", "does not load", "the process ends"];

const FOLDERS = ["src/engine", "src/babylon"];
const RESULTS = join(ROOT, ".cache/mutate/results.json");

interface Result {
    id: string;
    folder: string;
    place: string;
    change: string;
    killer: string | null;
}

makeCopy();
const last: Result[] = values.survivors && existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as Result[]) : [];
const mutants = values.survivors ? again(last) : draw();
const worker = new Worker();
process.on("exit", () => worker.stop());
console.log(`${mutants.length} mutants; running the unchanged tests ...`);
const tests = await worker.survey(mutants, values.thorough, values.without ? new RegExp(values.without) : null);
console.log(`${tests.length} tests, ${Math.round(tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000)} s`);
const checker = new TypeChecker();
const results: Result[] = [];
const started = Date.now();
for (const [index, mutant] of mutants.entries()) {
    const { killer, count } = await trial(mutant, index);
    const result = {
        id: mutant.id,
        folder: folderOf(mutant),
        place: `${mutant.file}:${mutant.line}`,
        change: changeOf(mutant),
        killer,
    };
    results.push(result);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(
        `${index + 1}/${mutants.length} ${seconds} s  ${killer ? "killed  " : `SURVIVED ${count} tests`} ${result.place}  ${result.change}  ${killer ?? ""}`,
    );
    writeFileSync(RESULTS, JSON.stringify([...last.filter(({ id }) => !results.some((r) => r.id === id)), ...results], null, 1));
}
worker.stop();
process.exitCode = report() ? 0 : 1;

/** The mutants to test: those whose hashes come first. */
function draw(): Mutant[] {
    const rank = ({ id }: Mutant): string => createHash("sha1").update(`${values.seed} ${id}`).digest("hex");
    return allMutants()
        .map((mutant) => ({ mutant, key: rank(mutant) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, Number(values.count))
        .map(({ mutant }) => mutant);
}

/** The last run's survivors, as far as their lines are still there, in the same file or in another. */
function again(results: readonly Result[]): Mutant[] {
    const all = allMutants();
    const byId = new Map(all.map((mutant) => [mutant.id, mutant]));
    const moved = new Map(all.map((mutant) => [withoutFile(mutant.id), mutant]));
    return results.flatMap((result) => {
        if (result.killer !== null) return [];
        const mutant = byId.get(result.id) ?? moved.get(withoutFile(result.id));
        if (mutant) result.id = mutant.id;
        else console.log(`no longer there: ${result.id}`);
        return mutant ?? [];
    });
}

function withoutFile(id: string): string {
    return id.slice(id.indexOf(": "));
}

function allMutants(): Mutant[] {
    return FOLDERS.flatMap((folder) => filesOf(folder, ".ts"))
        .filter((file) => file.includes(values.only))
        .flatMap((file) => mutantsOf(file, read(file)));
}

/** Runs the tests that reach a mutant, quick ones first, until one fails. */
async function trial(mutant: Mutant, index: number): Promise<{ killer: string | null; count: number }> {
    const reaching = tests.filter(({ hits }) => hits.includes(index)).sort((a, b) => a.milliseconds - b.milliseconds);
    let sum = 0;
    const affordable = reaching.filter(({ milliseconds }) => (sum += milliseconds / 1000) <= Number(values.seconds));
    const killer = await worker.killerOf(mutant, affordable, PATIENCE);
    if (killer !== null || !checker.isTypeError(mutant)) return { killer, count: affordable.length };
    return { killer: "type check", count: affordable.length };
}

function folderOf({ file }: Mutant): string {
    return FOLDERS.find((folder) => file.startsWith(folder))!;
}

function changeOf({ original, replacement }: Mutant): string {
    const short = (text: string): string => {
        const line = text.replace(/\s+/g, " ");
        return line.length > 60 ? `${line.slice(0, 58)} …` : line;
    };
    return `${short(original)}  →  ${short(replacement)}`;
}

/** Prints the counts and the survivors; whether enough were killed. */
function report(): boolean {
    const all = JSON.parse(readFileSync(RESULTS, "utf8")) as Result[];
    const count = (list: readonly Result[]): string => {
        const killers = list.flatMap(({ killer }) => killer ?? []);
        const others = OTHER_KILLERS.map((kind) => [kind, killers.filter((killer) => killer.startsWith(kind)).length] as const);
        const failed = killers.length - others.reduce((sum, [, n]) => sum + n, 0);
        const how = [["a failing test", failed] as const, ...others].flatMap(([kind, n]) => (n ? `${n} ${kind}` : []));
        const share = ((100 * killers.length) / Math.max(1, list.length)).toFixed(1);
        return `${killers.length} of ${list.length} killed, ${share} % (${how.join(", ")})`;
    };
    console.log("\nSurvivors:");
    for (const { place, change, killer } of all) if (killer === null) console.log(`  ${place}  ${change}`);
    console.log("");
    for (const folder of FOLDERS) console.log(`${folder.padEnd(20)} ${count(all.filter((result) => result.folder === folder))}`);
    console.log(`${"all".padEnd(20)} ${count(all)}; the bar is ${BAR * 100} %`);
    return all.filter(({ killer }) => killer !== null).length >= BAR * all.length;
}
