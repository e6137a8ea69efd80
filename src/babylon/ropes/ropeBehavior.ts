import {
    createRope,
    defaultRope,
    defaultSettings,
    deriveFabric,
    integer,
    nonNegative,
    polylineLength,
    positive,
    reject,
} from "../../engine/index";
import type { Rope, RopeMaterial, RopeSettings } from "../../engine/index";
import { fileKinds } from "../files/format/fileFormat";
import { PinBinding } from "../pins/pinBinding";
import type { Selector } from "../pins/selectContext";
import { ChainBinding } from "./chainBinding";
import { OWNER, RopeBinding } from "./ropeBinding";
import { SurfaceBehavior } from "../behaviors/surfaceBehavior";
import { TwistHold, isClothVertex, VertexTie } from "./ropeEnds";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { BODY_OPTION_NAMES } from "../behaviors/bodyOptions";
import type { BodyOptions } from "../behaviors/bodyOptions";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { WindName } from "../wind/namedWinds";
import type { Wind } from "../wind/wind";
import type { ClothVertex } from "./ropeEnds";

/** Targets that the end of a rope can be tied to. */
export type RopeEnd = TransformNode | Bone | ClothVertex;

/** Options of a rope; each is also a property of {@link RopeBehavior}, documented there. */
export interface RopeOptions extends BodyOptions {
    length?: number | null;
    linearDensity?: number;
    stretchStiffness?: number;
    bendStiffness?: number;
    twistStiffness?: number;
    startMass?: number;
    endMass?: number;
    radius?: number;
    selfCollision?: boolean;
    wind?: Wind | WindName | null;
    inertia?: InertiaOptions | null;
    friction?: number;
    damping?: number;
    segmentCount?: number | null;
    start?: RopeEnd | null;
    end?: RopeEnd | null;
}

export const ROPE_OPTION_NAMES: readonly (keyof RopeOptions)[] = [
    "segmentCount",
    "twistStiffness",
    "start",
    "end",
    "length",
    "linearDensity",
    "stretchStiffness",
    "bendStiffness",
    "startMass",
    "endMass",
    "radius",
    "selfCollision",
    "wind",
    "inertia",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];

/** Defaults of the fabric's properties that a rope has: radius [m], friction coefficient, damping [1/s]. */
const DEFAULTS = { thickness: 0.01, friction: 0.4, damping: 0.4 };

/**
 * Simulates a mesh as a rope. Add it to a tube, a ribbon or a line that is longer than thick:
 *
 *     const rope = new RopeBehavior({ start: hook, end: crate });
 *     MeshBuilder.CreateTube("rope", { path, radius: 0.02, cap: Mesh.CAP_ALL }, scene).addBehavior(rope);
 *
 * Its particles lie along the centre line, one in the middle of each ring of vertices (or {@link segmentCount} + 1 of them), so
 * the mesh's rings set the bending resolution. Its bending rest shape is straight, whatever the shape of the mesh. Under high tension it takes
 * up to 64 substeps automatically; see the reference for the largest load. Rings of vertices keep the twist of the rest mesh, and turn with the targets of the ends if {@link twistStiffness} is above 0. Two or more thin instances of a mesh are a chain of links.
 * Options shared with {@link ClothBehavior} have equal meaning. Closed loops are not supported.
 */
export class RopeBehavior extends SurfaceBehavior {
    /** Name under which `mesh.getBehaviorByName` finds the rope. */
    override readonly name = "Rope";
    private readonly _rope: RopeMaterial;
    private _segmentCount: number | null = null;
    private _length: number | null = null;
    private _running: Rope | null = null;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: RopeOptions = {}) {
        const settings: RopeSettings = Object.assign(defaultSettings(), { rope: defaultRope() });
        const { rope } = settings;
        settings.fabric = deriveFabric(settings.fabric, DEFAULTS);
        super(
            {
                owner: OWNER,
                bind: (mesh, _kernels, toWorld, { cloneListener }) =>
                    mesh.hasThinInstances
                        ? new ChainBinding(mesh, toWorld)
                        : new RopeBinding(mesh, toWorld, cloneListener, this._segmentCount),
                build: (binding, kernels, _settings, _pose, rest, origin) => {
                    rope.length = this._length ?? polylineLength(rest);
                    const running = (this._running = createRope(kernels, rest, settings, origin));
                    (binding as RopeBinding | ChainBinding).setTwist(running.twist);
                    return running;
                },
            },
            settings,
        );
        this._rope = rope;
        this._assign(options, ROPE_OPTION_NAMES);
    }

    /**
     * Rest length [m], > 0; null (default): that of the mesh at attach. Assigning it every frame makes a winch: the change is distributed over all segments and over the
     * substeps of the next step; the mass changes with it.
     */
    get length(): number | null {
        return this._length ?? (this.attachedNode ? this._rope.length : null);
    }
    set length(value: number | null) {
        this._length = value === null ? null : positive(OWNER, "length", value);
        if (value !== null) this._change("length", value);
    }

    /** Mass per length [kg/m], > 0. Default 0.08: 10 mm of hemp or nylon. The rope's mass is at least a hundredth of {@link startMass} and {@link endMass}. */
    get linearDensity(): number {
        return this._rope.linearDensity;
    }
    set linearDensity(value: number) {
        this._change("linearDensity", positive(OWNER, "linearDensity", value));
    }

    /** Force per unit strain [N], > 0. Default Infinity: inextensible. Nylon of 10 mm: about 4e4; a bungee cord of 10 mm: about 100. */
    get stretchStiffness(): number {
        return this._rope.stretchStiffness;
    }
    set stretchStiffness(value: number) {
        if (!(typeof value === "number" && value > 0))
            reject(OWNER, "stretchStiffness", "a number > 0 (Infinity = inextensible)", value);
        this._change("stretchStiffness", value);
    }

    /** Moment per curvature [N m²], >= 0 and finite; any is stable. Default 1e-4: limp. Steel cable of 10 mm: about 1. */
    get bendStiffness(): number {
        return this._rope.bendStiffness;
    }
    set bendStiffness(value: number) {
        this._change("bendStiffness", nonNegative(OWNER, "bendStiffness", value));
    }

    /**
     * Moment per twist rate [N m²], >= 0 and finite. The moment is limited to that of bending between segments, 2 {@link bendStiffness} / segment length. Above 0, the rope turns with
     * the nodes that it is tied to: with one as a whole; between two it twists, acts back on them, and coils up where the twist exceeds bending and tension. Default 0: ends turn
     * freely. For a round wire it is 0.77 of the bending stiffness.
     */
    get twistStiffness(): number {
        return this._rope.twistStiffness;
    }
    set twistStiffness(value: number) {
        const stiffness = nonNegative(OWNER, "twistStiffness", value);
        const isOther = stiffness > 0 !== this.twistStiffness > 0;
        this._change("twistStiffness", stiffness);
        if (isOther) for (const end of ["start", "end"] as const) this._setEnd(end, this._endTarget(end));
    }

    /** Load on the first particle [kg], >= 0. Default 0. The first particle is the end nearer to the mesh's first vertex: the start of a tube's path. */
    get startMass(): number {
        return this._rope.startMass;
    }
    set startMass(value: number) {
        this._change("startMass", nonNegative(OWNER, "startMass", value));
    }

    /** Load on the last particle [kg], >= 0. Default 0. */
    get endMass(): number {
        return this._rope.endMass;
    }
    set endMass(value: number) {
        this._change("endMass", nonNegative(OWNER, "endMass", value));
    }

    /** Half its thickness [m], >= 0: contact distance of the centre line, and radius of air drag. Default 0.01. */
    get radius(): number {
        return this._settings.fabric.thickness;
    }
    set radius(value: number) {
        this._changeFabric({ thickness: nonNegative(OWNER, "radius", value) });
    }

    /**
     * True to collide with itself, with other ropes of its scene that have it, and with cloth that has {@link ClothBehavior.selfCollision}. Its segments have
     * {@link radius}. A rope does not collide with the cloth that it is tied to. Collision groups and masks apply. Default false.
     */
    get selfCollision(): boolean {
        return this._runtime.selfCollision.kind !== false;
    }
    set selfCollision(value: boolean) {
        if (typeof value !== "boolean") reject(OWNER, "selfCollision", "true or false", value);
        this._runtime.selfCollision.kind = value && "triangles";
        this._runtime.syncColliders();
    }

    /** Coulomb friction coefficient against colliders that set none of their own, >= 0. Default 0.4. */
    get friction(): number {
        return this._settings.fabric.friction;
    }
    set friction(value: number) {
        this._changeFabric({ friction: nonNegative(OWNER, "friction", value) });
    }

    /** Damping rate of the rope's velocity [1/s], >= 0. Default 0.4. {@link startMass} and {@link endMass} of a held rope swing undamped. */
    get damping(): number {
        return this._settings.fabric.damping;
    }
    set damping(value: number) {
        this._changeFabric({ damping: nonNegative(OWNER, "damping", value) });
    }

    /** Number of segments, an integer from 1 to 4096; null (default): one between adjacent rings of the mesh. Assigning it while attached rebuilds the rope. */
    get segmentCount(): number | null {
        return this._segmentCount;
    }
    set segmentCount(value: number | null) {
        this._segmentCount = value === null ? null : integer(OWNER, "segmentCount", 1, value, 4096);
        this._runtime.rebuild();
    }

    /**
     * Target of its first particle: a TransformNode (the rope's mesh is one) or a Bone that it follows; a physics body of the node feels the pull. Or a
     * {@link ClothVertex}, with equal and opposite forces. Null (default): free.
     */
    get start(): RopeEnd | null {
        return this._endTarget("start");
    }
    set start(value: RopeEnd | null) {
        this._setEnd("start", value);
    }

    /** Target of its last particle, see {@link start}. */
    get end(): RopeEnd | null {
        return this._endTarget("end");
    }
    set end(value: RopeEnd | null) {
        this._setEnd("end", value);
    }

    private _endTarget(end: "start" | "end"): RopeEnd | null {
        const pin = this._runtime.pinList.pinOfOption(end);
        return pin instanceof VertexTie ? pin.at : (pin?.target ?? null);
    }

    private _setEnd(end: "start" | "end", target: RopeEnd | null): void {
        const { pinList } = this._runtime;
        if (target === null) return pinList.setOptionPin(end, null);
        const selector = new EndSelector(end);
        const tied = isClothVertex(target);
        const hold = this.twistStiffness > 0 ? new TwistHold(end === "end", () => this._running!.twist) : null;
        pinList.setOptionPin(
            end,
            tied ? new VertexTie(selector, target, OWNER, end) : new PinBinding(selector, target, hold, OWNER, end),
        );
    }

    private _change<Name extends keyof RopeMaterial>(name: Name, value: RopeMaterial[Name]): void {
        this._rope[name] = value;
        this._runtime.instance?.cloth.invalidate();
    }

    /** @internal */
    protected override _createAnother(options: RopeOptions): RopeBehavior {
        return new RopeBehavior(options);
    }
}

fileKinds.rope = { names: ROPE_OPTION_NAMES, make: (options) => new RopeBehavior(options) };

/** Selects the vertices of a rope's end. */
class EndSelector implements Selector {
    constructor(private readonly _end: "start" | "end") {}

    pick({ particleOfVertex }: { readonly particleOfVertex?: Uint32Array }): number[] {
        const particles = particleOfVertex!;
        const wanted = this._end === "start" ? 0 : particles.reduce((last, p) => Math.max(last, p), 0);
        return Array.from(particles.keys()).filter((v) => particles[v] === wanted);
    }
}
