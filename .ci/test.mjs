// npm test: type check, beside every test. Arguments go to Jest: npm test -- test/unit
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Tests at a time: a browser's leave their core idle for a third of the time, which counts where there are two. */
const workers = Math.max(3, availableParallelism());

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
            ...process.argv.slice(2),
        ],
        "inherit",
    ),
]);
console.log(types.status === 0 ? "\nno type errors" : `\n${types.text}\nThe type check failed, see above.`);
process.exit(types.status || tests.status);
