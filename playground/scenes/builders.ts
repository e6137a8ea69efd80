import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { clipEars } from "../parts/clipEars";
import { fabric, solid } from "../parts/fabric";
import { paint, repeat } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Every builder",
    text: "A mesh of every builder as cloth. Seams stay together; solids hang like empty bags.",
    place: 7,
    group: "Tools",
};

type World = ReturnType<typeof create>;

/** A mesh of every builder of Babylon as cloth: two rows hang from rails, the front row falls over balls. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const rows = [hangingSheets(scene), hangingSolids(scene), fallingMeshes(scene)];
    const spacing = 1.5;
    const railHeights = [3.4, 1.9];
    const breeze = new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(0.4, 0, 1.2), turbulence: 0.7, gustLength: 1.5 });
    const balls = [] as BABYLON.Mesh[];

    const exhibits = rows.flatMap((row, r) =>
        row.map(({ mesh, pinned }, i) => {
            const x = (i - (row.length - 1) / 2) * spacing;
            const z = 1.2 - 1.1 * r;
            const cloth = new BABYLONCLOTH.ClothBehavior({ fabric: { arealDensity: 0.2, damping: 0.8, friction: 0.4 } });
            if (pinned) {
                const highest = mesh.getBoundingInfo().boundingBox.maximum;
                const isLying = pinned === "+z";
                const top = isLying ? highest.z : highest.y;
                mesh.rotation.x = isLying ? -Math.PI / 2 : 0;
                mesh.position.set(x, railHeights[r] - top, z);
                // Mesh-local: the upper eight centimetres.
                cloth.pins = [{ select: (position) => (isLying ? position.z : position.y) > top - 0.08 }];
                cloth.wind = breeze;
            } else {
                mesh.position.set(x + 0.01, 1.1, z + 0.01);
                const ball = BABYLON.MeshBuilder.CreateSphere("ball", { diameter: 0.5, segments: 24 }, scene);
                ball.position.set(x, 0.3, z);
                cloth.addCollider(ball);
                balls.push(ball);
            }
            mesh.addBehavior(cloth);
            cloth.addCollider(floor);
            return { mesh, cloth, x, z };
        }),
    );

    return { cloths: exhibits.map(({ cloth }) => cloth), exhibits, balls, floor, railHeights };
}

/** Divides meshes whose triangles are too large to fold. */
const fine = (mesh: BABYLON.Mesh) => BABYLONCLOTH.ClothBuilder.Subdivide(mesh, 0.08);

/** Flat meshes, hung by their upper edge; those that lie in the xz plane by their local +z side. */
function hangingSheets(scene: BABYLON.Scene) {
    const build = BABYLON.MeshBuilder;
    const star = Array.from({ length: 40 }, (_, i) => {
        const radius = 0.42 + 0.08 * Math.cos((i / 40) * 10 * Math.PI);
        const angle = (i / 40) * 2 * Math.PI + Math.PI / 2;
        return new BABYLON.Vector3(radius * Math.cos(angle), 0, radius * Math.sin(angle));
    });
    const waves = Array.from({ length: 21 }, (_, j) =>
        Array.from({ length: 21 }, (_, i) => new BABYLON.Vector3(i / 20 - 0.5, 0.5 - j / 20, 0.06 * Math.sin(i * 1.2))),
    );
    return [
        { pinned: "+z" as const, mesh: build.CreateGround("ground", { width: 1, height: 1, subdivisions: 24 }, scene) },
        {
            pinned: "+z" as const,
            mesh: build.CreateTiledGround(
                "tiled ground",
                { xmin: -0.5, zmin: -0.5, xmax: 0.5, zmax: 0.5, subdivisions: { w: 5, h: 5 }, precision: { w: 4, h: 4 } },
                scene,
            ),
        },
        {
            pinned: "+y" as const,
            mesh: fine(build.CreatePlane("plane", { size: 1, sideOrientation: BABYLON.Mesh.DOUBLESIDE }, scene)),
        },
        { pinned: "+y" as const, mesh: build.CreateTiledPlane("tiled plane", { size: 1, tileSize: 0.05 }, scene) },
        { pinned: "+y" as const, mesh: build.CreateRibbon("ribbon", { pathArray: waves }, scene) },
        { pinned: "+z" as const, mesh: fine(build.CreatePolygon("polygon", { shape: star }, scene, clipEars)) },
        { pinned: "+y" as const, mesh: fine(build.CreateDisc("disc", { radius: 0.5, tessellation: 48 }, scene)) },
    ];
}

/** Solids, hung by their highest vertices: without pressure they hang like empty bags. */
function hangingSolids(scene: BABYLON.Scene) {
    const build = BABYLON.MeshBuilder;
    const vase = Array.from({ length: 17 }, (_, i) => new BABYLON.Vector3(0.3 + 0.1 * Math.cos(i * 0.5), 0.4 - i * 0.05, 0));
    const spine = Array.from({ length: 25 }, (_, i) => new BABYLON.Vector3(0.1 * Math.sin(i * 0.5), 0.5 - i * 0.04, 0));
    return [
        { pinned: "+y" as const, mesh: build.CreateSphere("sphere", { diameter: 0.8, segments: 16 }, scene) },
        {
            pinned: "+y" as const,
            mesh: build.CreateCylinder("cylinder", { height: 0.9, diameter: 0.6, tessellation: 32, subdivisions: 18 }, scene),
        },
        {
            pinned: "+y" as const,
            mesh: build.CreateTiledBox("tiled box", { width: 0.7, height: 0.7, depth: 0.7, tileSize: 0.07 }, scene),
        },
        { pinned: "+y" as const, mesh: build.CreateLathe("lathe", { shape: vase, tessellation: 36 }, scene) },
        {
            pinned: "+y" as const,
            mesh: build.CreateCapsule(
                "capsule",
                { height: 1, radius: 0.28, tessellation: 24, subdivisions: 14, capSubdivisions: 8 },
                scene,
            ),
        },
        { pinned: "+y" as const, mesh: build.CreateTube("tube", { path: spine, radius: 0.2, tessellation: 24 }, scene) },
        { pinned: "+y" as const, mesh: build.CreateGeodesic("geodesic", { m: 6, n: 2, size: 0.45 }, scene) },
    ];
}

/** Meshes that fall freely over a ball. */
function fallingMeshes(scene: BABYLON.Scene) {
    const build = BABYLON.MeshBuilder;
    const bar = Array.from({ length: 17 }, (_, i) => new BABYLON.Vector3(i / 20 - 0.4, 0, 0));
    const rail = Array.from({ length: 17 }, (_, i) => new BABYLON.Vector3(0, 0.06 * Math.cos(i), i / 16 - 0.5));
    return [
        { pinned: undefined, mesh: fine(build.CreateBox("box", { size: 0.6 }, scene)) },
        { pinned: undefined, mesh: build.CreateTorus("torus", { diameter: 0.75, thickness: 0.25, tessellation: 36 }, scene) },
        { pinned: undefined, mesh: build.CreateIcoSphere("icosphere", { radius: 0.4, subdivisions: 6 }, scene) },
        {
            pinned: undefined,
            mesh: build.CreateTorusKnot("torus knot", { radius: 0.3, tube: 0.1, radialSegments: 96, tubularSegments: 12 }, scene),
        },
        {
            pinned: undefined,
            mesh: build.ExtrudeShape("extrusion", { shape: bar, path: rail, sideOrientation: BABYLON.Mesh.DOUBLESIDE }, scene),
        },
        { pinned: undefined, mesh: build.CreateSphere("half sphere", { diameter: 0.9, segments: 16, slice: 0.5 }, scene) },
        { pinned: undefined, mesh: build.CreateGoldberg("goldberg", { m: 6, n: 0, size: 0.4 }, scene) },
    ];
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-5.6, 0, -1.7],
                [5.6, 0.6, 1.2],
            ],
            [
                [-5.6, 1.9, 0],
                [5.6, 3.7, 2.1],
            ],
        ],
        alpha: -1.66,
        beta: 1.36,
        extent: 15,
    });
    applyTiles(scene, world.floor);

    const colours = ["#c8553d", "#e09f3e", "#6a994e", "#2a9d8f", "#3d6fa5", "#6c5b9e", "#b5588a"];
    const materials = colours.map((hex) => {
        const colour = BABYLON.Color3.FromHexString(hex);
        const print = paint(scene, 128, 128, (u, v) => {
            const stripe = 1 - 0.16 * ((Math.floor(u * 8) + Math.floor(v * 8)) % 2);
            return [colour.r * stripe, colour.g * stripe, colour.b * stripe];
        });
        return fabric(scene, repeat(print, 1, 1), [16, 16], 0.2);
    });
    world.exhibits.forEach(({ mesh, x, z }, i) => {
        mesh.material = materials[i % 7];
        const railHeight = world.railHeights[Math.floor(i / 7)] ?? 0;
        label(scene, mesh.name, x, railHeight + 0.12, railHeight > 0 ? z : z - 0.62);
    });

    const grey = solid(scene, "#e4e0d8", 0.6, 0);
    for (const ball of world.balls) ball.material = grey;
    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const rails = world.railHeights.flatMap((height, r) => {
        const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: 11, diameter: 0.04 }, scene);
        rail.position.set(0, height + 0.02, world.exhibits[7 * r].z);
        rail.rotation.z = Math.PI / 2;
        const posts = [-5.5, 5.5].map((x) => {
            const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: height + 0.04, diameter: 0.07 }, scene);
            post.position.set(x, height / 2 + 0.02, rail.position.z);
            return post;
        });
        return [rail, ...posts];
    });
    for (const rail of rails) rail.material = wood;
    shade(shadows, [...rails, ...world.exhibits.map(({ mesh }) => mesh), ...world.balls]);
}

/** A small sign, on the rail or on the floor. */
function label(scene: BABYLON.Scene, text: string, x: number, y: number, z: number) {
    const texture = new BABYLON.DynamicTexture("label", { width: 512, height: 96 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#fbf8f1";
    context.fillRect(0, 0, 512, 96);
    context.fillStyle = "#33302b";
    context.font = "56px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, 256, 50);
    texture.update();
    texture.wrapU = texture.wrapV = BABYLON.Texture.CLAMP_ADDRESSMODE;

    const sign = BABYLON.MeshBuilder.CreateGround("label", { width: 0.9, height: 0.17 }, scene);
    sign.position.set(x, y, z);
    sign.rotation.x = -1.2;
    const material = new BABYLON.StandardMaterial("label", scene);
    material.diffuseTexture = texture;
    material.specularColor = BABYLON.Color3.Black();
    sign.material = material;
}
