/** (e4) What self-collision costs while cloth moves, and at rest: in four substeps with it, against the same without. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import type { SelfCollision } from "../../src/babylon/behaviors/bodyOptions";
import { select } from "../../src/babylon/pins/select";
import { atLeast, atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { measureMotion, movingScenes } from "./movingLayers";
import type { MotionCost } from "./movingLayers";
import { SpatialHash } from "./spatialHash";
import { ratio, takeTurns } from "./timing";
import type { Task, Timing } from "./timing";
import { instanceOf, createSquare, createWorld, FRAME } from "./world";

const SETTLING_FRAMES = 300;
const SUBSTEPS = 4;

/** Places a square, and gives it its colliders. */
type Place = (scene: Scene, square: Mesh, cloth: ClothBehavior) => void;

const ground = (scene: Scene): Mesh => MeshBuilder.CreateGround("ground", { width: 50, height: 50 }, scene);

const SCENES: Record<string, Place> = {
    hung: (_, square, cloth) => {
        square.rotation.x = -Math.PI / 2;
        cloth.pin(select.corners("-x+z", "+x+z"));
    },
    draped: (scene, square, cloth) => {
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.8 }, scene);
        // Just over the ball: from within it, cloth would be flung at 9 m/s.
        square.position.y = 0.85;
        for (const collider of [ball, ground(scene)]) cloth.addCollider(collider);
        ball.position.y = 0.4;
    },
    folded: (scene, square, cloth) => {
        const x = square.getVerticesData("position")!;
        for (let o = 0; o < x.length; o += 3) {
            const v = x[o + 2] / 2 + 0.5;
            [x[o + 1], x[o + 2]] = [1.5 * v + 0.2, 0.6 * Math.sin(1.5 * Math.PI * v)];
        }
        square.setVerticesData("position", x);
        cloth.addCollider(ground(scene));
    },
};

function settled(place: Place, selfCollision: SelfCollision): ClothBehavior {
    const scene = createWorld();
    const square = createSquare(scene, 64);
    const cloth = new ClothBehavior({
        gravity: new Vector3(0, -9.81, 0),
        substepCount: SUBSTEPS,
        sleepSpeed: 0,
        autoStep: false,
        selfCollision,
    });
    place(scene, square, cloth);
    square.addBehavior(cloth);
    for (let f = 0; f < SETTLING_FRAMES; f++) cloth.step(FRAME);
    return cloth;
}

function taskOf(place: Place, selfCollision: SelfCollision): Task {
    const cloth = settled(place, selfCollision);
    return { run: () => cloth.step(FRAME) };
}

/** What our particles tier does in a frame of four substeps on a folded cloth, pairs listed anew, over what the plain hash does for the same distance. */
function measureHash(budget: number): Timing {
    const body = instanceOf(settled(SCENES.folded, "particles")).cloth;
    const { state } = body;
    const crowd = body.selfCollision!;
    const [positions, previous] = [state.positions.slice(), state.previous.slice()];
    const restore = (): void => {
        state.positions.set(positions);
        state.previous.set(previous);
    };
    const ours = (): void => {
        crowd.invalidateLists();
        for (let s = 0; s < SUBSTEPS; s++) crowd.resolveAfterSolve([body]);
    };
    const thickness = body.collisionProxy!.interactionRadius;
    const rest = new Float32Array(positions.length);
    for (let i = 0; i < state.particleCount; i++)
        rest.set(body.collisionProxy!.options.restPositions.subarray(3 * i, 3 * i + 3), 4 * i);
    const hash = new SpatialHash(thickness, state.particleCount);
    const theirs = (): void => {
        hash.create(state.positions);
        hash.findAll(state.positions, thickness + body.collisionProxy!.margin);
        for (let s = 0; s < SUBSTEPS; s++) hash.solve(state.positions, state.previous, state.inverseMasses, rest, thickness);
    };
    const [a, b] = takeTurns(
        [
            { run: ours, restore },
            { run: theirs, restore },
        ],
        budget,
    );
    return ratio(b, a);
}

/** Nanoseconds a particle of lists and four substeps of contact between two sheets that lie within reach of each other, of so many squared. */
function measureGrowth(counts: readonly number[], tier: SelfCollision, budget: number): number[] {
    const tasks = counts.map((count) => {
        const scene = createWorld();
        const edge = 2 / (count - 1);
        const bodies = [0, 0.55 * edge].map((height) => {
            const square = createSquare(scene, count);
            square.position.y = height;
            const cloth = new ClothBehavior({
                autoStep: false,
                selfCollision: tier,
                selfThickness: 0.6 * edge,
                gravity: Vector3.Zero(),
            });
            square.addBehavior(cloth);
            cloth.step(FRAME);
            return instanceOf(cloth).cloth;
        });
        const crowd = bodies[0].selfCollision!;
        const kept = bodies.map(({ state }) => [state.positions.slice(), state.previous.slice()]);
        return {
            run: () => {
                crowd.invalidateLists();
                for (let s = 0; s < SUBSTEPS; s++) {
                    crowd.resolveAfterSolve(bodies);
                    crowd.finishSubstep();
                }
            },
            restore: () =>
                bodies.forEach(({ state }, k) => {
                    state.positions.set(kept[k][0]);
                    state.previous.set(kept[k][1]);
                }),
        };
    });
    return takeTurns(tasks, budget).map(({ median }, k) => (1e6 * median) / (2 * counts[k] ** 2));
}

/** What a scene is measured with, and the most that each may cost over the first: hung, draped, folded. */
const TIERS: readonly SelfCollision[] = [false, "particles", "triangles", "robust"];
const BARS: Record<string, readonly number[]> = { particles: [1.5, 1.8, 2.5], triangles: [4, 7, 7], robust: [12, 12, 12] };

/** The most that motion may cost over none, by scene: particles, triangles, robust. Crossings: most, and at the end, of triangles. */
const MOTION_BARS: Record<string, readonly [number, number, number, number]> = {
    fold: [4, 15, 40, 20],
    "gentle fold": [3, 6, 12, 0],
    cape: [2.5, 3.5, 8, 0],
    "whipped cape": [Infinity, Infinity, Infinity, 20],
    drape: [2, 2.5, 6, 0],
    curtain: [2.5, 3.5, 8, 0],
    scarf: [2.5, 3.5, 8, 0],
    skirt: [2.5, 3.5, 8, 0],
};
/** The 95th percentile of a frame over the mean, and the worst. */
const LATE = [2.5, 2.5, 3];
const WORST = [6, 6, 8];

/** Scenes in motion: `"robust"` only in a full run, since it takes minutes. */
function measureMotions(isFull: boolean): Pick<Section, "tables" | "bars"> & { data: Record<string, MotionCost> } {
    const tiers = TIERS.slice(1, isFull ? 4 : 3);
    const data: Record<string, MotionCost> = {};
    const rows: string[][] = [];
    const bars: Section["bars"][number][] = [];
    for (const name of Object.keys(movingScenes)) {
        // Twice: the first run warms the code.
        measureMotion(name, false);
        const none = measureMotion(name, false);
        tiers.forEach((tier, t) => {
            const cost = measureMotion(name, tier as "particles", { every: isFull ? 1 : 6 });
            data[`${name}, ${String(tier)}`] = cost;
            const over = cost.mean / none.mean;
            rows.push([
                name,
                `"${String(tier)}"`,
                number(none.mean),
                number(cost.mean),
                number(over),
                number(cost.late / cost.mean),
                number(cost.worst / cost.mean),
                `${cost.crossings} / ${cost.lastCrossings}`,
                number(1000 * (cost.depth - none.depth)),
                number(100 * (cost.stretch - none.stretch)),
            ]);
            const title = `${String(tier)}, ${name}`;
            const [most, crossings] = [MOTION_BARS[name][t], MOTION_BARS[name][3]];
            if (Number.isFinite(most)) bars.push(atMost(`${title}: mean over none`, over, most, "x"));
            bars.push(atMost(`${title}: 95th percentile over the mean`, cost.late / cost.mean, LATE[t], "x"));
            bars.push(atMost(`${title}: worst over the mean`, cost.worst / cost.mean, WORST[t], "x"));
            if (tier !== "particles") bars.push(atMost(`${title}: crossings`, cost.crossings, tier === "robust" ? 0 : crossings));
            if (tier !== "particles") bars.push(atMost(`${title}: crossings at the end`, cost.lastCrossings, 0));
            bars.push(atMost(`${title}: deeper in solids`, 1000 * (cost.depth - none.depth), 1, " mm"));
        });
    }
    const table = {
        title: "Motion, four substeps (processor time of a frame, ms)",
        columns: ["", "tier ", "none", "mean", "ratio", "95 %", "worst", "crossings", "mm deeper", "% stretch"],
        rows,
        note: "95 % and worst over the mean. Crossings: in the worst frame that was looked at / at the end.",
    };
    return { tables: [table], bars, data };
}

/** Measures each scene with and without, in turns. */
export function layersSection(isFull: boolean): Section {
    const motion = measureMotions(isFull);
    const names = Object.keys(SCENES);
    const tasks = names.flatMap((name) => TIERS.map((tier) => taskOf(SCENES[name], tier)));
    const timings = takeTurns(tasks, isFull ? 30_000 : 8000);
    const of = (n: number, t: number): (typeof timings)[number] => timings[n * TIERS.length + t];
    const ratioOf = (n: number, t: number): number => ratio(of(n, t), of(n, 0)).median;
    const hash = measureHash(isFull ? 6000 : 2000).median;
    const counts = isFull ? [32, 64, 128, 256] : [32, 64, 128];
    const growth = TIERS.slice(1).map((tier) => measureGrowth(counts, tier, isFull ? 20_000 : 3000));
    // N log N: what a particle costs grows with log N.
    const most = Math.log(counts[counts.length - 1]) / Math.log(counts[0]);
    const bars = TIERS.flatMap((tier, t) =>
        tier ? names.map((name, n) => atMost(`${tier} over none, ${name}`, ratioOf(n, t), BARS[tier][n], "x")) : [],
    );
    return {
        tables: [
            ...motion.tables,
            {
                title: "64², four substeps, with selfCollision (ms a frame of our own, by hand)",
                columns: ["", "without", ...TIERS.slice(1).flatMap((tier) => [`"${String(tier)}"`, "ratio"])],
                rows: names.map((name, n) => [
                    name,
                    withSpread(of(n, 0)),
                    ...TIERS.slice(1).flatMap((_, t) => [withSpread(of(n, t + 1)), number(ratioOf(n, t + 1))]),
                ]),
                note: "After five seconds; it does not sleep.",
            },
            {
                title: "Lists and four substeps of contact between two sheets (ns a particle)",
                columns: ["", ...counts.map((count) => `${count}²`)],
                rows: growth.map((costs, t) => [`"${String(TIERS[t + 1])}"`, ...costs.map(number)]),
                note: "Lists are made anew each time.",
            },
        ],
        bars: [
            ...motion.bars,
            ...bars,
            ...growth.map((costs, t) =>
                atMost(
                    `${String(TIERS[t + 1])}, a particle of the most over one of the fewest`,
                    costs[costs.length - 1] / costs[0],
                    most,
                    "x",
                ),
            ),
            atLeast("a plain-JavaScript hash over particles, folded", hash, 4, "x"),
        ],
        data: {
            hash,
            motion: motion.data,
            ...Object.fromEntries(
                names.flatMap((name, n) => [1, 2, 3].map((t) => [`${name}, ${String(TIERS[t])}`, ratioOf(n, t)])),
            ),
        },
    };
}
