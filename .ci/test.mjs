// npm test: type check, then every test. Arguments go to Jest: npm test -- test/unit
import { spawnSync } from "node:child_process";

function run(title, args) {
    console.log(`\n> ${title}`);
    return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
}

const typeErrors = run("type check", ["node_modules/typescript/bin/tsc", "--noEmit"]);
if (typeErrors === 0) console.log("no type errors");
const failures = run("tests", [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    "node_modules/jest/bin/jest.js",
    ...process.argv.slice(2),
]);
if (typeErrors !== 0) console.error("\nThe type check failed, see above.");
process.exit(typeErrors || failures);
