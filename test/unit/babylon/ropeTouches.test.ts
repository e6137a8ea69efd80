/** Ropes that keep off themselves, each other and cloth. */
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

test("is off by default, and what is neither true nor false is refused", () => {
    expect(new RopeBehavior().selfCollision).toBe(false);
    expect(new RopeBehavior({ selfCollision: true }).selfCollision).toBe(true);
    expect(() => new RopeBehavior({ selfCollision: "particles" as never })).toThrow(
        'RopeBehavior: selfCollision must be true or false, got "particles"',
    );
});

test.each([true, false])(
    "a rope that falls across another lies on it, or with selfCollision off falls through: %s",
    (selfCollision) => {
        const world = makeWorld();
        const hooked = (name: string, x: number, y: number, z: number): TransformNode => {
            const node = new TransformNode(name, world.scene);
            node.position.set(x, y, z);
            return node;
        };
        const options = { radius: 0.02, selfCollision, damping: 3, linearDensity: 0.2, segmentCount: 24 };
        const below = { start: hooked("a", -0.5, 0, 0), end: hooked("b", 0.5, 0, 0) };
        const { rope: tight } = ClothBuilder.CreateRope("tight", { ...below, ...options }, world.scene);
        // Begins above, let go of.
        const above = { from: hooked("c", 0, 0.2, -0.3).position, to: hooked("d", 0, 0.2, 0.3).position };
        const { rope: loose } = ClothBuilder.CreateRope("loose", { ...above, ...options }, world.scene);
        world.frame(FRAME, 30);
        const heights = (rope: RopeBehavior): Float32Array => rope.getParticlePositions().filter((_, k) => k % 3 === 1);
        const top = Math.max(...heights(loose)) - heights(tight)[12];
        if (selfCollision) expect(Math.abs(top - 0.04)).toBeLessThan(0.015);
        else expect(top).toBeLessThan(-0.5);
    },
);

test("what a rope is tied to, it does not keep off: the cloth hangs on it as it does without", () => {
    jest.spyOn(Logger, "Warn").mockImplementation(() => {});
    const heights = ([false, "particles", "triangles"] as const).map((selfCollision) => {
        const world = makeWorld();
        const mesh = makeSquare(world.scene, 8);
        const cloth = new ClothBehavior({ fabric: { damping: 2 }, selfCollision });
        mesh.addBehavior(cloth);
        const [x, y, z] = mesh.getVerticesData("position")!;
        const hook = new TransformNode("hook", world.scene);
        hook.position.set(x, y + 1, z);
        const end = { cloth, vertex: 0 };
        const options = { radius: 0.05, damping: 2, selfCollision: selfCollision !== false };
        const { rope } = ClothBuilder.CreateRope("rope", { start: hook, end, ...options }, world.scene);
        world.frame(FRAME, 240);
        expect(rope.stats.maxStretch).toBeLessThan(2e-3);
        return rope.getParticlePositions()[3 * rope.particleCount - 2];
    });
    expect(Math.abs(heights[1] - heights[0])).toBeLessThan(0.01);
    expect(Math.abs(heights[2] - heights[0])).toBeLessThan(0.01);
});
