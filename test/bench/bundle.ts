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
    const { outputFiles } = await build({
        stdin: { contents: 'export { ClothBehavior } from "./index.js";', resolveDir: DIST },
        bundle: true,
        minify: true,
        format: "esm",
        external: ["@babylonjs/*"],
        logLevel: "error",
        write: false,
    });
    const app = sizeOf(outputFiles[0].contents);
    const umd = sizeOf(readFileSync(`${DIST}/umd/babylon-cloth.umd.js`));
    return {
        tables: [
            { title: "Bundle", columns: ["file ", "kB gzip"], rows: [["UMD file, with everything", (umd / 1000).toFixed(1)]] },
        ],
        bars: [atMost(title, app / 1000, 45, " kB")],
        data: { app, umd },
    };
}

/** Bytes after gzip. */
function sizeOf(bytes: Uint8Array): number {
    return gzipSync(bytes, { level: 9 }).length;
}
