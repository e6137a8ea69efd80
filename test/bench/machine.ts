/** What a result was measured with: a number without it means nothing. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { arch, cpus, platform, totalmem } from "node:os";

/** Machine and versions, for the report. */
export interface Machine {
    readonly date: string;
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    readonly node: string;
    readonly v8: string;
    /** Commit that was measured; ends in "+" where files differ from it. */
    readonly commit: string;
    readonly packages: Record<string, string>;
}

const PACKAGES = ["@babylonjs/core", "assemblyscript", "jolt-physics", "ammojs-typed", "cannon-es"];

/** Describes this machine now. */
export function describeMachine(): Machine {
    const require = createRequire(import.meta.url);
    const packages: Record<string, string> = {};
    for (const name of PACKAGES) packages[name] = (require(`${name}/package.json`) as { version: string }).version;
    return {
        date: new Date().toISOString().slice(0, 10),
        cpu: cpus()[0].model.trim(),
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
        system: `${platform()} ${arch()}`,
        node: process.version,
        v8: process.versions.v8,
        commit: git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "src") ? "+" : ""),
        packages,
    };
}

/** One line for the head of the tables. */
export function machineLine({ date, cpu, cores, system, node, commit, packages }: Machine): string {
    const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
    return [`${date}`, `${cpu}, ${cores} cores, ${system}`, `Node ${node}`, `commit ${commit}`, ...versions].join("; ");
}

function git(...args: string[]): string {
    try {
        return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
        return "";
    }
}
