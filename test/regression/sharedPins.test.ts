import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld, rows, worldVertices } from "../unit/babylon/harness";

afterEach(disposeWorlds);

// A pin that had settled no longer put its particles back: an earlier one of the same vertex took it away as soon as it moved.
test("of two pins of a vertex the last holds it, whichever moves", () => {
    const { scene, frame } = makeWorld();
    const mesh = makeSquare(scene, 4);
    const [first, last] = ["first", "last"].map((name) => new TransformNode(name, scene));
    const cloth = new ClothBehavior({ pins: [first, last].map((target) => ({ select: [0], target })) });
    mesh.addBehavior(cloth);
    const place = (): number => rows(worldVertices(mesh), [0])[0];
    frame(FRAME, 10);
    const start = place();
    for (let i = 1; i <= 10; i++) {
        first.position.x += 0.02;
        frame(0.7 * FRAME);
        expect(place()).toBeCloseTo(start, 6);
    }
    frame(FRAME, 10);
    expect(place()).toBeCloseTo(start, 6);
    last.position.x = -0.1;
    frame();
    expect(place()).toBeCloseTo(start - 0.1, 6);
    cloth.unpin(cloth.pins[1]);
    frame();
    expect(place()).toBeCloseTo(start + 0.2, 6);
});
