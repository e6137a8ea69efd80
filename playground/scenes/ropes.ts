import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { solid } from "../parts/fabric";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Ropes",
    text: "A winch lifts its load on a chain and lets it down, a rope slips round a post by its friction, a third swings between two poles in a fresh breeze, a sheet hangs on two with a weight on a spring below it, one falls in a heap, and one is twisted by a handle. ClothBuilder.CreateRope, CreateChain, Spring, Forces.",
    place: 17,
    group: "Ropes and plants",
};

type World = ReturnType<typeof create>;

/** A winch with a load, a rope over a post, and one between two poles of which one sways. */
export function create(scene: BABYLON.Scene) {
    const { CreateChain, CreateRope } = BABYLONCLOTH.ClothBuilder;
    const beam = BABYLON.MeshBuilder.CreateBox("beam", { width: 1.6, height: 0.16, depth: 0.16 }, scene);
    beam.position.set(-2.4, 3.4, 0);
    const drum = BABYLON.MeshBuilder.CreateCylinder("drum", { height: 0.3, diameter: 0.22 }, scene);
    drum.position.set(-2.4, 3.25, 0);
    drum.rotation.x = Math.PI / 2;
    const winch = CreateChain("winch", { start: drum, length: 1.6, radius: 0.03, endMass: 20, damping: 0.2 }, scene);
    const crate = BABYLON.MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);

    const post = BABYLON.MeshBuilder.CreateCapsule(
        "post",
        { height: 1.6, radius: 0.2, orientation: BABYLON.Vector3.Forward() },
        scene,
    );
    post.position.set(0, 2.4, 0);
    const radius = 0.02;
    const path = arch(2.4, 0.2 + radius, 3);
    const line = BABYLON.MeshBuilder.CreateTube("line", { path, radius, tessellation: 10, cap: BABYLON.Mesh.CAP_ALL }, scene);
    const over = new BABYLONCLOTH.RopeBehavior({
        radius,
        startMass: 1,
        endMass: 1.6,
        friction: 0.2,
        substepCount: 8,
        damping: 0.3,
    });
    over.addCollider(post);
    line.addBehavior(over);
    const weights = [0.22, 0.26].map((diameter) => BABYLON.MeshBuilder.CreateSphere("weight", { diameter }, scene));

    const poles = [1.6, 3.6].map((x) => {
        const pole = BABYLON.MeshBuilder.CreateCylinder("pole", { height: 3, diameter: 0.1 }, scene);
        pole.setPivotPoint(new BABYLON.Vector3(0, -1.5, 0));
        pole.position.set(x, 1.5, 0);
        return pole;
    });
    const tops = poles.map((pole) => {
        const top = new BABYLON.TransformNode("top", scene);
        top.parent = pole;
        top.position.y = 1.45;
        return top;
    });
    const slack = CreateRope(
        "slack",
        { start: tops[0], end: tops[1], length: 2.9, radius: 0.02, bendStiffness: 1e-3, wind: "freshBreeze" },
        scene,
    );
    const bodies = [winch.rope, over, slack.rope];
    const flag = BABYLONCLOTH.ClothBuilder.CreateFlag(
        "flag",
        { pole: poles[1], width: 1.5, height: 1.2, fabric: "nylon", wind: "freshBreeze" },
        scene,
    );

    const boom = BABYLON.MeshBuilder.CreateBox("boom", { width: 1.3, height: 0.1, depth: 0.1 }, scene);
    boom.position.set(-4.4, 3.4, 0);
    const hung = BABYLON.MeshBuilder.CreateGround("sheet", { width: 0.9, height: 0.9, subdivisions: 20 }, scene);
    hung.position.set(-4.4, 2.1, 0);
    hung.rotation.x = -Math.PI / 2;
    const sheet = new BABYLONCLOTH.ClothBehavior({ fabric: BABYLONCLOTH.Fabrics.cotton });
    hung.addBehavior(sheet);
    const lines = [0, 20].map((vertex) => {
        const at = new BABYLON.TransformNode("hook", scene);
        at.position.set(vertex === 0 ? -4.9 : -3.9, 3.35, 0);
        return CreateRope("cord", { start: at, end: { cloth: sheet, vertex }, radius: 0.008, linearDensity: 0.03 }, scene);
    });

    // A weight bobs on a spring below its middle.
    const lowest = 20 * 21 + 10;
    const [eye, weight] = [1.15, 1.05].map((y) => new BABYLON.Vector3(-4.4, y, 0));
    const bob = CreateRope("bob", { from: eye, to: weight, radius: 0.006, endMass: 0.4, damping: 0.05 }, scene);
    const ball = BABYLON.MeshBuilder.CreateSphere("ball", { diameter: 0.16 }, scene);
    const ends = [sheet, bob.rope].map((body, k) => ({ body, vertex: k === 0 ? lowest : 0 }));
    new BABYLONCLOTH.Spring(ends[0], ends[1], { stiffness: 30, damping: 0.02, length: 0.3 });
    // A magnet draws it to and fro.
    const draw = new BABYLON.Vector3();
    const iron = bob.getTotalVertices() - 1;
    new BABYLONCLOTH.Forces(bob.rope, (forces) => {
        draw.x = 0.2 * Math.sin(3 * BABYLONCLOTH.ClothTime.get(scene));
        forces.add(iron, draw);
    });
    const from = sheet.particleOfVertex(lowest);
    const spiral = spring(eye, eye.add(BABYLON.Vector3.Up()));
    const coiled = BABYLON.MeshBuilder.CreateTube("spring", { path: spiral, radius: 0.006, updatable: true }, scene);

    const poured = BABYLON.MeshBuilder.CreateTube(
        "poured",
        { path: coil(0.1, 2.6, 0.9), radius: 0.025, tessellation: 10, cap: BABYLON.Mesh.CAP_ALL },
        scene,
    );
    const heap = new BABYLONCLOTH.RopeBehavior({ radius: 0.025, linearDensity: 0.3, bendStiffness: 2e-3, selfCollision: true });
    heap.addCollider(BABYLON.Plane.FromPositionAndNormal(BABYLON.Vector3.Zero(), BABYLON.Vector3.Up()));
    poured.addBehavior(heap);

    const points = new Float32Array(3 * 512);
    const places = new Float32Array(3 * 441);
    const [top, bottom] = [new BABYLON.Vector3(), new BABYLON.Vector3()];
    const place = (node: BABYLON.Mesh, rope: BABYLONCLOTH.RopeBehavior, index: number, below: number) => {
        rope.getParticlePositions(points);
        node.position.set(points[3 * index], points[3 * index + 1] - below, points[3 * index + 2]);
    };

    /** Turns the winch, sways a pole, and hangs the loads at the ropes' ends: a time [s]. */
    function update(time: number) {
        const length = 1.6 + 0.7 * (1 - Math.cos(0.8 * time)) * 0.5;
        winch.rope.length = length;
        drum.rotation.y = length / 0.11;
        poles[1].rotation.x = 0.12 * Math.sin(1.7 * time);
        key.rotation.x = 45 * (1 - Math.cos(0.4 * time));
        place(crate, winch.rope, winch.rope.particleCount - 1, 0.2);
        place(ball, bob.rope, bob.rope.particleCount - 1, 0.08);
        BABYLON.Vector3.FromArrayToRef(points, 0, bottom);
        sheet.getParticlePositions(places);
        BABYLON.Vector3.FromArrayToRef(places, 3 * from, top);
        BABYLON.MeshBuilder.CreateTube("spring", { path: spring(top, bottom, spiral), instance: coiled });
        place(weights[0], over, 0, 0.1);
        place(weights[1], over, over.particleCount - 1, 0.12);
    }

    // Square, so that its turns are seen; it hangs through a little.
    const [chuck, key] = [-0.95, 0.95].map((x) => {
        const handle = BABYLON.MeshBuilder.CreateBox("handle", { width: 0.08, height: 0.24, depth: 0.08 }, scene);
        handle.position.set(x + 2.9, 0.9, -0.5);
        return handle;
    });
    const twisted = CreateRope(
        "twisted",
        {
            start: chuck,
            end: key,
            length: 1.98,
            radius: 0.018,
            tessellation: 4,
            bendStiffness: 0.01,
            twistStiffness: 0.01,
            damping: 1,
        },
        scene,
    );
    bodies.push(twisted.rope, heap, bob.rope, ...lines.map(({ rope }) => rope));
    return {
        cloths: [flag.cloth, sheet],
        bodies,
        meshes: [line, slack, poured, twisted, bob, ...lines],
        winch,
        hung,
        boom,
        flag,
        beam,
        drum,
        crate,
        post,
        weights: [...weights, ball],
        coiled,
        poles,
        handles: [chuck, key],
        update,
    };
}

/** Points over a round post and down on both sides. */
function arch(height: number, radius: number, length: number) {
    return Array.from({ length: 65 }, (_, i) => {
        const along = (i / 64 - 0.5) * length;
        const down = Math.max(0, Math.abs(along) - (Math.PI / 2) * radius);
        const turn = (along - Math.sign(along) * down) / radius;
        return new BABYLON.Vector3(radius * Math.sin(turn), height + radius * Math.cos(turn) - down, 0);
    });
}

/** Points of a coil that stands upright: seven turns. */
function coil(radius: number, height: number, x: number) {
    return Array.from({ length: 161 }, (_, i) => {
        const turn = (7 * 2 * Math.PI * i) / 160;
        return new BABYLON.Vector3(x + radius * Math.cos(turn), 0.05 + (height * i) / 160, -0.35 + radius * Math.sin(turn));
    });
}

/** Points of a spring of twelve turns from one place down to another. */
function spring(from: BABYLON.Vector3, to: BABYLON.Vector3, path = Array.from({ length: 145 }, () => new BABYLON.Vector3())) {
    path.forEach((point, i) => {
        const turn = (12 * 2 * Math.PI * i) / 144;
        BABYLON.Vector3.LerpToRef(from, to, i / 144, point);
        point.addInPlaceFromFloats(0.05 * Math.cos(turn), 0, 0.05 * Math.sin(turn));
    });
    return path;
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-5.35, 0, -0.6],
                [5.3, 3.5, 1.2],
            ],
        ],
        alpha: -1.6,
        beta: 1.45,
        extent: 10,
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    const wood = solid(scene, "#7a4f30", 0.7, 0);
    const iron = solid(scene, "#4a4f55", 0.4, 0.8);
    for (const mesh of [...world.handles, world.beam, world.boom, world.crate, ...world.poles]) mesh.material = wood;
    for (const mesh of [world.winch, world.drum, world.post, world.coiled, ...world.weights]) mesh.material = iron;
    world.flag.material = BABYLONCLOTH.FabricMaterials.create("nylon", scene);
    world.hung.material = BABYLONCLOTH.FabricMaterials.create("cotton", scene);
    for (const mesh of world.meshes) mesh.material = solid(scene, "#b8945a", 0.9, 0);
    shade(shadows, [
        ...world.meshes,
        ...world.handles,
        world.winch,
        world.hung,
        world.boom,
        world.flag,
        world.beam,
        world.drum,
        world.crate,
        world.post,
        ...world.weights,
        world.coiled,
        ...world.poles,
    ]);
}
