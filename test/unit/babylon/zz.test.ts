import { afterEach, test } from "@jest/globals";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior, Colliders, select } from "../../../src/index";
import { disposeWorlds, makeWorld } from "./harness";
import { makeCoat, makeTorso } from "./garments";
afterEach(() => disposeWorlds());
for (const fit of [undefined, "inside"]) for (const collide of [true, false])
test("coat " + fit+collide, () => {
    const world = makeWorld();
    const torso = makeTorso(world.scene);
    const coat = makeCoat(world.scene);
    const shapes = Colliders.fromSkeleton(torso, fit ? { fit } as never : {});
    console.log(shapes.map((s) => [s.startRadius, s.endRadius, s.start, s.end].join(" ")).join("\n"));
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+y"), target: torso }], colliders: collide ? shapes : [] });
    coat.addBehavior(cloth);
    let before = cloth.getParticlePositions().slice();
    const start = before.slice();
    const out: string[] = [];
    let peak = 0;
    for (let f = 1; f <= 150; f++) {
        world.frame();
        const now = cloth.getParticlePositions().slice();
        let most = 0, far = 0;
        for (let i = 0; i < now.length; i += 3) {
            most = Math.max(most, Math.hypot(now[i] - before[i], now[i + 1] - before[i + 1], now[i + 2] - before[i + 2]));
            far = Math.max(far, Math.hypot(now[i] - start[i], now[i + 1] - start[i + 1], now[i + 2] - start[i + 2]));
        }
        peak = Math.max(peak, most * 60);
        if (most*60 > 0.28) out.push("!" + f + " " + (most*60).toFixed(3));
        if (f < 4 || f % 50 === 0) out.push(`${f}: speed ${(most * 60).toFixed(3)} far ${(far*1000).toFixed(2)}mm asleep ${(cloth as any).isAsleep}`);
        before = now;
    }
    console.log(`${fit} ${collide} peak ${peak}\n${out.join("\n")}`);
});
for (const collide of [true, false]) test("C1" + collide, () => {
    const world = makeWorld();
    const c = MeshBuilder.CreateCapsule("c", { radius: 0.15, height: 1.4, orientation: undefined }, world.scene);
    c.rotation.z = Math.PI / 2; c.position.y = 2;
    const sheet = MeshBuilder.CreateGround("s", { width: 0.6, height: 1, subdivisions: 16 }, world.scene);
    sheet.rotation.x = -Math.PI / 2; sheet.position.set(0, 1.5, -0.12);
    sheet.computeWorldMatrix(true);
    const cloth = new ClothBehavior({ pins: [{ select: (globalThis as any).sel ?? select.edge("+z") }], colliders: collide ? [c] : [] });
    sheet.addBehavior(cloth);
    const out: string[] = [];
    let before = cloth.getParticlePositions().slice();
    out.push("pins y " + before[1] + " z " + before[2]);
    for (let f = 1; f <= 240; f++) {
        world.frame();
        const now = cloth.getParticlePositions().slice();
        let most = 0;
        for (let i = 0; i < now.length; i++) most = Math.max(most, Math.abs(now[i] - before[i]));
        if (f < 4 || f % 20 === 0 && f > 80) out.push(`${f}: ${(most * 60).toFixed(3)} ${(cloth as any).isAsleep} ${(cloth.stats as any).isAsleep}`);
        before = now;
    }
    console.log(out.join("\n"));
});
