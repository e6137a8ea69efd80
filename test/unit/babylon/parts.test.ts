// Cloth of several meshes: one sheet, whose borders are welded, drawn by the buffers of each.
import "@babylonjs/core/Materials/standardMaterial";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBaker, ClothBehavior, ClothFiles, ClothTearing, paint, select } from "babylon-cloth";
import type { ClothOptions } from "babylon-cloth";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import "../../../src/files";
import { rareModule } from "../../../src/babylon/scene/rare.lazy";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeWorld, messageOf, told, worldVertices } from "./harness";
import { farthest, makeSleeve, poseAtRandom, skinnedVertices } from "./skins";
import type { Sleeve } from "./skins";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const [COLUMNS, ROWS, CUT] = [12, 20, 8];
const KINDS = ["normal", "matricesIndices", "matricesWeights"];

/** A mesh of some rows of a sleeve, both ends included. */
function rowsOf({ mesh, morph }: Sleeve, from: number, to: number, name: string, scene: Scene): Mesh {
    const part = new Mesh(name, scene);
    const data = new VertexData();
    const slice = (values: ArrayLike<number>, size: number): number[] =>
        Array.from(values).slice(size * COLUMNS * from, size * COLUMNS * (to + 1));
    data.positions = slice(mesh.getVerticesData("position")!, 3);
    const kept = (v: number): boolean => v >= COLUMNS * from && v < COLUMNS * (to + 1);
    const all = mesh.getIndices()!;
    const indices: number[] = [];
    for (let t = 0; t < all.length; t += 3) {
        const corners = [all[t], all[t + 1], all[t + 2]];
        if (corners.every(kept)) indices.push(...corners.map((v) => v - COLUMNS * from));
    }
    data.indices = indices;
    data.applyToMesh(part);
    for (const kind of KINDS) part.setVerticesData(kind, slice(mesh.getVerticesData(kind)!, kind === "normal" ? 3 : 4));
    part.skeleton = mesh.skeleton;
    part.material = new StandardMaterial(`${name} material`, scene);
    if (morph) {
        const target = new MorphTarget("wide", 0, scene);
        target.setPositions(slice(morph.getPositions()!, 3));
        target.setNormals(slice(morph.getNormals()!, 3));
        part.morphTargetManager = new MorphTargetManager(scene);
        part.morphTargetManager.addTarget(target);
    }
    return part;
}

/** A sleeve as one mesh, and as two of its rows under a node. */
function makeCut(isMorphed = false) {
    const world = makeWorld();
    const whole = makeSleeve(world.scene, { columns: COLUMNS, rows: ROWS, isMorphed });
    const root = new TransformNode("sleeves", world.scene);
    const upper = rowsOf(whole, 0, CUT, "upper", world.scene);
    const lower = rowsOf(whole, CUT, ROWS, "lower", world.scene);
    for (const mesh of [upper, lower, whole.mesh]) mesh.parent = root;
    return { ...world, whole, root, upper, lower };
}

type Cut = ReturnType<typeof makeCut>;

/** Vertices of both parts, by those of the whole. */
const joined = (upper: ArrayLike<number>, lower: ArrayLike<number>): number[] =>
    Array.from(upper).concat(Array.from(lower).slice(3 * COLUMNS));

async function wear({ whole, upper, lower }: Cut, options: (isCut: boolean) => ClothOptions) {
    const one = new ClothBehavior(options(false));
    whole.mesh.addBehavior(one);
    const cut = new ClothBehavior({ parts: [lower], ...options(true) });
    upper.addBehavior(cut);
    await Promise.all([one.whenReady(), cut.whenReady()]);
    return { one, cut };
}

/** Of each vertex: the one at its place in the whole, in the parts' order. */
const inWhole = (v: number): number => (v < COLUMNS * (CUT + 1) ? v : v - COLUMNS);
const count = COLUMNS * (ROWS + 2);

describe("cloth of two meshes on a skin", () => {
    test("moves as that of one, to 1 µm, border and normals included; each draws its own rows and bounds", async () => {
        const made = makeCut(true);
        const { whole, upper, lower, frame } = made;
        const distance = (v: number): number => Math.max(0, Math.floor(v / COLUMNS) - 5) * 0.03;
        const { one, cut } = await wear(made, (isCut) => ({
            maxDistance: isCut
                ? Array.from({ length: count }, (_, v) => distance(inWhole(v)))
                : Array.from({ length: COLUMNS * (ROWS + 1) }, (_, v) => distance(v)),
            backstop: { distance: 0.02 },
        }));
        expect(cut.particleCount).toBe(one.particleCount);
        expect([upper.material!.name, lower.material!.name]).toEqual(["upper material", "lower material"]);
        for (let f = 0; f < 90; f++) {
            whole.bones[1].setRotationQuaternion(Quaternion.FromEulerAngles(0.6 * Math.sin(f / 15), 0, 0.4 * Math.sin(f / 9)));
            for (const { morphTargetManager } of [whole.mesh, upper, lower])
                morphTargetManager!.getTarget(0).influence = 0.5 + 0.5 * Math.sin(f / 20);
            frame([1000 / 59.94, 1000 / 72, 1000 / 144][f % 3]);
        }
        const vertices = Array.from({ length: COLUMNS * (ROWS + 1) }, (_, v) => v);
        const drawn = joined(worldVertices(upper), worldVertices(lower));
        expect(farthest(drawn, worldVertices(whole.mesh), vertices)).toBeLessThan(1e-6);
        const normals = joined(upper.getVerticesData("normal")!, lower.getVerticesData("normal")!);
        expect(farthest(normals, whole.mesh.getVerticesData("normal")!, vertices)).toBeLessThan(1e-5);
        // The free part hangs off the skin.
        expect(farthest(drawn, skinnedVertices(whole.mesh.clone("copy")), vertices)).toBeGreaterThan(0.02);
        for (const part of [upper, lower]) {
            const { minimum, maximum } = part.getBoundingInfo();
            const x = part.getVerticesData("position")!;
            for (const [c, axis] of (["x", "y", "z"] as const).entries()) {
                const along = Array.from(x).filter((_, i) => i % 3 === c);
                expect(minimum[axis]).toBeCloseTo(Math.min(...along), 5);
                expect(maximum[axis]).toBeCloseTo(Math.max(...along), 5);
            }
        }
        expect(told("warn")).toEqual([]);
    });

    test("pins are where Babylon's skinning has them, in all parts", async () => {
        const made = makeCut();
        const { whole, upper, lower, frame } = made;
        const pinned = Array.from({ length: count }, (_, v) => v).filter((v) => inWhole(v) < COLUMNS * 12);
        const cut = new ClothBehavior({ parts: [lower], pins: [{ select: pinned }] });
        upper.addBehavior(cut);
        await cut.whenReady();
        const random = seededRandom(5);
        for (let pose = 0; pose < 20; pose++) {
            poseAtRandom(whole, random, 0.4);
            frame(1000 / (30 + 100 * random()));
            const drawn = joined(worldVertices(upper), worldVertices(lower));
            const places = Array.from({ length: COLUMNS * 12 }, (_, v) => v);
            expect(farthest(drawn, skinnedVertices(whole.mesh), places)).toBeLessThan(1e-4);
        }
    });

    test("removed, each has its geometry and skin back; at a blend of 0, too", async () => {
        const made = makeCut(true);
        const { upper, lower, frame, whole } = made;
        const geometries = [upper.geometry, lower.geometry];
        const managers = [upper.morphTargetManager, lower.morphTargetManager];
        const boxes = [upper, lower].map((mesh) => mesh.getBoundingInfo().minimum.asArray());
        const cut = new ClothBehavior({ parts: [lower], maxDistance: 0.2 });
        upper.addBehavior(cut);
        await cut.whenReady();
        poseAtRandom(whole, seededRandom(3), 0.3);
        frame(undefined, 10);
        expect([upper.geometry, lower.geometry]).not.toEqual(geometries);
        cut.skinBlend = 0;
        frame(undefined, 2);
        expect(upper.geometry).toBe(geometries[0]);
        expect(lower.geometry).toBe(geometries[1]);
        cut.skinBlend = 1;
        frame(undefined, 2);
        expect(lower.geometry).not.toBe(geometries[1]);
        upper.removeBehavior(cut);
        expect([upper.geometry, lower.geometry]).toEqual(geometries);
        expect([upper.morphTargetManager, lower.morphTargetManager]).toEqual(managers);
        expect([upper, lower].map((mesh) => mesh.getBoundingInfo().minimum.asArray())).toEqual(boxes);
        // And may be cloth by themselves.
        const alone = new ClothBehavior();
        lower.addBehavior(alone);
        expect(alone.attachedNode).toBe(lower);
    });

    test("a part that is disposed of is not drawn; one that is edited has the cloth begin anew", async () => {
        const made = makeCut();
        const { upper, lower, frame } = made;
        const cut = new ClothBehavior({ parts: [lower], maxDistance: 0.1 });
        upper.addBehavior(cut);
        await cut.whenReady();
        frame(undefined, 3);
        const moved = Array.from(lower.getVerticesData("position")!, (x, i) => (i % 3 === 0 ? 1.3 * x : x));
        lower.setVerticesData("position", moved);
        frame(undefined, 3);
        await cut.whenReady();
        frame(undefined, 3);
        expect(cut.attachedNode).toBe(upper);
        expect(told("warn").filter((text) => text.includes("another shape"))).toHaveLength(1);
        lower.dispose();
        frame(undefined, 3);
        expect(worldVertices(upper).every(Number.isFinite)).toBe(true);
    });
});

describe("cloth of several meshes", () => {
    /** A square of two halves that share a border, without skin. */
    function makeHalves() {
        const world = makeWorld();
        const halves = [-0.5, 0.5].map((x, i) => {
            const data = VertexData.CreateGround({ width: 1, height: 1, subdivisions: 6 });
            const mesh = new Mesh(`half ${i}`, world.scene);
            data.positions = Array.from(data.positions!, (value, k) => (k % 3 === 0 ? value + x : value));
            data.applyToMesh(mesh);
            mesh.setVerticesData("color", new Array<number>(4 * mesh.getTotalVertices()).fill(i));
            mesh.material = new StandardMaterial(`material ${i}`, world.scene);
            return mesh;
        });
        return { ...world, halves };
    }

    test("selectors and paints see all of them: colours, materials, edges, submeshes", async () => {
        const { halves, frame } = makeHalves();
        const [first, second] = halves;
        const all = (pins: ClothOptions["pins"]) => new ClothBehavior({ parts: [second], pins: pins!, maxDistance: null });
        const cloth = all([
            { select: select.vertexColor("r", 0.5) },
            { select: select.material("material 1") },
            { select: select.edge("+x") },
            { select: select.submesh(1) },
            { select: select.borderLoop(Vector3.Zero()) },
        ]);
        first.addBehavior(cloth);
        await cloth.whenReady();
        expect(cloth.particleCount).toBe(13 * 7);
        // The second half with the border; the right side; both halves' outline without the border between.
        expect(cloth.pins.map(({ particleCount }) => particleCount)).toEqual([49, 49, 7, 49, 36]);
        cloth.pins = [{ select: select.edge("-x") }];
        cloth.maxDistance = paint.vertexColor("r", 2, 3);
        frame(undefined, 30);
        const border = (mesh: Mesh): number[][] => {
            const x = Array.from(mesh.getVerticesData("position")!);
            const normals = mesh.getVerticesData("normal")!;
            const rest = x.map((_, i) => i).filter((i) => i % 3 === 0 && (mesh === first ? (i / 3) % 7 === 6 : (i / 3) % 7 === 0));
            return rest.map((i) => [...x.slice(i, i + 3), ...Array.from(normals).slice(i, i + 3)]);
        };
        // Whole: hangs by one side, without a gap between the halves and without a crease in the shading.
        const [a, b] = [border(first), border(second)];
        for (let i = 0; i < 7; i++) for (let c = 0; c < 6; c++) expect(a[i][c]).toBeCloseTo(b[i][c], 6);
        expect(a[3][1]).toBeLessThan(-0.2);
    });

    test("a copied hierarchy is cloth of the copied parts; a copy of the first mesh alone stands still, and says so", async () => {
        const made = makeCut();
        const { root, upper, lower, whole, frame } = made;
        whole.mesh.dispose();
        const cut = new ClothBehavior({ parts: [lower], maxDistance: 0.2 });
        upper.addBehavior(cut);
        await cut.whenReady();
        frame(undefined, 5);
        const copy = root.instantiateHierarchy(null, { doNotInstantiate: true })!;
        copy.position.x = 2;
        frame(undefined, 5);
        const [first, second] = copy.getChildMeshes() as Mesh[];
        const cloth = first.getBehaviorByName("Cloth") as ClothBehavior;
        expect(cloth.parts).toEqual([second]);
        expect(cloth.particleCount).toBe(cut.particleCount);
        expect(second.geometry!.id).toContain("#cloth");
        expect(told("warn")).toEqual([]);
        const lone = upper.clone("lone");
        lone.parent = null;
        frame(undefined, 2);
        expect(lone.getBehaviorByName("Cloth")).toBeNull();
        expect(told("warn").join()).toContain('a clone of "upper" stands still: its part "lower" was not copied');
    });

    test("loaded on demand: until then it is on no mesh; taken off meanwhile, it stays off", async () => {
        rareModule.set(null);
        const made = makeCut();
        const { upper, lower, frame } = made;
        const cut = new ClothBehavior({ parts: [lower], maxDistance: Array.from({ length: count }, () => 0.1) });
        upper.addBehavior(cut);
        expect(cut.attachedNode).toBeNull();
        frame();
        await cut.whenReady();
        expect(cut.attachedNode).toBe(upper);
        frame(undefined, 3);
        upper.removeBehavior(cut);
        rareModule.set(null);
        upper.addBehavior(cut);
        upper.removeBehavior(cut);
        await cut.whenReady();
        expect([cut.attachedNode, told("warn").filter((text) => text.startsWith("Cloth"))]).toEqual([null, []]);
    });

    test("files hold them, by name", async () => {
        const made = makeCut();
        const { upper, lower, whole, scene, frame } = made;
        whole.mesh.dispose();
        const cut = new ClothBehavior({ parts: [lower], maxDistance: Array.from({ length: count }, (_, v) => v / count) });
        upper.addBehavior(cut);
        await cut.whenReady();
        frame(undefined, 5);
        const data = JSON.parse(JSON.stringify(cut.serialize({ state: true }))) as ReturnType<typeof cut.serialize>;
        const before = cut.getParticlePositions();
        upper.removeBehavior(cut);
        const again = ClothBehavior.Parse(data, scene);
        expect(again.parts).toEqual([lower]);
        upper.addBehavior(again);
        await again.whenReady();
        expect(again.getParticlePositions()).toEqual(before);
        expect(ClothFiles.serialize(new ClothBehavior()).options!.parts).toBeUndefined();
    });

    test("what does not fit is told, and nothing is changed", () => {
        const { halves, scene } = makeHalves();
        const [first, second] = halves;
        const add = (parts: unknown): string => messageOf(() => first.addBehavior(new ClothBehavior({ parts: parts as Mesh[] })));
        expect(add(second)).toContain("ClothBehavior: parts must be an array");
        expect(add([1])).toBe("ClothBehavior: parts[0] must be a Mesh, got 1");
        expect(add([second, second])).toBe('ClothBehavior: mesh "half 1" must be given once as a part, got it twice');
        expect(add([first])).toBe('ClothBehavior: mesh "half 0" must be given once as a part, got it twice');
        second.position.y = 1;
        expect(add([second])).toContain('mesh "half 1" must have the world matrix of "half 0" (bake its transform), got');
        second.position.y = 0;
        const sleeve = makeSleeve(scene).mesh;
        expect(add([sleeve])).toContain('mesh "sleeve" must wear the skeleton of "half 0", got skeleton');
        const own = new ClothBehavior();
        second.addBehavior(own);
        expect(add([second])).toContain('mesh "half 1" must be no cloth of its own to be a part of "half 0", got one that is');
        second.removeBehavior(own);
        expect(first.behaviors).toEqual([]);
        const torn = new ClothTearing({ strain: 0.2 });
        first.addBehavior(new ClothBehavior({ parts: [second] }));
        expect(messageOf(() => first.addBehavior(torn))).toBe('ClothTearing: "half 0" must be cloth without parts to tear');
        const cloth = first.getBehaviorByName("Cloth") as ClothBehavior;
        expect(messageOf(() => ClothBaker.record(cloth, 1))).toContain("record(cloth) must be without parts, got");
    });
});
