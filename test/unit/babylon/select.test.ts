import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, describe, expect, test } from "@jest/globals";
import { pickVertices } from "../../../src/babylon/pins/select";
import type { Select, SelectContext } from "../../../src/babylon/pins/select";
import { ClothBehavior, select } from "../../../src/index";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

/** A grid of 4 × 3 vertices, 3 m along x and 2 m along z, row by row from (0, 0, 0); `lift` is its height. */
function grid(lift = 0): SelectContext {
    const positions: number[] = [];
    for (let z = 0; z < 3; z++) for (let x = 0; x < 4; x++) positions.push(x, lift * x, z);
    return { vertexCount: 12, positions: new Float32Array(positions), colors: null, mesh: null as never, scratch: Vector3.Zero() };
}

const chosen = (selection: Select, context = grid()): number[] => pickVertices("test", selection, context).sort((a, b) => a - b);

describe("edge", () => {
    test.each([
        ["-x", [0, 4, 8]],
        ["+x", [3, 7, 11]],
        ["-z", [0, 1, 2, 3]],
        ["+z", [8, 9, 10, 11]],
    ] as const)("%s", (side, expected) => {
        expect(chosen(select.edge(side))).toEqual(expected);
    });

    test("across a flat axis it is everything", () => {
        expect(chosen(select.edge("+y")).length).toBe(12);
        expect(chosen(select.edge("-y")).length).toBe(12);
    });

    test("takes what lies within a thousandth of the box", () => {
        const context = grid();
        context.positions[3 * 4] = 0.0029;
        context.positions[3 * 8] = 0.0031;
        expect(chosen(select.edge("-x"), context)).toEqual([0, 4]);
    });

    test.each(["x", "--x", "+w", "", " -x", "-X", 3, undefined, null])("wrong: %p", (side) => {
        expect(messageOf(() => select.edge(side as never))).toBe(
            `select: edge(side) must be "-x", "+x", "-y", "+y", "-z" or "+z", got ${typeof side === "string" ? JSON.stringify(side) : side}`,
        );
    });
});

describe("corners", () => {
    test.each([
        [["-x-z"], [0]],
        [["+x-z"], [3]],
        [["-x+z"], [8]],
        [["+x+z"], [11]],
        [["-z+x"], [3]],
        [
            ["-x-z", "+x+z"],
            [0, 11],
        ],
        [["-x-z", "-x-z"], [0]],
        [[], [0, 3, 8, 11]],
    ])("%p", (names, expected) => {
        expect(chosen(select.corners(...names))).toEqual(expected);
    });

    test("one side is its edge", () => {
        expect(chosen(select.corners("-x"))).toEqual([0, 4, 8]);
    });

    test("three sides", () => {
        expect(chosen(select.corners("+x+y+z"), grid(1))).toEqual([11]);
        expect(chosen(select.corners("-x-y"), grid(1))).toEqual([0, 4, 8]);
    });

    test("of a mesh without a vertex in the corner: the nearest", () => {
        const context = { ...grid(), vertexCount: 3, positions: Float32Array.of(0, 0, 0.2, 1, 0, 0, 0.5, 0, 1) };
        expect(chosen(select.corners("-x-z"), context)).toEqual([0]);
        expect(chosen(select.corners("+x+z"), context)).toEqual([2]);
    });

    test("vertices at one place come together", () => {
        const context = { ...grid(), vertexCount: 4, positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0) };
        expect(chosen(select.corners("-x-z"), context)).toEqual([0, 3]);
    });

    test.each(["x", "-x+", "-x-x", "-x+x", "-xz", "top", "", 1, null])("wrong: %p", (name) => {
        expect(messageOf(() => select.corners(name as string))).toBe(
            `select: corners(...names) must be sides like "-x+z", got ${typeof name === "string" ? JSON.stringify(name) : name}`,
        );
    });
});

describe("near", () => {
    test("a ball, its border included", () => {
        expect(chosen(select.near(new Vector3(1, 0, 1), 1))).toEqual([1, 4, 5, 6, 9]);
        expect(chosen(select.near(new Vector3(1, 0, 1), 0))).toEqual([5]);
        expect(chosen(select.near(new Vector3(1, 5, 1), 1))).toEqual([]);
    });

    test("remembers the point as it was", () => {
        const point = new Vector3(1, 0, 1);
        const selection = select.near(point, 0.1);
        point.x = 3;
        expect(chosen(selection)).toEqual([5]);
    });

    test("wrong", () => {
        expect(messageOf(() => select.near(new Vector3(NaN, 0, 0), 1))).toBe(
            "select: near(point).x must be a finite number, got NaN",
        );
        expect(messageOf(() => select.near(null as never, 1))).toBe("select: near(point) must be a Vector3, got null");
        expect(messageOf(() => select.near(Vector3.Zero(), -1))).toBe("select: near(radius) must be a finite number >= 0, got -1");
        expect(messageOf(() => select.near(Vector3.Zero(), undefined as never))).toBe(
            "select: near(radius) must be a finite number >= 0, got undefined",
        );
    });
});

describe("vertexColor", () => {
    const painted = (): SelectContext => {
        const colors = new Float32Array(48);
        colors[4 * 2] = 1;
        colors[4 * 3] = 0.5;
        colors[4 * 4 + 1] = 0.4;
        colors[4 * 5 + 3] = 1;
        return { ...grid(), colors };
    };

    test("a channel at or above the threshold", () => {
        expect(chosen(select.vertexColor("r"), painted())).toEqual([2, 3]);
        expect(chosen(select.vertexColor("r", 0.6), painted())).toEqual([2]);
        expect(chosen(select.vertexColor("g", 0.4 - 1e-6), painted())).toEqual([4]);
        expect(chosen(select.vertexColor("b"), painted())).toEqual([]);
        expect(chosen(select.vertexColor("a"), painted())).toEqual([5]);
    });

    test("a mesh without colours is told what it has, and is no cloth", () => {
        const mesh = makeSquare(makeWorld().scene, 1);
        const cloth = new ClothBehavior({ pins: [{ select: select.vertexColor("r") }] });
        expect(messageOf(() => mesh.addBehavior(cloth))).toBe(
            'select: vertexColor(channel) must be an attribute of "square" (position, normal, uv), got "color"',
        );
        expect(cloth.attachedNode).toBe(null);
    });

    test("as painted on a mesh, in three or four components", () => {
        for (const size of [3, 4]) {
            const { scene } = makeWorld();
            const mesh = makeSquare(scene, 1);
            mesh.setVerticesData(
                "color",
                Float32Array.from({ length: 4 * size }, (_, i) => (i === size ? 1 : 0)),
                false,
                size,
            );
            const cloth = new ClothBehavior({ pins: [{ select: select.vertexColor("r") }] });
            mesh.addBehavior(cloth);
            expect(cloth.pins[0].particleCount).toBe(1);
        }
    });

    test("wrong", () => {
        expect(messageOf(() => select.vertexColor("x" as never))).toBe(
            'select: vertexColor(channel) must be "r", "g", "b" or "a", got "x"',
        );
        expect(messageOf(() => select.vertexColor("r", NaN))).toBe(
            "select: vertexColor(threshold) must be a finite number, got NaN",
        );
    });
});

describe("indices, all, arrays and predicates", () => {
    test("as given", () => {
        expect(chosen(select.indices(3, 1))).toEqual([1, 3]);
        expect(chosen(select.all()).length).toBe(12);
        expect(chosen([2, 2, 4])).toEqual([2, 2, 4]);
        expect(chosen(Uint8Array.of(9))).toEqual([9]);
        expect(chosen((position, index) => position.x > 2 && index < 8)).toEqual([3, 7]);
        expect(chosen({ pick: ({ vertexCount }) => [vertexCount - 1] })).toEqual([11]);
    });

    test("the caller's array is not kept", () => {
        const indices = [1];
        const picked = pickVertices("test", indices, grid());
        indices.push(2);
        expect(picked).toEqual([1]);
    });
});
