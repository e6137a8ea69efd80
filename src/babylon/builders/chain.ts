import type { Scene } from "@babylonjs/core/scene";
import { integer, polylineLength } from "../../engine/index";
import { makeMesh } from "./babylonObjects";
import { hangingParabola, readRopeBlueprint, attachRope } from "./rope";
import type { RopeBuilderOptions, RopeMesh } from "./rope";
import { gridSheet } from "./sheets";
import type { Sheet } from "./sheets";

const OWNER = "ClothBuilder: CreateChain";

/** Options of {@link ClothBuilder.CreateChain}: those of a rope. */
export type ChainBuilderOptions = RopeBuilderOptions;

/** Thickness of a link's wire, and default distance of links, as shares of a link's width. */
const [WIRE_SHARE, PITCH_SHARE] = [0.25, 0.9];
/** Density of steel [kg/m³]. */
const STEEL_DENSITY = 7800;

/** See {@link ClothBuilder.CreateChain}. */
export function createChainMesh(name: string, options: ChainBuilderOptions, scene: Scene): RopeMesh {
    const plan = readRopeBlueprint(OWNER, options, scene, 0.02);
    const { from, to, length, radius, behaviorOptions } = plan;
    const width = 2 * radius;
    const links = integer(OWNER, "segmentCount", 2, plan.segmentCount ?? defaultLinkCount(length / (PITCH_SHARE * width)), 4096);
    const around = integer(OWNER, "tessellation", 3, plan.tessellation, 64);
    const pitch = length / links;
    // Each link's ends lie in its neighbours': inside, it is as long as from one to the next.
    const ring = (width * (1 - WIRE_SHARE)) / 2;
    const stretch = pitch / (width * (1 - 2 * WIRE_SHARE));
    const mesh = makeMesh(name, torus(ring, (width * WIRE_SHARE) / 2, stretch, around), scene);
    try {
        mesh.thinInstanceSetBuffer?.(
            "matrix",
            linkMatrices(resampleEvenly(hangingParabola(from, to, length, 8 * links), links)),
            16,
            false,
        );
        if (!mesh.hasThinInstances || mesh.thinInstanceCount !== links) {
            throw new Error(`${OWNER} draws thin instances: import "@babylonjs/core/Meshes/thinInstanceMesh"`);
        }
        const volume = 2 * Math.PI ** 2 * ring * ((width * WIRE_SHARE) / 2) ** 2 * stretch;
        const material = { linearDensity: (STEEL_DENSITY * volume) / pitch, bendStiffness: 0 };
        return attachRope(mesh, { ...material, ...behaviorOptions, length, radius }, plan);
    } catch (error) {
        mesh.dispose(false, true);
        throw error;
    }
}

/** Default number of links: at most that of a rope. */
function defaultLinkCount(links: number): number {
    return Math.max(2, Math.min(256, Math.round(links)));
}

/** A ring about z, longer along x. */
function torus(ring: number, wire: number, stretch: number, around: number): Sheet {
    return gridSheet(2 * around, around, (u, v, out) => {
        const [turn, side] = [2 * Math.PI * u, 2 * Math.PI * v];
        const r = ring + wire * Math.cos(side);
        out[0] = stretch * r * Math.cos(turn);
        out[1] = r * Math.sin(turn);
        out[2] = wire * Math.sin(side);
    });
}

/** Points at equal distances along a line of finer ones, shape [links + 1, 3]. */
function resampleEvenly(points: Float32Array, links: number): Float32Array {
    const even = new Float32Array(3 * (links + 1));
    const pitch = polylineLength(points) / links;
    const last = points.length / 3 - 1;
    for (let i = 0, k = 0, along = 0; i <= links; i++) {
        let step = polylineLength(points.subarray(3 * k, 3 * k + 6));
        while (k < last - 1 && along + step < i * pitch) {
            along += step;
            k++;
            step = polylineLength(points.subarray(3 * k, 3 * k + 6));
        }
        const share = Math.min(1, (i * pitch - along) / step);
        for (let c = 0; c < 3; c++) even[3 * i + c] = points[3 * k + c] + share * (points[3 * k + 3 + c] - points[3 * k + c]);
    }
    return even;
}

/** Matrices of links between points, each turned by a right angle against the one before. */
function linkMatrices(points: Float32Array): Float32Array {
    const count = points.length / 3 - 1;
    const matrices = new Float32Array(16 * count);
    // Carried along the line without a twist of its own.
    let side = [0, 0, 1];
    for (let k = 0; k < count; k++) {
        const along = [0, 1, 2].map((c) => points[3 * k + 3 + c] - points[3 * k + c]);
        const length = Math.hypot(...along);
        const x = along.map((value) => value / length);
        const z = perpendicular(side, x) ?? perpendicular([0, 1, 0], x) ?? [1, 0, 0];
        side = z;
        const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
        const axes = k % 2 === 0 ? [x, y, z] : [x, z, y.map((value) => -value)];
        axes.forEach((axis, row) => matrices.set(axis, 16 * k + 4 * row));
        for (let c = 0; c < 3; c++) matrices[16 * k + 12 + c] = (points[3 * k + c] + points[3 * k + 3 + c]) / 2;
        matrices[16 * k + 15] = 1;
    }
    return matrices;
}

/** Unit vector perpendicular to an axis, nearest to a direction; null if the direction is nearly parallel. */
function perpendicular(direction: readonly number[], axis: readonly number[]): number[] | null {
    const along = direction.reduce((sum, value, c) => sum + value * axis[c], 0);
    const left = direction.map((value, c) => value - along * axis[c]);
    const length = Math.hypot(...left);
    return length > 0.1 ? left.map((value) => value / length) : null;
}
