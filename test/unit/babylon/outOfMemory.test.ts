// The WebAssembly memory is full: the cloth goes on with the scalar kernels, says so once, and loses nothing.
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, select } from "../../../src/index";
import { OutOfMemoryError } from "../../../src/kernels/arena";
import { getKernels } from "../../../src/kernels/backend";

let scene: Scene;
let mesh: Mesh;
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
    Logger.LogLevels = Logger.ErrorLogLevel;
    scene = new Scene(new NullEngine());
    mesh = CreateGround("sheet", { width: 2, height: 2, subdivisions: 16 }, scene);
    warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
});

afterEach(() => {
    jest.restoreAllMocks();
    scene.getEngine().dispose();
});

/** From now on the arena has room for `blocks` more blocks. */
function fillMemory(blocks: number): void {
    const { arena } = getKernels("wasm", () => {});
    const allocate = arena.allocate.bind(arena);
    let count = 0;
    jest.spyOn(arena, "allocate").mockImplementation((byteLength, owner) => {
        if (count++ >= blocks) throw new OutOfMemoryError("full");
        return allocate(byteLength, owner);
    });
}

test.each([0, 1, 2, 4, 7])("at attach, after %d blocks", (blocks) => {
    fillMemory(blocks);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], autoStep: false });
    mesh.addBehavior(cloth);
    expect(cloth.stats.backend).toBe("scalar");
    expect(warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0][0])).toContain("out of memory");
    for (let i = 0; i < 30; i++) cloth.step(1 / 60);
    expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
});

test.each(["pin", "collider", "group"])("while it runs, by a new %s: the motion goes on", (what) => {
    const twin = CreateGround("twin", { width: 2, height: 2, subdivisions: 16 }, scene);
    const cloths = [mesh, twin].map((each) => {
        const cloth = new ClothBehavior({ pins: [{ select: select.corners("-x+z") }], autoStep: false });
        each.addBehavior(cloth);
        for (let i = 0; i < 20; i++) cloth.step(1 / 60);
        return cloth;
    });
    goOn(cloths, what);
});

test("while it runs, a kilometre from where it began: it goes on there", () => {
    const twin = CreateGround("twin", { width: 2, height: 2, subdivisions: 16 }, scene);
    const cloths = [mesh, twin].map((each) => {
        const cloth = new ClothBehavior({ gravity: { x: 0, y: -60, z: 0 }, fabric: { damping: 0 }, autoStep: false });
        each.addBehavior(cloth);
        for (let i = 0; i < 300; i++) cloth.step(1 / 60);
        return cloth;
    });
    goOn(cloths, "collider");
    expect(cloths[0].getParticlePositions()[1]).toBeLessThan(-700);
});

/** Memory runs out under the first of two cloths that move alike. */
function goOn(cloths: ClothBehavior[], what: string): void {
    const ball = CreateSphere("ball", { diameter: 0.5 }, scene);
    const unmet = what === "group" ? cloths.map((cloth) => cloth.addCollider(ball, { group: 0 })) : [];
    const change = (i: number): unknown => {
        if (what === "group") return (unmet[i].group = 1);
        return what === "pin" ? cloths[i].pin(select.corners("+x+z")) : cloths[i].addCollider(ball);
    };
    change(1);
    // Tethers to a new pin are made in the next step.
    cloths[1].step(1 / 60);
    fillMemory(0);
    change(0);
    // The step in which memory runs out is lost.
    if (what === "pin") cloths[0].step(1 / 60);
    cloths[0].step(1 / 60);
    for (let i = 0; i < 20; i++) for (const cloth of cloths) cloth.step(1 / 60);
    expect(cloths[0].stats.backend).toBe("scalar");
    expect(cloths[1].stats.backend).toBe("wasm");
    const [a, b] = cloths.map((cloth) => cloth.getParticlePositions());
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference = Math.max(difference, Math.abs(a[i] - b[i]));
    expect(difference).toBeLessThan(2e-3);
}

test("while it runs, in another size: each vertex goes on where it was, though other particles carry it", () => {
    // A narrow strip between two wide ones: its two rows of vertices share particles, until the mesh is stretched.
    const sheet = CreateGround("strips", { width: 2, height: 2, subdivisions: 16 }, scene);
    const positions = sheet.getVerticesData("position")!;
    for (let i = 0; i < positions.length; i += 3) if (positions[i] === 0.125) positions[i] = 0.006;
    sheet.setVerticesData("position", positions);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], gravity: { x: 0, y: -1, z: 0 }, autoStep: false });
    sheet.addBehavior(cloth);
    const before = cloth.particleCount;
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    sheet.scaling.x = 40;
    const wasAt = Array.from({ length: 17 * 17 }, (_, v) =>
        [0, 1, 2].map((c) => cloth.getParticlePositions()[3 * cloth.particleOfVertex(v) + c]),
    );
    fillMemory(0);
    cloth.addCollider(CreateSphere("ball", { diameter: 0.5 }, scene));
    expect(cloth.stats.backend).toBe("scalar");
    expect(cloth.particleCount).toBeGreaterThan(before);
    const isAt = cloth.getParticlePositions();
    wasAt.forEach((place, v) => expect([0, 1, 2].map((c) => isAt[3 * cloth.particleOfVertex(v) + c])).toEqual(place));
});

test("while it runs: pins hold what they held, whatever they would select now", () => {
    let z = 1;
    const cloth = new ClothBehavior({ pins: [{ select: (position) => position.z === z }], autoStep: false });
    mesh.addBehavior(cloth);
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    z = -1;
    fillMemory(0);
    cloth.addCollider(CreateSphere("ball", { diameter: 0.5 }, scene));
    expect(cloth.stats.backend).toBe("scalar");
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    const positions = cloth.getParticlePositions();
    expect(positions[3 * cloth.particleOfVertex(0) + 1]).toBe(0);
    expect(positions[3 * cloth.particleOfVertex(17 * 16) + 1]).toBeLessThan(-0.1);
});
