/**
 * npm run survey: random meshes of every builder, random solids and random lives of built cloths, against the bars of soundness. Takes minutes to hours; outside CI.
 *
 *     npm run survey -- --only tears --meshes 20 --tears 1000
 *     npm run survey -- --only life --lives 300 --frames 120 --quiet 8
 *     npm run survey -- --only worlds --lives 300 --frames 120 --meshes 0
 *     npm run survey -- --meshes 3000 --first 0 --substeps 1,4,16 --largest 600 --only rest,kick,spectrum
 *     npm run survey -- --only files --meshes 0
 *     npm run survey -- --only hour --minutes 60
 *     npm run survey -- --only contact --frames 10000 --solids 1,3 --substeps 1,4
 *     npm run survey -- --only layers --meshes 0 --layers twist --tiers robust
 *     npm run survey -- --only ropes --lives 1000 --meshes 0
 *     npm run survey -- --only joints --lives 300 --meshes 0
 *     npm run survey -- --only extremes --lives 200 --meshes 0
 *     npm run survey -- --only pulls --meshes 0
 *     npm run survey -- --only moved --lives 2000 --meshes 0
 *     npm run survey -- --only plants --lives 1000 --meshes 0
 */
import { parseArgs } from "node:util";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { Fabrics } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import type { FabricName } from "../../src/index";
import { makeCloth } from "../physics/support";
import type { Sheet } from "../physics/meshes";
import { DEEP, throwSolids } from "./contact";
import { builderKinds, roundTrips } from "./files";
import type { BuilderKind } from "./files";
import { liveAtRandom } from "./life";
import { EVENTS } from "./lifeEvents";
import { HOURS, passTime } from "./hour";
import { randomMesh } from "./randomMeshes";
import { countLayers, layerScenes } from "./layers";
import { hangAtRandom } from "./joints";
import { goToExtremes } from "./extremes";
import { growAtRandom } from "./plants";
import { moveAtRandom } from "./moved";
import { pullAtRandom } from "./pulls";
import { dropRope } from "./ropes";
import { hang, kick, lie } from "./runs";
import type { Rest } from "./runs";
import { sheetOf } from "./sheetOf";
import { tearAtRandom } from "./tears";
import { LARGEST_GROWTH, largestGrowth } from "./spectrum";

const { values } = parseArgs({
    options: {
        meshes: { type: "string", default: "230" },
        first: { type: "string", default: "0" },
        substeps: { type: "string", default: "1,4,16" },
        largest: { type: "string", default: "600" },
        seconds: { type: "string", default: "60" },
        tears: { type: "string", default: "1000" },
        lives: { type: "string", default: "100" },
        quiet: { type: "string", default: "0" },
        minutes: { type: "string", default: "60" },
        frames: { type: "string", default: "3000" },
        solids: { type: "string", default: "1,3" },
        layers: { type: "string", default: "" },
        tiers: { type: "string", default: "robust,triangles,particles" },
        only: { type: "string", default: "rest,kick,spectrum,contact" },
    },
});

/** One measured number of many runs, and the runs beyond its bar. */
class Tally {
    private readonly _values: { name: string; value: number }[] = [];

    constructor(
        private readonly _title: string,
        private readonly _bar: number,
    ) {}

    add(name: string, value: number): void {
        this._values.push({ name, value });
    }

    print(): void {
        const sorted = this._values.sort((a, b) => b.value - a.value);
        const beyond = sorted.filter(({ value }) => !(value <= this._bar));
        const median = sorted[sorted.length >> 1]?.value ?? 0;
        console.log(`${this._title}: ${beyond.length} of ${sorted.length} beyond ${this._bar}; median ${median.toPrecision(3)}`);
        for (const { name, value } of beyond.slice(0, 4)) console.log(`    ${name}: ${value.toPrecision(5)}`);
    }
}

const tallies = new Map<string, Tally>();

function recordMeasure(title: string, bar: number, name: string, value: number): void {
    if (!tallies.has(title)) tallies.set(title, new Tally(title, bar));
    tallies.get(title)!.add(name, value);
}

function recordRest(title: string, slowest: number, name: string, { speed, speedLater, meanStretch, stretchedFor }: Rest): void {
    recordMeasure(`${title}: speed [m/s]`, slowest, name, speed);
    recordMeasure(`${title}: speed after a minute [m/s]`, slowest, name, speedLater);
    recordMeasure(`${title}: mean stretch`, 0.01, name, meanStretch);
    recordMeasure(`${title}: time over 10 % [s]`, 0.2, name, stretchedFor);
}

function examine(name: string, sheet: Sheet, substeps: number, seed: number): void {
    const sections = values.only.split(",");
    if (sections.includes("rest")) {
        recordRest(`hung, ${substeps} substeps`, 0.02, name, hang(sheet, substeps, seed));
        recordRest(`lying, ${substeps} substeps`, 0.05, name, lie(sheet, substeps));
    }
    if (sections.includes("kick")) {
        recordMeasure(
            `kicked, ${substeps} substeps: rise of energy`,
            1.1,
            name,
            kick(sheet, substeps, Number(values.seconds), seed),
        );
    }
    if (sections.includes("spectrum")) {
        const cloth = makeCloth(sheet, {
            fabric: { ...Fabrics.cotton, damping: 0 },
            gravity: [0, 0, 0],
            substepCount: substeps,
        });
        recordMeasure(`growth per substep, ${substeps} substeps`, LARGEST_GROWTH, name, largestGrowth(cloth));
    }
}

/** Of the sheet that is torn a thousand times: random meshes are in shreds before. */
const SHEET = { size: 1, subdivisions: 64, cuts: 0.04 };

/** Tears a mesh; whether it could be cloth, and stayed valid. @param cuts see tearAtRandom */
async function tear(mesh: Mesh, seed: number, cuts?: number): Promise<boolean> {
    try {
        const { tears, particleCount } = await tearAtRandom(mesh, seed, Number(values.tears), cuts);
        mesh.dispose();
        console.log(`${mesh.name}: torn ${tears} times, ${particleCount} particles`);
        return true;
    } catch (error) {
        console.log(`${mesh.name} (seed ${seed}): ${(error as Error).message}`);
        return false;
    }
}

const RUN_FRAMES = 60;

function examineContact(solids: number, substeps: number): void {
    const title = `${solids} solids at once, ${substeps} substeps`;
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.frames) / RUN_FRAMES; seed++) {
        const run = throwSolids(seed, solids, RUN_FRAMES, { substepCount: substeps });
        recordMeasure(`${title}: frames of ${RUN_FRAMES} with particles inside`, 0, run.name, run.inside);
        recordMeasure(`${title}: the same, between solids`, 0, run.name, run.squeezed);
        recordMeasure(`${title}: deepest [m]`, DEEP, run.name, run.deepest);
        recordMeasure(`${title}: pierced`, 0, run.name, run.pierced ? 1 : 0);
        recordMeasure(`${title}: not a number`, 0, run.name, run.isFinite ? 0 : 1);
    }
}

function examineHour(name: string): void {
    const { rise, fastest, stretch } = passTime(name, Number(values.minutes));
    const title = `${values.minutes} minutes`;
    recordMeasure(`${title}: rise of energy [m of height]`, 1e-3, name, rise);
    recordMeasure(`${title}: farthest in a second [m]`, 1e-3, name, fastest);
    const [cm, mm, percent] = [1e2 * rise, 1e3 * fastest, 1e2 * stretch].map((value) => value.toPrecision(3));
    console.log(`${name}, ${title}: energy rises by ${cm} cm of height, farthest in a second ${mm} mm, stretch ${percent} %`);
}

Logger.LogLevels = Logger.ErrorLogLevel;
if (values.only.split(",").includes("contact")) {
    for (const solids of values.solids.split(",")) {
        for (const substeps of values.substeps.split(",")) {
            examineContact(Number(solids), Number(substeps));
        }
    }
}
if (values.only.split(",").includes("files")) {
    for (const kind of Object.keys(builderKinds) as BuilderKind[]) {
        for (const fabric of Object.keys(Fabrics) as FabricName[]) {
            const { fromRest, fromMotion } = roundTrips(kind, fabric, 300);
            recordMeasure("300 steps after a file, from rest: apart [m]", 0, `${kind} of ${fabric}`, fromRest);
            recordMeasure("300 steps after a file, in motion: apart [m]", 0, `${kind} of ${fabric}`, fromMotion);
        }
    }
}
if (values.only.split(",").includes("layers")) {
    for (const [name, make] of Object.entries(layerScenes)) {
        if (!name.includes(values.layers)) continue;
        for (const tier of values.tiers.split(",") as SelfCollisionTier[]) {
            const { crossings, speeds, asleep } = countLayers(make(), tier, Number(values.frames));
            if (tier === "robust" && crossings.some((count) => count > 0)) process.exitCode = 1;
            const counts = crossings.map((count, f) => (f % 10 === 9 ? count : -1)).filter((n) => n >= 0);
            const ends = `${crossings.at(-1)} at the end, ${Math.max(...crossings)} at most; ${speeds.at(-1)!.toFixed(4)} m/s`;
            console.log(`${name}, ${tier}: ${ends}, asleep after frame ${asleep}; each tenth frame: ${counts.join(" ")}`);
        }
    }
}
if (values.only.split(",").includes("ropes")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        const { name, isFinite, rise, stretch, speed, link } = dropRope(seed);
        const title = `ropes of links ${link > 0.02 ? "over" : "under"} 2 cm`;
        recordMeasure(`${title}: not a number`, 0, name, isFinite ? 0 : 1);
        recordMeasure(`${title}: rise of energy, of weight times length`, 0.01, name, rise);
        recordMeasure(`${title}: stretch in the last second`, 0.02, name, stretch);
        recordMeasure(`${title}: speed at the end [m/s]`, 5, name, speed);
    }
}
if (values.only.split(",").includes("moved")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        const { name, isFinite, reach, offPin, excessSpeed, endSpeed } = await moveAtRandom(seed);
        recordMeasure("moved: not a number", 0, name, isFinite ? 0 : 1);
        recordMeasure("moved: reach from a pin, drawn, over that at rest", 1.3, name, reach);
        recordMeasure("moved: pins from their places, drawn [m]", 2e-3, name, offPin);
        recordMeasure("moved: speed beyond its carrier's and free fall [m/s]", 3, name, excessSpeed);
        recordMeasure("moved: speed after eight seconds at rest [m/s]", 0.5, name, endSpeed);
    }
}
if (values.only.split(",").includes("plants")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        const run = growAtRandom(seed);
        if (!run) continue;
        recordMeasure(`plants: not a number`, 0, run.name, run.isFinite ? 0 : 1);
        recordMeasure(`plants: rise of energy, of what moves and of weight times size`, 0.25, run.name, run.rise);
        recordMeasure(`plants: farthest at the end, in sizes`, 3, run.name, run.farthest);
    }
}
if (values.only.split(",").includes("joints")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        const run = hangAtRandom(seed);
        recordMeasure("joints: not a number", 0, run.name, run.isFinite ? 0 : 1);
        recordMeasure("joints: rise of the common centre, in reaches", 0.02, run.name, run.rise);
        recordMeasure("joints: farthest from where it hangs, in reaches", 1.1, run.name, run.farthest);
    }
}
if (values.only.split(",").includes("extremes")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        const { name, isSound, stretch, sag } = goToExtremes(seed);
        recordMeasure(`extreme sheets: not a number`, 0, name, isSound ? 0 : 1);
        if (sag < 1) recordMeasure(`extreme sheets that weigh little: stretch`, 3, name, stretch);
    }
}
if (values.only.split(",").includes("pulls")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        for (const slides of [false, true]) {
            const { name, gain } = pullAtRandom(seed, 2.5, slides);
            recordMeasure(`pulls on bodies${slides ? " by what slides or gives" : ""}: height gained [m]`, 0.1, name, gain);
        }
    }
}
if (values.only.split(",").includes("worlds")) {
    const first = Number(values.first);
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        let isWell = 1;
        try {
            liveAtRandom(seed, { frames: Number(values.frames), isWorld: true });
        } catch (error) {
            isWell = 0;
            console.log((error as Error).message);
        }
        recordMeasure("worlds that end badly", 0, String(seed), 1 - isWell);
        await new Promise((resolve) => setImmediate(resolve));
    }
}
/** Events that do not depend on how fast the machine is. */
const TIMELESS = Object.keys(EVENTS).filter((name) => name !== "warm");
if (values.only === "life") {
    const lot = { frames: Number(values.frames) };
    const first = Number(values.first);
    let ended = 0;
    for (let seed = first; seed < first + Number(values.lives); seed++) {
        try {
            const [once, again] = [0, 1].map(() => liveAtRandom(seed, { ...lot, only: TIMELESS }));
            recordMeasure("lives: another way when lived again", 0, once.name, once.digest === again.digest ? 0 : 1);
            const life = liveAtRandom(seed, { ...lot, quietSeconds: Number(values.quiet) });
            recordMeasure("lives: longest frame [ms]", 250, life.name, life.longest);
            for (const { name, speed, stretch } of life.quiet) {
                recordMeasure("lives: speed after a quiet time [m/s]", 0.05, `${seed}: ${name}`, speed);
                recordMeasure("lives: stretch after a quiet time", 0.2, `${seed}: ${name}`, stretch);
            }
            ended++;
        } catch (error) {
            console.log((error as Error).message);
        }
        await new Promise((resolve) => setImmediate(resolve));
    }
    for (const tally of tallies.values()) tally.print();
    console.log(`${ended} of ${values.lives} lives end well`);
    process.exit(ended === Number(values.lives) ? 0 : 1);
}
if (values.only.split(",").includes("hour")) {
    for (const name of Object.keys(HOURS)) examineHour(name);
}
const scene = new Scene(new NullEngine());
let count = 0;
const first = Number(values.first);
if (values.only === "tears") {
    const { size, subdivisions, cuts } = SHEET;
    const sheet = MeshBuilder.CreateGround("sheet", { width: size, height: size, subdivisions }, scene);
    sheet.rotation.x = -Math.PI / 2;
    await tear(sheet, first, cuts);
}
const isOfMeshes = values.only.split(",").some((name) => ["rest", "kick", "spectrum", "tears"].includes(name));
for (let seed = first; isOfMeshes && seed < first + Number(values.meshes); seed++) {
    const mesh = randomMesh(seed, scene);
    const { name } = mesh;
    if (values.only === "tears") {
        count += (await tear(mesh, seed)) ? 1 : 0;
        continue;
    }
    const sheet = sheetOf(mesh);
    if (!sheet || sheet.positions.length / 3 > Number(values.largest)) continue;
    for (const substeps of values.substeps.split(",")) examine(name, sheet, Number(substeps), seed);
    count++;
}
console.log(`${count} meshes`);
for (const tally of tallies.values()) tally.print();
