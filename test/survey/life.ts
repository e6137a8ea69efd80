/** Built cloths through lives at random: odd options, frames of any length, and whatever users do to meshes while they move. Seeded. */
import "@babylonjs/core/Materials/standardMaterial";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, ClothBuilder, ClothTearing, Fabrics, LooseHold, SoftHold, WindSpeeds } from "../../src/index";
import type { ClothBuilderOptions, ClothMesh, CurtainMesh, FabricName, WindName } from "../../src/index";
import "../../src/files";
import { seededRandom } from "../random";
import { Dice } from "./randomMeshes";

/** What a life is told by when it ends badly. */
export interface Life {
    readonly name: string;
    readonly frames: number;
}

interface Stage {
    readonly engine: NullEngine;
    readonly scene: Scene;
    readonly nodes: TransformNode[];
    readonly cloths: ClothMesh[];
}

type Option = ClothBuilderOptions & Record<string, unknown>;
type Make = (name: string, options: object, scene: Scene) => ClothMesh;

/** What happens to a cloth. */
type Event = (mesh: ClothMesh, dice: Dice, stage: Stage) => void;

const MAKERS = Object.entries(ClothBuilder) as [string, Make][];
/** Most frames that a life goes on after something has happened. */
const MOST_FRAMES = 6;

function pick<T>(dice: Dice, list: readonly T[]): T {
    return list[dice.integer(0, list.length - 1)];
}

function vector(dice: Dice, size: number): Vector3 {
    return new Vector3(dice.range(-size, size), dice.range(-size, size), dice.range(-size, size));
}

/** Options of any builder, and its own. */
function optionsOf(maker: string, dice: Dice): Option {
    const scale = dice.size(0.1, 10);
    const options: Option = { subdivisions: dice.count(4, 20) };
    if (dice.chance(0.5)) options.fabric = pick(dice, Object.keys(Fabrics)) as FabricName;
    if (dice.chance(0.6)) options.wind = pick(dice, [...Object.keys(WindSpeeds), null]) as WindName | null;
    if (dice.chance(0.3)) options.substepCount = dice.count(1, 16);
    if (dice.chance(0.2)) options.selfCollision = "particles";
    if (dice.chance(0.2)) options.maxStepsPerFrame = dice.count(1, 60);
    if (dice.chance(0.1)) options.pins = [];
    if (dice.chance(0.2)) options.maxDistance = dice.size(0.01, 1) * scale;
    if (maker === "CreateTablecloth") return { ...options, [pick(dice, ["size", "radius"])]: scale };
    return { ...options, width: scale * dice.size(0.3, 3), height: scale * dice.size(0.3, 3), ...ownOptionsOf(maker, dice) };
}

function ownOptionsOf(maker: string, dice: Dice): object {
    const own: Record<string, () => object> = {
        CreateCurtain: () => ({
            pleats: dice.count(1, 12),
            fullness: dice.range(1.1, 3),
            open: dice.next(),
            side: pick(dice, ["left", "right"]),
            tieBack: dice.range(0.1, 0.9),
        }),
        CreateBanner: () => ({ slack: dice.range(0, 0.5) }),
        CreateSail: () => ({ camber: dice.range(0, 0.3) }),
        CreateAwning: () => ({ slope: dice.range(-1.5, 1.5) }),
        CreateCape: () => ({ flare: 1 }),
    };
    return own[maker]?.() ?? {};
}

const EVENTS: Record<string, Event> = {
    move: (mesh, dice) => mesh.position.addInPlace(vector(dice, dice.size(0.01, 10))),
    turn: (mesh, dice) => mesh.rotation.addInPlace(vector(dice, 3)),
    farAway: (mesh, dice) => mesh.position.copyFrom(vector(dice, 10_000)),
    scale: (mesh, dice) =>
        mesh.scaling.set(dice.size(0.1, 10), dice.size(0.1, 10), dice.size(0.1, 10) * (dice.chance(0.2) ? -1 : 1)),
    flatten: (mesh, dice) => (mesh.scaling.y = dice.chance(0.5) ? 0 : 1),
    reparent: (mesh, dice, { nodes }) => void (mesh.parent = dice.chance(0.3) ? null : pick(dice, nodes)),
    setParent: (mesh, dice, { nodes }) => void mesh.setParent(dice.chance(0.3) ? null : pick(dice, nodes)),
    moveNode: (_, dice, { nodes }) => pick(dice, nodes).position.copyFrom(vector(dice, 2)),
    disposeNode(_, dice, { nodes }) {
        const node = nodes.splice(dice.integer(0, nodes.length - 1), 1)[0];
        node.dispose(true);
        nodes.push(new TransformNode(`${node.name}+`, node.getScene()));
    },
    fabric: (mesh, dice) => (mesh.cloth.fabric = Fabrics[pick(dice, Object.keys(Fabrics)) as FabricName]),
    substeps: (mesh, dice) => (mesh.cloth.substepCount = dice.count(1, 32)),
    pin: (mesh, dice, { nodes }) =>
        void mesh.cloth.pin(
            [dice.integer(0, mesh.getTotalVertices() - 1)],
            dice.chance(0.5) ? null : pick(dice, nodes),
            pick(dice, [null, new SoftHold({ stiffness: dice.size(1, 1e4) }), new LooseHold(dice.size(0.01, 1))]),
        ),
    unpin: (mesh, dice) => mesh.cloth.pins.length > 0 && mesh.cloth.unpin(pick(dice, mesh.cloth.pins)),
    maxDistance: (mesh, dice) => (mesh.cloth.maxDistance = dice.chance(0.5) ? null : dice.size(0.01, 1)),
    collide(mesh, dice, { nodes }) {
        const ball = MeshBuilder.CreateSphere(
            `ball ${nodes.length}`,
            { diameter: dice.size(0.05, 2), segments: 4 },
            mesh.getScene(),
        );
        ball.position.copyFrom(mesh.getAbsolutePosition()).addInPlace(vector(dice, 1));
        mesh.cloth.addCollider(ball);
        nodes.push(ball);
    },
    tear(mesh, dice) {
        if (!mesh.getBehaviorByName("ClothTearing")) mesh.addBehavior(new ClothTearing({ strain: dice.size(0.05, 2) }));
        const middle = mesh.getBoundingInfo().boundingSphere;
        const way = vector(dice, middle.radiusWorld);
        mesh.cloth.cut(middle.centerWorld.subtract(way), middle.centerWorld.add(way));
    },
    mend: (mesh) => (mesh.getBehaviorByName("ClothTearing") as ClothTearing | null)?.mend(),
    curtain(mesh, dice) {
        if ("open" in mesh) (mesh as CurtainMesh)[pick(dice, ["open", "tied"] as const)] = dice.next();
    },
    push: (mesh, dice) => mesh.cloth.applyImpulse(mesh.getAbsolutePosition(), vector(dice, dice.size(0.01, 10))),
    reset: (mesh) => mesh.cloth.reset(),
    teleport: (mesh) => mesh.cloth.teleport(),
    step: (mesh, dice) => mesh.cloth.step(pick(dice, [0, NaN, -1, 1e-9, 0.1, 10, Infinity])),
    pause: (mesh, dice) => (mesh.cloth.enabled = dice.chance(0.5)),
    disable: (mesh, dice) => mesh.setEnabled(dice.chance(0.5)),
    warm: (mesh, dice) => void mesh.cloth.simulate(dice.range(0, 0.5)),
    remove(mesh) {
        mesh.removeBehavior(mesh.cloth);
        beOfSomeSize(mesh);
        mesh.addBehavior(mesh.cloth);
    },
    backend: (mesh) => (mesh.cloth.backend = "wasm"),
    clone(mesh, _, { cloths, nodes }) {
        const clone = mesh.clone(`${mesh.name} clone`) as Mesh;
        const cloth = clone.getBehaviorByName("Cloth") as ClothBehavior | null;
        if (cloth) cloths.push(Object.assign(clone, { cloth }));
        else nodes.push(clone);
    },
    file(mesh, dice) {
        const { cloth } = mesh;
        // What is torn has vertices that no file knows of.
        if (mesh.getBehaviorByName("ClothTearing")) return;
        const data = JSON.parse(JSON.stringify(cloth.serialize({ state: dice.chance(0.5) && cloth.attachedNode !== null })));
        const copy = ClothBehavior.Parse(data, mesh.getScene());
        mesh.removeBehavior(cloth);
        beOfSomeSize(mesh);
        mesh.addBehavior(copy);
        Object.assign(mesh, { cloth: copy });
    },
    dispose(mesh, dice, { cloths }) {
        if (cloths.length > 1 && dice.chance(0.5))
            cloths.splice(cloths.indexOf(mesh), 1)[0].dispose(dice.chance(0.5), dice.chance(0.5));
    },
};

/** What is flat begins no cloth: a RangeError says so. */
function beOfSomeSize(mesh: Mesh): void {
    if (mesh.scaling.y === 0) mesh.scaling.y = 1;
}

/**
 * A life of one to three cloths in one or two scenes: something happens, some frames of 1 to 1000 ms go by, and so on; then all ends.
 * @param frames how many go by, at least
 * @throws Error that tells what had happened, where anything throws, is not finite, or is left behind
 */
export function liveAtRandom(seed: number, frames: number): Life {
    const dice = new Dice(seededRandom(seed));
    const stages = Array.from({ length: dice.chance(0.3) ? 2 : 1 }, makeStage);
    const told: string[] = [];
    let done = 0;
    try {
        for (const stage of stages) {
            for (let i = dice.integer(1, 2); i > 0; i--) {
                const [maker, make] = pick(dice, MAKERS);
                const options = optionsOf(maker, dice);
                told.push(`${maker} ${JSON.stringify(options)}`);
                stage.cloths.push(make(maker, options, stage.scene));
            }
        }
        while (done < frames) {
            const stage = pick(dice, stages);
            if (stage.cloths.length > 0) {
                const [name, event] = pick(dice, Object.entries(EVENTS));
                told.push(name);
                event(pick(dice, stage.cloths), dice, stage);
            }
            for (let i = dice.integer(1, MOST_FRAMES); i > 0; i--, done++) {
                const milliseconds = dice.size(1, 1000);
                for (const { engine, scene, cloths } of stages) {
                    engine.getDeltaTime = () => milliseconds;
                    scene.render();
                    cloths.forEach(checkFinite);
                }
            }
        }
        for (const stage of stages) end(stage, dice);
    } catch (error) {
        throw new Error(`life ${seed}: ${(error as Error).message}; ${told.slice(-12).join(", ")}; began with ${told[0]}`, {
            cause: error,
        });
    } finally {
        for (const { engine } of stages) if (!engine.isDisposed) engine.dispose();
    }
    return { name: told[0], frames: done };
}

function makeStage(): Stage {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -10), scene);
    return { engine, scene, nodes: [0, 1].map((i) => new TransformNode(`node ${i}`, scene)), cloths: [] };
}

function checkFinite(mesh: ClothMesh): void {
    const { cloth } = mesh;
    if (!cloth.getParticlePositions().every(Number.isFinite)) throw new Error(`${mesh.name}: a particle is not finite`);
    for (const kind of mesh.getVerticesDataKinds()) {
        if (!mesh.getVerticesData(kind)!.every(Number.isFinite)) throw new Error(`${mesh.name}: ${kind} is not finite`);
    }
}

/** Ends a scene, by its meshes or at once; what has watched it watches no more. */
function end({ engine, scene, cloths, nodes }: Stage, dice: Dice): void {
    if (dice.chance(0.3)) return engine.dispose();
    for (const mesh of cloths) mesh.dispose();
    for (const node of nodes) node.dispose();
    scene.render();
    const watched = [
        "onBeforeRenderObservable",
        "onBeforeAnimationsObservable",
        "onBeforeActiveMeshesEvaluationObservable",
    ] as const;
    for (const name of watched) if (scene[name].hasObservers()) throw new Error(`scene.${name} is still observed`);
    if (scene.meshes.length > 0 || scene.geometries.length > 0) {
        throw new Error(`${scene.meshes.length} meshes and ${scene.geometries.length} geometries are left`);
    }
}
