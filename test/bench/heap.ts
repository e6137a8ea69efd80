/** What a run of code allocates on V8's heap, and which functions do it. */
import { Session } from "node:inspector";
import type { HeapProfiler } from "node:inspector";
import { GCProfiler, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all garbage. */
export function collectGarbage(): void {
    collect();
    collect();
}

/**
 * Bytes that one call allocates, over many calls: the least of several runs, as V8's own work (compiling, moving its limits)
 * comes and goes, but what a call allocates is there in each. What one reading of the heap costs is taken off. Runs in which
 * garbage was collected do not count: they would show what was left of it. Infinity: it was, in each of them.
 */
export function bytesPerCall(run: () => void, calls: number, runs = 5): number {
    for (let i = 0; i < calls; i++) run();
    let least = Infinity;
    for (let r = 0; r < runs; r++) {
        collectGarbage();
        const collections = new GCProfiler();
        collections.start();
        const empty = getHeapStatistics().used_heap_size;
        const before = getHeapStatistics().used_heap_size;
        for (let i = 0; i < calls; i++) run();
        const after = getHeapStatistics().used_heap_size;
        if (collections.stop()!.statistics.length === 0) least = Math.min(least, after - before - (before - empty));
    }
    return Math.max(0, least) / calls;
}

/** A function and the bytes that it allocated. */
export interface Allocator {
    readonly name: string;
    readonly bytes: number;
}

/** Names the functions that allocate in `run`, most first, by sampling. */
export function allocatorsOf(run: () => void): Allocator[] {
    const session = new Session();
    session.connect();
    let profile: HeapProfiler.SamplingHeapProfile | undefined;
    const options = { samplingInterval: 128, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
    session.post("HeapProfiler.startSampling", options as HeapProfiler.StartSamplingParameterType);
    run();
    session.post("HeapProfiler.stopSampling", (error, result) => {
        if (!error) profile = result.profile;
    });
    session.disconnect();
    const totals = new Map<string, number>();
    const visit = (node: HeapProfiler.SamplingHeapProfileNode): void => {
        const { functionName, url, lineNumber } = node.callFrame;
        const name = `${functionName || "(anonymous)"} ${url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, "")}:${lineNumber + 1}`;
        if (node.selfSize > 0) totals.set(name, (totals.get(name) ?? 0) + node.selfSize);
        node.children.forEach(visit);
    };
    if (profile) visit(profile.head);
    return Array.from(totals, ([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}
