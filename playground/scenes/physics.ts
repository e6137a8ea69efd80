import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { physics } from "../parts/physics";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Physics bodies (Havok)",
    text: "A sheet catches balls, a hammock bears boxes, and a lamp swings on a strip of cloth: bodies and cloth move each other.",
    place: 15,
    group: "Contact",
};

type World = Awaited<ReturnType<typeof create>>;

/** When each ball is thrown, and how often all of them are [s]. */
const THROWS = [1, 2.4, 3.8];
const ROUND = 9;
/** Start positions of the boxes [m]. */
const HEIGHTS = [1.3, 1.45, 1.6];

/** A sheet on its four corners, a hammock, and a lamp on a strip, among bodies of Havok's. */
export async function create(scene: BABYLON.Scene) {
    const { MeshBuilder, Vector3 } = BABYLON;
    const { BOX, SPHERE } = BABYLON.PhysicsShapeType;
    const { add, update: step } = await physics(scene);
    const { select } = BABYLONCLOTH;

    const floor = MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const base = MeshBuilder.CreateBox("base", { width: 20, height: 1, depth: 20 }, scene);
    base.position.y = -0.5;
    base.isVisible = false;
    add(base, BOX, 0);

    const sheet = MeshBuilder.CreateGround("sheet", { width: 1.8, height: 1.6, subdivisionsX: 36, subdivisionsY: 32 }, scene);
    sag(sheet, 0.3, (u, v) => (1 - u * u) * (1 - v * v));
    sheet.position.set(-2.4, 1.3, 0.6);
    sheet.rotation.x = -Math.PI / 2 + 0.15;
    const catcher = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: select.corners() }],
        fabric: { ...BABYLONCLOTH.Fabrics.canvas, friction: 0.5 },
        substepCount: 8,
    });
    const balls = [0.3, 0.6, 1].map((mass, i) => {
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.24 + 0.06 * i, segments: 24 }, scene);
        ball.position.set(-3 + 0.6 * i, 0.16 + 0.03 * i, -3.2);
        return add(ball, SPHERE, mass);
    });

    const hammock = MeshBuilder.CreateGround("hammock", { width: 2.2, height: 1, subdivisionsX: 44, subdivisionsY: 20 }, scene);
    sag(hammock, 0.45, (u) => 1 - u * u);
    hammock.position.set(0.3, 1.1, 0);
    const net = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: select.or(select.edge("-x"), select.edge("+x")) }],
        fabric: { ...BABYLONCLOTH.Fabrics.canvas, friction: 0.6 },
        substepCount: 8,
    });
    const boxes = HEIGHTS.map((height, i) => {
        const box = MeshBuilder.CreateBox("box", { width: 0.4, height: 0.24, depth: 0.34 }, scene);
        box.position.set(0.3 + 0.22 * (i - 1), height, 0.04 * (1 - i));
        box.rotation.y = 0.25 * i;
        add(box, BOX, 3 - i);
        return box;
    });

    // The lamp hangs on the lower end of the strip, and swings from where it is held at first.
    const strip = MeshBuilder.CreateGround("strip", { width: 0.24, height: 1.1, subdivisionsX: 6, subdivisionsY: 28 }, scene);
    strip.position.set(2.35, 2.3 - 0.55 * Math.cos(0.6), -0.55 * Math.sin(0.6));
    strip.rotation.x = -Math.PI / 2 + 0.6;
    const lamp = MeshBuilder.CreateBox("lamp", { width: 0.3, height: 0.36, depth: 0.3 }, scene);
    lamp.position.set(2.35, 2.3 - 1.28 * Math.cos(0.6), -1.28 * Math.sin(0.6));
    lamp.rotation.x = 0.6;
    add(lamp, BOX, 0.8);
    const ribbon = new BABYLONCLOTH.ClothBehavior({
        pins: [{ select: select.edge("+z") }, { select: select.edge("-z"), target: lamp }],
        fabric: { ...BABYLONCLOTH.Fabrics.denim },
        substepCount: 8,
    });

    let last = 0;
    /** Steps the bodies to a time [s], and throws the balls in turn. */
    function update(time: number) {
        const round = Math.floor(time / ROUND) * ROUND;
        balls.forEach(({ mesh: ball, body }, i) => {
            const start = round + THROWS[i];
            if (!(last < start && time >= start)) return;
            // For one step the node says where the body is.
            body.disablePreStep = false;
            ball.position.set(-2.4 + 0.25 * (i - 1), 0.9, -3);
            body.setLinearVelocity(new Vector3(0, 3.1, 6.5));
            body.setAngularVelocity(Vector3.Zero());
        });
        last = time;
        step(time);
        for (const { body } of balls) body.disablePreStep = true;
    }
    const parts: [BABYLON.Mesh, BABYLONCLOTH.ClothBehavior, BABYLON.Mesh[]][] = [
        [sheet, catcher, balls.map(({ mesh }) => mesh)],
        [hammock, net, boxes],
        [strip, ribbon, []],
    ];
    for (const [mesh, cloth, bodies] of parts) {
        mesh.addBehavior(cloth);
        for (const body of bodies) cloth.addCollider(body);
        cloth.addCollider(floor);
    }
    return {
        cloths: [catcher, net, ribbon],
        sheets: [sheet, hammock, strip],
        balls: balls.map(({ mesh }) => mesh),
        boxes,
        lamp,
        floor,
        update,
    };
}

/** Has a ground hang through: it is as much longer than what it is stretched between. @param share of the depth [m], at -1 to 1 along x and z */
function sag(ground: BABYLON.Mesh, depth: number, share: (u: number, v: number) => number) {
    const positions = Float32Array.from(ground.getVerticesData("position")!);
    const { x, z } = ground.getBoundingInfo().boundingBox.extendSize;
    for (let o = 0; o < positions.length; o += 3) positions[o + 1] = -depth * share(positions[o] / x, positions[o + 2] / z);
    ground.setVerticesData("position", positions);
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const { MeshBuilder } = BABYLON;
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.4, 0, -3.4],
                [3, 2.5, 0.9],
            ],
        ],
        alpha: -1.9,
        beta: 1.2,
        extent: 9,
        sun: [0.5, -1, 0.6],
    });
    applyTiles(scene, world.floor);
    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const posts = [
        [-3.36, 0.6],
        [-1.44, 0.6],
        [-0.86, 0],
        [1.46, 0],
        [2, 0],
        [2.7, 0],
    ].map(([x, z], i) => {
        const height = i < 2 ? 2.2 : i < 4 ? 1.12 : 2.34;
        const post = MeshBuilder.CreateBox("post", { width: 0.08, height, depth: i === 2 || i === 3 ? 1.05 : 0.08 }, scene);
        post.position.set(x, height / 2, z);
        post.material = wood;
        return post;
    });
    const beam = MeshBuilder.CreateBox("beam", { width: 0.78, height: 0.08, depth: 0.08 }, scene);
    beam.position.set(2.35, 2.34, 0);
    beam.material = wood;

    const [sheet, hammock, strip] = world.sheets;
    const squares = (a: string, b: string, count: number) =>
        paint(scene, 256, 256, (u, v) => rgb((Math.floor(u * count) + Math.floor(v * count)) % 2 ? a : b));
    sheet.material = fabric(scene, squares("#e8e2d2", "#d9cfb8", 12), [48, 44], 0.3);
    hammock.material = fabric(
        scene,
        paint(scene, 256, 8, (u) => rgb(Math.floor(u * 14) % 2 ? "#2c6e7f" : "#efe6d2")),
        [60, 28],
        0.25,
    );
    strip.material = fabric(scene, squares("#35507a", "#35507a", 1), [10, 40], 0.1);
    ["#d8432f", "#2f6fb0", "#efb22e"].forEach((color, i) => {
        world.balls[i].material = solid(scene, color, 0.35, 0);
        world.boxes[i].material = solid(scene, color, 0.6, 0);
    });
    world.lamp.material = solid(scene, "#d9b25a", 0.3, 0.6);
    shade(shadows, [...world.sheets, ...world.balls, ...world.boxes, world.lamp, ...posts, beam]);
}
