/**
 * (b) Two corners, top row and free on a sphere, every peer at every setting of its sweep, side by side in one process. The
 * quick run tries only powers of two of substeps, and stops where a peer has taken its time or stretches little enough.
 */
import { cpuTime } from "./timing";
import type { BenchOptions } from "./options";
import { oursPeer } from "./ours";
import { peers } from "./peers/index";
import { createScene, isOnSphere } from "./peers/peer";
import type { Peer, PeerScene, PeerSettings, SceneName } from "./peers/peer";
import { sweep } from "./peers/sweep";
import type { SweepRow } from "./peers/sweep";
import { number, percent } from "./report";
import type { Table } from "./report";

export const SCENES: readonly SceneName[] = ["topRow", "twoCorners", "sphere", "mesh"];

/** How the scenes are called in tables. */
export const SCENE_TITLES: Record<SceneName, string> = {
    topRow: "top row",
    twoCorners: "two corners",
    sphere: "free on a sphere",
    mesh: "free on a sphere of triangles",
};

/** True if a row is ours. */
export function isOurs(row: SweepRow): boolean {
    return row.peer.startsWith("ours");
}

/** What one peer may take in one scene. */
interface Budget {
    /** Longest run [s]. */
    readonly run: number;
    /** Processor time after which no further setting is tried [s]. */
    readonly total: number;
    /** Mean and max stretch below which costlier settings are left out. */
    readonly enough: readonly [number, number];
}

const QUICK: Budget = { run: 12, total: 4, enough: [0.008, 0.1] };
/** Jolt with two pins is what the highest bars compare with. */
const QUICK_JOLT: Budget = { run: 12, total: 10, enough: [0.004, 0.03] };
const QUICK_JOLT_CORNERS: Budget = { ...QUICK_JOLT, total: 30 };
const QUICK_OURS: Budget = { run: 12, total: 5, enough: [0, 0] };
const FULL: Budget = { run: 90, total: 600, enough: [0, 0] };

const QUICK_SUBSTEPS = [1, 2, 4, 8, 16, 32];
const FULL_SUBSTEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48];

/** Runs all scenes. */
export async function runScenes(options: BenchOptions): Promise<SweepRow[]> {
    const ours = oursPeer(options.isFull ? FULL_SUBSTEPS : QUICK_SUBSTEPS);
    const rows: SweepRow[] = [];
    for (const resolution of options.resolutions) {
        for (const name of SCENES) {
            const scene = createScene(name, resolution);
            const all: Peer[] = [ours, ...peers];
            for (const peer of name === "mesh" ? all.filter((each) => each.meetsMeshes) : all)
                rows.push(...(await runPeer(peer, scene, options.isFull ? FULL : quickBudget(peer, name))));
        }
    }
    return rows;
}

function quickBudget(peer: Peer, scene: SceneName): Budget {
    if (peer.name.startsWith("ours")) return QUICK_OURS;
    if (peer.name !== "Jolt") return QUICK;
    return scene === "twoCorners" ? QUICK_JOLT_CORNERS : QUICK_JOLT;
}

/** Whether a quick run tries the setting. */
function isPowerOfTwo(settings: PeerSettings): boolean {
    const { substeps = 1 } = settings as { substeps?: number };
    return (substeps & (substeps - 1)) === 0;
}

async function runPeer(peer: Peer, scene: PeerScene, budget: Budget): Promise<SweepRow[]> {
    const rows: SweepRow[] = [];
    const end = cpuTime() + 1000 * budget.total;
    for (const settings of peer.settings(scene)) {
        if (budget !== FULL && !isPowerOfTwo(settings)) continue;
        rows.push(...(await sweep(peer, scene, { budgetSeconds: budget.run }, [settings])));
        const { status, meanStretch, maxStretch } = rows[rows.length - 1].measurement;
        const [enoughMean, enoughMax] = budget.enough;
        if (status === "skipped" || (meanStretch <= enoughMean && maxStretch <= enoughMax) || cpuTime() > end) break;
    }
    const [first] = rows;
    process.stderr.write(`  ${scene.name} ${scene.resolution}² ${first.peer}: ${rows.length} settings\n`);
    return rows;
}

/** Every run, one line each. */
export function scenesTable(rows: readonly SweepRow[]): Table {
    return {
        title: "Scenes: every run (10 s at 60 Hz; stretch over the last 2 s)",
        columns: [
            "scene",
            "n",
            "peer ",
            "setting ",
            "median ms",
            "p95 ms",
            "wall median",
            "mean %",
            "max %",
            "end mean %",
            "end max %",
            "depth mm",
            "rest s",
        ],
        rows: rows.map(({ scene, peer, settings, measurement: m }) => [
            SCENE_TITLES[scene.name],
            String(scene.resolution),
            peer,
            settings.label,
            number(m.cpuMs),
            number(m.p95Ms),
            number(m.medianMs),
            ...(m.status === "done"
                ? [
                      percent(m.meanStretch),
                      percent(m.maxStretch),
                      percent(m.finalMeanStretch),
                      percent(m.finalMaxStretch),
                      isOnSphere(scene) ? number(1000 * m.penetration) : "",
                      m.settledFrame < 0 ? "-" : (m.settledFrame * scene.frameSeconds).toFixed(1),
                  ]
                : [m.status, "", "", "", "", ""]),
        ]),
        note:
            "Median ms: processor time of a step. p95 and wall median: wall time, which other processes disturb. Rest: from when " +
            "the mean speed stays below 0.05 m/s. Skipped: the run would have taken longer than its budget.",
    };
}
