import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";

const FRONT = 0;
const DOUBLESIDE = 2;

/** Triangulates a convex outline: what these tests need of earcut. */
const fan = (outline: number[]): number[] => {
    const indices: number[] = [];
    for (let i = 2; i < outline.length / 2; i++) indices.push(0, i - 1, i);
    return indices;
};
const hexagon = [0, 1, 2, 3, 4, 5].map((k) => new Vector3(Math.cos((k * Math.PI) / 3), 0, Math.sin((k * Math.PI) / 3)));
const arc = [0, 1, 2, 3, 4].map((k) => new Vector3(1 + 0.3 * Math.sin(k), k * 0.5, 0));
const paths = [0, 1, 2, 3].map((j) => [0, 1, 2, 3, 4].map((i) => new Vector3(i, 0.2 * Math.sin(i + j), j)));
const barrel = Array.from({ length: 18 }, (_, j) =>
    [0, 1, 2, 3, 4].map((i) => new Vector3(Math.cos((j * Math.PI) / 9), 0.3 * i, Math.sin((j * Math.PI) / 9))),
);

/** A builder: whether its flat or smooth normals come back to the digit, and how many particles it must weld to. */
export interface Builder {
    readonly name: string;
    readonly make: (scene: Scene, sideOrientation?: number) => Mesh;
    /** Particles by the shape's geometry; without it the tests compare all pairs of vertices. */
    readonly particleCount?: number;
    /** Least cosine between authored and written normals; 1: all within 1e-3. Rounder than its triangles: less. */
    readonly cosine: number;
}

/** Every builder of MeshBuilder that makes triangles from numbers alone. */
export const BUILDERS: readonly Builder[] = [
    {
        name: "ground",
        cosine: 1,
        particleCount: 35,
        make: (scene) => MeshBuilder.CreateGround("m", { width: 3, height: 2, subdivisionsX: 6, subdivisionsY: 4 }, scene),
    },
    {
        name: "plane",
        cosine: 1,
        particleCount: 4,
        make: (scene, sideOrientation) => MeshBuilder.CreatePlane("m", { size: 2, sideOrientation }, scene),
    },
    {
        name: "tiled ground",
        cosine: 1,
        particleCount: 49,
        make: (scene) =>
            MeshBuilder.CreateTiledGround(
                "m",
                { xmin: -1, zmin: -1, xmax: 1, zmax: 1, subdivisions: { w: 3, h: 3 }, precision: { w: 2, h: 2 } },
                scene,
            ),
    },
    {
        name: "tiled plane",
        cosine: 1,
        make: (scene, sideOrientation) => MeshBuilder.CreateTiledPlane("m", { size: 3, tileSize: 1, sideOrientation }, scene),
    },
    {
        name: "disc",
        cosine: 1,
        particleCount: 17,
        make: (scene, sideOrientation) => MeshBuilder.CreateDisc("m", { radius: 1, tessellation: 16, sideOrientation }, scene),
    },
    {
        name: "ribbon",
        cosine: 1,
        particleCount: 20,
        make: (scene, sideOrientation) => MeshBuilder.CreateRibbon("m", { pathArray: paths, sideOrientation }, scene),
    },
    {
        name: "closed ribbon",
        cosine: 0.98,
        particleCount: 5 * 18,
        make: (scene, sideOrientation) =>
            MeshBuilder.CreateRibbon("m", { pathArray: barrel, closeArray: true, sideOrientation }, scene),
    },
    {
        name: "lathe",
        cosine: 0.98,
        particleCount: 5 * 24,
        make: (scene, sideOrientation) => MeshBuilder.CreateLathe("m", { shape: arc, tessellation: 24, sideOrientation }, scene),
    },
    {
        name: "polygon",
        cosine: 1,
        particleCount: 6,
        make: (scene, sideOrientation) => MeshBuilder.CreatePolygon("m", { shape: hexagon, sideOrientation }, scene, fan),
    },
    {
        name: "extruded polygon",
        cosine: 1,
        particleCount: 12,
        make: (scene, sideOrientation) =>
            MeshBuilder.ExtrudePolygon("m", { shape: hexagon, depth: 1, sideOrientation }, scene, fan),
    },
    {
        name: "extruded shape",
        cosine: 0.9,
        make: (scene, sideOrientation) => MeshBuilder.ExtrudeShape("m", { shape: arc, path: hexagon, sideOrientation }, scene),
    },
    {
        name: "tube",
        cosine: 0.9,
        make: (scene, sideOrientation) =>
            MeshBuilder.CreateTube("m", { path: arc, radius: 0.2, tessellation: 12, cap: 3, sideOrientation }, scene),
    },
    {
        name: "sphere",
        cosine: 0.99,
        particleCount: 33 * 68 + 2,
        make: (scene, sideOrientation) => MeshBuilder.CreateSphere("m", { sideOrientation }, scene),
    },
    {
        name: "cylinder",
        cosine: 0.99,
        particleCount: 50,
        make: (scene, sideOrientation) => MeshBuilder.CreateCylinder("m", { sideOrientation }, scene),
    },
    {
        name: "cone",
        cosine: 0.9,
        particleCount: 26,
        make: (scene, sideOrientation) => MeshBuilder.CreateCylinder("m", { diameterTop: 0, sideOrientation }, scene),
    },
    {
        name: "torus",
        cosine: 0.99,
        particleCount: 256,
        make: (scene, sideOrientation) => MeshBuilder.CreateTorus("m", { sideOrientation }, scene),
    },
    {
        name: "torus knot",
        cosine: 0.7,
        make: (scene, sideOrientation) =>
            MeshBuilder.CreateTorusKnot("m", { radialSegments: 48, tubularSegments: 12, sideOrientation }, scene),
    },
    {
        name: "box",
        cosine: 1,
        particleCount: 8,
        make: (scene, sideOrientation) => MeshBuilder.CreateBox("m", { sideOrientation }, scene),
    },
    {
        name: "tiled box",
        cosine: 1,
        make: (scene, sideOrientation) =>
            MeshBuilder.CreateTiledBox("m", { width: 3, height: 3, depth: 3, tileSize: 1, sideOrientation }, scene),
    },
    { name: "capsule", cosine: 0.9, make: (scene) => MeshBuilder.CreateCapsule("m", {}, scene) },
    {
        name: "icosphere",
        cosine: 0.99,
        particleCount: 162,
        make: (scene, sideOrientation) =>
            MeshBuilder.CreateIcoSphere("m", { flat: false, subdivisions: 4, sideOrientation }, scene),
    },
    {
        name: "flat icosphere",
        cosine: 0.999,
        particleCount: 162,
        make: (scene, sideOrientation) => MeshBuilder.CreateIcoSphere("m", { flat: true, subdivisions: 4, sideOrientation }, scene),
    },
    {
        name: "polyhedron",
        cosine: 1,
        particleCount: 4,
        make: (scene, sideOrientation) => MeshBuilder.CreatePolyhedron("m", { type: 0, sideOrientation }, scene),
    },
    { name: "geodesic", cosine: 0.9, make: (scene) => MeshBuilder.CreateGeodesic("m", { m: 2, n: 1 }, scene) },
    { name: "goldberg", cosine: 0.99, make: (scene) => MeshBuilder.CreateGoldberg("m", { m: 2, n: 1 }, scene) },
    {
        name: "custom extruded shape",
        cosine: 0.9,
        make: (scene, sideOrientation) =>
            MeshBuilder.ExtrudeShapeCustom(
                "m",
                { shape: arc, path: hexagon, scaleFunction: (i) => 1 + 0.1 * i, sideOrientation },
                scene,
            ),
    },
    {
        name: "unindexed ground",
        cosine: 1,
        particleCount: 25,
        make: (scene) => {
            const mesh = MeshBuilder.CreateGround("m", { width: 2, height: 2, subdivisions: 4 }, scene);
            mesh.convertToUnIndexedMesh();
            return mesh;
        },
    },
    {
        name: "flat-shaded sphere",
        cosine: 0.9999,
        particleCount: 7 * 16 + 2,
        make: (scene) => {
            const mesh = MeshBuilder.CreateSphere("m", { segments: 6 }, scene);
            mesh.convertToFlatShadedMesh();
            return mesh;
        },
    },
    {
        name: "subdivided cylinder",
        cosine: 0.99,
        particleCount: 50,
        make: (scene) => {
            const mesh = MeshBuilder.CreateCylinder("m", {}, scene);
            mesh.subdivide(4);
            return mesh;
        },
    },
    {
        name: "tangents",
        cosine: 1,
        particleCount: 25,
        make: (scene) => withTangents(MeshBuilder.CreateGround("m", { width: 2, height: 2, subdivisions: 4 }, scene)),
    },
];

/** The builders that take a side orientation, front and double-sided. */
export const DOUBLE_SIDED = BUILDERS.filter(({ make }) => make.length > 1);
export const SIDES = { FRONT, DOUBLESIDE };

/** Adds tangents along +x, with both signs in use. */
export function withTangents(mesh: Mesh): Mesh {
    const tangents = new Float32Array(mesh.getTotalVertices() * 4);
    for (let v = 0; v < mesh.getTotalVertices(); v++) tangents.set([1, 0, 0, v % 2 ? -1 : 1], 4 * v);
    mesh.setVerticesData("tangent", tangents);
    return mesh;
}

/** A mesh from plain arrays. */
export function applyData(mesh: Mesh, positions: ArrayLike<number>, indices: number[] | null, normals?: number[]): Mesh {
    const data = new VertexData();
    data.positions = Float32Array.from(positions);
    data.indices = indices;
    data.normals = normals ?? null;
    data.applyToMesh(mesh);
    return mesh;
}
