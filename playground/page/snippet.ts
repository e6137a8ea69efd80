/**
 * A scene's source in the form that the online Babylon Playground takes: one JavaScript text that defines `createScene`
 * and uses the globals BABYLON and BABYLONCLOTH. It is put together from the modules as they stand, so it cannot differ
 * from what the page runs.
 */

/** Where the copied source loads the library from, in this version; the package's `jsdelivr` field names the UMD file. */
const LIBRARY = "https://cdn.jsdelivr.net/npm/babylon-cloth@0.1.0";

/**
 * @param id the scene
 * @param sources module texts by path, e.g. "scenes/flag"
 * @param assets data URLs by file name, for scenes that load a model
 */
export function toSnippet(id: string, sources: Record<string, string>, assets: Record<string, string> = {}): string {
    const paths = withImports([`scenes/${id}`, `looks/${id}`], sources);
    const modules = paths.map((path) => toJavaScript(sources[path]));
    const usesAssets = modules.some((text) => text.includes("assets["));
    const moves = /\bupdate\b/.test(modules[0]);
    return [
        "const createScene = async function () {",
        "    if (!globalThis.BABYLONCLOTH) {",
        `        await BABYLON.Tools.LoadScriptAsync("${LIBRARY}");`,
        "    }",
        "    const scene = new BABYLON.Scene(engine);",
        `    const world = await create(scene${usesAssets ? ", assets" : ""});`,
        "    decorate(scene, world);",
        ...(moves
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
        modules.join("\n"),
        ...(usesAssets
            ? ["/** The models, as data. */", `const assets = ${JSON.stringify(assets, null, 4)};`, ""]
            : []),
    ].join("\n");
}

/** The modules and all that they import from beside them, each once, in order of first use. */
function withImports(roots: string[], sources: Record<string, string>): string[] {
    const found = new Set<string>();
    const visit = (path: string): void => {
        if (found.has(path)) return;
        if (sources[path] === undefined) throw new Error(`Playground: the source of ${path} is not listed in page/sources.ts`);
        found.add(path);
        const folder = path.slice(0, path.indexOf("/"));
        for (const [, name] of sources[path].matchAll(/^import \{.*\} from "\.\/(\w+)";$/gm)) visit(`${folder}/${name}`);
    };
    for (const root of roots) visit(root);
    return [...found];
}

/**
 * A module without imports, exports and types. No parser: it knows the few forms that the scenes use, and a test runs
 * what comes out.
 */
export function toJavaScript(text: string): string {
    return text
        .split("\n")
        .filter((line) => !/^(import|type) /.test(line))
        .map((line) => (/^\s*(\/\*\*|\*|\/\/)/.test(line) ? line : withoutTypes(line)))
        .join("\n")
        .replace(/^\n+/, "");
}

function withoutTypes(line: string): string {
    return line
        .replace(/^export /, "")
        .replace(/ as (const\b|[A-Z][\w.]*(\[\])?)/g, "")
        .replace(/(function \w*)\((.*)\) \{$/, (_, head: string, parameters: string) => `${head}(${untyped(parameters)}) {`)
        .replace(/\(([\w\s,:.[\]]*)\) =>/g, (_, parameters: string) => `(${untyped(parameters)}) =>`);
}

/** "scene: BABYLON.Scene, assets: Record<string, string>" to "scene, assets". */
function untyped(parameters: string): string {
    return parameters.replace(/<[^<>]*>/g, "").replace(/\??: [\w.[\]]+/g, "");
}
