// Runs tests of one generation of the project after another; the parent says which (workshop.ts).
import { collect } from "./globals.mjs";

const root = new URL("../../../", import.meta.url);
// An element for each mutant: kernels' loops reach their places millions of times.
const hits = (globalThis.mutantHits = new Uint8Array(100_000));
const takeHits = () => {
    const taken = [];
    for (let i = hits.indexOf(1); i >= 0; i = hits.indexOf(1, i + 1)) taken.push(i);
    hits.fill(0);
    return taken;
};
// Babylon and the tests are free to print; it is of no interest here.
for (const name of ["log", "warn", "error", "info"]) console[name] = () => {};
process.on("unhandledRejection", () => {});

process.on("message", async ({ generation, wanted, isSurvey }) => {
    const files = new Map();
    const load = async (file) => {
        if (!files.has(file)) files.set(file, await collect(() => import(`${new URL(file, root).href}?${generation}`)));
        return files.get(file);
    };
    if (isSurvey) {
        for (const { file } of wanted) {
            process.send({ starting: file, milliseconds: 60_000 });
            let tests;
            try {
                tests = await load(file);
            } catch (error) {
                process.send({ done: `${file} does not load: ${error.message}` });
                return;
            }
            process.send({ loaded: takeHits() });
            for (let index = 0; index < tests.length; index++) {
                process.send({ starting: tests[index].name, milliseconds: 60_000 });
                const began = performance.now();
                const error = await runTest(tests[index]);
                const milliseconds = performance.now() - began;
                process.send({
                    result: {
                        file,
                        index,
                        name: tests[index].name,
                        milliseconds,
                        error,
                        hits: takeHits(),
                    },
                });
            }
            await endFile(tests);
        }
        process.send({ done: null });
        return;
    }
    let killer = null;
    let at;
    try {
        for (const [position, { file, index, milliseconds }] of wanted.entries()) {
            process.send({ starting: file, milliseconds });
            const tests = await load(file);
            const error = await runTest(tests[index]);
            if (error) {
                killer = `${file}: ${tests[index].name}`;
                at = position;
                break;
            }
        }
    } catch (error) {
        killer = `does not load: ${error.message}`;
    }
    for (const tests of files.values()) await endFile(tests);
    process.send({ done: killer, at });
});

const chainOf = (group) => (group ? [...chainOf(group.parent), group] : []);

/** The error of a failed test, or null. */
async function runTest({ run, group }) {
    const groups = chainOf(group);
    let failure = null;
    const attempt = async (call) => {
        try {
            await call();
        } catch (error) {
            failure ??= error;
        }
    };
    await attempt(async () => {
        for (const each of groups) {
            if (!each.isSetUp) for (const call of each.beforeAll) await call();
            each.isSetUp = true;
        }
        for (const each of groups) for (const call of each.beforeEach) await call();
        await run();
    });
    for (const each of groups.reverse()) for (const call of each.afterEach) await attempt(call);
    return failure ? String(failure.stack ?? failure) : null;
}

async function endFile(tests) {
    for (const group of new Set(tests.flatMap((test) => chainOf(test.group)))) {
        for (const call of group.isSetUp ? group.afterAll : []) {
            try {
                await call();
            } catch {
                // The tests have had their say.
            }
        }
    }
}
