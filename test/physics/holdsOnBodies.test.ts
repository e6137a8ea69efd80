/** Rails, planes, springs and leashes on bodies that can be moved: they pull these, as points do. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBehavior, MaxDistanceHold, PlaneHold, RailHold, select, SoftHold, RigidBodyBehavior } from "babylon-cloth";
import type { ClothOptions, PinHold, Select } from "babylon-cloth";
import { disposeWorlds, makeWorld, rows } from "../unit/babylon/harness";
import type { World } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld } from "./havok";

afterEach(disposeWorlds);

const G = 9.81;
/** Of a square metre of cloth [kg]. */
const MASS = 0.2;
/** Along the sheet, which is stiff there [N s]; engines swallow what is tiny. */
const IMPULSE = 0.3;
const HOLDS: [string, PinHold][] = [
    ["rail", new RailHold([new Vector3(-0.6, 0, 0), new Vector3(0.6, 0, 0)], { friction: 0 })],
    ["leash", new MaxDistanceHold(0.02)],
];

/** A body of a mass at the origin, and a square metre of cloth, of which a hold on it has a part. */
function hold(make: () => World, mass: number, by: PinHold, selected: Select, options: ClothOptions = {}, gravity = 0) {
    const world = make();
    const { scene } = world;
    scene.gravity = new Vector3(0, -gravity, 0);
    const rod = MeshBuilder.CreateBox("rod", { width: 1.2, height: 0.1, depth: 0.1 }, scene);
    if (make === makeWorld) rod.addBehavior(new RigidBodyBehavior({ mass, gravity: scene.gravity }));
    else {
        scene.getPhysicsEngine()!.setGravity(scene.gravity);
        makeBody(rod, 3, mass);
        rod.physicsBody!.setLinearDamping(0);
    }
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
    const cloth = new ClothBehavior({
        wind: null,
        fabric: { arealDensity: MASS, damping: 0 },
        gravity: Vector3.Zero(),
        ...options,
    });
    cloth.pin(selected, rod, by);
    return { ...world, rod, mesh, cloth };
}

describe.each([
    ["a rigid body", makeWorld],
    ["a body of a physics engine", makePhysicalWorld],
])("%s", (_, make) => {
    test.each(HOLDS)("hangs by a %s on cloth that a hook holds", (_, by) => {
        for (const [mass, rate] of [
            [0.1, 144],
            [100, 30],
        ]) {
            const gravity = new Vector3(0, -G, 0);
            const { mesh, cloth, rod, scene, frame } = hold(make, mass, by, select.edge("-z"), { gravity }, G);
            mesh.rotation.x = -Math.PI / 2;
            mesh.position.y = 0.5;
            cloth.pin(select.edge("+z"), new TransformNode("hook", scene));
            mesh.addBehavior(cloth);
            frame(1000 / rate, 1.5 * rate);
            expect(Math.abs(rod.position.y)).toBeLessThan(0.08);
            disposeWorlds();
        }
    });

    test("is pushed by what slides on it along the normal of its plane, by λ = m M g cos θ / (m + M)", () => {
        for (const mass of [0.05, 0.5]) {
            const angle = 0.4;
            const normal = new Vector3(Math.sin(angle), Math.cos(angle), 0);
            const gravity = new Vector3(0, -G, 0);
            const { mesh, cloth, rod, frame } = hold(make, mass, new PlaneHold(normal), select.all(), { gravity });
            mesh.rotation.z = -angle;
            mesh.addBehavior(cloth);
            frame(1000 / 60, 13);
            const before = rod.position.clone();
            frame(1000 / 60, 6);
            const push = (MASS * mass * G * Math.cos(angle)) / (MASS + mass);
            const speed = rod.position.subtract(before).scale(10);
            // Mean over the frames: at their middle.
            expect(-Vector3.Dot(speed, normal) / ((push / mass) * (16 / 60))).toBeCloseTo(1, 1);
            expect(Math.abs(Vector3.Dot(speed, new Vector3(normal.y, -normal.x, 0)))).toBeLessThan(0.02 * speed.length());
            disposeWorlds();
        }
    });

    test("swings with cloth on a spring by 2π √(μ / k), μ the reduced mass", () => {
        for (const mass of [0.1, 0.4]) {
            const { mesh, cloth, rod, frame } = hold(make, mass, new SoftHold({ stiffness: 3 }), select.all());
            mesh.addBehavior(cloth);
            frame(1000 / 60, 1);
            cloth.applyImpulse(Vector3.Zero(), new Vector3(IMPULSE, 0, 0), 100);
            const mean = IMPULSE / (MASS + mass);
            let last = 0;
            const crossings: number[] = [];
            for (let k = 1; k < 240; k++) {
                frame(1000 / 60, 1);
                const [x] = rows(cloth.getParticlePositions(), [cloth.particleOfVertex(40)]);
                const off = x - rod.position.x;
                if (last < 0 && off >= 0) crossings.push(k - off / (off - last));
                last = off;
            }
            const period = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1) / 60;
            const theory = 2 * Math.PI * Math.sqrt((MASS * mass) / (MASS + mass) / 3);
            expect(Math.abs(period / theory - 1)).toBeLessThan(0.02);
            // And both go on with what they got, less what engines swallow.
            expect(Math.abs(rod.position.x / (mean * 4) - 1)).toBeLessThan(0.15);
            disposeWorlds();
        }
    });
});
