/** Cloth in still air comes to rest as cloth does: default fabrics, wind and substeps. */
import "@babylonjs/core/Materials/standardMaterial";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior, ClothBuilder, select } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld } from "./harness";

/** [s] */
const STEP = FRAME / 1000;

afterEach(disposeWorlds);

/**
 * Steps a cloth.
 * @param each called before each step with the time [s]
 * @returns time after which the rms speed of its particles that move stays below a limit [s]
 */
async function settle(
    cloth: ClothBehavior,
    seconds: number,
    limit: number,
    each: (time: number) => void = () => {},
): Promise<number> {
    await cloth.whenReady();
    let before = cloth.getParticlePositions().slice();
    let last = 0;
    for (let step = 1; step * STEP < seconds; step++) {
        each(step * STEP);
        cloth.step(STEP);
        const now = cloth.getParticlePositions();
        let [sum, count] = [0, 0];
        for (let o = 0; o < now.length; o += 3) {
            const squared = (now[o] - before[o]) ** 2 + (now[o + 1] - before[o + 1]) ** 2 + (now[o + 2] - before[o + 2]) ** 2;
            sum += squared;
            if (squared > 0) count++;
        }
        if (Math.sqrt(sum / Math.max(1, count)) > limit * STEP) last = step * STEP;
        before = now.slice();
    }
    return last;
}

test("a cotton sheet let go at half a radian swings to a quarter of that in a period, and stops in 6 s", async () => {
    const { scene } = makeWorld();
    const sheet = MeshBuilder.CreateGround("sheet", { width: 0.6, height: 1.2, subdivisionsX: 16, subdivisionsY: 32 }, scene);
    sheet.rotation.x = 0.5 - Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }] });
    sheet.addBehavior(cloth);
    const ends: number[] = [];
    const time = await settle(cloth, 8, 0.02, () => ends.push(cloth.getParticlePositions().at(-1)!));
    const rest = ends.at(-1)!;
    const extremes = ends.filter((z, i) => i > 0 && i < ends.length - 1 && (z - ends[i - 1]) * (ends[i + 1] - z) < 0);
    expect(Math.abs(extremes[1] - rest)).toBeLessThan(0.25 * Math.abs(ends[0] - rest));
    expect(time).toBeLessThan(6);
});

test("a banner stops in 3.5 s", async () => {
    const banner = ClothBuilder.CreateBanner("banner", { wind: "still" }, makeWorld().scene);
    expect(await settle(banner.cloth, 5, 0.05)).toBeLessThan(3.5);
});

test("a tablecloth stops in 3.5 s", async () => {
    const { scene } = makeWorld();
    const table = MeshBuilder.CreateCylinder("table", { height: 0.04, diameter: 1.2, tessellation: 64 }, scene);
    table.position.y = 0.78;
    const cloth = ClothBuilder.CreateTablecloth("cloth", { table, size: 2.1, selfCollision: "particles", wind: "still" }, scene);
    expect(await settle(cloth.cloth, 5, 0.05)).toBeLessThan(3.5);
});

// Flags and curtains swing along themselves last, where air takes little, threads more than is modelled: cloth stops in 2 to 3 s.
test("a curtain stops 4.5 s after its last ring has", async () => {
    const curtain = ClothBuilder.CreateCurtain(
        "curtain",
        { width: 1.8, height: 2.6, pleats: 7, fullness: 1.6, wind: "still" },
        makeWorld().scene,
    );
    const open = (time: number): void => void (curtain.open = 0.475 * (1 - Math.cos(Math.PI * Math.min(1, time / 4))));
    expect(await settle(curtain.cloth, 10, 0.05, open)).toBeLessThan(4 + 4.5);
});

test("a flag let go level stops in 7 s", async () => {
    const flag = ClothBuilder.CreateFlag("flag", { wind: "still" }, makeWorld().scene);
    expect(await settle(flag.cloth, 8, 0.05)).toBeLessThan(7);
});
