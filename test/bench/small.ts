/** (e2) What many small cloths, and one that sleeps, cost in a frame that the scene steps: their observers alone. */
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import { select } from "../../src/babylon/pins/select";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { takeTurns } from "./timing";
import type { Timing } from "./timing";
import { createSquare, createWorld, ownFrameOf } from "./world";

const CLOTHS = 1000;
const SETTLING_FRAMES = 60;
/** Within this many frames cloth hung by its corners must sleep. */
const LONGEST_FALL = 3600;

/** A frame of 1,000 cloths of 2 × 5 particles that never sleep. */
function measureMany(budget: number): Timing {
    const scene = createWorld();
    for (let i = 0; i < CLOTHS; i++) {
        const mesh = MeshBuilder.CreateGround(`ribbon ${i}`, { width: 0.2, height: 1, subdivisionsX: 1, subdivisionsY: 4 }, scene);
        mesh.position.set((i % 40) * 0.5, 3, Math.floor(i / 40) * 2);
        mesh.addBehavior(new ClothBehavior({ pins: [{ select: select.edge("+z") }], sleepSpeed: 0 }));
    }
    const run = ownFrameOf(scene);
    for (let f = 0; f < SETTLING_FRAMES; f++) run();
    const [timing] = takeTurns([{ run }], budget);
    scene.getEngine().dispose();
    return timing;
}

/** A frame of a cloth of 64² on two corners as it falls, and asleep. */
function measureAsleep(budget: number): { moving: Timing; asleep: Timing } {
    const hang = (sleepSpeed: number): { cloth: ClothBehavior; run: () => void } => {
        const scene = createWorld();
        const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z", "+x+z") }], sleepSpeed, fabric: { damping: 2 } });
        createSquare(scene, 64).addBehavior(cloth);
        return { cloth, run: ownFrameOf(scene) };
    };
    const resting = hang(0.001);
    for (let f = 0; f < LONGEST_FALL && !resting.cloth.stats.isAsleep; f++) resting.run();
    if (!resting.cloth.stats.isAsleep) throw new Error("the cloth does not fall asleep");
    const awake = hang(0);
    for (let f = 0; f < SETTLING_FRAMES; f++) awake.run();
    const [moving, asleep] = takeTurns([awake, resting], budget);
    for (const { cloth } of [awake, resting]) cloth.attachedNode!.getEngine().dispose();
    return { moving, asleep };
}

/** Measures both. */
export function smallSection(isFull: boolean): Section {
    const budget = isFull ? 6000 : 2000;
    const many = measureMany(budget);
    const { moving, asleep } = measureAsleep(budget);
    const share = (100 * asleep.median) / moving.median;
    return {
        tables: [
            {
                title: "Frames that the scene steps (ms of processor time)",
                columns: ["", "ms"],
                rows: [
                    [`${CLOTHS} cloths of 10 particles`, withSpread(many)],
                    ["64² on two corners, falling", withSpread(moving)],
                    ["64² on two corners, asleep", withSpread(asleep)],
                ],
                note: `All that our observers do, without Babylon's part of the frame. Asleep ${number(share)} % of moving.`,
            },
        ],
        bars: [
            atMost(`${CLOTHS} cloths of 10 particles: a frame of our own`, many.median, 8, " ms"),
            atMost("asleep over moving, 64²", share, 2, " %"),
        ],
        data: { many: many.median, moving: moving.median, asleep: asleep.median },
    };
}
