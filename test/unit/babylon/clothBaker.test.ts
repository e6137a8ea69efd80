// Motion taken off a cloth: recorded, and as morph targets.
import "@babylonjs/core/Animations/animatable";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBaker, ClothBehavior, Wind, select } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

function fly() {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "flag");
    mesh.position.x = 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind: new Wind({ velocity: new Vector3(4, 0, 1) }) });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 30);
    return { ...world, mesh, cloth };
}

test("a recording has the vertices of each frame, from the present one on", () => {
    const { mesh, cloth } = fly();
    const now = Float32Array.from(mesh.getVerticesData("position")!);
    const { positions, normals, framesPerSecond } = ClothBaker.record(cloth, 1, { framesPerSecond: 10 });
    expect([positions.length, normals.length, framesPerSecond]).toEqual([11, 11, 10]);
    expect(difference(positions[0], now)).toBe(0);
    expect(difference(positions[10], mesh.getVerticesData("position")!)).toBe(0);
    expect(difference(positions[5], positions[6])).toBeGreaterThan(0.01);
    // A tenth of a second is more than a frame may hold: none of it is lost.
    const other = fly();
    for (let i = 0; i < 60; i++) other.cloth.step(1 / 60);
    expect(difference(positions[10], other.mesh.getVerticesData("position")!)).toBeLessThan(1e-3);
});

test("as morph targets a copy shows each frame at its time, and mixes between", () => {
    const { scene, mesh, cloth, frame } = fly();
    const recording = ClothBaker.record(cloth, 1, { framesPerSecond: 10 });
    const { mesh: baked, group } = ClothBaker.toMorphTargets(cloth, recording, "baked");
    expect(baked.behaviors).toEqual([]);
    expect(baked.position.x).toBe(2);
    expect(cloth.attachedNode).toBe(mesh);
    mesh.removeBehavior(cloth);
    group.start(true);
    group.pause();
    /** What is drawn at a frame: the base and the targets' shares. */
    const drawnAt = (at: number) => {
        group.goToFrame(at);
        frame(0);
        return baked.getPositionData(false, true)!;
    };
    for (const f of [0, 1, 4, 9, 10]) expect(difference(drawnAt(f), recording.positions[f])).toBeLessThan(1e-5);
    const half = recording.positions[3].map((x, k) => (x + recording.positions[4][k]) / 2);
    expect(difference(drawnAt(3.5), half)).toBeLessThan(1e-5);
    expect(scene.animationGroups).toEqual([group]);
});

test("wrong", () => {
    const { cloth } = fly();
    const other = makeSquare(makeWorld().scene, 3);
    const small = new ClothBehavior();
    other.addBehavior(small);
    expect(messageOf(() => ClothBaker.record(new ClothBehavior(), 1))).toMatch(
        /^ClothBaker: record\(cloth\) must be a ClothBehavior that is on/,
    );
    expect(messageOf(() => ClothBaker.record(cloth, 0))).toMatch(
        /^ClothBaker: record\(seconds\) must be a finite number > 0, got 0/,
    );
    expect(messageOf(() => ClothBaker.record(cloth, 1, { framesPerSecond: -1 }))).toMatch(
        /framesPerSecond must be a finite number > 0/,
    );
    expect(messageOf(() => ClothBaker.toMorphTargets(cloth, ClothBaker.record(small, 0.1)))).toBe(
        'ClothBaker: toMorphTargets(recording) must be of "flag": 243 numbers a frame, got 48',
    );
});
