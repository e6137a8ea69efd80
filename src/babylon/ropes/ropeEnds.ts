import { ParticleTie, TieEnd, TwistPins, couplingIslandOf, integer, reject } from "../../engine/index";
import type { Body, PinSet, RopeSettings, Twist } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import type { MeshCarrier } from "../support/carriers";
import { PinBinding, Suddenness } from "../pins/pinBinding";
import type { Select } from "../pins/select";
import { createWarnOnce } from "../support/logger";
import { PinHold } from "../pins/pinHold";
import type { PinSelection } from "../pins/pinHold";

/** A vertex of a cloth mesh, as the target of a rope's end. */
export interface ClothVertex {
    readonly cloth: ClothBehavior;
    /** Its number on the cloth's mesh. */
    readonly vertex: number;
}

/** True for a cloth vertex, not for a node: builders' meshes have a `cloth`, too. */
export function isClothVertex(value: object | null): value is ClothVertex {
    return typeof value === "object" && value !== null && "cloth" in value && !("getWorldMatrix" in value);
}

/** The driver of its cloth. @throws RangeError if there is no such vertex */
function clothDriverAt({ cloth, vertex }: ClothVertex, owner: string, option: string): BodyRuntime {
    const runtime = typeof cloth === "object" && cloth !== null && runtimeOf(cloth);
    if (!runtime) return reject(owner, `${option}.cloth`, "a ClothBehavior", cloth);
    const count = runtime.instance?.binding.vertexCount ?? Number.MAX_SAFE_INTEGER;
    integer(owner, `${option}.vertex`, 0, vertex, count - 1);
    return runtime;
}

/** World position of a cloth vertex, x y z [m]; null while the cloth is on no mesh. @throws RangeError if there is no such vertex */
export function positionOfVertex(at: ClothVertex, owner: string, option: string): number[] | null {
    if (!clothDriverAt(at, owner, option).instance) return null;
    const o = 3 * at.cloth.particleOfVertex(at.vertex);
    return Array.from(at.cloth.getParticlePositions().subarray(o, o + 3));
}

/** Ties the end of a rope to a cloth vertex while both are on their meshes, with equal and opposite forces; see engine/attachments/couplings/particleTie.ts. */
export class VertexTie extends PinBinding {
    private readonly _runtime: BodyRuntime;
    private readonly _warn: (message: string) => void;
    private _rope: Body | null = null;
    private _particle = 0;
    private _scene: unknown = null;
    private _tie: ParticleTie | null = null;
    /** The cloth's attachment that it is tied to. */
    private _attachment: BodyInstance | null = null;

    /** @throws RangeError when there is no such vertex */
    constructor(
        select: Select,
        readonly at: ClothVertex,
        owner: string,
        option: string,
    ) {
        super(select, null, null, owner, option);
        this._runtime = clothDriverAt(at, owner, option);
        this._warn = createWarnOnce(owner);
    }

    /** The cloth's mesh, while it is on one. */
    override get target(): BodyInstance["mesh"] | null {
        return this._attachment?.mesh ?? null;
    }

    override get particleCount(): number {
        return this._tie ? 1 : 0;
    }

    override get isDisposed(): boolean {
        return this._attachment?.mesh.isDisposed() ?? false;
    }

    override attach(rope: Body, { particles }: PinSelection, own: MeshCarrier): void {
        this._rope = rope;
        this._particle = particles[0];
        this._scene = own.mesh.getScene();
        this._syncTie();
    }

    override detach(): void {
        this._untie();
        this._rope = this._attachment = null;
    }

    override update(): void {
        this._syncTie();
    }

    /** Ties it again in the current state. */
    override captureOffsets(): void {
        this._untie();
        this._attachment = null;
        this._syncTie();
    }

    override findDynamicCarrier(): void {}

    /** At the end of a frame: synchronises the clocks if one body has missed a step of the other. */
    override applyReaction(): void {
        if (this._tie?.wasOutOfStep) this._tie.syncClocks();
    }

    override measureSuddenness(): Suddenness {
        return Suddenness.none;
    }

    override readMotion(): boolean {
        return false;
    }

    /** Ties it to the current body of the cloth; without one, the end is free. */
    private _syncTie(): void {
        const { instance } = this._runtime;
        if (instance === this._attachment || !this._rope) return;
        this._untie();
        this._attachment = instance;
        if (!instance) return;
        const { cloth, binding, mesh, world } = instance;
        const { vertex } = this.at;
        const complaint =
            vertex >= binding.vertexCount
                ? `has no vertex ${vertex}`
                : mesh.getScene() !== this._scene
                  ? "is in another scene"
                  : null;
        if (complaint) {
            this._warn(`the end of a rope is free, since "${mesh.name}" ${complaint}`);
            return;
        }
        const rope = this._rope;
        (rope.settings as RopeSettings).leader ??= cloth.settings;
        this._tie = new ParticleTie(new TieEnd(cloth, binding.particleOfVertex[vertex]), new TieEnd(rope, this._particle));
        couplingIslandOf(world).add(this._tie);
    }

    private _untie(): void {
        const { _tie: tie, _attachment: instance, _rope: rope } = this;
        this._tie = null;
        if (!tie || !instance || !rope) return;
        couplingIslandOf(instance.world).remove(tie);
        const settings = rope.settings as RopeSettings;
        if (settings.leader === instance.cloth.settings) settings.leader = null;
        rope.invalidate();
    }
}

/** Hold of a rope's end that turns with its target. */
export class TwistHold extends PinHold {
    /** @param _twistOf that of the running rope */
    constructor(
        private readonly _isEnd: boolean,
        private readonly _twistOf: () => Twist,
    ) {
        super();
    }

    /** @internal */
    override _createPins({ particles }: PinSelection): PinSet {
        return new TwistPins(particles, this._isEnd, this._twistOf());
    }

    /** Follows from the rope's options. @internal */
    override _toData(): null {
        return null;
    }
}
