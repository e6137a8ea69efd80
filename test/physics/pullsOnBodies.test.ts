/** Ropes and cloth on rigid bodies and on those of a physics engine: whatever the lever, the weight and the length, pulls give no energy, at any frame rate. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { ClothBehavior, RopeBehavior, RigidBodyBehavior } from "babylon-cloth";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";
import type { World } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld } from "./havok";
import { G, gainOf, of, ofBox } from "./pulls";
import type { Measure } from "./pulls";

afterEach(disposeWorlds);

const SIZE = 0.4;

/** @param isEngines whether it is a physics engine's */
function makeBox({ scene }: World, mass: number, isEngines = false) {
    scene.gravity = new Vector3(0, -G, 0);
    const box = MeshBuilder.CreateBox("box", { size: SIZE }, scene);
    if (isEngines) {
        makeBody(box, PhysicsShapeType.BOX, mass);
        return { box, measure: ofBox(box) };
    }
    const body = new RigidBodyBehavior({ mass });
    box.addBehavior(body);
    return { box, body, measure: of(body) };
}

/** A box whose end of a rope is a lever above its face, `aside` of its middle. */
function hangOnRope(world: World, made: ReturnType<typeof makeBox>, lever: number, length: number, aside: number) {
    const { box } = made;
    const y = SIZE / 2 + lever;
    const hook = new TransformNode("hook", world.scene);
    hook.position.set(aside, y + length, 0);
    const path = Array.from({ length: 9 }, (_, i) => new Vector3(aside, y + (length * i) / 8, 0));
    const tube = MeshBuilder.CreateTube("rope", { path, radius: 0.02, tessellation: 6 }, world.scene);
    const rope = new RopeBehavior({ start: box, end: hook });
    tube.addBehavior(rope);
    return { ...made, rope };
}

/** A box beside a sheet that it carries, or that carries it: the far edge is held. */
function tieSheet(world: World, made: ReturnType<typeof makeBox>, lever: number, isHeld: boolean) {
    const { box } = made;
    const ground = MeshBuilder.CreateGround("sheet", { width: 1.5, height: 1.5, subdivisions: 8 }, world.scene);
    ground.position.x = 0.95 + lever;
    const sheet = new ClothBehavior({ fabric: { arealDensity: 0.3 } });
    sheet.pin((p) => p.x < -0.65, box);
    if (isHeld) sheet.pin((p) => p.x > 0.65, new TransformNode("wall", world.scene));
    ground.addBehavior(sheet);
    return { ...made, sheet };
}

/** What they gain in a second and a half. */
const gain = (world: World, measures: Measure[], milliseconds: number): number =>
    gainOf(measures, () => world.frame(milliseconds), Math.ceil(1500 / milliseconds));

/** Frames of a little more than a step, whose picture is a step behind; less; more; two. */
const FRAMES = [16.67, 1000 / 144, 25, 1000 / 30];

describe.each([
    ["rigid body", makeWorld, false],
    ["body of a physics engine", makePhysicalWorld, true],
])("a box that is a %s", (_, make, isEngines) => {
    test.each(FRAMES)("gains no energy from a rope, frames of %d ms", (milliseconds) => {
        for (const mass of [0.1, 2, 50])
            for (const lever of [0, 0.8, 2])
                for (const length of [0.3, 1]) {
                    const world = make();
                    const { measure, rope } = hangOnRope(world, makeBox(world, mass, isEngines), lever, length, 0.3);
                    expect(gain(world, [measure, of(rope)], milliseconds)).toBeLessThan(0.05);
                    disposeWorlds();
                }
    });

    test.each(FRAMES)("gains no energy from cloth that is pinned to it, frames of %d ms", (milliseconds) => {
        for (const mass of [0.1, 2, 50])
            for (const lever of [0, 0.8, 2])
                for (const isHeld of [false, true]) {
                    const world = make();
                    const { measure, sheet } = tieSheet(world, makeBox(world, mass, isEngines), lever, isHeld);
                    expect(gain(world, [measure, of(sheet)], milliseconds)).toBeLessThan(0.05);
                    disposeWorlds();
                }
    });
});

test.each([16.67, 1000 / 144])(
    "a rope that is cut to a millimetre draws a box in at 2 m/s at most, frames of %d ms",
    (milliseconds) => {
        for (const lever of [0, 0.8]) {
            const world = makeWorld();
            const { box, rope } = hangOnRope(world, makeBox(world, 2), lever, 1, 0);
            world.frame(milliseconds, 30);
            rope.length = 0.001;
            let fastest = 0;
            for (let k = 0; k < 120; k++) {
                const before = box.position.clone();
                world.frame(milliseconds);
                fastest = Math.max(fastest, (Vector3.Distance(before, box.position) / milliseconds) * 1000);
            }
            expect(fastest).toBeGreaterThan(0.5);
            expect(fastest).toBeLessThan(2);
            disposeWorlds();
        }
    },
);

test("a box that weighs 500 times as much all at once hangs on", () => {
    const world = makeWorld();
    const { box, body } = hangOnRope(world, makeBox(world, 2), 0, 1, 0);
    world.frame(16.67, 30);
    body!.mass = 1e3;
    world.frame(16.67, 120);
    expect(Math.abs(box.position.y)).toBeLessThan(0.05);
});

test.each([
    ["rigid body", makeWorld, false],
    ["body of a physics engine", makePhysicalWorld, true],
] as const)("a box that is a %s and weighs a fiftieth all at once is not thrown by what it hangs on", (_, make, isEngines) => {
    const world = make();
    const { box, body, sheet } = tieSheet(world, makeBox(world, 2, isEngines), 0, true);
    sheet.fabric = { ...sheet.fabric, stretchStiffness: Infinity };
    world.frame(16.67, 60);
    if (body) body.mass = 0.04;
    else box.physicsBody!.setMassProperties({ ...box.physicsBody!.getMassProperties(), mass: 0.04 });
    let highest = -Infinity;
    for (let k = 0; k < 60; k++) {
        world.frame(16.67);
        highest = Math.max(highest, box.position.y);
    }
    // Where it began to fall.
    expect(highest).toBeLessThan(0);
});
