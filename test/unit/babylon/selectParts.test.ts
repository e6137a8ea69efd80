// Selectors that look at parts, attributes and images of a mesh, and those that combine others.
import "@babylonjs/core/Materials/standardMaterial";
import { MultiMaterial } from "@babylonjs/core/Materials/multiMaterial";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { ClothBehavior, readMask, select } from "babylon-cloth";
import type { Select } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

/** Three by three vertices, half a metre apart, row by row from z 0.5 and x -0.5. */
const makeGrid = () => makeSquare(makeWorld().scene, 2);

/** The vertices that a pin holds on a mesh; each has its own particle. */
function held(selection: Select, mesh: Mesh = makeGrid()): number[] {
    const cloth = new ClothBehavior({ pins: [{ select: selection }] });
    mesh.addBehavior(cloth);
    const positions = cloth.getParticlePositions();
    const count = cloth.pins[0].particleCount;
    cloth.gravity = new Vector3(0, -10, 0);
    for (let i = 0; i < 20; i++) cloth.step(1 / 60);
    const after = cloth.getParticlePositions();
    const still = Array.from({ length: mesh.getTotalVertices() }, (_, v) => v).filter((v) => {
        const o = 3 * cloth.particleOfVertex(v);
        return positions[o + 1] === after[o + 1];
    });
    expect(still.length).toBe(count);
    return still;
}

test("box", () => {
    expect(held(select.box(new Vector3(-0.5, -1, 0), new Vector3(0, 1, 0.5)))).toEqual([0, 1, 3, 4]);
    expect(messageOf(() => select.box(new Vector3(0, 0, 0), new Vector3(1, -1, 1)))).toBe(
        "select: box(high) must be above low on every axis, got -1",
    );
});

test("and, or, not: of any selections", () => {
    const left = select.edge("-x");
    const front = select.edge("-z");
    expect(held(select.and(left, front))).toEqual([6]);
    expect(held(select.or(left, [1], (p) => p.x > 0.4 && p.z > 0.4))).toEqual([0, 1, 2, 3, 6]);
    expect(held(select.not(select.or(left, front)))).toEqual([1, 2, 4, 5]);
    expect(held(select.and(select.not(left), select.not(front), select.all()))).toEqual([1, 2, 4, 5]);
    expect(messageOf(() => select.and())).toBe('select: and(...selections) must be at least one selection, got "none"');
    expect(messageOf(() => select.not(3 as never))).toBe(
        "select: not: select must be vertex indices, a predicate, or a helper of select, got 3",
    );
});

describe("parts", () => {
    function makeParts(): Mesh {
        const mesh = makeGrid();
        const scene = mesh.getScene();
        const material = new MultiMaterial("both", scene);
        material.subMaterials = ["collar", "body"].map((name) => new StandardMaterial(name, scene));
        mesh.material = material;
        mesh.subMeshes = [];
        new SubMesh(0, 0, 9, 0, 6, mesh);
        new SubMesh(1, 0, 9, 6, 18, mesh);
        return mesh;
    }

    test("by number and by material", () => {
        const first = Array.from(new Set(makeParts().getIndices()!.slice(0, 6))).sort((a, b) => a - b);
        expect(held(select.submesh(0), makeParts())).toEqual(first);
        expect(held(select.material("collar"), makeParts())).toEqual(first);
        const plain = makeGrid();
        plain.material = new StandardMaterial("plain", plain.getScene());
        expect(held(select.and(select.material("plain"), [4]), plain)).toEqual([4]);
    });

    test("wrong", () => {
        const attach = (selection: Select) =>
            messageOf(() => makeParts().addBehavior(new ClothBehavior({ pins: [{ select: selection }] })));
        expect(attach(select.submesh(2))).toBe('select: submesh(index) must be an integer in 0..1 on "square", got 2');
        expect(attach(select.material("sleeve"))).toBe(
            'select: material(name) must be a material of "square" (collar, body), got "sleeve"',
        );
        expect(messageOf(() => select.submesh(-1))).toBe("select: submesh(index) must be an integer >= 0, got -1");
        expect(messageOf(() => select.material(1 as never))).toContain("must be a material's name, got 1");
    });
});

test("a vertex attribute of the user's", () => {
    const mesh = makeGrid();
    mesh.setVerticesData("weights", [0, 1, 0, 0, 0.6, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.5], false, 2);
    const pins = (selection: Select) => held(selection, mesh.clone("copy"));
    expect(pins(select.attribute("weights"))).toEqual([2]);
    expect(pins(select.attribute("weights", 0.5, 1))).toEqual([0, 8]);
    expect(pins(select.attribute("weights", 0.3))).toEqual([2, 6]);
    const message = messageOf(() => makeGrid().addBehavior(new ClothBehavior({ pins: [{ select: select.attribute("weights") }] })));
    expect(message).toBe('select: attribute(kind) must be an attribute of "square" (position, normal, uv), got "weights"');
    const wrong = (selection: Select) => messageOf(() => held(selection, mesh.clone("copy")));
    expect(wrong(select.attribute("weights", 0.5, 2))).toBe(
        'select: attribute(component) must be one of the 2 of "weights", the first being 0, got 2',
    );
    for (const few of [[1, 1, 1, 1], new Float32Array(4)]) {
        mesh.setVerticesData("few", few, false, 1);
        expect(wrong(select.attribute("few"))).toBe(
            'select: attribute(kind) must be values for each of the 9 vertices of "copy", got "16 bytes of few"',
        );
    }
    expect(messageOf(() => select.attribute("weights", NaN))).toContain("attribute(threshold) must be a finite number");
});

describe("mask", () => {
    /** Two by two pixels, red in one of them: by row from the first, and by column. */
    const image = (row: number, column: number) => {
        const data = new Uint8Array(16);
        data[4 * (2 * row + column)] = 255;
        return { data, width: 2, height: 2 };
    };

    test("an image from its upper left, over u and v", () => {
        // v is 1 at z 0.5, u is 0 at x -0.5; the middle belongs to the right and upper pixels.
        expect(held(select.mask(image(0, 0)))).toEqual([0, 3]);
        expect(held(select.mask(image(1, 0)))).toEqual([6]);
        expect(held(select.mask(image(0, 1), { threshold: 1 }))).toEqual([1, 2, 4, 5]);
        expect(held(select.mask({ ...image(0, 0), isBottomUp: true }))).toEqual([6]);
        const floats = { data: Float32Array.from(image(0, 0).data, (x) => x / 255), width: 2, height: 2 };
        expect(held(select.mask(floats))).toEqual([0, 3]);
    });

    test("a texture is read when it is ready", async () => {
        const { scene } = makeWorld();
        const texture = RawTexture.CreateRGBATexture(image(0, 0).data, 2, 2, scene);
        texture.readPixels = () => Promise.resolve(image(0, 0).data);
        texture.isReady = () => true;
        expect(await readMask(texture)).toEqual({ ...image(0, 0), isBottomUp: true });
        texture.isReady = () => false;
        texture.name = "late";
        await expect(readMask(texture)).rejects.toThrow(
            'readMask: texture must be loaded (wait for its onLoadObservable), got "late"',
        );
        await expect(readMask(null as never)).rejects.toThrow("readMask: texture must be a texture, got null");
    });

    test("wrong", () => {
        expect(messageOf(() => select.mask({ data: [], width: 2, height: 2 }))).toBe(
            "select: mask(image).data must be 16 numbers, got 0",
        );
        expect(messageOf(() => select.mask(image(0, 0), { channel: "x" as never }))).toContain("mask(channel) must be");
        const bare = makeGrid();
        bare.removeVerticesData("uv");
        expect(messageOf(() => bare.addBehavior(new ClothBehavior({ pins: [{ select: select.mask(image(0, 0)) }] })))).toBe(
            'select: mask(kind) must be an attribute of "square" (position, normal), got "uv"',
        );
    });
});
