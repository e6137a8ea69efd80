// Jest's global set-up: a folder for what the test files of one run build for each other (test/browser/builds.ts).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function () {
    const folder = mkdtempSync(join(tmpdir(), "babylon-cloth-builds-"));
    // Workers start later, and have this.
    process.env.CLOTH_BUILDS = folder;
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
