import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Tube, findCentreLine, identity } from "../../engine/index";
import type { Affine, CentreLine, SurfaceParticles, SurfaceView, Twist } from "../../engine/index";
import type { BodyBinding } from "../behaviors/bodyKind";
import type { Edit } from "../mesh/userEdits";
import { GeometryOverride } from "../mesh/geometryOverride";
import type { CloneListener } from "../mesh/geometryOverride";
import { LocalBounds } from "../mesh/localBounds";
import { fail, LINE_CLASSES, readFloats, readMesh } from "../mesh/readMesh";

/** Names the class in errors. */
export const OWNER = "RopeBehavior";

/** Binds a tube, a ribbon or a line to particles along its centre line. */
export class RopeBinding implements BodyBinding {
    readonly particleCount: number;
    readonly restPositions: Float32Array;
    readonly particleOfVertex: Uint32Array;
    readonly vertexCount: number;
    readonly restVertexPositions: Float32Array;
    readonly authoredPositions: Float32Array;
    readonly weld = null;
    private readonly _tube: Tube;
    override: GeometryOverride | null;

    /**
     * @param toWorld map from mesh-local space to the world's axes and size
     * @param segmentCount links; null: one from ring to ring of the mesh
     * @throws Error if the mesh is not a rope; the mesh is then unchanged
     */
    constructor(
        readonly mesh: Mesh,
        toWorld: Affine,
        clones: CloneListener,
        segmentCount: number | null,
    ) {
        const isLine = LINE_CLASSES.includes(mesh.getClassName());
        const data = readMesh(mesh, OWNER, isLine);
        const line = findCentreLine(data.positions, isLine ? data.indices : edgesOf(data.indices));
        if (!line) throw fail(mesh, "must be one tube, ribbon or line, longer than thick", mesh.getClassName(), OWNER);
        const { points, links } = segmentCount === null ? ringsAsParticles(line) : resample(line, segmentCount);
        this.vertexCount = data.vertexCount;
        this.restVertexPositions = data.positions;
        this.authoredPositions = data.authoredPositions;
        this.restPositions = points;
        this.particleCount = points.length / 3;
        this.particleOfVertex = line.ringOfVertex.map((ring) => Math.round(links[ring]));
        this._tube = new Tube(line, links, toWorld, data.positions, data.normals, data.bindTangents);
        this.override = new GeometryOverride(mesh, this._tube, new LocalBounds(mesh), clones);
    }

    /** Sets the twist that its rings turn with. */
    setTwist(twist: Twist): void {
        this._tube.setTwist(twist);
    }

    getVertexColors(): Float32Array | null {
        const { geometry } = this.mesh;
        return geometry && readFloats(geometry, "color", 4);
    }

    get isEdited(): boolean {
        return this.override?.isEdited(this._tube) ?? false;
    }

    write(particles: SurfaceParticles, view: SurfaceView): void {
        if (!this.override?.isActive) return;
        this._tube.write(particles, view);
        this.override.upload(this._tube);
    }

    dispose(expected: Affine = identity()): Edit | null {
        const edit = this.override?.restore(this._tube, expected) ?? null;
        this.override = null;
        return edit;
    }
}

/** Edges of triangles, shape [n, 2]; shared ones twice. */
function edgesOf(triangles: Uint32Array): Uint32Array {
    const edges = new Uint32Array(2 * triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
        edges.set([a, b, b, c, c, a], 2 * t);
    }
    return edges;
}

/** Particles, and the position of each ring between them: link index plus share of the link. */
interface LineParticles {
    readonly points: Float32Array;
    readonly links: Float32Array;
}

function ringsAsParticles({ points }: CentreLine): LineParticles {
    return { points, links: Float32Array.from({ length: points.length / 3 }, (_, r) => r) };
}

/** Particles at equal distances along the line. */
function resample({ points }: CentreLine, segmentCount: number): LineParticles {
    const ringCount = points.length / 3;
    const along = new Float64Array(ringCount);
    for (let r = 1, o = 3; r < ringCount; r++, o += 3)
        along[r] =
            along[r - 1] + Math.hypot(points[o] - points[o - 3], points[o + 1] - points[o - 2], points[o + 2] - points[o - 1]);
    const length = along[ringCount - 1];
    const laid = new Float32Array(3 * (segmentCount + 1));
    for (let i = 0, r = 0; i <= segmentCount; i++) {
        const at = (length * i) / segmentCount;
        while (r < ringCount - 2 && along[r + 1] < at) r++;
        const share = Math.min(1, (at - along[r]) / (along[r + 1] - along[r]));
        for (let c = 0; c < 3; c++) laid[3 * i + c] = points[3 * r + c] + share * (points[3 * r + 3 + c] - points[3 * r + c]);
    }
    return { points: laid, links: Float32Array.from(along, (at) => Math.min(segmentCount, (at / length) * segmentCount)) };
}
