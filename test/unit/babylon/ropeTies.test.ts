/** Ends of ropes that are tied to vertices of cloth. */
import { afterEach, expect, jest, test } from "@jest/globals";
import "@babylonjs/core/Materials/standardMaterial";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { ClothBehavior, ClothBuilder, RopeBehavior } from "babylon-cloth";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A square of cloth that lies in the air, and hangs by a corner on a rope of a metre. */
function hang(substepCount?: number) {
    const world = makeWorld();
    const { scene } = world;
    const mesh = makeSquare(scene, 8);
    const cloth = new ClothBehavior({ fabric: { damping: 2 } });
    mesh.addBehavior(cloth);
    const [x, y, z] = mesh.getVerticesData("position")!;
    const hook = new TransformNode("hook", scene);
    hook.position.set(x, y + 1, z);
    const end = { cloth, vertex: 0 };
    const { rope } = ClothBuilder.CreateRope("rope", { start: hook, end, damping: 2, substepCount }, scene);
    const gap = (): number => {
        const a = rope.getParticlePositions().slice(-3);
        const o = 3 * cloth.particleOfVertex(0);
        const b = cloth.getParticlePositions().slice(o, o + 3);
        return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    return { world, scene, mesh, cloth, rope, hook, end, gap };
}

const highest = (cloth: ClothBehavior): number => Math.max(...cloth.getParticlePositions().filter((_, k) => k % 3 === 1));

test.each([undefined, 8])("cloth hangs on a rope that is tied to a vertex; its substeps: %s", (substepCount) => {
    const { world, rope, cloth, end, hook, gap } = hang(substepCount);
    expect(rope.end).toBe(end);
    world.frame(FRAME, 300);
    expect(gap()).toBeLessThan(1e-6);
    expect(rope.stats.maxStretch).toBeLessThan(2e-3);
    expect(highest(cloth)).toBeGreaterThan(-0.05);
    expect(cloth.getParticlePositions().every((v) => Number.isFinite(v))).toBe(true);
    // Lifted by the rope.
    for (let k = 0; k < 60; k++) {
        hook.position.y += 0.01;
        world.frame();
    }
    expect(highest(cloth)).toBeGreaterThan(0.5);
});

test("frames of any length, and one of both standing still for a while", () => {
    const { world, rope, gap } = hang();
    for (const time of [7, 33, 16.7, 50, 4, 21, 100, 12]) world.frame(time, 5);
    expect(gap()).toBeLessThan(1e-6);
    rope.enabled = false;
    world.frame(23, 20);
    expect(gap()).toBeLessThan(1e-3);
    rope.enabled = true;
    world.frame(11, 60);
    expect(gap()).toBeLessThan(1e-6);
});

test("both put back, in either order, move as before", () => {
    const { world, rope, cloth } = hang();
    const fall = (first: RopeBehavior | ClothBehavior, second: RopeBehavior | ClothBehavior): Float32Array[] => {
        first.reset();
        second.reset();
        world.frame(FRAME, 20);
        return [rope, cloth].map((body) => body.getParticlePositions().slice());
    };
    const before = fall(rope, cloth);
    // Half a step from a whole frame's end.
    world.frame(25, 1);
    expect(fall(cloth, rope)).toEqual(before);
    expect(fall(rope, cloth)).toEqual(before);
});

test("both sleep, and wake together", () => {
    const { world, rope, cloth, hook } = hang();
    cloth.fabric = { damping: 10 };
    rope.damping = 10;
    rope.sleepSpeed = cloth.sleepSpeed = 0.05;
    world.frame(FRAME, 600);
    expect([rope.stats.isAsleep, cloth.stats.isAsleep]).toEqual([true, true]);
    hook.position.x += 0.2;
    world.frame(FRAME, 4);
    expect([rope.stats.isAsleep, cloth.stats.isAsleep]).toEqual([false, false]);
});

test("what is disposed leaves the other going", () => {
    const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const { world, mesh, rope } = hang();
    world.frame(FRAME, 30);
    mesh.dispose();
    world.frame(FRAME, 120);
    expect(rope.end).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(rope.getParticlePositions().every((v) => Number.isFinite(v))).toBe(true);

    const second = hang();
    second.world.frame(FRAME, 30);
    second.rope.attachedNode!.dispose();
    second.world.frame(FRAME, 60);
    expect(highest(second.cloth)).toBeLessThan(-2);
});

test("cloth that comes later, is reset, or is built anew is tied again", () => {
    const { world, mesh, cloth, rope, gap } = hang();
    world.frame(FRAME, 30);
    mesh.removeBehavior(cloth);
    world.frame(FRAME, 10);
    expect(rope.end).not.toBeNull();
    mesh.addBehavior(cloth);
    world.frame(FRAME, 60);
    expect(gap()).toBeLessThan(0.02);
    cloth.reset();
    rope.reset();
    world.frame(FRAME, 60);
    expect(gap()).toBeLessThan(0.02);
    world.frame(FRAME, 60);
    expect(gap()).toBeLessThan(1e-3);
});

test("what keeps off itself hangs on ropes, too", async () => {
    const { world, cloth, gap } = hang();
    cloth.selfCollision = "particles";
    await cloth.whenReady();
    world.frame(FRAME, 120);
    expect(gap()).toBeLessThan(1e-6);
});

test("says what cannot be tied", () => {
    const { cloth } = hang();
    expect(() => new RopeBehavior({ end: { cloth, vertex: 81 } })).toThrow(/RopeBehavior: end.vertex must be an integer/);
    expect(() => new RopeBehavior({ end: { cloth, vertex: 0.5 } })).toThrow(RangeError);
    expect(() => new RopeBehavior({ start: { cloth: {} as never, vertex: 0 } })).toThrow(/start.cloth must be a ClothBehavior/);
    const rope = new RopeBehavior({ end: { cloth, vertex: 3 } });
    rope.end = null;
    expect(rope.end).toBeNull();
});

test("a builder's mesh is a node to tie to, though it has a cloth", () => {
    const { scene } = makeWorld();
    const flag = ClothBuilder.CreateFlag("flag", {}, scene);
    const { rope } = ClothBuilder.CreateRope("rope", { length: 1 }, scene);
    rope.start = flag;
    expect(rope.start).toBe(flag);
});

test("tied cloth is copied without its rope", () => {
    const { world, mesh } = hang();
    world.frame(FRAME, 10);
    const copy = mesh.clone("copy");
    expect(copy.behaviors.map(({ name }) => name)).toEqual(["Cloth"]);
    world.frame(FRAME, 120);
    expect(highest(copy.behaviors[0] as ClothBehavior)).toBeLessThan(-2);
});
