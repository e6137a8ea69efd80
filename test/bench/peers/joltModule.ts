/**
 * Loads Jolt's SIMD build in Node.
 *
 * The build's thread workers never start in Node: its last line reads `await import("node:worker_threads").workerData`, which
 * awaits a property of the promise, so a worker takes itself for the main thread, and loading waits for it for ever
 * (jolt-physics 1.1.0). While it loads, its workers are therefore given a script that starts them explicitly. With
 * `mMaxWorkerThreads = 0` they then sleep.
 */
import { createRequire } from "node:module";
import type { Worker as NodeWorker, WorkerOptions } from "node:worker_threads";
import type JoltModule from "jolt-physics/wasm-multithread";

export type Jolt = typeof JoltModule;

const BUILD = "jolt-physics/wasm-multithread";
const require = createRequire(import.meta.url);

let loading: Promise<Jolt> | undefined;

/** The module, loaded once a process. */
export function loadJolt(): Promise<Jolt> {
    loading ??= load();
    return loading;
}

async function load(): Promise<Jolt> {
    const threads = require("node:worker_threads") as { Worker: typeof NodeWorker };
    const original = threads.Worker;
    const source = `import start from ${JSON.stringify(import.meta.resolve(BUILD))}; start();`;
    const script = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
    const workers: NodeWorker[] = [];
    threads.Worker = class extends original {
        constructor(_script: string | URL, options?: WorkerOptions) {
            super(script, options);
            workers.push(this);
        }
    };
    try {
        const { default: start } = (await import("jolt-physics/wasm-multithread")) as { default: typeof JoltModule };
        return await start();
    } finally {
        threads.Worker = original;
        for (const worker of workers) worker.unref(); // a sleeping worker must not keep the process alive
    }
}

/** Version of the installed package and name of the build. */
export function joltVersion(): string {
    const { version } = require("jolt-physics/package.json") as { version: string };
    return `jolt-physics ${version} ${BUILD.slice(BUILD.indexOf("/") + 1)}`;
}
