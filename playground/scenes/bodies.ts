import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { solid } from "../parts/fabric";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Rigid bodies",
    text: "Crates on a board that tilts: each slides where its friction gives way. A lamp on a wire, a sign on its hinge, a cloth on a crate, a stack of ten, and a parcel in a hammock. RigidBodyBehavior, RailHold.",
    place: 19,
    group: "Contact",
};

type World = ReturnType<typeof create>;

const MOST_TILT = 0.62;

/** A board with crates that tilts to and fro, a sign that hangs on a beam, and a crate that a cloth falls on. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const board = BABYLON.MeshBuilder.CreateBox("board", { width: 2.4, height: 0.08, depth: 1.1 }, scene);
    board.position.set(-1.1, 0.95, 0);
    const stops = [-1.16, 1.16].map((x) => {
        const stop = BABYLON.MeshBuilder.CreateBox("stop", { width: 0.08, height: 0.2, depth: 1.1 }, scene);
        stop.position.set(x, 0.14, 0);
        stop.parent = board;
        return stop;
    });
    const crates = [0.15, 0.3, 0.5].map((friction, i) => {
        const crate = BABYLON.MeshBuilder.CreateBox("crate", { width: 0.3, height: 0.2, depth: 0.22 }, scene);
        crate.position.set(-1.1, 1.1, 0.34 * (i - 1));
        crate.addBehavior(new BABYLONCLOTH.RigidBodyBehavior({ friction, colliders: [board, ...stops, floor] }));
        return crate;
    });

    const beam = BABYLON.MeshBuilder.CreateBox("beam", { width: 0.9, height: 0.06, depth: 0.06 }, scene);
    beam.position.set(0.75, 1.75, 0);
    const post = BABYLON.MeshBuilder.CreateBox("post", { width: 0.06, height: 1.78, depth: 0.06 }, scene);
    post.position.set(0.33, 0.89, 0);
    const sign = BABYLON.MeshBuilder.CreateBox("sign", { width: 0.55, height: 0.4, depth: 0.03 }, scene);
    sign.position.set(0.82, 1.5, 0);
    const hinge = new BABYLONCLOTH.RigidBodyBehavior({ pins: [{ select: ({ y }) => y > 0.19, target: beam }], damping: 0.05 });
    sign.addBehavior(hinge);
    hinge.applyImpulse(new BABYLON.Vector3(0.82, 1.3, 0), new BABYLON.Vector3(0, 0, 4));

    const chest = BABYLON.MeshBuilder.CreateBox("chest", { width: 0.6, height: 0.55, depth: 0.5 }, scene);
    chest.position.set(1.75, 0.75, 0);
    chest.rotation.set(0.3, 0.5, 0.2);
    chest.addBehavior(new BABYLONCLOTH.RigidBodyBehavior({ colliders: [floor] }));
    const sheet = BABYLON.MeshBuilder.CreateGround("sheet", { width: 1.6, height: 1.6, subdivisions: 40 }, scene);
    sheet.position.set(1.75, 1.3, 0);
    const cloth = new BABYLONCLOTH.ClothBehavior({ fabric: BABYLONCLOTH.Fabrics.linen, colliders: [chest, floor] });
    sheet.addBehavior(cloth);

    // It hangs by its tip, which slides.
    const path = Array.from(
        { length: 17 },
        (_, i) => new BABYLON.Vector3(-2.4 + (i / 16) * 2.73, 1.6 + 0.2 * (i / 8 - 1) ** 2, 0.75),
    );
    const wire = BABYLON.MeshBuilder.CreateTube("wire", { path, radius: 0.008, cap: BABYLON.Mesh.CAP_ALL }, scene);
    const poles = [path[0], path[16]].map(({ x, y, z }) => {
        const pole = BABYLON.MeshBuilder.CreateBox("pole", { width: 0.06, height: y, depth: 0.06 }, scene);
        pole.position.set(x, y / 2, z);
        return pole;
    });
    const lamp = BABYLON.MeshBuilder.CreateCylinder("lamp", { height: 0.24, diameterTop: 0, diameterBottom: 0.2 }, scene);
    lamp.position.copyFrom(path[3]).addInPlaceFromFloats(0, -0.12, 0);
    const slider = new BABYLONCLOTH.RigidBodyBehavior({ mass: 0.5 });
    slider.pin(({ y }) => y > 0.119, wire, new BABYLONCLOTH.RailHold(path, { friction: 0.01 }));
    lamp.addBehavior(slider);

    const tower = Array.from({ length: 10 }, (_, i) => {
        const brick = BABYLON.MeshBuilder.CreateBox("brick", { width: 0.3, height: 0.12, depth: 0.24 }, scene);
        brick.position.set(2.6, 0.0615 + 0.1225 * i, 0.5);
        brick.addBehavior(new BABYLONCLOTH.RigidBodyBehavior({ colliders: [floor] }));
        return brick;
    });
    const parcel = BABYLON.MeshBuilder.CreateBox("parcel", { width: 0.3, height: 0.2, depth: 0.2 }, scene);
    parcel.position.set(3.6, 1.2, 0);
    parcel.addBehavior(new BABYLONCLOTH.RigidBodyBehavior({ mass: 2, colliders: [floor] }));
    const hammock = BABYLON.MeshBuilder.CreateGround("hammock", { width: 1.1, height: 0.8, subdivisions: 24 }, scene);
    hammock.position.set(3.6, 0.9, 0);
    const slung = new BABYLONCLOTH.ClothBehavior({
        fabric: BABYLONCLOTH.Fabrics.canvas,
        pins: [{ select: BABYLONCLOTH.select.corners() }],
        colliders: [parcel],
    });
    hammock.addBehavior(slung);

    const meshes = [...crates, sign, chest, lamp, ...tower, parcel];
    const bodies = meshes.map((mesh) => mesh.getBehaviorByName("RigidBody") as BABYLONCLOTH.RigidBodyBehavior);

    const starts = meshes.map(({ position, rotation }) => ({
        position: position.clone(),
        rotation: BABYLON.Quaternion.FromEulerVector(rotation),
    }));

    /** Tilts the board: a time [s]. At 0 all is where it began: behaviors move these meshes, and reset them where they are. */
    function update(time: number) {
        if (time === 0) {
            meshes.forEach((mesh, i) => {
                mesh.position.copyFrom(starts[i].position);
                mesh.rotationQuaternion = starts[i].rotation.clone();
            });
        }
        board.rotation.z = MOST_TILT * Math.sin(0.7 * time);
    }

    return {
        cloths: [cloth, slung],
        bodies,
        floor,
        board,
        stops,
        crates,
        beam,
        post,
        sign,
        chest,
        sheet,
        poles,
        wire,
        lamp,
        tower,
        parcel,
        hammock,
        update,
    };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-2.45, 0, -1],
                [4.25, 1.95, 1],
            ],
        ],
        alpha: -1.7,
        beta: 1.25,
        extent: 6,
    });
    applyTiles(scene, world.floor);
    const wood = solid(scene, "#7a4f30", 0.7, 0);
    for (const mesh of [world.board, ...world.stops, world.beam, world.post, ...world.poles]) mesh.material = wood;
    ["#b3472f", "#d8a13c", "#3f7f8c"].forEach((hex, i) => (world.crates[i].material = solid(scene, hex, 0.6, 0)));
    world.sign.material = solid(scene, "#e8dcc0", 0.5, 0);
    for (const mesh of [world.wire, world.lamp]) mesh.material = solid(scene, "#4a4f55", 0.4, 0.8);
    world.chest.material = solid(scene, "#5a6b3a", 0.7, 0);
    world.tower.forEach((brick, i) => (brick.material = solid(scene, i % 2 ? "#b3472f" : "#c9a27a", 0.8, 0)));
    world.parcel.material = solid(scene, "#a98253", 0.9, 0);
    world.hammock.material = BABYLONCLOTH.FabricMaterials.create("canvas", scene);
    world.sheet.material = BABYLONCLOTH.FabricMaterials.create("linen", scene);
    const { board, stops, crates, beam, post, sign, chest, sheet, poles, wire, lamp, tower, parcel, hammock } = world;
    shade(shadows, [board, ...stops, ...crates, beam, post, sign, chest, sheet, ...poles, wire, lamp, ...tower, parcel, hammock]);
}
