import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Leaves",
    text: "Stiff light sheets fall in still air. They rock and glide, since the air bears most on the edge that leads.",
    place: 10,
    group: "Ropes and plants",
};

type World = ReturnType<typeof create>;

/** Start position of each leaf, x y z [m], its tilt and its turn [rad]. */
const LEAVES = [
    [0.1, 2.9, -0.2, 0.3, 0.4],
    [-0.2, 3.3, 0.4, -0.3, 1.9],
    [0.6, 2.6, -0.4, -0.3, -0.8],
    [0.3, 2, 0.6, -0.35, 2.6],
    [-0.2, 1.6, 0.2, 0.3, 3.6],
    [-0.6, 1.3, -0.2, -0.4, -2],
];
const COLOURS = ["#c8762b", "#a8452a", "#d9a43a", "#b9592b", "#8f6f2c", "#cf8f35"];
/** Each falls again after so long [s], one after the other. */
const PERIOD = 6;
const [LENGTH, WIDTH] = [1.3, 0.8];

/** Leaves that fall, lie for a while and fall again. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const air = new BABYLONCLOTH.Wind();
    const leaves = LEAVES.map(([x, y, z, tilt, turn], i) => {
        const leaf = makeLeaf(`leaf ${i}`, scene);
        leaf.position.set(x, y, z);
        leaf.rotation.set(0, turn, tilt);
        const cloth = new BABYLONCLOTH.ClothBehavior({
            fabric: {
                arealDensity: 0.07,
                shearStiffness: 2000,
                bendStiffness: 5e-3,
                damping: 0,
                thickness: 0.006,
                friction: 0.6,
            },
            wind: air,
        });
        leaf.addBehavior(cloth);
        cloth.addCollider(floor);
        return { leaf, cloth, falls: 0 };
    });

    /** Lifts the leaves that have lain for long enough up again, at a time [s]. */
    function update(time: number) {
        leaves.forEach((each, i) => {
            const falls = Math.floor((time + 0.7 * PERIOD * (1 - i / leaves.length)) / PERIOD);
            if (falls > each.falls) each.cloth.reset();
            each.falls = falls;
        });
    }

    return { cloths: leaves.map(({ cloth }) => cloth), leaves, floor, update };
}

/** A leaf's outline over a grid, wide in the middle. */
function makeLeaf(name: string, scene: BABYLON.Scene) {
    const leaf = BABYLON.MeshBuilder.CreateGround(
        name,
        { width: LENGTH, height: WIDTH, subdivisionsX: 14, subdivisionsY: 8, updatable: true },
        scene,
    );
    const positions = leaf.getVerticesData("position")!;
    for (let i = 0; i < positions.length; i += 3) {
        const along = (2 * positions[i]) / LENGTH;
        positions[i + 2] *= 0.22 + 0.78 * Math.pow(Math.max(0, 1 - along * along), 0.8);
    }
    leaf.setVerticesData("position", positions, true);
    return leaf;
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-2.4, 0, -1.7],
                [2.4, 0.1, 1.9],
            ],
            [
                [-2.1, 0, -1.4],
                [2.1, 3.7, 1.4],
            ],
        ],
        alpha: -1.7,
        beta: 1.35,
        extent: 9,
    });
    applyTiles(scene, world.floor);
    world.leaves.forEach(({ leaf }, i) => {
        leaf.material = fabric(
            scene,
            paint(scene, 256, 160, (u, v) => printLeaf(u, v, COLOURS[i])),
            [6, 4],
            0.4,
        );
    });
    shade(
        shadows,
        world.leaves.map(({ leaf }) => leaf),
    );
}

/** A midrib and veins that leave it forwards. */
function printLeaf(u: number, v: number, colour: string) {
    const side = Math.abs(v - 0.5);
    const vein = (u - 0.7 * side) * 9;
    const isVein = side < 0.018 || Math.abs(vein - Math.round(vein)) < 0.07;
    return rgb(isVein ? "#e6c384" : colour);
}
