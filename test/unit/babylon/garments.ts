import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";

/** Half width and half depth of a torso at a height [m]: shoulders, waist, hips. */
function section(y: number): [number, number] {
    const waist = 1 - 0.25 * Math.exp(-(((y - 1.15) / 0.12) ** 2));
    return [0.19 * waist, 0.11 * waist];
}

/** A tube about the torso. @param gap distance off the skin [m] */
function tube(name: string, scene: Scene, from: number, to: number, columns: number, rows: number, gap: number): Mesh {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let j = 0; j <= rows; j++) {
        const y = from + ((to - from) * j) / rows;
        const [a, b] = section(y);
        for (let i = 0; i < columns; i++) {
            const angle = (2 * Math.PI * i) / columns;
            positions.push((a + gap) * Math.cos(angle), y, (b + gap) * Math.sin(angle));
            const [p, q] = [j * columns + i, j * columns + ((i + 1) % columns)];
            if (j < rows) indices.push(p, p + columns, q, q, p + columns, q + columns);
        }
    }
    const data = new VertexData();
    data.positions = positions;
    data.indices = indices;
    const mesh = new Mesh(name, scene);
    data.applyToMesh(mesh);
    return mesh;
}

/** A flat torso on two bones, whose fitted capsules stand out of its chest and back by centimetres. */
export function makeTorso(scene: Scene): Mesh {
    const mesh = tube("torso", scene, 0.8, 1.5, 32, 28, 0);
    const skeleton = new Skeleton("spine", "spine", scene);
    const hips = new Bone("hips", skeleton, null, Matrix.Translation(0, 0.8, 0));
    new Bone("chest", skeleton, hips, Matrix.Translation(0, 0.35, 0));
    const isChest = Array.from({ length: mesh.getTotalVertices() }, (_, v) => mesh.getVerticesData("position")![3 * v + 1] > 1.15);
    mesh.setVerticesData(
        "matricesIndices",
        isChest.flatMap((chest) => [chest ? 1 : 0, 0, 0, 0]),
    );
    mesh.setVerticesData(
        "matricesWeights",
        isChest.flatMap(() => [1, 0, 0, 0]),
    );
    mesh.skeleton = skeleton;
    return mesh;
}

/** A coat 12 mm off the skin of {@link makeTorso}, of `columns` × 24 quads. */
export function makeCoat(scene: Scene, columns = 40): Mesh {
    return tube("coat", scene, 0.7, 1.45, columns, 24, 0.012);
}
