/** A limb that bends, as a skin: a tube along x with closed ends, which two bones carry, the second from x = 0 on. */
import { identity, multiply, defaultColliderSettings, Skin, WorldCollider } from "../../src/engine/index";
import type { Body, Collider, Vector } from "../../src/engine/index";
import { attachCollider } from "../../src/engine/collision/response/collideStage";
import { NO_LIMIT } from "../../src/engine/collision/shapes/jumpDetector";

export const RADIUS = 0.15;
export const HALF_LENGTH = 0.7;
/** Length over which one bone's weight passes into the other's [m]. */
const JOINT = 0.3;
/** No edge is longer, however it is bent [m]. */
const LONGEST_EDGE = 0.1;

export class Limb {
    readonly skin: Skin;
    readonly world: WorldCollider;
    private readonly _corners: Uint32Array;
    private readonly _weights: Float32Array;
    /** Vertices in the world [m], where it was last put. */
    readonly vertices: Float64Array;

    constructor(columns = 28, rows = 20) {
        const places: Vector[] = [];
        for (let i = 0; i <= columns; i++) {
            for (let j = 0; j < rows; j++) {
                const angle = (2 * Math.PI * j) / rows;
                places.push([HALF_LENGTH * ((2 * i) / columns - 1), RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)]);
            }
        }
        places.push([-HALF_LENGTH, 0, 0], [HALF_LENGTH, 0, 0]);
        const corners: number[] = [];
        for (let j = 0; j < rows; j++) {
            const k = (j + 1) % rows;
            for (let i = 0; i < columns; i++) {
                const [a, b] = [i * rows, (i + 1) * rows];
                corners.push(a + j, b + j, b + k, a + j, b + k, a + k);
            }
            corners.push(places.length - 2, j, k, places.length - 1, columns * rows + k, columns * rows + j);
        }
        const mesh = Float32Array.from([1, ...corners.flatMap((i) => places[i])]);
        this._corners = Uint32Array.from(corners);
        this._weights = Float32Array.from(
            places.flatMap(([x]) => {
                const second = Math.min(1, Math.max(0, x / JOINT + 0.5));
                return [1 - second, second];
            }),
        );
        const bones = Uint32Array.from(this._weights, (_, i) => i % 2);
        const sizes = { vertexCount: places.length, boneCount: 2, influenceCount: 2 };
        this.skin = new Skin({ mesh, corners: this._corners, bones, weights: this._weights, ...sizes });
        this.skin.rest.set(places.flat());
        this.world = new WorldCollider("skin", mesh, this.skin);
        this.vertices = new Float64Array(this.skin.rest);
        this.put(0);
    }

    /** Turns the second bone about z by an angle [rad], and then both about x. */
    put(angle: number, roll = 0): void {
        const { matrices, rest } = this.skin;
        const [still, bent, rolled] = [identity(), identity(), identity()];
        bent[0] = bent[5] = Math.cos(angle);
        bent[1] = Math.sin(angle);
        bent[4] = -Math.sin(angle);
        rolled[5] = rolled[10] = Math.cos(roll);
        rolled[6] = Math.sin(roll);
        rolled[9] = -Math.sin(roll);
        const bones = [still, bent].map((bone) => {
            const both = identity();
            multiply(bone, rolled, both);
            return both;
        });
        bones.forEach((bone, b) => matrices.set(bone, 16 * b));
        this.skin.revision++;
        this.world.setPose(identity());
        for (let o = 0; o < rest.length; o++) {
            const [v, c] = [3 * Math.floor(o / 3), o % 3];
            this.vertices[o] = 0;
            bones.forEach((m, b) => {
                const x = rest[v] * m[c] + rest[v + 1] * m[4 + c] + rest[v + 2] * m[8 + c];
                this.vertices[o] += this._weights[(2 * v) / 3 + b] * x;
            });
        }
    }

    /** Has a cloth meet it. To be followed by `follow` in every frame. */
    attachTo(cloth: Body): Collider {
        return attachCollider(cloth, this.world, defaultColliderSettings());
    }

    follow(cloth: Body, collider: Collider): void {
        collider.updatePose(this.world, cloth.origin, NO_LIMIT);
    }

    /** Distance of a point, below 0 inside; what is farther than `most` may be any such distance. */
    distance([px, py, pz]: Vector, most: number): number {
        const { vertices: x, _corners: corners } = this;
        let least = most;
        let side = 1;
        for (let t = 0; t < corners.length; t += 3) {
            const o = 3 * corners[t];
            if ((x[o] - px) ** 2 + (x[o + 1] - py) ** 2 + (x[o + 2] - pz) ** 2 > (least + LONGEST_EDGE) ** 2) continue;
            const [a, b, c] = [0, 1, 2].map((k): V => {
                const v = 3 * corners[t + k];
                return [x[v] - px, x[v + 1] - py, x[v + 2] - pz];
            });
            const distance = distanceToTriangle(a, b, c);
            if (distance >= least) continue;
            least = distance;
            side = dot(cross(minus(b, a), minus(c, a)), a) > 0 ? 1 : -1;
        }
        return side * least;
    }
}

type V = readonly [number, number, number];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: V, b: V): V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Distance of the origin from a triangle. */
function distanceToTriangle(a: V, b: V, c: V): number {
    const n = cross(minus(b, a), minus(c, a));
    const isOver = [
        [a, b],
        [b, c],
        [c, a],
    ].every(([p, q]) => dot(cross(minus(q, p), p), n) <= 0);
    if (isOver) return Math.abs(dot(n, a)) / Math.sqrt(dot(n, n));
    return Math.min(distanceToEdge(a, b), distanceToEdge(b, c), distanceToEdge(c, a));
}

function distanceToEdge(a: V, b: V): number {
    const d = minus(b, a);
    const t = Math.min(1, Math.max(0, -dot(a, d) / dot(d, d)));
    return Math.hypot(a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]);
}
