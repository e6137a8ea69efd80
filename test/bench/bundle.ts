/** Size of the UMD file, where it has been built. */
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { atMost, notMeasured } from "./report";
import type { Section } from "./report";

const FILE = new URL("../../dist/umd/babylon-cloth.umd.js", import.meta.url);

/** Measures `dist/`. */
export function bundleSection(): Section {
    if (!existsSync(FILE)) {
        return { tables: [], bars: [notMeasured("UMD file, gzip", "<= 45 kB", "npm run build first")], data: null };
    }
    const bytes = gzipSync(readFileSync(FILE), { level: 9 }).length;
    return { tables: [], bars: [atMost("UMD file, gzip", bytes / 1000, 45, " kB")], data: { bytes } };
}
