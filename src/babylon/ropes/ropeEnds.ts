import type { Body } from "../../engine/bodies/body";
import { couplingIslandOf } from "../../engine/attachments/couplings/couplingIsland";
import { ParticleTie, TieEnd } from "../../engine/attachments/couplings/particleTie";
import type { RopeSettings } from "../../engine/rope/ropeMaterial";
import { integer, reject } from "../../engine/state/validate";
import type { Attachment } from "../attachment";
import type { ClothBehavior } from "../clothBehavior";
import { driverOf } from "../clothDriver";
import type { ClothDriver } from "../clothDriver";
import type { OwnMesh } from "../nodes";
import { PinBinding } from "../pins/pinBinding";
import type { Select } from "../pins/select";
import { warner } from "../warner";
import type { Twist } from "../../engine/rope/twist";
import type { PinSet } from "../../engine/attachments/pinSet";
import { TwistPins } from "../../engine/attachments/twistPins";
import { PinHold } from "../pins/pinHold";
import type { Held } from "../pins/pinHold";

/** A vertex of a mesh that is cloth, for the end of a rope to be tied to. */
export interface ClothVertex {
    readonly cloth: ClothBehavior;
    /** Its number on the cloth's mesh. */
    readonly vertex: number;
}

/** Whether it is meant to be one; builders' meshes have a `cloth`, too, and are nodes. */
export function isClothVertex(value: object | null): value is ClothVertex {
    return typeof value === "object" && value !== null && "cloth" in value && !("getWorldMatrix" in value);
}

/** The driver of its cloth. @throws RangeError when there is no such vertex */
function clothDriverAt({ cloth, vertex }: ClothVertex, owner: string, option: string): ClothDriver {
    const driver = typeof cloth === "object" && cloth !== null && driverOf(cloth);
    if (!driver) return reject(owner, `${option}.cloth`, "a ClothBehavior", cloth);
    const count = driver.attachment?.binding.vertexCount ?? Number.MAX_SAFE_INTEGER;
    integer(owner, `${option}.vertex`, 0, vertex, count - 1);
    return driver;
}

/** Where a vertex of cloth is, world space x y z [m]; null while that is on no mesh. @throws RangeError when there is none */
export function positionOfVertex(at: ClothVertex, owner: string, option: string): number[] | null {
    if (!clothDriverAt(at, owner, option).attachment) return null;
    const o = 3 * at.cloth.particleOfVertex(at.vertex);
    return Array.from(at.cloth.getParticlePositions().subarray(o, o + 3));
}

/** Ties the end of a rope to a vertex of cloth, as long as both are on their meshes: each pulls the other, see engine/attachments/couplings/particleTie.ts. */
export class VertexTie extends PinBinding {
    private readonly _driver: ClothDriver;
    private readonly _warn: (message: string) => void;
    private _rope: Body | null = null;
    private _particle = 0;
    private _scene: unknown = null;
    private _tie: ParticleTie | null = null;
    /** The attachment of the cloth that was last looked at. */
    private _attachment: Attachment | null = null;

    /** @throws RangeError when there is no such vertex */
    constructor(
        select: Select,
        readonly at: ClothVertex,
        owner: string,
        option: string,
    ) {
        super(select, null, null, owner, option);
        this._driver = clothDriverAt(at, owner, option);
        this._warn = warner(owner);
    }

    /** The cloth's mesh, while it is on one. */
    override get target(): Attachment["mesh"] | null {
        return this._attachment?.mesh ?? null;
    }

    override get particleCount(): number {
        return this._tie ? 1 : 0;
    }

    override get isDisposed(): boolean {
        return this._attachment?.mesh.isDisposed() ?? false;
    }

    override attach(rope: Body, { particles }: Held, own: OwnMesh): void {
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

    /** Begins anew, from where both are. */
    override grab(): void {
        this._untie();
        this._attachment = null;
        this._syncTie();
    }

    override findTaker(): void {}

    /** At the end of a frame: what has missed a step of the other's keeps its time again. */
    override giveBack(): void {
        if (this._tie?.wasOutOfStep) this._tie.syncClocks();
    }

    override isJump(): boolean {
        return false;
    }

    override readMotion(): boolean {
        return false;
    }

    /** Ties it to the cloth as it is built now; where there is none, the end is free. */
    private _syncTie(): void {
        const { attachment } = this._driver;
        if (attachment === this._attachment || !this._rope) return;
        this._untie();
        this._attachment = attachment;
        if (!attachment) return;
        const { cloth, binding, mesh, world } = attachment;
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
        const { _tie: tie, _attachment: attachment, _rope: rope } = this;
        this._tie = null;
        if (!tie || !attachment || !rope) return;
        couplingIslandOf(attachment.world).remove(tie);
        const settings = rope.settings as RopeSettings;
        if (settings.leader === attachment.cloth.settings) settings.leader = null;
        rope.invalidate();
    }
}

/** The end of a rope that twists with what it is tied to. */
export class TwistHold extends PinHold {
    /** @param _twistOf that of the running rope */
    constructor(
        private readonly _isEnd: boolean,
        private readonly _twistOf: () => Twist,
    ) {
        super();
    }

    /** @internal */
    override _take({ particles }: Held): PinSet {
        return new TwistPins(particles, this._isEnd, this._twistOf());
    }

    /** Follows from the rope's options. @internal */
    override _toData(): null {
        return null;
    }
}
