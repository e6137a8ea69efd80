import type { Observer } from "@babylonjs/core/Misc/observable";
import {
    SpringCoupling,
    SpringEnd,
    couplingIslandOf,
    integer,
    knownOptions,
    nonNegative,
    positive,
    reject,
} from "../../engine/index";
import type { CouplingIsland, SpringLaw } from "../../engine/index";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { BodyBehavior } from "../behaviors/bodyBehavior";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import type { PlantBehavior } from "../plants/plantBehavior";
import type { RopeBehavior } from "../ropes/ropeBehavior";
import { createWarnOnce } from "../support/logger";

/** A vertex of a simulated mesh: an end of a {@link Spring}. */
export interface BodyVertex {
    readonly body: ClothBehavior | RopeBehavior | PlantBehavior;
    /** Its number on the body's mesh. */
    readonly vertex: number;
}

/** Options of {@link Spring}. */
export interface SpringOptions {
    /** Force per elongation [N/m], 0 to 1e6. Default 100. */
    stiffness?: number;
    /** Force per relative speed of its ends along the line between them [N s/m], 0 to 1e6. Default 0. */
    damping?: number;
    /** Rest length [m], 0 to 1e6; null (default): the distance of its ends when both are first on their meshes. */
    length?: number | null;
    /** Force in a substep above which it breaks [N], > 0. Default Infinity: it never breaks. */
    breakForce?: number;
}

const OWNER = "Spring";
const NAMES = ["stiffness", "damping", "length", "breakForce"];

/** The driver of an end's body. @throws RangeError if there is no such vertex */
function driverAt(end: BodyVertex, option: string): BodyRuntime {
    const { body, vertex } = typeof end === "object" && end !== null ? end : reject(OWNER, option, "{ body, vertex }", end);
    const runtime = typeof body === "object" && body !== null ? runtimeOf(body) : undefined;
    if (!runtime || (body.name as string) === "RigidBody") {
        return reject(OWNER, `${option}.body`, "a ClothBehavior, RopeBehavior or PlantBehavior", body);
    }
    const count = runtime.instance?.binding.vertexCount ?? Number.MAX_SAFE_INTEGER;
    integer(OWNER, `${option}.vertex`, 0, vertex, count - 1);
    return runtime;
}

/**
 * A linear spring (Hooke) with a damper between two vertices of one or two cloths, ropes or plants.
 *
 *     const spring = new Spring({ body: cloth, vertex: 12 }, { body: rope, vertex: 0 }, { stiffness: 200, damping: 1 });
 *
 * It acts along the line between its ends with equal and opposite forces. The static elongation is exact at any substep count. The period of a free pair is exact
 * within 1 % if it lasts at least 13 substeps; a period below 9 substeps is damped. If one end is much lighter than the other body, it gets up to a tenth of the
 * heavier body's mass as additional inertia. It continues when a behavior is attached again. Both bodies must be in one scene and have equal `fixedTimeStep`. If
 * their `substepCount`s differ, forces act one step late, and the spring is damped.
 */
export class Spring {
    private readonly _law: SpringLaw;
    private readonly _ends: readonly BodyVertex[];
    private readonly _drivers: readonly BodyRuntime[];
    private readonly _observers: readonly Observer<BodyBehavior>[];
    private readonly _warn = createWarnOnce(OWNER);
    private _isLengthGiven: boolean;
    private _isBroken = false;
    /** The current coupling; null if it couples nothing. */
    private _tie: SpringCoupling | null = null;
    private _island: CouplingIsland | null = null;
    private _sameTimeStep = true;
    private readonly _attachments: (BodyInstance | null)[] = [null, null];

    /** @throws RangeError on an unknown option, a value out of range, or an invalid end */
    constructor(first: BodyVertex, second: BodyVertex, options: SpringOptions = {}) {
        if (typeof options !== "object" || options === null) reject(OWNER, "options", "an object", options);
        knownOptions(OWNER, options, NAMES);
        this._drivers = [driverAt(first, "first"), driverAt(second, "second")];
        this._ends = [
            { body: first.body, vertex: first.vertex },
            { body: second.body, vertex: second.vertex },
        ];
        if (first.body === second.body && first.vertex === second.vertex)
            reject(OWNER, "second.vertex", "another one than the first", second.vertex);
        const [a, b] = this._drivers.map(({ instance }) => instance);
        if (a && b && a.mesh.getScene() !== b.mesh.getScene())
            reject(OWNER, "second.body", "one of the first's scene", b.mesh.name);
        this._law = { stiffness: 100, damping: 0, length: 0, breakForce: Infinity };
        this._isLengthGiven = false;
        const { stiffness, damping, length, breakForce } = options;
        if (stiffness !== undefined) this.stiffness = stiffness;
        if (damping !== undefined) this.damping = damping;
        if (length !== undefined && length !== null) this.length = length;
        if (breakForce !== undefined) this.breakForce = breakForce;
        this._observers = this._ends.map(({ body }) => {
            const { onBeforeStepObservable: steps } = body as unknown as BodyBehavior;
            return steps.add(() => this._syncTie());
        });
        this._syncTie();
    }

    /** Its ends. */
    get first(): BodyVertex {
        return this._ends[0];
    }
    get second(): BodyVertex {
        return this._ends[1];
    }

    /** See {@link SpringOptions}. */
    get stiffness(): number {
        return this._law.stiffness;
    }
    set stiffness(value: number) {
        this._law.stiffness = nonNegative(OWNER, "stiffness", value);
        this._tie?.onLawChanged();
    }

    /** See {@link SpringOptions}. */
    get damping(): number {
        return this._law.damping;
    }
    set damping(value: number) {
        this._law.damping = nonNegative(OWNER, "damping", value);
        this._tie?.onLawChanged();
    }

    /** Rest length [m]; 0 while none is given and its ends have never been on their meshes. */
    get length(): number {
        return this._law.length;
    }
    set length(value: number) {
        this._law.length = nonNegative(OWNER, "length", value);
        this._isLengthGiven = true;
        this._tie?.onLawChanged();
    }

    /** See {@link SpringOptions}. */
    get breakForce(): number {
        return this._law.breakForce;
    }
    set breakForce(value: number) {
        this._law.breakForce = value === Infinity ? value : positive(OWNER, "breakForce", value);
    }

    /** Tension in the last substep [N]; negative in compression, 0 while it couples nothing. */
    get force(): number {
        return this._tie?.force ?? 0;
    }

    /** True if it has broken or was disposed. */
    get isBroken(): boolean {
        return this._isBroken || (this._tie?.isBroken ?? false);
    }

    /** Ends it permanently. */
    dispose(): void {
        this._isBroken = true;
        this._untie();
        for (const observer of this._observers) observer.remove(true);
    }

    /** Before a step: couples the current bodies. */
    private _syncTie(): void {
        const { _attachments: seen, _drivers: runtimes } = this;
        if (this._tie?.isBroken) return this.dispose();
        const a = runtimes[0].instance;
        const b = runtimes[1].instance;
        const isEven = a?.cloth.settings.fixedTimeStep === b?.cloth.settings.fixedTimeStep;
        if (a === seen[0] && b === seen[1] && isEven === this._sameTimeStep) return;
        this._sameTimeStep = isEven;
        this._untie();
        seen[0] = a;
        seen[1] = b;
        if (a && b && !this._isBroken) this._join(a, b);
    }

    private _join(a: BodyInstance, b: BodyInstance): void {
        const [p, q] = this._ends.map(({ vertex }, k) => (k === 0 ? a : b).binding.particleOfVertex[vertex]);
        const complaint =
            p === undefined || q === undefined
                ? "one of its meshes has no such vertex any more"
                : a.mesh.getScene() !== b.mesh.getScene()
                  ? "its meshes are in two scenes"
                  : a.cloth.settings.fixedTimeStep !== b.cloth.settings.fixedTimeStep
                    ? "its bodies have different fixedTimeSteps"
                    : a === b && p === q
                      ? "both vertices follow one particle"
                      : null;
        if (complaint) return this._warn(`it holds nothing, since ${complaint}`);
        const tie = new SpringCoupling(new SpringEnd(a.cloth, p), new SpringEnd(b.cloth, q), this._law);
        if (!this._isLengthGiven) this.length = tie.measure();
        this._tie = tie;
        this._island = couplingIslandOf(a.world);
        this._island.add(tie);
    }

    private _untie(): void {
        if (this._tie) this._island!.remove(this._tie);
        this._tie = this._island = null;
    }
}
