// Attaching in slices: the page goes on meanwhile, and the cloth is to the bit what attaching at once makes.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { attachAsync, ClothBehavior, select } from "../../../src/index";
import { disposeWorlds, listen, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const makeSheet = ({ scene }: World, subdivisions: number): Mesh =>
    MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions }, scene);
const makeCloth = (): ClothBehavior => new ClothBehavior({ pins: [{ select: select.edge("+z") }] });

/** Tasks of the page that run until a promise is settled. */
async function countTasks(work: Promise<void>): Promise<number> {
    let count = 0;
    let isDone = false;
    const tick = (): void => void (isDone || (count++, setTimeout(tick)));
    tick();
    await work.finally(() => (isDone = true));
    return count;
}

test("the page goes on while cloth of 22,500 particles is attached, and hears how far it is", async () => {
    const world = makeWorld();
    const shares: number[] = [];
    const cloth = makeCloth();
    const mesh = makeSheet(world, 149);
    expect(await countTasks(attachAsync(cloth, mesh, (share) => void shares.push(share)))).toBeGreaterThan(8);
    expect(cloth.attachedNode).toBe(mesh);
    expect(cloth.particleCount).toBe(22_500);
    expect(shares.length).toBeGreaterThan(8);
    expect(shares.every((share, i) => i === 0 || share >= shares[i - 1])).toBe(true);
    expect(shares.at(-1)).toBe(1);
});

test("it moves as cloth that is attached at once", async () => {
    const world = makeWorld();
    const [one, other] = [makeCloth(), makeCloth()];
    await attachAsync(one, makeSheet(world, 60));
    makeSheet(world, 60).addBehavior(other);
    world.frame(undefined, 10);
    expect(one.getParticlePositions()).toEqual(other.getParticlePositions());
});

test("it stands still in frames that are drawn meanwhile", async () => {
    const world = makeWorld();
    const cloth = makeCloth();
    await attachAsync(cloth, makeSheet(world, 120), (share) => void (share < 1 && world.frame()));
    const other = makeCloth();
    makeSheet(world, 120).addBehavior(other);
    const start = other.getParticlePositions();
    expect(cloth.getParticlePositions()).toEqual(start);
    world.frame();
    expect(cloth.getParticlePositions()).not.toEqual(start);
});

test("a mesh that is disposed meanwhile, or is no cloth, is an error", async () => {
    const world = makeWorld();
    const mesh = makeSheet(world, 120);
    const done = attachAsync(makeCloth(), mesh, () => mesh.dispose());
    await expect(done).rejects.toThrow('attachAsync: "sheet" was disposed meanwhile');
    const line = MeshBuilder.CreateLines("line", { points: [] }, world.scene);
    await expect(attachAsync(makeCloth(), line)).rejects.toThrow();
});

test("taken off while it is prepared, it settles", async () => {
    const world = makeWorld();
    const mesh = makeSheet(world, 160);
    const cloth = makeCloth();
    let isTaken = false;
    await attachAsync(cloth, mesh, () => {
        if (cloth.attachedNode && !isTaken) {
            isTaken = true;
            mesh.removeBehavior(cloth);
        }
    });
    expect(isTaken).toBe(true);
    expect(cloth.attachedNode).toBeNull();
    world.frame();
    expect(messageOf(() => cloth.simulate(1))).toContain("needs an attached mesh");
});
