// The package's declarations, as TypeScript reads them in users' projects of all kinds.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { root } from "./browser";
import { consumer, writeIn } from "./consumer";

const project = consumer();

describe("declarations", () => {
    test("declare what users may name, and no insides", () => {
        const types = readFileSync(join(project.installed, "dist/index.d.ts"), "utf8");
        const declared = types.matchAll(/^(?:declare )?(?:abstract )?(?:const|class|interface|type|function|enum) (\w+)/gm);
        const exported = types.matchAll(/^export (?:type )?\{([^}]*)\};$/gm);
        expect(Array.from(declared, ([, name]) => name).sort()).toEqual(
            Array.from(exported, ([, names]) => names.trim().split(/,\s*/))
                .flat()
                .sort(),
        );
    });

    // The wrong assignments fail only where the types were found: an unresolved module would be `any`.
    const source = (head: string) => `${head}
        export function dress(mesh: Mesh): number {
            const cloth = new ClothBehavior({ wind: new Wind({ velocity: new Vector3(1, 0, 0) }) });
            mesh.addBehavior(cloth);
            const pin: Pin = cloth.pin(select.edge("-x"));
            cloth.unpin(pin);
            cloth.addCollider(mesh);
            // @ts-expect-error
            cloth.step("1");
            // @ts-expect-error
            select.edge("w");
            // @ts-expect-error
            const wrong: string = cloth.particleCount;
            return Object.keys(Fabrics).length + wrong.length;
        }`;
    const ours = (name: string) => `import { ClothBehavior, Fabrics, Wind, select } from "${name}";
        import type { Pin } from "${name}";
        // @ts-expect-error: a type only, nothing to construct
        import { Pin as NoValue } from "${name}"; new NoValue();`;
    const withCore = (ending = "") =>
        source(`${ours("babylon-cloth")}
        import "babylon-cloth/files";
        import { CLOTH_EXTENSION } from "babylon-cloth/loader";
        // @ts-expect-error
        export const notANumber: number = CLOTH_EXTENSION;
        import type { Mesh } from "@babylonjs/core/Meshes/mesh${ending}";
        import { Vector3 } from "@babylonjs/core/Maths/math.vector${ending}";`);
    const withUmd = source(`${ours("babylon-cloth/umd")} import { Mesh, Vector3 } from "babylonjs";`);
    const withGlobals = `/// <reference types="babylonjs" />
        /// <reference types="babylon-cloth/global" />
        declare const mesh: BABYLON.Mesh;
        const cloth: BABYLONCLOTH.ClothBehavior = new BABYLONCLOTH.ClothBehavior();
        mesh.addBehavior(cloth);
        // @ts-expect-error
        cloth.step("1");`;

    test.each<[string, Record<string, string>, Record<string, string>]>([
        ["bundler", { module: "ESNext" }, { "core.ts": withCore(), "umd.ts": withUmd, "globals.ts": withGlobals }],
        [
            "nodenext",
            { module: "NodeNext" },
            { "core.ts": withCore(".js"), "core.cts": withCore(".js"), "umd.ts": withUmd, "umd.cts": withUmd },
        ],
        ["node10", { module: "CommonJS", ignoreDeprecations: "6.0" }, { "core.ts": withCore(), "umd.ts": withUmd }],
    ])(
        "fit Babylon's with moduleResolution %s",
        (moduleResolution, options, files) => {
            const folder = `types-${moduleResolution}`;
            mkdirSync(join(project.folder, folder));
            for (const [name, text] of Object.entries(files)) writeIn(project.folder, `${folder}/${name}`, text);
            writeIn(
                project.folder,
                `${folder}/tsconfig.json`,
                JSON.stringify({
                    compilerOptions: {
                        ...options,
                        moduleResolution,
                        target: "ES2022",
                        lib: ["ES2022", "DOM"],
                        types: [],
                        strict: true,
                        noEmit: true,
                        preserveSymlinks: true,
                        skipLibCheck: true,
                    },
                    files: Object.keys(files),
                }),
            );
            const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
                cwd: project.folder,
                encoding: "utf8",
            });
            expect(stdout).toBe("");
        },
        240_000,
    );
});
