// Jest reporter: leaves the number of passed and failed tests where .ci/run finds them.
import { mkdirSync, writeFileSync } from "node:fs";

export default class CountsReporter {
    onRunComplete(_contexts, results) {
        // A file that does not load has no failed test of its own; it counts as one.
        const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
        mkdirSync(".cache", { recursive: true });
        writeFileSync(".cache/testCounts.json", JSON.stringify({ passed: results.numPassedTests, failed }));
    }
}
