// Stands in for @jest/globals, with as much of it as the tests use: expect and the mocks are Jest's own, the rest only collects
// tests, so that they can be run one by one, in any order, in a process that lives on.
import { createRequire } from "node:module";
import { format } from "node:util";

const require = createRequire(import.meta.url);
export const { expect } = require("expect");
const { ModuleMocker } = require("jest-mock");
const mocker = new ModuleMocker(globalThis);
export const jest = {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    mocked: (mock) => mock,
};

const newGroup = (name, parent) => ({ name, parent, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], isSetUp: false });
let group = newGroup("", null);
let tests = [];

/** Collects the tests that `load` registers: { name, run, group }. */
export async function collect(load) {
    group = newGroup("", null);
    tests = [];
    await load();
    return tests;
}

export function describe(name, body) {
    const outer = group;
    group = newGroup(outer.name ? `${outer.name} ${name}` : name, outer);
    body();
    group = outer;
}

export function test(name, run) {
    tests.push({ name: `${group.name} ${name}`, run, group });
}

describe.each = each(describe);
test.each = each(test);
test.skip = () => {};
test.skip.each = () => () => {};

export function beforeAll(run) {
    group.beforeAll.push(run);
}
export function beforeEach(run) {
    group.beforeEach.push(run);
}
export function afterEach(run) {
    group.afterEach.push(run);
}
export function afterAll(run) {
    group.afterAll.push(run);
}

function each(register) {
    return (table) => (name, run) => {
        const isTable = table.every(Array.isArray);
        for (const row of table) {
            const values = isTable ? row : [row];
            register(titleOf(name, values), () => run(...values));
        }
    };
}

function titleOf(name, values) {
    let next = 0;
    const named = name.replace(/\$(\w+)/g, (whole, key) =>
        Object(values[0]) === values[0] && key in values[0] ? String(values[0][key]) : whole,
    );
    return named.replace(/%[sdipj]/g, () => format("%s", values[next++]));
}
