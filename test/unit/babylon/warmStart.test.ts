// cloth.simulate: a time passes before the cloth is shown, a slice in each frame.
import { ClothBehavior, select } from "babylon-cloth";
import { afterEach, expect, jest, test } from "@jest/globals";
import { runtimeOf } from "../../../src/babylon/behaviors/bodyRuntime";
import { seededRandom } from "../../random";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(() => {
    jest.restoreAllMocks();
    disposeWorlds();
});

function hang() {
    const world = makeWorld();
    const mesh = makeSquare(world.scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
    mesh.addBehavior(cloth);
    return { ...world, mesh, cloth };
}

/** Makes each fixed step take so long, for whoever looks at the clock [ms]. */
function makeStepsTake(cloth: ClothBehavior, milliseconds: number): void {
    let now = 0;
    cloth.onAfterStepObservable.add(() => (now += milliseconds));
    jest.spyOn(performance, "now").mockImplementation(() => now);
}

test("takes as many steps a frame as fit, and ends where they lead", async () => {
    const { cloth, frame } = hang();
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    makeStepsTake(cloth, 1.2);
    let isDone = false;
    const done = cloth.simulate(0.5).then(() => (isDone = true));
    const counts: number[] = [];
    for (let before = 0; steps < 30; before = steps) {
        frame(FRAME);
        counts.push(steps - before);
    }
    // One to see how long it takes, then three of 1.2 ms in four.
    expect(counts).toEqual([1, ...Array(9).fill(3), 2]);
    const positions = cloth.getParticlePositions();
    const other = hang();
    for (let i = 0; i < 30; i++) other.cloth.step(1 / 60);
    expect(positions).toEqual(other.cloth.getParticlePositions());
    frame(FRAME);
    await done;
    expect([isDone, steps]).toEqual([true, 31]);
});

test("shares a frame with the others of its scene: all together take no more, one after the other", async () => {
    const { scene, cloth, frame } = hang();
    const cloths = [cloth, ...Array.from({ length: 4 }, () => new ClothBehavior())];
    for (const other of cloths.slice(1)) makeSquare(scene).addBehavior(other);
    let steps = 0;
    let now = 0;
    for (const each of cloths) {
        each.autoStep = false;
        each.onAfterStepObservable.add(() => {
            steps++;
            now += 1.3;
        });
    }
    jest.spyOn(performance, "now").mockImplementation(() => now);
    const done = Promise.all(cloths.map((each) => each.simulate(0.1)));
    for (let f = 0; f < 20 && steps < 30; f++) {
        const before = now;
        frame(FRAME);
        expect(now - before).toBeLessThanOrEqual(4);
    }
    expect(steps).toBe(30);
    frame(FRAME);
    await done;
});

test.each([4, 1.7, 9])("two seconds cost no frame more than %f ms, drawing included", async (budget) => {
    const { cloth, frame } = hang();
    const random = seededRandom(3);
    let now = 0;
    let steps = 0;
    cloth.onAfterStepObservable.add(() => {
        steps++;
        now += 0.4 + 0.1 * random();
    });
    const { binding } = runtimeOf(cloth)!.instance!;
    const write = binding.write.bind(binding);
    binding.write = (...given) => {
        now += 0.6 + 0.1 * random();
        write(...given);
    };
    jest.spyOn(performance, "now").mockImplementation(() => now);
    const done = cloth.simulate(2, budget);
    let frames = 0;
    for (; steps < 120; frames++) {
        const before = now;
        frame(FRAME);
        expect(now - before).toBeLessThanOrEqual(budget);
    }
    frame(FRAME);
    await done;
    // And each frame is made use of.
    expect(frames).toBeLessThanOrEqual(1 + Math.ceil(119 / Math.max(1, Math.floor((budget - 1.2 * 1.2 + 0.4) / 0.5))));
});

test("takes one step at least, and waits while the cloth is not enabled", async () => {
    const { cloth, frame } = hang();
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    makeStepsTake(cloth, 50);
    const done = cloth.simulate(2 / 60, 1);
    frame(FRAME);
    expect(steps).toBe(1);
    cloth.enabled = false;
    frame(FRAME, 3);
    expect(steps).toBe(1);
    cloth.enabled = true;
    frame(FRAME);
    expect(steps).toBe(2);
    frame(FRAME);
    await done;
    expect(steps).toBe(3);
});

test("ends when the cloth leaves its mesh, and with what a step throws", async () => {
    const { cloth, mesh, frame } = hang();
    const left = cloth.simulate(10, 1e-6);
    frame(FRAME);
    mesh.removeBehavior(cloth);
    frame(FRAME);
    await left;
    mesh.addBehavior(cloth);
    cloth.onBeforeStepObservable.addOnce(() => {
        throw new Error("no");
    });
    const failing = cloth.simulate(1);
    frame(FRAME);
    await expect(failing).rejects.toThrow("no");
});

test("wrong", () => {
    const { cloth } = hang();
    expect(messageOf(() => cloth.simulate(-1))).toBe("ClothBehavior: simulate(seconds) must be a finite number >= 0, got -1");
    expect(messageOf(() => cloth.simulate(1, 0))).toBe(
        "ClothBehavior: simulate(millisecondsPerFrame) must be a finite number > 0, got 0",
    );
    expect(messageOf(() => new ClothBehavior().simulate(1))).toBe("ClothBehavior: simulate needs an attached mesh");
});
