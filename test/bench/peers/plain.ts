/**
 * The cloth that a web developer writes after reading a tutorial on Jakobsen's method: one object per particle, one per stick,
 * Verlet integration, a fixed number of relaxation passes. Plain but not careless: no vector temporaries, no allocation
 * after the start, sticks in memory order.
 */
import { createGrid, SPHERE_CENTRE_Y, SPHERE_RADIUS, type Grid, type GridSticks } from "./grid";
import type { Peer, PeerCloth, PeerScene, PeerSettings } from "./peer";

/** What can be tuned. */
export interface PlainOptions {
    readonly substeps: number;
    /** Relaxation passes a substep. */
    readonly iterations: number;
    /** Fraction of a shear stick's error that one pass removes, 0..1. */
    readonly shearStiffness: number;
    /** The same for bend sticks. */
    readonly bendStiffness: number;
}

/*
 * The fields of Particle and Stick are declared, not defined: a field that exists as `undefined` before its first number makes
 * V8 box every number written to it later, which doubles the time and allocates megabytes a frame.
 */
class Particle {
    declare x: number;
    declare y: number;
    declare z: number;
    declare previousX: number;
    declare previousY: number;
    declare previousZ: number;
    /** 1 / kg; 0 = pinned. */
    declare readonly inverseMass: number;

    constructor(x: number, y: number, z: number, inverseMass: number) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.previousX = x;
        this.previousY = y;
        this.previousZ = z;
        this.inverseMass = inverseMass;
    }

    /**
     * @param keep part of the velocity that survives the step
     * @param fall gravity · dt² [m]
     */
    integrate(keep: number, fall: number): void {
        if (this.inverseMass === 0) return;
        const { x, y, z } = this;
        this.x += (x - this.previousX) * keep;
        this.y += (y - this.previousY) * keep - fall;
        this.z += (z - this.previousZ) * keep;
        this.previousX = x;
        this.previousY = y;
        this.previousZ = z;
    }

    /** Puts the particle back onto the sphere, and takes from its tangential step up to friction times the push. */
    collide(friction: number): void {
        const y = this.y - SPHERE_CENTRE_Y;
        const distanceSquared = this.x * this.x + y * y + this.z * this.z;
        if (distanceSquared >= SPHERE_RADIUS * SPHERE_RADIUS) return;
        const distance = Math.sqrt(distanceSquared);
        const normalX = this.x / distance;
        const normalY = y / distance;
        const normalZ = this.z / distance;
        const depth = SPHERE_RADIUS - distance;
        this.x += normalX * depth;
        this.y += normalY * depth;
        this.z += normalZ * depth;
        let slideX = this.x - this.previousX;
        let slideY = this.y - this.previousY;
        let slideZ = this.z - this.previousZ;
        const along = slideX * normalX + slideY * normalY + slideZ * normalZ;
        slideX -= along * normalX;
        slideY -= along * normalY;
        slideZ -= along * normalZ;
        const slide = Math.sqrt(slideX * slideX + slideY * slideY + slideZ * slideZ);
        const held = slide <= friction * depth ? 1 : (friction * depth) / slide;
        this.x -= slideX * held;
        this.y -= slideY * held;
        this.z -= slideZ * held;
    }
}

class Stick {
    declare private readonly _a: Particle;
    declare private readonly _b: Particle;
    declare private readonly _restLength: number;
    declare private readonly _shareA: number;
    declare private readonly _shareB: number;

    constructor(a: Particle, b: Particle, restLength: number, stiffness: number) {
        const sum = a.inverseMass + b.inverseMass;
        this._a = a;
        this._b = b;
        this._restLength = restLength;
        this._shareA = sum > 0 ? (stiffness * a.inverseMass) / sum : 0;
        this._shareB = sum > 0 ? (stiffness * b.inverseMass) / sum : 0;
    }

    satisfy(): void {
        const a = this._a;
        const b = this._b;
        const dx = b.x - a.x;
        const dy = b.y - a.y;
        const dz = b.z - a.z;
        const error = 1 - this._restLength / Math.sqrt(dx * dx + dy * dy + dz * dz);
        const toA = error * this._shareA;
        const toB = error * this._shareB;
        a.x += dx * toA;
        a.y += dy * toA;
        a.z += dz * toA;
        b.x -= dx * toB;
        b.y -= dy * toB;
        b.z -= dz * toB;
    }
}

class PlainCloth implements PeerCloth {
    private readonly _particles: Particle[] = [];
    private readonly _sticks: Stick[] = [];

    constructor(
        private readonly _scene: PeerScene,
        private readonly _settings: PlainOptions,
        grid: Grid,
    ) {
        for (let i = 0; i < grid.particleCount; i++) {
            const inverseMass = grid.pinned[i] ? 0 : 1 / grid.masses[i];
            const p = grid.positions;
            this._particles.push(new Particle(p[3 * i], p[3 * i + 1], p[3 * i + 2], inverseMass));
        }
        this._addSticks(grid.bend, _settings.bendStiffness);
        this._addSticks(grid.shear, _settings.shearStiffness);
        this._addSticks(grid.structural, 1);
    }

    private _addSticks(sticks: GridSticks, stiffness: number): void {
        if (stiffness === 0) return;
        for (let s = 0; s < sticks.count; s++) {
            const a = this._particles[sticks.pairs[2 * s]];
            const b = this._particles[sticks.pairs[2 * s + 1]];
            this._sticks.push(new Stick(a, b, sticks.restLengths[s], stiffness));
        }
    }

    step(): void {
        const { substeps, iterations } = this._settings;
        const { damping, gravity, friction, frameSeconds } = this._scene;
        const dt = frameSeconds / substeps;
        const keep = Math.exp(-damping * dt);
        const fall = gravity * dt * dt;
        const hasSphere = this._scene.name === "sphere";
        for (let substep = 0; substep < substeps; substep++) {
            for (const particle of this._particles) particle.integrate(keep, fall);
            for (let iteration = 0; iteration < iterations; iteration++) {
                for (const stick of this._sticks) stick.satisfy();
            }
            if (hasSphere) for (const particle of this._particles) particle.collide(friction);
        }
    }

    positions(target: Float32Array): Float32Array {
        let t = 0;
        for (const particle of this._particles) {
            target[t++] = particle.x;
            target[t++] = particle.y;
            target[t++] = particle.z;
        }
        return target;
    }

    dispose(): void {
        this._particles.length = 0;
        this._sticks.length = 0;
    }
}

const DEFAULTS: PlainOptions = { substeps: 1, iterations: 1, shearStiffness: 1, bendStiffness: 1 };

/** Options with a label. */
export type PlainSettings = PlainOptions & PeerSettings;

/** Completes and labels a setting. */
export function plainSettings(options: Partial<PlainOptions>): PlainSettings {
    const all = { ...DEFAULTS, ...options };
    const label = `${all.substeps} x ${all.iterations}`;
    return { ...all, label };
}

/**
 * Hand-written Verlet cloth on plain objects. A pass costs far more than an integration, so every setting spends its passes
 * on substeps; rigid shear and bend sticks beat softer ones in every scene.
 */
export const plainPeer: Peer<PlainSettings> = {
    name: "plain JavaScript",
    version: "Verlet, objects",
    settings: () => [1, 2, 3, 4, 6, 8, 12, 16, 24, 32].map((substeps) => plainSettings({ substeps })),
    create: (scene, settings) => new PlainCloth(scene, settings, createGrid(scene)),
};
