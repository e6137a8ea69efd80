// What came into the engine of a running scene, recorded and replayed elsewhere: equal to the bit.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { ClothBehavior, ClothPicker, ClothRecorder, Fabrics, SoftHold, Wind, select } from "babylon-cloth";
import type { ClothGrip, InputRecordingData } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { seededRandom } from "../../random";
import { loadRecording } from "../../replay";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

/** A sheet on a carrier over a ball, both moving, and a second sheet that it collides with. */
function makeStage() {
    const world = makeWorld();
    const { scene } = world;
    const carrier = new TransformNode("carrier", scene);
    carrier.position.set(0.3, 1, 0.2);
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
    ball.position.set(0, 0.5, 0);
    const mesh = makeSquare(scene, 10, "sheet");
    mesh.position.y = 1;
    const cloth = new ClothBehavior({
        pins: [{ select: select.corners("-x-z", "+x-z"), target: carrier }],
        colliders: [ball],
        wind: new Wind({ velocity: new Vector3(2, 0, 1), turbulence: 0.3 }),
        selfCollision: "particles",
    });
    mesh.addBehavior(cloth);
    const below = makeSquare(scene, 8, "below");
    below.position.set(0.1, 0.85, 0);
    const other = new ClothBehavior({ colliders: [ball], selfCollision: "particles", substepCount: 4 });
    below.addBehavior(other);
    return { ...world, carrier, ball, cloth, mesh, other, below };
}

const record = ({ scene }: World) => ClothRecorder.record(scene, () => SceneSerializer.Serialize(scene));

/** Replays all of a recording from its JSON. @returns number of frames and the first that differs */
async function replayAll(data: InputRecordingData) {
    const { replay, dispose } = await loadRecording(JSON.stringify(data));
    while (await replay.step()) continue;
    const positions = replay.bodies.map((body) => body.getParticlePositions());
    const { frame, firstDifference } = replay;
    dispose();
    return { frame, firstDifference, positions };
}

test("odd frames, moving nodes, options, calls and lists are replayed to the bit", async () => {
    const stage = makeStage();
    const { frame, carrier, ball, cloth, mesh, other, scene } = stage;
    const picker = new ClothPicker(scene, { radius: 2 });
    await Promise.all([cloth.whenReady(), other.whenReady()]);
    frame(FRAME, 20);
    const recording = record(stage);
    const random = seededRandom(5);
    let grip: ClothGrip | null = null;
    let pin = cloth.pins[0];
    for (let i = 0; i < 150; i++) {
        carrier.position.x = 0.3 + 0.2 * Math.sin(i / 9);
        carrier.rotation.y = i / 40;
        ball.position.z = 0.3 * Math.sin(i / 13);
        if (i === 30) cloth.fabric = Fabrics.silk;
        if (i === 40) cloth.applyImpulse(new Vector3(0, 0.8, 0), new Vector3(0.02, 0, 0), 0.3);
        if (i === 50) grip = picker.grab(cloth, mesh.getAbsolutePosition());
        if (i > 50 && i < 70) grip!.moveTo(new Vector3(0.01 * i, 1, 0.3));
        if (i === 70) grip!.release();
        if (i === 80) cloth.wind!.velocity = new Vector3(-3, 0, 0);
        if (i === 90) pin = other.pin(select.corners("+x+z"), carrier, new SoftHold({ stiffness: 50 }));
        if (i === 100) other.unpin(pin);
        if (i === 105) cloth.removeCollider(cloth.colliders[0]);
        if (i === 110) cloth.addCollider(ball, { friction: 0.1 });
        if (i === 115) scene.gravity = new Vector3(0, -4, 1);
        if (i === 120) other.reset();
        if (i === 125) other.enabled = false;
        if (i === 130) other.enabled = true;
        if (i === 135) cloth.step(0.02);
        frame(FRAME * (0.2 + 2 * random()));
    }
    const data = recording.stop();
    expect(data.endedBy).toBeNull();
    expect(recording.frameCount).toBe(150);
    const positions = [cloth, other].map((body) => body.getParticlePositions());
    const replayed = await replayAll(data);
    expect(replayed.firstDifference).toBeNull();
    expect(replayed.frame).toBe(150);
    expect(replayed.positions).toEqual(positions);
    // What stops recording leaves no trace.
    expect(Object.hasOwn(cloth, "pin")).toBe(false);
});

test("what is not replayed as it was is told", async () => {
    const stage = makeStage();
    await Promise.all([stage.cloth.whenReady(), stage.other.whenReady()]);
    const recording = record(stage);
    stage.frame(FRAME, 20);
    const data = recording.stop();
    const inputs = data.inputs.map((input) => (input.frame ? { frame: { ...input.frame, seconds: 0.02 } } : input));
    expect((await replayAll({ ...data, inputs })).firstDifference).toBeLessThan(8);
});

test("pins on bones of a skeleton go along", async () => {
    const world = makeWorld();
    const { scene, frame } = world;
    const mesh = makeSquare(scene, 6, "cape");
    const wearer = makeSquare(scene, 1, "wearer");
    wearer.skeleton = new Skeleton("bones", "bones", scene);
    const bone = new Bone("neck", wearer.skeleton, null, Matrix.Identity());
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z"), target: bone }] });
    mesh.addBehavior(cloth);
    frame(FRAME, 5);
    const recording = record(world);
    for (let i = 0; i < 40; i++) {
        bone.rotate(Vector3.Up(), 0.02);
        frame(11);
    }
    const replayed = await replayAll(recording.stop());
    expect(replayed.firstDifference).toBeNull();
    expect(replayed.positions[0]).toEqual(cloth.getParticlePositions());
});

type Stage = ReturnType<typeof makeStage>;

/** What is done between two frames, and what ends the recording by it. */
const CHANGES: [string, (stage: Stage, i: number) => void, (string | null)?][] = [
    ["an option before a call", ({ cloth }, i) => void (i === 5 && ((cloth.gravity = new Vector3(0, 5, 0)), cloth.step(0.02)))],
    [
        "gravity before a call",
        ({ cloth, scene }, i) => void (i === 5 && ((scene.gravity = new Vector3(0, 5, 0)), cloth.step(0.02))),
    ],
    ["maxDistance", ({ cloth }, i) => void (i % 6 === 5 && (cloth.maxDistance = i > 12 ? null : 0.1 + i / 100))],
    [
        "pins as a list",
        ({ cloth, carrier }, i) => void (i === 5 && (cloth.pins = [{ select: select.edge("-x"), target: carrier }])),
    ],
    ["another solver", ({ other }, i) => void (i === 5 && (other.solver = "verlet"))],
    [
        "another parent",
        ({ carrier, ball }, i) => {
            if (i === 5) carrier.setParent(ball);
            ball.position.x += 0.01;
        },
    ],
    [
        "a frozen world matrix",
        ({ carrier }, i) => {
            if (i === 5) carrier.freezeWorldMatrix();
            carrier.position.y += 0.01;
        },
    ],
    ["a pivot", ({ carrier }, i) => void (i === 5 && carrier.setPivotPoint(new Vector3(0.1, 0, 0)), (carrier.rotation.y += 0.02))],
    [
        "names given twice",
        ({ carrier, ball, other }, i) => void (i === 5 && ((ball.name = carrier.name), other.pin([0, 1], carrier))),
    ],
    [
        "an impulse with its default radius",
        ({ cloth }, i) => void (i === 5 && cloth.applyImpulse(Vector3.Zero(), Vector3.Up(), undefined)),
    ],
    [
        "an edited mesh",
        ({ below }, i) =>
            void (
                i === 5 &&
                below.updateVerticesData(
                    "position",
                    below.getVerticesData("position")!.map((x) => 1.1 * x),
                )
            ),
        "a cloth was torn, edited, or attached anew",
    ],
    [
        "attaching anew",
        ({ other, below }, i) => void (i === 5 && (below.removeBehavior(other), below.addBehavior(other))),
        "a cloth was torn, edited, or attached anew",
    ],
    ["a warm start", ({ other }, i) => void (i === 5 && void other.simulate(0.1, 1000)), "a cloth was warmed up by simulate"],
    [
        "another cloth",
        ({ scene }, i) => void (i === 5 && makeSquare(scene, 4, "third").addBehavior(new ClothBehavior())),
        "a cloth was added or removed",
    ],
    [
        "a collider made meanwhile",
        ({ cloth, scene }, i) => void (i === 5 && cloth.addCollider(MeshBuilder.CreateBox("late", { size: 0.3 }, scene))),
        "a collider was made after the scene was written",
    ],
    [
        "a change within a step",
        ({ cloth }, i) =>
            void (i === 5 && cloth.onBeforeStepObservable.addOnce(() => cloth.applyImpulse(Vector3.Zero(), Vector3.Up()))),
        "a cloth was changed within a step",
    ],
];

test.each(CHANGES)("%s: replayed to the bit, or told", async (_, change, endedBy = null) => {
    const stage = makeStage();
    await Promise.all([stage.cloth.whenReady(), stage.other.whenReady()]);
    stage.frame(FRAME, 5);
    const recording = record(stage);
    for (let i = 0; i < 25; i++) {
        change(stage, i);
        stage.frame(FRAME);
    }
    const data = recording.stop();
    expect(data.endedBy).toBe(endedBy);
    const { firstDifference, frame } = await replayAll(data);
    expect(firstDifference).toBeNull();
    expect(frame).toBe(endedBy === null ? 25 : 5);
});

test("hands of one name at a time and after each other; none may hold at the start", async () => {
    const stage = makeStage();
    const { cloth, mesh, scene } = stage;
    await Promise.all([cloth.whenReady(), stage.other.whenReady()]);
    const picker = new ClothPicker(scene, { radius: 0.1 });
    picker.grab(cloth, new Vector3(0, 1, 0));
    stage.frame(FRAME, 5);
    expect(() => record(stage)).toThrow("release it first");
    picker.grips[0].release();
    const recording = record(stage);
    const first = picker.grab(cloth, mesh.getAbsolutePosition())!;
    let second: ClothGrip | null = null;
    for (let i = 0; i < 40; i++) {
        if (i < 20) first.moveTo(new Vector3(0, 1 + 0.01 * i, 0.1));
        if (i === 20) first.release();
        if (i === 10 || i === 25) second = picker.grab(cloth, mesh.getAbsolutePosition());
        if (i === 15 || i === 30) second!.release();
        stage.frame(FRAME);
    }
    const data = recording.stop();
    expect(data.endedBy).toBeNull();
    expect((await replayAll(data)).firstDifference).toBeNull();
});

test("a scene is recorded once at a time", async () => {
    const stage = makeStage();
    const recording = record(stage);
    expect(() => record(stage)).toThrow("the scene is being recorded");
    recording.stop();
    record(stage).stop();
});

test.each([
    ["a scene", () => ClothRecorder.record(null as never, () => null)],
    ["write", () => ClothRecorder.record(makeWorld().scene, null as never)],
    ["no promise", () => ClothRecorder.record(makeWorld().scene, async () => null)],
])("wrong input is refused: %s", (_, act) => {
    expect(act).toThrow(RangeError);
});

test("data of another format are refused", async () => {
    await expect(ClothRecorder.replay({ format: "x" } as never, makeWorld().scene)).rejects.toThrow(RangeError);
});
