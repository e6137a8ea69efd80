/** What an adversary found in the combinations of builders, files, viewer, warm starts and bad input; one test a find. */
import "@babylonjs/core/Materials/standardMaterial";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, ClothBuilder, ClothFiles, ClothViewer, Colliders, select } from "../../src/index";
import type { ClothOptions } from "../../src/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf, worldVertices } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** What a user without types may give. */
function wrong<T>(value: unknown): T {
    return value as T;
}

/** The promise never settled, and the cloth was never stepped by a scene again. */
test("a warm start ends with its scene, and with the cloth's leaving its mesh; the cloth moves in its next scene", async () => {
    for (const leave of [
        (cloth: ClothBehavior) => cloth.attachedNode!.getScene().dispose(),
        (cloth: ClothBehavior) => void cloth.attachedNode!.removeBehavior(cloth),
    ]) {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior();
        makeSquare(scene).addBehavior(cloth);
        const done = cloth.simulate(3);
        frame();
        leave(cloth);
        await done;
        const next = makeWorld();
        makeSquare(next.scene).addBehavior(cloth);
        next.frame(FRAME, 10);
        expect(cloth.getParticlePositions()[1]).toBeLessThan(-0.1);
    }
});

/** JSON has no Infinity: it came back as null, and was refused. */
test("rigid threads along warp or weft come back from a file", () => {
    const { scene } = makeWorld();
    const stretchStiffness = { warp: Infinity, weft: 500 };
    const data = JSON.stringify(ClothFiles.serialize(new ClothBehavior({ fabric: { stretchStiffness } })));
    expect(ClothFiles.parse(JSON.parse(data), scene).fabric.stretchStiffness).toEqual(stretchStiffness);
});

/** Each frame threw. */
test("a viewer draws anew where its drawings were disposed", () => {
    const { scene, frame } = makeWorld();
    const cloth = new ClothBehavior();
    makeSquare(scene).addBehavior(cloth);
    const viewer = new ClothViewer(scene);
    viewer.showCloth(cloth);
    frame(FRAME, 2);
    const drawings = (): string[] => scene.meshes.map(({ name }) => name).filter((name) => name.startsWith("ClothViewer"));
    const before = drawings();
    expect(before.length).toBeGreaterThan(1);
    for (const mesh of [...scene.meshes]) if (mesh.name.startsWith("ClothViewer")) mesh.dispose();
    frame(FRAME, 2);
    expect(drawings().sort()).toEqual(before.sort());
    viewer.dispose();
    expect([scene.meshes.length, drawings()]).toEqual([1, []]);
});

/** An animation may go on longer than its curtain. */
test("a curtain that is disposed may be opened and tied", () => {
    const { scene, frame } = makeWorld();
    const curtain = ClothBuilder.CreateCurtain("curtain", { subdivisions: 16 }, scene);
    frame();
    curtain.dispose();
    curtain.open = 0.5;
    curtain.tied = 0.5;
    frame();
    expect([scene.meshes.length, scene.transformNodes.length]).toEqual([0, 0]);
});

/** Their box was taken to be infinite: "the world matrix … must be finite and invertible (is a scale 0?)". */
test("nodes without meshes carry cloth where they are", () => {
    const { scene, frame } = makeWorld();
    const [left, right] = [-2, 1].map((x) => {
        const node = new TransformNode("node", scene);
        node.position.set(x, 5, 1);
        return node;
    });
    const posts = [left, right] as const;
    const banner = ClothBuilder.CreateBanner("banner", { posts, height: 1 }, scene);
    const flag = ClothBuilder.CreateFlag("flag", { pole: left }, scene);
    const curtain = ClothBuilder.CreateCurtain("curtain", { rail: right, subdivisions: 16 }, scene);
    frame(FRAME, 3);
    expect(banner.absolutePosition.x).toBeCloseTo(-0.5);
    expect(banner.absolutePosition.y).toBeCloseTo(4.45);
    expect(banner.getBoundingInfo().boundingBox.maximumWorld.x).toBeCloseTo(1);
    expect(flag.absolutePosition.y).toBeCloseTo(4.98);
    expect(curtain.absolutePosition.x).toBeCloseTo(1);
    expect(messageOf(() => ClothBuilder.CreateNet("net", { posts: [left, left] }, scene))).toBe(
        "ClothBuilder: CreateNet: width must be a finite number > 0, got 0",
    );
});

/** They were TypeErrors of JavaScript's, or passed over. */
test("wrong input is told with class, option, rule and value", () => {
    const { scene } = makeWorld();
    const mesh = makeSquare(scene);
    const cloth = new ClothBehavior();
    mesh.addBehavior(cloth);
    const plane = new Plane(0, 1, 0, 5);
    const nothing = wrong<object>(null);
    const file = { ...ClothFiles.serialize(new ClothBehavior()), pins: [{ vertices: [wrong<number>("a")], target: null }] };
    const told = [
        () => cloth.addCollider(plane, nothing),
        () => cloth.addCollider(plane, wrong<object>(5)),
        () => Colliders.add(scene, plane, nothing),
        () => Colliders.fromSkeleton(mesh, nothing),
        () => new ClothViewer(scene, nothing),
        () => select.mask({ width: 1, height: 1, data: new Uint8Array(4) }, nothing),
        () => ClothFiles.serialize(cloth, nothing),
        () => ClothFiles.serialize(cloth, { state: wrong<boolean>("yes") }),
        () => ClothFiles.parse(file, scene),
        () => cloth.pin([0], wrong<TransformNode>(NaN)),
        () => cloth.getParticlePositions(wrong<Float32Array>(5)),
        () => ClothBuilder.CreateFlag("flag", { colliders: wrong<ClothOptions["colliders"]>(5) }, scene),
    ].map(messageOf);
    expect(told).toEqual([
        "ClothBehavior: addCollider: options must be an object, got null",
        "ClothBehavior: addCollider: options must be an object, got 5",
        "Colliders: add: options must be an object, got null",
        "Colliders: fromSkeleton: options must be an object, got null",
        "ClothViewer: options must be an object, got null",
        "select: mask: options must be an object, got null",
        "ClothFiles: serialize: options must be an object, got null",
        'ClothFiles: serialize: state must be true or false, got "yes"',
        'ClothFiles: parse: pins[0].vertices[0] must be an integer >= 0, got "a"',
        "ClothBehavior: pin: target must be a TransformNode or Bone, got NaN",
        "ClothBehavior: getParticlePositions(target) must be a Float32Array of 147 numbers or more, got 5",
        "ClothBuilder: CreateFlag: colliders must be an array, got 5",
    ]);
    expect([scene.meshes.length, cloth.pins.length, cloth.colliders.length]).toEqual([1, 0, 0]);
});

/** Babylon's setParent lost their place: they hung at the world's origin. */
test("poles and rails may have pivots and be turned", () => {
    const { scene } = makeWorld();
    const makePole = (): TransformNode => {
        const pole = MeshBuilder.CreateCylinder("pole", { height: 3, diameter: 0.1 }, scene);
        pole.setPivotPoint(new Vector3(0, -1.5, 0));
        pole.position.set(3, 1.5, 0);
        pole.rotation.y = 0.7;
        return pole;
    };
    const flag = ClothBuilder.CreateFlag("flag", { pole: makePole() }, scene);
    const curtain = ClothBuilder.CreateCurtain("curtain", { rail: makePole() }, scene);
    flag.cloth.step(FRAME / 1000);
    const places = [flag, curtain].map((mesh) => mesh.computeWorldMatrix(true).asArray().slice(12, 15));
    expect(places[0][0]).toBeCloseTo(3.08, 1);
    expect(places[0][1]).toBeCloseTo(2.98, 2);
    expect(places[1][0]).toBeCloseTo(3, 5);
    expect(Math.min(...worldVertices(flag))).toBeLessThan(2.1);
    expect(flag.getDirection(Vector3.Right()).x).toBeCloseTo(1, 5);
});
