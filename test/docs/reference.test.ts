// docs/reference against the code: every name that there is, and every default.
import { describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClothBehavior, ClothBuilder, Colliders, Fabrics, Wind, WindSpeeds, select } from "babylon-cloth";
import { readPages } from "./blocks";

const reference = readPages(process.cwd())
    .filter(({ path }) => path.startsWith("docs/reference"))
    .map(({ text }) => text)
    .join("\n");

/** Rows of the table under a heading: name and default, as code. */
function rowsOf(heading: string): [string, string][] {
    const section = reference.split(/^##? /m).find((part) => part.startsWith(`${heading}\n`))!;
    return [...section.matchAll(/^\| `(\w+)` \|[^|]*\| `([^`]+)` \|/gm)].map(([, name, value]) => [name, value]);
}

describe("the reference names everything there is, with its default", () => {
    const evaluate = (text: string): unknown =>
        new Function("Fabrics", "vector", `return ${text.replace(/^\(/, "vector(")};`)(
            Fabrics,
            (x: number, y: number, z: number) => ({ x, y, z }),
        );

    /** The properties of a class, inherited ones too. */
    const membersOf = (prototype: object): [string, PropertyDescriptor][] =>
        prototype === Object.prototype
            ? []
            : [
                  ...Object.entries(Object.getOwnPropertyDescriptors(prototype)),
                  ...membersOf(Object.getPrototypeOf(prototype) as object),
              ];

    /** Those that can be assigned. */
    const settable = (prototype: object) =>
        membersOf(prototype)
            .filter(([, { set }]) => set)
            .map(([name]) => name)
            .sort();

    test("options", () => {
        const rows = rowsOf("Options");
        expect(rows.map(([name]) => name).sort()).toEqual(settable(ClothBehavior.prototype));
        const cloth = new ClothBehavior();
        for (const [name, value] of rows) expect([name, cloth[name as keyof ClothBehavior]]).toEqual([name, evaluate(value)]);
    });

    test("fabric", () => {
        expect(Object.fromEntries(rowsOf("Fabric").map(([name, value]) => [name, evaluate(value)]))).toEqual(Fabrics.cotton);
        for (const name of Object.keys(Fabrics)) expect(reference).toContain(`\`${name}\``);
    });

    test("wind", () => {
        const rows = rowsOf("Wind");
        expect(rows.map(([name]) => name).sort()).toEqual(settable(Wind.prototype));
        const wind = new Wind();
        const { x, y, z } = wind.velocity;
        const defaults = Object.fromEntries(
            rows.map(([name]) => [name, name === "velocity" ? { x, y, z } : wind[name as keyof Wind]]),
        );
        expect(defaults).toEqual(Object.fromEntries(rows.map(([name, value]) => [name, evaluate(value)])));
    });

    test("selections", () => {
        for (const name of Object.keys(select)) expect(reference).toContain(`\`select.${name}(`);
    });

    test("methods and readings", () => {
        const babylon = ["constructor", "init", "attach", "detach", "name"];
        const cloth = new ClothBehavior();
        const members = membersOf(ClothBehavior.prototype).map(([name]) => name);
        const names = [...members, ...Object.keys(cloth)].filter((name) => !name.startsWith("_") && !babylon.includes(name));
        for (const name of names) expect([name, new RegExp(`\\b${name}\\b`).test(reference)]).toEqual([name, true]);
        const stats = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(cloth.stats))).filter(
            (name) => !/^_|constructor/.test(name),
        );
        for (const name of stats) expect([name, reference.includes(`\`${name}\``)]).toEqual([name, true]);
    });

    test("handles", () => {
        const handles = ["behaviors/types", "colliders/colliderOptions", "pins/pinHold"]
            .map((file) => readFileSync(join(process.cwd(), `src/babylon/${file}.ts`), "utf8"))
            .join("\n");
        for (const handle of ["Pin", "Collider"]) {
            const [, body] = new RegExp(`^export interface ${handle} \\{([^]*?)^\\}`, "m").exec(handles)!;
            const names = Array.from(body.matchAll(/^ {4}(?:readonly )?(\w+)[:(]/gm), ([, name]) => name);
            expect(names).not.toEqual([]);
            for (const name of names) expect(reference).toContain(`\`${handle.toLowerCase()}.${name}\``);
        }
    });

    test("colliders of a scene", () => {
        for (const name of Object.keys(Colliders)) expect(reference).toContain(`\`Colliders.${name}(`);
    });

    test("builders and their winds", () => {
        const rows = Array.from(reference.matchAll(/^\| `(Create\w+|Subdivide)` \|/gm), ([, name]) => name);
        expect(rows).toEqual(Object.keys(ClothBuilder));
        for (const [name, speed] of Object.entries(WindSpeeds)) expect(reference).toContain(`\`${name}\` ${speed}`);
    });

    test("the reference's error is the one that is thrown", () => {
        expect(() => new ClothBehavior({ substepCount: 0 })).toThrow(/^`(.*, got 0)`$/m.exec(reference)![1]);
    });
});
