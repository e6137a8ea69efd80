// Winds by name: the same for behaviors as for builders, in one direction; a wind's velocity is a Vector3 that may be changed in place.
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBehavior, ClothBuilder, PlantBehavior, RopeBehavior, Wind, WindSpeeds } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

describe("a wind's name", () => {
    const breeze = new Vector3(1, 0, 0.25).normalize().scale(WindSpeeds.breeze).asArray();

    test.each([
        ["Wind", () => new Wind("breeze")],
        ["ClothBehavior", () => new ClothBehavior({ wind: "breeze" }).wind!],
        ["PlantBehavior", () => new PlantBehavior({ wind: "breeze" }).wind!],
        ["RopeBehavior", () => new RopeBehavior({ wind: "breeze" }).wind!],
        ...(["CreateFlag", "CreateCape", "CreateCurtain", "CreateBanner", "CreateSail", "CreateNet", "CreateAwning"] as const).map(
            (kind): [string, () => Wind] => [
                kind,
                () => ClothBuilder[kind](kind, { wind: "breeze" }, makeWorld().scene).cloth.wind!,
            ],
        ),
    ])("of %s: along the world's x axis, a little along z", (_, make) => {
        const wind = make();
        expect(wind).toBeInstanceOf(Wind);
        wind.velocity.asArray().forEach((x, axis) => expect(x).toBeCloseTo(breeze[axis], 9));
    });

    test("may be assigned, and is checked", () => {
        const cloth = new ClothBehavior();
        cloth.wind = "gale";
        expect((cloth.wind as unknown as Wind).velocity.length()).toBeCloseTo(19, 9);
        expect(() => new ClothBehavior({ wind: "breez" as never })).toThrow(
            'ClothBehavior: wind must be one of still, lightBreeze, breeze, freshBreeze, strongBreeze, gale, storm (did you mean "breeze"?), got "breez"',
        );
        expect(() => new Wind("breez" as never)).toThrow("Wind: wind must be one of still");
    });
});

describe("the velocity of a wind", () => {
    test("is a Vector3: what was assigned, or a copy of another object", () => {
        const velocity = new Vector3(1, 2, 3);
        expect(new Wind({ velocity }).velocity).toBe(velocity);
        const wind = new Wind({ velocity: { x: 1, y: 2, z: 3 } });
        expect(wind.velocity).toBeInstanceOf(Vector3);
        wind.velocity.scaleInPlace(2);
        expect(wind.velocity.asArray()).toEqual([2, 4, 6]);
        expect(new Wind().velocity.asArray()).toEqual([0, 0, 0]);
    });

    test("acts when it is changed in place", () => {
        const sway = (change: (wind: Wind) => void) => {
            const { scene, frame } = makeWorld();
            const mesh = makeSquare(scene);
            const wind = new Wind({ velocity: { x: 0, y: 1, z: 0 }, turbulence: 0 });
            const cloth = new ClothBehavior({ pins: [{ select: [0, 6] }], wind });
            mesh.addBehavior(cloth);
            frame(FRAME, 5);
            change(wind);
            frame(FRAME, 60);
            return Array.from(cloth.getParticlePositions());
        };
        const inPlace = sway((wind) => wind.velocity.scaleInPlace(6));
        expect(inPlace).toEqual(sway((wind) => (wind.velocity = new Vector3(0, 6, 0))));
        expect(inPlace).not.toEqual(sway(() => {}));
    });
});
