// The gallery's scenes of cloth that lies on itself and on other cloth, without a browser: what they show does not pass through itself.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, expect, test } from "@jest/globals";
import type { ClothBehavior } from "../../../src/index";
import { run, scenes } from "../../../playground/gallery";
import type { World } from "../../../playground/gallery";
import { instanceOf } from "../../bench/world";
import { countCrossings } from "../../physics/crossings";

let engine: NullEngine;
afterEach(() => engine.dispose());

/** A scene of the gallery as it begins. */
async function begin(id: string): Promise<{ scene: Scene; world: World }> {
    engine = new NullEngine();
    const scene = new Scene(engine);
    const world = await scenes.find((entry) => entry.id === id)!.create(scene, {});
    world.update?.(0);
    return { scene, world };
}

/** How often cloths of a world pass through themselves and each other, by their numbers: "2" is the third through itself, "0 2" the first through the third. */
function crossingsOf({ cloths }: World): Map<string, number> {
    const owners: number[] = [];
    const positions: number[] = [];
    const triangles: number[] = [];
    cloths.forEach((cloth, k) => {
        for (const corner of instanceOf(cloth).cloth.triangles.triangles) triangles.push(owners.length + corner);
        for (let i = 0; i < cloth.particleCount; i++) owners.push(k);
        positions.push(...cloth.getParticlePositions());
    });
    const found = new Map<string, number>();
    countCrossings(positions, 3, triangles, ([p], [a]) => {
        const between = [...new Set([owners[p], owners[a]])].sort((i, j) => i - j).join(" ");
        found.set(between, (found.get(between) ?? 0) + 1);
        return true;
    });
    return found;
}

/** Mean height of a cloth [m]. */
function heightOf(cloth: ClothBehavior): number {
    const positions = cloth.getParticlePositions();
    let sum = 0;
    for (let i = 1; i < positions.length; i += 3) sum += positions[i];
    return sum / cloth.particleCount;
}

test("the fold and the pile of the layers lie clean, and no cloth passes through another", async () => {
    const { scene, world } = await begin("layers");
    const [shirt, coat] = [world.cloths.length - 2, world.cloths.length - 1].map(String);
    for (let time = 0; time < 3.9;) {
        time = run(scene, world, time, 0.5);
        const crossings = crossingsOf(world);
        // Kept apart by particles, the shirt creases sharply as the torso turns, and crosses itself within two edges: 13 times at worst.
        expect(crossings.get(shirt) ?? 0).toBeLessThan(40);
        crossings.delete(shirt);
        expect(crossings.get(coat) ?? 0).toBeLessThan(40);
        crossings.delete(coat);
        expect([...crossings]).toEqual([]);
    }
    // What has fallen through to the ground lies in one plane, and does not cross.
    const sheets = world.cloths.slice(1, -2).map(heightOf);
    for (let k = 1; k < sheets.length; k++) expect(sheets[k] - sheets[k - 1]).toBeGreaterThan(0.01);
    expect(heightOf(world.cloths[0])).toBeGreaterThan(0.018);
});

test("the tablecloth hangs in folds that do not cross", async () => {
    const { scene, world } = await begin("tablecloth");
    // As it falls, its creases do: 81 times within three edges after 0.4 s, 12 to 36 times at 1 s. Without self-collision it does for 5 s.
    let time = run(scene, world, 0, 1.25);
    while (time < 3) {
        time = run(scene, world, time, 0.25);
        expect([...crossingsOf(world)]).toEqual([]);
    }
});

test("the towel is wrung by eight turns, and the ribbon poured, without a crossing", async () => {
    const { scene, world } = await begin("twist");
    for (let time = 0; time < 15.9;) {
        time = run(scene, world, time, 0.5);
        expect([...crossingsOf(world)]).toEqual([]);
    }
});
