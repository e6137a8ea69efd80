/** (b) The scenes as a section: all runs, the tables made of them, the plot, and the bars, which duels decide. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { duel } from "./duel";
import type { BenchOptions } from "./options";

import type { SweepRow } from "./peers/sweep";
import { plotCostAgainstStretch } from "./plot";
import { byScene, dominationTable, equalQualityTable, matchTable, rivals, standing } from "./quality";
import type { Rival, SceneRows } from "./quality";
import { atLeast, atMost, notMeasured, number, percent, withSpread } from "./report";
import type { Bar, Section, Table } from "./report";
import { runScenes, scenesTable, SCENE_TITLES } from "./scenes";

/** Least ratio to the best peer at equal or less stretch. */
const RATIO_BARS = [
    ["topRow", 64, 4],
    ["topRow", 64, 6],
    ["twoCorners", 64, 16],
    ["twoCorners", 128, 30],
    ["sphere", 64, 4],
    ["mesh", 64, 4],
] as const;

/** One rival met in turns. */
interface Duel extends Rival {
    /** Their time over ours; NaN without an answer of ours. */
    readonly ratio: number;
    readonly cells: readonly string[];
}

async function fight(rival: Rival, budget: number): Promise<Duel> {
    const { reason, theirs, ours } = rival;
    const quality = ({ measurement: m }: SweepRow): string => `${percent(m.meanStretch)} / ${percent(m.maxStretch)}`;
    const head = [
        SCENE_TITLES[theirs.scene.name],
        String(theirs.scene.resolution),
        reason,
        `${theirs.peer}, ${theirs.settings.label}`,
        quality(theirs),
    ];
    if (!ours) return { ...rival, ratio: NaN, cells: [...head, number(theirs.measurement.cpuMs), "none", "", "", "-"] };
    const result = await duel(theirs, ours, budget);
    const cells = [
        ...head,
        withSpread(result.theirs),
        ours.settings.label,
        quality(ours),
        withSpread(result.ours),
        withSpread(result.ratio),
    ];
    return { ...rival, ratio: result.ratio.median, cells };
}

/** Bars that compare with the best peer, and the table of their duels. */
async function fightAll(rows: readonly SweepRow[], isFull: boolean): Promise<{ bars: Bar[]; table: Table; duels: Duel[] }> {
    const met = new Map<SceneRows, Duel[]>();
    const bars: Bar[] = [];
    const scenes = byScene(rows);
    for (const [name, resolution, limit] of RATIO_BARS) {
        const title = `${SCENE_TITLES[name]} ${resolution}², best peer over ours at equal stretch${limit === 6 ? ", contiguous path" : ""}`;
        const scene = scenes.find(({ rows: [row] }) => row.scene.name === name && row.scene.resolution === resolution);
        if (!scene) {
            bars.push(notMeasured(title, `>= ${limit}x`, "not in this run"));
            continue;
        }
        if (!met.has(scene)) {
            const duels: Duel[] = [];
            for (const rival of rivals(scene)) duels.push(await fight(rival, isFull ? 8000 : 1500));
            met.set(scene, duels);
        }
        const duels = met.get(scene)!;
        const note = duels.map(
            ({ reason, theirs, ratio }) => `${reason}: ${theirs.peer} ${theirs.settings.label} ${number(ratio)}x`,
        );
        bars.push(atLeast(title, duels[0]?.ratio ?? NaN, limit, "x", note.join("; ")));
    }
    const duels = [...met.values()].flat();
    return {
        bars,
        duels,
        table: {
            title: "Duels: settings of peers against ours that stretch no more, in turns",
            columns: [
                "scene",
                "n",
                "against ",
                "setting ",
                "mean / max %",
                "ms",
                "our substeps",
                "mean / max %",
                "ours ms",
                "ratio",
            ],
            rows: duels.map(({ cells }) => cells),
        },
    };
}

function dominationBar(rows: readonly SweepRow[]): Bar {
    let count = 0;
    const better: string[] = [];
    for (const { ours, others, title, resolution } of byScene(rows)) {
        for (const row of others) {
            if (row.measurement.status !== "done") continue;
            count++;
            if (standing(row, ours, "meanStretch") === "dominates")
                better.push(`${title} ${resolution}² ${row.peer} ${row.settings.label}`);
        }
    }
    return atMost(
        `settings of peers both cheaper and less stretched than ours, of ${count}`,
        better.length,
        0,
        "",
        better.join("; "),
    );
}

/** Runs everything. */
export async function scenesSection(options: BenchOptions, caption: string): Promise<Section> {
    const rows = await runScenes(options);
    mkdirSync(dirname(options.plotPath), { recursive: true });
    writeFileSync(
        options.plotPath,
        plotCostAgainstStretch(
            rows,
            options.resolutions.filter((n) => n === 64 || (options.isFull && n === 128)),
            caption,
        ),
    );
    const { bars, table, duels } = await fightAll(rows, options.isFull);
    bars.push(dominationBar(rows));
    return {
        tables: [
            scenesTable(rows),
            equalQualityTable(rows),
            matchTable(rows),
            dominationTable(rows, "meanStretch"),
            dominationTable(rows, "maxStretch"),
            table,
        ],
        bars,
        data: {
            rows,
            duels: duels.map(({ reason, theirs, ours, ratio }) => ({
                scene: theirs.scene.name,
                resolution: theirs.scene.resolution,
                reason,
                peer: theirs.peer,
                setting: theirs.settings.label,
                ourSetting: ours?.settings.label ?? null,
                ratio,
            })),
        },
    };
}
