import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { makeDancer } from "../parts/makeDancer";
import { knitScarf, sewCape, tailor } from "../parts/tailor";
import { noise, paint, rgb } from "../parts/paint";
import { shade, shine, studio } from "../parts/studio";

export const about = {
    title: "Dancer",
    text: "Dress, coat, cape and scarf on a skinned dancer: skin above, cloth below. maxDistance, backstop, selfCollision.",
    place: 0,
    group: "Characters",
};

type World = ReturnType<typeof create>;

/** The clips as they follow each other, and how long each is played [s]. */
const TOUR = [
    ["idle", 2.5],
    ["walk", 4.5],
    ["spin", 6.4],
    ["run", 4],
    ["jump", 3.8],
    ["sit", 4],
] as const;

/** Height of the stool [m]. */
const SEAT = 0.41;

export function create(scene: BABYLON.Scene) {
    const dancer = makeDancer(scene);
    const { Fabrics } = BABYLONCLOTH;
    const wind = new BABYLONCLOTH.Wind({ velocity: new BABYLON.Vector3(0.4, 0, 0.6), turbulence: 0.5 });
    // Wide enough for calves. A capsule of the whole thigh would hold the crease of who sits inside it, and the leg would come through.
    const { fromSkeleton } = BABYLONCLOTH.Colliders;
    const shins = fromSkeleton(dancer.body, { percentile: 0.98 })
        .filter(({ name }) => /tLeg|Foot/.test(name))
        .map((source) => ({ source, margin: 0.014 }));
    const thighs = [dancer.joints.LeftUpLeg, dancer.joints.RightUpLeg].map((joint) => {
        const source = BABYLON.MeshBuilder.CreateCylinder("thigh", { diameter: 0.156, height: 0.446 }, scene);
        source.parent = joint;
        source.position.y = -0.265;
        source.isVisible = false;
        return { source, shape: "capsule" as const, margin: 0.004 };
    });
    const legs = [...shins, ...thighs];
    const inside = fromSkeleton(dancer.body, { fit: "inside" }).filter(({ name }) => /Hips|Spine|Arm/.test(name));
    const trunk = [...legs, ...inside.map((source) => ({ source, margin: 0.004 }))];

    const dress = tailor(dancer, scene, {
        ...{ name: "dress", top: 1.31, hem: 0.24, columns: 46, rows: 30, gap: 0.011, flare: 0.32 },
        ...{ waist: 1.01, loose: 0.65, hips: 0.15, folds: 9, depth: 0.035 },
    });
    const coat = tailor(dancer, scene, {
        ...{ name: "coat", top: 1.33, hem: 0.48, columns: 38, rows: 24, gap: 0.026, flare: 0.42 },
        ...{ waist: 1.02, loose: 0.85, hips: 0.25, opening: 0.5, folds: 7, depth: 0.03 },
    });
    const scarf = knitScarf(dancer, scene, 0.13, 0.026);
    const cape = sewCape(dancer, scene, 0.95, 24, 26);

    const wearing = (
        { mesh, maxDistance, backstop }: typeof dress,
        fabric: BABYLONCLOTH.Fabric,
        colliders: typeof legs,
        more: BABYLONCLOTH.ClothOptions = {},
    ) => {
        const cloth = new BABYLONCLOTH.ClothBehavior({
            fabric,
            maxDistance,
            backstop,
            colliders,
            wind,
            selfCollision: "particles",
            ...more,
        });
        mesh.addBehavior(cloth);
        return cloth;
    };
    const cloths = [
        wearing(dress, Fabrics.silk, legs),
        wearing(coat, Fabrics.wool, legs),
        wearing(cape, Fabrics.wool, trunk),
        wearing(scarf, Fabrics.wool, trunk),
    ];

    const stage = BABYLON.MeshBuilder.CreateCylinder("stage", { diameter: 2.6, height: 0.12, tessellation: 96 }, scene);
    stage.position.y = -0.06;
    const stool = BABYLON.MeshBuilder.CreateCylinder("stool", { diameter: 0.34, height: SEAT }, scene);
    for (const cloth of cloths.slice(0, 3)) cloth.addCollider(stool, { shape: "cylinder" });

    let chosen: (typeof TOUR)[number][0] | null = null;
    let last = 0;
    /** Goes on to a time since the start [s]; the clips follow each other until one is chosen. */
    function update(time: number) {
        if (time < last) dancer.reset(chosen ?? "idle");
        let left = time % TOUR.reduce((sum, [, seconds]) => sum + seconds, 0);
        const now = chosen ?? TOUR.find(([, seconds]) => (left -= seconds) < 0)![0];
        if (now !== dancer.clip) dancer.play(now);
        dancer.advance(Math.max(0, time - last));
        last = time;
        // The stool rises out of the stage for who sits down.
        stool.position.set(0, SEAT * (dancer.motion.back / 0.4 - 0.5) - 0.01, 0.43);
    }
    update(0);

    const garments = [dress, coat, cape, scarf].map(({ mesh }) => mesh);
    let isSkin = false;
    let fabrics: BABYLON.Mesh["material"][] | null = null;
    function showSkin() {
        isSkin = !isSkin;
        // 0: as the skeleton alone poses them.
        for (const cloth of cloths) cloth.skinBlend = isSkin ? 0 : 1;
    }
    function showPaint() {
        const painted = fabrics ? null : solid(scene, "#ffffff", 0.9, 0);
        const before = fabrics;
        fabrics = before ? null : garments.map(({ material }) => material);
        if (painted) painted.backFaceCulling = false;
        garments.forEach((mesh, i) => {
            mesh.useVertexColors = painted !== null;
            mesh.material = before ? before[i] : painted;
        });
    }
    const buttons = [
        ...TOUR.map(([clip]) => ({
            label: clip,
            isPressed: () => chosen === clip,
            press: () => (chosen = chosen === clip ? null : clip),
        })),
        { label: "skin only", isPressed: () => isSkin, press: showSkin },
        { label: "max distances", isPressed: () => fabrics !== null, press: showPaint },
    ];

    return {
        cloths,
        buttons,
        dancer,
        set: { stage, stool },
        garments,
        figure: [dancer.body, dancer.hair],
        update,
    };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const sun: [number, number, number] = [0.75, -1, 0.7];
    const sky = { horizon: "#f6e6d8", zenith: "#7d9cc4" };
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.68, 0, -0.4],
                [0.68, 1.88, 0.4],
            ],
        ],
        alpha: -1.75,
        beta: 1.42,
        extent: 4,
        sun,
        ...sky,
    });
    shine(scene, { ...sky, ground: "#8d7668", glow: "#806040" }, sun);
    scene.environmentIntensity = 1.5;
    const [heaven, sunlight] = scene.lights;
    heaven.intensity = 0.45;
    sunlight.intensity = 3.6;
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    floor.position.y = -0.12;
    floor.material = solid(scene, "#c4ad9b", 0.9, 0);
    floor.receiveShadows = true;
    world.set.stage.material = solid(scene, "#9a7556", 0.4, 0);
    world.set.stage.receiveShadows = true;
    world.set.stool.material = solid(scene, "#54392a", 0.5, 0);
    const { dancer } = world;
    dancer.body.material = solid(scene, "#ffffff", 0.6, 0);
    dancer.hair.material = solid(scene, "#2b1a12", 0.45, 0);
    const [dress, coat, cape, scarf] = world.garments;
    const plain = (edge: number, hem: number, colour: string) =>
        paint(scene, 256, 256, (u, v) => {
            const grain = 0.94 + 0.06 * noise(u * 32, v * 32, 32);
            return rgb(Math.min(u, 1 - u) < edge || v < hem ? "#cfa250" : colour).map((channel) => channel * grain);
        });
    dress.material = fabric(scene, plain(0, 0.035, "#d8cdb8"), [60, 60], 0.25);
    coat.material = fabric(scene, plain(0.012, 0.025, "#8c2431"), [50, 40], 0);
    cape.material = fabric(scene, plain(0.02, 0.02, "#22345a"), [50, 50], 0.2);
    const stripes = paint(scene, 64, 512, (_, v) => rgb(Math.floor(v * 24) % 2 ? "#e9dfc8" : "#c8743e"));
    scarf.material = fabric(scene, stripes, [6, 40], 0.2);
    shade(shadows, [dancer.body, dancer.hair, world.set.stool, ...world.garments]);
}
