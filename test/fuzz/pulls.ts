/** Bodies that hang by several ropes and sheets, or by levers, at random: those of a physics engine and ours. Seeded. */
import "../parts";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, MaxDistanceHold, PlaneHold, RailHold, RopeBehavior, SoftHold, RigidBodyBehavior } from "../../src/index";
import type { PinHold } from "../../src/index";
import { enableHavok, makeBody } from "../physics/havokBodies";
import { G, gainOf, of, ofBox } from "../physics/pulls";
import type { Measure } from "../physics/pulls";
import { seededRandom } from "../random";
import { pick } from "./lifeEvents";
import { makeStage } from "./lifeStage";
import { Dice } from "./randomMeshes";

/** How a body that is pulled fared. */
export interface PullRun {
    readonly name: string;
    /** Energy from nothing, as a height to which all of the mass is lifted [m]; NaN: no number any more. */
    readonly gain: number;
}

/** Frames [ms]; null: at random. */
const RHYTHMS = [1000 / 144, 16.67, 1000 / 60, 25, 1000 / 30, null];

/** A direction, any as likely as any other. */
function direction(dice: Dice): Vector3 {
    const y = dice.range(-1, 1);
    const angle = dice.range(0, 2 * Math.PI);
    const across = Math.sqrt(1 - y * y);
    return new Vector3(across * Math.cos(angle), y, across * Math.sin(angle));
}

/** A rope from a place on the box to a hook, or to nothing. */
function tieRope(dice: Dice, scene: Scene, box: Mesh, from: Vector3): [RopeBehavior, string] {
    const way = direction(dice).scale(dice.size(0.2, 2));
    const end = dice.chance(0.8) ? new TransformNode("hook", scene) : null;
    end?.position.copyFrom(from.add(way));
    const links = dice.integer(4, 16);
    const path = Array.from({ length: links + 1 }, (_, i) => from.add(way.scale(i / links)));
    const tube = MeshBuilder.CreateTube("rope", { path, radius: dice.size(0.005, 0.03), tessellation: 6 }, scene);
    const rope = new RopeBehavior({ start: box, end });
    tube.addBehavior(rope);
    return [rope, "rope"];
}

/** How a sheet's edge may hold on to a box of which it slides on a rail or a plane, or by which it is drawn; and its name. */
function pickHold(dice: Dice, from: Vector3, across: Vector3): [PinHold, string] {
    const firmness = {
        stiffness: dice.chance(0.7) ? Infinity : dice.size(1, 1e4),
        slips: dice.chance(0.5),
        maxForce: dice.chance(0.8) ? Infinity : dice.size(1, 100),
    };
    const friction = dice.chance(0.5) ? 0 : dice.range(0, 1);
    // The edge lies on them to begin with.
    const bend = across.add(direction(dice).scale(dice.range(0, 0.5)));
    const points = [across.scale(-1), across, bend].map((point) => point.add(from));
    const normal = Vector3.Cross(across, direction(dice));
    return pick(dice, [
        [new RailHold(dice.chance(0.5) ? points : points.slice(0, 2), { friction, ...firmness }), "rail"],
        [new PlaneHold(normal, { point: from, friction, ...firmness }), "plane"],
        [new SoftHold(firmness), "spring"],
        [new MaxDistanceHold(dice.range(0, 0.3)), "leash"],
    ]);
}

/** A sheet beside that place, pinned to the box by its near edge, which may slide; the far one is held, or not. */
function tieSheet(dice: Dice, scene: Scene, box: Mesh, from: Vector3, slides: boolean): [ClothBehavior, string] {
    const size = dice.range(0.5, 2);
    const ground = MeshBuilder.CreateGround("sheet", { width: size, height: size, subdivisions: dice.integer(4, 10) }, scene);
    ground.rotation.y = dice.range(0, 2 * Math.PI);
    ground.position.copyFrom(from.add(new Vector3(Math.cos(ground.rotation.y), 0, -Math.sin(ground.rotation.y)).scale(size / 2)));
    const sheet = new ClothBehavior({ fabric: { arealDensity: dice.size(0.05, 0.5) } });
    const angle = ground.rotation.y;
    const across = new Vector3(Math.sin(angle), 0, Math.cos(angle)).scale(size / 2);
    const [hold, name] = slides ? pickHold(dice, from, across) : [null, "sheet"];
    sheet.pin((p) => p.x < -0.49 * size, box, hold);
    if (dice.chance(0.7)) sheet.pin((p) => p.x > 0.49 * size, new TransformNode("wall", scene));
    ground.addBehavior(sheet);
    return [sheet, name];
}

/**
 * A body of 0.05 to 3 kg that two or three ropes or sheets hold, or one by a lever of more than a metre.
 * @param slides whether it is 0.1 to 100 kg, and sheets hold it by what slides or gives
 */
export function pullAtRandom(seed: number, seconds = 2.5, slides = false): PullRun {
    const dice = new Dice(seededRandom(seed));
    const { engine, scene } = makeStage();
    try {
        const rhythm = pick(dice, RHYTHMS);
        const isEngines = dice.chance(0.5);
        const gravity = new Vector3(0, -G, 0);
        if (isEngines) enableHavok(scene, gravity);
        else scene.gravity = gravity;
        const mass = slides ? dice.size(0.1, 100) : dice.size(0.05, 3);
        const [width, height, depth] = [0, 1, 2].map(() => dice.size(0.1, 0.6));
        const box = MeshBuilder.CreateBox("box", { width, height, depth }, scene);
        const measures: Measure[] = [];
        if (isEngines) {
            makeBody(box, PhysicsShapeType.BOX, mass);
            measures.push(ofBox(box));
        } else {
            const body = new RigidBodyBehavior({ mass });
            box.addBehavior(body);
            measures.push(of(body));
        }
        const count = dice.integer(1, 3);
        const names: string[] = [];
        for (let i = 0; i < count; i++) {
            const lever = count === 1 ? dice.range(1, 3) : dice.chance(0.2) ? dice.range(1, 2) : dice.range(0, 0.5);
            const from = direction(dice).scale(lever);
            const isRope = dice.chance(slides ? 0.2 : 0.6);
            const [tie, name] = (isRope ? tieRope : tieSheet)(dice, scene, box, from, slides);
            measures.push(of(tie));
            names.push(`${name} at ${lever.toFixed(2)} m`);
        }
        const frame = (): void => {
            const milliseconds = rhythm ?? dice.range(4, 40);
            engine.getDeltaTime = () => milliseconds;
            scene.render();
        };
        const gain = gainOf(measures, frame, Math.ceil((1000 * seconds) / (rhythm ?? 22)));
        const body = `${isEngines ? "engine's" : "rigid"} body of ${mass.toPrecision(2)} kg`;
        return { name: `${seed}: ${body}, ${names.join(", ")}, frames of ${rhythm?.toFixed(2) ?? "any"} ms`, gain };
    } finally {
        scene.disablePhysicsEngine?.();
        engine.dispose();
    }
}
