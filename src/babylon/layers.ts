import type { Groups } from "../solver/colliders/groups";
import type { LayerSettings } from "../solver/crowd/member";
import type { Attachment } from "./attachment";
import type { SelfCollision } from "./clothOptions";

/** How a cloth keeps off itself and off other cloth of its scene. */
export class Layers implements LayerSettings {
    /** See {@link ClothBehavior.selfCollision}. */
    kind: SelfCollision = false;
    /** See {@link ClothBehavior.selfThickness}. */
    thickness: number | null = null;

    constructor(private readonly _groups: Groups) {}

    /** Has an attached cloth do so from now on, or no more. @throws RangeError when there is no memory left */
    review({ cloth, world, mesh, restPositions }: Attachment, warn: (message: string) => void): void {
        const { kind } = this;
        if (kind === (cloth.member?.options.tier ?? false)) return;
        world.leave(cloth);
        if (!kind) return;
        const tell = (message: string): void => warn(`on "${mesh.name}", ${message}`);
        world.join(cloth, { restPositions, groups: this._groups, layers: this, tier: kind, warn: tell });
    }
}
