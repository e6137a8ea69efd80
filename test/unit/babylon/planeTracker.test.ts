import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Logger } from "@babylonjs/core/Misc/logger";
import { expect, jest, test } from "@jest/globals";
import { ColliderBinding } from "../../../src/babylon/colliders/colliderBinding";
import { ActiveColliders } from "../../../src/babylon/colliders/activeColliders";
import { SceneColliders } from "../../../src/babylon/colliders/sceneColliders";
import { Contact, PlaneData } from "../../../src/kernels/contactLayout";
import { NO_LIMIT } from "../../../src/engine/collision/shapes/jumpDetector";
import { grid, lying } from "../../physics/meshes";
import { makeCloth, PLAIN } from "../../physics/support";

const NORMALS = [
    [0, 1, 0],
    [0, -2, 0],
    [1, 0, 0],
    [-0.5, 0, 0],
    [0, 0, 1],
    [3, 4, 12],
    [-12, 3, 4],
    [4, -12, 3],
    [0.61, 0.3, -0.7],
    [0.59, 0.3, -0.7],
];

test.each(NORMALS)(
    "a Plane of normal %d, %d, %d stands where it is, seen from any origin, and turns as what is rigid",
    (x, y, z) => {
        const length = Math.hypot(x, y, z);
        const plane = new Plane(x, y, z, 2 * length);
        const scene = new SceneColliders({ hasMesh: () => true, recheckMesh: () => undefined });
        const cloth = makeCloth(grid(1, 1, lying()));
        cloth.origin.set([10, -20, 30]);
        const meetings = new ActiveColliders(cloth, scene, null, () => {});
        meetings.sync([new ColliderBinding(plane)]);
        const [collider] = cloth.colliders;
        const step = (): void => {
            scene.beginFrame();
            meetings.updatePoses(NO_LIMIT);
            collider.beginStep({ fraction: 1 });
            collider.moveTo(1, 1, PLAIN);
        };
        step();
        const normal = [...collider.data.subarray(PlaneData.normal, PlaneData.normal + 3)];
        [x, y, z].forEach((n, c) => expect(normal[c]).toBeCloseTo(n / length, 6));
        // n · p + d = 0, of points p = origin + q.
        const height = normal[0] * 10 - normal[1] * 20 + normal[2] * 30;
        expect(collider.data[PlaneData.offset]).toBeCloseTo(-2 - height, 4);

        // Turned a little within a step: its material moves like a rigid body's, lengths and angles stay.
        plane.normal.set(x + 0.01 * length, y, z + 0.02 * length);
        step();
        const motion = collider.data.subarray(Contact.motion, Contact.motion + 12);
        const before = [0, 1, 2].map((r) => [0, 1, 2].map((c) => (r === c ? 1 : 0) - motion[4 * r + c]));
        for (let r = 0; r < 3; r++) {
            for (let c = 0; c < 3; c++) {
                const product = before[r].reduce((sum, entry, k) => sum + entry * before[c][k], 0);
                expect(product).toBeCloseTo(r === c ? 1 : 0, 5);
            }
        }
        cloth.release();
    },
);

test.each([
    ["a Plane without a normal", new Plane(0, 0, 0, 1)],
    ["a Plane that is nowhere", new Plane(0, 1, 0, NaN)],
    ["a BoundingSphere that is nowhere", new BoundingSphere(new Vector3(NaN, 0, 0), new Vector3(NaN, 1, 1))],
] as const)("%s is no collider until it is somewhere", (_, source) => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const scene = new SceneColliders({ hasMesh: () => true, recheckMesh: () => undefined });
    const cloth = makeCloth(grid(1, 1, lying()));
    const meetings = new ActiveColliders(cloth, scene, null, () => {});
    meetings.sync([new ColliderBinding(source)]);
    const [collider] = cloth.colliders;
    expect(collider.hasPose).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    if (source instanceof Plane) source.copyFromPoints(new Vector3(0, 1, 0), new Vector3(0, 1, 1), new Vector3(1, 1, 0));
    else source.reConstruct(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    scene.beginFrame();
    meetings.updatePoses(NO_LIMIT);
    expect(collider.hasPose).toBe(true);
    cloth.release();
});
