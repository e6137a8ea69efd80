import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Statue and table",
    text: "A flag is drawn over a statue of 11,000 triangles, and a towel hangs over a table's corner.",
    place: 14,
    group: "Contact",
};

type World = ReturnType<typeof create>;

/** A head of stone, the flag that a rod draws over it, and a table with a towel. */
export function create(scene: BABYLON.Scene) {
    const { MeshBuilder } = BABYLON;
    const floor = MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);

    const plinth = MeshBuilder.CreateBox("plinth", { width: 0.5, height: 0.7, depth: 0.5 }, scene);
    plinth.position.set(-0.7, 0.35, 0);
    const statue = carveHead(scene);
    statue.position.set(-0.7, 1.02, 0);

    // The flag: its edge is on the rod.
    const flag = MeshBuilder.CreateGround("flag", { width: 1.5, height: 1, subdivisionsX: 36, subdivisionsY: 24 }, scene);
    flag.position.set(-0.45, 1.62, 0);
    const rod = MeshBuilder.CreateCylinder("rod", { height: 1.1, diameter: 0.025 }, scene);
    rod.rotation.x = Math.PI / 2;
    const banner = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: BABYLONCLOTH.select.edge("-x"), target: rod }],
        fabric: { ...BABYLONCLOTH.Fabrics.cotton, friction: 0.25, thickness: 0.008 },
        colliders: [statue, plinth, floor],
        substepCount: 8,
    });

    const top = MeshBuilder.CreateBox("table", { width: 0.9, height: 0.04, depth: 0.7 }, scene);
    top.position.set(0.95, 0.76, 0);
    const legs = [-1, 1].flatMap((x) =>
        [-1, 1].map((z) => {
            const leg = MeshBuilder.CreateBox("leg", { width: 0.05, height: 0.74, depth: 0.05 }, scene);
            leg.position.set(0.95 + 0.41 * x, 0.37, 0.31 * z);
            return leg;
        }),
    );
    const towel = MeshBuilder.CreateGround("towel", { width: 0.55, height: 0.85, subdivisionsX: 22, subdivisionsY: 34 }, scene);
    towel.position.set(0.58, 0.82, -0.32);
    towel.rotation.y = 0.75;
    const terry = new BABYLONCLOTH.ClothBehavior({
        fabric: { ...BABYLONCLOTH.Fabrics.wool, friction: 0.8, thickness: 0.006 },
        colliders: [{ source: top, margin: 0.006 }, floor, ...legs],
        substepCount: 8,
    });

    /** Draws the rod to and fro: a time [s] to its place. */
    function update(time: number) {
        const way = 0.5 - 0.5 * Math.cos(0.9 * time);
        rod.position.set(-1.2 - 0.3 * way, 1.62 - 0.75 * way, 0);
    }
    update(0);
    flag.addBehavior(banner);
    towel.addBehavior(terry);
    return { cloths: [banner, terry], sheets: [flag, towel], statue, plinth, rod, table: [top, ...legs], floor, update };
}

/** A head, 0.62 m high, of a ball whose vertices move along their directions. */
function carveHead(scene: BABYLON.Scene) {
    const head = BABYLON.MeshBuilder.CreateSphere("statue", { diameter: 0.44, segments: 50, updatable: true }, scene);
    const positions = Float32Array.from(head.getVerticesData("position")!);
    const normals: number[] = [];
    const bump = (x: number, y: number, width: number, height: number) => Math.exp(-((x / width) ** 2) - (y / height) ** 2);
    for (let o = 0; o < positions.length; o += 3) {
        const [x, y, z] = [positions[o] / 0.22, positions[o + 1] / 0.22, positions[o + 2] / 0.22];
        const front = Math.max(0, -z);
        const nose = 0.34 * bump(x, y + 0.12, 0.13, 0.24) * front;
        const brow = 0.1 * bump(x, y - 0.22, 0.6, 0.1) * front;
        const eyes = -0.13 * (bump(x - 0.34, y - 0.06, 0.2, 0.12) + bump(x + 0.34, y - 0.06, 0.2, 0.12)) * front;
        const lips = 0.1 * bump(x, y + 0.5, 0.26, 0.08) * front;
        const ears = 0.16 * (bump(z - 0.08, y, 0.16, 0.22) * x * x);
        const hair = 0.03 * Math.sin(22 * Math.atan2(x, z + 0.2)) * Math.max(0, y - 0.3);
        const size = 1 + nose + brow + eyes + lips + ears + hair;
        const narrow = y < 0 ? 1 - 0.28 * y * y : 1;
        positions[o] = 0.22 * x * size * narrow * 0.9;
        positions[o + 1] = 0.22 * y * (1 + 0.2 * (lips + brow)) * 1.4;
        positions[o + 2] = 0.22 * z * size * narrow;
    }
    BABYLON.VertexData.ComputeNormals(positions, head.getIndices(), normals);
    head.updateVerticesData("position", positions);
    head.updateVerticesData("normal", normals);
    head.refreshBoundingInfo();
    return head;
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.75, 0, -0.62],
                [1.5, 1.7, 0.62],
            ],
        ],
        alpha: -1.75,
        beta: 1.22,
        extent: 5,
        sun: [-0.5, -1, 0.6],
    });
    applyTiles(scene, world.floor);
    world.statue.material = solid(scene, "#d9d4c8", 0.6, 0);
    world.plinth.material = solid(scene, "#8f8a80", 0.9, 0);
    const wood = solid(scene, "#8a5a34", 0.6, 0);
    for (const mesh of [...world.table, world.rod]) mesh.material = wood;
    const [flag, towel] = world.sheets;
    const stripes = [rgb("#24437c"), rgb("#f2efe6"), rgb("#b8323a")];
    flag.material = fabric(
        scene,
        paint(scene, 256, 256, (u) => stripes[Math.min(2, Math.floor(3 * u))]),
        [40, 30],
        0.2,
    );
    const terry = paint(scene, 256, 256, (u, v) =>
        Math.abs(v - 0.12) < 0.03 || Math.abs(v - 0.88) < 0.03 ? rgb("#f4f0e2") : rgb("#3f8f8a"),
    );
    towel.material = fabric(scene, terry, [60, 90], 0.5);
    shade(shadows, [world.statue, world.plinth, world.rod, ...world.table, ...world.sheets]);
}
