/** What users do to cloth, and around it, while it moves. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
    ClothBaker,
    ClothBehavior,
    ClothPicker,
    ClothTearing,
    Colliders,
    Fabrics,
    MaxDistanceHold,
    SoftHold,
    Wind,
    Winds,
} from "../../src/index";
import type { ClothMesh, CurtainMesh, FabricName } from "../../src/index";
import "../../src/files";
import { isObstacle, makeObstacle, OBSTACLE_EVENTS } from "./lifeColliders";
import type { Stage } from "./lifeStage";
import type { Dice } from "./randomMeshes";

/** What happens to a cloth. */
export type Event = (mesh: ClothMesh, dice: Dice, stage: Stage) => void;

export function pick<T>(dice: Dice, list: readonly T[]): T {
    return list[dice.integer(0, list.length - 1)];
}

export function vector(dice: Dice, size: number): Vector3 {
    return new Vector3(dice.range(-size, size), dice.range(-size, size), dice.range(-size, size));
}

export const EVENTS: Record<string, Event> = {
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
            dice.chance(0.5) ? null : livingOf(pick(dice, nodes)),
            pick(dice, [null, new SoftHold({ stiffness: dice.size(1, 1e4) }), new MaxDistanceHold(dice.size(0.01, 1))]),
        ),
    unpin: (mesh, dice) => mesh.cloth.pins.length > 0 && mesh.cloth.unpin(pick(dice, mesh.cloth.pins)),
    maxDistance: (mesh, dice) => (mesh.cloth.maxDistance = dice.chance(0.5) ? null : dice.size(0.01, 1)),
    collide(mesh, dice, { nodes, scene, undo }) {
        const { centerWorld, radiusWorld } = mesh.getBoundingInfo().boundingSphere;
        const { source, options, node } = makeObstacle(dice, scene, centerWorld, Math.min(20, radiusWorld));
        if (dice.chance(0.2)) {
            const collider = Colliders.add(scene, source, options);
            undo.push(() => Colliders.remove(scene, collider));
        } else mesh.cloth.addCollider(source, options);
        if (node) nodes.push(node);
    },
    uncollide: (mesh, dice) => mesh.cloth.colliders.length > 0 && mesh.cloth.removeCollider(pick(dice, mesh.cloth.colliders)),
    collideAnew(mesh, dice) {
        if (mesh.cloth.colliders.length === 0) return;
        const collider = pick(dice, mesh.cloth.colliders);
        collider.margin = dice.range(-0.05, 0.1);
        collider.friction = dice.chance(0.5) ? null : dice.size(0.01, 10);
        collider.restitution = dice.next();
        collider.mask = dice.chance(0.5) ? -1 : 0;
    },
    obstacle: disturb,
    obstacles: disturb,
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
    layers(mesh, dice) {
        mesh.cloth.selfCollision = pick(dice, [false, "particles", "triangles", "robust"] as const);
        mesh.cloth.selfThickness = dice.chance(0.5) ? null : dice.size(1e-4, 0.1);
    },
    pace(mesh, dice) {
        mesh.cloth.fixedTimeStep = dice.size(1 / 240, 1 / 15);
        mesh.cloth.maxStepsPerFrame = dice.count(1, 60);
    },
    gravity: (mesh, dice) => (mesh.cloth.gravity = dice.chance(0.5) ? null : vector(dice, 20)),
    blow: (mesh, dice) => (mesh.cloth.wind = dice.chance(0.3) ? null : new Wind({ velocity: vector(dice, dice.size(0.1, 40)) })),
    blowAll(_, dice, { scene, undo }) {
        const wind = new Wind({ velocity: vector(dice, 5) });
        Winds.add(scene, wind);
        undo.push(() => Winds.remove(scene, wind));
    },
    sleep: (mesh, dice) => (mesh.cloth.sleepSpeed = dice.chance(0.5) ? 0 : 0.001),
    teleportSpeed: (mesh, dice) => (mesh.cloth.teleportSpeed = dice.chance(0.5) ? Infinity : dice.size(0.1, 100)),
    slack: (mesh, dice) => (mesh.cloth.tetherSlack = dice.chance(0.3) ? Infinity : dice.size(0.01, 1)),
    bake(mesh, dice, { nodes }) {
        if (mesh.cloth.attachedNode && mesh.cloth.enabled)
            nodes.push(ClothBaker.toMorphTargets(mesh.cloth, ClothBaker.record(mesh.cloth, 0.2), "baked").mesh);
    },
    grab(mesh, dice, { scene, undo }) {
        const picker = new ClothPicker(scene);
        const grip = picker.grab(mesh.cloth, mesh.getBoundingInfo().boundingSphere.centerWorld);
        grip?.moveTo(mesh.getAbsolutePosition().add(vector(dice, 2)));
        if (dice.chance(0.7)) picker.dispose();
        else undo.push(() => picker.dispose());
    },
    swing: (_, dice, { nodes }) => void pick(dice, nodes).rotation.addInPlace(vector(dice, 3)),
    shrinkNode: (_, dice, { nodes }) => void pick(dice, nodes).scaling.copyFrom(vector(dice, 2)),
    clone(mesh, _, { cloths, nodes }) {
        const clone = mesh.clone(`${mesh.name} clone`) as Mesh;
        const cloth = clone.getBehaviorByName("Cloth") as ClothBehavior | null;
        if (cloth) cloths.push(Object.assign(clone, { cloth }));
        else nodes.push(clone);
    },
    file(mesh, dice) {
        const { cloth } = mesh;
        // What is torn has vertices that no file knows of.
        if (mesh.getBehaviorByName("ClothTearing") || cloth.colliders.some(({ source }) => !("name" in source || "d" in source)))
            return;
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

/** A node, or nothing where it has gone with its parent. */
function livingOf(node: TransformNode): TransformNode | null {
    return node.isDisposed() ? null : node;
}

/** Does something to an obstacle, where there is one. */
function disturb(_: ClothMesh, dice: Dice, { nodes }: Stage): void {
    const obstacles = nodes.filter(isObstacle);
    if (obstacles.length > 0) pick(dice, Object.values(OBSTACLE_EVENTS))(pick(dice, obstacles), dice);
}

/** What is flat begins no cloth: a RangeError says so. */
function beOfSomeSize(mesh: Mesh): void {
    if (mesh.scaling.y === 0) mesh.scaling.y = 1;
}
