import * as BABYLON from "../babylon";

/** How a body begins. */
interface Start {
    mesh: BABYLON.Mesh;
    body: BABYLON.PhysicsBody;
    position: BABYLON.Vector3;
    turn: BABYLON.Quaternion;
}

/**
 * Havok's physics in a scene, which steps with the scene's clock.
 * @returns `add` makes a mesh a body where it is, of a mass [kg], 0 for one that stands; `update` goes on to a time [s], or back to the start
 */
export async function physics(scene: BABYLON.Scene) {
    const plugin = new BABYLON.HavokPlugin(true, await HavokPhysics());
    scene.enablePhysics(new BABYLON.Vector3(0, -9.81, 0), plugin);
    // Not with the frames: by `update`.
    scene.physicsEnabled = false;
    const starts: Start[] = [];
    let now = 0;

    function add(mesh: BABYLON.Mesh, type: BABYLON.PhysicsShapeType, mass: number) {
        const { body } = new BABYLON.PhysicsAggregate(mesh, type, { mass, friction: 0.6, restitution: 0.1 }, scene);
        // The nodes say where the bodies are, when they go back to the start.
        body.disablePreStep = false;
        starts.push({ mesh, body, position: mesh.position.clone(), turn: mesh.rotationQuaternion!.clone() });
        return body;
    }

    function update(time: number) {
        if (time <= now) {
            for (const { mesh, body, position, turn } of starts) {
                mesh.position.copyFrom(position);
                mesh.rotationQuaternion!.copyFrom(turn);
                body.setLinearVelocity(BABYLON.Vector3.Zero());
                body.setAngularVelocity(BABYLON.Vector3.Zero());
            }
        } else {
            scene.getPhysicsEngine()!._step(time - now);
        }
        now = time;
    }
    return { add, update };
}
