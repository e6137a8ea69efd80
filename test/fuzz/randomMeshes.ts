/** Meshes of every builder with random parameters: caps, poles, slivers, odd proportions. Seeded. */
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { seededRandom } from "../random";

/** Draws of one seed. */
export class Dice {
    constructor(readonly next: () => number) {}
    /** A number from low to high, small ones as likely as large ones by ratio. */
    size(low: number, high: number): number {
        return low * (high / low) ** this.next();
    }
    range(low: number, high: number): number {
        return low + (high - low) * this.next();
    }
    integer(low: number, high: number): number {
        return Math.floor(low + (high - low + 1) * this.next());
    }
    /** An integer, small ones as likely as large ones by ratio. */
    count(low: number, high: number): number {
        return Math.round(this.size(low, high));
    }
    chance(share: number): boolean {
        return this.next() < share;
    }
}

type Make = (dice: Dice, scene: Scene) => Mesh;

/** Triangulates an outline that is convex or nearly so; what polygons need of earcut. */
const fan = (outline: number[]): number[] => {
    const indices: number[] = [];
    for (let i = 2; i < outline.length / 2; i++) indices.push(0, i - 1, i);
    return indices;
};

/** A smooth wavy profile of `count` points, x > 0, going up. */
function profile(dice: Dice, count: number): Vector3[] {
    const radius = dice.size(0.1, 1);
    const height = dice.size(0.2, 2);
    const wave = dice.range(0, 0.8);
    const turns = dice.range(0, 3);
    const phase = dice.range(0, 6);
    const closesBelow = dice.chance(0.3);
    const closesAbove = dice.chance(0.3);
    return Array.from({ length: count }, (_, i) => {
        const t = i / (count - 1);
        const r = radius * (1 + wave * Math.sin(phase + turns * 2 * Math.PI * t));
        const isAxis = (i === 0 && closesBelow) || (i === count - 1 && closesAbove);
        return new Vector3(isAxis ? 0 : r, height * t, 0);
    });
}

/** A winding path. */
function path(dice: Dice, count: number): Vector3[] {
    const length = dice.size(0.3, 3);
    const sway = dice.range(0, 0.5) * length;
    const turns = dice.range(0, 2);
    const phase = dice.range(0, 6);
    return Array.from({ length: count }, (_, i) => {
        const t = i / (count - 1);
        const angle = phase + turns * 2 * Math.PI * t;
        return new Vector3(sway * Math.cos(angle), length * t, sway * Math.sin(angle));
    });
}

function outline(dice: Dice, corners: number): Vector3[] {
    const radius = dice.size(0.1, 1);
    const flat = dice.range(0.3, 1);
    return Array.from({ length: corners }, (_, i) => {
        const angle = (2 * Math.PI * i) / corners;
        return new Vector3(radius * Math.cos(angle), 0, flat * radius * Math.sin(angle));
    });
}

const crossSection = (dice: Dice): Vector3[] => {
    const shape = outline(dice, dice.integer(3, 12)).map(({ x, z }) => new Vector3(0.3 * x, 0.3 * z, 0));
    return dice.chance(0.5) ? [...shape, shape[0].clone()] : shape;
};

/** The builders by name. */
const builders: Record<string, Make> = {
    ground: (d, scene) =>
        MeshBuilder.CreateGround(
            "m",
            { width: d.size(0.3, 3), height: d.size(0.3, 3), subdivisionsX: d.count(1, 32), subdivisionsY: d.count(1, 32) },
            scene,
        ),
    plane: (d, scene) => MeshBuilder.CreatePlane("m", { width: d.size(0.3, 3), height: d.size(0.3, 3) }, scene),
    tiledGround: (d, scene) =>
        MeshBuilder.CreateTiledGround(
            "m",
            {
                xmin: -d.size(0.2, 2),
                zmin: -d.size(0.2, 2),
                xmax: d.size(0.2, 2),
                zmax: d.size(0.2, 2),
                subdivisions: { w: d.integer(1, 6), h: d.integer(1, 6) },
                precision: { w: d.integer(1, 4), h: d.integer(1, 4) },
            },
            scene,
        ),
    tiledPlane: (d, scene) =>
        MeshBuilder.CreateTiledPlane("m", { width: d.size(0.3, 3), height: d.size(0.3, 3), tileSize: d.size(0.1, 1) }, scene),
    disc: (d, scene) =>
        MeshBuilder.CreateDisc(
            "m",
            { radius: d.size(0.2, 1.5), tessellation: d.count(3, 128), arc: d.chance(0.3) ? d.range(0.2, 1) : 1 },
            scene,
        ),
    ribbon: (d, scene) => {
        const columns = d.count(2, 24);
        const paths = Array.from({ length: d.count(2, 24) }, (_, i) =>
            path(d, columns).map(({ x, y, z }) => new Vector3(0.3 * x + 0.2 * i, y, 0.3 * z)),
        );
        return MeshBuilder.CreateRibbon("m", { pathArray: paths }, scene);
    },
    lathe: (d, scene) =>
        MeshBuilder.CreateLathe(
            "m",
            {
                shape: profile(d, d.count(3, 24)),
                tessellation: d.count(3, 64),
                closed: d.chance(0.8),
                cap: d.integer(0, 3),
                arc: d.chance(0.2) ? d.range(0.2, 1) : 1,
            },
            scene,
        ),
    polygon: (d, scene) => MeshBuilder.CreatePolygon("m", { shape: outline(d, d.count(3, 64)) }, scene, fan),
    extrudedPolygon: (d, scene) =>
        MeshBuilder.ExtrudePolygon("m", { shape: outline(d, d.count(3, 48)), depth: d.size(0.05, 1) }, scene, fan),
    extrudedShape: (d, scene) =>
        MeshBuilder.ExtrudeShape(
            "m",
            {
                shape: crossSection(d),
                path: path(d, d.count(2, 24)),
                cap: d.integer(0, 3),
                scale: d.range(0.5, 1.5),
                rotation: d.chance(0.5) ? d.range(0, 0.5) : 0,
            },
            scene,
        ),
    extrudedShapeCustom: (d, scene) => {
        const swell = d.range(0, 0.8);
        return MeshBuilder.ExtrudeShapeCustom(
            "m",
            {
                shape: crossSection(d),
                path: path(d, d.count(2, 24)),
                cap: d.integer(0, 3),
                scaleFunction: (i) => 1 + swell * Math.sin(i),
            },
            scene,
        );
    },
    tube: (d, scene) =>
        MeshBuilder.CreateTube(
            "m",
            {
                path: path(d, d.count(2, 32)),
                radius: d.size(0.02, 0.6),
                tessellation: d.count(3, 48),
                cap: d.integer(0, 3),
                arc: d.chance(0.2) ? d.range(0.3, 1) : 1,
            },
            scene,
        ),
    sphere: (d, scene) =>
        MeshBuilder.CreateSphere(
            "m",
            {
                diameterX: d.size(0.2, 2),
                diameterY: d.size(0.2, 2),
                diameterZ: d.size(0.2, 2),
                segments: d.count(1, 16),
                arc: d.chance(0.2) ? d.range(0.2, 1) : 1,
                slice: d.chance(0.2) ? d.range(0.2, 1) : 1,
            },
            scene,
        ),
    cylinder: (d, scene) =>
        MeshBuilder.CreateCylinder(
            "m",
            {
                height: d.size(0.1, 2),
                diameterTop: d.chance(0.2) ? 0 : d.size(0.1, 2),
                diameterBottom: d.chance(0.1) ? 0.001 : d.size(0.1, 2),
                tessellation: d.count(3, 96),
                subdivisions: d.count(1, 16),
                cap: d.integer(0, 3),
                arc: d.chance(0.2) ? d.range(0.2, 1) : 1,
                enclose: d.chance(0.2),
            },
            scene,
        ),
    torus: (d, scene) =>
        MeshBuilder.CreateTorus(
            "m",
            { diameter: d.size(0.3, 2), thickness: d.size(0.03, 0.8), tessellation: d.count(3, 32) },
            scene,
        ),
    torusKnot: (d, scene) =>
        MeshBuilder.CreateTorusKnot(
            "m",
            {
                radius: d.size(0.3, 1),
                tube: d.size(0.03, 0.3),
                radialSegments: d.count(12, 96),
                tubularSegments: d.count(3, 12),
                p: d.integer(1, 3),
                q: d.integer(2, 4),
            },
            scene,
        ),
    box: (d, scene) => MeshBuilder.CreateBox("m", { width: d.size(0.1, 2), height: d.size(0.1, 2), depth: d.size(0.1, 2) }, scene),
    tiledBox: (d, scene) =>
        MeshBuilder.CreateTiledBox(
            "m",
            { width: d.size(0.3, 2), height: d.size(0.3, 2), depth: d.size(0.3, 2), tileSize: d.size(0.1, 0.5) },
            scene,
        ),
    capsule: (d, scene) => {
        const radius = d.size(0.1, 0.5);
        return MeshBuilder.CreateCapsule(
            "m",
            {
                radius,
                radiusTop: d.chance(0.3) ? d.size(0.1, 0.5) : radius,
                height: 2.1 * radius + d.size(0.05, 1.5),
                tessellation: d.count(3, 32),
                subdivisions: d.count(1, 12),
                capSubdivisions: d.count(1, 12),
            },
            scene,
        );
    },
    icosphere: (d, scene) =>
        MeshBuilder.CreateIcoSphere(
            "m",
            {
                radiusX: d.size(0.2, 1),
                radiusY: d.size(0.2, 1),
                radiusZ: d.size(0.2, 1),
                subdivisions: d.count(1, 10),
                flat: d.chance(0.5),
            },
            scene,
        ),
    polyhedron: (d, scene) => MeshBuilder.CreatePolyhedron("m", { type: d.integer(0, 14), size: d.size(0.2, 1) }, scene),
    geodesic: (d, scene) =>
        MeshBuilder.CreateGeodesic("m", { m: d.integer(1, 6), n: d.integer(0, 1), size: d.size(0.2, 1) }, scene),
    goldberg: (d, scene) =>
        MeshBuilder.CreateGoldberg("m", { m: d.integer(1, 5), n: d.integer(0, 1), size: d.size(0.2, 1) }, scene),
};

/** Names of the builders. */
export const builderNames: readonly string[] = Object.keys(builders);

/** Largest meshes that the survey takes, so that thousands of them can be run. */
const MOST_VERTICES = 4000;

/** A mesh drawn by a seed, at rest where it was made, turned at random in half of the cases. */
export function randomMesh(seed: number, scene: Scene, builder = builderNames[seed % builderNames.length]): Mesh {
    const dice = new Dice(seededRandom(seed * 2654435761));
    for (;;) {
        const mesh = builders[builder](dice, scene);
        if (mesh.getTotalVertices() > MOST_VERTICES) {
            mesh.dispose();
            continue;
        }
        mesh.name = `${builder}#${seed}`;
        if (dice.chance(0.5)) {
            const turn = Matrix.RotationYawPitchRoll(dice.range(0, 6.28), dice.range(0, 6.28), dice.range(0, 6.28));
            mesh.bakeTransformIntoVertices(turn);
        }
        return mesh;
    }
}
