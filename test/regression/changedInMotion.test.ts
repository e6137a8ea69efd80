// Cloth that is changed while it rides goes on as it was: its velocity, and where it is relative to what carries it, are kept.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBehavior, ClothTearing, select } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

interface Ride {
    readonly root: TransformNode;
    readonly mesh: Mesh;
    readonly cloth: ClothBehavior;
    readonly tearing: ClothTearing;
}

/** A cape in vacuum under a root that goes at 20 m/s; `change` comes after 0.7 s, when the root has moved on in that frame. @returns the largest speed relative to the root from the tenth frame after that on [m/s] */
async function speedAfter(rate: number, hasAnchor: boolean, change: (ride: Ride) => void): Promise<number> {
    const { scene, frame } = makeWorld();
    const root = new TransformNode("root", scene);
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.6, height: 0.8, subdivisions: 8 }, scene);
    mesh.parent = root;
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], wind: null });
    if (hasAnchor) cloth.inertia = { anchor: root };
    mesh.addBehavior(cloth);
    const tearing = new ClothTearing({ strain: Infinity });
    mesh.addBehavior(tearing);
    await cloth.whenReady();
    const places = (): Float32Array => cloth.getParticlePositions().map((x, i) => (i % 3 === 0 ? x - root.position.x : x));
    let before = places();
    let fastest = 0;
    const start = Math.round(0.7 * rate);
    for (let f = 0; f < 2 * start; f++) {
        root.position.x += 20 / rate;
        if (f === start) change({ root, mesh, cloth, tearing });
        frame(1000 / rate);
        const now = places();
        if (f > start + 10) for (let q = 0; q < now.length; q++) fastest = Math.max(fastest, rate * Math.abs(now[q] - before[q]));
        before = now;
    }
    return fastest;
}

describe.each([60, 144])("at %d Hz, on an anchor", (rate) => {
    test.each<[string, (ride: Ride) => void]>([
        ["nothing", () => {}],
        [
            "a cut",
            ({ root, tearing }) => {
                const middle = root.position.subtractFromFloats(20 / rate, 0, 0);
                const half = new Vector3(0.12, 0, 0);
                expect(tearing.cut(middle.subtract(half), middle.add(half))).toBe(true);
            },
        ],
        ["other shares of inertia", ({ cloth, root }) => void (cloth.inertia = { anchor: root, air: 0.9 })],
        ["another pin", ({ cloth }) => void cloth.pin(select.near(Vector3.Zero(), 0.05))],
        ["another scale", ({ root }) => root.scaling.setAll(1.3)],
    ])("%s", async (_, change) => {
        expect(await speedAfter(rate, true, change)).toBeLessThan(0.5);
    });
});

test("velocities do not grow with the size", async () => {
    const speed = await speedAfter(60, false, ({ root }) => root.scaling.setAll(4));
    // It swings as it did: not at four times 20 m/s.
    expect(speed).toBeLessThan(20);
});
