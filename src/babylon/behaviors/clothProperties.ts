import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import {
    boolean,
    fittedFabric,
    isNamedThickness,
    nonNegative,
    reject,
    resolveFabric,
    share,
    solverModule,
    solverNames,
} from "../../engine/index";
import type { Fabric, FabricName, SolverName } from "../../engine/index";
import type { SelfCollision } from "./bodyOptions";
import { RestDistanceHold } from "../pins/maxDistance";
import type { Backstop, MaxDistance } from "../pins/maxDistance";
import { checkWarpWeft } from "../mesh/meshBinding";
import type { MeshBinding } from "../mesh/meshBinding";
import { PinBinding } from "../pins/pinBinding";
import { checkList } from "../support/validation";
import { SurfaceBehavior } from "./surfaceBehavior";

/** Names its owner in errors: who sets a property sees a ClothBehavior. */
const OWNER = "ClothBehavior";

const views = new WeakMap<Fabric, Fabric>();

/** A view of a fabric that throws where one property of it is set, and says how to set it. One view for the same fabric. */
function readOnlyView(fabric: Fabric): Fabric {
    let view = views.get(fabric);
    if (view) return view;
    view = {} as Fabric;
    for (const [name, value] of Object.entries(fabric)) {
        Object.defineProperty(view, name, {
            enumerable: true,
            get: () => value as unknown,
            set(given: unknown) {
                throw new TypeError(`${OWNER}: set fabric = { ...cloth.fabric, ${name}: ${String(given)} }, not fabric.${name}`);
            },
        });
    }
    views.set(fabric, Object.preventExtensions(view));
    return view;
}

/** Properties of a {@link ClothBehavior}. Each may be set at any time, before and after attach. */
export abstract class ClothProperties extends SurfaceBehavior {
    private _solver: SolverName = "xpbd";

    /**
     * Fabric of the cloth. Assign the name of one of {@link Fabrics}, or any subset of properties: a property left out takes the default ({@link Fabrics.cotton}). To change one property:
     * `cloth.fabric = { ...cloth.fabric, damping: 1 }`. Throws a RangeError if stiffness differs along warp and weft, and the mesh that it is attached to has
     * no texture coordinates. A thickness that is no named fabric's, as builders fit it to the mesh's edges, stays unless the properties say another.
     */
    get fabric(): Readonly<Fabric> {
        return readOnlyView(this._settings.fabric);
    }
    set fabric(value: FabricName | Partial<Fabric>) {
        const { thickness } = this._settings.fabric;
        const fabric = isNamedThickness(thickness) ? resolveFabric(OWNER, value) : fittedFabric(OWNER, value, thickness);
        const { instance } = this._runtime;
        if (instance) checkWarpWeft(instance.binding as MeshBinding, fabric);
        this._settings.fabric = fabric;
        instance?.cloth.invalidate();
    }

    /**
     * Pinned cloth is held by tethers too: straight limits between each particle and up to four pins, as long as the distance over
     * the cloth at rest. This is how much longer they are, as a share of that, >= 0; Infinity turns them off. Default 0.
     * Fabrics of finite stretch stiffness get room for their weight in addition.
     */
    get tetherSlack(): number {
        return this._settings.tetherSlack;
    }
    set tetherSlack(value: number) {
        if (!(typeof value === "number" && value >= 0)) {
            reject(OWNER, "tetherSlack", "a number >= 0 (Infinity = no tethers)", value);
        }
        this._settings.tetherSlack = value;
        this._runtime.instance?.cloth.invalidate();
    }

    /**
     * Meshes that are one cloth with the one that the behavior is added to, welded where their borders meet: the primitives of a glTF mesh with several materials.
     * Each keeps its buffers, its material and its skin. Their vertices are numbered after the first mesh's, one part after the other, in pins, arrays and paints.
     * All have one world matrix and one skeleton, which is the first's. Default []. Assigning it while attached rebuilds the cloth. Loaded on demand: until
     * then the behavior is on no mesh ({@link whenReady}).
     */
    get parts(): readonly Mesh[] {
        return this._runtime.parts;
    }
    set parts(value: readonly Mesh[]) {
        this._runtime.parts = [...checkList(OWNER, "parts", value)];
        this._runtime.rebuild();
    }

    /**
     * True (default): on a mesh with a skeleton or morph targets, the cloth follows them: pins without a target, and {@link maxDistance}, are where Babylon's
     * skinning would draw the vertex. False: the mesh is posed once, at attach, and then a sheet like any other. Assigning it while attached rebuilds the
     * cloth. Loaded on demand: until then the cloth stands still ({@link whenReady}).
     */
    get skin(): boolean {
        return this._runtime.skin.isFollowed;
    }
    set skin(value: boolean) {
        if (boolean(OWNER, "skin", value) === this.skin) return;
        this._runtime.skin.isFollowed = value;
        this._runtime.rebuild();
    }

    /**
     * Stiffness of a spring from each free particle to its place on the {@link skin}, over its mass [1/s²], >= 0: cloth of stiffness k hangs g/k below it, and
     * swings with a period of 2π/√k. Default 0: none.
     */
    get skinStiffness(): number {
        return this._runtime.skin.stiffness;
    }
    set skinStiffness(value: number) {
        this._runtime.skin.stiffness = nonNegative(OWNER, "skinStiffness", value);
        this._runtime.instance?.cloth.wake();
    }

    /**
     * Share of the simulation in what is drawn on a {@link skin}, 0..1: 1 (default) is the simulation, 0 the animation. At 0 the mesh is given back to Babylon's own
     * skinning, and neither simulated nor uploaded. Animate it for cut scenes and for characters far away.
     */
    get skinBlend(): number {
        return this._runtime.skin.blend;
    }
    set skinBlend(value: number) {
        this._runtime.skin.blend = share(OWNER, "skinBlend", value);
        if (this._runtime.instance) this._runtime.instance.cloth.accumulatedMotion = Infinity;
    }

    private get _limits(): RestDistanceHold | undefined {
        return this._runtime.pinList.pinOfOption("maxDistance")?.hold as RestDistanceHold | undefined;
    }

    /**
     * Largest distance of each particle from its place on the skin, or in the mesh at rest, which the mesh carries [m], >= 0: one number, one for each vertex, or
     * {@link paint} read from the mesh (large for a loose part of a coat, small for a close one). On a {@link skin}, 0 pins to it. Default null: any distance.
     * In addition to {@link ClothBehavior.pins}; for places that other nodes carry, see {@link MaxDistanceHold}. Throws a RangeError if the mesh lacks the
     * attribute that paint reads.
     */
    get maxDistance(): MaxDistance | null {
        const distance = this._limits?.maxDistance;
        return distance === undefined || distance === Infinity ? null : distance;
    }
    set maxDistance(value: MaxDistance | null) {
        this._limit(value, this.backstop);
    }

    /**
     * Sphere behind each particle's place on the {@link skin}, which the particle stays out of: a cheap body for a garment. Its surface lies `distance` behind the
     * place along the skinned normal [m]; its `radius` [m] is 10 by default, nearly a plane. Numbers, arrays or {@link paint}. Default null: none. Solved in each
     * substep, before {@link maxDistance}. Throws a RangeError on a mesh without skeleton and morph targets, or without normals.
     */
    get backstop(): Backstop | null {
        return this._limits?.backstop ?? null;
    }
    set backstop(value: Backstop | null) {
        this._limit(this.maxDistance, value);
    }

    private _limit(maxDistance: MaxDistance | null, backstop: Backstop | null): void {
        const isNone = maxDistance === null && backstop === null;
        const hold = isNone ? null : new RestDistanceHold(maxDistance ?? Infinity, backstop);
        this._runtime.pinList.setOptionPin("maxDistance", hold && new PinBinding(() => true, null, hold));
    }

    /**
     * Collision of the cloth with itself, and with other cloth of its scene that has it: "particles": by discs about its particles, as thick as
     * {@link selfThickness}: for folds and two or three layers; "triangles": particles against triangles and edges against edges, at any thickness, for thin
     * layers and piles; in motion that costs tens of times as much as the cloth itself; "robust": the same, and cloth that would pass all the same is held
     * back, together with the cloths that it touches: nothing that is free passes, but it may stop for a moment, or stretch. Default false. Groups decide which
     * cloths collide, as with colliders.
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
     * Distance that layers of cloth keep [m], >= 0; between two cloths it is the mean of theirs. Default null: the fabric's thickness, at
     * least half of the mesh's edges with "particles"; what is to be thinner keeps apart by its triangles, and a warning says so.
     */
    get selfThickness(): number | null {
        return this._runtime.selfCollision.thickness;
    }
    set selfThickness(value: number | null) {
        this._runtime.selfCollision.thickness = value === null ? null : nonNegative(OWNER, "selfThickness", value);
        this._runtime.instance?.cloth.invalidate();
        this._runtime.syncColliders();
    }

    /**
     * True if cloth with {@link selfCollision} takes more substeps while its contacts do not settle: twice as many after a step in which much would have passed
     * through, up to eight times {@link substepCount} and 16, and half as many again after three steps in which little would. All cloth of its scene with
     * {@link selfCollision} does then; with any {@link solver}. Default false.
     */
    get adaptiveStep(): boolean {
        return this._runtime.selfCollision.isAdaptive;
    }
    set adaptiveStep(value: boolean) {
        this._runtime.selfCollision.isAdaptive = boolean(OWNER, "adaptiveStep", value);
    }

    /**
     * By what method the cloth moves. Default "xpbd": constraints, stable at any step. The others move it by the forces of springs and dampers, for
     * study and comparison: "explicitEuler", "symplecticEuler", "midpoint", "rungeKutta4", "verlet"; and "implicit" and "implicitBuckling", which are stable at any step, too. Their step is the substep; where that is
     * larger than the method can take, a warning names the largest, and what explodes stands still where it was last finite. To them, `Infinity` of the
     * fabric is 1e5 N/m (bending: 1 N·m), and there are no tethers. "squareRootFree" is the default without square roots, which is off by half the square of the strain (Jakobsen 2001, §3). They are a file of their own: until it is loaded, the cloth
     * stands still ({@link whenReady}). Assigning it while attached rebuilds the cloth from its rest shape.
     */
    get solver(): SolverName {
        return this._solver;
    }
    set solver(value: SolverName) {
        if (value === this._solver) return;
        if (!solverNames.includes(value)) reject(OWNER, "solver", solverNames.join(", "), value);
        this._solver = value;
        this._runtime.pendingModules.whenLoaded(solverModule, () => {
            this._settings.solver = value;
            this._runtime.rebuild();
        });
    }

    /** Damping of springs, as a share of their stiffness [s], >= 0, for a {@link solver} that has springs. Default 0.001. */
    get springDamping(): number {
        return this._settings.springDamping;
    }
    set springDamping(value: number) {
        this._settings.springDamping = nonNegative(OWNER, "springDamping", value);
        this._runtime.instance?.cloth.invalidate();
    }
}
