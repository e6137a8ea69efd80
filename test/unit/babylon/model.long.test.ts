import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { ClothBehavior, Colliders, Fabrics, select, Wind } from "../../../src/index";
import type { Collider } from "../../../src/index";
import { expectHolds } from "../../property";
import { disposeWorlds, listen, makeWorld, told } from "./harness";
import type { World } from "./harness";

beforeEach(() => {
    listen("warn");
    listen("error");
});
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** What the user's program would know: which meshes it has, and which one is cloth. */
class Model {
    readonly meshes: Mesh[] = [];
    readonly nodes: TransformNode[] = [];
    readonly balls: Mesh[] = [];
    readonly cloth: ClothBehavior;
    attached: Mesh | null = null;
    /** Colliders of the scene. */
    readonly given: Collider[] = [];
    pinCount = 0;
    colliderCount = 0;

    constructor(readonly world: World) {
        this.cloth = new ClothBehavior({});
        for (let i = 0; i < 2; i++) this.addThings(i);
    }

    addThings(i: number): void {
        const { scene } = this.world;
        this.meshes.push(
            i % 2
                ? MeshBuilder.CreateSphere(`mesh ${i}`, { segments: 4 }, scene)
                : MeshBuilder.CreateGround(`mesh ${i}`, { width: 1, height: 1, subdivisions: 4 }, scene),
        );
        this.nodes.push(new TransformNode(`node ${i}`, scene));
        this.balls.push(MeshBuilder.CreateSphere(`ball ${i}`, { diameter: 0.5, segments: 4 }, scene));
    }

    /** What must hold after every command. */
    check(): void {
        const { cloth } = this;
        if (this.attached?.isDisposed()) this.attached = null;
        expect(cloth.attachedNode?.name).toBe(this.attached?.name);
        expect([cloth.pins.length, cloth.colliders.length]).toEqual([this.pinCount, this.colliderCount]);
        expect(cloth.particleCount > 0).toBe(this.attached !== null);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(this.attached?.getVerticesData("position")!.every(Number.isFinite) ?? true).toBe(true);
        const { maxStretch, kineticEnergy } = cloth.stats;
        expect(Number.isFinite(maxStretch + kineticEnergy)).toBe(true);
        expect(told("error")).toEqual([]);
    }
}

type Command = (model: Model) => void;

const small = fc.double({ min: -2, max: 2, noNaN: true });
const vector = fc.tuple(small, small, small).map(([x, y, z]) => new Vector3(x, y, z));
const index = fc.nat(20);
const bits = fc.constantFrom(-1, 0, 1, 2, 0xffffffff);

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length];

/** What is disposed takes its pins and colliders along at the next step; the model then takes the cloth's word for it. */
const settle = (model: Model): void => {
    model.pinCount = model.cloth.pins.length;
    model.colliderCount = model.cloth.colliders.length;
};

const selections = fc.oneof(
    fc.array(fc.nat(20), { maxLength: 5 }),
    fc.constantFrom(select.edge("-x"), select.edge("+y"), select.corners(), select.all(), select.near(Vector3.Zero(), 0.3)),
    fc.integer({ min: 2, max: 6 }).map((n) => (_: Vector3, i: number) => i % n === 0),
);

const commands: fc.Arbitrary<[string, Command]> = fc.oneof(
    {
        weight: 6,
        arbitrary: fc.tuple(fc.constantFrom(0, 1, 8, 1000 / 60, 33, 400, NaN), fc.nat(4)).map(([ms, n]): [string, Command] => [
            `frame ${ms} × ${n + 1}`,
            (model) => {
                model.world.frame(ms, n + 1);
                settle(model);
            },
        ]),
    },
    {
        weight: 2,
        arbitrary: fc.constantFrom(0, 1 / 60, 0.1, -1, NaN, 1e9).map((seconds): [string, Command] => [
            `step ${seconds}`,
            (model) => {
                model.cloth.step(seconds);
                settle(model);
            },
        ]),
    },
    {
        weight: 3,
        arbitrary: index.map((i): [string, Command] => [
            `attach to ${i}`,
            (model) => {
                const mesh = pick(model.meshes, i);
                if (model.attached || mesh.isDisposed()) {
                    if (mesh !== model.attached) expect(() => mesh.addBehavior(model.cloth)).toThrow(/ClothBehavior: /);
                    return;
                }
                mesh.addBehavior(model.cloth);
                model.attached = mesh;
            },
        ]),
    },
    {
        weight: 1,
        arbitrary: fc.constant<[string, Command]>([
            "detach",
            (model) => {
                model.attached?.removeBehavior(model.cloth);
                model.attached = null;
            },
        ]),
    },
    {
        weight: 3,
        arbitrary: fc.tuple(selections, index, fc.boolean()).map(([selection, i, isCarried]): [string, Command] => [
            `pin to ${isCarried ? i : "the mesh"}`,
            (model) => {
                const node = pick(model.nodes, i);
                if (isCarried && node.isDisposed()) {
                    expect(() => model.cloth.pin(selection, node)).toThrow(/not disposed/);
                    return;
                }
                model.cloth.pin(selection, isCarried ? node : null);
                model.pinCount++;
            },
        ]),
    },
    {
        weight: 2,
        arbitrary: index.map((i): [string, Command] => [
            `unpin ${i}`,
            (model) => {
                if (model.pinCount === 0) return;
                model.cloth.unpin(pick(model.cloth.pins, i));
                model.pinCount--;
            },
        ]),
    },
    {
        weight: 2,
        arbitrary: fc.tuple(index, fc.boolean(), vector).map(([i, isPlane, at]): [string, Command] => [
            `add collider ${isPlane ? "plane" : i}`,
            (model) => {
                const ball = pick(model.balls, i);
                if (isPlane) model.cloth.addCollider(Plane.FromPositionAndNormal(at, new Vector3(0.1, 1, 0)));
                else if (ball.isDisposed()) return;
                else model.cloth.addCollider(ball, { margin: 0.01, friction: 0.5 });
                model.colliderCount++;
            },
        ]),
    },
    {
        weight: 1,
        arbitrary: index.map((i): [string, Command] => [
            `remove collider ${i}`,
            (model) => {
                if (model.colliderCount === 0) return;
                model.cloth.removeCollider(pick(model.cloth.colliders, i));
                model.colliderCount--;
            },
        ]),
    },
    {
        weight: 2,
        arbitrary: fc
            .tuple(index, fc.constantFrom("meshes", "balls"), bits, bits)
            .map(([i, list, group, mask]): [string, Command] => [
                `give the scene ${list} ${i}, group ${group}, mask ${mask}`,
                ({ world: { scene }, given, ...model }) => {
                    const source = pick<Mesh>(model[list], i);
                    if (source.isDisposed()) return;
                    // What is flat is no sphere.
                    const shape = list === "balls" ? "sphere" : "mesh";
                    given.push(Colliders.add(scene, source, { shape, group, mask }));
                },
            ]),
    },
    {
        weight: 1,
        arbitrary: fc.tuple(index, bits, fc.boolean()).map(([i, mask, isTaken]): [string, Command] => [
            isTaken ? `take ${i} from the scene` : `mask ${mask} of the scene's ${i}`,
            ({ world: { scene }, given }) => {
                if (given.length === 0) return;
                if (isTaken) Colliders.remove(scene, given.splice(i % given.length, 1)[0]);
                else pick(given, i).mask = mask;
            },
        ]),
    },
    {
        weight: 3,
        arbitrary: fc
            .tuple(index, vector, vector, fc.constantFrom("meshes", "nodes", "balls"))
            .map(([i, position, turn, list]): [string, Command] => [
                `move ${list} ${i} to ${position}`,
                (model) => {
                    const node: TransformNode = pick<TransformNode>(model[list], i);
                    node.position = position;
                    node.rotationQuaternion = Quaternion.RotationYawPitchRoll(turn.x, turn.y, turn.z);
                    node.scaling.set(1 + turn.x / 4, turn.y < 0 ? -1 : 1, 1 + turn.z / 4);
                },
            ]),
    },
    {
        weight: 1,
        arbitrary: fc.tuple(index, index).map(([i, j]): [string, Command] => [
            `parent mesh ${i} to node ${j}`,
            (model) => {
                const node = pick(model.nodes, j);
                pick(model.meshes, i).parent = node.isDisposed() ? null : node;
            },
        ]),
    },
    {
        weight: 1,
        arbitrary: fc
            .tuple(index, fc.constantFrom("meshes", "nodes", "balls"))
            .map(([i, list]): [string, Command] => [
                `dispose ${list} ${i}`,
                (model) => pick<TransformNode>(model[list], i).dispose(true),
            ]),
    },
    { weight: 1, arbitrary: index.map((i): [string, Command] => [`new things ${i}`, (model) => model.addThings(i)]) },
    {
        weight: 2,
        arbitrary: fc
            .tuple(vector, vector, fc.double({ min: 0.01, max: 3, noNaN: true }))
            .map(([point, impulse, radius]): [string, Command] => [
                `impulse ${impulse}`,
                (model) => model.cloth.applyImpulse(point, impulse, radius),
            ]),
    },
    { weight: 1, arbitrary: fc.constant<[string, Command]>(["reset", (model) => model.cloth.reset()]) },
    {
        weight: 4,
        arbitrary: fc
            .oneof(
                fc.record({ substepCount: fc.integer({ min: 1, max: 8 }) }),
                fc.record({ fixedTimeStep: fc.constantFrom(1 / 30, 1 / 60, 1 / 120, 1 / 240) }),
                fc.record({ maxStepsPerFrame: fc.integer({ min: 1, max: 6 }) }),
                fc.record({ tetherSlack: fc.constantFrom(0, 0.05, Infinity) }),
                fc.record({ gravity: fc.oneof(vector, fc.constant(null)) }),
                fc.record({
                    fabric: fc.oneof(
                        fc.constantFrom(...Object.values(Fabrics)),
                        fc.record({
                            arealDensity: fc.constantFrom(0.01, 1, 50),
                            stretchStiffness: fc.constantFrom(0, 1, 1000, Infinity),
                            shearStiffness: fc.constantFrom(0, 1, 1000, Infinity),
                            bendStiffness: fc.constantFrom(0, 1e-6, 1, Infinity),
                            damping: fc.constantFrom(0, 1, 100),
                            thickness: fc.constantFrom(0, 0.02),
                            friction: fc.constantFrom(0, 1, 10),
                        }),
                    ),
                }),
                fc.record({
                    wind: fc.oneof(
                        fc.constant(null),
                        vector.map((velocity) => new Wind({ velocity: velocity.scale(10) })),
                    ),
                }),
                fc.record({ collisionGroup: bits, collisionMask: bits }),
                fc.record({ enabled: fc.boolean() }),
                fc.record({ autoStep: fc.boolean() }),
                fc.record({}),
            )
            .map((options): [string, Command] => [JSON.stringify(options), (model) => void Object.assign(model.cloth, options)]),
    },
);

/** A sequence of commands that fails is shown by its names. */
const program = fc.array(commands, { maxLength: 40, size: "max" }).map((list) =>
    Object.assign(list, {
        [fc.toStringMethod]: () => list.map(([name]) => name).join("\n"),
    }),
);

describe("any program of a user", () => {
    test("throws only what it should, and never makes a number that is none", () => {
        expectHolds(
            fc.property(program, (list) => {
                const model = new Model(makeWorld());
                for (const [, run] of list) {
                    run(model);
                    model.check();
                }
                model.world.engine.dispose();
                expect(model.cloth.attachedNode).toBeNull();
            }),
            { numRuns: 60 },
        );
    });

    test("also from inside its own step observers", () => {
        expectHolds(
            fc.property(program, fc.integer({ min: 1, max: 4 }), (list, every) => {
                const model = new Model(makeWorld());
                const queue = list.filter(([name]) => !/^(frame|step)/.test(name));
                let calls = 0;
                const next = (): void => {
                    if (model.attached?.isDisposed()) model.attached = null;
                    if (++calls % every === 0) queue.shift()?.[1](model);
                    settle(model);
                };
                model.cloth.onBeforeStepObservable.add(next);
                model.cloth.onAfterStepObservable.add(next);
                for (let i = 0; i < 40 && queue.length > 0; i++) {
                    model.attached = model.cloth.attachedNode;
                    const mesh = model.meshes.find((m) => !m.isDisposed());
                    if (!model.attached && mesh) {
                        mesh.addBehavior(model.cloth);
                        model.attached = mesh;
                    }
                    model.cloth.enabled = model.cloth.autoStep = true;
                    model.world.frame(40);
                    settle(model);
                    model.check();
                }
            }),
            { numRuns: 60 },
        );
    });
});
