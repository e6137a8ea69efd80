/** What the package adds to an app, and the size of the UMD file, where it has been built. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { appWith, extras, sizeOfApp } from "../appSize";
import { atMost, notMeasured } from "./report";
import type { Section } from "./report";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** Measures `dist/`. */
export async function bundleSection(): Promise<Section> {
    const title = "an app with ClothBehavior only, gzip";
    if (!existsSync(DIST)) return { tables: [], bars: [notMeasured(title, "<= 45 kB", "npm run build first")], data: null };
    const entry = (name: string): string => `./${name}.js`;
    const { gzip: app, later } = await sizeOfApp(appWith(entry), DIST);
    const rows: string[][] = [
        [title, kB(app)],
        ...Object.entries(later).map(([name, size]) => [`when it is wanted, ${name}`, kB(size)]),
    ];
    for (const [name, extra] of Object.entries(extras)) {
        rows.push([`${name} adds`, kB((await sizeOfApp(appWith(entry, extra), DIST)).gzip - app)]);
    }
    const umd = sizeOf(readFileSync(`${DIST}/umd/babylon-cloth.umd.js`));
    rows.push(["UMD file, with everything", kB(umd)]);
    return {
        tables: [{ title: "Bundle", columns: ["", "kB gzip"], rows }],
        bars: [atMost(title, app / 1000, 45, " kB")],
        data: { app, umd },
    };
}

/** Bytes after gzip. */
function sizeOf(bytes: Uint8Array): number {
    return gzipSync(bytes, { level: 9 }).length;
}

function kB(bytes: number): string {
    return (bytes / 1000).toFixed(1);
}
