/** This project's cloth behind the peers' interface: the solver alone, on the mesh that MeshBuilder.CreateGround makes. */
import { createBodyKernels } from "../unit/kernels/allKernels";
import type { Kernels, Body } from "../../src/engine/index";
import { identity, Fabrics, PinSet, createCloth, World } from "../../src/engine/index";
import { colliderShapes } from "../../src/engine/collision/shapes/registry";
import { passes as defaultPasses, passesAfterContact as defaultAfterContact } from "../../src/engine/solvers/xpbd/registry";
import type { Constraint } from "../../src/engine/state/constraint";
import { buildTopology } from "../../src/engine/topology/topology";
import type { ClothTopology } from "../../src/engine/topology/topology";
import { createGrid, SPHERE_CENTRE_Y, SPHERE_RADIUS, sphereTriangles } from "./peers/grid";
import { isOnSphere } from "./peers/peer";
import type { Peer, PeerCloth, PeerScene, PeerSettings } from "./peers/peer";

/** Name of a kind of constraints, as in the registry. */
export type PassName = (typeof defaultPasses)[number];

/** What can be tuned. */
export interface OursOptions {
    readonly substeps: number;
    /** Order of the passes of a substep. */
    readonly passes: readonly PassName[];
    /** Passes that follow where a collider was near. */
    readonly passesAfterContact: readonly PassName[];
}

/** Options with a label. */
export type OursSettings = OursOptions & PeerSettings;

/** Completes and labels a setting. */
export function oursSettings(options: Partial<OursOptions>): OursSettings {
    const all = {
        substeps: 1,
        passes: defaultPasses,
        passesAfterContact: defaultAfterContact,
        ...options,
    };
    return { ...all, label: `${all.substeps}` };
}

let kernels: Kernels | undefined;

/** The kernels; one set a process, as in a page. */
export function kernelsOf(): Kernels {
    return (kernels ??= createBodyKernels());
}

const world = new World();

/** The scene's cloth on the solver. */
export class OursCloth implements PeerCloth {
    readonly cloth: Body;
    private readonly _alone: readonly Body[];

    constructor(
        private readonly _scene: PeerScene,
        settings: OursSettings,
    ) {
        const { friction, gravity, arealDensity, damping, frameSeconds } = _scene;
        const topology = groundTopology(_scene);
        this.cloth = createCloth(kernelsOf(), topology, topology.positions, {
            gravity: Float64Array.of(0, -gravity, 0),
            substepCount: settings.substeps,
            fixedTimeStep: frameSeconds,
            maxStepsPerFrame: 1,
            fabric: { ...Fabrics.cotton, arealDensity, damping, friction },
            tetherSlack: 0,
            solver: "xpbd" as const,
            springDamping: 0,
            sleepSpeed: 0,
            wind: null,
        });
        this._alone = [this.cloth];
        setPasses(this.cloth, settings);
        const { pins } = createGrid(_scene);
        if (pins.length > 0) {
            const held = new PinSet(pins);
            held.attach(this.cloth.state, identity());
            this.cloth.addPins(held);
        }
        if (isOnSphere(_scene)) this._addSphere();
        this.cloth.prepare();
    }

    private _addSphere(): void {
        const { kernels, state } = this.cloth;
        const isMesh = this._scene.name === "mesh";
        const sphere = isMesh
            ? colliderShapes.mesh(kernels, state.particleCount, Float32Array.of(1, ...sphereTriangles()))
            : colliderShapes.sphere(kernels);
        const pose = identity();
        pose[0] = pose[5] = pose[10] = SPHERE_RADIUS;
        pose[13] = SPHERE_CENTRE_Y;
        sphere.setPose(pose);
        this.cloth.addCollider(sphere);
    }

    step(): void {
        this.cloth.clock.frameSeconds = this._scene.frameSeconds;
        this.cloth.beginFrame();
        world.advance(this._alone);
        this.cloth.endFrame();
    }

    positions(target: Float32Array): Float32Array {
        const { positions, particleCount } = this.cloth.state;
        for (let i = 0; i < particleCount; i++) {
            target[3 * i] = positions[4 * i];
            target[3 * i + 1] = positions[4 * i + 1];
            target[3 * i + 2] = positions[4 * i + 2];
        }
        return target;
    }

    dispose(): void {
        this.cloth.release();
    }
}

/** Gives a cloth another order of passes than the registry's. */
function setPasses(cloth: Body, { passes, passesAfterContact }: OursOptions): void {
    const find = (name: PassName): Constraint => cloth.constraints.find((constraint) => constraint.name === name)!;
    Object.assign(cloth, { passes: passes.map(find), passesAfterContact: passesAfterContact.map(find) });
}

/** The grid with the triangles of MeshBuilder.CreateGround: every cell is split along the same diagonal. */
export function groundTopology(scene: PeerScene): ClothTopology {
    const n = scene.resolution;
    const triangles = new Uint32Array(6 * (n - 1) * (n - 1));
    let t = 0;
    for (let row = 0; row < n - 1; row++) {
        for (let column = 0; column < n - 1; column++) {
            const a = row * n + column;
            triangles.set([a + n + 1, a + 1, a, a + n, a + n + 1, a], t);
            t += 6;
        }
    }
    return buildTopology(createGrid(scene).positions, triangles);
}

/** Makes our peer; `substeps` from cheap to costly. */
export function oursPeer(substeps: readonly number[]): Peer<OursSettings> {
    return {
        meetsMeshes: true,
        name: "ours",
        version: "babylon-cloth",
        settings: () => substeps.map((count) => oursSettings({ substeps: count })),
        create: (scene, settings) => new OursCloth(scene, settings),
    };
}
