import { LAST_RENDER_PASSES, MAX_RENDER_SLICES, MIN_VISIBLE_DISTANCE, RENDER_PASSES, RENDER_SLICE_LENGTH } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import type { Kernels } from "../../../kernels/kernelTable";
import { ParticleLayout, ROW, rowOf, Uniform } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { Collider } from "../shapes/collider";
import { resolveParticles } from "./contactResolver";
import type { Contacts } from "./contactResolver";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";

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
export class RenderContacts extends ArenaStruct implements ParticleArrays {
    readonly particleCount: number;
    readonly paddedCount: number;
    readonly blockCount: number;
    /** Positions as drawn [m], shape [paddedCount, 4]; written by {@link resolve}. */
    positions!: Float32Array;
    previous!: Float32Array;
    /** Rendered particles have no speed but what a contact gives them in a slice. */
    residuals!: Float32Array;
    blockBounds!: Float32Array;
    uniforms!: Float32Array;
    private readonly _bounds = new Float32Array(8);
    /** Offset of a collider from its rendered pose [m]. */
    private readonly _distance = new Float64Array(1);
    /** Ghost colliders that can touch the particles in the present slice, and their number. */
    private readonly _nearColliders: Collider[] = [];
    private _nearCount = 0;
    /** Number of slices between the rendered and the present state. */
    private _sliceCount = 0;

    constructor(
        arena: Arena,
        private readonly _state: BodyState,
    ) {
        super(ParticleLayout, ["positions", "previous", "residuals", "blockBounds", "uniforms"]);
        this.particleCount = _state.particleCount;
        this.paddedCount = _state.paddedCount;
        this.blockCount = _state.blockCount;
        this._allocate(arena);
    }

    get inverseMasses(): Float32Array {
        return this._state.inverseMasses;
    }

    /** Marks the rendered state as not between two steps. */
    get stepStart(): Float32Array {
        return this.positions;
    }

    /**
     * True if a collider can push the body between the rendered and the present state.
     * @param alpha interpolation of the rendered state between the start (0) and the end (1) of the last step
     * @param lag translation of the whole rendered state, x y z [m]
     */
    needsUpdate(cloth: RenderContactsHost, alpha: number, lag: Float64Array): boolean {
        const { colliders, settings } = cloth;
        let longest = 0;
        for (let i = 0; i < colliders.length; i++) {
            const { renderCopy: ghost } = colliders[i];
            if (!ghost) continue;
            colliders[i].measureRenderLag(alpha, lag, this._distance);
            const distance = this._distance[0];
            ghost.isNear = distance > MIN_VISIBLE_DISTANCE;
            if (distance > longest) longest = distance;
        }
        const slices = (this._sliceCount = sliceCountOf(longest));
        if (!(longest > MIN_VISIBLE_DISTANCE)) return false;
        this._measureBounds(cloth, lag);
        for (let i = 0; i < colliders.length; i++) {
            const { renderCopy: ghost } = colliders[i];
            if (!ghost?.isNear) continue;
            colliders[i].placeRenderCopy(alpha, lag);
            for (let s = 1; s <= slices; s++) {
                ghost.moveTo(s, slices, settings.fabric);
                if (ghost.mayTouch(this._bounds)) return true;
            }
        }
        return false;
    }

    /** Takes the particles as drawn and pushes them out of the way of the colliders. To be asked after {@link needsUpdate}, with the same arguments. */
    resolve(cloth: RenderContactsHost, alpha: number, lag: Float64Array): void {
        const { colliders } = cloth;
        const { positions: x, previous, residuals, particleCount } = this;
        const { positions: to, stepStart: from } = this._state;
        const dx = lag[0];
        const dy = lag[1];
        const dz = lag[2];
        for (let o = 0, end = rowOf(particleCount); o < end; o += ROW) {
            x[o] = from[o] + (to[o] - from[o]) * alpha + dx;
            x[o + 1] = from[o + 1] + (to[o + 1] - from[o + 1]) * alpha + dy;
            x[o + 2] = from[o + 2] + (to[o + 2] - from[o + 2]) * alpha + dz;
        }
        const { _sliceCount: slices } = this;
        for (let i = 0; i < colliders.length; i++) colliders[i].placeRenderCopy(alpha, lag);
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
    private _measureBounds({ kernels }: RenderContactsHost, lag: Float64Array): void {
        const { uniforms } = this._state;
        kernels.measureBounds(this._state);
        for (let c = 0; c < 3; c++) {
            this._bounds[c] = uniforms[Uniform.minimum + c] - uniforms[Uniform.motion] + lag[c];
            this._bounds[4 + c] = uniforms[Uniform.maximum + c] + uniforms[Uniform.motion] + lag[c];
        }
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

function sliceCountOf(distance: number): number {
    return distance < MAX_RENDER_SLICES * RENDER_SLICE_LENGTH ? Math.ceil(distance / RENDER_SLICE_LENGTH) : MAX_RENDER_SLICES;
}
