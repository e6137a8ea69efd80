import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Colliders",
    text: "One cloth on each solid: sphere, ellipsoid, box, capsule, tapered capsule, cylinder, convex mesh, triangles, a height field, rectangle, and within a ball.",
    place: 12,
    group: "Contact",
};

type World = ReturnType<typeof create>;

/** Position of each solid: four in front, three behind, and four behind these. */
const PLACES = [
    [-2.55, 0],
    [-0.85, 0],
    [0.85, 0],
    [2.55, 0],
    [-1.7, 1.7],
    [0, 1.7],
    [1.7, 1.7],
    [-0.85, 3.4],
    [0.85, 3.4],
    [-2.55, 3.4],
    [2.55, 3.4],
];

/** A cloth falls on each kind of solid, known by its mesh. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const { MeshBuilder } = BABYLON;

    const sphere = MeshBuilder.CreateSphere("sphere", { diameter: 0.9, segments: 32 }, scene);
    sphere.position.y = 0.45;

    const ellipsoid = MeshBuilder.CreateSphere("ellipsoid", { diameter: 1, segments: 32 }, scene);
    ellipsoid.scaling.set(1.1, 0.5, 0.7);
    ellipsoid.position.y = 0.45;
    ellipsoid.rotation.set(0.2, 0.5, 0.25);

    const box = MeshBuilder.CreateBox("box", { width: 0.75, height: 0.7, depth: 0.55 }, scene);
    box.position.y = 0.35;
    box.rotation.y = 0.5;

    const capsule = MeshBuilder.CreateCapsule(
        "capsule",
        { radius: 0.24, height: 1.2, tessellation: 32, capSubdivisions: 12 },
        scene,
    );
    capsule.position.y = 0.5;
    capsule.rotation.set(0, 0.4, 1.35);

    const tapered = MeshBuilder.CreateCapsule(
        "tapered capsule",
        { radiusTop: 0.14, radiusBottom: 0.34, radius: 0.34, height: 1, tessellation: 32, capSubdivisions: 12 },
        scene,
    );
    tapered.position.y = 0.6;

    const cylinder = MeshBuilder.CreateCylinder("cylinder", { diameter: 0.8, height: 0.75, tessellation: 48 }, scene);
    cylinder.position.y = 0.375;

    const gem = MeshBuilder.CreatePolyhedron("convex mesh", { type: 2, size: 0.42 }, scene);
    gem.position.y = 0.55;

    const torus = MeshBuilder.CreateTorus("torus", { diameter: 0.75, thickness: 0.28, tessellation: 48 }, scene);
    torus.position.y = 0.5;
    torus.rotation.x = -0.5;

    const hills = MeshBuilder.CreateGround("height field", { width: 1.4, height: 1.4, subdivisions: 40, updatable: true }, scene);
    raise(hills);

    const shelf = MeshBuilder.CreatePlane("rectangle", { size: 0.9, sideOrientation: BABYLON.Mesh.DOUBLESIDE }, scene);
    shelf.position.y = 0.6;
    shelf.rotation.x = Math.PI / 2 - 0.2;

    const room = MeshBuilder.CreateSphere("inside of a ball", { diameter: 1.2, segments: 32 }, scene);
    room.position.y = 0.6;

    const solids = [sphere, ellipsoid, box, capsule, tapered, cylinder, gem, torus, hills, shelf, room];
    const exhibits = solids.map((mesh, i) => {
        const [x, z] = PLACES[i];
        mesh.position.x = x;
        mesh.position.z = z;
        const size = mesh === room ? 0.8 : 1.3;
        const sheet = MeshBuilder.CreateGround(`cloth: ${mesh.name}`, { width: size, height: size, subdivisions: 32 }, scene);
        sheet.position.set(x + 0.02, mesh === room ? 0.7 : 1.35 + 0.05 * (i % 3), z + 0.01);
        sheet.rotation.y = 0.4 * i;
        const cloth = new BABYLONCLOTH.ClothBehavior({
            fabric: BABYLONCLOTH.Fabrics.cotton,
            colliders: [floor],
            substepCount: 8,
        });
        cloth.addCollider(mesh, { margin: 0.005, inside: mesh === room, ...(mesh === gem ? { shape: "hull" } : {}) });
        sheet.addBehavior(cloth);
        return { cloth, sheet };
    });

    return { cloths: exhibits.map(({ cloth }) => cloth), sheets: exhibits.map(({ sheet }) => sheet), solids, room, floor };
}

/** Gives a ground two hills and a hollow, down to the floor at its rim. */
function raise(ground: BABYLON.Mesh) {
    const positions = ground.getVerticesData("position")!;
    for (let i = 0; i < positions.length; i += 3) {
        const [x, z] = [positions[i] / 0.7, positions[i + 2] / 0.7];
        positions[i + 1] = 0.01 + (1 - x * x) * (1 - z * z) * (0.35 + 0.25 * Math.sin(4 * x) * Math.cos(3 * z));
    }
    ground.updateVerticesData("position", positions);
    ground.createNormals(true);
    ground.refreshBoundingInfo();
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.45, 0, -0.92],
                [3.45, 1.5, 0.95],
            ],
            [
                [-2.6, 0, 0.78],
                [2.65, 1.5, 2.63],
            ],
            [
                [-3.45, 0, 2.48],
                [3.45, 1.5, 4.33],
            ],
        ],
        alpha: -1.57,
        beta: 1.12,
        extent: 9,
        sun: [-0.5, -1, 0.55],
    });
    applyTiles(scene, world.floor);
    const stone = solid(scene, "#e4e0d8", 0.55, 0);
    for (const mesh of world.solids) mesh.material = stone;
    const glass = solid(scene, "#dfeaf0", 0.1, 0);
    glass.alpha = 0.2;
    world.room.material = glass;
    const colours = [
        "#b5443a",
        "#d9902f",
        "#5f8f4e",
        "#2a8f86",
        "#3d6fa5",
        "#6c5b9e",
        "#b5588a",
        "#8a7a3d",
        "#4d7f94",
        "#a34f4f",
        "#557d4a",
    ];
    world.sheets.forEach((sheet, i) => {
        const colour = BABYLON.Color3.FromHexString(colours[i]);
        const print = paint(scene, 256, 256, (u, v) => weave(colour, u, v));
        sheet.material = fabric(scene, print, [24, 24], 0.2);
    });
    shade(shadows, [...world.solids.filter((mesh) => mesh !== world.room), ...world.sheets]);
}

/** A pale border and fine stripes both ways. */
function weave({ r, g, b }: BABYLON.Color3, u: number, v: number) {
    const edge = Math.min(u, v, 1 - u, 1 - v);
    const isBorder = edge > 0.035 && edge < 0.075;
    const stripe = 1 - 0.07 * ((Math.floor(u * 16) % 2) + (Math.floor(v * 16) % 2));
    return [r, g, b].map((channel) => (isBorder ? 0.92 : channel * stripe));
}
