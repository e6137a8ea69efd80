// What an app that names one thing of the package downloads of it.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What an app that has ClothBehavior may name beside it, by title: imports of these names, or a further way in for what it does. */
export const extras: Record<string, readonly string[] | "files" | "loader"> = {
    Wind: ["Wind"],
    "select, readMask": ["select", "readMask"],
    "SoftHold, LooseHold, RailHold": ["SoftHold", "LooseHold", "RailHold"],
    ClothBuilder: ["ClothBuilder"],
    RopeBehavior: ["RopeBehavior"],
    PlantBehavior: ["PlantBehavior"],
    StickBodyBehavior: ["StickBodyBehavior"],
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
    /** The same of files that are loaded where they are wanted: kernels for who has no WebAssembly. */
    readonly later: number;
}

/**
 * Bundles an app as bundlers do that split it, Babylon left out.
 * @param contents the app's source
 * @param resolveDir where its imports are looked for
 */
export async function sizeOfApp(contents: string, resolveDir: string): Promise<AppSize> {
    const { outputFiles } = await build({
        stdin: { contents, resolveDir, sourcefile: "app.js" },
        bundle: true,
        minify: true,
        splitting: true,
        format: "esm",
        outdir: "out",
        entryNames: "app",
        chunkNames: "[name]",
        external: ["@babylonjs/*"],
        preserveSymlinks: true,
        logLevel: "error",
        write: false,
    });
    const gzip = (files: readonly { contents: Uint8Array }[]): number =>
        files.reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);
    const isLater = ({ path }: { path: string }): boolean => /scalar\.js$/.test(path);
    const atOnce = outputFiles.filter((file) => !isLater(file));
    return { text: atOnce.map(({ text }) => text).join("\n"), gzip: gzip(atOnce), later: gzip(outputFiles.filter(isLater)) };
}
