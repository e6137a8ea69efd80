import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Twist and ribbon",
    text: 'A towel is wrung by four turns and let out again; a ribbon is poured on the ground. selfCollision: "robust" and "triangles".',
    place: 20,
    group: "Layers",
};

type World = ReturnType<typeof create>;

/** The towel between its rods [m], how often those turn against each other, and how much nearer they come by then [m]. */
const TOWEL = { width: 0.2, length: 1.2, turns: 4, nearer: 0.12 };
/** Time in which it is wrung, or let out [s]. */
const WRINGING = 16;

const RIBBON = { width: 0.1, length: 1.2 };
/** Time in which the ribbon is poured and drawn up again [s]. */
const POURING = 12;

/** Cloths that come to lie on themselves. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const { Fabrics, select } = BABYLONCLOTH;

    const towel = BABYLON.MeshBuilder.CreateGround(
        "towel",
        { width: TOWEL.length, height: TOWEL.width, subdivisionsX: 26, subdivisionsY: 4, updatable: true },
        scene,
    );
    towel.position.set(-0.45, 0.65, 0);
    const rods = [-1, 1].map((side) => {
        const rod = BABYLON.MeshBuilder.CreateCylinder(
            "rod",
            { diameter: 0.03, height: TOWEL.width + 0.1, tessellation: 12 },
            scene,
        );
        rod.rotationQuaternion = BABYLON.Quaternion.Identity();
        return { mesh: rod, side };
    });
    place(0);
    const wrung = new BABYLONCLOTH.ClothBehavior({
        fabric: { ...Fabrics.cotton, damping: 2 },
        pins: rods.map(({ mesh, side }) => ({
            select: ({ x }: BABYLON.Vector3) => side * x > TOWEL.length / 2 - 0.01,
            target: mesh,
        })),
        selfCollision: "robust",
        selfThickness: 0.008,
    });
    towel.addBehavior(wrung);

    const ribbon = BABYLON.MeshBuilder.CreateGround(
        "ribbon",
        { width: RIBBON.width, height: RIBBON.length, subdivisionsX: 2, subdivisionsY: 32, updatable: true },
        scene,
    );
    ribbon.rotation.x = -Math.PI / 2;
    const hand = BABYLON.MeshBuilder.CreateSphere("hand", { diameter: 0.09, segments: 12 }, scene);
    const poured = new BABYLONCLOTH.ClothBehavior({
        fabric: { ...Fabrics.silk, damping: 1 },
        pins: [{ select: select.edge("+z"), target: hand }],
        colliders: [{ source: floor }],
        selfCollision: "triangles",
        selfThickness: 0.01,
    });
    pour(0);
    ribbon.position.set(hand.position.x, hand.position.y - RIBBON.length / 2, 0);
    ribbon.addBehavior(poured);

    /** Turns the rods: a time [s]. */
    function place(time: number) {
        const wound = (1 - Math.cos((Math.PI * time) / WRINGING)) / 2;
        for (const { mesh, side } of rods) {
            mesh.position.set(-0.45 + side * (TOWEL.length / 2 - wound * (TOWEL.nearer / 2)), 0.65, 0);
            // Along z first, as the towel's ends.
            BABYLON.Quaternion.FromEulerAnglesToRef(side * wound * TOWEL.turns * Math.PI, 0, 0, mesh.rotationQuaternion!);
            mesh.rotationQuaternion!.multiplyInPlace(BABYLON.Quaternion.RotationAxis(BABYLON.Vector3.Right(), Math.PI / 2));
        }
    }

    /** Lowers the hand and lifts it. */
    function pour(time: number) {
        const lowered = (1 - Math.cos((2 * Math.PI * time) / POURING)) / 2;
        hand.position.set(0.45 + 0.04 * lowered * Math.sin(5 * time), 0.12 + (RIBBON.length - 0.05) * (1 - lowered), 0);
    }

    function update(time: number) {
        place(time);
        pour(time);
    }

    return { cloths: [wrung, poured], towel, ribbon, rods, hand, floor, update };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.12, 0, -0.16],
                [0.62, 1.38, 0.16],
            ],
        ],
        alpha: -1.4,
        beta: 1.3,
        extent: 5,
    });
    applyTiles(scene, world.floor);
    const stripes = paint(scene, 256, 256, (u) => rgb(u % 0.2 < 0.04 ? "#f3ece0" : "#2f7f8f"));
    world.towel.material = fabric(scene, stripes, [40, 10], 0.4);
    const bands = paint(scene, 64, 64, (u) => rgb(Math.abs(u - 0.5) > 0.38 ? "#d9a441" : "#b8443a"));
    world.ribbon.material = fabric(scene, bands, [4, 80], 0.1);
    for (const { mesh } of world.rods) mesh.material = solid(scene, "#8a6a48", 0.6, 0);
    world.hand.material = solid(scene, "#d8cdbb", 0.8, 0);
    shade(shadows, [world.towel, world.ribbon, world.hand, ...world.rods.map(({ mesh }) => mesh)]);
}
