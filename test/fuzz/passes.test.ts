import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { expect, test } from "@jest/globals";
import { Structural } from "../../src/engine/solvers/xpbd/structuralConstraints";
import { Fabrics } from "../../src/engine/index";
import { grid, hanging } from "../physics/meshes";
import { makeCloth } from "../physics/support";
import { randomMesh } from "./randomMeshes";
import { hang, lie } from "./runs";
import { sheetOf } from "./sheetOf";

Logger.LogLevels = Logger.ErrorLogLevel;

/** Uneven meshes of the survey that are stretched where every stick has one pass, by builder and seed. */
const UNEVEN = [1004, 1017, 1047, 1158, 1172, 1206, 1248, 1319];

/** With one pass for every stick 1.97 and 0.70 % in the mean; now 1.17 and 0.37 %. */
test("crowded and short sticks of uneven meshes do not stay stretched", () => {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    let hung = 0;
    let lying = 0;
    for (const seed of UNEVEN) {
        const sheet = sheetOf(randomMesh(seed, scene))!;
        hung += hang(sheet, 4, seed).meanStretch / UNEVEN.length;
        lying += lie(sheet, 4).meanStretch / UNEVEN.length;
    }
    engine.dispose();
    expect(hung).toBeLessThan(0.015);
    expect(lying).toBeLessThan(0.005);
});

test("grids and fabrics that stretch have one pass", () => {
    const options = { fabric: Fabrics.cotton, substepCount: 1 };
    const structural = (cloth: ReturnType<typeof makeCloth>) => cloth.constraints.find((c) => c instanceof Structural)!;
    expect(structural(makeCloth(grid(8, 8, hanging(1)), options)).repeated).toBeNull();
    const engine = new NullEngine();
    const sheet = sheetOf(randomMesh(UNEVEN[0], new Scene(engine)))!;
    engine.dispose();
    expect(structural(makeCloth(sheet, options)).repeatCount).toBe(3);
    expect(structural(makeCloth(sheet, { ...options, fabric: Fabrics.rubber })).repeatCount).toBe(0);
});
