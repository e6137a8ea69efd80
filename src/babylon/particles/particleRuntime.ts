import type { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import type { Particle } from "@babylonjs/core/Particles/particle";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import {
    ClothImpacts,
    ContactEventRecord,
    FreeParticles,
    SweptCloth,
    canCollide,
    defaultGroups,
    newScheduleEntry,
} from "../../engine/index";
import type { Body, Kernels, ParticleSettings, StepObserver, VectorLike, WindField } from "../../engine/index";
import type { PendingModules } from "../scene/pendingModules";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { DEFAULT_TELEPORT_SPEED } from "../scene/teleport";
import type { PlantBehavior } from "../plants/plantBehavior";
import { readGravity } from "../support/validation";
import { worldOf } from "../scene/bodyWorld";
import { SceneLoop } from "../scene/sceneLoop";
import type { StartedFrame, FrameListener } from "../scene/sceneLoop";
import { colliderRevision } from "../colliders/colliderBinding";
import type { ColliderBinding } from "../colliders/colliderBinding";
import { ActiveColliders } from "../colliders/activeColliders";
import { ParticleSlots } from "./particleSlots";

/** Babylon's animation steps per second, the unit of a system's `updateSpeed`. */
const UPDATES_PER_SECOND = 60;

/** Live settings of a particle system; disposed colliders and cloths are removed from its lists. */
export interface ParticleConfig {
    readonly settings: ParticleSettings;
    readonly colliders: ColliderBinding[];
    readonly cloths: (ClothBehavior | PlantBehavior)[];
    gravity: VectorLike | null;
    wind: WindField | null | undefined;
    dieOnImpact: boolean;
}

/** A cloth that particles collide with, and its swept motion. */
interface TrackedCloth {
    readonly behavior: ClothBehavior | PlantBehavior;
    readonly mesh: Mesh;
    readonly body: Body;
    readonly swept: SweptCloth;
}

/** Runtime of a particle system: its particles are free particles of the scene's world. */
export class ParticleRuntime implements FrameListener, StartedFrame, StepObserver {
    readonly turn = newScheduleEntry();
    /** Cloths that they hit may be stepped before or after them. */
    readonly runsFirst = false;
    readonly particles: FreeParticles;
    private readonly _slots: ParticleSlots;
    private readonly _impacts: ClothImpacts;
    private readonly _activeColliders: ActiveColliders;
    private readonly _loop: SceneLoop;
    private readonly _winds: WindField[] = [];
    private readonly _groups = defaultGroups();
    private readonly _limit = { distance: NaN, elapsed: NaN, seconds: NaN };
    private _tracked: TrackedCloth[] = [];
    private _seenColliderRevision = -1;
    /** True if the last frame had no step: motion of cloths since then is not swept. */
    private _hasPaused = true;

    /** @throws RangeError when there is no memory left */
    constructor(
        private readonly _system: ParticleSystem,
        private readonly _config: ParticleConfig,
        kernels: Kernels,
        /** Modules still being loaded; until then Babylon moves the particles. */
        private readonly _pendingModules: PendingModules,
    ) {
        this._loop = SceneLoop.of(_system.getScene()!);
        this.particles = new FreeParticles(kernels, _system.getCapacity(), _config.settings, emitterOrigin(_system));
        this._slots = new ParticleSlots(this.particles);
        this._impacts = new ClothImpacts(this.particles);
        const { body } = this.particles;
        this._activeColliders = new ActiveColliders(body, this._loop.colliders, null, (part) =>
            _pendingModules.whenLoaded(part, () => this.syncColliders()),
        );
        body.winds = this._winds;
        body.observer = this;
        worldOf(this._loop);
        this._loop.add(this);
    }

    /** The body that the world steps. */
    get cloth(): Body {
        return this.particles.body;
    }

    /** Speed of a particle with a direction of length 1 [m/s]: a system's time advances by `updateSpeed` every 1/60 s. */
    private get _speed(): number {
        return this._system.updateSpeed * UPDATES_PER_SECOND || 1;
    }

    /** Updates the colliders: the owner's and the scene's. @throws RangeError when there is no memory left */
    syncColliders(): void {
        this._seenColliderRevision = colliderRevision.count;
        const others = this._loop.colliders.sceneWide.filter(({ settings }) => canCollide(settings, this._groups));
        this._activeColliders.sync([...this._config.colliders, ...others]);
    }

    beginFrame(): StartedFrame | null {
        const { _loop: frames, _limit: limit } = this;
        const { body } = this.particles;
        if (!this._isActive) {
            this._hasPaused = true;
            return null;
        }
        this._readEnvironment();
        this._syncSlots();
        this._dropColliders();
        if (this._seenColliderRevision !== colliderRevision.count) this.syncColliders();
        this._updateCloths();
        body.rebaseIfFar();
        const { fixedTimeStep: step, maxStepsPerFrame } = body.settings;
        const time = Math.max(step, Math.min(frames.seconds, maxStepsPerFrame * step));
        limit.distance = this._hasPaused ? 0 : DEFAULT_TELEPORT_SPEED * time;
        limit.seconds = Math.max(step, frames.seconds);
        limit.elapsed = frames.seconds > 0 ? frames.seconds : step;
        this._activeColliders.updatePoses(limit);
        this._hasPaused = false;
        body.recordContactEvents(this._config.dieOnImpact);
        body.clock.frameSeconds = frames.seconds;
        body.clock.frameEnd = frames.clock.time;
        body.beginFrame();
        return this;
    }

    /** True if any particle is alive and the system's time advances. */
    private get _isActive(): boolean {
        const { _system: system } = this;
        if (this._pendingModules.isLoading || !system.isStarted() || system.paused || system.particles.length === 0) return false;
        const { emitter } = system;
        return !emitter || !("isEnabled" in emitter) || emitter.isEnabled();
    }

    private _syncSlots(): void {
        this._slots.sync(this._system.particles as Particle[], this._speed);
    }

    /** Reads gravity and winds. */
    private _readEnvironment(): void {
        const { _config: config, _winds: winds, _loop: frames } = this;
        const { settings } = this.particles.body;
        settings.wind = config.wind === null ? null : this.particles.air;
        readGravity(config.gravity ?? this._system.getScene()!.gravity, settings.gravity);
        let count = 0;
        if (config.wind) winds[count++] = config.wind;
        for (let i = 0; i < frames.clock.winds.length; i++)
            if (frames.clock.winds[i] !== config.wind) winds[count++] = frames.clock.winds[i];
        if (winds.length !== count) winds.length = count;
    }

    /** Updates the list of cloth bodies: those on enabled meshes. */
    private _updateCloths(): void {
        const { cloths } = this._config;
        const { cloths: swept } = this._impacts;
        let count = 0;
        for (let i = 0; i < cloths.length; i++) {
            const instance = runtimeOf(cloths[i])?.instance;
            if (instance?.mesh.isEnabled()) {
                if (this._tracked[count]?.body !== instance.cloth) this._trackCloth(count, cloths[i]);
                swept[count] = this._tracked[count++].swept;
            }
        }
        if (swept.length !== count) swept.length = count;
        for (let k = 0; this._hasPaused && k < count; k++) swept[k].reset();
        for (let k = 0; k < this._tracked.length; k++) if (this._tracked[k].mesh.isDisposed()) this._dropCloth(k--);
    }

    private _trackCloth(at: number, behavior: ClothBehavior | PlantBehavior): void {
        const { cloth: body, mesh } = runtimeOf(behavior)!.instance!;
        const known = this._tracked.findIndex((tracked) => tracked.body === body);
        const tracked = known < 0 ? { behavior, mesh, body, swept: new SweptCloth(body) } : this._tracked.splice(known, 1)[0];
        tracked.swept.reset();
        this._tracked = [
            ...this._tracked.slice(0, at),
            tracked,
            ...this._tracked.slice(at).filter((other) => other.behavior !== behavior),
        ];
        // Steps then run in lockstep at any frame rate.
        this._loop.observeSteps();
    }

    private _dropCloth(at: number): void {
        const [{ behavior, mesh }] = this._tracked.splice(at, 1);
        const { cloths } = this._config;
        if (!cloths.includes(behavior)) return;
        this._pendingModules.warn(`the mesh "${mesh.name}" of a cloth was disposed; the cloth is dropped`);
        cloths.splice(cloths.indexOf(behavior), 1);
    }

    /** Drops disposed colliders. */
    private _dropColliders(): void {
        const { colliders } = this._config;
        for (let i = colliders.length - 1; i >= 0; i--) {
            const loss = colliders[i].review(colliders.length);
            if (loss === null) continue;
            this._pendingModules.warn(`the collider "${colliders[i].name}" ${loss}; it is dropped`);
            colliders.splice(i, 1);
            this.syncColliders();
        }
    }

    skipFrame(): void {
        this.particles.body.skipFrame();
    }

    beforeStep(): void {}

    /** Contacts with cloths, after both have been stepped. */
    afterStep(): void {
        const { _impacts: impacts, particles } = this;
        const { dieOnImpact } = this._config;
        const found = particles.body.contactEvents;
        for (let i = 0; dieOnImpact && found && i < found.count; i++) {
            const particle = found.numbers[i * ContactEventRecord.count + ContactEventRecord.particle];
            impacts.hasHit[particle] = 1;
            particles.park(particle);
        }
        impacts.parkOnHit = dieOnImpact;
        if (impacts.cloths.length > 0) impacts.sweep();
    }

    endFrame(): void {
        this._activeColliders.applyReactions();
        this.particles.body.endFrame();
    }

    onDraw(): void {}

    /** The system's update in a drawn frame: Babylon sets ages, colours and sizes; positions are those of the simulation. */
    update(own: (particles: Particle[]) => void, particles: Particle[]): void {
        if (this._pendingModules.isLoading || particles.length === 0) return own(particles);
        const { clock, settings } = this.particles.body;
        const alpha = clock.alpha(settings);
        this._syncSlots();
        this._slots.write(particles, alpha, this._speed);
        if (this._config.dieOnImpact) this._killHitParticles(particles);
        own(particles);
        this._slots.sync(particles, this._speed);
        this._slots.write(particles, alpha, this._speed);
    }

    /** Sets the age of particles that hit something to their lifetime: Babylon recycles them. */
    private _killHitParticles(particles: readonly Particle[]): void {
        const { hasHit: hasStruck } = this._impacts;
        for (let i = 0; i < this.particles.count; i++) {
            if (hasStruck[i] === 0) continue;
            hasStruck[i] = 0;
            particles[i].age = particles[i].lifeTime;
        }
    }

    /** Frees all memory. */
    release(): void {
        this._loop.remove(this);
        this._activeColliders.sync([]);
        this.particles.body.release();
    }
}

/** World position of a system's emitter, in whole metres. */
function emitterOrigin({ emitter }: ParticleSystem): Float64Array {
    const place = emitter && "getAbsolutePosition" in emitter ? emitter.getAbsolutePosition() : (emitter as VectorLike | null);
    const origin = place ? [place.x, place.y, place.z].map(Math.round) : [0, 0, 0];
    return Float64Array.from(origin.every(Number.isFinite) ? origin : [0, 0, 0]);
}
