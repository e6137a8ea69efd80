// What an app that names one thing of the package downloads of it.
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What an app that has ClothBehavior may name beside it, by title: imports of these names, or a further way in for what it does. */
export const extras: Record<string, readonly string[] | "files" | "loader"> = {
    Wind: ["Wind"],
    "select, readMask": ["select", "readMask"],
    "SoftHold, MaxDistanceHold, RailHold, PlaneHold": ["SoftHold", "MaxDistanceHold", "RailHold", "PlaneHold"],
    ClothBuilder: ["ClothBuilder"],
    RopeBehavior: ["RopeBehavior"],
    PlantBehavior: ["PlantBehavior"],
    RigidBodyBehavior: ["RigidBodyBehavior"],
    Ragdoll: ["Ragdoll"],
    BoneChainBehavior: ["BoneChainBehavior"],
    attachAsync: ["attachAsync"],
    ClothParticles: ["ClothParticles"],
    FabricMaterials: ["FabricMaterials"],
    Colliders: ["Colliders"],
    ClothPicker: ["ClothPicker"],
    ClothTearing: ["ClothTearing"],
    ClothBaker: ["ClothBaker"],
    VertexAnimation: ["VertexAnimation"],
    ClothInspector: ["ClothInspector"],
    "ClothViewer, ClothMeasures": ["ClothViewer", "ClothMeasures"],
    "babylon-cloth/files": "files",
    "babylon-cloth/loader": "loader",
};

/** The source of an app that names nothing but ClothBehavior, or an extra too. @param entry where a way in is imported from */
export function appWith(entry: (name: string) => string, extra?: (typeof extras)[string]): string {
    const names = ["ClothBehavior", ...(Array.isArray(extra) ? extra : [])];
    const more = typeof extra === "string" ? `import "${entry(extra)}";` : "";
    return `export { ${names.join(", ")} } from "${entry("index")}"; ${more}`;
}

export interface AppSize {
    /** What is loaded at once, minified. */
    readonly text: string;
    /** Bytes of that after gzip of level 9. */
    readonly gzip: number;
    /** The same of each file that is loaded when it is first wanted, by its name. */
    readonly later: Readonly<Record<string, number>>;
}

/**
 * Bundles an app as bundlers do that split it, Babylon left out.
 * @param contents the app's source
 * @param resolveDir where its imports are looked for
 */
export async function sizeOfApp(contents: string, resolveDir: string): Promise<AppSize> {
    const { outputFiles, metafile } = await build({
        stdin: { contents, resolveDir, sourcefile: "app.js" },
        bundle: true,
        minify: true,
        splitting: true,
        format: "esm",
        outdir: "out",
        metafile: true,
        entryNames: "app",
        chunkNames: "[name]-[hash]",
        external: ["@babylonjs/*"],
        preserveSymlinks: true,
        logLevel: "error",
        write: false,
    });
    const { outputs } = metafile;
    const first = Object.keys(outputs).find((path) => path.endsWith("app.js"))!;
    // What it imports, and so on; a set goes on to what is added to it.
    const atOnce = new Set([first]);
    for (const path of atOnce) {
        for (const { path: imported, kind, external } of outputs[path].imports) {
            if (kind === "import-statement" && !external) atOnce.add(imported);
        }
    }
    const files = outputFiles.map(({ path, text, contents }) => ({
        name: Object.keys(outputs).find((output) => basename(output) === basename(path))!,
        text,
        gzip: gzipSync(contents, { level: 9 }).length,
    }));
    const here = files.filter(({ name }) => atOnce.has(name));
    const later = files
        .filter(({ name }) => !atOnce.has(name))
        .map(({ name, gzip }) => [basename(name).replace(/-[^-]*$/, ""), gzip] as const);
    return {
        text: here.map(({ text }) => text).join("\n"),
        gzip: here.reduce((sum, { gzip }) => sum + gzip, 0),
        later: Object.fromEntries(later),
    };
}
