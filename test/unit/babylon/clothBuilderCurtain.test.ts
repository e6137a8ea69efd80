// Curtains of ClothBuilder: they slide on their rail, open and shut, and are tied back.
import "@babylonjs/core/Materials/standardMaterial";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ClothBuilder } from "babylon-cloth";
import "babylon-cloth/files";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld, messageOf, worldVertices } from "./harness";

afterEach(disposeWorlds);

const widthOf = (mesh: Mesh) => {
    const x = worldVertices(mesh).filter((_, i) => i % 3 === 0);
    return Math.max(...x) - Math.min(...x);
};

test.each(["left", "right"] as const)("opens to the %s and closes, unstretched", (side) => {
    const { scene, frame } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", { width: 1, height: 1.2, side, subdivisions: 48 }, scene);
    expect(widthOf(curtain)).toBeCloseTo(1, 3);
    const edgeOf = (sign: number) =>
        Math.max(
            ...worldVertices(curtain)
                .filter((_, i) => i % 3 === 0)
                .map((x) => sign * x),
        );
    const open = (from: number, to: number) => {
        for (let i = 1; i <= 60; i++) {
            curtain.open = from + ((to - from) * i) / 60;
            frame(FRAME);
            expect(curtain.cloth.stats.meanStretch).toBeLessThan(0.02);
        }
    };
    open(0, 1);
    expect(curtain.open).toBe(1);
    frame(FRAME, 60);
    expect(edgeOf(side === "left" ? 1 : -1)).toBeLessThan(-0.1);
    expect(edgeOf(side === "left" ? -1 : 1)).toBeGreaterThan(0.4);
    open(1, 0);
    frame(FRAME, 60);
    expect(widthOf(curtain)).toBeGreaterThan(0.95);
});

test.each([0.1, 1, 10])("slides on its rail, half open, at %f m: rings are pushed together from the drawn end on", (s) => {
    const { scene, frame } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", { width: s, height: 1.2 * s, pleats: 4, subdivisions: 24 }, scene);
    const places = () => curtain.rings.map(({ position }) => position.x / s);
    const [closed, stacked] = [1 / 8, 0.22 / 8];
    for (let i = 1; i <= 90; i++) {
        curtain.open = i / 180;
        frame(FRAME);
    }
    frame(FRAME, 30);
    const half = places();
    expect(half[0]).toBeCloseTo(-0.5, 9);
    expect(half[8]).toBeCloseTo(0.5 - 0.39, 9);
    const gaps = half.slice(1).map((x, i) => x - half[i]);
    // In 32 bits, and by so little cloth may press rings nearer.
    for (const gap of gaps) expect(gap).toBeGreaterThan(stacked - 1e-4);
    for (const gap of gaps) expect(gap).toBeLessThan(closed + 1e-5);
    expect(gaps[7]).toBeLessThan(1.5 * stacked);
    expect(gaps[0]).toBeGreaterThan(0.8 * closed);
    // Rings are where the cloth hangs, and that is on the rail.
    const x = curtain.getVerticesData("position")!;
    const held = curtain.cloth.serialize().pins[0].vertices;
    held.forEach((v, i) => {
        expect(x[3 * v] / s).toBeCloseTo(half[i], 5);
        expect(Math.hypot(x[3 * v + 1], x[3 * v + 2]) / s).toBeLessThan(1e-5);
    });
    for (let i = 89; i >= 0; i--) {
        curtain.open = i / 180;
        frame(FRAME);
    }
    frame(FRAME, 60);
    places().forEach((place, i) => expect(place).toBeCloseTo(-0.5 + i * closed, 2));
    curtain.dispose();
    frame();
    expect(scene.onBeforeActiveMeshesEvaluationObservable.hasObservers()).toBe(false);
});

test("animations may overshoot", () => {
    const { scene } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", { subdivisions: 24 }, scene);
    for (const name of ["open", "tied"] as const) {
        for (const [set, is] of [
            [1.03, 1],
            [-0.2, 0],
        ]) {
            curtain[name] = set;
            expect([name, curtain[name]]).toEqual([name, is]);
        }
    }
});

test("a band gathers it to the side and lets go", () => {
    const { scene, frame } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", { width: 1.6, height: 2, tieBack: 0.5, subdivisions: 64 }, scene);
    const rings = curtain.rings.length;
    for (let i = 1; i <= 60; i++) {
        curtain.tied = i / 60;
        frame(FRAME);
    }
    frame(FRAME, 60);
    expect(curtain.cloth.stats.meanStretch).toBeLessThan(0.01);
    expect(curtain.cloth.stats.maxStretch).toBeLessThan(0.3);
    const x = worldVertices(curtain);
    const waist = Array.from({ length: x.length / 3 }, (_, v) => 3 * v).filter((v) => Math.abs(x[v + 1] + 1) < 0.06);
    expect(Math.max(...waist.map((v) => x[v]))).toBeLessThan(0.3);
    expect(curtain.cloth.pins.length).toBe(3 + rings);
    curtain.tied = 0;
    expect(curtain.cloth.pins.length).toBe(3);
    // The rail's too.
    expect(scene.transformNodes.length).toBe(rings + 1);
});

test("wrong", () => {
    const { scene } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", {}, scene);
    expect(messageOf(() => (curtain.open = Infinity))).toBe("Curtain: open must be a finite number, got Infinity");
    expect(messageOf(() => (curtain.tied = NaN))).toBe("Curtain: tied must be a finite number, got NaN");
});
