import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { expect, test } from "@jest/globals";
import type { Sheet } from "../physics/meshes";
import { randomMesh } from "./randomMeshes";
import { hang, kick, lie } from "./runs";
import { sheetOf } from "./sheetOf";

/** A few of the survey's meshes, small ones; `npm run survey` takes thousands. */
const MESHES = 46;
const MOST_PARTICLES = 250;

Logger.LogLevels = Logger.ErrorLogLevel;

function sheets(): { name: string; sheet: Sheet; seed: number }[] {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    const found = Array.from({ length: MESHES }, (_, seed) => {
        const mesh = randomMesh(seed, scene);
        return { name: mesh.name, sheet: sheetOf(mesh), seed };
    });
    engine.dispose();
    return found.filter(
        (one): one is { name: string; sheet: Sheet; seed: number } =>
            one.sheet !== null && one.sheet.positions.length / 3 <= MOST_PARTICLES,
    );
}

/** Of these 78 runs 2 are slow to rest with whole masses, hung at 0.02 and 0.03 m/s; 1 with split ones. */
test("random meshes of every builder come to rest, hung and lying", () => {
    const slow: string[] = [];
    for (const { name, sheet, seed } of sheets()) {
        const substeps = [4, 16, 1][seed % 3];
        const hung = hang(sheet, substeps, seed).speed;
        const lying = lie(sheet, substeps).speed;
        if (!(hung <= 0.02)) slow.push(`${name} hung at ${substeps}: ${hung}`);
        if (!(lying <= 0.05)) slow.push(`${name} lying at ${substeps}: ${lying}`);
        expect([name, hung < 0.05, lying < 0.3]).toEqual([name, true, true]);
    }
    // One still rocks slowly.
    expect(slow.length).toBeLessThanOrEqual(1);
});

test("a kick does not grow without damping", () => {
    for (const { name, sheet, seed } of sheets()) {
        expect([name, kick(sheet, [1, 4][seed % 2], 6, seed) < 1.1]).toEqual([name, true]);
    }
});
