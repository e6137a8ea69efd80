import { selfCollisionModule } from "../../engine/index";
import type { Groups, SelfCollisionSettings } from "../../engine/index";
import type { PendingModules } from "../scene/pendingModules";
import type { BodyInstance } from "./bodyInstance";
import type { SelfCollision } from "./bodyOptions";

/** Self-collision settings of one cloth, and its membership in its scene's group. */
export class SelfCollisionBinding implements SelfCollisionSettings {
    /** See {@link ClothBehavior.selfCollision}. */
    kind: SelfCollision = false;
    /** See {@link ClothBehavior.selfThickness}. */
    thickness: number | null = null;
    /** See {@link ClothBehavior.adaptiveStep}. */
    isAdaptive = false;

    /** @param _syncColliders called for another review when what was missing is loaded */
    constructor(
        private readonly _groups: Groups,
        private readonly _pendingModules: PendingModules,
        private readonly _syncColliders: () => void,
    ) {}

    /** Has an attached cloth do so from now on, or no more. @throws RangeError when there is no memory left */
    sync({ cloth, world, mesh, restPositions }: BodyInstance): void {
        const { kind, _pendingModules: pendingModules } = this;
        const { collisionProxy: member } = cloth;
        if (kind === (member?.options.tier ?? false) && !member?.needsRejoin) return;
        world.disableSelfCollision(cloth);
        if (!kind) return;
        if (!selfCollisionModule.isLoaded) return pendingModules.whenLoaded(selfCollisionModule, this._syncColliders);
        const warn = (message: string): void => pendingModules.warn(`on "${mesh.name}", ${message}`);
        world.enableSelfCollision(cloth, { restPositions, groups: this._groups, settings: this, tier: kind, warn });
    }
}
