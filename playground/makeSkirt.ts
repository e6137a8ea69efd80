/**
 * Writes assets/skirt.glb, once: node --import ./.ci/ts.mjs playground/makeSkirt.ts
 * A tailor's form on a stand, and a flared skirt whose UVs meet in a seam at the back (vertices doubled there, as a modelling
 * tool exports them). The buffers of a loaded glTF mesh are not updatable.
 */
import { writeFile } from "node:fs/promises";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";

Logger.LogLevels = Logger.ErrorLogLevel;
const scene = new Scene(new NullEngine());
const material = new StandardMaterial("Linen", scene);

/** Waist [m]: height and radii of the form there, a little wider than deep. */
const WAIST = 1.12;

/** A surface of revolution about y, `depth` times as deep as wide, with a seam of doubled vertices at the back. */
function revolve(name: string, profile: [radius: number, height: number][], around: number, depth: number): Mesh {
    const data = new VertexData();
    const positions: number[] = [];
    const normals: number[] = [];
    const uvs: number[] = [];
    const indices: number[] = [];
    const rows = profile.length;
    profile.forEach(([radius, height], j) => {
        const [r0, y0] = profile[Math.max(j - 1, 0)];
        const [r1, y1] = profile[Math.min(j + 1, rows - 1)];
        for (let i = 0; i <= around; i++) {
            const angle = (i / around) * 2 * Math.PI + Math.PI / 2;
            const [c, s] = [Math.cos(angle), Math.sin(angle)];
            positions.push(radius * c, height, radius * depth * s);
            // The profile runs downwards, so its outward normal is (y0 - y1, r1 - r0).
            const normal = new Vector3((y0 - y1) * c, r1 - r0, ((y0 - y1) * s) / depth).normalize();
            normals.push(normal.x, normal.y, normal.z);
            uvs.push(i / around, 1 - j / (rows - 1));
        }
    });
    for (let j = 0; j + 1 < rows; j++) {
        for (let i = 0; i < around; i++) {
            const a = j * (around + 1) + i;
            const b = a + around + 1;
            // One diagonal direction; the cloth finds the other one itself.
            indices.push(a, b, a + 1, a + 1, b, b + 1);
        }
    }
    Object.assign(data, { positions, normals, uvs, indices });
    const mesh = new Mesh(name, scene);
    data.applyToMesh(mesh);
    mesh.material = material;
    return mesh;
}

/** A waistband of two rows, then a flare of about 50 degrees to the hem. */
const skirt = Array.from({ length: 26 }, (_, j): [number, number] => {
    if (j < 3) return [0.144 + 0.004 * j, WAIST - 0.016 * j];
    const t = (j - 2) / 23;
    return [0.152 + 0.48 * t, WAIST - 0.032 - 0.42 * t - 0.06 * t * t];
});
revolve("Skirt", skirt, 64, 0.86);

revolve(
    "Form",
    [
        [0, 1.63],
        [0.03, 1.63],
        [0.05, 1.62],
        [0.055, 1.58],
        [0.06, 1.54],
        [0.1, 1.515],
        [0.155, 1.49],
        [0.18, 1.455],
        [0.185, 1.42],
        [0.178, 1.37],
        [0.178, 1.33],
        [0.17, 1.28],
        [0.15, 1.22],
        [0.136, 1.16],
        [0.134, WAIST],
        [0.142, 1.08],
        [0.158, 1.03],
        [0.17, 0.98],
        [0.175, 0.93],
        [0.17, 0.88],
        [0.15, 0.84],
        [0.1, 0.82],
        [0, 0.82],
    ],
    28,
    0.8,
);
const hips = MeshBuilder.CreateSphere("Hips", { diameter: 0.36, segments: 6 }, scene);
hips.position.y = 0.95;
hips.scaling.set(1, 0.95, 0.84);
hips.material = material;
revolve(
    "Stand",
    [
        [0, 0.84],
        [0.022, 0.84],
        [0.022, 0.09],
        [0.03, 0.07],
        [0.09, 0.055],
        [0.17, 0.045],
        [0.19, 0.03],
        [0.19, 0],
    ],
    20,
    1,
);

const { files } = await GLTF2Export.GLBAsync(scene, "skirt", { exportUnusedUVs: true });
const glb = files["skirt.glb"];
if (typeof glb === "string") throw new Error("The exporter must write binary data");
const bytes = new Uint8Array(await glb.arrayBuffer());
await writeFile(new URL("assets/skirt.glb", import.meta.url), bytes);
console.log(`assets/skirt.glb: ${bytes.length} bytes`);
