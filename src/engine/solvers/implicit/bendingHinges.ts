import { MAX_FLATTENING } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { HingeLayout } from "../../../kernels/implicitLayout";
import type { HingeArrays } from "../../../kernels/implicitLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { cross, dot } from "../../math/vector";
import type { BlockSystem, EnergyTerm } from "./blockSystem";
import type { Fabric } from "../../materials/fabric";
import { finiteWarpWeft, finiteBending } from "../base/solverMaterial";
import type { SolverMaterial } from "../base/solverMaterial";

/**
 * Stiffness of a hinge a b c d against its angle [N·m], see hinges.ts. Across an edge the sheet bends along what is at a right angle to it.
 * @param inverseMasses 0 where pinned
 */
export function stiffnessAt(
    { topology: { positions }, warpWeft: threads, stiffnessAlong }: SolverMaterial,
    fabric: Fabric,
    [a, b, c, d]: Uint32Array,
    inverseMasses: Float32Array,
): number {
    const { warp, weft } = finiteWarpWeft(fabric.bendStiffness, finiteBending);
    const stiffness = warp === weft ? warp : stiffnessAlong(warp, weft, 1 - threads().alongWarp(a, b));
    const isHeld = (...corners: number[]): boolean => corners.every((p) => inverseMasses[p] === 0);
    const area = (isHeld(a, b, c) ? 0 : areaOf(positions, a, b, c)) + (isHeld(a, b, d) ? 0 : areaOf(positions, a, b, d));
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (positions[3 * b + k] - positions[3 * a + k]) ** 2;
    return area > 0 ? (stiffness * squared) / area : 0;
}

function areaOf(x: Float32Array, a: number, b: number, c: number): number {
    const side = (p: number, k: number): number => x[3 * p + k] - x[3 * a + k];
    const cross = (k: number, l: number): number => side(b, k) * side(c, l) - side(b, l) * side(c, k);
    return Math.hypot(cross(0, 1), cross(1, 2), cross(2, 0)) / 2;
}

/** Bending about edges, see kernels/assembly/bendingHinges.ts. */
export class Hinges extends ArenaStruct implements EnergyTerm, HingeArrays {
    readonly size = 4;
    readonly hingeCount: number;
    particles!: Uint32Array;
    blocks!: Uint32Array;
    rests!: Float64Array;
    stiffnesses!: Float64Array;
    gradient!: Float64Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        private readonly _material: SolverMaterial,
    ) {
        super(HingeLayout);
        const { triangles, positions } = _material.topology;
        const particles = findHinges(triangles);
        this.hingeCount = particles.length / this.size;
        this._allocate(arena);
        this.particles.set(particles);
        for (let h = 0; h < this.hingeCount; h++)
            this.rests.set(restAngleOf(positions, particles.subarray(this.size * h, this.size * (h + 1))), 4 * h);
    }
    bindToSystem(system: BlockSystem): void {
        this.blocks.set(system.blocksOf(this));
    }

    prepare({ inverseMasses }: BodyState, { fabric }: ClothSettings): void {
        const { particles, size } = this;
        for (let h = 0; h < this.hingeCount; h++)
            this.stiffnesses[h] = stiffnessAt(this._material, fabric, particles.subarray(size * h, size * h + size), inverseMasses);
    }

    addForces(kernels: KernelFunctions, system: BlockSystem): void {
        kernels.addHinges(system, this);
    }
}

/** Sine and cosine of a hinge's angle at rest, and the most that |e| / |n|² of its triangles counts as. */
function restAngleOf(x: Float32Array, [a, b, c, d]: Uint32Array): number[] {
    const side = (p: number): number[] => [0, 1, 2].map((k) => x[3 * p + k] - x[3 * a + k]);
    const edge = side(b);
    const near = cross(edge, side(c));
    const far = cross(side(d), edge);
    const sine = dot(cross(near, far), edge) / Math.hypot(...edge);
    const cosine = dot(near, far);
    const length = Math.hypot(sine, cosine);
    const most = [near, far].map((normal) => (MAX_FLATTENING ** 2 * Math.hypot(...edge)) / dot(normal, normal));
    return length > 0 ? [sine / length, cosine / length, ...most] : [0, 1, ...most];
}

/** Edges that exactly two triangles share: their ends, and the third corners of the two. */
function findHinges(triangles: Uint32Array): Uint32Array {
    const sides = new Map<string, number[]>();
    triangles.forEach((p, k) => {
        const first = k - (k % 3);
        const next = triangles[first + ((k + 1) % 3)];
        const key = p < next ? `${p} ${next}` : `${next} ${p}`;
        const side = sides.get(key) ?? [Math.min(p, next), Math.max(p, next)];
        side.push(triangles[first + ((k + 2) % 3)]);
        sides.set(key, side);
    });
    return Uint32Array.from([...sides.values()].filter(({ length }) => length === 4).flat());
}
