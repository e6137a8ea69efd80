import type { Arena } from "../../../kernels/arena";
import { HingeLayout } from "../../../kernels/implicitLayout";
import type { HingeArrays } from "../../../kernels/implicitLayout";
import type { KernelFunctions } from "../../../kernels/kernelTable";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { ClothSettings } from "../../state/settings";
import type { BodyState } from "../../state/state";
import { cross, dot } from "../../math/vector";
import type { SolverMaterial } from "../base/solverMaterial";
import type { BlockSystem } from "./blockSystem";
import type { EnergyTerm } from "./energyTerm";
import { stiffnessAt } from "./hingeStiffness";

/** Flattening at which a triangle's height stops to count: so many times less high than at rest. */
const MAX_FLATTENING = 8;

/** Bending about edges, see kernels/assembly/hinges.ts. */
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
