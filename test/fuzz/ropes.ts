/** Ropes of any length, weight and load, dropped and swung among solids that stand still. Seeded. */
import type { RopeSettings, ColliderShape } from "../../src/engine/index";
import { line, makeRope } from "../physics/ropes";
import { addCollider, G, measure, pose, runFrame, stretchOf, velocityOf } from "../physics/support";
import { seededRandom } from "../random";
import { Dice } from "./randomMeshes";

/** How a rope fared. */
export interface RopeRun {
    readonly name: string;
    readonly isFinite: boolean;
    /** By how much its energy has been above that of its begin, at most, as a share of what it is to lift it all by its length; 0 for what is on a winch. */
    readonly rise: number;
    /** The largest of its links' in the last second; 0 for what is elastic. */
    readonly stretch: number;
    /** The fastest particle at the end [m/s]. */
    readonly speed: number;
    /** Length of its links [m]. */
    readonly link: number;
    /** The most substeps that it took of a step. */
    readonly substeps: number;
}

const SHAPES: readonly ColliderShape[] = ["sphere", "box", "capsule", "cylinder", "hull", "plane", "halfSpace"];
/** Frames [ms]; none: at random. */
const RHYTHMS = [1, 7, 1000 / 60, 33, 200, 1000, undefined];
const SECONDS = 6;

/** Drops or swings a rope. */
export function dropRope(seed: number): RopeRun {
    const dice = new Dice(seededRandom(seed));
    const length = dice.size(0.01, 100);
    const count = dice.count(2, 200);
    const load = (): number => (dice.chance(0.5) ? 0 : dice.size(1e-3, 1000));
    const linearDensity = dice.size(1e-3, 10);
    const [startMass, endMass] = [load(), load()];
    const isElastic = dice.chance(0.2);
    const isWinch = dice.chance(0.2);
    const slope = dice.range(-1.5, 1.5);
    const end = [length * Math.cos(slope), length * Math.sin(slope), 0] as const;
    const pins = [[], [0], [0], [0, count - 1]][dice.integer(0, 3)];
    const rope = makeRope(line([0, 0, 0], end, count), {
        pinned: pins,
        substepCount: dice.count(1, 16),
        maxStepsPerFrame: 60,
        sleepSpeed: 1e-3,
        rope: {
            linearDensity,
            startMass,
            endMass,
            bendStiffness: dice.chance(0.5) ? 0 : dice.size(1e-6, 10),
            stretchStiffness: isElastic ? dice.size(10, 1e5) : Infinity,
        },
        fabric: { friction: dice.chance(0.3) ? 0 : dice.size(0.05, 2), damping: dice.size(0.1, 5), thickness: 0.005 * length },
    });
    const shapes: string[] = [];
    for (let k = dice.integer(0, 3); k > 0; k--) {
        const shape = SHAPES[dice.integer(0, SHAPES.length - 1)];
        const size = length * dice.size(0.02, 0.2);
        const turn = shape === "halfSpace" || shape === "plane" ? -Math.PI / 2 : dice.range(-3, 3);
        const place = [length * dice.range(-0.5, 1), -length * dice.range(1.7, 2.2), length * dice.range(-0.02, 0.02)] as const;
        // Under what swings, but for what hangs on nothing.
        const half = [size, size * (shape === "cylinder" || shape === "box" ? dice.size(0.2, 5) : 1), size] as const;
        if (pins.length === 0 || shape !== "halfSpace") addCollider(rope, shape, pose(place, half, turn, "x"));
        shapes.push(shape);
    }
    if (pins.length === 1 && dice.chance(0.5)) {
        // A post that what is hung by an end swings against.
        addCollider(rope, "capsule", pose([0, -0.5 * length, 0], [0.03 * length, 0.4 * length, 0.03 * length], Math.PI / 2, "x"));
        shapes.push("post");
    }
    const material = (rope.settings as RopeSettings).rope;
    const energy = (): number => measure(rope).kinetic + measure(rope).potential;
    const whole = (startMass + endMass + linearDensity * length) * G * length;
    const begin = energy();
    const rhythm = RHYTHMS[dice.integer(0, RHYTHMS.length - 1)];
    let [highest, stretch, substeps] = [begin, 0, 0];
    let isSound = true;
    for (let passed = 0; passed < SECONDS;) {
        const seconds = (rhythm ?? dice.size(1, 1000)) / 1000;
        passed += seconds;
        if (isWinch && passed < SECONDS / 2) {
            material.length = Math.max(length / 4, material.length * (1 + dice.range(-0.3, 0.2) * Math.min(0.1, seconds)));
            rope.invalidate();
        }
        runFrame(rope, seconds);
        isSound &&= rope.state.positions.every(Number.isFinite);
        if (!isWinch) highest = Math.max(highest, energy());
        substeps = Math.max(substeps, rope.settings.substepCount);
        if (passed > SECONDS - 1 && !isElastic) stretch = Math.max(stretch, stretchOf(rope).max);
    }
    const speed = Math.max(...Array.from({ length: count }, (_, i) => Math.hypot(...velocityOf(rope, i))));
    rope.release();
    const kind = `${length.toPrecision(3)} m of ${linearDensity.toPrecision(2)} kg/m in ${count - 1}, ${startMass.toPrecision(2)} and ${endMass.toPrecision(2)} kg`;
    const name = `${seed}: ${kind}, pins ${pins.join(" ")}, ${shapes.join(" ")}${isWinch ? ", winch" : ""}`;
    return { name, isFinite: isSound, rise: (highest - begin) / whole, stretch, speed, link: length / (count - 1), substeps };
}
