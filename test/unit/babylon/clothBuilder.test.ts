// Builders: what they make, at 0.1, 1 and 10 m, and what they refuse. Settled: 1.5 % of the size in a second, on average (a flag of 15 m still sways by 1.3 %).
import "@babylonjs/core/Materials/standardMaterial";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, Fabrics, Wind, WindSpeeds } from "babylon-cloth";
import type { ClothMesh } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld, messageOf, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A point of a solid: how deep it lies inside [m], x y z in the world. */
type Depth = (x: number, y: number, z: number) => number;

interface Made {
    cloth: ClothMesh;
    depth?: Depth;
}

function makePole(scene: Scene, height: number, diameter: number): Mesh {
    const pole = MeshBuilder.CreateCylinder("pole", { height, diameter }, scene);
    pole.position.set(2, height / 2, 1);
    return pole;
}

/** A round pole through x 2, z 1. */
const inPole =
    (radius: number): Depth =>
    (x, _, z) =>
        radius - Math.hypot(x - 2, z - 1);

/** Round posts 3.1 s apart. */
function makePosts(scene: Scene, s: number): [Mesh, Mesh] {
    const [left, right] = [-1, 1].map((side) => {
        const post = MeshBuilder.CreateCylinder("post", { height: 2 * s, diameter: 0.1 * s }, scene);
        post.position.set(1.55 * s * side, s, 0);
        return post;
    });
    return [left, right];
}
const inPosts =
    (s: number): Depth =>
    (x, _, z) =>
        0.05 * s - Math.hypot(Math.abs(x) - 1.55 * s, z);

const makers: Record<string, (scene: Scene, s: number, subdivisions?: number) => Made> = {
    flag(scene, s, subdivisions) {
        const pole = makePole(scene, 3 * s, 0.05 * s);
        const cloth = ClothBuilder.CreateFlag("flag", { width: 1.5 * s, height: s, pole, subdivisions }, scene);
        return { cloth, depth: inPole(0.025 * s) };
    },
    banner: (scene, s, subdivisions) => ({
        cloth: ClothBuilder.CreateBanner("banner", { width: 3 * s, height: 0.8 * s, subdivisions }, scene),
    }),
    curtain(scene, s, subdivisions) {
        const rail = MeshBuilder.CreateCylinder("rail", { height: 1.2 * s, diameter: 0.03 * s }, scene);
        rail.rotation.z = Math.PI / 2;
        rail.position.y = 2 * s;
        const cloth = ClothBuilder.CreateCurtain("curtain", { height: 1.5 * s, rail, subdivisions }, scene);
        return { cloth, depth: (_, y, z) => 0.015 * s - Math.hypot(y - 2 * s, z) };
    },
    "square tablecloth"(scene, s, subdivisions) {
        const table = MeshBuilder.CreateBox("table", { width: s, depth: 0.7 * s, height: 0.7 * s }, scene);
        const cloth = ClothBuilder.CreateTablecloth("tablecloth", { table, subdivisions }, scene);
        return { cloth, depth: (x, y, z) => Math.min(0.5 * s - Math.abs(x), 0.35 * s - Math.abs(y), 0.35 * s - Math.abs(z)) };
    },
    "round tablecloth"(scene, s, subdivisions) {
        const table = MeshBuilder.CreateCylinder("table", { diameter: s, height: 0.7 * s, tessellation: 64 }, scene);
        const cloth = ClothBuilder.CreateTablecloth("tablecloth", { table, radius: 0.75 * s, subdivisions }, scene);
        return { cloth, depth: (x, y, z) => Math.min(0.5 * s - Math.hypot(x, z), 0.35 * s - Math.abs(y)) };
    },
    cape: (scene, s, subdivisions) => ({
        cloth: ClothBuilder.CreateCape("cape", { width: 0.4 * s, height: 1.2 * s, subdivisions }, scene),
    }),
    sail(scene, s, subdivisions) {
        const mast = makePole(scene, 3.5 * s, 0.08 * s);
        const cloth = ClothBuilder.CreateSail("sail", { width: 2 * s, height: 3 * s, mast, subdivisions }, scene);
        return { cloth, depth: inPole(0.04 * s) };
    },
    net(scene, s, subdivisions) {
        const posts = makePosts(scene, s);
        return { cloth: ClothBuilder.CreateNet("net", { posts, height: s, subdivisions }, scene), depth: inPosts(s) };
    },
    awning: (scene, s, subdivisions) => ({
        cloth: ClothBuilder.CreateAwning("awning", { width: 3 * s, height: 1.5 * s, subdivisions }, scene),
    }),
};

/** How deep the cloth's triangles come into a solid [m], looked at in 28 points each. */
function deepest(mesh: Mesh, depth: Depth): number {
    const x = worldVertices(mesh);
    const triangles = mesh.getIndices()!;
    const n = 6;
    let most = -Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [0, 1, 2].map((i) => 3 * triangles[t + i]);
        for (let i = 0; i <= n; i++) {
            for (let j = 0; j <= n - i; j++) {
                const at = (axis: number) => (x[a + axis] * i + x[b + axis] * j + x[c + axis] * (n - i - j)) / n;
                most = Math.max(most, depth(at(0), at(1), at(2)));
            }
        }
    }
    return most;
}

/** Mean speed of the particles [m/s] over a frame. */
function meanSpeed(cloth: ClothMesh, frame: () => void): number {
    const before = cloth.cloth.getParticlePositions();
    frame();
    const after = cloth.cloth.getParticlePositions();
    let sum = 0;
    for (let i = 0; i < after.length; i++) sum += (after[i] - before[i]) ** 2;
    return Math.sqrt((3 * sum) / after.length) * 60;
}

describe.each(Object.keys(makers))("%s", (kind) => {
    test.each([
        [0.1, 24],
        [1, 32],
        [10, 40],
    ])("settles within twenty seconds at %f m, hardly stretched, and out of what it hangs or lies on", (s, subdivisions) => {
        const { scene, frame } = makeWorld();
        const { cloth, depth } = makers[kind](scene, s, subdivisions);
        for (let i = 0; i < 1199 && !cloth.cloth.stats.isAsleep; i++) frame(FRAME);
        expect(meanSpeed(cloth, frame)).toBeLessThan(0.015 * s);
        expect(cloth.cloth.stats.meanStretch).toBeLessThan(0.01);
        if (depth) expect(deepest(cloth, depth)).toBeLessThan(0);
        if (depth) expect(deepest(cloth, depth)).toBeGreaterThan(-0.15 * s);
    });

    test("is a mesh with its behavior, texture coordinates and a two-sided material", () => {
        const { scene } = makeWorld();
        const { cloth: mesh } = makers[kind](scene, 1);
        expect(mesh.getBehaviorByName("Cloth")).toBe(mesh.cloth);
        expect(mesh.cloth.attachedNode).toBe(mesh);
        const uvs = mesh.getVerticesData("uv")!;
        expect([Math.min(...uvs), Math.max(...uvs)]).toEqual([0, 1]);
        expect(mesh.material!.backFaceCulling).toBe(false);
        expect(mesh.material).not.toBe(scene.defaultMaterial);
        expect(mesh.cloth.particleCount).toBeGreaterThan(500);
        expect(mesh.cloth.particleCount).toBeLessThan(8000);
        const normals = mesh.getVerticesData("normal")!;
        const away = kind.includes("tablecloth") ? normals[1] : kind === "cape" ? 0 : -normals[2];
        expect(away).toBeGreaterThan(-0.01);
    });
});

describe("options", () => {
    test("fabric and wind by name, by properties and as they are", () => {
        const { scene } = makeWorld();
        const flag = ClothBuilder.CreateFlag("flag", { fabric: "silk", wind: "breeze" }, scene);
        expect(flag.cloth.fabric).toMatchObject({ ...Fabrics.silk, thickness: flag.cloth.fabric.thickness });
        const { x, y, z } = flag.cloth.wind!.velocity;
        expect(Math.hypot(x, y, z)).toBeCloseTo(WindSpeeds.breeze, 9);
        expect(x).toBeGreaterThan(4);
        const wind = new Wind({ velocity: new Vector3(1, 2, 3) });
        const net = ClothBuilder.CreateNet("net", { fabric: { damping: 2 }, wind, substepCount: 7 }, scene);
        expect(net.cloth.fabric).toMatchObject({ damping: 2, arealDensity: 0.2 });
        expect(net.cloth.wind).toBe(wind);
        expect(net.cloth.substepCount).toBe(7);
        expect(ClothBuilder.CreateSail("sail", { wind: { turbulence: 0.1 } }, scene).cloth.wind!.turbulence).toBe(0.1);
        expect(ClothBuilder.CreateAwning("awning", { wind: null }, scene).cloth.wind).toBeNull();
    });

    test("pins replace the builder's, colliders come in addition", () => {
        const { scene } = makeWorld();
        const pole = makePole(scene, 2, 0.1);
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const flag = ClothBuilder.CreateFlag("flag", { pole, pins: [{ select: [0] }], colliders: [ball] }, scene);
        expect(flag.cloth.pins.map(({ particleCount }) => particleCount)).toEqual([1]);
        expect(flag.cloth.colliders.map(({ source }) => source)).toEqual([pole, ball]);
        expect(ClothBuilder.CreateCurtain("curtain", { pins: [] }, scene).cloth.pins).toEqual([]);
    });

    test("moved before the first frame, it begins there, without motion", () => {
        const { scene, frame } = makeWorld();
        const sheet = ClothBuilder.CreateTablecloth("free", { gravity: new Vector3(0, 0, 0) }, scene);
        sheet.position.set(0.3, 0.2, 0.1);
        frame(FRAME, 5);
        const x = worldVertices(sheet);
        expect(x.filter((_, i) => i % 3 === 1).every((y) => Math.abs(y - 0.2) < 1e-4)).toBe(true);
    });

    test("a node that carries the meshes of a table is met with all of them", () => {
        const { scene } = makeWorld();
        const table = new TransformNode("table", scene);
        const top = MeshBuilder.CreateBox("top", { width: 2, depth: 1, height: 0.05 }, scene);
        const leg = MeshBuilder.CreateCylinder("leg", { diameter: 0.1, height: 1 }, scene);
        for (const part of [top, leg]) part.parent = table;
        top.position.y = 0.525;
        table.position.set(5, 0, 0);
        const sheet = ClothBuilder.CreateTablecloth("sheet", { table }, scene);
        expect(sheet.cloth.colliders.map(({ source }) => source)).toEqual([top, leg]);
        expect(sheet.position.x).toBeCloseTo(5, 6);
        const x = worldVertices(sheet).filter((_, i) => i % 3 === 0);
        expect(Math.max(...x) - Math.min(...x)).toBeCloseTo(3, 5);
    });

    test.each([0.1, 1, 10])("a banner ends beside its posts, %f m", (s) => {
        const { scene, frame } = makeWorld();
        const banner = ClothBuilder.CreateBanner("banner", { posts: makePosts(scene, s), height: s, subdivisions: 24 }, scene);
        frame(FRAME, 120);
        expect(deepest(banner, inPosts(s))).toBeLessThan(0);
        expect(deepest(banner, inPosts(s))).toBeGreaterThan(-0.01 * s);
    });

    // As fine as it is by default: the coarser, the more it sways for good.
    test.each([0.1, 1, 2.5, 10])("a banner between posts settles, %f m", (s) => {
        const { scene, frame } = makeWorld();
        const banner = ClothBuilder.CreateBanner("banner", { posts: makePosts(scene, s), height: s }, scene);
        frame(FRAME, 599);
        expect(meanSpeed(banner, frame)).toBeLessThan(0.015 * s);
        expect(banner.cloth.stats.meanStretch).toBeLessThan(0.01);
    });

    test("posts carry the ends of what hangs between them", () => {
        const { scene, frame } = makeWorld();
        const posts = [-1, 1].map((side) => {
            const post = MeshBuilder.CreateCylinder("post", { height: 3, diameter: 0.1 }, scene);
            post.position.set(2 * side, 1.5, side);
            return post;
        });
        const banner = ClothBuilder.CreateBanner("banner", { posts: [posts[0], posts[1]], slack: 0.1 }, scene);
        const corner = () => Array.from(worldVertices(banner).slice(0, 3), (c) => Number(c.toFixed(3)));
        // Beside the post, whose box is 10 cm wide and deep.
        expect(corner()).toEqual([-1.948, 2.96, -0.974]);
        posts[0].position.x += 0.1;
        frame(FRAME, 3);
        expect(corner()).toEqual([-1.847, 2.96, -0.974]);
    });

    test("shoulders carry the halves of a cape: nodes and bones", () => {
        const { scene, frame } = makeWorld();
        const left = new TransformNode("left", scene);
        left.position.set(-0.3, 1.4, 2);
        const wearer = MeshBuilder.CreateBox("wearer", {}, scene);
        wearer.skeleton = new Skeleton("skeleton", "skeleton", scene);
        const right = new Bone("right", wearer.skeleton, null, Matrix.Translation(0.1, 1.4, 2));
        const cape = ClothBuilder.CreateCape("cape", { shoulders: [left, right] }, scene);
        expect(cape.position.asArray().map((c) => Number(c.toFixed(6)))).toEqual([-0.1, 1.4, 2]);
        expect(cape.cloth.pins.map(({ target }) => target)).toEqual([left, right]);
        left.position.y += 0.05;
        frame(FRAME, 3);
        const x = worldVertices(cape);
        expect([x[0], x[1], x[2]].map((c) => Number(c.toFixed(4)))).toEqual([-0.3, 1.45, 2]);
    });
});

describe("wrong options are refused, and nothing is made", () => {
    const node = () => new TransformNode("gone", makeWorld().scene);
    test.each<[string, object, string]>([
        ["CreateFlag", { width: -1 }, "width must be a finite number > 0, got -1"],
        ["CreateFlag", { length: 1 }, 'unknown option "length"; the options are width, height, pole, subdivisions, fabric'],
        ["CreateFlag", { fabric: "silkk" }, "fabric must be one of chiffon, rubber, silk"],
        ["CreateFlag", { wind: "hurricane" }, "wind must be one of still, lightBreeze, breeze"],
        ["CreateFlag", { wind: 3 }, "wind must be a wind's name, its options, a Wind or null, got 3"],
        ["CreateFlag", { pole: {} }, "pole must be a node, got an object (Object)"],
        ["CreateFlag", { subdivisions: 1 }, "subdivisions must be an integer from 4 to 512, got 1"],
        ["CreateBanner", { slack: 1 }, "slack must be a number from 0 to 0.5, got 1"],
        ["CreateBanner", { posts: [1] }, "posts must be two nodes, left and right, got"],
        ["CreateBanner", { posts: [1, 2] }, "posts[0] must be a node, got 1"],
        ["CreateCurtain", { pleats: 0 }, "pleats must be an integer from 1 to 60, got 0"],
        ["CreateCurtain", { side: "up" }, 'side must be "left" or "right", got "up"'],
        ["CreateTablecloth", { size: 1, radius: 1 }, "radius must be left out where there is a size, got 1"],
        ["CreateTablecloth", { table: null }, "table must be a node, got null"],
        ["CreateCape", { shoulders: [1, 2] }, "shoulders[0] must be a TransformNode or Bone, got 1"],
        ["CreateCape", { flare: 0 }, "flare must be a number from 1 to 5, got 0"],
        ["CreateSail", { camber: "deep" }, 'camber must be a finite number, got "deep"'],
        ["CreateNet", { meshSize: 0 }, "meshSize must be a finite number > 0, got 0"],
        ["CreateAwning", { slope: 2 }, "slope must be a number from -1.5 to 1.5, got 2"],
        ["CreateAwning", { substepCount: 0 }, "ClothBehavior: substepCount must be an integer from 1 to 256, got 0"],
    ])("%s %j", (builder, options, message) => {
        const { scene } = makeWorld();
        const create = ClothBuilder[builder as "CreateFlag"];
        const text = messageOf(() => create("cloth", options, scene));
        expect(text).toContain(message);
        expect(text).toContain(message.startsWith("Cloth") ? "" : `ClothBuilder: ${builder}: `);
        expect(scene.meshes.length + scene.transformNodes.length).toBe(0);
        expect(messageOf(() => create("cloth", {}, null as never))).toBe(
            `ClothBuilder: ${builder}: scene must be a Scene, got null`,
        );
    });

    test("nodes that are gone", () => {
        const table = node();
        table.dispose();
        const scene = table.getScene();
        expect(messageOf(() => ClothBuilder.CreateTablecloth("cloth", { table }, scene))).toBe(
            'ClothBuilder: CreateTablecloth: table must be a node that is not disposed, got "gone"',
        );
        expect(messageOf(() => ClothBuilder.CreateTablecloth("cloth", { table: new TransformNode("bare", scene) }, scene))).toBe(
            'ClothBuilder: CreateTablecloth: table must be a node with meshes, got "bare"',
        );
    });
});
