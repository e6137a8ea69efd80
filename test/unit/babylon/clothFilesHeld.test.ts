// Files of cloth that is held in other ways than by rigid pins: by soft, loose and rail holds, by builders, by hands; and while it is warmed up.
import "@babylonjs/core/Culling/ray";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import {
    ClothBehavior,
    ClothBuilder,
    ClothFiles,
    ClothPicker,
    Fabrics,
    MaxDistanceHold,
    PlaneHold,
    RailHold,
    SoftHold,
    paint,
    select,
} from "babylon-cloth";
import type { ClothData, ClothMesh, FabricName, PinHold } from "babylon-cloth";
import "babylon-cloth/files";
import { afterEach, describe, expect, test } from "@jest/globals";
import { builderKinds, farthest, roundTrips } from "../../fuzz/files";
import type { BuilderKind } from "../../fuzz/files";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** What the file says, on a mesh of its own. */
function parse(data: ClothData, make: (scene: Scene) => ClothMesh) {
    const world = makeWorld();
    const mesh = make(world.scene);
    mesh.removeBehavior(mesh.cloth);
    const cloth = ClothBehavior.Parse(JSON.parse(JSON.stringify(data)), world.scene);
    mesh.addBehavior(cloth);
    return { ...world, cloth };
}

// Each builder with one fabric, each fabric once; `npm run survey -- --only files` takes all of both.
const kinds = Object.keys(builderKinds) as BuilderKind[];
const pairs = (Object.keys(Fabrics) as FabricName[]).map((fabric, i): [BuilderKind, FabricName] => [
    kinds[i % kinds.length],
    fabric,
]);
test.each(pairs)("300 steps from rest and from the middle of a motion are equal to the bit: %s of %s", (kind, fabric) => {
    expect(roundTrips(kind, fabric, 300)).toEqual({ fromRest: 0, fromMotion: 0 });
});

test.each<[string, boolean, () => PinHold]>([
    ["soft", true, () => new SoftHold({ stiffness: 40, maxForce: 0.02 })],
    ["soft, and slips", false, () => new SoftHold({ stiffness: 40, maxForce: 0.02, slips: true })],
    ["loose, by paint", false, () => new MaxDistanceHold(paint.vertexColor("r", 0.05, 0.4))],
    ["on a plane", false, () => new PlaneHold(new Vector3(0.1, 0.2, 1), { point: new Vector3(0, 0, 0.5), friction: 0.2 })],
    ["on a rail", false, () => new RailHold([new Vector3(-0.6, 0, 0.5), new Vector3(0.6, -0.3, 0.5)], { spacing: 0.02 })],
])("a hold that is %s (some has been let go: %s)", (_, letsGo, hold) => {
    const make = (scene: Scene): ClothMesh => {
        const mesh = makeSquare(scene, 10, "sheet");
        const count = mesh.getTotalVertices();
        mesh.setVerticesData(
            "color",
            Float32Array.from({ length: 4 * count }, (_value, i) => (i % 4 === 3 ? 1 : (i % 44) / 44)),
        );
        const rod = new TransformNode("rod", scene);
        rod.parent = mesh;
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z"), target: rod, hold: hold() }] });
        mesh.addBehavior(cloth);
        return Object.assign(mesh, { cloth }) as unknown as ClothMesh;
    };
    const { cloth } = make(makeWorld().scene);
    for (let i = 0; i < 40; i++) cloth.step(1 / 60);
    const second = parse(cloth.serialize({ state: true }), make);
    expect(second.cloth.pins[0].particleCount).toBe(cloth.pins[0].particleCount);
    expect(cloth.pins[0].particleCount < 11).toBe(letsGo);
    expect(farthest(cloth, second.cloth, 100)).toBe(0);
});

describe("hands", () => {
    function hold() {
        const world = makeWorld();
        const flag = ClothBuilder.CreateFlag("flag", { subdivisions: 10 }, world.scene);
        world.frame(FRAME, 5);
        const picker = new ClothPicker(world.scene);
        const grips = [1.4, 1.2].map((x) => picker.grab(flag.cloth, new Vector3(x, -0.5, 0))!);
        world.frame(FRAME, 5);
        return { ...world, flag, grips };
    }

    test("are not written: what they hold is free in the file, and held on in the scene", () => {
        const { scene, frame, flag, grips } = hold();
        const data = flag.cloth.serialize({ state: true });
        expect([flag.cloth.pins.length, data.pins.length, data.state!.pins.length]).toEqual([3, 1, 1]);
        const file = ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene));
        expect(JSON.stringify(file)).not.toContain("cloth hand");
        expect(grips.map(({ isHolding }) => isHolding)).toEqual([true, true]);
        frame(FRAME, 3);
        const second = parse(data, (other) => ClothBuilder.CreateFlag("flag", { subdivisions: 10 }, other));
        for (const grip of grips) grip.release();
        second.frame(FRAME, 30);
        expect(second.cloth.stats.maxStretch).toBeLessThan(0.05);
    });
});

test("while it is warmed up: the file has the motion so far, and a scene's file ends the warm start", async () => {
    const { scene, frame } = makeWorld();
    const make = (in_: Scene) => ClothBuilder.CreateFlag("flag", { subdivisions: 10, wind: "breeze" }, in_);
    const { cloth } = make(scene);
    const warmed = cloth.simulate(5, 1);
    frame(FRAME, 3);
    const second = parse(cloth.serialize({ state: true }), make);
    expect(difference(second.cloth.getParticlePositions(), cloth.getParticlePositions())).toBe(0);
    expect(ClothFiles.writeScene(scene, () => 7)).toBe(7);
    frame();
    await expect(warmed).resolves.toBe(undefined);
    expect(farthest(cloth, parse(cloth.serialize({ state: true }), make).cloth, 60)).toBe(0);
});
