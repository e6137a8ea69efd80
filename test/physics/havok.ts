/** A scene with Havok's physics, whose frames take the time that the test says. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { makeWorld } from "../unit/babylon/harness";
import type { World } from "../unit/babylon/harness";
import { enableHavok } from "./havokBodies";

export { makeBody, spinOf, startHavok, velocityOf } from "./havokBodies";

/** @param gravity [m/s²] */
export function makePhysicalWorld(gravity = new Vector3(0, -9.81, 0)): World {
    const world = makeWorld();
    enableHavok(world.scene, gravity);
    return world;
}
