import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { solid } from "../parts/fabric";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Plants",
    text: "Grass, a potted plant and a jelly under a ribbon: what keeps its shape and springs back. The pot and the jelly's plate are pushed about. PlantBehavior.",
    place: 18,
    group: "Ropes and plants",
};

type World = ReturnType<typeof create>;

const TOP = 0.8;

/** Blades on the ground, a plant in a pot that moves, and a jelly on a plate that moves. */
export function create(scene: BABYLON.Scene) {
    const wind = new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(2.5, 0, 0.6), turbulence: 0.8, gustLength: 1.5 });
    const table = BABYLON.MeshBuilder.CreateBox("table", { width: 1.6, height: 0.06, depth: 0.9 }, scene);
    table.position.y = TOP - 0.03;
    const legs = [-0.7, 0.7].map((x) => {
        const leg = BABYLON.MeshBuilder.CreateBox("leg", { width: 0.06, height: TOP - 0.06, depth: 0.7 }, scene);
        leg.position.set(x, (TOP - 0.06) / 2, 0);
        return leg;
    });
    const cover = BABYLONCLOTH.ClothBuilder.CreateTablecloth("cover", { table, size: 1.1, fabric: "linen" }, scene);

    const pot = BABYLON.MeshBuilder.CreateCylinder("pot", { height: 0.16, diameterTop: 0.2, diameterBottom: 0.14 }, scene);
    pot.position.set(-0.35, TOP + 0.1, 0);
    const leaves = Array.from({ length: 9 }, (_, i) => {
        const leaf = makeBlade(
            `leaf ${i}`,
            { length: 0.42 + 0.04 * (i % 3), width: 0.05, lean: 0.5 + 0.2 * (i % 2), turn: (i * 2.4) % 6.283 },
            scene,
        );
        leaf.position.set(pot.position.x, pot.position.y + 0.08, 0);
        const plant = new BABYLONCLOTH.PlantBehavior({
            pins: [{ select: ({ y }) => y < 0.06, target: pot }],
            gravity: BABYLON.Vector3.Zero(),
            stiffness: 3e8,
            thickness: 0.0015,
            damping: 1.5,
            wind,
        });
        leaf.addBehavior(plant);
        return leaf;
    });

    const plate = BABYLON.MeshBuilder.CreateCylinder("plate", { height: 0.02, diameter: 0.42, tessellation: 48 }, scene);
    plate.position.set(0.38, TOP + 0.03, 0);
    const jelly = BABYLON.MeshBuilder.CreateSphere("jelly", { segments: 6, diameter: 0.26, slice: 1 }, scene);
    jelly.position.set(0.38, TOP + 0.2, 0);
    const wobble = new BABYLONCLOTH.PlantBehavior({ stiffness: 4e4, damping: 0.6, friction: 1, selfCollision: "triangles" });
    wobble.addCollider(plate, { shape: "mesh" });
    jelly.addBehavior(wobble);
    const ribbon = BABYLON.MeshBuilder.CreateGround(
        "ribbon",
        { width: 0.06, height: 0.44, subdivisionsX: 4, subdivisionsY: 30 },
        scene,
    );
    ribbon.position.set(0.38, TOP + 0.4, 0);
    ribbon.rotation.y = 0.5;
    const tied = new BABYLONCLOTH.ClothBehavior({
        fabric: { arealDensity: 0.12, bendStiffness: 2e-5, damping: 1 },
        selfCollision: "triangles",
    });
    tied.addCollider(plate, { shape: "mesh" });
    ribbon.addBehavior(tied);

    const grass = Array.from({ length: 28 }, (_, i) => {
        const blade = makeBlade(
            `blade ${i}`,
            { length: 0.5 + 0.25 * ((i * 0.618) % 1), width: 0.018, lean: 0.3 + 0.4 * ((i * 0.37) % 1), turn: (i * 2.4) % 6.283 },
            scene,
        );
        const radius = 0.06 + 0.03 * Math.sqrt(i);
        blade.position.set(-1.5 + radius * Math.cos(2.4 * i), 0, 0.5 + radius * Math.sin(2.4 * i));
        blade.addBehavior(
            new BABYLONCLOTH.PlantBehavior({
                pins: [{ select: ({ y }) => y < 0.08 }],
                gravity: BABYLON.Vector3.Zero(),
                stiffness: 2e9,
                thickness: 0.0008,
                damping: 1,
                substepCount: 2,
                wind,
            }),
        );
        return blade;
    });
    const meshes = [...leaves, jelly, ...grass];
    const bodies = meshes.map((mesh) => mesh.getBehaviorByName("Plant") as BABYLONCLOTH.PlantBehavior);

    /** Jerks pot and plate every few seconds: a time [s]. */
    function update(time: number) {
        const jerk = Math.sin(9 * time) * Math.max(0, Math.sin(1.1 * time)) ** 8;
        pot.position.x = -0.35 + 0.06 * jerk;
        plate.position.x = 0.38 + 0.03 * jerk;
    }

    return { cloths: [cover.cloth, tied], bodies, cover, ribbon, table, legs, pot, plate, leaves, jelly, grass, update };
}

interface Blade {
    length: number;
    width: number;
    /** Overhang of its tip, as a share of its length. */
    lean: number;
    turn: number;
}

/** A blade that tapers and bends over. */
function makeBlade(name: string, { length, width, lean, turn }: Blade, scene: BABYLON.Scene) {
    const rows = 10;
    const pathArray = [-1, 0, 1].map((side) =>
        Array.from({ length: rows + 1 }, (_, row) => {
            const along = row / rows;
            const half = (side * width * Math.sin(Math.PI * (0.25 + 0.72 * along))) / 2;
            const out = length * lean * along * along;
            const up = length * along * (1 - 0.35 * lean * along);
            // Its midrib is a fold.
            const fold = 0.25 * Math.abs(half);
            return new BABYLON.Vector3(
                out * Math.cos(turn) - half * Math.sin(turn),
                up + fold,
                out * Math.sin(turn) + half * Math.cos(turn),
            );
        }),
    );
    return BABYLON.MeshBuilder.CreateRibbon(name, { pathArray, sideOrientation: BABYLON.Mesh.DOUBLESIDE }, scene);
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.9, 0, -0.6],
                [1, 1.5, 0.9],
            ],
        ],
        alpha: -1.75,
        beta: 1.25,
        extent: 5,
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    const greens = ["#4c7a34", "#5f8f3f", "#3f6b33"].map((hex) => solid(scene, hex, 0.6, 0));
    [...world.leaves, ...world.grass].forEach((mesh, i) => (mesh.material = greens[i % greens.length]));
    world.jelly.material = solid(scene, "#b3203a", 0.15, 0);
    world.ribbon.material = solid(scene, "#e8dfc8", 0.4, 0);
    world.pot.material = solid(scene, "#a5583a", 0.9, 0);
    world.plate.material = solid(scene, "#f2f0ea", 0.3, 0);
    const wood = solid(scene, "#7a4f30", 0.7, 0);
    for (const mesh of [world.table, ...world.legs]) mesh.material = wood;
    world.cover.material = BABYLONCLOTH.FabricMaterials.create("linen", scene);
    shade(shadows, [
        ...world.leaves,
        ...world.grass,
        world.jelly,
        world.ribbon,
        world.pot,
        world.plate,
        world.table,
        ...world.legs,
        world.cover,
    ]);
}
