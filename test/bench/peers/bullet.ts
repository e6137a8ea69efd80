/**
 * Bullet's soft body through ammo.js in its WebAssembly build.
 *
 * Links are relaxed in the order in which they were added, `piterations` times a step; substeps are Bullet steps of a
 * fraction of the frame. The body has no faces: contacts and links do not need them, and a step without them is a tenth cheaper.
 */
import { createRequire } from "node:module";
import type AmmoModule from "ammojs-typed/wasm";
import { createGrid, SPHERE_CENTRE_Y, SPHERE_RADIUS, type Grid, type GridSticks } from "./grid";
import type { Peer, PeerCloth, PeerScene, PeerSettings } from "./peer";

type Ammo = typeof AmmoModule;

/** What can be tuned. */
export interface BulletOptions {
    /** Bullet steps a frame. */
    readonly substeps: number;
    /** Position iterations a step. */
    readonly iterations: number;
    /** Bullet's linear stiffness of the shear links, 0..1; 0 leaves them out. */
    readonly shearStiffness: number;
    /** The same for the bend links. */
    readonly bendStiffness: number;
    /** Distance kept to colliders [m]. Below 0.05 the cloth sinks into the sphere, and with few substeps falls through. */
    readonly margin: number;
}

let loading: Promise<Ammo> | undefined;

function loadAmmo(): Promise<Ammo> {
    // ammo.js writes itself onto `this`.
    loading ??= import("ammojs-typed/wasm").then(({ default: init }) => init.call({}) as Promise<Ammo>);
    return loading;
}

class BulletCloth implements PeerCloth {
    private readonly _world: AmmoModule.btSoftRigidDynamicsWorld;
    private readonly _body: AmmoModule.btSoftBody;
    /** Everything that must be freed, in order of creation. */
    private readonly _owned: unknown[] = [];
    private readonly _firstAddress: number;
    private readonly _stride: number;

    constructor(
        private readonly _ammo: Ammo,
        private readonly _scene: PeerScene,
        private readonly _settings: BulletOptions,
        private readonly _grid: Grid,
    ) {
        this._world = this._createWorld();
        if (_scene.name === "sphere") this._addSphere();
        this._body = this._addCloth();
        const nodes = this._body.m_nodes;
        this._firstAddress = _ammo.getPointer(nodes.at(0).m_x);
        this._stride = _ammo.getPointer(nodes.at(1).m_x) - this._firstAddress;
    }

    private _own<T>(object: T): T {
        this._owned.push(object);
        return object;
    }

    private _createWorld(): AmmoModule.btSoftRigidDynamicsWorld {
        const ammo = this._ammo;
        const configuration = this._own(new ammo.btSoftBodyRigidBodyCollisionConfiguration());
        const dispatcher = this._own(new ammo.btCollisionDispatcher(configuration));
        const broadphase = this._own(new ammo.btDbvtBroadphase());
        const solver = this._own(new ammo.btSequentialImpulseConstraintSolver());
        const softSolver = this._own(new ammo.btDefaultSoftBodySolver());
        const world = this._own(new ammo.btSoftRigidDynamicsWorld(dispatcher, broadphase, solver, configuration, softSolver));
        const gravity = new ammo.btVector3(0, -this._scene.gravity, 0);
        world.setGravity(gravity);
        const info = world.getWorldInfo();
        info.m_gravity = gravity;
        info.air_density = 0; // drag is kDP's, equal for all peers
        ammo.destroy(gravity);
        return world;
    }

    private _addSphere(): void {
        const ammo = this._ammo;
        const shape = this._own(new ammo.btSphereShape(SPHERE_RADIUS));
        const centre = new ammo.btVector3(0, SPHERE_CENTRE_Y, 0);
        const inertia = new ammo.btVector3(0, 0, 0);
        const transform = new ammo.btTransform();
        transform.setIdentity();
        transform.setOrigin(centre);
        const motionState = this._own(new ammo.btDefaultMotionState(transform));
        const info = new ammo.btRigidBodyConstructionInfo(0, motionState, shape, inertia);
        const body = this._own(new ammo.btRigidBody(info));
        body.setFriction(this._scene.friction);
        this._world.addRigidBody(body);
        for (const temporary of [info, transform, inertia, centre]) ammo.destroy(temporary);
    }

    private _addCloth(): AmmoModule.btSoftBody {
        const ammo = this._ammo;
        const { _grid: grid, _settings: settings, _scene: scene } = this;
        const point = new ammo.btVector3(0, 0, 0);
        const body = this._own(new ammo.btSoftBody(this._world.getWorldInfo(), 0, point, []));
        for (let i = 0; i < grid.particleCount; i++) {
            point.setValue(grid.positions[3 * i], grid.positions[3 * i + 1], grid.positions[3 * i + 2]);
            body.appendNode(point, grid.pinned[i] ? 0 : grid.masses[i]);
        }
        ammo.destroy(point);
        this._addLinks(body, grid.bend, settings.bendStiffness);
        this._addLinks(body, grid.shear, settings.shearStiffness);
        this._addLinks(body, grid.structural, 1);
        const config = body.m_cfg;
        config.viterations = 0;
        config.piterations = settings.iterations;
        config.kDP = 1 - Math.exp((-scene.damping * scene.frameSeconds) / settings.substeps);
        config.kDF = scene.friction;
        body.setActivationState(DISABLE_DEACTIVATION);
        ammo.castObject(body, ammo.btCollisionObject).getCollisionShape().setMargin(settings.margin);
        this._world.addSoftBody(body, 1, -1);
        return body;
    }

    private _addLinks(body: AmmoModule.btSoftBody, sticks: GridSticks, stiffness: number): void {
        if (stiffness === 0) return;
        const material = body.appendMaterial();
        material.m_kLST = stiffness;
        for (let s = 0; s < sticks.count; s++) {
            body.appendLink(sticks.pairs[2 * s], sticks.pairs[2 * s + 1], material, false);
        }
    }

    step(): void {
        const { substeps } = this._settings;
        const { frameSeconds } = this._scene;
        for (let substep = 0; substep < substeps; substep++) {
            this._world.stepSimulation(frameSeconds / substeps, 0, 0); // no substeps of its own: variable step
        }
    }

    positions(target: Float32Array): Float32Array {
        const heap = this._ammo.HEAPF32;
        const stride = this._stride >> 2;
        let source = this._firstAddress >> 2;
        for (let t = 0; t < 3 * this._grid.particleCount; t += 3, source += stride) {
            target[t] = heap[source];
            target[t + 1] = heap[source + 1];
            target[t + 2] = heap[source + 2];
        }
        return target;
    }

    dispose(): void {
        this._world.removeSoftBody(this._body);
        for (const object of this._owned.reverse()) this._ammo.destroy(object);
        this._owned.length = 0;
    }
}

/** Bullet's activation state of a body that never sleeps. */
const DISABLE_DEACTIVATION = 4;

const DEFAULTS: BulletOptions = {
    substeps: 1,
    iterations: 1,
    shearStiffness: 1,
    bendStiffness: 1,
    margin: 0.06,
};

/** Options with a label. */
export type BulletSettings = BulletOptions & PeerSettings;

/** Completes and labels a setting. */
export function bulletSettings(options: Partial<BulletOptions>): BulletSettings {
    const all = { ...DEFAULTS, ...options };
    const label = `${all.substeps} x ${all.iterations}`;
    return { ...all, label };
}

/**
 * Substeps and iterations, from cheap to costly. An iteration costs a third of a substep at 64², so the best settings mix
 * both. Rigid shear and bend links beat softer ones in every scene: they carry corrections further in each pass.
 */
const SWEEP = [
    [1, 2],
    [1, 4],
    [1, 8],
    [2, 4],
    [2, 8],
    [4, 2],
    [4, 4],
    [8, 2],
    [8, 4],
    [16, 2],
    [16, 4],
    [32, 2],
] as const;

function installedVersion(): string {
    const require = createRequire(import.meta.url);
    return (require("ammojs-typed/package.json") as { version: string }).version;
}

/** Bullet soft bodies (ammo.js, WebAssembly). */
export const bulletPeer: Peer<BulletSettings> = {
    name: "Bullet",
    version: `ammojs-typed ${installedVersion()} wasm`,
    settings: () => SWEEP.map(([substeps, iterations]) => bulletSettings({ substeps, iterations })),
    create: async (scene, settings) => new BulletCloth(await loadAmmo(), scene, settings, createGrid(scene)),
};
