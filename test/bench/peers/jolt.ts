/**
 * Jolt Physics' soft body in its SIMD build. Jolt's only build with SIMD is the multi-threaded one; with no worker threads
 * it runs everything on the calling thread, faster than the plain build.
 *
 * Jolt calls them iterations, but each is an XPBD substep with its own integration. Contact planes are found once per
 * collision step, of which a frame can have several.
 */
import type JoltModule from "jolt-physics/wasm-multithread";
import { createGrid, nearestPins, restDistance, SPHERE_CENTRE_Y, SPHERE_RADIUS, sphereTriangles } from "./grid";
import type { Grid, GridSticks } from "./grid";
import { joltVersion, loadJolt, type Jolt } from "./joltModule";
import { isOnSphere } from "./peer";
import type { Peer, PeerCloth, PeerScene, PeerSettings } from "./peer";

/** What can be tuned. */
export interface JoltOptions {
    /** Jolt's iterations: substeps of one collision step. */
    readonly substeps: number;
    /** Collision steps a frame; each redoes collision detection and runs all substeps. */
    readonly collisionSteps: number;
    /** Compliance of the shear sticks [m/N]; softness that keeps Jolt from diverging. */
    readonly shearCompliance: number;
    /** Compliance of the bend sticks [m/N]. */
    readonly bendCompliance: number;
    /** Tethers a particle, to its nearest pins; Jolt's own generator makes one. */
    readonly tethers: number;
    /** Slack of the tethers as a factor on the distance. */
    readonly tetherSlack: number;
    /** Distance kept between particles and colliders [m]. */
    readonly vertexRadius: number;
}

/** Object layers, which are broad-phase layers at the same time. */
const LAYER_STATIC = 0;
const LAYER_MOVING = 1;
const LAYER_COUNT = 2;

class JoltCloth implements PeerCloth {
    private readonly _interface: JoltModule.JoltInterface;
    private readonly _body: JoltModule.Body;
    private readonly _addresses: { first: number; stride: number };
    private _sphere: JoltModule.Body | undefined;

    constructor(
        private readonly _jolt: Jolt,
        private readonly _scene: PeerScene,
        private readonly _settings: JoltOptions,
        private readonly _grid: Grid,
    ) {
        this._interface = createInterface(_jolt);
        const system = this._interface.GetPhysicsSystem();
        const gravity = new _jolt.Vec3(0, -_scene.gravity, 0);
        system.SetGravity(gravity);
        _jolt.destroy(gravity);
        this._body = this._addCloth(createShared(_jolt, _grid, _settings));
        if (isOnSphere(_scene)) this._sphere = this._addSphere();
        this._addresses = this._vertexAddresses();
    }

    /** Adds the soft body and takes the reference of `shared` with it. */
    private _addCloth(shared: JoltModule.SoftBodySharedSettings): JoltModule.Body {
        const jolt = this._jolt;
        const origin = new jolt.RVec3(0, 0, 0);
        const rotation = new jolt.Quat(0, 0, 0, 1);
        const creation = new jolt.SoftBodyCreationSettings(shared, origin, rotation, LAYER_MOVING);
        creation.mNumIterations = this._settings.substeps;
        creation.mLinearDamping = this._scene.damping;
        creation.mFriction = this._scene.friction;
        creation.mVertexRadius = this._settings.vertexRadius;
        creation.mUpdatePosition = false;
        // A sleeping cloth costs nothing, which would time the sleep and not the solver.
        creation.mAllowSleeping = false;
        const bodies = this._interface.GetPhysicsSystem().GetBodyInterface();
        const body = bodies.CreateSoftBody(creation);
        bodies.AddBody(body.GetID(), jolt.EActivation_Activate);
        for (const temporary of [creation, rotation, origin]) jolt.destroy(temporary);
        return body;
    }

    private _addSphere(): JoltModule.Body {
        const jolt = this._jolt;
        const centre = new jolt.RVec3(0, SPHERE_CENTRE_Y, 0);
        const rotation = new jolt.Quat(0, 0, 0, 1);
        const shape = this._scene.name === "mesh" ? createMeshShape(jolt) : new jolt.SphereShape(SPHERE_RADIUS);
        const creation = new jolt.BodyCreationSettings(shape, centre, rotation, jolt.EMotionType_Static, LAYER_STATIC);
        creation.mFriction = this._scene.friction;
        const bodies = this._interface.GetPhysicsSystem().GetBodyInterface();
        const body = bodies.CreateBody(creation);
        bodies.AddBody(body.GetID(), jolt.EActivation_DontActivate);
        for (const temporary of [creation, rotation, centre]) jolt.destroy(temporary);
        return body;
    }

    /** Address of the first vertex's position and the bytes from vertex to vertex; Jolt keeps them in one array. */
    private _vertexAddresses(): { first: number; stride: number } {
        const jolt = this._jolt;
        const motion = jolt.castObject(this._body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
        const vertices = motion.GetVertices();
        const first = jolt.getPointer(vertices.at(0).mPosition);
        return { first, stride: jolt.getPointer(vertices.at(1).mPosition) - first };
    }

    step(): void {
        this._interface.Step(this._scene.frameSeconds, this._settings.collisionSteps);
    }

    positions(target: Float32Array): Float32Array {
        const heap = this._jolt.HEAPF32;
        const centre = this._body.GetCenterOfMassPosition();
        const x = centre.GetX();
        const y = centre.GetY();
        const z = centre.GetZ();
        const stride = this._addresses.stride >> 2;
        let source = this._addresses.first >> 2;
        for (let t = 0; t < 3 * this._grid.particleCount; t += 3, source += stride) {
            target[t] = heap[source] + x;
            target[t + 1] = heap[source + 1] + y;
            target[t + 2] = heap[source + 2] + z;
        }
        return target;
    }

    dispose(): void {
        const bodies = this._interface.GetPhysicsSystem().GetBodyInterface();
        for (const body of [this._body, this._sphere]) {
            if (!body) continue;
            const id = body.GetID();
            bodies.RemoveBody(id);
            bodies.DestroyBody(id);
        }
        this._jolt.destroy(this._interface);
    }
}

/** The sphere as triangles. */
function createMeshShape(jolt: Jolt): JoltModule.Shape {
    const corners = sphereTriangles();
    const triangles = new jolt.TriangleList();
    triangles.resize(corners.length / 9);
    for (let t = 0; t < corners.length / 9; t++) {
        const triangle = triangles.at(t);
        for (let corner = 0; corner < 3; corner++) {
            const vertex = triangle.get_mV(corner);
            const o = 9 * t + 3 * corner;
            vertex.x = SPHERE_RADIUS * corners[o];
            vertex.y = SPHERE_RADIUS * corners[o + 1];
            vertex.z = SPHERE_RADIUS * corners[o + 2];
        }
    }
    const materials = new jolt.PhysicsMaterialList();
    const settings = new jolt.MeshShapeSettings(triangles, materials);
    const result = settings.Create();
    if (result.HasError()) throw new Error(result.GetError().c_str());
    const shape = result.Get();
    shape.AddRef();
    for (const temporary of [settings, materials, triangles]) jolt.destroy(temporary);
    return shape;
}

/** A physics system with one static and one moving layer, on the calling thread. */
function createInterface(jolt: Jolt): JoltModule.JoltInterface {
    const pairs = new jolt.ObjectLayerPairFilterTable(LAYER_COUNT);
    pairs.EnableCollision(LAYER_STATIC, LAYER_MOVING);
    const layers = new jolt.BroadPhaseLayerInterfaceTable(LAYER_COUNT, LAYER_COUNT);
    for (const layer of [LAYER_STATIC, LAYER_MOVING]) {
        const broadPhaseLayer = new jolt.BroadPhaseLayer(layer);
        layers.MapObjectToBroadPhaseLayer(layer, broadPhaseLayer);
        jolt.destroy(broadPhaseLayer);
    }
    const settings = new jolt.JoltSettings();
    settings.mMaxWorkerThreads = 0;
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, LAYER_COUNT, pairs, LAYER_COUNT);
    const joltInterface = new jolt.JoltInterface(settings); // owns the filters from here on
    jolt.destroy(settings);
    return joltInterface;
}

/** The cloth's vertices, faces, sticks and tethers. */
function createShared(jolt: Jolt, grid: Grid, settings: JoltOptions): JoltModule.SoftBodySharedSettings {
    const shared = new jolt.SoftBodySharedSettings();
    const vertex = new jolt.SoftBodySharedSettingsVertex();
    const position = vertex.mPosition;
    for (let i = 0; i < grid.particleCount; i++) {
        position.x = grid.positions[3 * i];
        position.y = grid.positions[3 * i + 1];
        position.z = grid.positions[3 * i + 2];
        vertex.mInvMass = grid.pinned[i] ? 0 : 1 / grid.masses[i];
        shared.mVertices.push_back(vertex);
    }
    jolt.destroy(vertex);

    const face = new jolt.SoftBodySharedSettingsFace(0, 0, 0, 0);
    for (let t = 0; t < grid.triangles.length; t += 3) {
        for (let corner = 0; corner < 3; corner++) face.set_mVertex(corner, grid.triangles[t + corner]);
        shared.AddFace(face);
    }
    jolt.destroy(face);

    addEdges(jolt, shared, grid.structural, 0);
    addEdges(jolt, shared, grid.shear, settings.shearCompliance);
    addEdges(jolt, shared, grid.bend, settings.bendCompliance);
    addTethers(jolt, shared, grid, settings);
    shared.Optimize();
    return shared;
}

function addEdges(jolt: Jolt, shared: JoltModule.SoftBodySharedSettings, sticks: GridSticks, compliance: number): void {
    const edge = new jolt.SoftBodySharedSettingsEdge(0, 0, compliance);
    for (let s = 0; s < sticks.count; s++) {
        edge.set_mVertex(0, sticks.pairs[2 * s]);
        edge.set_mVertex(1, sticks.pairs[2 * s + 1]);
        edge.mRestLength = sticks.restLengths[s];
        shared.mEdgeConstraints.push_back(edge);
    }
    jolt.destroy(edge);
}

/** Long-range attachments. The straight distance is the geodesic one on a flat square, so Jolt's two types agree here. */
function addTethers(jolt: Jolt, shared: JoltModule.SoftBodySharedSettings, grid: Grid, settings: JoltOptions): void {
    const tether = new jolt.SoftBodySharedSettingsLRA(0, 0, 0);
    for (let i = 0; i < grid.particleCount; i++) {
        if (grid.pinned[i]) continue;
        for (const pin of nearestPins(grid, i, settings.tethers)) {
            tether.set_mVertex(0, pin);
            tether.set_mVertex(1, i);
            tether.mMaxDistance = restDistance(grid, i, pin) * settings.tetherSlack;
            shared.mLRAConstraints.push_back(tether);
        }
    }
    jolt.destroy(tether);
}

const DEFAULTS: JoltOptions = {
    substeps: 1,
    collisionSteps: 1,
    shearCompliance: 10,
    bendCompliance: 1e-2,
    tethers: 1,
    tetherSlack: 1,
    vertexRadius: 0,
};

/** Options with a label. */
export type JoltSettings = JoltOptions & PeerSettings;

/** Completes and labels a setting. */
export function joltSettings(options: Partial<JoltOptions>): JoltSettings {
    const all = { ...DEFAULTS, ...options };
    const steps = all.collisionSteps > 1 ? `${all.collisionSteps} x ${all.substeps}` : `${all.substeps}`;
    const tethers = all.tethers > 0 ? `, ${all.tethers} tether${all.tethers > 1 ? "s" : ""}` : "";
    const label = `${steps}${tethers}`;
    return { ...all, label };
}

/**
 * The softness that suits a scene best, from a grid of 1e-4 .. 100 m/N. Stiffer shear and bend sticks gain energy at few
 * substeps, the more so the finer the grid; beyond 10 m/N of shear a free cloth slides off the sphere.
 */
function compliancesOf({ name, resolution }: PeerScene): Pick<JoltOptions, "shearCompliance" | "bendCompliance"> {
    if (name === "sphere" || name === "mesh") {
        return resolution <= 64
            ? { shearCompliance: 3, bendCompliance: 0.01 }
            : { shearCompliance: 1, bendCompliance: 0.05 * (resolution / 128) ** 2 };
    }
    return resolution <= 128 ? { shearCompliance: 10, bendCompliance: 0.01 } : { shearCompliance: 100, bendCompliance: 1 };
}

/**
 * Jolt's own generator ties a particle to its nearest pin only. A second tether, which a user can add by hand, makes the
 * cloth with two pins several times cheaper at equal stretch; the row of pins gains nothing from it.
 */
function tetherCountsOf({ name }: PeerScene): number[] {
    if (name === "sphere" || name === "mesh") return [0];
    return name === "topRow" ? [1] : [1, 2];
}

/** Substep counts from cheap to costly. */
const SUBSTEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** Jolt Physics soft bodies (WebAssembly, SIMD, one thread). */
export const joltPeer: Peer<JoltSettings> = {
    name: "Jolt",
    meetsMeshes: true,
    version: `${joltVersion()} (SIMD), no workers`,
    settings: (scene) =>
        SUBSTEPS.flatMap((substeps) =>
            tetherCountsOf(scene).map((tethers) => joltSettings({ ...compliancesOf(scene), substeps, tethers })),
        ),
    create: async (scene, settings) => new JoltCloth(await loadJolt(), scene, settings, createGrid(scene)),
};
