// Ropes and plants as data: what goes to JSON comes back.
import { readFileSync } from "node:fs";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import Ajv from "ajv/dist/2020.js";
import { ClothBehavior, ClothFiles, PlantBehavior, RopeBehavior, RigidBodyBehavior, Wind, select } from "babylon-cloth";
import type { RopeOptions } from "babylon-cloth";
import "babylon-cloth/files";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

const validate = new Ajv({ formats: {}, strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync("docs/cloth.schema.json", "utf8")),
);

function makeStage() {
    const world = makeWorld();
    const { scene } = world;
    const hook = new TransformNode("hook", scene);
    const crate = MeshBuilder.CreateBox("crate", { size: 0.2 }, scene);
    crate.position.x = 1;
    const path = Array.from({ length: 17 }, (_, i) => new Vector3(i / 16, 0, 0));
    const tube = MeshBuilder.CreateTube("tube", { path, radius: 0.01 }, scene);
    const stem = MeshBuilder.CreateCylinder("stem", { height: 1, diameter: 0.1, subdivisions: 8, tessellation: 6 }, scene);
    stem.position.z = 3;
    return { ...world, hook, crate, tube, stem };
}

const makeRope = ({ hook, crate }: { hook: TransformNode; crate: Mesh }): RopeBehavior =>
    new RopeBehavior({
        start: hook,
        end: crate,
        length: 1.3,
        linearDensity: 0.2,
        bendStiffness: 0.01,
        twistStiffness: 0.02,
        startMass: 1,
        radius: 0.02,
        selfCollision: true,
        segmentCount: 20,
        wind: new Wind({ velocity: new Vector3(3, 0, 1), seed: 2 }),
        gravity: new Vector3(0, -5, 0),
        colliders: [{ source: crate, friction: 0.9 }],
        pins: [{ select: [70] }],
    });

const makePlant = (): PlantBehavior =>
    new PlantBehavior({
        pins: [{ select: select.near(new Vector3(0, -0.5, 0), 0.1) }],
        stiffness: 1e6,
        density: 500,
        thickness: 0.003,
        selfCollision: "triangles",
        selfThickness: 0.004,
        margin: 0.01,
        friction: 0.7,
        damping: 0.5,
    });

/** By JSON into another scene, at the same places. */
function through<Kind extends RopeBehavior | PlantBehavior>(behavior: Kind, scene: Scene, state = false): Kind {
    const data = JSON.parse(JSON.stringify(ClothFiles.serialize(behavior, { state })));
    expect(validate(data) ? null : validate.errors).toBeNull();
    return ClothFiles.parse<Kind>(data, scene);
}

test.each(["rope", "plant"] as const)("a %s comes back with all that was set, and moves as it would have", async (kind) => {
    const [first, second] = [makeStage(), makeStage()];
    const mesh = kind === "rope" ? first.tube : first.stem;
    const own = kind === "rope" ? makeRope(first) : makePlant();
    mesh.addBehavior(own);
    const read = through(own, second.scene);
    expect(read).toBeInstanceOf(kind === "rope" ? RopeBehavior : PlantBehavior);
    (kind === "rope" ? second.tube : second.stem).addBehavior(read);
    expect(ClothFiles.serialize(read)).toEqual(ClothFiles.serialize(own));
    if (read instanceof RopeBehavior) {
        expect(read.start).toBe(second.hook);
        expect(read.end).toBe(second.crate);
        expect(read.pins).toHaveLength(1);
    }
    await Promise.all([own.whenReady(), read.whenReady()]);
    const rest = own.getParticlePositions();
    for (const { frame } of [first, second]) frame(FRAME, 30);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
    expect(own.getParticlePositions()).not.toEqual(rest);
});

test.each(["rope", "plant"] as const)("a %s with its motion begins where it was", async (kind) => {
    const [first, second] = [makeStage(), makeStage()];
    const own = kind === "rope" ? new RopeBehavior({ start: first.hook, bendStiffness: 0.01 }) : makePlant();
    (kind === "rope" ? first.tube : first.stem).addBehavior(own);
    first.frame(FRAME, 20);
    const read = through(own, second.scene, true);
    (kind === "rope" ? second.tube : second.stem).addBehavior(read);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
    for (const { frame } of [first, second]) frame(FRAME, 5);
    const [a, b] = [own.getParticlePositions(), read.getParticlePositions()];
    expect(Math.max(...a.map((x, i) => Math.abs(x - b[i])))).toBeLessThan(0.02);
});

test("a rope that is finer than its mesh begins where it was, to the bit", () => {
    const [first, second] = [makeStage(), makeStage()];
    const own = new RopeBehavior({ start: first.hook, segmentCount: 40 });
    first.tube.addBehavior(own);
    first.frame(FRAME, 20);
    const read = through(own, second.scene, true);
    second.tube.addBehavior(read);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
    for (const { frame } of [first, second]) frame(FRAME, 5);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
});

test.each<[string, RopeOptions, (rope: RopeBehavior) => void]>([
    ["that takes more substeps for what hangs on it", { endMass: 50, segmentCount: 120 }, () => {}],
    ["that is drawn in", { endMass: 2, segmentCount: 20 }, (rope) => (rope.length! -= 0.005)],
    ["that is drawn in by less than can be told in 32 bits at once", {}, (rope) => (rope.length! *= 0.9987)],
])("a rope %s goes on as it was, to the bit", (...row) => {
    const [, options, change] = row;
    const [first, second] = [makeStage(), makeStage()];
    const own = new RopeBehavior({ start: first.hook, ...options });
    first.tube.addBehavior(own);
    for (let k = 0; k < 40; k++) {
        change(own);
        first.frame(FRAME, 1);
    }
    const read = through(own, second.scene, true);
    second.tube.addBehavior(read);
    for (const { frame } of [first, second]) frame(FRAME, 20);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
});

test("a rope that is twisted by more than half a turn unwinds as it would have", () => {
    const [first, second] = [makeStage(), makeStage()];
    const own = new RopeBehavior({ start: first.hook, end: first.crate, twistStiffness: 0.005, bendStiffness: 0.01 });
    first.tube.addBehavior(own);
    for (let k = 0; k < 60; k++) {
        first.crate.rotation.x += 0.15;
        first.frame(FRAME, 1);
    }
    second.crate.rotation.x = first.crate.rotation.x;
    const read = through(own, second.scene, true);
    second.tube.addBehavior(read);
    for (const { frame } of [first, second]) frame(FRAME, 20);
    expect(read.getParticlePositions()).toEqual(own.getParticlePositions());
});

test("a scene keeps its ropes and plants, and passes over rigid bodies", () => {
    const stage = makeStage();
    const { scene, tube, stem, crate } = stage;
    const [rope, plant, body] = [makeRope(stage), makePlant(), new RigidBodyBehavior()];
    tube.addBehavior(rope);
    stem.addBehavior(plant);
    crate.addBehavior(body);
    const kinds = ClothFiles.writeScene(scene, () => {
        expect(rope.attachedNode).toBe(tube);
        expect(body.attachedNode).toBe(crate);
        return scene.meshes.map(({ metadata }) => metadata?.gltf?.extras?.cloth?.kind);
    });
    expect(kinds.filter(Boolean)).toEqual(["rope", "plant"]);
    expect(rope.attachedNode).toBe(tube);
    stage.frame(FRAME, 3);
    for (const [mesh, behavior] of [
        [tube, rope],
        [stem, plant],
    ] as const) {
        const data = ClothFiles.serialize(behavior);
        mesh.removeBehavior(behavior);
        mesh.metadata = { gltf: { extras: { cloth: data } } };
    }
    const read = ClothFiles.readScene<RopeBehavior | PlantBehavior>(scene);
    expect(read.map(({ attachedNode }) => attachedNode)).toEqual([tube, stem]);
});

test("what no file can hold is told", () => {
    const { scene } = makeStage();
    const sheet = makeSquare(scene, 4, "sheet");
    const cloth = new ClothBehavior();
    sheet.addBehavior(cloth);
    const tied = new RopeBehavior({ end: { cloth, vertex: 0 } });
    expect(messageOf(() => ClothFiles.serialize(tied))).toBe(
        'ClothFiles: serialize: end must be a node or bone to be written to a file, got "a vertex of cloth"',
    );
    const data = ClothFiles.serialize(new RopeBehavior());
    expect(messageOf(() => ClothFiles.parse({ ...data, kind: "vine" as never }, scene))).toBe(
        'ClothFiles: parse: kind must be "rope" or "plant", got "vine"',
    );
    expect(messageOf(() => ClothFiles.parse({ ...data, kind: "plant" }, scene))).toMatch(
        /^ClothFiles: parse: .*linearDensity|segmentCount/,
    );
    expect(messageOf(() => ClothFiles.parse({ ...data, torn: "" }, scene))).toContain("torn must be left out of what is no cloth");
    expect(messageOf(() => ClothFiles.serialize(new RigidBodyBehavior() as never))).toContain("RopeBehavior or PlantBehavior");
});
