import {
    bodyPointsOf,
    boundaryEdgesOf,
    identity,
    invert,
    mapPointCloud,
    massPropertiesOf,
    multiply,
    readFrame,
    tetrahedronOf,
    weld,
} from "../../engine/index";
import type { Affine, RigidBody, SurfaceParticles, SurfaceView } from "../../engine/index";
import type { BodyBinding } from "../behaviors/bodyKind";
import { fail, readFloats, readMesh } from "../mesh/readMesh";
import { worldMatrixOf } from "../support/carriers";
import { impulseBodies } from "../physics/physicsBodies";
import { NodePose } from "../support/nodePose";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { ImpulseBody } from "../physics/physicsBodies";

/** Names the class in errors. */
export const OWNER = "RigidBodyBehavior";

/** Smallest volume of a body, as a share of the cube of its diagonal. */
const MIN_VOLUME_SHARE = 1e-9;

/** Within a call. */
const [world, local, map, frame] = [identity(), identity(), identity(), identity()];

/** Binds a closed mesh to four particles and its contact points: the node moves, its vertices do not. */
export class RigidBodyBinding implements BodyBinding {
    readonly particleCount: number;
    readonly restPositions: Float32Array;
    readonly particleOfVertex: Uint32Array;
    readonly vertexCount: number;
    readonly restVertexPositions: Float32Array;
    readonly authoredPositions: Float32Array;
    readonly weld = null;
    readonly isEdited = false;
    /** Volume at attach [m³]. */
    readonly volume: number;
    /** Radius of a sphere [m], else 0. */
    readonly radius: number;
    /** Number of contact points; they follow the four particles. */
    readonly contactPointCount: number;
    /** Contact points of triangles, shape [n, 3]. */
    readonly triangles: Uint32Array;
    private readonly _node: NodePose;
    private _isShifted = false;
    /** Told of a move of the origin [m], x y z. */
    onShift: (by: readonly number[]) => void = () => {};
    private _proxy: RigidBodyProxy | null = null;
    /** From mesh-local space to the principal axes at attach. */
    readonly toFrame = identity();

    /**
     * @param toWorld map from mesh-local space to the world's axes and size
     * @throws Error if the mesh is open or encloses no volume
     */
    constructor(
        readonly mesh: Mesh,
        toWorld: Affine,
    ) {
        const data = readMesh(mesh, OWNER);
        const { placeCount, placeOfVertex, vertexOfPlace } = weld(data.positions, data.indices);
        const places = new Float32Array(3 * placeCount);
        vertexOfPlace.forEach((v, i) => places.set(data.positions.subarray(3 * v, 3 * v + 3), 3 * i));
        const { mapped } = mapPointCloud(places, toWorld);
        const triangles = data.indices.map((v) => placeOfVertex[v]);
        checkClosed(mesh, triangles);
        const properties = massPropertiesOf(mapped, triangles);
        checkVolume(mesh, mapped, properties.volume);
        const body = bodyPointsOf(mapped, triangles, properties.centre);
        const particles = Float32Array.from([...tetrahedronOf(properties), ...body.points]);
        const toLocal = identity();
        invert(toWorld, toLocal);
        this.vertexCount = data.vertexCount;
        this.restVertexPositions = data.positions;
        this.authoredPositions = data.authoredPositions;
        this.particleCount = particles.length / 3;
        this.restPositions = mapPointCloud(particles, toLocal).mapped;
        this.particleOfVertex = placeOfVertex.map((place) => 4 + body.pointOfPlace[place]);
        this.volume = Math.abs(properties.volume);
        this.radius = body.radius;
        this.contactPointCount = body.contactPointCount;
        this.triangles = body.triangles.map((point) => 4 + point);
        this._node = new NodePose(mesh);
        this._storeFrame(properties.axes, properties.centre, toWorld);
    }

    private _storeFrame(axes: Float64Array, centre: Float64Array, toWorld: Affine): void {
        frame.fill(0);
        for (let row = 0; row < 3; row++) frame.set(axes.subarray(3 * row, 3 * row + 3), 4 * row);
        frame.set(centre, 12);
        frame[15] = 1;
        const inverse = identity();
        invert(frame, inverse);
        multiply(toWorld, inverse, this.toFrame);
    }

    getVertexColors(): Float32Array | null {
        const { geometry } = this.mesh;
        return geometry && readFloats(geometry, "color", 4);
    }

    write(particles: SurfaceParticles, { toLocal, alpha }: SurfaceView): void {
        if (this.mesh.isDisposed()) return;
        world.set(worldMatrixOf(this.mesh));
        local.set(toLocal);
        multiply(local, world, map);
        readFrame(particles, map, alpha, frame);
        multiply(this.toFrame, frame, world);
        this._node.write(world);
    }

    /**
     * Motion from the drawn pose to the pose after the last step, and the principal axes and centre there. The drawn pose is up to a step behind: forces computed from it
     * would pull the body back, and feed in energy.
     * @returns true if the mesh's world matrix is invertible
     */
    readStepMotion({ state, origin }: RigidBody, lead: Affine, axes: Affine): boolean {
        map.fill(0);
        map[0] = map[5] = map[10] = map[15] = 1;
        for (let c = 0; c < 3; c++) map[12 + c] = origin[c];
        readFrame(state, map, 1, frame);
        axes.set(frame);
        multiply(this.toFrame, frame, local);
        world.set(worldMatrixOf(this.mesh));
        if (!invert(world, map)) return false;
        multiply(map, local, lead);
        return true;
    }

    detectNodeMove(motion: Affine): boolean {
        const isMoved = this._node.readExternalMove(motion);
        const isShifted = this._isShifted;
        this._isShifted = false;
        return isMoved && !isShifted;
    }

    /** Follows a move of the origin, if the user moves its mesh along or not. */
    shiftOrigin(by: readonly number[]): void {
        this._isShifted = true;
        this.onShift(by);
    }

    /** Sets the body that takes impulses on the mesh. */
    attachProxy(proxy: RigidBodyProxy): void {
        this._detachProxy();
        this._proxy = proxy;
        impulseBodies.set(this.mesh, proxy);
    }

    private _detachProxy(): void {
        const { _proxy: proxy } = this;
        if (!proxy) return;
        proxy.isDisposed = true;
        if (impulseBodies.get(this.mesh) === proxy) impulseBodies.delete(this.mesh);
    }

    /** The mesh keeps its current pose. */
    dispose(): null {
        this._detachProxy();
        return null;
    }
}

function checkClosed(mesh: Mesh, triangles: Uint32Array): void {
    const { openEdges: open, inconsistentEdges: torn } = boundaryEdgesOf(triangles);
    if (open > 0)
        throw fail(
            mesh,
            "must be closed: cap its holes, or give it a back (flat and open meshes are for ClothBehavior)",
            `${open} open edges`,
            OWNER,
        );
    if (torn > 0)
        throw fail(
            mesh,
            "must have all triangles wound the same way round, two at each edge",
            `${torn} edges where they are not`,
            OWNER,
        );
}

function checkVolume(mesh: Mesh, points: Float32Array, volume: number): void {
    const corner = points.subarray(0, 3);
    let most = 0;
    for (let o = 0; o < points.length; o += 3)
        most = Math.max(most, Math.hypot(points[o] - corner[0], points[o + 1] - corner[1], points[o + 2] - corner[2]));
    if (!(Math.abs(volume) > MIN_VOLUME_SHARE * most ** 3)) throw fail(mesh, "must enclose a volume", `${volume} m³`, OWNER);
}

/** Values of Babylon's PhysicsMotionType. */
const [STATIC, DYNAMIC] = [0, 2];

/** Within a call. */
const [at, push, twist] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
const NOTHING = new Float64Array(3);

/** A rigid body with the interface of a physics body: takes impulses of cloths and ropes that touch its mesh or are pinned to it. */
export class RigidBodyProxy implements ImpulseBody {
    readonly numInstances = 0;
    isDisposed = false;
    private readonly _inertia = new Vector3();
    private readonly _properties = { mass: 0, inertia: this._inertia };

    constructor(
        readonly transformNode: Mesh,
        private readonly _body: RigidBody,
        private readonly _behavior: { readonly enabled: boolean },
        private readonly _binding: { readStepMotion(body: RigidBody, map: Affine, frame: Affine): boolean },
    ) {}

    getMotionType(): number {
        return this._behavior.enabled ? DYNAMIC : STATIC;
    }

    getMassProperties(): { mass: number; inertia: Vector3 } {
        const { _properties: properties, _body: body } = this;
        properties.mass = body.mass;
        this._inertia.fromArray(body.moments);
        return properties;
    }

    readStepMotion(map: Affine, frame: Affine): boolean {
        return this._binding.readStepMotion(this._body, map, frame);
    }

    translate(drift: ArrayLike<number>): void {
        this._body.translate(drift);
    }

    applyImpulse(impulse: Vector3, place: Vector3): void {
        read(impulse, push);
        read(place, at);
        for (let c = 0; c < 3; c++) at[c] -= this._body.origin[c];
        this._body.addVelocity(at, push, NOTHING);
    }

    applyAngularImpulse(moment: Vector3): void {
        read(moment, twist);
        this._body.addVelocity(NOTHING, NOTHING, twist);
    }
}

function read({ x, y, z }: Vector3, target: Float64Array): void {
    target[0] = x;
    target[1] = y;
    target[2] = z;
}
