import {
    createPlant,
    defaultPlant,
    defaultSettings,
    deriveFabric,
    fabricOf,
    mapPointCloud,
    nonNegative,
    positive,
    reject,
    topologyOf,
} from "../../engine/index";
import type { PlantMaterial, PlantSettings } from "../../engine/index";
import { fileKinds } from "../files/format/fileFormat";
import { MeshBinding } from "../mesh/meshBinding";
import { SurfaceBehavior } from "../behaviors/surfaceBehavior";
import { BODY_OPTION_NAMES } from "../behaviors/bodyOptions";
import type { BodyOptions, SelfCollision } from "../behaviors/bodyOptions";
import type { InertiaOptions } from "../behaviors/inertiaBinding";
import type { WindName } from "../wind/namedWinds";
import type { Wind } from "../wind/wind";

/** Options of a plant; each is also a property of {@link PlantBehavior}, documented there. */
export interface PlantOptions extends BodyOptions {
    stiffness?: number;
    density?: number;
    thickness?: number;
    wind?: Wind | WindName | null;
    inertia?: InertiaOptions | null;
    selfCollision?: SelfCollision;
    selfThickness?: number | null;
    margin?: number;
    friction?: number;
    damping?: number;
}

export const PLANT_OPTION_NAMES: readonly (keyof PlantOptions)[] = [
    "stiffness",
    "density",
    "thickness",
    "wind",
    "inertia",
    "selfCollision",
    "selfThickness",
    "margin",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];

/** Names the class in errors. */
const OWNER = "PlantBehavior";

/** Defaults of the fabric's properties that a plant has: contact distance [m], friction coefficient, damping [1/s]. */
const DEFAULTS = { thickness: 0.002, friction: 0.4, damping: 1 };

/**
 * Simulates a mesh as an elastic solid or shell that springs back to its shape: grass, leaves, stems, mushrooms, jelly. Add it to any mesh with triangles, and pin its root:
 *
 *     mesh.addBehavior(new PlantBehavior({ pins: [{ select: select.near(Vector3.Zero(), 0.1) }], wind }));
 *
 * Particles are the mesh's vertices. Distance constraints are the mesh's edges and support springs between unconnected vertices (Jakobsen 2001 §4.4): along straight
 * lines over the surface, from each vertex across the inside, and diagonal braces between the two. A closed part is solid, an open one a sheet of
 * {@link thickness}. Gravity bends it; with `gravity: Vector3.Zero()` it keeps its modelled shape. Options shared with {@link ClothBehavior} have equal meaning.
 * Air forces assume a uniform mass distribution over the mesh: give leaves beside a trunk a mesh of their own. At most 2,800 particles. Tearing is not supported.
 */
export class PlantBehavior extends SurfaceBehavior {
    /** Name under which `mesh.getBehaviorByName` finds the plant. */
    override readonly name = "Plant";
    private readonly _plant: PlantMaterial;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: PlantOptions = {}) {
        const plant = defaultPlant();
        const settings: PlantSettings = Object.assign(defaultSettings(), { plant });
        settings.fabric = deriveFabric(settings.fabric, { ...DEFAULTS, ...fabricOf(plant) });
        super(
            {
                owner: OWNER,
                bind: (mesh, kernels, toWorld, { cloneListener }) =>
                    new MeshBinding(mesh, kernels, toWorld, cloneListener, null, OWNER),
                build(binding, kernels, _settings, pose, rest, origin) {
                    const { restPositions, triangles, sharedTriangles } = binding as MeshBinding;
                    const place = pose.slice();
                    const topology = topologyOf(rest, triangles, () => mapPointCloud(restPositions, place).mapped);
                    return createPlant(kernels, topology, rest, settings, origin, sharedTriangles);
                },
            },
            settings,
        );
        this._plant = plant;
        this._assign(options, PLANT_OPTION_NAMES);
    }

    /**
     * Young's modulus [Pa], >= 0; Infinity: rigid constraints. Default 1e7: green stems, rubber. Jelly: about 5e4, leaves and wood up to 1e9. The stiffness of the
     * spring network is right within a factor of two. Above particle mass / (length × substep²) it is softer than set; it is stable at any value.
     */
    get stiffness(): number {
        return this._plant.stiffness;
    }
    set stiffness(value: number) {
        if (!(typeof value === "number" && value >= 0)) reject(OWNER, "stiffness", "a number >= 0 (Infinity = rigid)", value);
        this._plant.stiffness = value;
        this._changeFabric(fabricOf(this._plant));
    }

    /** Mass per volume [kg/m³], > 0. Default 1000. */
    get density(): number {
        return this._plant.density;
    }
    set density(value: number) {
        this._plant.density = positive(OWNER, "density", value);
        this._changeFabric(fabricOf(this._plant));
    }

    /** Thickness of open parts [m], > 0. Default 0.002. Assigning it while attached rebuilds the plant. */
    get thickness(): number {
        return this._plant.thickness;
    }
    set thickness(value: number) {
        this._plant.thickness = positive(OWNER, "thickness", value);
        this._changeFabric(fabricOf(this._plant));
        this._runtime.rebuild();
    }

    /** Contact distance from colliders [m], >= 0. Default 0.002. */
    get margin(): number {
        return this._settings.fabric.thickness;
    }
    set margin(value: number) {
        this._changeFabric({ thickness: nonNegative(OWNER, "margin", value) });
    }

    /**
     * Self-collision, and collision with cloth, ropes and other plants of its scene that have it: false (default), "particles", "triangles" or "robust", as
     * {@link ClothBehavior.selfCollision}. Most plants have few large triangles and sharp edges: "triangles" suits them. Two bodies with "triangles" or
     * "robust" collide by triangles; with "particles" on either side, by discs. Parts that are near each other in the rest mesh do not collide. Collision groups and masks apply.
     * There is no `adaptiveStep`; plants follow the substeps of a cloth with `adaptiveStep` that they may touch.
     */
    get selfCollision(): SelfCollision {
        return this._runtime.selfCollision.kind;
    }
    set selfCollision(value: SelfCollision) {
        if (value !== false && value !== "particles" && value !== "triangles" && value !== "robust")
            reject(OWNER, "selfCollision", 'false, "particles", "triangles" or "robust"', value);
        this._runtime.selfCollision.kind = value;
        this._runtime.syncColliders();
    }

    /**
     * Contact distance of self-collision [m], >= 0; between two bodies the mean of both. Default null: {@link margin}, with "particles" at
     * least half of the mesh's edge length. With a smaller value triangle contacts are used, and a warning is logged.
     */
    get selfThickness(): number | null {
        return this._runtime.selfCollision.thickness;
    }
    set selfThickness(value: number | null) {
        this._runtime.selfCollision.thickness = value === null ? null : nonNegative(OWNER, "selfThickness", value);
        this._runtime.instance?.cloth.invalidate();
        this._runtime.syncColliders();
    }

    /** Coulomb friction coefficient against colliders that set none of their own, >= 0. Default 0.4. */
    get friction(): number {
        return this._settings.fabric.friction;
    }
    set friction(value: number) {
        this._changeFabric({ friction: nonNegative(OWNER, "friction", value) });
    }

    /** Damping rate of velocity [1/s], >= 0. Default 1. */
    get damping(): number {
        return this._settings.fabric.damping;
    }
    set damping(value: number) {
        this._changeFabric({ damping: nonNegative(OWNER, "damping", value) });
    }

    /** @internal */
    protected override _createAnother(options: PlantOptions): PlantBehavior {
        return new PlantBehavior(options);
    }
}

fileKinds.plant = { names: PLANT_OPTION_NAMES, make: (options) => new PlantBehavior(options) };
