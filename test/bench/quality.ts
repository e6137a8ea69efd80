/** Cost at equal quality: what each peer pays for a stretch, and what we pay for the stretch of each peer's setting. */
import { cheapest } from "./peers/sweep";
import type { SweepRow } from "./peers/sweep";
import { number, percent } from "./report";
import type { Table } from "./report";
import { isOurs, SCENE_TITLES } from "./scenes";

/** Rows of one scene at one resolution. */
export interface SceneRows {
    readonly title: string;
    readonly resolution: number;
    readonly ours: readonly SweepRow[];
    readonly others: readonly SweepRow[];
    readonly rows: readonly SweepRow[];
}

/** Splits rows by scene and resolution, in their order. */
export function byScene(rows: readonly SweepRow[]): SceneRows[] {
    const groups = new Map<string, SweepRow[]>();
    for (const row of rows) {
        const key = `${row.scene.name} ${row.scene.resolution}`;
        groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return Array.from(groups.values(), (group) => ({
        title: SCENE_TITLES[group[0].scene.name],
        resolution: group[0].scene.resolution,
        ours: group.filter((row) => row.peer === "ours"),
        others: group.filter((row) => !isOurs(row)),
        rows: group,
    }));
}

/** The rows of one scene. */
export function findScene(rows: readonly SweepRow[], name: string, resolution: number): SceneRows | undefined {
    return byScene(rows.filter(({ scene }) => scene.name === name && scene.resolution === resolution))[0];
}

/** The peers' names in their order. */
function namesOf(rows: readonly SweepRow[]): string[] {
    return [...new Set(rows.map(({ peer }) => peer))];
}

/** The cheapest setting of every peer at two qualities. */
export function equalQualityTable(all: readonly SweepRow[]): Table {
    const rows: string[][] = [];
    for (const { title, resolution, rows: scene } of byScene(all)) {
        for (const peer of namesOf(scene)) {
            const own = scene.filter((row) => row.peer === peer);
            const cells = [0.05, 0.01].flatMap((quality) => {
                const best = cheapest(own, quality);
                if (!best) return ["-", "", ""];
                const { cpuMs, meanStretch, maxStretch } = best.measurement;
                return [number(cpuMs), best.settings.label, `${percent(meanStretch)} / ${percent(maxStretch)}`];
            });
            rows.push([title, String(resolution), peer, ...cells]);
        }
    }
    return {
        title: "Equal quality: the cheapest setting with a mean stretch of at most 5 % and 1 %, ms a frame",
        columns: ["scene", "n", "peer ", "ms at 5 %", "setting ", "mean / max %", "ms at 1 %", "setting ", "mean / max %"],
        rows,
        note: "-: no setting within the run's budget reached it.",
    };
}

/** Our answer to one setting of a peer. */
export interface Match {
    readonly theirs: SweepRow;
    /** Our cheapest setting that stretches no more, in the mean and at most; undefined if none does. */
    readonly ours: SweepRow | undefined;
    /** Their time over ours; NaN without an answer. */
    readonly ratio: number;
}

/** Matches every finished setting of every peer. */
export function matchAll({ ours, others }: SceneRows): Match[] {
    return others
        .filter(({ measurement }) => measurement.status === "done")
        .map((theirs) => {
            const { meanStretch, maxStretch, cpuMs } = theirs.measurement;
            const match = cheapest(ours, meanStretch, maxStretch);
            return { theirs, ours: match, ratio: match ? cpuMs / match.measurement.cpuMs : NaN };
        });
}

/** A setting of a peer that we are compared with, and ours. */
export interface Rival {
    /** Why this one. */
    readonly reason: string;
    readonly theirs: SweepRow;
    readonly ours: SweepRow | undefined;
}

/**
 * Whom the bars compare with:
 *
 * - the cheapest setting of any peer with at most 1 % mean stretch (or, where none gets there, the least stretched), against
 *   our cheapest that stretches no more, in the mean and at most;
 * - the same with Jolt's tethers as its own generator makes them, one a particle;
 * - the cheapest setting of any peer that stretches no more than our cheapest, in the mean and at most.
 */
export function rivals({ ours, others }: SceneRows): Rival[] {
    const done = others.filter(({ measurement }) => measurement.status === "done");
    const found: Rival[] = [];
    const add = (reason: string, theirs: SweepRow | undefined, answer?: SweepRow): void => {
        if (!theirs || found.some((rival) => rival.theirs === theirs && (!answer || rival.ours === answer))) return;
        const { meanStretch, maxStretch } = theirs.measurement;
        found.push({ reason, theirs, ours: answer ?? cheapest(ours, meanStretch, maxStretch) });
    };
    const leastStretched = [...done].sort((a, b) => a.measurement.meanStretch - b.measurement.meanStretch)[0];
    add("best at 1 %", cheapest(done, 0.01) ?? leastStretched);
    add(
        "best at 1 %, Jolt with one tether",
        cheapest(
            done.filter(({ settings }) => !isHandTethered(settings)),
            0.01,
        ),
    );
    const [first] = ours;
    if (first?.measurement.status === "done") {
        const { meanStretch, maxStretch } = first.measurement;
        add("at the stretch of our cheapest", cheapest(done, meanStretch, maxStretch), first);
    }
    return found;
}

/** Whether the setting has more tethers than Jolt's generator makes. */
function isHandTethered(settings: SweepRow["settings"]): boolean {
    return ((settings as { tethers?: number }).tethers ?? 0) > 1;
}

/** How many times cheaper we are at equal or less stretch, for each peer: its worst case for us, and its best setting. */
export function matchTable(all: readonly SweepRow[]): Table {
    const rows: string[][] = [];
    for (const scene of byScene(all)) {
        const matches = matchAll(scene);
        for (const peer of namesOf(scene.others)) {
            const own = matches.filter(({ theirs }) => theirs.peer === peer);
            const answered = own.filter(({ ours }) => ours).sort((a, b) => a.ratio - b.ratio);
            const unanswered = own.filter(({ ours }) => !ours).map(({ theirs }) => theirs.settings.label);
            const [worst] = answered;
            const pick = cheapest(
                own.map(({ theirs }) => theirs),
                0.01,
            );
            const best = own.find(({ theirs }) => theirs === pick);
            rows.push([
                scene.title,
                String(scene.resolution),
                peer,
                String(own.length),
                worst ? number(worst.ratio) : "-",
                worst ? `${worst.theirs.settings.label} against ${worst.ours!.settings.label}` : "",
                best?.ours ? number(best.ratio) : "-",
                best ? `${best.theirs.settings.label} against ${best.ours?.settings.label ?? "none"}` : "",
                unanswered.join("; "),
            ]);
        }
    }
    return {
        title: "At equal or less mean and max stretch: their time over ours",
        columns: ["scene", "n", "peer ", "settings", "least", "at ", "at 1 % mean", "settings ", "not reached by ours "],
        rows,
    };
}

/** How a peer's setting lies to our curve of cost against stretch. */
export type Standing = "dominated" | "dominates" | "beside";

/** Which stretch a curve shows. */
export type Measure = "meanStretch" | "maxStretch";

/**
 * `dominated`: some setting of ours is as cheap and stretches as little. `dominates`: none does, and some setting of ours
 * is both costlier and stretches more. `beside`: neither: between two of our settings, or beyond the ends of our sweep.
 */
export function standing(theirs: SweepRow, ours: readonly SweepRow[], measure: Measure): Standing {
    const { cpuMs, [measure]: stretch } = theirs.measurement;
    const done = ours.map(({ measurement }) => measurement).filter(({ status }) => status === "done");
    if (done.some((o) => o.cpuMs <= cpuMs && o[measure] <= stretch)) return "dominated";
    return done.some((o) => o.cpuMs > cpuMs && o[measure] > stretch) ? "dominates" : "beside";
}

/** Counts of standings over the whole sweep, and the settings that are not dominated. */
export function dominationTable(all: readonly SweepRow[], measure: Measure): Table {
    const rows = byScene(all).map((scene) => {
        const done = scene.others.filter(({ measurement }) => measurement.status === "done");
        const of = (wanted: Standing): SweepRow[] => done.filter((row) => standing(row, scene.ours, measure) === wanted);
        const label = ({ peer, settings, measurement: m }: SweepRow): string =>
            `${peer} ${settings.label} (${number(m.cpuMs)} ms, ${percent(m[measure])} %)`;
        return [
            scene.title,
            String(scene.resolution),
            String(done.length),
            String(of("dominated").length),
            of("dominates").map(label).join("; "),
            of("beside").map(label).join("; "),
        ];
    });
    return {
        title: `Cost against ${measure === "meanStretch" ? "mean" : "max"} stretch over the whole sweep`,
        columns: ["scene", "n", "settings", "dominated by ours", "beats a setting of ours ", "beside our curve "],
        rows,
        note:
            "Dominated: some setting of ours is as cheap and stretches as little. Beats: none is, and some setting of ours is both " +
            "costlier and stretches more.",
    };
}
