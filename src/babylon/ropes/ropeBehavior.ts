import { createRope, polylineLength } from "../../engine/bodies/rope";
import type { Rope } from "../../engine/bodies/rope";
import { defaultRope } from "../../engine/rope/ropeMaterial";
import type { RopeMaterial, RopeSettings } from "../../engine/rope/ropeMaterial";
import { deriveFabric } from "../../engine/materials/fabric";
import { defaultSettings } from "../../engine/state/settings";
import { integer, nonNegative, positive, reject } from "../../engine/state/validate";
import { fileKinds } from "../files/format/fileFormat";
import { PinBinding } from "../pins/pinBinding";
import type { Selector } from "../pins/selectContext";
import { ChainBinding } from "./chainBinding";
import { OWNER, RopeBinding } from "./ropeBinding";
import { SurfaceBehavior } from "../surfaceBehavior";
import { TwistHold, isClothVertex, VertexTie } from "./ropeEnds";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { BODY_OPTION_NAMES } from "../bodyOptions";
import type { BodyOptions } from "../bodyOptions";
import type { Wind } from "../wind/wind";
import type { ClothVertex } from "./ropeEnds";

/** What the end of a rope can be tied to. */
export type RopeEnd = TransformNode | Bone | ClothVertex;

/** Options of a rope; each is also a property of {@link RopeBehavior}, where its meaning is told. Those of cloth mean the same. */
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
    wind?: Wind | null;
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
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];

/** What a rope has of the fabric's properties by default: the rest is not asked for. */
const DEFAULT_RADIUS = 0.01;
const DEFAULT_FRICTION = 0.4;
const DEFAULT_DAMPING = 0.4;

/**
 * Makes a mesh a rope. Add it to a tube, a ribbon or a line, one that is longer than thick:
 *
 *     const rope = new RopeBehavior({ start: hook, end: crate });
 *     MeshBuilder.CreateTube("rope", { path, radius: 0.02, cap: Mesh.CAP_ALL }, scene).addBehavior(rope);
 *
 * Its particles lie along the centre line, one in the middle of each ring of vertices (or {@link segmentCount} and one of them), so
 * the mesh says how finely the rope bends. It is straight when nothing bends it, whatever form the mesh has at rest. What is pulled hard takes
 * up to 64 substeps by itself, see the reference for how heavy a load may be. Rings of vertices follow with the twist of the mesh at rest, and turn with what its ends are tied to where {@link twistStiffness} says so. The thin instances of a mesh, two or more in a row, are a chain of such links.
 * What an option shares with {@link ClothBehavior} means the same. Not there: closed loops.
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
        const fabric = { thickness: DEFAULT_RADIUS, friction: DEFAULT_FRICTION, damping: DEFAULT_DAMPING };
        settings.fabric = deriveFabric(settings.fabric, fabric);
        super(
            {
                owner: OWNER,
                bind: (mesh, _kernels, toWorld, clones) =>
                    mesh.hasThinInstances
                        ? new ChainBinding(mesh, toWorld)
                        : new RopeBinding(mesh, toWorld, clones, this._segmentCount),
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
     * Length at rest [m], > 0; null (default): as the mesh is at attach, and then that. Assign it from frame to frame and it is a winch: all links share what is
     * paid out or taken in, evenly over the substeps of the next step; the mass goes with it.
     */
    get length(): number | null {
        return this._length ?? (this.attachedNode ? this._rope.length : null);
    }
    set length(value: number | null) {
        this._length = value === null ? null : positive(OWNER, "length", value);
        if (value !== null) this._change("length", value);
    }

    /** Mass per length [kg/m], > 0. Default 0.08: 10 mm of hemp or nylon. The rope weighs a hundredth of {@link startMass} and {@link endMass} at least. */
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
     * Moment per twist, an angle per length [N m²], >= 0 and finite; at most what bending bears between links, 2 {@link bendStiffness} over their length, is passed on. Where it is above 0, the rope turns with the nodes that it is tied
     * to: with one as a whole; between two, it is twisted, turns them back, and winds itself up where that is more than bending and tension hold. Default 0: ends turn freely. Of a round wire
     * it is 0.77 of the bending stiffness.
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

    /** What hangs on the first particle [kg], >= 0. Default 0. The first is that nearer to the mesh's first vertex: a tube's begins with its path. */
    get startMass(): number {
        return this._rope.startMass;
    }
    set startMass(value: number) {
        this._change("startMass", nonNegative(OWNER, "startMass", value));
    }

    /** What hangs on the last particle [kg], >= 0. Default 0. */
    get endMass(): number {
        return this._rope.endMass;
    }
    set endMass(value: number) {
        this._change("endMass", nonNegative(OWNER, "endMass", value));
    }

    /** Half its thickness [m], >= 0: the distance that the centre line keeps from colliders, and what meets the wind. Default 0.01. */
    get radius(): number {
        return this._settings.fabric.thickness;
    }
    set radius(value: number) {
        this._changeFabric({ thickness: nonNegative(OWNER, "radius", value) });
    }

    /**
     * Whether it keeps off itself, off other ropes of its scene and backend that do, and off cloth that does ({@link ClothBehavior.selfCollision}): its links are as
     * thick as {@link radius} says. What it is tied to it does not keep off. Which of them meet, their groups decide, as with colliders. Default false.
     */
    get selfCollision(): boolean {
        return this._driver.layers.kind !== false;
    }
    set selfCollision(value: boolean) {
        if (typeof value !== "boolean") reject(OWNER, "selfCollision", "true or false", value);
        this._driver.layers.kind = value && "triangles";
        this._driver.meet();
    }

    /** Coulomb friction coefficient against colliders that set none of their own, >= 0. Default 0.4. */
    get friction(): number {
        return this._settings.fabric.friction;
    }
    set friction(value: number) {
        this._changeFabric({ friction: nonNegative(OWNER, "friction", value) });
    }

    /** Rate at which motion dies away [1/s], >= 0. Default 0.4. */
    get damping(): number {
        return this._settings.fabric.damping;
    }
    set damping(value: number) {
        this._changeFabric({ damping: nonNegative(OWNER, "damping", value) });
    }

    /** Links, an integer from 1 to 4096; null (default): one from ring to ring of the mesh. Assigning it while attached builds the rope anew. */
    get segmentCount(): number | null {
        return this._segmentCount;
    }
    set segmentCount(value: number | null) {
        this._segmentCount = value === null ? null : integer(OWNER, "segmentCount", 1, value, 4096);
        this._driver.rebuild();
    }

    /**
     * What its first particle is tied to: a TransformNode (the rope's mesh is one) or a Bone that carries it, also one that a physics body moves, which then feels
     * the pull; a {@link ClothVertex}, which it pulls as that pulls it; null (default): nothing.
     */
    get start(): RopeEnd | null {
        return this._endTarget("start");
    }
    set start(value: RopeEnd | null) {
        this._setEnd("start", value);
    }

    /** The same for the last particle. */
    get end(): RopeEnd | null {
        return this._endTarget("end");
    }
    set end(value: RopeEnd | null) {
        this._setEnd("end", value);
    }

    private _endTarget(end: "start" | "end"): RopeEnd | null {
        const pin = this._driver.pinList.ofOption(end);
        return pin instanceof VertexTie ? pin.at : (pin?.target ?? null);
    }

    private _setEnd(end: "start" | "end", target: RopeEnd | null): void {
        const { pinList } = this._driver;
        if (target === null) return pinList.setOfOption(end, null);
        const selector = new EndSelector(end);
        const tied = isClothVertex(target);
        const hold = this.twistStiffness > 0 ? new TwistHold(end === "end", () => this._running!.twist) : null;
        pinList.setOfOption(
            end,
            tied ? new VertexTie(selector, target, OWNER, end) : new PinBinding(selector, target, hold, OWNER, end),
        );
    }

    private _change<Name extends keyof RopeMaterial>(name: Name, value: RopeMaterial[Name]): void {
        this._rope[name] = value;
        this._driver.attachment?.cloth.invalidate();
    }

    /** @internal */
    protected override _another(options: RopeOptions): RopeBehavior {
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
