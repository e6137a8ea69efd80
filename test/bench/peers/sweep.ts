/** Runs a peer through the settings of its sweep, and picks the cheapest of each quality. */
import { createGrid } from "./grid";
import { measure, type Measurement } from "./measure";
import type { Peer, PeerScene, PeerSettings } from "./peer";

/** One run. */
export interface SweepRow {
    readonly peer: string;
    readonly version: string;
    readonly scene: PeerScene;
    readonly settings: PeerSettings;
    readonly measurement: Measurement;
}

/** What a sweep may cost. */
export interface SweepOptions {
    /** Longest run [s]; a setting predicted to take longer is skipped, and so are the costlier ones after it. */
    readonly budgetSeconds: number;
    /** Sees each row as soon as it is measured. */
    readonly onRow?: (row: SweepRow) => void;
}

/** Measures a peer in one scene with each of its settings, or with the given ones. */
export async function sweep<Settings extends PeerSettings>(
    peer: Peer<Settings>,
    scene: PeerScene,
    options: SweepOptions,
    settingsList = peer.settings(scene),
): Promise<SweepRow[]> {
    const grid = createGrid(scene);
    const rows: SweepRow[] = [];
    for (const settings of settingsList) {
        const cloth = await peer.create(scene, settings);
        const measurement = measure(cloth, scene, grid, options.budgetSeconds);
        cloth.dispose();
        const row = { peer: peer.name, version: peer.version, scene, settings, measurement };
        rows.push(row);
        options.onRow?.(row);
        if (measurement.status === "skipped") break;
    }
    return rows;
}

/** The cheapest finished run whose stretch is within both limits, by processor time; undefined if none is. */
export function cheapest(rows: readonly SweepRow[], maxMeanStretch: number, maxMaxStretch = Infinity): SweepRow | undefined {
    let best: SweepRow | undefined;
    for (const row of rows) {
        const { status, meanStretch, maxStretch, cpuMs } = row.measurement;
        if (status !== "done" || meanStretch > maxMeanStretch || maxStretch > maxMaxStretch) continue;
        if (!best || cpuMs < best.measurement.cpuMs) best = row;
    }
    return best;
}

const COLUMNS = [
    ["peer", -16],
    ["scene", -10],
    ["n", 4],
    ["setting", -16],
    ["cpu ms", 9],
    ["median ms", 10],
    ["p95 ms", 9],
    ["min ms", 9],
    ["mean %", 8],
    ["max %", 8],
    ["final %", 8],
    ["fin max %", 9],
    ["depth mm", 9],
    ["settled", 8],
] as const;

/** Header of the table whose lines `formatRow` makes. */
export function formatHeader(): string {
    return formatCells(COLUMNS.map(([title]) => title));
}

/** One line of the table: times [ms], stretch [%], penetration [mm], settling [frame]. */
export function formatRow({ peer, scene, settings, measurement: m }: SweepRow): string {
    const times = [m.cpuMs, m.medianMs, m.p95Ms, m.minMs].map((milliseconds) => milliseconds.toFixed(3));
    const stretch = [m.meanStretch, m.maxStretch, m.finalMeanStretch, m.finalMaxStretch];
    const quality =
        m.status === "done"
            ? [
                  ...stretch.map((value) => (100 * value).toFixed(2)),
                  (1000 * m.penetration).toFixed(1),
                  m.settledFrame < 0 ? "-" : String(m.settledFrame),
              ]
            : [m.status];
    return formatCells([peer, scene.name, String(scene.resolution), settings.label, ...times, ...quality]);
}

/** Pads to the columns' widths; a negative width aligns to the left. */
function formatCells(cells: readonly string[]): string {
    const padded = cells.map((cell, i) => {
        const width = COLUMNS[i][1];
        return width < 0 ? cell.padEnd(-width) : cell.padStart(width);
    });
    return padded.join(" ");
}
