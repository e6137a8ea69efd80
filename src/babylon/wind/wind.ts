import {
    GustyWind,
    finite,
    finiteVector,
    isFiniteAffine,
    knownOptions,
    nonNegative,
    positive,
    reject,
    zoneShapes,
    windFieldOf,
} from "../../engine/index";
import type { VectorLike, WindData, WindZoneData, ZoneShape } from "../../engine/index";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import { worldMatrixOf } from "../support/carriers";
import type { Scene } from "@babylonjs/core/scene";
import { sceneLoopOf } from "../scene/sceneLoop";
import { namedVelocity } from "./namedWinds";
import type { WindName } from "./namedWinds";
import { windMaker } from "./windMaker";

/** Presets of gusts: none, those over open land, in a town, before a thunderstorm. */
export const Gusts = {
    steady: { turbulence: 0, gustLength: 50 },
    breezy: { turbulence: 0.3, gustLength: 50 },
    gusty: { turbulence: 0.45, gustLength: 50 },
    squally: { turbulence: 0.6, gustLength: 100 },
} as const;

/** Name of a preset of gusts. */
export type GustName = keyof typeof Gusts;

/** Options of {@link Wind}; each is also a property. */
export interface WindOptions {
    /** Mean velocity in world axes [m/s]. Default (0, 0, 0): still air. */
    velocity?: VectorLike;
    /** Gusts by name: a preset of `turbulence` and `gustLength`, which win where they are given. */
    gusts?: GustName;
    /** Strength of gusts as a share of the speed, 0 = steady. Default 0.3: peaks of three seconds are 1.5 times the mean. */
    turbulence?: number;
    /** Length of the longest gusts along the wind [m]; octaves of a half, a quarter … of it go with them. Default 50: near the ground. */
    gustLength?: number;
    /** Density of the air [kg/m³]. Default 1.2: at sea level and 20 °C. Water has 1000. */
    airDensity?: number;
    /** Drag coefficient of the cloth's face across the wind. Default 1.2: square plates and discs (Hoerner, Fluid-Dynamic Drag, 1965). */
    drag?: number;
    /**
     * Friction coefficient along the wind, of both sides together. Default 0.02: turbulent flow over a rough plate whose grains are
     * a thousandth of its length (Schlichting, Boundary-Layer Theory).
     */
    skinFriction?: number;
    /** Seed of the gust pattern; equal seeds give equal gusts. Default 0. */
    seed?: number;
    /** Zone of the wind; its velocity is then in the axes of the zone's node. Default null: everywhere. */
    zone?: WindZone | null;
}

const NAMES = ["velocity", "gusts", "turbulence", "gustLength", "airDensity", "drag", "skinFriction", "seed", "zone"] as const;

/**
 * Air: a mean velocity, and gusts that travel with it: lulls and peaks over ten seconds, a direction that wanders, shorter gusts within them. It acts on the cloth's
 * surface A by the wind r relative to it, F = ½ airDensity A |r| (drag (r·n) n + skinFriction r_t): across the face in the square of
 * the speed, which is drag and lift, and a little along it; towards the edge that meets the wind more than towards the other. One
 * wind may blow on any number of cloths; change its properties at any time.
 */
export class Wind {
    private _velocity = new Vector3();
    private _turbulence = 0.3;
    private _gustLength = 50;
    private _gusts: GustName = "breezy";
    private _airDensity = 1.2;
    private _drag = 1.2;
    private _skinFriction = 0.02;
    private _seed = 0;
    private _zone: ZoneBinding | null = null;
    /** Copies of this wind by the nodes of their zones: bodies of one copied hierarchy share one, as the originals do. */
    private readonly _copies = new WeakMap<object, Wind>();

    /**
     * @param options or the name of a wind, see {@link WindSpeeds}: it blows along the world's x axis, a little along its z axis
     * @throws RangeError on an unknown name or option, or a value out of range
     */
    constructor(options: WindOptions | WindName = {}) {
        if (typeof options === "string") options = { velocity: namedVelocity("Wind", options) };
        if (typeof options !== "object" || options === null) reject("Wind", "options", "an object", options);
        knownOptions("Wind", options, NAMES);
        if (options.gusts !== undefined) this.gusts = options.gusts;
        for (const [name, value] of Object.entries(options)) {
            if (value !== undefined && name !== "gusts") (this as Record<string, unknown>)[name] = value;
        }
        // Its zone is a ZoneBinding.
        GustyWind.forWind(this as unknown as WindData);
    }

    /**
     * Mean velocity in world axes, or in those of its zone's node [m/s]. It may be changed in place, `wind.velocity.scaleInPlace(2)`; a Vector3 that is assigned
     * is kept, of other objects a copy.
     */
    get velocity(): Vector3 {
        return this._velocity;
    }
    set velocity(value: VectorLike) {
        finiteVector("Wind", "velocity", value);
        this._velocity = "scaleInPlace" in value ? (value as Vector3) : new Vector3(value.x, value.y, value.z);
    }

    /** Gusts by name. Assigning one sets {@link turbulence} and {@link gustLength}. */
    get gusts(): GustName {
        return this._gusts;
    }
    set gusts(value: GustName) {
        if (!Object.hasOwn(Gusts, value)) reject("Wind", "gusts", `one of ${Object.keys(Gusts).join(", ")}`, value);
        this._gusts = value;
        Object.assign(this, Gusts[value]);
    }

    /** Strength of gusts as a share of the speed, >= 0. */
    get turbulence(): number {
        return this._turbulence;
    }
    set turbulence(value: number) {
        this._turbulence = nonNegative("Wind", "turbulence", value);
    }

    /** Length of the longest gusts along the wind [m], > 0. */
    get gustLength(): number {
        return this._gustLength;
    }
    set gustLength(value: number) {
        this._gustLength = positive("Wind", "gustLength", value);
    }

    /** Density of the air [kg/m³], >= 0. */
    get airDensity(): number {
        return this._airDensity;
    }
    set airDensity(value: number) {
        this._airDensity = nonNegative("Wind", "airDensity", value);
    }

    /** Drag coefficient of the cloth's face across the wind, >= 0. */
    get drag(): number {
        return this._drag;
    }
    set drag(value: number) {
        this._drag = nonNegative("Wind", "drag", value);
    }

    /** Friction coefficient along the wind, of both sides together, >= 0. */
    get skinFriction(): number {
        return this._skinFriction;
    }
    set skinFriction(value: number) {
        this._skinFriction = nonNegative("Wind", "skinFriction", value);
    }

    /** Seed of the gust pattern. */
    get seed(): number {
        return this._seed;
    }
    set seed(value: number) {
        this._seed = finite("Wind", "seed", value);
    }

    /** Zone of the wind; null: everywhere. In a zone, its velocity is in the axes of the zone's node. */
    get zone(): WindZone | null {
        return this._zone;
    }
    set zone(value: WindZone | null) {
        this._zone = value === null ? null : new ZoneBinding(value);
    }

    /** @internal The wind of a copied hierarchy: where the node of the zone was copied, another in a zone on the copy. */
    _followCopy(hierarchy: CopiedHierarchy): Wind {
        const node = this._zone && (hierarchy.copyOf(this._zone.node) as TransformNode | null);
        if (!node) return this;
        let copy = this._copies.get(node);
        if (!copy) {
            const { velocity, turbulence, gustLength, airDensity, drag, skinFriction, seed } = this;
            const { shape, falloff } = this._zone!;
            const zone = { shape, falloff, node };
            copy = new Wind({
                ...{ turbulence, gustLength, airDensity, drag, skinFriction, seed, zone },
                velocity: velocity.clone(),
            });
            copy._gusts = this._gusts;
            this._copies.set(node, copy);
        }
        return copy;
    }
}

windMaker.make = (owner, name) => new Wind({ velocity: namedVelocity(owner, name) });

/** Zone of a wind: a shape that follows a node, including its scaling. */
export interface WindZone {
    /**
     * `"box"`: a cube of side 1 about the node, as of `MeshBuilder.CreateBox`; `"sphere"`: a ball of diameter 1; `"cone"`: the stream of
     * a fan of diameter ½ at the node, along its z axis to 1, where it is 1 wide and half as fast.
     */
    shape: "box" | "sphere" | "cone";
    /** Node that the zone follows. After it is disposed the wind is still. */
    node: TransformNode;
    /** Depth below the zone's surface at which the wind reaches full strength, as a share of the distance to the middle, (0, 1]. Default 0.25. */
    falloff?: number;
}

const OWNER = "Wind: zone";
const ZONE_NAMES = ["shape", "node", "falloff"] as const;

/** A zone and its node. */
export class ZoneBinding implements WindZone, WindZoneData {
    readonly shape: ZoneShape;
    readonly node: TransformNode;
    readonly falloff: number;

    /** @throws RangeError on an unknown option or an invalid value */
    constructor(zone: WindZone) {
        if (typeof zone !== "object" || zone === null) reject("Wind", "zone", "{ shape, node, falloff? } or null", zone);
        knownOptions(OWNER, zone, ZONE_NAMES);
        const { shape, node, falloff = 0.25 } = zone;
        if (!Object.hasOwn(zoneShapes, shape)) {
            reject(OWNER, "shape", `one of ${Object.keys(zoneShapes).join(", ")}`, shape);
        }
        if (typeof node !== "object" || !node?.computeWorldMatrix) reject(OWNER, "node", "a TransformNode", node);
        if (positive(OWNER, "falloff", falloff) > 1) reject(OWNER, "falloff", "a number > 0 and <= 1", falloff);
        this.shape = shape;
        this.node = node;
        this.falloff = falloff;
    }

    world(): ArrayLike<number> | null {
        if (this.node.isDisposed() || !this.node.isEnabled() || !isInScene(this.node)) return null;
        const world = worldMatrixOf(this.node);
        return isFiniteAffine(world) ? world : null;
    }
}

/** True if a node is in one of its scene's lists: it may have been taken out. */
function isInScene(node: TransformNode): boolean {
    const scene = node.getScene();
    return scene.meshes.includes(node as AbstractMesh) || scene.transformNodes.includes(node);
}

/** Winds of a scene: they act on all its cloths, present and future, in addition to each cloth's own wind. */
export const Winds = {
    /**
     * Adds a wind to a scene; it acts on all its cloths. Velocities of several winds add up; density and coefficients are those of
     * the cloth's own wind, else of the first.
     * @throws RangeError on an invalid scene or wind
     */
    add(scene: Scene, wind: Wind): void {
        const { winds } = sceneLoopOf("Winds: add", scene).clock;
        const field = windFieldOf(wind) ?? reject("Winds: add", "wind", "a Wind", wind);
        if (!winds.includes(field)) winds.push(field);
    },

    /**
     * Removes a wind. No effect if it is not the scene's.
     * @throws RangeError on an invalid scene or wind
     */
    remove(scene: Scene, wind: Wind): void {
        const { winds } = sceneLoopOf("Winds: remove", scene).clock;
        const index = winds.indexOf(windFieldOf(wind) ?? reject("Winds: remove", "wind", "a Wind", wind));
        if (index >= 0) winds.splice(index, 1);
    },
};
