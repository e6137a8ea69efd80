/** Bodies of Havok's physics engine, in any scene. */
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent";
import "@babylonjs/core/Physics/v2/physicsEngineComponent";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Scene } from "@babylonjs/core/scene";
import HavokPhysics from "@babylonjs/havok";

const wasm = createRequire(import.meta.url).resolve("@babylonjs/havok/lib/esm/HavokPhysics.wasm");

/** Havok's engine, from its file. */
export const startHavok = () => HavokPhysics({ wasmBinary: readFileSync(wasm) as unknown as ArrayBuffer });

const havok = await startHavok();

/** Has Havok move the bodies of a scene. @param gravity [m/s²] */
export function enableHavok(scene: Scene, gravity: Vector3): void {
    scene.enablePhysics(gravity, new HavokPlugin(true, havok));
    scene.gravity = gravity;
}

/** Makes a mesh a dynamic body, undamped. @param mass [kg]; 0: a static one */
export function makeBody(mesh: Mesh, type: PhysicsShapeType, mass: number): PhysicsBody {
    const { body } = new PhysicsAggregate(mesh, type, { mass }, mesh.getScene());
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    return body;
}

/** Linear velocity [m/s]. */
export function velocityOf(body: PhysicsBody): Vector3 {
    const velocity = new Vector3();
    body.getLinearVelocityToRef(velocity);
    return velocity;
}

/** Angular velocity [rad/s]. */
export function spinOf(body: PhysicsBody): Vector3 {
    const velocity = new Vector3();
    body.getAngularVelocityToRef(velocity);
    return velocity;
}
