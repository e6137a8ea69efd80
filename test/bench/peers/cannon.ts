/**
 * cannon-es: one body per particle, one DistanceConstraint per stick, Gauss-Seidel over all equations.
 *
 * Two of its own extension points spare it work that its defaults would waste on 4,096 bodies: a broad phase that pairs
 * particles with the sphere only, and a collision matrix that stores pairs instead of all n².
 */
import { createRequire } from "node:module";
import {
    Body,
    Broadphase,
    ContactMaterial,
    DistanceConstraint,
    GSSolver,
    Material,
    ObjectCollisionMatrix,
    Particle,
    Sphere,
    Vec3,
    World,
} from "cannon-es";
import { createGrid, SPHERE_CENTRE_Y, SPHERE_RADIUS, type Grid, type GridSticks } from "./grid";
import type { Peer, PeerCloth, PeerScene, PeerSettings } from "./peer";

/** What can be tuned. */
export interface CannonOptions {
    /** World steps a frame. */
    readonly substeps: number;
    /** Solver iterations a step. */
    readonly iterations: number;
    /** Stiffness of the sticks' equations [N/m]. */
    readonly stiffness: number;
    /** Steps in which an equation's error is to be stabilised; cannon's default of 3 stretches twice as much as 1. */
    readonly relaxation: number;
}

/** Pairs every particle with one fixed body, or with none. */
class ClothBroadphase extends Broadphase {
    constructor(
        private readonly _particles: readonly Body[],
        private readonly _sphere: Body | undefined,
    ) {
        super();
    }

    override collisionPairs(_world: World, first: Body[], second: Body[]): void {
        const sphere = this._sphere;
        if (!sphere) return;
        for (const particle of this._particles) this.intersectionTest(particle, sphere, first, second);
    }
}

class CannonCloth implements PeerCloth {
    private readonly _world = new World();
    private readonly _particles: Body[] = [];

    constructor(
        private readonly _scene: PeerScene,
        private readonly _settings: CannonOptions,
        grid: Grid,
    ) {
        const world = this._world;
        world.gravity.set(0, -_scene.gravity, 0);
        world.collisionMatrix = new ObjectCollisionMatrix() as unknown as World["collisionMatrix"];
        world.collisionMatrixPrevious = new ObjectCollisionMatrix() as unknown as World["collisionMatrix"];
        const solver = new GSSolver();
        solver.iterations = _settings.iterations;
        solver.tolerance = 0; // all iterations, as in the other peers
        world.solver = solver;
        this._addParticles(grid);
        this._addSticks(grid.bend);
        this._addSticks(grid.shear);
        this._addSticks(grid.structural);
        const sphere = _scene.name === "sphere" ? this._addSphere() : undefined;
        world.broadphase = new ClothBroadphase(this._particles, sphere);
    }

    private _addParticles(grid: Grid): void {
        const shape = new Particle();
        const material = new Material();
        const p = grid.positions;
        for (let i = 0; i < grid.particleCount; i++) {
            const body = new Body({
                mass: grid.pinned[i] ? 0 : grid.masses[i],
                position: new Vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]),
                linearDamping: 1 - Math.exp(-this._scene.damping), // cannon: part of the velocity lost in a second
                shape,
                material,
            });
            this._particles.push(body);
            this._world.addBody(body);
        }
    }

    private _addSticks(sticks: GridSticks): void {
        const dt = this._scene.frameSeconds / this._settings.substeps;
        for (let s = 0; s < sticks.count; s++) {
            const a = this._particles[sticks.pairs[2 * s]];
            const b = this._particles[sticks.pairs[2 * s + 1]];
            if (a.mass === 0 && b.mass === 0) continue;
            const constraint = new DistanceConstraint(a, b, sticks.restLengths[s]);
            for (const equation of constraint.equations) {
                equation.setSpookParams(this._settings.stiffness, this._settings.relaxation, dt);
            }
            this._world.addConstraint(constraint);
        }
    }

    private _addSphere(): Body {
        const material = new Material();
        const body = new Body({
            mass: 0,
            position: new Vec3(0, SPHERE_CENTRE_Y, 0),
            shape: new Sphere(SPHERE_RADIUS),
            material,
        });
        this._world.addBody(body);
        this._world.addContactMaterial(
            new ContactMaterial(this._particles[0].material!, material, { friction: this._scene.friction, restitution: 0 }),
        );
        return body;
    }

    step(): void {
        const dt = this._scene.frameSeconds / this._settings.substeps;
        for (let substep = 0; substep < this._settings.substeps; substep++) this._world.step(dt);
    }

    positions(target: Float32Array): Float32Array {
        let t = 0;
        for (const { position } of this._particles) {
            target[t++] = position.x;
            target[t++] = position.y;
            target[t++] = position.z;
        }
        return target;
    }

    dispose(): void {
        for (const constraint of this._world.constraints) constraint.disable();
        this._world.constraints.length = 0;
        this._world.bodies.length = 0;
        this._particles.length = 0;
    }
}

const DEFAULTS: CannonOptions = {
    substeps: 1,
    iterations: 10,
    stiffness: 1e7,
    relaxation: 1,
};

/** Options with a label. */
export type CannonSettings = CannonOptions & PeerSettings;

/** Completes and labels a setting. */
export function cannonSettings(options: Partial<CannonOptions>): CannonSettings {
    const all = { ...DEFAULTS, ...options };
    const label = `${all.substeps} x ${all.iterations}`;
    return { ...all, label };
}

/** Substeps and iterations, from cheap to costly. A substep rebuilds every equation, which costs as much as 5 iterations. */
const SWEEP = [
    [1, 2],
    [1, 5],
    [1, 10],
    [1, 20],
    [2, 10],
    [2, 20],
    [4, 10],
    [4, 20],
] as const;

function installedVersion(): string {
    const require = createRequire(import.meta.url);
    return (require("cannon-es/package.json") as { version: string }).version;
}

/** cannon-es particles and distance constraints. */
export const cannonPeer: Peer<CannonSettings> = {
    name: "cannon-es",
    version: `cannon-es ${installedVersion()}`,
    settings: () => SWEEP.map(([substeps, iterations]) => cannonSettings({ substeps, iterations })),
    create: (scene, settings) => new CannonCloth(scene, settings, createGrid(scene)),
};
