/**
 * A scene's source in the form that the online Babylon Playground takes: one JavaScript text that defines `createScene`
 * and uses the globals BABYLON and BABYLONCLOTH. It is put together from the modules that the page runs, which the
 * TypeScript compiler has turned into JavaScript (sourceLoader.mjs), so it cannot differ from them.
 */
import type { Entry } from "../gallery";

/** URL of this version of the library for the copied source; the package's `jsdelivr` field names the UMD file. */
export const LIBRARY = "https://cdn.jsdelivr.net/npm/babylon-cloth@0.1.0";

/** Output of sourceLoader.mjs for a module. */
export interface Source {
    /** JavaScript without imports and exports. */
    text: string;
    /** Modules beside it, as "parts/paint". */
    imports: string[];
    /** Functions and parameters that it declares. */
    names: string[];
}

/**
 * @param scene the scene
 * @param load gives a module by its path below playground/, e.g. "scenes/flag"
 * @param loadAssets gives data URLs by file name, for scenes that load a model
 */
export async function toSnippet(
    { id, about }: Entry,
    load: (path: string) => Promise<Source>,
    loadAssets: () => Promise<Record<string, string>>,
): Promise<string> {
    const modules = await withImports(`scenes/${id}`, load);
    const { names } = modules[0];
    const assets = names.includes("assets") ? await loadAssets() : null;
    return [
        `// ${about.title}: ${about.text}`,
        "const createScene = async function () {",
        "    if (!globalThis.BABYLONCLOTH) {",
        `        await BABYLON.Tools.LoadScriptAsync("${LIBRARY}");`,
        "    }",
        "    const scene = new BABYLON.Scene(engine);",
        `    const world = await create(scene${assets ? ", assets" : ""});`,
        "    decorate(scene, world);",
        ...(names.includes("update")
            ? [
                  "",
                  "    let time = 0;",
                  "    scene.onBeforeAnimationsObservable.add(() => {",
                  "        time += Math.min(engine.getDeltaTime() / 1000, 1 / 15);",
                  "        world.update(time);",
                  "    });",
              ]
            : []),
        "    return scene;",
        "};",
        "",
        modules.map(({ text }) => text).join("\n\n"),
        "",
        ...(assets ? ["/** The models, as data. */", `const assets = ${JSON.stringify(assets, null, 4)};`, ""] : []),
    ].join("\n");
}

/** A module and all that it imports, each once, in order of first use. */
async function withImports(root: string, load: (path: string) => Promise<Source>): Promise<Source[]> {
    const found = new Map<string, Source>();
    const visit = async (path: string): Promise<void> => {
        if (found.has(path)) return;
        const source = await load(path);
        found.set(path, source);
        for (const imported of source.imports) await visit(imported);
    };
    await visit(root);
    return [...found.values()];
}
