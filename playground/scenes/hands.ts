import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Hands",
    text: "Take hold of the cloths and drag them. The curtain's rings slide on their rail; the sheet of paper tears.",
    place: 16,
    group: "Tools",
};

type World = ReturnType<typeof create>;

/** A curtain whose rings slide on a rail, and a sheet that tears, for hands to pull at. */
export function create(scene: BABYLON.Scene) {
    const height = 2.5;
    const breeze = new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(0.3, 0, 0.8), turbulence: 0.8 });

    const curtain = BABYLON.MeshBuilder.CreateGround(
        "curtain",
        { width: 1.4, height: 2, subdivisionsX: 28, subdivisionsY: 40 },
        scene,
    );
    curtain.rotation.x = -Math.PI / 2;
    curtain.position.set(-1.1, height - 1, 0);
    // Local to the mesh, whose upper edge lies at z = 1.
    const rail = [new BABYLON.Vector3(-0.7, 0, 1), new BABYLON.Vector3(0.9, 0, 1)];
    const hanging = new BABYLONCLOTH.ClothBehavior({ wind: breeze });
    const rings = Array.from({ length: 8 }, (_, i) => 4 * i);
    hanging.pin(rings, null, new BABYLONCLOTH.RailHold(rail, { friction: 0.1, spacing: 0.03 }));
    curtain.addBehavior(hanging);

    const sheet = BABYLON.MeshBuilder.CreateGround(
        "sheet",
        { width: 1.2, height: 1.6, subdivisionsX: 24, subdivisionsY: 32 },
        scene,
    );
    sheet.rotation.x = -Math.PI / 2;
    sheet.position.set(1.1, height - 0.8, 0);
    const tearable = new BABYLONCLOTH.ClothBehavior({
        fabric: BABYLONCLOTH.Fabrics.linen,
        pins: [{ select: BABYLONCLOTH.select.edge("+z") }],
        wind: breeze,
    });
    sheet.addBehavior(tearable);
    const tearing = new BABYLONCLOTH.ClothTearing({ strain: 0.6 });
    sheet.addBehavior(tearing);

    // The sheet may be pulled to pieces.
    const picker = new BABYLONCLOTH.ClothPicker(scene, { maxStretch: Infinity });
    return { cloths: [hanging, tearable], curtain, sheet, tearing, picker, height };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const { curtain, sheet, height } = world;
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.95, 0.2, -0.6],
                [1.95, height + 0.1, 0.6],
            ],
        ],
        alpha: -1.5,
        beta: 1.45,
        extent: 8,
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    const brass = solid(scene, "#c99b4b", 0.3, 0.7);
    const rod = BABYLON.MeshBuilder.CreateCylinder("rod", { height: 3.8, diameter: 0.03 }, scene);
    rod.rotation.z = Math.PI / 2;
    rod.position.y = height + 0.02;
    rod.material = brass;
    curtain.material = fabric(scene, paint(scene, 256, 256, printStripes), [20, 28], 0.6);
    sheet.material = fabric(scene, paint(scene, 256, 256, printSheet), [20, 28], 0.6);
    shade(shadows, [curtain, sheet, rod]);
}

function printStripes(u: number) {
    return (u * 14) % 1 < 0.5 ? rgb("#d9cdb8") : rgb("#5f7f8c");
}

function printSheet(u: number, v: number) {
    const isBorder = Math.min(u, v, 1 - u, 1 - v) < 0.06;
    return isBorder ? rgb("#b4562f") : rgb("#f1ead8");
}
