import { LAST_RENDER_PASSES, MAX_RENDER_SLICES, MIN_VISIBLE_DISTANCE, RENDER_PASSES, RENDER_SLICE_LENGTH } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import type { Kernels } from "../../../kernels/kernelTable";
import { Uniform } from "../../../kernels/layout";
import type { Affine } from "../../math/affine";
import type { Collider } from "../shapes/collider";
import { resolveParticles } from "./contactResolver";
import type { Contacts } from "./contactResolver";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import type { RenderMotion } from "../../state/renderState";
import { RenderState } from "../../state/renderState";

/** Body data that rendering reads. */
interface RenderContactsHost {
    readonly kernels: Kernels;
    readonly colliders: readonly Collider[];
    readonly contacts: Contacts | null;
    readonly settings: ClothSettings;
}

/**
 * Contact in the rendered state. Cloth is drawn as it was up to a step ago, colliders as they are: one in motion would be drawn
 * inside the cloth, by as much as it moves in a step. So the drawn cloth goes the rest of the distance with them: a copy of the
 * drawn particles, at rest, is met by every collider's ghost as it goes from where it was in the rendered state to where it is now.
 *
 *     simulated      ───●───────●
 *     drawn cloth         ●┄┄┄┄┄┄┄>   pushed by the ghosts
 *     collider            ◯┄┄┄┄┄┄┄>◯  now
 *
 * The state is only read, so that motion does not depend on what is drawn. Costs nothing while nothing that is near moves.
 */
export class RenderContacts extends RenderState {
    private readonly _bounds = new Float32Array(8);
    /** Offset of a collider from its rendered pose [m]. */
    private readonly _distance = new Float64Array(1);
    /** Ghost colliders that can touch the particles in the present slice, and their number. */
    private readonly _nearColliders: Collider[] = [];
    private _nearCount = 0;
    /** Number of slices between the rendered and the present state. */
    private _sliceCount = 0;

    constructor(arena: Arena, state: BodyState) {
        // Rendered particles have no speed but what a contact gives them in a slice.
        super(arena, state, ["previous", "residuals", "blockBounds"]);
    }

    /**
     * True if a collider can push the body between the rendered and the present state.
     * @param motion of the whole rendered state
     */
    needsUpdate(cloth: RenderContactsHost, motion: RenderMotion): boolean {
        const { colliders, settings } = cloth;
        let longest = 0;
        for (let i = 0; i < colliders.length; i++) {
            const { renderCopy: ghost } = colliders[i];
            if (!ghost) continue;
            colliders[i].measureRenderLag(motion, this._distance);
            const distance = this._distance[0];
            ghost.isNear = distance > MIN_VISIBLE_DISTANCE;
            if (distance > longest) longest = distance;
        }
        const slices = (this._sliceCount = sliceCountOf(longest));
        if (!(longest > MIN_VISIBLE_DISTANCE)) return false;
        this._measureBounds(cloth, motion);
        for (let i = 0; i < colliders.length; i++) {
            const { renderCopy: ghost } = colliders[i];
            if (!ghost?.isNear) continue;
            colliders[i].placeRenderCopy(motion);
            for (let s = 1; s <= slices; s++) {
                ghost.moveTo(s, slices, settings.fabric);
                if (ghost.mayTouch(this._bounds)) return true;
            }
        }
        return false;
    }

    /** Pushes the copy, in which all else is as drawn, out of the way of the colliders. To be asked after {@link needsUpdate}, with the same arguments. */
    resolve(cloth: RenderContactsHost, motion: RenderMotion): void {
        const { colliders } = cloth;
        const { positions: x, previous, residuals } = this;
        const { _sliceCount: slices } = this;
        for (let i = 0; i < colliders.length; i++) colliders[i].placeRenderCopy(motion);
        for (let s = 1; s <= slices; s++) {
            previous.set(x);
            residuals.fill(0);
            this._moveCollidersTo(cloth, s, slices);
            const nearCount = this._nearCount;
            // One alone has the last word at once, but for an ellipsoid's first-order distance.
            const passes = nearCount > 1 ? (s < slices ? RENDER_PASSES : LAST_RENDER_PASSES) : s < slices ? 1 : RENDER_PASSES;
            for (let pass = nearCount > 0 ? 0 : passes; pass < passes; pass++) this._resolveSlice(cloth);
        }
    }

    /** The box of the particles over the whole last step, as drawn. */
    private _measureBounds({ kernels }: RenderContactsHost, { map, isMoving }: RenderMotion): void {
        const { uniforms } = this._state;
        const { _bounds: bounds } = this;
        kernels.measureBounds(this._state);
        for (let c = 0; c < 3; c++) {
            bounds[c] = uniforms[Uniform.minimum + c] - uniforms[Uniform.motion];
            bounds[4 + c] = uniforms[Uniform.maximum + c] + uniforms[Uniform.motion];
        }
        if (isMoving) transformBox(map, bounds);
    }

    /** Moves the ghosts to the end of slice `s`, and finds those that can touch the particles there. */
    private _moveCollidersTo({ kernels, colliders, settings }: RenderContactsHost, s: number, slices: number): void {
        kernels.measureBounds(this);
        for (let i = 0; i < 8; i++) this._bounds[i] = this.uniforms[Uniform.minimum + i];
        this._nearCount = 0;
        for (let i = 0; i < colliders.length; i++) {
            const { renderCopy: ghost } = colliders[i];
            if (!ghost) continue;
            ghost.moveTo(s, slices, settings.fabric);
            ghost.isNear = ghost.hasPose && ghost.mayTouch(this._bounds);
            if (!ghost.isNear) continue;
            ghost.prepareContacts(kernels, this);
            this._nearColliders[this._nearCount++] = ghost;
        }
    }

    private _resolveSlice({ kernels, contacts }: RenderContactsHost): void {
        if (!contacts) return;
        contacts.begin(this._nearColliders, this._nearCount, this._nearCount);
        for (let i = 0; i < this._nearCount; i++) resolveParticles(kernels, this, contacts, this._nearColliders[i]);
    }
}

/** Box of a mapped box, in place: smallest x y z 0, largest x y z 0. */
function transformBox(map: Affine, box: Float32Array): void {
    const mx = (box[0] + box[4]) / 2;
    const my = (box[1] + box[5]) / 2;
    const mz = (box[2] + box[6]) / 2;
    const ex = box[4] - mx;
    const ey = box[5] - my;
    const ez = box[6] - mz;
    for (let c = 0; c < 3; c++) {
        const centre = mx * map[c] + my * map[4 + c] + mz * map[8 + c] + map[12 + c];
        const extent = ex * Math.abs(map[c]) + ey * Math.abs(map[4 + c]) + ez * Math.abs(map[8 + c]);
        box[c] = centre - extent;
        box[4 + c] = centre + extent;
    }
}

function sliceCountOf(distance: number): number {
    return distance < MAX_RENDER_SLICES * RENDER_SLICE_LENGTH ? Math.ceil(distance / RENDER_SLICE_LENGTH) : MAX_RENDER_SLICES;
}
