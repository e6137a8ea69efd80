import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { finiteVector, integer, knownOptions, polylineLength, positive, reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import { worldMatrixOf } from "../support/carriers";
import { RopeBehavior, ROPE_OPTION_NAMES } from "../ropes/ropeBehavior";
import { isClothVertex, positionOfVertex } from "../ropes/ropeEnds";
import type { ClothVertex } from "../ropes/ropeEnds";
import type { RopeOptions } from "../ropes/ropeBehavior";
import type { Wind, WindOptions } from "../wind/wind";
import { checkScene } from "../support/validation";
import { makeMesh } from "./babylonObjects";
import { node, windOf } from "./options";
import { gridSheet } from "./sheets";
import type { WindName } from "../wind/namedWinds";

const OWNER = "ClothBuilder: CreateRope";

/** Options of {@link ClothBuilder.CreateRope}, beside those of {@link RopeBehavior}. */
export interface RopeBuilderOptions extends Omit<RopeOptions, "start" | "end" | "length" | "wind"> {
    /** Nodes or cloth vertices that its ends are tied to. Default: none. */
    start?: TransformNode | ClothVertex;
    end?: TransformNode | ClothVertex;
    /** World positions of its ends [m]. Default: those of `start` and `end`, else the origin and a point straight below. */
    from?: VectorLike;
    to?: VectorLike;
    /** Length [m], > 0. Default: the distance of its ends, or 2. A longer rope starts as a hanging parabola. */
    length?: number;
    /** Radius of the tube, and distance from colliders [m], > 0. Default 0.01. */
    radius?: number;
    /** A wind's name (see {@link WindSpeeds}; it blows along the world's x, a little to its z), a wind's options, a Wind, or null: vacuum. Default still air. */
    wind?: WindName | WindOptions | Wind | null;
    /** Vertices around it, an integer from 3 to 64. Default 8. */
    tessellation?: number;
}

const OWN_OPTION_NAMES = ["from", "to", "tessellation"];

/** A mesh that is a rope. */
export interface RopeMesh extends Mesh {
    /** Its behavior, as `mesh.getBehaviorByName("Rope")` gives it. */
    readonly rope: RopeBehavior;
}

/** Validated options of a rope or chain. */
export interface RopeBlueprint {
    /** World positions of its ends [m]. */
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly length: number;
    readonly radius: number;
    readonly tessellation: number;
    readonly segmentCount: number | null;
    readonly wind: Wind | null | undefined;
    /** Options of the behavior. */
    readonly behaviorOptions: Omit<RopeOptions, "wind">;
}

/** Checks the options of a rope or a chain. @throws RangeError on an unknown one, or a value out of range */
export function readRopeBlueprint(owner: string, options: RopeBuilderOptions, scene: Scene, defaultRadius: number): RopeBlueprint {
    checkScene(owner, scene);
    if (typeof options !== "object" || options === null) reject(owner, "options", "an object", options);
    knownOptions(owner, options, [...OWN_OPTION_NAMES, ...ROPE_OPTION_NAMES]);
    const { from, to, tessellation = 8, segmentCount = null, length: given, radius, wind, ...others } = options;
    if (typeof (given ?? 0) !== "number") reject(owner, "length", "a finite number > 0", given);
    const a = endPosition(owner, "from", from, "start", options.start) ?? [0, 0, 0];
    const b = endPosition(owner, "to", to, "end", options.end) ?? [a[0], a[1] - (given ?? 2), a[2]];
    const distance = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = positive(owner, "length", given ?? distance);
    if (length < distance * (1 - 1e-6)) reject(owner, "length", `at least the ${distance} m between its ends`, length);
    const half = positive(owner, "radius", radius ?? defaultRadius);
    return {
        from: a,
        to: b,
        length,
        radius: half,
        tessellation,
        segmentCount,
        wind: wind && windOf(owner, wind),
        behaviorOptions: others,
    };
}

/** Adds a RopeBehavior to a mesh. */
export function attachRope(mesh: Mesh, options: RopeOptions, { wind }: RopeBlueprint): RopeMesh {
    const rope = new RopeBehavior({ ...options, wind });
    mesh.addBehavior(rope);
    return Object.assign(mesh, { rope });
}

/** See {@link ClothBuilder.CreateRope}. */
export function createRopeMesh(name: string, options: RopeBuilderOptions, scene: Scene): RopeMesh {
    const plan = readRopeBlueprint(OWNER, options, scene, 0.01);
    const { from, to, length, radius, behaviorOptions } = plan;
    const around = integer(OWNER, "tessellation", 3, plan.tessellation, 64);
    const fitting = Math.max(8, Math.min(128, Math.round(length / (4 * radius))));
    const links = integer(OWNER, "segmentCount", 1, plan.segmentCount ?? fitting, 4096);
    const mesh = makeMesh(name, tubeSheet(hangingParabola(from, to, length, links), radius, around), scene);
    try {
        return attachRope(mesh, { ...behaviorOptions, length, radius }, plan);
    } catch (error) {
        mesh.dispose(false, true);
        throw error;
    }
}

/** World position of an end, x y z [m]; null if not given. */
function endPosition(
    owner: string,
    option: string,
    place: VectorLike | undefined,
    end: "start" | "end",
    tied: TransformNode | ClothVertex | undefined,
): readonly number[] | null {
    const isVertex = isClothVertex(tied ?? null);
    const carrier = isVertex ? null : node(owner, end, tied as TransformNode | undefined);
    if (place !== undefined) {
        finiteVector(owner, option, place);
        return [place.x, place.y, place.z];
    }
    return isVertex
        ? positionOfVertex(tied as ClothVertex, owner, end)
        : carrier && Array.from(worldMatrixOf(carrier)).slice(12, 15);
}

/** Points of a parabola of a length that hangs between two places, at equal distances along its chord, shape [links + 1, 3]. */
export function hangingParabola(a: readonly number[], b: readonly number[], length: number, links: number): Float32Array {
    const points = new Float32Array(3 * (links + 1));
    const sink = (sag: number): Float32Array => {
        for (let i = 0; i <= links; i++) {
            const t = i / links;
            for (let c = 0; c < 3; c++) points[3 * i + c] = a[c] + t * (b[c] - a[c]);
            points[3 * i + 1] -= 4 * sag * t * (1 - t);
        }
        return points;
    };
    let low = 0;
    let high = length;
    for (let k = 0; k < 40; k++) {
        const sag = (low + high) / 2;
        if (polylineLength(sink(sag)) < length) low = sag;
        else high = sag;
    }
    return sink(low);
}

/** A tube about points: rings across the line at each. */
function tubeSheet(points: Float32Array, radius: number, around: number): ReturnType<typeof gridSheet> {
    const last = points.length / 3 - 1;
    const across = [1, 0, 0];
    return gridSheet(around, last, (u, v, out) => {
        const i = Math.round((1 - v) * last);
        const [p, q] = [3 * Math.max(0, i - 1), 3 * Math.min(last, i + 1)];
        const t = [points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]];
        const length = Math.hypot(...t) || 1;
        for (let c = 0; c < 3; c++) t[c] /= length;
        const x = Math.abs(t[0]) > 0.9 ? [0, 0, 1] : across;
        const along = x[0] * t[0] + x[1] * t[1] + x[2] * t[2];
        const e = x.map((value, c) => value - along * t[c]);
        const norm = Math.hypot(...e);
        const f = [t[1] * e[2] - t[2] * e[1], t[2] * e[0] - t[0] * e[2], t[0] * e[1] - t[1] * e[0]];
        const [cos, sin] = [(radius / norm) * Math.cos(2 * Math.PI * u), (radius / norm) * Math.sin(2 * Math.PI * u)];
        for (let c = 0; c < 3; c++) out[c] = points[3 * i + c] + cos * e[c] + sin * f[c];
    });
}
