import type { Groups } from "../engine/collision/broadphase/collisionGroups";
import { crowdPart } from "../engine/world/lazyModules";
import type { SelfCollisionSettings } from "../engine/collision/self/collisionProxy";
import type { Arrivals } from "./frames/arrivals";
import type { Attachment } from "./attachment";
import type { SelfCollision } from "./clothOptions";

/** How a cloth keeps off itself and off other cloth of its scene. */
export class Layers implements SelfCollisionSettings {
    /** See {@link ClothBehavior.selfCollision}. */
    kind: SelfCollision = false;
    /** See {@link ClothBehavior.selfThickness}. */
    thickness: number | null = null;
    /** See {@link ClothBehavior.adaptiveStep}. */
    isAdaptive = false;

    /** @param _meet called for another review when what was missing is loaded */
    constructor(
        private readonly _groups: Groups,
        private readonly _arrivals: Arrivals,
        private readonly _meet: () => void,
    ) {}

    /** Has an attached cloth do so from now on, or no more. @throws RangeError when there is no memory left */
    review({ cloth, world, mesh, restPositions }: Attachment): void {
        const { kind, _arrivals: arrivals } = this;
        const { collisionProxy: member } = cloth;
        if (kind === (member?.options.tier ?? false) && !member?.needsRejoin) return;
        world.disableSelfCollision(cloth);
        if (!kind) return;
        if (!crowdPart.isLoaded) return arrivals.when(crowdPart, this._meet);
        const tell = (message: string): void => arrivals.warn(`on "${mesh.name}", ${message}`);
        world.enableSelfCollision(cloth, { restPositions, groups: this._groups, settings: this, tier: kind, warn: tell });
    }
}
