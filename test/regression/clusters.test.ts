import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, makeWorld, worldVertices } from "../unit/babylon/harness";

afterEach(disposeWorlds);

const SUBDIVISIONS = 8;
const ROW = SUBDIVISIONS + 1;
/** Far below a tenth of the mesh's scale. */
const NEAR = 0.004;

class Sheet {
    readonly positions: number[] = [];
    readonly indices: number[] = [];

    /** A square of 1 m across x and y, its upper left corner at (x, y). @returns its first vertex */
    square(x: number, y: number): number {
        const first = this.positions.length / 3;
        for (let j = 0; j < ROW; j++) for (let i = 0; i < ROW; i++) this.vertex(x + i / SUBDIVISIONS, y - j / SUBDIVISIONS);
        for (let j = 0; j < SUBDIVISIONS; j++) {
            for (let i = 0; i < SUBDIVISIONS; i++) {
                const a = first + ROW * j + i;
                this.indices.push(a, a + 1, a + ROW, a + 1, a + ROW + 1, a + ROW);
            }
        }
        return first;
    }

    vertex(x: number, y: number, z = 0): number {
        return this.positions.push(x, y, z) / 3 - 1;
    }

    /** The mesh, authored in other units along each axis that its scale makes up for. */
    build(scene: Scene, scale: readonly number[] = [1, 1, 1]): Mesh {
        const mesh = new Mesh("m", scene);
        const positions = this.positions.map((x, i) => x / scale[i % 3]);
        const data = Object.assign(new VertexData(), { positions, indices: this.indices, normals: [] });
        VertexData.ComputeNormals(positions, this.indices, data.normals);
        data.applyToMesh(mesh);
        mesh.scaling.set(scale[0], scale[1], scale[2]);
        return mesh;
    }
}

/** A triangle whose short side is one particle is no triangle any more: what hung on it fell off, or stayed in the air. */
describe("what hangs on a narrow triangle goes on hanging", () => {
    test("a square on another", () => {
        const { scene, frame } = makeWorld();
        const sheet = new Sheet();
        const upper = sheet.square(0, 0);
        const lower = sheet.square(0, -1.5);
        const corner = upper + SUBDIVISIONS * ROW;
        sheet.indices.push(corner, sheet.vertex(NEAR, -1), lower);
        const mesh = sheet.build(scene);
        mesh.addBehavior(new ClothBehavior({ pins: [{ select: [0, SUBDIVISIONS] }], fabric: { damping: 2 } }));
        frame(1000 / 60, 120);
        const x = worldVertices(mesh);
        const way = Math.hypot(...[0, 1, 2].map((c) => x[3 * lower + c] - x[3 * corner + c]));
        expect(way).toBeLessThan(0.6);
    });

    test("a fringe", () => {
        const { scene, frame } = makeWorld();
        const sheet = new Sheet();
        const last = sheet.square(0, 0) + ROW * SUBDIVISIONS;
        const tips: number[] = [];
        for (let i = 0; i < SUBDIVISIONS; i++) {
            const root = sheet.vertex(i / SUBDIVISIONS + NEAR, -1);
            tips.push(sheet.vertex(i / SUBDIVISIONS + NEAR / 2, -1.3));
            sheet.indices.push(last + i, root, tips[i], last + i, last + i - ROW, root);
        }
        const mesh = sheet.build(scene);
        const cloth = new ClothBehavior({ fabric: { damping: 0 } });
        mesh.addBehavior(cloth);
        frame(1000 / 60, 30);
        const x = worldVertices(mesh);
        for (const tip of tips) expect(x[3 * tip + 1]).toBeLessThan(-2);
    });
});

/** Distance of two vertices in the world [m]. */
function distance(mesh: Mesh, a: number, b: number): number {
    const x = worldVertices(mesh);
    return Math.hypot(...[0, 1, 2].map((c) => x[3 * b + c] - x[3 * a + c]));
}

describe("what rides stays where it belongs", () => {
    test.each([
        [1, 1, 1],
        [1, 1, 30],
        [1, 1, 0.1],
        [30, 1, 1],
        [0.1, 1, 1],
        [-1, 1, 5],
    ])("on a mesh scaled by %d, %d, %d", (...scale) => {
        const { scene, frame } = makeWorld();
        const sheet = new Sheet();
        sheet.square(0, 0);
        const foot = ROW * 4 + 4;
        const [x, y] = [sheet.positions[3 * foot], sheet.positions[3 * foot + 1]];
        const sides = [sheet.vertex(x + NEAR, y), sheet.vertex(x, y + NEAR)];
        const top = sheet.vertex(x, y, NEAR);
        sheet.indices.push(foot, sides[0], top, sides[1], foot, top, sides[0], sides[1], top);
        const mesh = sheet.build(scene, scale);
        const pins = [{ select: [SUBDIVISIONS, ROW * ROW - 1] }];
        const cloth = new ClothBehavior({ pins, gravity: { x: 0, y: 0, z: -9.8 }, fabric: { damping: 2 } });
        mesh.addBehavior(cloth);
        expect(cloth.particleCount).toBe(ROW * ROW);
        for (let i = 0; i < 90; i++) {
            frame();
            expect(distance(mesh, foot, top)).toBeGreaterThan(0.9 * NEAR);
            expect(distance(mesh, foot, top)).toBeLessThan(1.1 * NEAR);
        }
    });

    test("beside a long thin triangle", () => {
        const { scene, frame } = makeWorld();
        const sheet = new Sheet();
        const corner = sheet.square(0, 0);
        const beside = sheet.vertex(NEAR, 0, NEAR);
        sheet.indices.push(corner, beside, corner + ROW, corner + ROW, beside, corner + 1);
        sheet.indices.push(corner, sheet.vertex(-10, 0), sheet.vertex(-20, 0, 0.002));
        const mesh = sheet.build(scene);
        mesh.addBehavior(new ClothBehavior({ pins: [{ select: [SUBDIVISIONS] }], fabric: { damping: 2 } }));
        for (let i = 0; i < 90; i++) {
            frame();
            expect(distance(mesh, corner, beside)).toBeLessThan(2.5 * NEAR);
        }
    });
});
