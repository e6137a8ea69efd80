/**
 * A copy of the project in .cache/mutate, in which sources are spoilt and tested; the working tree stays as it is. Tests run
 * in a process of their own that loads the spoilt project again and again beside one Babylon: a mutant that a test of 10 ms
 * kills is dead in a tenth of a second, where Jest takes seconds.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applied, withProbes } from "./mutants";
import type { Mutant } from "./mutants";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The copy: it stays as it is while the working tree changes. */
export const COPY = join(ROOT, ".cache/mutate");
const OVERLAYS = join(COPY, ".cache/overlays");

/** What the tests of a mutant are drawn from; browsers are far too slow. */
const FOLDERS = ["test/unit", "test/physics", "test/regression", "test/fuzz"];
/** Files that measure what other tests in the process spoil, or test the playground, which is not in the copy. */
const UNFIT = /allocation\.test\.ts$|\/playground\//;
/** Files of ten seconds and more: left out unless everything is asked for. */
const SLOW = /\.long\.test\.ts$|(energy|resolution|hangingSheet|extremes|rest|spectrum)\.test\.ts$/;
/** Times that a fresh process may take to load Babylon on a busy machine, and later the project, in addition to a test's own [ms]. */
const LOADING = 40_000;
const RELOADING = 15_000;
/** Minutes that a test may take in the unchanged project. */
const SURVEY_PATIENCE = 10;
/** Every module of a generation stays in memory: after so many a fresh process takes over. */
const GENERATIONS = 40;

/** A test in the unchanged project. */
export interface Test {
    readonly file: string;
    /** Its number in the file. */
    readonly index: number;
    readonly name: string;
    readonly milliseconds: number;
    /** Indices of the mutants whose places it reaches. */
    readonly hits: number[];
    readonly error: string | null;
}

interface Order {
    wanted: readonly ({ file: string } | Pick<Test, "file" | "index" | "milliseconds">)[];
    isSurvey: boolean;
}

/** What the process says: one of these. */
interface Report {
    /** What begins, and how long it took in the unchanged project. */
    starting?: string;
    milliseconds?: number;
    result?: Test;
    /** Indices of the mutants that were reached when a test file was loaded. */
    loaded?: number[];
    /** All is done: what killed, and which of the wanted tests it was. */
    done?: string | null;
    at?: number;
}

interface Outcome {
    killer: string | null;
    at: number | undefined;
}

/** Renews the copy. */
export function makeCopy(): void {
    mkdirSync(OVERLAYS, { recursive: true });
    for (const name of ["src", "test", "docs", "playground", ".ci", "package.json", ".swcrc", "tsconfig.json"]) {
        rmSync(join(COPY, name), { recursive: true, force: true });
        cpSync(join(ROOT, name), join(COPY, name), { recursive: true });
    }
    if (!existsSync(join(COPY, "node_modules"))) symlinkSync(join(ROOT, "node_modules"), join(COPY, "node_modules"));
}

/** Files of a folder of the copy by their ending, paths from the root, sorted. */
export function filesOf(folder: string, ending: string): string[] {
    return readdirSync(join(COPY, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(ending))
        .map((name) => join(folder, name))
        .sort();
}

const texts = new Map<string, string>();

/** A source's text in the copy. */
export function read(file: string): string {
    let text = texts.get(file);
    if (text === undefined) texts.set(file, (text = readFileSync(join(COPY, file), "utf8")));
    return text;
}

/** The process that runs tests. */
export class Worker {
    private _process: ChildProcess | null = null;
    private _generation = 0;

    /**
     * Runs every test in the unchanged project: what each takes and which mutants it reaches.
     * @param isThorough with the slow files too
     * @returns those that pass; beside each other in one process, one or two do not
     */
    async survey(mutants: readonly Mutant[], isThorough: boolean, without: RegExp | null): Promise<Test[]> {
        const wanted = FOLDERS.flatMap((folder) => filesOf(folder, ".test.ts"))
            .filter((file) => !UNFIT.test(file) && (isThorough || !SLOW.test(file)) && !without?.test(file))
            .map((file) => ({ file }));
        const places = mutants.map((mutant, index) => ({ mutant, index }));
        const files = [...new Set(mutants.map(({ file }) => file))];
        const overlay: Record<string, string> = {};
        for (const [index, file] of files.entries()) {
            const itsPlaces = places.filter(({ mutant }) => mutant.file === file);
            overlay[file] = withProbes(file, read(file), itsPlaces, mutants.length + index);
        }
        const tests: Test[] = [];
        const atLoad = new Set<number>();
        const { killer: slowest } = await this._run(overlay, { wanted, isSurvey: true }, SURVEY_PATIENCE, ({ result, loaded }) => {
            for (const index of loaded ?? []) atLoad.add(index);
            if (result) tests.push(result);
        });
        for (const { hits } of tests) {
            const called = new Set(hits.filter((hit) => hit >= mutants.length).map((hit) => files[hit - mutants.length]));
            for (const index of atLoad) if (called.has(mutants[index]?.file)) hits.push(index);
        }
        this.stop();
        const bad = tests.filter(({ error }) => error);
        for (const { file, name, error } of bad)
            console.log(`left out, since it fails without any mutant: ${file}: ${name}\n${error}`);
        if (slowest || bad.length > 0.02 * tests.length)
            throw new Error(`The unchanged project fails: ${slowest ?? `${bad.length} tests`}`);
        return tests.filter(({ error }) => !error);
    }

    /**
     * Runs tests on a mutant, in order, until one fails, and fails again alone: tests in one process are beside each other.
     * @returns what killed it, or null
     */
    async killerOf(mutant: Mutant, tests: readonly Test[], patience: number): Promise<string | null> {
        const overlay = { [mutant.file]: applied(read(mutant.file), mutant) };
        const wanted = tests.map(({ file, index, milliseconds }) => ({ file, index, milliseconds }));
        for (let first = 0; ;) {
            const { killer, at } = await this._run(overlay, { wanted: wanted.slice(first), isSurvey: false }, patience);
            if (killer === null || at === undefined) return killer;
            const again = await this._run(overlay, { wanted: [wanted[first + at]], isSurvey: false }, patience);
            if (again.killer !== null) return killer;
            console.log(`failed once only: ${killer}`);
            first += at + 1;
        }
    }

    /** Ends the process. */
    stop(): void {
        this._process?.kill("SIGKILL");
        this._process = null;
    }

    private _run(
        overlay: Record<string, string>,
        order: Order,
        patience: number,
        onReport?: (report: Pick<Report, "result" | "loaded">) => void,
    ): Promise<Outcome> {
        if (this._generation++ % GENERATIONS === 0) this.stop();
        const loading = this._process && !order.isSurvey ? RELOADING : LOADING;
        const worker = (this._process ??= fork("test/mutate/worker/worker.mjs", {
            cwd: COPY,
            execArgv: ["--import", "./test/mutate/worker/register.mjs", "--max-old-space-size=3000"],
        }));
        const overlayPath = join(OVERLAYS, `${this._generation}.json`);
        writeFileSync(overlayPath, JSON.stringify(overlay));
        return new Promise((resolve) => {
            let timer: NodeJS.Timeout | undefined;
            const finish = (killer: string | null, at?: number): void => {
                clearTimeout(timer);
                worker.removeAllListeners();
                rmSync(overlayPath);
                resolve({ killer, at });
            };
            worker.on("message", (message: Report) => {
                clearTimeout(timer);
                if (message.done !== undefined) finish(message.done, message.at);
                else if (message.result || message.loaded) onReport!(message);
                else {
                    timer = setTimeout(
                        () => {
                            this.stop();
                            finish(`out of time: ${message.starting}`);
                        },
                        loading + patience * message.milliseconds!,
                    );
                }
            });
            worker.once("exit", () => {
                this._process = null;
                finish("the process ends");
            });
            worker.send({ ...order, generation: this._generation });
        });
    }
}
