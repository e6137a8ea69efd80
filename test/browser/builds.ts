// What several test files look at is built once a run: by the first that asks, in a folder that all workers share.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { webpack } from "./browser";

/** Of this run of Jest (.ci/jestSetup.mjs), which takes it away at the end. */
const shared = (): string => process.env.CLOTH_BUILDS!;

/**
 * @param name of what is built
 * @param build writes it into the folder that it is given
 * @returns that folder, once all is in it
 */
export async function builtOnce(name: string, build: (folder: string) => void): Promise<string> {
    const folder = join(shared(), name);
    const [done, failed] = [`${folder}.done`, `${folder}.failed`];
    // Only one of those who ask can make the folder.
    if (mkdirSync(folder, { recursive: true }) !== undefined) {
        try {
            build(folder);
            writeFileSync(done, "");
        } catch (error) {
            writeFileSync(failed, "");
            throw error;
        }
    }
    while (!existsSync(done)) {
        if (existsSync(failed)) throw new Error(`${name} was not built; the test file that began it says why`);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return folder;
}

/** Folder of the playground's page, not minified. */
export const builtPage = (): Promise<string> =>
    builtOnce("page", (out) => webpack("--env", "playground", "--no-optimization-minimize", "--env", `out=${out}`));

/** Folder of the UMD file; of the build that CI has made, if there is one. */
export const builtUmd = (): Promise<string> => {
    const { CLOTH_DIST: dist } = process.env;
    return dist
        ? Promise.resolve(join(dist, "umd"))
        : builtOnce("umd", (out) => webpack("--config-name", "umd", "--env", `out=${out}`));
};
