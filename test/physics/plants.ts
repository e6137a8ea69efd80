import { ROW } from "../../src/kernels/layout";
import { ProjectiveElement } from "../../src/kernels/projectiveLayout";
import type { Body, PlantMaterial, PlantSettings } from "../../src/engine/index";
import type { ProjectiveSolver } from "../../src/engine/solvers/projective/projectiveSolver";
import { createPlant, defaultPlant } from "../../src/engine/index";
import { buildTopology } from "../../src/engine/topology/topology";
import type { Sheet } from "./meshes";
import { kernelsOf, pinParticles, settingsOf } from "./support";
import type { ClothOptions } from "./support";

/** What a test sets about a plant; the rest is as in {@link ClothOptions}. */
export interface PlantOptions extends Omit<ClothOptions, "tetherSlack" | "threads"> {
    plant?: Partial<PlantMaterial>;
}

/** A plant of a mesh. */
export function makePlant({ positions, triangles }: Sheet, options: PlantOptions = {}): Body {
    const { plant, ...rest } = options;
    const { pinned } = options;
    // Building it completes its fabric by what it is made of.
    const settings: PlantSettings = { ...settingsOf(rest), plant: { ...defaultPlant(), ...plant } };
    const body = createPlant(kernelsOf(), buildTopology(positions, triangles), positions, settings);
    if (pinned) pinParticles(body, pinned);
    body.prepare();
    return body;
}

/** Elastic energy of a plant [J]: that of the elements of its net. */
export function elasticOf(body: Body): number {
    const { elements, elementFloats: f, elementCount, order } = body.lengthConstraints[0] as ProjectiveSolver;
    const { positions: x } = body.state;
    let energy = 0;
    for (let e = 0, o = 0; e < elementCount; e++, o += ProjectiveElement.count) {
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            let d = 0;
            for (let k = 0; k < 4; k++) d += f[o + ProjectiveElement.weights + k] * x[order[elements[o + k]] * ROW + c];
            squared += d * d;
        }
        energy += 0.5 * f[o + ProjectiveElement.stiffness] * (Math.sqrt(squared) - f[o + ProjectiveElement.rest]) ** 2;
    }
    return energy;
}

/** The surface of a box about the origin, of so many cells along each edge; welded. */
export function boxMesh(size: readonly number[], cells: readonly number[]): Sheet {
    const numbers = new Map<string, number>();
    const positions: number[] = [];
    const triangles: number[] = [];
    const corner = (cell: readonly number[]): number => {
        const key = cell.join();
        if (!numbers.has(key)) {
            numbers.set(key, numbers.size);
            positions.push(...cell.map((k, c) => (k / cells[c] - 0.5) * size[c]));
        }
        return numbers.get(key)!;
    };
    for (let axis = 0; axis < 3; axis++) {
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        for (const side of [0, cells[axis]])
            for (let i = 0; i < cells[u]; i++)
                for (let j = 0; j < cells[v]; j++) {
                    const [a, b, c, d] = [
                        [i, j],
                        [i + 1, j],
                        [i + 1, j + 1],
                        [i, j + 1],
                    ].map(([k, l]) => {
                        const cell = [0, 0, 0];
                        [cell[axis], cell[u], cell[v]] = [side, k, l];
                        return corner(cell);
                    });
                    triangles.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
                }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
