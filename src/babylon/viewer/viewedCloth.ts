import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { linksOf, readRenderState } from "../../engine/index";
import type { Body, ConstraintLinks } from "../../engine/index";
import type { BodyBehavior } from "../behaviors/bodyBehavior";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { ActiveCollider } from "../colliders/activeColliders";

/** A behavior that simulates its mesh. */
export type AnyCloth = Pick<BodyBehavior, "attachedNode" | "stats">;

/** State of a running cloth as layers draw it. */
export class ViewedCloth {
    readonly body: Body;
    readonly mesh: Mesh;
    /** Drawn particle positions, relative to the body's origin [m], shape [particleCount, 3]. */
    readonly points: Float32Array;
    private readonly _pairs = new Map<string, ConstraintLinks>();
    /** Revision of the body that the links belong to. */
    private _revision = -1;

    constructor(readonly attachment: BodyInstance) {
        this.body = attachment.cloth;
        this.mesh = attachment.mesh;
        this.points = new Float32Array(3 * this.body.state.particleCount);
    }

    /** Its colliders. */
    get activeColliders(): readonly ActiveCollider[] {
        return this.attachment.activeColliders.all;
    }

    /** Reads the current frame. */
    update(): void {
        const { body } = this;
        readRenderState(body, this.points);
        if (this._revision !== body.revision) this._pairs.clear();
        this._revision = body.revision;
    }

    /** Links of its constraints of a kind; empty if it has none. */
    pairsOf(name: string): ConstraintLinks {
        let links = this._pairs.get(name);
        if (!links) {
            links = linksOf(this.body.constraints.find((constraint) => constraint.name === name));
            this._pairs.set(name, links);
        }
        return links;
    }
}
