import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Layers",
    text: "A sheet folds onto itself, turned sheets make a pile, and a coat swings over a shirt. selfCollision.",
    place: 19,
    group: "Layers",
};

type World = ReturnType<typeof create>;

const SHEETS = 10;

/** Half of what the torso measures along each axis [m]; its middle is so high over the ground. */
const TORSO = { x: 0.24, y: 0.42, z: 0.17 };
const HEIGHT = 1.45;

/** Cloths on themselves and on each other. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    // Thicker than fabrics are: fewer lists of what is near, and layers that are seen from afar.
    const ground = { colliders: [{ source: floor }], selfCollision: "triangles" as const, selfThickness: 0.015 };
    const { Fabrics } = BABYLONCLOTH;

    const fold = BABYLON.MeshBuilder.CreateGround("fold", { width: 1.1, height: 1.1, subdivisions: 14, updatable: true }, scene);
    bow(fold, 0.09, 1.4);
    fold.rotation.set(-Math.PI / 2, 0.5, 0);
    fold.position.set(-2.3, 0.75, 0);
    const folded = new BABYLONCLOTH.ClothBehavior({ ...ground, fabric: { ...Fabrics.cotton, damping: 2 } });
    fold.addBehavior(folded);

    const sheets = Array.from({ length: SHEETS }, (_, i) => {
        const mesh = BABYLON.MeshBuilder.CreateGround("sheet", { width: 0.9, height: 0.9, subdivisions: 8 }, scene);
        mesh.position.set(-0.7, 0.1 + 0.07 * i, 0);
        mesh.rotation.y = 0.7 * i * i;
        const cloth = new BABYLONCLOTH.ClothBehavior({ ...ground, fabric: { ...Fabrics.wool, damping: 2 } });
        mesh.addBehavior(cloth);
        return { mesh, cloth };
    });

    const torso = BABYLON.MeshBuilder.CreateSphere(
        "torso",
        { diameterX: 2 * TORSO.x, diameterY: 2 * TORSO.y, diameterZ: 2 * TORSO.z, segments: 24 },
        scene,
    );
    torso.position.set(2.1, HEIGHT, 0);
    const garments = [
        { name: "shirt", gap: 0.015, below: 0.5, opening: 0, rows: 12, fabric: Fabrics.silk },
        { name: "coat", gap: 0.04, below: 0.75, opening: 0.5, rows: 14, fabric: Fabrics.wool },
    ].map(({ name, fabric, ...cut }) => {
        const mesh = tailor(name, cut, scene);
        mesh.parent = torso;
        const top = mesh.getBoundingInfo().maximum.y;
        const cloth = new BABYLONCLOTH.ClothBehavior({
            fabric,
            pins: [{ select: ({ y }) => y > top - 0.01 }],
            colliders: [{ source: torso }],
            // What swings all the time: the cheaper tier.
            selfCollision: "particles",
        });
        mesh.addBehavior(cloth);
        return { mesh, cloth };
    });

    /** Turns the torso to and fro: a time [s]. */
    function update(time: number) {
        torso.rotation.y = 0.6 * Math.sin(time) ** 3;
    }

    const cloths = [folded, ...sheets.map(({ cloth }) => cloth), ...garments.map(({ cloth }) => cloth)];
    return { cloths, fold, sheets, torso, garments, floor, update };
}

/** Bends a ground's mesh to a wave along z, so many metres high and so many half turns long: so it knows where to fold. */
function bow(mesh: BABYLON.Mesh, height: number, halfTurns: number) {
    const positions = mesh.getVerticesData("position")!;
    const size = mesh.getBoundingInfo().boundingBox.extendSize.z;
    for (let i = 0; i < positions.length; i += 3) {
        positions[i + 1] = height * Math.sin((halfTurns * Math.PI * positions[i + 2]) / (2 * size));
    }
    mesh.setVerticesData("position", positions, true);
}

/** Cut of a garment by {@link tailor}: distance from the torso [m], length below its middle [m], and opening in front [rad]. */
interface Cut {
    gap: number;
    below: number;
    opening: number;
    rows: number;
}

/** A garment around the torso, wider from its middle down. */
function tailor(name: string, { gap, below, opening, rows }: Cut, scene: BABYLON.Scene) {
    const top = 0.9 * TORSO.y;
    const columns = 28;
    const pathArray = Array.from({ length: rows + 1 }, (_, row) => {
        const y = top - ((top + below) * row) / rows;
        const round = Math.sqrt(1 - Math.max(0, y / TORSO.y) ** 2);
        const flare = 0.12 * Math.max(0, -y);
        return Array.from({ length: columns + 1 }, (_, column) => {
            // From one side of the opening, which is where -z is, to the other.
            const angle = -Math.PI / 2 + opening / 2 + ((2 * Math.PI - opening) * column) / columns;
            const [x, z] = [TORSO.x, TORSO.z].map((radius) => radius * round + gap + flare);
            return new BABYLON.Vector3(x * Math.cos(angle), y, z * Math.sin(angle));
        });
    });
    return BABYLON.MeshBuilder.CreateRibbon(name, { pathArray }, scene);
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.1, 0, -0.8],
                [2.8, 2, 0.8],
            ],
        ],
        alpha: -1.6,
        beta: 1.25,
        extent: 8,
    });
    applyTiles(scene, world.floor);
    const stripes = (dark: string, light: string) => paint(scene, 256, 256, (u) => rgb(Math.floor(u * 16) % 2 ? dark : light));
    world.fold.material = fabric(scene, stripes("#b8443a", "#f3ece0"), [32, 32], 0.2);
    const colours = ["#2f5f8f", "#d9a441", "#7a8f4a", "#b8443a", "#ece5d6"];
    world.sheets.forEach(({ mesh }, i) => {
        const colour = colours[i % colours.length];
        mesh.material = fabric(scene, stripes(colour, colour), [24, 24], 0);
    });
    const [shirt, coat] = world.garments.map(({ mesh }) => mesh);
    shirt.material = fabric(scene, stripes("#e9edf2", "#8fb0d4"), [24, 16], 0.2);
    coat.material = fabric(scene, stripes("#3b3a44", "#3b3a44"), [24, 24], 0);
    world.torso.material = solid(scene, "#d8cdbb", 0.8, 0);
    shade(
        shadows,
        [...world.sheets, ...world.garments].map(({ mesh }) => mesh),
    );
    shade(shadows, [world.fold, world.torso]);
}
