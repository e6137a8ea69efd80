// npm test: type check, beside the tests. Arguments go to Jest: npm test -- test/unit
// npm run test:all: those of test/fuzz, *.long.test.ts and longTest() too.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Test files at a time: those of browsers leave their core idle for a good part of the time, which counts where there are two. */
const workers = Math.max(4, availableParallelism());

const given = process.argv.slice(2).filter((argument) => argument !== "--all");
const isAll = process.argv.includes("--all");
if (isAll) process.env.CLOTH_TESTS = "all";
/** Files that are named are run, long or not. */
const left =
    isAll || given.some((argument) => !argument.startsWith("-"))
        ? []
        : ["--testPathIgnorePatterns=\\.long\\.test\\.ts$|/test/fuzz/"];

/** Runs Node. @returns its exit status, and what it wrote where that is not shown at once */
function run(args, stdio) {
    const child = spawn(process.execPath, args, { stdio });
    let text = "";
    child.stdout?.on("data", (data) => (text += data));
    return new Promise((resolve) => child.on("close", (status) => resolve({ status: status ?? 1, text })));
}

console.log("\n> tests, and type check");
const [types, tests] = await Promise.all([
    run(["node_modules/typescript/bin/tsc", "--noEmit"], ["ignore", "pipe", "inherit"]),
    run(
        [
            "--experimental-vm-modules",
            "--disable-warning=ExperimentalWarning",
            "node_modules/jest/bin/jest.js",
            `--maxWorkers=${workers}`,
            ...left,
            ...given,
        ],
        "inherit",
    ),
]);
console.log(types.status === 0 ? "\nno type errors" : `\n${types.text}\nThe type check failed, see above.`);
process.exit(types.status || tests.status);
