import type { Bone } from "@babylonjs/core/Bones/bone";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { reject } from "../../engine/index";
import type { BodyBehavior } from "../behaviors/bodyBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyInstance } from "../behaviors/bodyInstance";
import type { BoneShape } from "../colliders/colliderOptions";
import { worldMatrixOf } from "../support/carriers";

/** Most pinned particles that distances are measured from: of more, every second, third … is taken, and free ones reach a little farther. */
const PINNED_SAMPLES = 256;

/** Free particles and how far each may go from where it is now. */
interface FreeParticles {
    /** World positions [m], shape [n, 3]. */
    readonly positions: readonly number[];
    /** [m], shape [n]. */
    readonly reaches: readonly number[];
}

/** The shapes on bones of a mesh that free particles of a cloth may reach. @throws RangeError where it is no cloth on a mesh */
export function shapesNear(
    cloth: Pick<BodyBehavior, "attachedNode">,
    mesh: AbstractMesh,
    shapes: readonly BoneShape[],
): BoneShape[] {
    const instance = runtimeOf(cloth)?.instance;
    if (!instance) reject("Colliders: fromSkeleton", "near", "a ClothBehavior on a mesh", cloth);
    const free = freeParticlesOf(instance);
    mesh.skeleton!.prepare(true);
    const matrices = mesh.skeleton!.getTransformMatrices(mesh);
    const world = Matrix.FromArray(Array.from(worldMatrixOf(mesh)));
    return shapes.filter((shape) => {
        const { carrier, start, end, startRadius, endRadius } = shape;
        // A VRM's own shapes on nodes have no skin.
        if (carrier.getClassName() !== "Bone") return true;
        const toWorld = Matrix.FromArray(matrices, 16 * (carrier as Bone).getIndex()).multiply(world);
        const [a, b] = [start, end].map((point) => Vector3.TransformCoordinates(Vector3.FromArray(point), toWorld));
        const scale = Math.cbrt(Math.abs(toWorld.determinant()));
        const radius = scale * Math.max(startRadius, endRadius);
        const { positions: x, reaches } = free;
        return reaches.some((reach, i) => distance(x[3 * i], x[3 * i + 1], x[3 * i + 2], a, b) <= radius + reach);
    });
}

/** A free particle goes as far as it is from the nearest pinned one, and from the skin no farther than its limit. */
function freeParticlesOf({ cloth, skin }: BodyInstance): FreeParticles {
    const { inverseMasses, particleCount } = cloth.state;
    const x = new Float32Array(3 * particleCount);
    cloth.readPositions(x);
    const all = Array.from({ length: particleCount }, (_, i) => i);
    const pinned = all.filter((i) => inverseMasses[i] === 0);
    const samples = pinned.filter((_, k) => k % Math.ceil(pinned.length / PINNED_SAMPLES) === 0);
    const view = skin?.view;
    const limitOf = (i: number): number => view?.limits?.[view.slots.count * i + view.slots.maxDistance] ?? Infinity;
    const free = all.filter((i) => inverseMasses[i] > 0);
    return {
        positions: free.flatMap((i) => [x[3 * i], x[3 * i + 1], x[3 * i + 2]]),
        reaches: free.map((i) =>
            samples.reduce(
                (least, k) =>
                    Math.min(least, Math.hypot(x[3 * i] - x[3 * k], x[3 * i + 1] - x[3 * k + 1], x[3 * i + 2] - x[3 * k + 2])),
                limitOf(i),
            ),
        ),
    };
}

/** Distance of a point from a segment. */
function distance(x: number, y: number, z: number, a: Vector3, b: Vector3): number {
    const [dx, dy, dz] = [b.x - a.x, b.y - a.y, b.z - a.z];
    const squared = dx * dx + dy * dy + dz * dz;
    const along = (x - a.x) * dx + (y - a.y) * dy + (z - a.z) * dz;
    const share = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
    return Math.hypot(x - a.x - share * dx, y - a.y - share * dy, z - a.z - share * dz);
}
