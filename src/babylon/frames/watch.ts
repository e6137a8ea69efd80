import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Body } from "../../engine/bodies/body";
import type { ClothSettings } from "../../engine/state/settings";
import type { Attachment } from "../attachment";
import { Detail } from "./detail";
import type { PinBinding } from "../pins/pinBinding";
import type { Sight } from "./sight";

/**
 * So many frames in a row no one sees what then pauses. A scene that is rendered for one camera after another within a frame of the
 * engine tells of as many frames.
 */
const PATIENCE = 10;
/** Cloth moves on before it comes into view: so many times as large as its bounds is what must be out of view. */
const ROOM = 2;

/** Within a call: x y z and radius [m]; a distance [m]. */
const ball = new Float64Array(4);
const distance = new Float64Array(1);

/** What holds and meets a cloth. */
export interface Watched {
    readonly pins: readonly PinBinding[];
    readonly collideWithPhysics: boolean;
}

/** Tells whether a cloth must move in a frame: whether it is seen, or may be soon, and is not too far away; and how finely. */
export class Watch {
    /** See {@link ClothBehavior.alwaysUpdate}. */
    alwaysUpdate = false;
    readonly detail: Detail;
    /** For how many frames no one has seen it; counted up to {@link PATIENCE}. */
    private _unseen = 0;
    /** Of each pin, how far from its carrier anything of the paused cloth is [m]; 0 where it has none of its own. */
    private readonly _reaches: number[] = [];

    constructor(settings: ClothSettings) {
        this.detail = new Detail(settings);
    }

    /** Whether it moves in this frame. */
    isDue({ mesh, cloth }: Attachment, { pins, collideWithPhysics }: Watched, sight: Sight): boolean {
        const { detail } = this;
        if (detail.isOn) {
            readBall(mesh);
            sight.measure(ball, distance);
            distance[0] -= ball[3];
            detail.follow(distance, cloth);
        }
        const isSeen = this.alwaysUpdate || collideWithPhysics || isActingBack(cloth);
        if (isSeen || (!detail.isTooFar && this._isSeen(mesh, pins, sight))) this._unseen = 0;
        else if (this._unseen < PATIENCE && ++this._unseen === PATIENCE) this._measureReaches(mesh, pins);
        return this._unseen < PATIENCE;
    }

    private _isSeen(mesh: Mesh, pins: readonly PinBinding[], sight: Sight): boolean {
        // Without asking Babylon for bounds, which it may have to find.
        if (sight.isTotal) return true;
        readBall(mesh);
        if (sight.sees(mesh, ball)) return true;
        const { instances, geometry } = mesh;
        for (let i = 0; i < instances.length; i++) {
            readBall(instances[i]);
            if (sight.sees(mesh, ball)) return true;
        }
        const sharers = geometry ? geometry.meshes : [];
        for (let i = 0; i < sharers.length; i++) {
            if (sharers[i] === mesh) continue;
            readBall(sharers[i]);
            if (sight.sees(sharers[i], ball)) return true;
        }
        return this._unseen === PATIENCE && this._isCarriedIntoView(mesh, pins, sight);
    }

    /** Whether what carries a paused cloth is where the cloth may be seen. */
    private _isCarriedIntoView(mesh: Mesh, pins: readonly PinBinding[], sight: Sight): boolean {
        if (pins.length !== this._reaches.length) return true;
        for (let i = 0; i < pins.length; i++) {
            if (!pins[i].readPlace(ball)) continue;
            ball[3] = this._reaches[i];
            if (sight.sees(mesh, ball)) return true;
        }
        return false;
    }

    private _measureReaches(mesh: Mesh, pins: readonly PinBinding[]): void {
        readBall(mesh);
        const [x, y, z, radius] = ball;
        this._reaches.length = 0;
        for (const pin of pins) {
            const isAway = pin.readPlace(ball);
            this._reaches.push(isAway ? Math.hypot(ball[0] - x, ball[1] - y, ball[2] - z) + radius : 0);
        }
    }
}

/** Whether anything else is moved by it: what takes the impulses of its contacts and pins. */
function isActingBack({ pins, colliders, groupMember: companion }: Body): boolean {
    if (companion?.isCoupled) return true;
    for (let i = 0; i < pins.length; i++) if (pins[i].carrierMass > 0) return true;
    for (let i = 0; i < colliders.length; i++) if (colliders[i].dynamicBody) return true;
    return false;
}

/** Reads where a mesh is, with room. */
function readBall(mesh: Pick<Mesh, "computeWorldMatrix" | "getBoundingInfo">): void {
    mesh.computeWorldMatrix();
    const { centerWorld, radiusWorld } = mesh.getBoundingInfo().boundingSphere;
    ball[0] = centerWorld.x;
    ball[1] = centerWorld.y;
    ball[2] = centerWorld.z;
    ball[3] = ROOM * radiusWorld;
}
