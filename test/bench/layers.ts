/** (e4) What self-collision costs: cloth of 64² in four substeps with it, against the same without. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../../src/babylon/clothBehavior";
import { select } from "../../src/babylon/select";
import { atMost, number, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, takeTurns } from "./timing";
import type { Task } from "./timing";
import { createSquare, createWorld, FRAME } from "./world";

const SETTLING_FRAMES = 300;

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
        square.position.y = 0.5;
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

function taskOf(place: Place, selfCollision: false | "particles"): Task {
    const scene = createWorld();
    const square = createSquare(scene, 64);
    const cloth = new ClothBehavior({
        gravity: new Vector3(0, -9.81, 0),
        substepCount: 4,
        sleepSpeed: 0,
        autoStep: false,
        selfCollision,
    });
    place(scene, square, cloth);
    square.addBehavior(cloth);
    const run = (): void => cloth.step(FRAME);
    for (let f = 0; f < SETTLING_FRAMES; f++) run();
    return { run };
}

/** Measures each scene with and without, in turns. */
export function layersSection(isFull: boolean): Section {
    const names = Object.keys(SCENES);
    const tasks = names.flatMap((name) => [taskOf(SCENES[name], false), taskOf(SCENES[name], "particles")]);
    const timings = takeTurns(tasks, isFull ? 30_000 : 8000);
    const ratios = Object.fromEntries(names.map((name, i) => [name, ratio(timings[2 * i + 1], timings[2 * i]).median]));
    return {
        tables: [
            {
                title: "64², four substeps, with selfCollision (ms a frame of our own, by hand)",
                columns: ["", "without", '"particles"', "ratio"],
                rows: names.map((name, i) => [
                    name,
                    withSpread(timings[2 * i]),
                    withSpread(timings[2 * i + 1]),
                    number(ratios[name]),
                ]),
                note: "After five seconds; it does not sleep.",
            },
        ],
        bars: [
            atMost("particles over none, hung", ratios.hung, 1.5, "x"),
            atMost("particles over none, draped", ratios.draped, 1.8, "x"),
            atMost("particles over none, folded", ratios.folded, 2.5, "x"),
        ],
        data: ratios,
    };
}
