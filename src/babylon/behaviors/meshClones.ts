import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { identity, invert, multiply } from "../../engine/index";
import type { BodyInstance } from "./bodyInstance";
import type { CloneListener } from "../mesh/geometryOverride";
import type { PinBinding } from "../pins/pinBinding";

/** A cloth that can be made again. */
export interface Cloneable {
    /**
     * Another like it, on no mesh yet.
     * @param begin called once, with its first attachment
     * @param onFirstFrame called once, before its first frame
     */
    copy(begin: (instance: BodyInstance) => void, onFirstFrame: (pins: readonly PinBinding[]) => void): Behavior<Mesh>;
}

/** The cloth whose mesh is copied. */
interface CloneSource {
    readonly instance: BodyInstance | null;
}

/** Makes cloth of the copies of a cloth's mesh: of the same settings, pins and colliders, in the same drape and motion. */
export class MeshCloneListener implements CloneListener {
    private readonly _copies = new WeakMap<Mesh, Behavior<Mesh>>();

    constructor(
        private readonly _behavior: Cloneable,
        private readonly _original: CloneSource,
        private readonly _warn: (message: string) => void,
    ) {}

    onCloned(clone: Mesh): void {
        const { mesh } = this._original.instance!;
        try {
            const copy = this._behavior.copy(
                (instance) => {
                    if (this._original.instance) copyMotion(instance, this._original.instance);
                },
                // Babylon copies the mesh's children after its geometry.
                (pins) => pins.forEach((pin) => retargetToCopy(pin, mesh, clone)),
            );
            this._copies.set(clone, copy);
            clone.addBehavior(copy);
            // What builders make has its behavior at hand.
            if ((mesh as { cloth?: unknown }).cloth === this._behavior) Object.assign(clone, { cloth: copy });
        } catch (error) {
            this._warn(`a clone of "${mesh.name}" stands still: ${(error as Error).message}`);
        }
    }

    onToolCloned(clone: Mesh): void {
        const copy = this._copies.get(clone);
        if (copy) clone.removeBehavior(copy);
    }
}

/** Moves a copy's pin to the copy of its target, if the target is a child of the original and was copied too. */
function retargetToCopy(pin: PinBinding, original: Mesh, clone: Mesh): void {
    const copy = pin.target ? copyOfNode(pin.target, original, clone) : null;
    if (copy) pin.retarget(copy as TransformNode);
}

/** The copy of a node under a mesh that was copied: of the same name, after that of its parent. */
function copyOfNode(node: Node, original: Node, clone: Node): Node | null {
    if (node === original) return clone;
    const parent = node.parent && copyOfNode(node.parent, original, clone);
    if (!parent) return null;
    const order = node.parent!.getChildren(({ name }) => name === node.name).indexOf(node);
    return parent.getChildren(({ name }) => name === `${parent.name}.${node.name}`)[order] ?? null;
}

/** Has a copy take over the motion of its original, as far from it as their meshes are apart. */
function copyMotion(copy: BodyInstance, original: BodyInstance): void {
    const { cloth, space } = copy;
    copy.restoreMotion(original.saveMotion(), []);
    cloth.clock.restoreMotion(original.cloth.clock.saveMotion());
    original.cloth.pins
        .filter(({ isCoupling }) => !isCoupling)
        .forEach((pins, i) => cloth.pins[i].restoreMotion(pins.offsets, pins.saveMotion()));
    const change = identity();
    if (!original.space.update() || !invert(original.space.worldMatrix, change)) return;
    multiply(change.slice(), space.worldMatrix, change);
    cloth.teleport(change);
    cloth.accumulatedMotion = Infinity;
    space.update();
    // It may be put elsewhere before the next frame.
    copy.teleports.expectTeleport();
}
