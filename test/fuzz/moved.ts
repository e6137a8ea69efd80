/** Cloth as users move it: at any frame rate, through late frames, turns, dashes, vehicles, teleports, scales, copies and disabled things. Seeded. */
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothOrigin, select, Wind } from "../../src/index";
import { seededRandom } from "../random";
import { Dice } from "./randomMeshes";

/** How a cloth fared. */
export interface MovedRun {
    readonly name: string;
    readonly isFinite: boolean;
    /** The farthest drawn distance of a vertex from a pinned one, over that at rest, in any frame. */
    readonly reach: number;
    /** The largest distance of a pinned vertex as drawn from where its carrier has it, in any frame [m]. */
    readonly offPin: number;
    /** The fastest of a particle relative to its carrier, over what its carrier's speed and free fall account for, in any frame [m/s]. */
    readonly excessSpeed: number;
    /** Fastest relative to the carrier in the quietest half second of the last two, after {@link REST_SECONDS} of rest [m/s], in still air: what slides off falls. */
    readonly endSpeed: number;
}

const RATES = [30, 59.94, 60, 72, 90, 120, 144, 240];
/** The slowest swing fades with half the fabric's damping, 0.3 1/s: from 5 m/s to 0.45 in eight seconds. */
const REST_SECONDS = 8;

/** State of the carrier: what the acts below change, frame by frame. */
interface Ride {
    readonly velocity: Vector3;
    readonly spin: Vector3;
    readonly carrier: TransformNode;
    readonly scene: Scene;
    readonly dice: Dice;
    readonly cloth: ClothBehavior;
    readonly mesh: Mesh;
    readonly body: Mesh | null;
    /** True while a jump is no speed. */
    hasJumped: boolean;
}

/** Acts that begin a segment of about a second. */
const ACTS: Readonly<Record<string, (ride: Ride) => void>> = {
    rest: ({ velocity, spin }) => {
        velocity.setAll(0);
        spin.setAll(0);
    },
    walk: ({ velocity, spin, dice }) => {
        velocity.set(dice.range(-3, 3), 0, dice.range(-3, 3));
        spin.set(0, dice.range(-2, 2), 0);
    },
    turn: ({ velocity, spin, dice }) => {
        velocity.setAll(0);
        spin.set(0, dice.range(-10, 10), 0);
    },
    roll: ({ velocity, spin, dice }) => {
        velocity.setAll(0);
        spin.set(dice.range(-1, 1), 0, dice.range(-1, 1));
    },
    drive: ({ velocity, spin, dice }) => {
        velocity.set(dice.range(-30, 30), dice.range(-5, 5), 0);
        spin.setAll(0);
    },
    dash(ride) {
        ride.carrier.position.addInPlaceFromFloats(ride.dice.range(-1, 1), 0, ride.dice.range(-1, 1));
        ride.hasJumped = true;
    },
    tilt(ride) {
        const axis = new Vector3(ride.dice.range(-1, 1), ride.dice.range(-1, 1), 0.1).normalize();
        ride.carrier.rotationQuaternion!.multiplyInPlace(Quaternion.RotationAxis(axis, ride.dice.range(0, 1.5)));
        ride.hasJumped = true;
    },
    teleport(ride) {
        ride.carrier.position.addInPlaceFromFloats(ride.dice.range(-500, 500), 0, ride.dice.range(-500, 500));
        ride.hasJumped = true;
    },
    scale(ride) {
        ride.carrier.scaling.setAll(ride.dice.size(0.3, 3));
        ride.hasJumped = true;
    },
    shift(ride) {
        const offset = new Vector3(ride.dice.range(-1000, 1000), 0, ride.dice.range(-1000, 1000));
        ClothOrigin.shift(ride.scene, offset);
        ride.carrier.position.addInPlace(offset);
        ride.hasJumped = true;
    },
    disableBody(ride) {
        ride.body?.setEnabled(!ride.body.isEnabled(false));
        // Back where cloth is meanwhile, it pushes that out.
        ride.hasJumped = true;
    },
    pause: ({ cloth }) => void (cloth.enabled = !cloth.enabled),
    hide: ({ mesh }) => mesh.setEnabled(!mesh.isEnabled(false)),
    copy: ({ carrier }) => void carrier.clone("copy", null),
};

/** Carries a cape through a random life. */
export async function moveAtRandom(seed: number): Promise<MovedRun> {
    const dice = new Dice(seededRandom(seed));
    const engine = new NullEngine();
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -10), scene);
    let delta = 0;
    engine.getDeltaTime = () => delta;
    const carrier = new TransformNode("carrier", scene);
    carrier.rotationQuaternion = Quaternion.Identity();
    const [width, height] = [dice.size(0.3, 1.5), dice.size(0.4, 1.5)];
    const mesh = MeshBuilder.CreateGround("cape", { width, height, subdivisions: dice.integer(4, 12) }, scene);
    mesh.parent = carrier;
    mesh.rotation.x = -Math.PI / 2;
    const isByTarget = dice.chance(0.5);
    const body = dice.chance(0.5) ? MeshBuilder.CreateCapsule("body", { radius: 0.12, height: 1.4 * height }, scene) : null;
    if (body) {
        body.parent = carrier;
        body.position.set(0, -0.1 * height, 0.2);
    }
    const isWindy = dice.chance(0.2);
    const wind = isWindy ? new Wind({ velocity: new Vector3(dice.range(-5, 5), 0, dice.range(-5, 5)) }) : new Wind();
    const cloth = new ClothBehavior({
        wind: dice.chance(0.3) ? null : wind,
        pins: [{ select: select.edge("+z"), ...(isByTarget ? { target: carrier } : {}) }],
        colliders: body ? [body] : [],
        substepCount: dice.count(2, 8),
        alwaysUpdate: true,
    });
    if (dice.chance(0.4)) {
        cloth.inertia = {
            anchor: dice.chance(0.7) ? carrier : null,
            linear: dice.next(),
            angular: dice.next(),
            air: dice.next(),
            ...(dice.chance(0.3) ? { maxSpeed: dice.size(0.5, 20) } : {}),
        };
    }
    mesh.addBehavior(cloth);
    await cloth.whenReady();
    const rate = RATES[dice.integer(0, RATES.length - 1)];
    const [hasJitter, hasHitches] = [dice.chance(0.4), dice.chance(0.3)];
    const ride: Ride = { velocity: new Vector3(), spin: new Vector3(), carrier, scene, dice, cloth, mesh, body, hasJumped: false };
    const start = Float64Array.from(mesh.getVerticesData("position")!);
    const pinned: number[] = [];
    for (let v = 0; v < start.length / 3; v++) if (start[3 * v + 2] > height / 2 - 1e-4) pinned.push(v);
    const restReach = Math.hypot(width, height);
    const result = { isFinite: true, reach: 0, offPin: 0, excessSpeed: 0, endSpeed: 0 };
    const acts: string[] = [];
    const lastSpeeds = [0, 0, 0, 0];
    let [before, fastest, jumpEnd]: [Float64Array | null, number, number] = [null, 0, 0];
    const names = Object.keys(ACTS);
    let total = dice.range(3, 6) + REST_SECONDS;
    const turn = new Quaternion();
    for (let time = 0, next = 0; time < total;) {
        let seconds = (hasJitter ? dice.range(0.5, 1.8) : 1) / rate;
        const isAtRest = time > total - REST_SECONDS;
        if (hasHitches && !isAtRest && dice.chance(0.01)) {
            seconds = dice.size(0.1, 3);
            total += seconds;
        }
        time += seconds;
        ride.hasJumped = false;
        if (isAtRest) ACTS.rest(ride);
        else if (time > next) {
            next = time + dice.range(0.3, 1.5);
            const act = names[dice.integer(0, names.length - 1)];
            acts.push(act);
            ACTS[act](ride);
            // The first step after a jump brings the cloth to its pins: it ends up to a step later, and is drawn over the step that follows.
            if (ride.hasJumped) jumpEnd = time + 2 / 60;
        }
        if (isAtRest) {
            cloth.enabled = true;
            mesh.setEnabled(true);
        }
        carrier.position.addInPlace(ride.velocity.scale(seconds));
        const angle = ride.spin.length() * seconds;
        if (angle > 0)
            carrier.rotationQuaternion.multiplyInPlace(Quaternion.RotationAxisToRef(ride.spin.normalizeToNew(), angle, turn));
        delta = 1000 * seconds;
        scene.render();
        // Drawn vertices are local to the mesh, and so to what carries it, but for its scale.
        const scale = carrier.scaling.x;
        const drawn = Float64Array.from(mesh.getVerticesData("position")!);
        if (!drawn.every(Number.isFinite)) result.isFinite = false;
        for (const v of pinned)
            result.offPin = Math.max(
                result.offPin,
                scale * Math.hypot(...[0, 1, 2].map((c) => drawn[3 * v + c] - start[3 * v + c])),
            );
        const p = 3 * pinned[0];
        for (let v = 0; v < drawn.length; v += 3)
            result.reach = Math.max(
                result.reach,
                Math.hypot(drawn[v] - drawn[p], drawn[v + 1] - drawn[p + 1], drawn[v + 2] - drawn[p + 2]) / restReach,
            );
        fastest = Math.max(fastest, ride.velocity.length() + ride.spin.length() * height * scale);
        if (before) {
            let way = 0;
            for (let v = 0; v < drawn.length; v += 3)
                way = Math.max(
                    way,
                    scale * Math.hypot(drawn[v] - before[v], drawn[v + 1] - before[v + 1], drawn[v + 2] - before[v + 2]),
                );
            const span = Math.min(Math.max(seconds, 1 / 60), 4 / 60);
            const speed = way / span;
            // Free fall through its height, the carrier's, and the wind's, twice each: a corner whips.
            const expected = 2 * Math.sqrt(2 * 9.81 * height * scale) + 2 * fastest + (isWindy ? 2 * wind.velocity.length() : 0);
            if (time - seconds > jumpEnd) result.excessSpeed = Math.max(result.excessSpeed, speed - expected);
            const quarter = Math.min(3, Math.floor(2 * (time - total + 2)));
            if (quarter >= 0 && cloth.wind && !isWindy) lastSpeeds[quarter] = Math.max(lastSpeeds[quarter], way / seconds);
        }
        before = drawn;
    }
    result.endSpeed = Math.min(...lastSpeeds);
    engine.dispose();
    return {
        name: `moved ${seed}: ${rate} Hz${hasJitter ? ", jitter" : ""}${hasHitches ? ", hitches" : ""}: ${acts.join(" ")}`,
        ...result,
    };
}
