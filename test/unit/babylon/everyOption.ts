// A value of every option of a cloth that is not its default, for the tests that go through all of them.
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Fabrics, Wind } from "../../../src/index";
import type { ClothOptions, ClothBehavior } from "../../../src/index";

const wind = new Wind({ velocity: new Vector3(3, 0, 0) });
const gravity = new Vector3(0, -1, 0);
/** A value of every option that is not its default. */
export const VALUES: Required<ClothOptions> = {
    fabric: Fabrics.silk,
    wind,
    inertia: { anchor: null, linear: 0.5, angular: 1, air: 0, maxSpeed: 8, maxAngularSpeed: Infinity },
    tetherSlack: 0.1,
    parts: [],
    skin: false,
    skinStiffness: 20,
    skinBlend: 0.5,
    maxDistance: 0.3,
    backstop: null,
    selfCollision: "particles",
    selfThickness: 0.02,
    adaptiveStep: true,
    solver: "verlet",
    springDamping: 0.002,
    pins: [{ select: [0] }],
    colliders: [Plane.FromPositionAndNormal(Vector3.Zero(), Vector3.Up())],
    gravity,
    substepCount: 7,
    fixedTimeStep: 1 / 120,
    maxStepsPerFrame: 2,
    sleepSpeed: 0.01,
    collideWithPhysics: true,
    collisionGroup: 2,
    collisionMask: 0xffffffff,
    priority: 3,
    alwaysUpdate: true,
    fullDetailDistance: 20,
    pauseDistance: 100,
    teleportSpeed: 12,
    autoStep: false,
    enabled: false,
};
export const NAMES = Object.keys(VALUES) as (keyof ClothOptions)[];

/** What a cloth says of an option, in the form in which {@link VALUES} has it. */
export function valueOf(cloth: ClothBehavior, name: keyof ClothOptions): unknown {
    if (name === "pins") return cloth.pins.map(({ select }) => ({ select }));
    if (name === "colliders") return cloth.colliders.map((collider) => collider.source);
    return cloth[name];
}
