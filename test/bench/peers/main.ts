/**
 * Command line of the peers' sweeps:
 *
 *     node --import ./.ci/ts.mjs test/bench/peers/main.ts [--peer Jolt,Bullet] [--scene topRow,sphere] [--resolution 64]
 *         [--budget 10] [--json rows.json]
 *
 * Prints one line a run, then the cheapest setting of each peer with at most 5 % and 1 % mean stretch.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { peers } from "./index";
import { createScene, type SceneName } from "./peer";
import { cheapest, formatHeader, formatRow, sweep, type SweepRow } from "./sweep";

const QUALITIES = [0.05, 0.01];

const { values } = parseArgs({
    options: {
        peer: { type: "string", default: peers.map(({ name }) => name).join(",") },
        scene: { type: "string", default: "topRow,twoCorners,sphere,mesh" },
        resolution: { type: "string", default: "32" },
        budget: { type: "string", default: "10" },
        json: { type: "string" },
    },
});

const wanted = values.peer.split(",").map((name) => {
    const peer = peers.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!peer) throw new Error(`--peer: must be one of ${peers.map((p) => p.name).join(", ")}, got ${name}`);
    return peer;
});
const rows: SweepRow[] = [];
const winners: (SweepRow | undefined)[] = [];
console.log(formatHeader());
for (const resolution of values.resolution.split(",")) {
    for (const sceneName of values.scene.split(",")) {
        const scene = createScene(sceneName as SceneName, Number(resolution));
        for (const peer of wanted) {
            const onRow = (row: SweepRow): void => console.log(formatRow(row));
            const swept = await sweep(peer, scene, { budgetSeconds: Number(values.budget), onRow });
            rows.push(...swept);
            for (const quality of QUALITIES) winners.push(cheapest(swept, quality));
        }
    }
}
for (const [q, quality] of QUALITIES.entries()) {
    console.log(`\nCheapest with mean stretch <= ${100 * quality} %\n${formatHeader()}`);
    winners.forEach((row, i) => {
        if (row && i % QUALITIES.length === q) console.log(formatRow(row));
    });
}
if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 1));
