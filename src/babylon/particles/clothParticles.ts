import type { Observer } from "@babylonjs/core/Misc/observable";
import type { IParticleSystem } from "@babylonjs/core/Particles/IParticleSystem";
import type { Particle } from "@babylonjs/core/Particles/particle";
import type { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import {
    MAX_SUBSTEPS,
    boolean,
    defaultParticles,
    describe,
    finiteVector,
    getKernels,
    integer,
    isSupported,
    knownOptions,
    nonNegative,
    positive,
    reject,
    share,
    windFieldOf,
} from "../../engine/index";
import type { ParticleMaterial, VectorLike } from "../../engine/index";
import { PendingModules } from "../scene/pendingModules";
import { isColliderEntry } from "../colliders/colliderOptions";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { Collider, ColliderSource, ColliderEntry } from "../colliders/colliderOptions";
import { checkList, syncList } from "../support/validation";
import { ColliderBinding } from "../colliders/colliderBinding";
import { reportUnsupported, createWarnOnce } from "../support/logger";
import { ParticleRuntime } from "./particleRuntime";
import type { ParticleConfig } from "./particleRuntime";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import type { PlantBehavior } from "../plants/plantBehavior";
import type { Wind } from "../wind/wind";

/** Options of {@link ClothParticles}; each is also a property of it, documented there. */
export interface ClothParticlesOptions {
    mass?: number;
    radius?: number;
    drag?: number;
    restitution?: number;
    friction?: number;
    wind?: Wind | null;
    gravity?: VectorLike | null;
    colliders?: readonly (ColliderSource | ColliderEntry)[];
    cloths?: readonly (ClothBehavior | PlantBehavior)[];
    dieOnImpact?: boolean;
    substepCount?: number;
}

export const PARTICLE_OPTION_NAMES: readonly (keyof ClothParticlesOptions)[] = [
    "mass",
    "radius",
    "drag",
    "restitution",
    "friction",
    "wind",
    "gravity",
    "colliders",
    "cloths",
    "dieOnImpact",
    "substepCount",
];

const OWNER = "ClothParticles";

/** Particle systems that have a ClothParticles. */
const controlledSystems = new WeakSet<object>();

/**
 * Simulates the motion of a particle system: its particles fall through air and wind, bounce off colliders and slide on them, and push the cloth that they hit.
 *
 *     const rain = new ParticleSystem("rain", 2000, scene);
 *     rain.updateSpeed = 1 / 60;
 *     new ClothParticles(rain, { cloths: [awning.cloth], colliders: [ground], dieOnImpact: true });
 *
 * Babylon still controls emitter, rate, lifetimes, colours, sizes, textures and sub-emitters. The system's gravity, drag and noise have no effect. With an
 * `updateSpeed` of 1/60, times are seconds and emit powers metres per second; with the default of 0.01 both are scaled by 0.6.
 */
export class ClothParticles {
    private readonly _config: ParticleConfig = {
        settings: defaultParticles(),
        colliders: [],
        cloths: [],
        gravity: null,
        wind: undefined,
        dieOnImpact: false,
    };
    /** Colliders without a restitution of their own: they use that of the particles. */
    private readonly _inheritRestitution = new WeakSet<Collider>();
    private readonly _warn = createWarnOnce(OWNER);
    private readonly _pendingModules = new PendingModules(this._warn);
    private readonly _babylonUpdate: (particles: Particle[]) => void;
    private readonly _clothUpdate: (particles: Particle[]) => void;
    private readonly _observer: Observer<IParticleSystem>;
    private _run: ParticleRuntime | null = null;
    private _wind: Wind | null | undefined = undefined;
    private _isDisposed = false;

    /**
     * @param system a ParticleSystem of a scene, in world space (not a GPUParticleSystem, not `isLocal`)
     * @throws RangeError on what is none, an unknown option or a value out of range, or when there is no memory left
     */
    constructor(
        /** The system whose particles it moves. */
        readonly system: ParticleSystem,
        options: ClothParticlesOptions = {},
    ) {
        checkSystem(system);
        knownOptions(OWNER, options, PARTICLE_OPTION_NAMES);
        for (const [name, value] of Object.entries(options)) {
            if (value !== undefined) (this as Record<string, unknown>)[name] = value;
        }
        this._babylonUpdate = system.updateFunction;
        this._clothUpdate = (particles) =>
            this._run ? this._run.update(this._babylonUpdate, particles) : this._babylonUpdate(particles);
        if (isSupported()) {
            this._run = new ParticleRuntime(system, this._config, getKernels(), this._pendingModules);
            this._run.syncColliders();
        } else reportUnsupported(OWNER);
        controlledSystems.add(system);
        system.updateFunction = this._clothUpdate;
        this._observer = system.onDisposeObservable.add(() => this.dispose());
    }

    /** Mass of a particle [kg], > 0. Default 4.2e-6, a raindrop of 2 mm. */
    get mass(): number {
        return this._config.settings.particles.mass;
    }
    set mass(value: number) {
        this._change("mass", positive(OWNER, "mass", value));
    }

    /** Radius of a particle for contacts and drag [m], > 0. Default 0.001. It is drawn in the system's sizes. */
    get radius(): number {
        return this._config.settings.particles.radius;
    }
    set radius(value: number) {
        this._change("radius", positive(OWNER, "radius", value));
    }

    /**
     * Drag coefficient over the cross-section π radius², in air of 1.2 kg/m³, >= 0. Default 0.5, a ball; 1.2 is a flake of paper. The terminal speed is
     * √(2 mass g / (1.2 drag π radius²)).
     */
    get drag(): number {
        return this._config.settings.particles.drag;
    }
    set drag(value: number) {
        this._change("drag", nonNegative(OWNER, "drag", value));
    }

    /** Share of the speed of an impact with which a particle leaves cloth, and those {@link colliders} that set none, 0..1. Default 0.1. */
    get restitution(): number {
        return this._config.settings.particles.restitution;
    }
    set restitution(value: number) {
        this._change("restitution", share(OWNER, "restitution", value));
        for (const collider of this._config.colliders) if (this._inheritRestitution.has(collider)) collider.restitution = value;
    }

    /** Coulomb friction coefficient against cloth, and colliders that set none, >= 0. Default 0.3. */
    get friction(): number {
        return this._config.settings.particles.friction;
    }
    set friction(value: number) {
        this._change("friction", nonNegative(OWNER, "friction", value));
    }

    /**
     * Wind on these particles, in addition to those of the scene ({@link Winds}). Default undefined: still air, whose density is that of any wind on them. Null:
     * vacuum, out of the scene's winds too.
     */
    get wind(): Wind | null | undefined {
        return this._wind;
    }
    set wind(value: Wind | null | undefined) {
        this._config.wind = value && (windFieldOf(value) ?? reject(OWNER, "wind", "a Wind or null", value));
        this._wind = value;
    }

    /** Acceleration of gravity in world axes [m/s²]; null takes the scene's gravity. Default null. */
    get gravity(): VectorLike | null {
        return this._config.gravity;
    }
    set gravity(value: VectorLike | null) {
        if (value !== null) finiteVector(OWNER, "gravity", value);
        this._config.gravity = value;
    }

    /** Substeps of a fixed step of 1/60 s, an integer from 1 to 256. More: finer contacts with colliders. Default 4. */
    get substepCount(): number {
        return this._config.settings.substepCount;
    }
    set substepCount(value: number) {
        this._config.settings.substepCount = integer(OWNER, "substepCount", 1, value, MAX_SUBSTEPS);
        this._run?.particles.body.invalidate();
    }

    /** True if particles die when they hit cloth or a collider, as raindrops do. Sub-emitters of type END make the splash. Default false. */
    get dieOnImpact(): boolean {
        return this._config.dieOnImpact;
    }
    set dieOnImpact(value: boolean) {
        this._config.dieOnImpact = boolean(OWNER, "dieOnImpact", value);
    }

    /** Colliders of these particles, in addition to those of the scene ({@link Colliders}). A frozen copy: assigning a list replaces them; colliders in both lists stay. */
    get colliders(): readonly Collider[] {
        return Object.freeze([...this._config.colliders]);
    }
    set colliders(value: readonly (ColliderSource | ColliderEntry | Collider)[]) {
        const all = this._config.colliders;
        syncList(
            all as readonly Collider[],
            checkList(OWNER, "colliders", value),
            (entry) => {
                const { source, ...options } = isColliderEntry(entry) ? entry : { source: entry as ColliderSource };
                const collider = new ColliderBinding(source, options, `${OWNER}: colliders`);
                if (options.restitution === undefined) {
                    this._inheritRestitution.add(collider);
                    collider.restitution = this.restitution;
                }
                all.push(collider);
                return collider;
            },
            (collider) => void all.splice(all.indexOf(collider as ColliderBinding), 1),
        );
        this._run?.syncColliders();
    }

    /** Cloths that they collide with: behaviors of cloth or plants, on a mesh or not yet. Default none. A frozen copy: assign a list to change it. One whose mesh is disposed is dropped, with a warning. */
    get cloths(): readonly (ClothBehavior | PlantBehavior)[] {
        return Object.freeze([...this._config.cloths]);
    }
    set cloths(value: readonly (ClothBehavior | PlantBehavior)[]) {
        for (const cloth of checkList(OWNER, "cloths", value)) {
            if (typeof cloth !== "object" || cloth === null || !runtimeOf(cloth))
                reject(OWNER, "cloths", "an array of ClothBehaviors", cloth);
        }
        this._config.cloths.splice(0, Infinity, ...new Set(value));
    }

    /** Number of particles that it moves now. */
    get particleCount(): number {
        return this._run?.particles.count ?? 0;
    }

    /** Resolves when all lazily loaded modules that it needs are loaded. Until then Babylon moves the particles. */
    whenReady(): Promise<void> {
        return this._pendingModules.settled();
    }

    /** Gives the motion of the particles back to Babylon, and frees all memory; also done when the system is disposed. Idempotent. */
    dispose(): void {
        if (this._isDisposed) return;
        this._isDisposed = true;
        this.system.onDisposeObservable.remove(this._observer);
        if (this.system.updateFunction === this._clothUpdate) this.system.updateFunction = this._babylonUpdate;
        controlledSystems.delete(this.system);
        this._run?.release();
        this._run = null;
    }

    private _change(name: keyof ParticleMaterial, value: number): void {
        this._config.settings.particles[name] = value;
        describe(this._config.settings);
        this._run?.particles.body.invalidate();
    }
}

/** @throws RangeError if the system's particles cannot be moved */
function checkSystem(system: ParticleSystem): void {
    const { updateFunction, particles, isLocal } = (system ?? {}) as Partial<ParticleSystem>;
    if (typeof updateFunction !== "function" || !Array.isArray(particles) || typeof system.getScene !== "function") {
        reject(OWNER, "system", "a ParticleSystem, computed by the CPU", system);
    }
    if (!system.getScene()?.particleSystems.includes(system)) reject(OWNER, "system", "in a scene, and not disposed", system.name);
    if (isLocal) reject(OWNER, "system", "in world space, not isLocal", system.name);
    if (!(system.getCapacity() > 0)) reject(OWNER, "system", "of a capacity > 0", system.getCapacity());
    if (controlledSystems.has(system)) throw new Error(`${OWNER}: the particles of "${system.name}" are moved by another`);
}
