// Hundreds of cloths in one memory, attached and disposed in random order while others step: none disturbs another.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, select, Wind } from "../../../src/index";
import { seededRandom } from "../../random";

const CLOTHS = 300;
const ROUNDS = 1500;

let engine: NullEngine;
let scene: Scene;

beforeAll(() => {
    Logger.LogLevels = Logger.ErrorLogLevel;
    engine = new NullEngine();
    scene = new Scene(engine);
});

afterAll(() => engine.dispose());

/** Cloths of different sizes; those of one size are alike, so that their motions can be compared. */
function createCloth(size: number): { mesh: Mesh; cloth: ClothBehavior; size: number; steps: number } {
    const mesh = CreateGround("cloth", { width: 1, height: 1, subdivisions: size }, scene);
    const wind = new Wind({ velocity: new Vector3(2, 0, 1) });
    const cloth = new ClothBehavior({ autoStep: false, substepCount: 1, wind, pins: [{ select: select.edge("-x") }] });
    mesh.addBehavior(cloth);
    return { mesh, cloth, size, steps: 0 };
}

test("every cloth moves as if it were alone", () => {
    const random = seededRandom(1);
    const sizes = [2, 5, 9, 16, 31];
    // What each size does when alone, step by step.
    const alone = new Map(
        sizes.map((size) => {
            const one = createCloth(size);
            const path = Array.from({ length: 40 }, () => {
                one.cloth.step(1 / 60);
                return one.cloth.getParticlePositions();
            });
            one.mesh.dispose();
            return [size, path];
        }),
    );
    const living: ReturnType<typeof createCloth>[] = [];
    let created = 0;
    let compared = 0;
    for (let round = 0; round < ROUNDS || created < CLOTHS; round++) {
        const action = random();
        if (action < 0.35 || living.length === 0) {
            living.push(createCloth(sizes[Math.floor(random() * sizes.length)]));
            created++;
        } else if (action < 0.55) {
            const [gone] = living.splice(Math.floor(random() * living.length), 1);
            if (random() < 0.5) gone.mesh.dispose();
            else gone.mesh.removeBehavior(gone.cloth);
        } else {
            const one = living[Math.floor(random() * living.length)];
            if (one.steps === 40) continue;
            one.cloth.step(1 / 60);
            expect(one.cloth.getParticlePositions()).toEqual(alone.get(one.size)![one.steps++]);
            compared++;
        }
    }
    expect(created).toBeGreaterThanOrEqual(CLOTHS);
    expect(compared).toBeGreaterThan(300);
    for (const { mesh } of living) mesh.dispose();
});
