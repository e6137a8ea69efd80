import * as BABYLON from "../babylon";

/** A mesh that is a body, and how it begins. */
interface Solid {
    mesh: BABYLON.Mesh;
    body: BABYLON.PhysicsBody;
    type: BABYLON.PhysicsShapeType;
    mass: number;
    position: BABYLON.Vector3;
    turn: BABYLON.Quaternion;
}

/**
 * Havok's physics in a scene, which steps with the scene's clock.
 * @returns `add` makes a mesh a body where it is, of a mass [kg], 0 for one that stands; `update` goes on to a time [s], or back to the start
 */
export async function physics(scene: BABYLON.Scene) {
    const havok = await HavokPhysics();
    const solids: Solid[] = [];
    let now = 0;
    enable();

    function enable() {
        scene.enablePhysics(new BABYLON.Vector3(0, -9.81, 0), new BABYLON.HavokPlugin(true, havok));
        // Not with the frames: by `update`.
        scene.physicsEnabled = false;
    }

    function make(mesh: BABYLON.Mesh, type: BABYLON.PhysicsShapeType, mass: number) {
        const { body } = new BABYLON.PhysicsAggregate(mesh, type, { mass, friction: 0.6, restitution: 0.1 }, scene);
        body.setLinearDamping(0.1);
        body.setAngularDamping(mass > 0 ? 1 : 0);
        return body;
    }

    function add(mesh: BABYLON.Mesh, type: BABYLON.PhysicsShapeType, mass: number): Solid {
        const body = make(mesh, type, mass);
        const solid = { mesh, body, type, mass, position: mesh.position.clone(), turn: mesh.rotationQuaternion!.clone() };
        solids.push(solid);
        return solid;
    }

    /** All of it anew: an engine that has run remembers more than where bodies are. */
    function restart() {
        for (const { body } of solids) body.dispose();
        scene.disablePhysicsEngine();
        enable();
        for (const solid of solids) {
            solid.mesh.position.copyFrom(solid.position);
            solid.mesh.rotationQuaternion!.copyFrom(solid.turn);
            solid.mesh.computeWorldMatrix(true);
            solid.body = make(solid.mesh, solid.type, solid.mass);
        }
    }

    function update(time: number) {
        if (time > now) scene.getPhysicsEngine()!._step(time - now);
        else if (now > 0) restart();
        now = time;
    }
    return { add, update };
}
