/** What the package adds to an app, and the size of the UMD file, where it has been built. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { atMost, notMeasured } from "./report";
import type { Section } from "./report";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** Measures `dist/`. */
export async function bundleSection(): Promise<Section> {
    const title = "an app with ClothBehavior only, gzip";
    if (!existsSync(DIST)) return { tables: [], bars: [notMeasured(title, "<= 45 kB", "npm run build first")], data: null };
    const alone = 'export { ClothBehavior } from "./index.js";';
    const app = await sizeOfApp(alone);
    const extras: [string, string][] = [
        ["ClothBuilder", 'export { ClothBuilder } from "./index.js";'],
        ["ClothViewer", 'export { ClothViewer } from "./index.js";'],
        ["babylon-cloth/files", 'import "./files.js";'],
        ["babylon-cloth/loader", 'import "./loader.js";'],
    ];
    const rows: string[][] = [[title, kB(app)]];
    for (const [name, code] of extras) rows.push([`${name} adds`, kB((await sizeOfApp(alone + code)) - app)]);
    const umd = sizeOf(readFileSync(`${DIST}/umd/babylon-cloth.umd.js`));
    rows.push(["UMD file, with everything", kB(umd)]);
    return {
        tables: [{ title: "Bundle", columns: ["", "kB gzip"], rows }],
        bars: [atMost(title, app / 1000, 45, " kB")],
        data: { app, umd },
    };
}

/** Bytes of an app over the files of `dist/`, without Babylon. */
async function sizeOfApp(contents: string): Promise<number> {
    const { outputFiles } = await build({
        stdin: { contents, resolveDir: DIST },
        bundle: true,
        minify: true,
        format: "esm",
        external: ["@babylonjs/*"],
        logLevel: "error",
        write: false,
    });
    return sizeOf(outputFiles[0].contents);
}

function kB(bytes: number): string {
    return (bytes / 1000).toFixed(1);
}

/** Bytes after gzip. */
function sizeOf(bytes: Uint8Array): number {
    return gzipSync(bytes, { level: 9 }).length;
}
