import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBehavior, ClothTearing } from "../../src/index";
import { runtimeOf } from "../../src/babylon/behaviors/bodyRuntime";
import { validateState } from "../../src/engine/state/state";
import { seededRandom } from "../random";

/** Steps between two cuts, and the cloth is looked at after so many. */
const STEPS = 2;
const CHECK_STEPS = 10;
/** Strain at which what moves tears by itself. */
const STRAIN = 0.3;

/** What a cloth is after it was torn. */
export interface Torn {
    readonly tears: number;
    readonly particleCount: number;
}

/**
 * Tears a mesh that hangs by its highest tenth and falls to pieces, by hand where a particle is and by strain, and looks at it.
 * @param length of the cuts, at most, as a share of the mesh's diagonal
 * @throws Error where anything of it is not valid
 */
export async function tearAtRandom(mesh: Mesh, seed: number, tears: number, length = 0.3): Promise<Torn> {
    const random = seededRandom(seed);
    const { minimum, maximum } = mesh.getBoundingInfo().boundingBox;
    const size = maximum.subtract(minimum).length();
    const top = maximum.y - 0.1 * (maximum.y - minimum.y);
    const cloth = new ClothBehavior({ pins: [{ select: ({ y }) => y >= top }], autoStep: false });
    const tearing = new ClothTearing({ strain: STRAIN });
    mesh.addBehavior(cloth);
    mesh.addBehavior(tearing);
    let count = 0;
    tearing.onTearObservable.add(() => count++);
    // Where it is in pieces, most cuts go by.
    for (let i = 0; count < tears && i < 8 * tears; i++) {
        const x = cloth.getParticlePositions();
        const p = 3 * Math.floor(random() * cloth.particleCount);
        const middle = new Vector3(x[p], x[p + 1], x[p + 2]);
        const way = new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).scale(length * size);
        tearing.cut(middle.subtract(way), middle.add(way));
        for (let s = 0; s < STEPS; s++) {
            cloth.step(1 / 60);
            tearing.update();
        }
        if (i % CHECK_STEPS === 0) validateTorn(cloth);
        // As frames do: what is held weakly lives until a job's end.
        await new Promise((resolve) => setImmediate(resolve));
        // What has fallen far is not seen.
        if (i % 200 === 199) cloth.reset();
    }
    validateTorn(cloth);
    return { tears: count, particleCount: cloth.particleCount };
}

/** Checks what must hold of the cloth and of what its mesh draws. @throws Error naming what does not */
export function validateTorn(cloth: ClothBehavior): void {
    const mesh = cloth.attachedNode!;
    validateState(runtimeOf(cloth)!.instance!.cloth.state);
    const count = mesh.getTotalVertices();
    for (const kind of mesh.getVerticesDataKinds()) {
        const data = mesh.getVerticesData(kind)!;
        if (data.length !== count * mesh.getVertexBuffer(kind)!.getSize()) throw new Error(`${kind} has ${data.length} numbers`);
        if (!data.every(Number.isFinite)) throw new Error(`${kind} is not finite`);
    }
    const indices = mesh.getIndices()!;
    if (!indices.every((v) => v < count)) throw new Error("an index names no vertex");
    const drawn = mesh.subMeshes.reduce((sum, part) => sum + part.indexCount, 0);
    if (drawn !== indices.length) throw new Error(`${drawn} of ${indices.length} indices are drawn`);
    const normals = mesh.getVerticesData("normal");
    const slivers = sliversOf(mesh.getVerticesData("position")!, indices);
    for (const v of normals ? new Set(indices) : []) {
        const length = Math.hypot(normals![3 * v], normals![3 * v + 1], normals![3 * v + 2]);
        if (Math.abs(length - 1) < 1e-3 || (length === 0 && slivers.has(v))) continue;
        throw new Error(`normal ${v} has length ${length}`);
    }
}

/** Vertices all of whose triangles have no area in 32 bits, as slivers that have fallen far, and so no normal. */
function sliversOf(x: ArrayLike<number>, indices: ArrayLike<number>): Set<number> {
    const slivers = new Set(Array.from(indices));
    for (let i = 0; i < indices.length; i += 3) {
        const corners = [indices[i], indices[i + 1], indices[i + 2]];
        const [a, b, c] = corners.map((v) => new Vector3(x[3 * v], x[3 * v + 1], x[3 * v + 2]));
        const [ab, ac] = [b.subtract(a), c.subtract(a)];
        const rounding = 2 ** -22 * Math.max(a.length(), b.length(), c.length()) * Math.max(ab.length(), ac.length());
        if (ab.cross(ac).length() > rounding) corners.forEach((v) => slivers.delete(v));
    }
    return slivers;
}
