/** Pins of rigid bodies on what a physics engine moves: they pull it. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { SoftHold, RigidBodyBehavior } from "babylon-cloth";
import type { PinHold, Select } from "babylon-cloth";
import { disposeWorlds } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld, spinOf, velocityOf } from "./havok";

afterEach(disposeWorlds);

const POINT: Select = [3];
const FACE: Select = ({ x }: Vector3): boolean => x < 0;

/** A crate of an engine, and a rigid body beside it that is pinned to it by a corner or a face, without weight. */
function join(mass: number, own: number, by: Select, hold: PinHold | null = null) {
    const { scene, frame } = makePhysicalWorld(Vector3.Zero());
    const crate = MeshBuilder.CreateBox("crate", { width: 0.6, height: 0.3, depth: 0.2 }, scene);
    const engine = makeBody(crate, 3, mass);
    const mesh = MeshBuilder.CreateBox("body", { size: 0.4 }, scene);
    mesh.position.set(0.5, -0.2, 0.05);
    const body = new RigidBodyBehavior({ mass: own, collisionMask: 0 });
    body.pin(by, crate, hold);
    mesh.addBehavior(body);
    const centre = (): Vector3 => {
        const p = body.getParticlePositions();
        return new Vector3(...[0, 1, 2].map((c) => (p[c] + p[3 + c] + p[6 + c] + p[9 + c]) / 4));
    };
    const speed = (): number => velocityOf(engine).length() + 0.3 * spinOf(engine).length();
    return { frame, crate, body, mesh, centre, speed };
}

describe.each([
    ["a corner", POINT],
    ["a face", FACE],
])("a rigid body pinned by %s", (_, by) => {
    test.each([
        [0.3, 1],
        [1, 1],
        [5, 1],
    ])("takes what it is pinned to along: momentum is kept within 0.1 %%, of %s kg by %s", (mass, own) => {
        const { frame, crate, body, centre } = join(mass, own, by);
        frame(1000 / 60, 2);
        const mean = (): Vector3 => crate.position.scale(mass).add(centre().scale(own));
        const before = mean();
        const impulse = new Vector3(8, 4, 2);
        body.applyImpulse(new Vector3(0.5, -0.2, 0.1), impulse);
        frame(1000 / 60, 480);
        expect(mean().subtract(before).subtract(impulse.scale(8)).length()).toBeLessThan(0.001 * impulse.length() * 8);
    });

    test("gains nothing in frames of any length, be it ten times as heavy", () => {
        for (const own of [0.2, 1, 9]) {
            const { frame, body, speed } = join(1, own, by);
            frame(1000 / 60, 2);
            body.applyImpulse(new Vector3(0.5, -0.2, 0.15), new Vector3(own, 0.5 * own, 0.2 * own));
            let [early, late, seed] = [0, 0, 1];
            for (let k = 0; k < 180; k++) {
                seed = (seed * 16807) % 2147483647;
                frame(4 + 30 * (seed / 2147483647));
                if (k < 60) early = Math.max(early, speed());
                else late = Math.max(late, speed());
            }
            expect(late).toBeLessThan(1.05 * early);
            disposeWorlds();
        }
    });
});

test("on what it outweighs by far, or by a hold that leaves it free, it goes along without a pull", () => {
    for (const { mass, hold } of [
        { mass: 0.05, hold: null },
        { mass: 5, hold: new SoftHold({ stiffness: 500 }) },
    ]) {
        const { frame, crate, body } = join(mass, 1, POINT, hold);
        frame(1000 / 60, 2);
        body.applyImpulse(new Vector3(0.5, -0.2, 0.05), new Vector3(1, 0, 0));
        frame(1000 / 60, 60);
        expect(crate.position.length()).toBe(0);
        disposeWorlds();
    }
});
