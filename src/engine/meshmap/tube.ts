import { transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { CentreLine } from "./centreLine";
import type { RenderSurface, SurfaceParticles, SurfaceView } from "./surface";
import type { Twist } from "../rope/twist";
import { FRAME, RingTwist } from "./ringTwist";

/**
 * Drawn surface of a rope: rings of vertices about a line of particles. Each ring keeps its form in a frame that goes with the line; from ring to ring, and for
 * the first from frame to frame, frames turn the shortest way that takes one direction of the line to the next (parallel transport, Bishop 1975): they do not
 * flip, and twist is that of the mesh at rest and of the rope's ends.
 */
export class Tube implements RenderSurface {
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    readonly vertexPositions: Float32Array;
    readonly vertexNormals: Float32Array;
    readonly vertexTangents: Float32Array;
    readonly bounds = new Float32Array(8);
    private readonly _ringOfVertex: Uint32Array;
    /** Of each vertex in its ring's frame: place [m], normal and tangent. */
    private readonly _offsets: Float32Array;
    private readonly _normals: Float32Array;
    private readonly _tangents: Float32Array;
    private readonly _frames: Float64Array;
    private readonly _line: Float64Array;
    private readonly _ringCount: number;
    private readonly _toNormals = new Float64Array(9);
    private _twist: RingTwist | null = null;

    /**
     * @param line mesh-local
     * @param links where each ring is: the link's number and the share of it, shape [ringCount]
     * @param pose map from mesh-local space to the world's axes and size
     * @param data vertices at rest, mesh-local; null: none
     */
    constructor(
        line: CentreLine,
        private readonly _links: Float32Array,
        pose: Affine,
        positions: Float32Array,
        normals: Float32Array | null,
        tangents: Float32Array | null,
    ) {
        this._ringOfVertex = line.ringOfVertex;
        this._ringCount = _links.length;
        this.vertexCount = line.ringOfVertex.length;
        this.hasNormals = normals !== null;
        this.hasTangents = tangents !== null;
        this.vertexPositions = positions.slice();
        this.vertexNormals = normals?.slice() ?? new Float32Array(0);
        this.vertexTangents = tangents?.slice() ?? new Float32Array(0);
        this._frames = new Float64Array(FRAME * this._ringCount);
        this._line = new Float64Array(3 * this._ringCount);
        for (let r = 0; r < this._ringCount; r++) transformPoint(pose, line.points, 3 * r, this._line, 3 * r);
        this._transportFrames();
        this._offsets = new Float32Array(3 * this.vertexCount);
        this._normals = new Float32Array(this.vertexNormals.length);
        this._tangents = new Float32Array((3 * this.vertexTangents.length) / 4);
        const world = new Float64Array(3);
        for (let v = 0; v < this.vertexCount; v++) {
            transformPoint(pose, positions, 3 * v, world, 0);
            const f = FRAME * this._ringOfVertex[v];
            for (let c = 0; c < 3; c++) world[c] -= this._frames[f + c];
            this._intoFrame(world, f, this._offsets, 3 * v);
        }
        writeNormalMap(pose, this._toNormals);
        if (normals) this._directionsIntoFrames(normals, 3, this._toNormals, 3, this._normals);
        if (tangents) this._directionsIntoFrames(tangents, 4, pose, 4, this._tangents);
    }

    private _directionsIntoFrames(
        from: Float32Array,
        size: number,
        map: ArrayLike<number>,
        stride: number,
        to: Float32Array,
    ): void {
        const world = new Float64Array(3);
        for (let v = 0; v < this.vertexCount; v++) {
            const o = size * v;
            for (let c = 0; c < 3; c++)
                world[c] = from[o] * map[c] + from[o + 1] * map[stride + c] + from[o + 2] * map[2 * stride + c];
            const length = Math.hypot(world[0], world[1], world[2]) || 1;
            for (let c = 0; c < 3; c++) world[c] /= length;
            this._intoFrame(world, FRAME * this._ringOfVertex[v], to, 3 * v);
        }
    }

    private _intoFrame(world: Float64Array, f: number, to: Float32Array, o: number): void {
        const { _frames: frames } = this;
        for (let axis = 0; axis < 3; axis++) {
            const k = f + 3 + 3 * axis;
            to[o + axis] = world[0] * frames[k] + world[1] * frames[k + 1] + world[2] * frames[k + 2];
        }
    }

    /** Has rings turn with a twist, in proportion to where they are along the line. */
    setTwist(twist: Twist): void {
        this._twist = new RingTwist(twist, this._line);
    }

    /** Writes the vertices and their box. */
    write({ positions, stepStart }: SurfaceParticles, { toLocal, alpha }: SurfaceView): void {
        const { _links: links, _line: line, _ringCount: ringCount, bounds } = this;
        for (let r = 0; r < ringCount; r++) {
            const link = Math.floor(links[r]);
            const share = links[r] - link;
            for (let c = 0, o = 4 * link; c < 3; c++, o++) {
                const a = stepStart[o] + alpha * (positions[o] - stepStart[o]);
                const b = share > 0 ? stepStart[o + 4] + alpha * (positions[o + 4] - stepStart[o + 4]) : a;
                line[3 * r + c] = a + share * (b - a);
            }
        }
        this._transportFrames();
        bounds.fill(Infinity, 0, 3);
        bounds.fill(-Infinity, 4, 7);
        this._writeRows(this._offsets, this.vertexPositions, 3, toLocal, 4, true);
        writeNormalMap(toLocal, this._toNormals);
        if (this.hasNormals) this._writeRows(this._normals, this.vertexNormals, 3, this._toNormals, 3, false);
        if (this.hasTangents) this._writeRows(this._tangents, this.vertexTangents, 4, toLocal, 4, false);
    }

    /** Rows of the rings' frames into mesh-local ones: places, and their box; or directions. */
    private _writeRows(
        rows: Float32Array,
        to: Float32Array,
        size: number,
        map: ArrayLike<number>,
        stride: number,
        arePlaces: boolean,
    ): void {
        const { _frames: frames, _ringOfVertex: rings, bounds } = this;
        for (let v = 0, o = 0, q = 0; v < rings.length; v++, o += 3, q += size) {
            const f = FRAME * rings[v];
            let x = rows[o] * frames[f + 3] + rows[o + 1] * frames[f + 6] + rows[o + 2] * frames[f + 9];
            let y = rows[o] * frames[f + 4] + rows[o + 1] * frames[f + 7] + rows[o + 2] * frames[f + 10];
            let z = rows[o] * frames[f + 5] + rows[o + 1] * frames[f + 8] + rows[o + 2] * frames[f + 11];
            if (arePlaces) {
                x += frames[f];
                y += frames[f + 1];
                z += frames[f + 2];
            }
            let lx = x * map[0] + y * map[stride] + z * map[2 * stride];
            let ly = x * map[1] + y * map[stride + 1] + z * map[2 * stride + 1];
            let lz = x * map[2] + y * map[stride + 2] + z * map[2 * stride + 2];
            if (arePlaces) {
                lx += map[12];
                ly += map[13];
                lz += map[14];
                if (lx < bounds[0]) bounds[0] = lx;
                if (ly < bounds[1]) bounds[1] = ly;
                if (lz < bounds[2]) bounds[2] = lz;
                if (lx > bounds[4]) bounds[4] = lx;
                if (ly > bounds[5]) bounds[5] = ly;
                if (lz > bounds[6]) bounds[6] = lz;
            } else {
                const length = Math.sqrt(lx * lx + ly * ly + lz * lz);
                const scale = length > 0 ? 1 / length : 0;
                lx *= scale;
                ly *= scale;
                lz *= scale;
            }
            to[q] = lx;
            to[q + 1] = ly;
            to[q + 2] = lz;
        }
    }

    /** Turns the frames to the line as it is. */
    private _transportFrames(): void {
        const { _frames: f, _line: line, _ringCount: ringCount } = this;
        this._twist?.twistFirstRing(f);
        for (let r = 0, o = 0; r < ringCount; r++, o += FRAME) {
            const behind = 3 * Math.max(0, r - 1);
            const ahead = 3 * Math.min(ringCount - 1, r + 1);
            let x = line[ahead] - line[behind];
            let y = line[ahead + 1] - line[behind + 1];
            let z = line[ahead + 2] - line[behind + 2];
            const length = Math.sqrt(x * x + y * y + z * z);
            // The frame to turn: that of the ring before, or of the first one in the last frame.
            const from = r > 0 ? o - FRAME : 0;
            if (length > 0) {
                x /= length;
                y /= length;
                z /= length;
            } else {
                x = f[from + 3];
                y = f[from + 4];
                z = f[from + 5];
            }
            let tx = f[from + 3],
                ty = f[from + 4],
                tz = f[from + 5];
            let ux = f[from + 6],
                uy = f[from + 7],
                uz = f[from + 8];
            if (tx === 0 && ty === 0 && tz === 0) {
                tx = x;
                ty = y;
                tz = z;
                // Any direction across the line.
                ux = Math.abs(x) < 0.6 ? 1 : 0;
                uy = 1 - ux;
                uz = 0;
            }
            // u + b × u + b × (b × u) / (1 + c), b = t × t', c = t · t'; what is turned right back keeps u.
            const bx = ty * z - tz * y,
                by = tz * x - tx * z,
                bz = tx * y - ty * x;
            const c = tx * x + ty * y + tz * z;
            if (c > -0.999) {
                const wx = by * uz - bz * uy,
                    wy = bz * ux - bx * uz,
                    wz = bx * uy - by * ux;
                const k = 1 / (1 + c);
                ux += wx + k * (by * wz - bz * wy);
                uy += wy + k * (bz * wx - bx * wz);
                uz += wz + k * (bx * wy - by * wx);
            }
            const along = ux * x + uy * y + uz * z;
            ux -= along * x;
            uy -= along * y;
            uz -= along * z;
            const across = Math.sqrt(ux * ux + uy * uy + uz * uz) || 1;
            f[o] = line[3 * r];
            f[o + 1] = line[3 * r + 1];
            f[o + 2] = line[3 * r + 2];
            f[o + 3] = x;
            f[o + 4] = y;
            f[o + 5] = z;
            f[o + 6] = ux /= across;
            f[o + 7] = uy /= across;
            f[o + 8] = uz /= across;
            f[o + 9] = y * uz - z * uy;
            f[o + 10] = z * ux - x * uz;
            f[o + 11] = x * uy - y * ux;
        }
        this._twist?.twistRings(f);
    }
}

/** Writes the map of normals that goes with a map of places: its cofactors, row vectors, shape [3, 3]. */
function writeNormalMap(m: ArrayLike<number>, to: Float64Array): void {
    const sign =
        m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]) < 0 ? -1 : 1;
    for (let r = 0; r < 3; r++) {
        const a = 4 * ((r + 1) % 3);
        const b = 4 * ((r + 2) % 3);
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            to[3 * r + c] = sign * (m[a + d] * m[b + e] - m[a + e] * m[b + d]);
        }
    }
}
