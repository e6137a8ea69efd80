// What is disabled or taken out of the scene is gone, and comes back: colliders, and zones of wind.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, Colliders, Wind, select } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** A box, and a node above it. */
function makeTable(scene: Scene) {
    const parent = new TransformNode("parent", scene);
    const table = MeshBuilder.CreateBox("table", { width: 3, height: 0.2, depth: 3 }, scene);
    table.parent = parent;
    return { parent, table };
}

type Table = ReturnType<typeof makeTable>;

const WAYS: [string, (table: Table) => void, (table: Table) => void][] = [
    ["disabled", ({ table }) => table.setEnabled(false), ({ table }) => table.setEnabled(true)],
    ["disabled by a parent", ({ parent }) => parent.setEnabled(false), ({ parent }) => parent.setEnabled(true)],
    ["removed", ({ table }) => void table.getScene().removeMesh(table), ({ table }) => table.getScene().addMesh(table)],
];

const heightOf = (cloth: ClothBehavior): number =>
    cloth.getParticlePositions().reduce((sum, y, i) => sum + (i % 3 === 1 ? y : 0), 0) / cloth.particleCount;

describe.each(WAYS)("a table that is %s", (_, take, give) => {
    test("lets cloth fall that slept on it, and holds it again", async () => {
        const { scene, frame } = makeWorld();
        const table = makeTable(scene);
        const mesh = makeSquare(scene, 8);
        mesh.position.y = 0.15;
        const cloth = new ClothBehavior({ colliders: [table.table] });
        mesh.addBehavior(cloth);
        await cloth.whenReady();
        frame(FRAME, 240);
        expect(cloth.stats.isAsleep).toBe(true);
        const height = heightOf(cloth);
        take(table);
        frame(FRAME, 12);
        expect(heightOf(cloth)).toBeLessThan(height - 0.1);
        give(table);
        cloth.reset();
        frame(FRAME, 120);
        expect(heightOf(cloth)).toBeCloseTo(height, 2);
    });

    test("is not there from the beginning, for all cloths of the scene", async () => {
        const { scene, frame } = makeWorld();
        const table = makeTable(scene);
        take(table);
        Colliders.add(scene, table.table);
        const mesh = makeSquare(scene, 4);
        mesh.position.y = 0.3;
        const cloth = new ClothBehavior();
        mesh.addBehavior(cloth);
        await cloth.whenReady();
        frame(FRAME, 40);
        expect(heightOf(cloth)).toBeLessThan(-0.5);
        give(table);
        cloth.reset();
        frame(FRAME, 40);
        expect(heightOf(cloth)).toBeGreaterThan(0);
    });
});

test("what comes back onto cloth that sleeps wakes it", async () => {
    const { scene, frame } = makeWorld();
    const { table } = makeTable(scene);
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.3 }, scene);
    ball.position.y = 0.2;
    ball.setEnabled(false);
    const mesh = makeSquare(scene, 10);
    mesh.position.y = 0.15;
    const cloth = new ClothBehavior({ colliders: [table, ball] });
    mesh.addBehavior(cloth);
    await cloth.whenReady();
    frame(FRAME, 300);
    expect(cloth.stats.isAsleep).toBe(true);
    ball.setEnabled(true);
    frame();
    expect(cloth.stats.isAsleep).toBe(false);
});

test("isVisible is another thing: what is not seen is solid", async () => {
    const { scene, frame } = makeWorld();
    const { table } = makeTable(scene);
    table.isVisible = false;
    const mesh = makeSquare(scene, 4);
    mesh.position.y = 0.2;
    const cloth = new ClothBehavior({ colliders: [table] });
    mesh.addBehavior(cloth);
    await cloth.whenReady();
    frame(FRAME, 90);
    expect(heightOf(cloth)).toBeGreaterThan(0.09);
});

test.each<[string, (fan: TransformNode, parent: TransformNode, isOn: boolean) => void]>([
    ["itself", (fan, _, isOn) => fan.setEnabled(isOn)],
    ["by its parent", (_, parent, isOn) => parent.setEnabled(isOn)],
    ["taken out", (fan, _, isOn) => (isOn ? fan.getScene().addTransformNode(fan) : void fan.getScene().removeTransformNode(fan))],
])("a zone of wind that is disabled %s does not blow; when it comes back, what slept wakes", (_, turn) => {
    const { scene, frame } = makeWorld();
    const parent = new TransformNode("parent", scene);
    const fan = new TransformNode("fan", scene);
    fan.parent = parent;
    fan.scaling.setAll(10);
    const mesh = makeSquare(scene, 6);
    mesh.rotation.x = -Math.PI / 2;
    const wind = new Wind({ velocity: new Vector3(0, 0, 4), turbulence: 0, zone: { shape: "box", node: fan } });
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], wind, fabric: { damping: 3 } });
    mesh.addBehavior(cloth);
    const lean = (): number =>
        cloth.getParticlePositions().reduce((sum, z, i) => sum + (i % 3 === 2 ? z : 0), 0) / cloth.particleCount;
    turn(fan, parent, false);
    frame(FRAME, 300);
    expect(Math.abs(lean())).toBeLessThan(1e-3);
    expect(cloth.stats.isAsleep).toBe(true);
    turn(fan, parent, true);
    frame(FRAME, 60);
    expect(lean()).toBeGreaterThan(0.05);
});
