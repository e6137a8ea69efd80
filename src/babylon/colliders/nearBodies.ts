import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import type { ColliderBinding } from "./colliderBinding";

/** Bodies this much nearer than they reach are met [m] ... */
const NEAR_MARGIN = 0.25;
/** ... as are those that come as near in so many frames; others are let go of where they are twice as far. */
const LOOKAHEAD_FRAMES = 4;

/** The physics of a scene, as far as it is asked. */
interface PhysicsEngine {
    /** Of the second version. */
    getBodies?(): readonly PhysicsBody[];
}

/** Record of a body seen before. */
interface BodyRecord {
    /** Null: it cannot be a collider. */
    readonly binding: ColliderBinding | null;
    /** Radius about its node [m]. */
    readonly reach: number;
    /** Last position, x y z [m]. */
    readonly position: Float64Array;
    isNear: boolean;
}

/** The bodies of a scene's physics that are near a cloth, as colliders. */
export class NearBodies {
    /** Those that are near. */
    readonly all: ColliderBinding[] = [];
    private _records = new WeakMap<PhysicsBody, BodyRecord>();

    /** @param _bind makes a collider of a body; given, since the code of colliders is the app's */
    constructor(private readonly _bind: (body: PhysicsBody) => ColliderBinding) {}

    /** Looks again. @param own colliders of the cloth, whose bodies it meets already @param given those of its scene @returns whether others are near than before */
    update(mesh: AbstractMesh, own: readonly ColliderBinding[], given: readonly ColliderBinding[]): boolean {
        const engine = (mesh.getScene() as Scene).getPhysicsEngine?.() as PhysicsEngine | null | undefined;
        const bodies = engine?.getBodies?.();
        const { minimumWorld: low, maximumWorld: high } = mesh.getBoundingInfo().boundingBox;
        let hasChanged = false;
        if (!bodies && this.all.length > 0) {
            // The physics has ended, and with it its bodies.
            this.all.length = 0;
            this._records = new WeakMap();
            hasChanged = true;
        }
        for (let i = this.all.length - 1; i >= 0; i--) {
            if (this.all[i].review(this.all.length) === null) continue;
            this.all.splice(i, 1);
            hasChanged = true;
        }
        for (let i = 0; bodies && i < bodies.length; i++) {
            const body = bodies[i];
            if (body.transformNode === mesh) continue;
            let record = this._records.get(body);
            if (!record) this._records.set(body, (record = this._recordOf(body)));
            const { binding, position } = record;
            if (!binding) continue;
            const { absolutePosition: now } = body.transformNode;
            const step = Math.hypot(now.x - position[0], now.y - position[1], now.z - position[2]);
            position[0] = now.x;
            position[1] = now.y;
            position[2] = now.z;
            const dx = Math.max(low.x - now.x, now.x - high.x, 0);
            const dy = Math.max(low.y - now.y, now.y - high.y, 0);
            const dz = Math.max(low.z - now.z, now.z - high.z, 0);
            const distance = record.reach + (record.isNear ? 2 : 1) * (NEAR_MARGIN + LOOKAHEAD_FRAMES * step);
            const isNear =
                dx * dx + dy * dy + dz * dz < distance * distance && !includesBody(own, body) && !includesBody(given, body);
            if (isNear === record.isNear) continue;
            record.isNear = isNear;
            hasChanged = true;
            if (isNear) this.all.push(binding);
            else if (this.all.includes(binding)) this.all.splice(this.all.indexOf(binding), 1);
        }
        return hasChanged;
    }

    /** A body as it is now; one without a size to be seen is no collider. */
    private _recordOf(body: PhysicsBody): BodyRecord {
        const place = Float64Array.from(body.transformNode.absolutePosition.asArray());
        try {
            const binding = this._bind(body);
            const { min, max } = body.transformNode.getHierarchyBoundingVectors(true);
            const reach = Math.hypot(...[0, 1, 2].map((c) => Math.max(max.asArray()[c] - place[c], place[c] - min.asArray()[c])));
            return { binding, reach, position: place, isNear: false };
        } catch {
            return { binding: null, reach: 0, position: place, isNear: false };
        }
    }
}

function includesBody(own: readonly ColliderBinding[], body: PhysicsBody): boolean {
    for (let i = 0; i < own.length; i++) if (own[i].source === body || own[i].source === body.transformNode) return true;
    return false;
}
