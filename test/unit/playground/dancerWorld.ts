/** The gallery's dancer in a long coat, and the edges of her legs that cut it. */
import type { FloatArray } from "@babylonjs/core/types";
import * as BABYLON from "../../../playground/babylon";
import { makeDancer } from "../../../playground/parts/makeDancer";
import type { Dancer } from "../../../playground/parts/makeDancer";
import { tailor } from "../../../playground/parts/tailor";
import type { Cut } from "../../../playground/parts/tailor";
import { ClothBehavior, Colliders, Fabrics } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { makeWorld } from "../babylon/harness";

/** A coat of 2,721 particles. */
export const LONG_COAT: Cut = {
    ...{ name: "coat", top: 1.3, hem: 0.3, columns: 54, rows: 49, gap: 0.012, flare: 0.2, waist: 1.02, loose: 0.8 },
    hips: 0.7,
};

/** Edges of the legs below the crease of the hips, shape [edgeCount, 2]. */
function legEdges({ body }: Dancer): Uint32Array {
    const x = body.getVerticesData("position")!;
    const corners = body.getIndices()!;
    const isLeg = (v: number): boolean => x[3 * v + 1] < 0.7 && Math.abs(x[3 * v]) < 0.3;
    const edges: number[] = [];
    for (let i = 0; i < corners.length; i++) {
        const [a, b] = [corners[i], corners[i % 3 === 2 ? i - 2 : i + 1]];
        // Each edge is of two triangles, in either direction.
        if (a < b && isLeg(a) && isLeg(b)) edges.push(a, b);
    }
    return Uint32Array.from(edges);
}

type V = readonly [number, number, number];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const volume = (a: V, b: V, c: V): number =>
    a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);

function isCut(p: V, q: V, corners: readonly V[]): boolean {
    const [a, b, c] = corners.map((corner) => minus(corner, p));
    const way = minus(q, p);
    const [d, e, f] = corners.map((corner) => minus(corner, q));
    if (volume(a, b, c) * volume(d, e, f) >= 0) return false;
    const signs = [volume(way, a, b), volume(way, b, c), volume(way, c, a)].map(Math.sign);
    return signs[0] === signs[1] && signs[1] === signs[2];
}

/** Size of the cells in which triangles are looked up [m]. */
const CELL = 0.05;

/** Number of edges of one mesh that cut triangles of another. */
export function countCuts(x: FloatArray, edges: Uint32Array, cloth: FloatArray, triangles: ArrayLike<number>): number {
    const at = (points: FloatArray, v: number): V => [points[3 * v], points[3 * v + 1], points[3 * v + 2]];
    const cells = (points: readonly V[], visit: (cell: string) => void): void => {
        const [low, high] = [Math.min, Math.max].map((f) => [0, 1, 2].map((c) => Math.floor(f(...points.map((p) => p[c])) / CELL)));
        for (let i = low[0]; i <= high[0]; i++)
            for (let j = low[1]; j <= high[1]; j++) for (let k = low[2]; k <= high[2]; k++) visit(`${i},${j},${k}`);
    };
    const found = new Map<string, V[][]>();
    for (let t = 0; t < triangles.length; t += 3) {
        const corners = [0, 1, 2].map((k) => at(cloth, triangles[t + k]));
        cells(corners, (cell) => {
            const list = found.get(cell);
            if (list) list.push(corners);
            else found.set(cell, [corners]);
        });
    }
    let count = 0;
    for (let e = 0; e < edges.length; e += 2) {
        const [p, q] = [at(x, edges[e]), at(x, edges[e + 1])];
        let cuts = false;
        cells([p, q], (cell) => (cuts ||= found.get(cell)?.some((corners) => isCut(p, q, corners)) ?? false));
        if (cuts) count++;
    }
    return count;
}

/** Capsules of the legs: shins and feet as fitted, with room for the calves, and thighs without the crease. */
function legColliders({ body, joints }: Dancer, scene: BABYLON.Scene): NonNullable<ClothOptions["colliders"]> {
    const shins = Colliders.fromSkeleton(body, { percentile: 0.98 }).filter(({ name }) => /tLeg|Foot/.test(name));
    const thighs = [joints.LeftUpLeg, joints.RightUpLeg].map((joint) => {
        const source = BABYLON.MeshBuilder.CreateCylinder("thigh", { diameter: 0.156, height: 0.446 }, scene);
        source.parent = joint;
        source.position.y = -0.265;
        return { source, shape: "capsule" as const, margin: 0.004 };
    });
    return [...shins.map((source) => ({ source, margin: 0.014 })), ...thighs];
}

/** A dancer and her coat: cloth, or carried by the skeleton alone. */
export function wearCoat(cut: Partial<Cut>, held: { isCloth: boolean; hasColliders: boolean }) {
    const world = makeWorld();
    const dancer = makeDancer(world.scene);
    const { mesh, maxDistance, backstop } = tailor(dancer, world.scene, { ...LONG_COAT, ...cut });
    const cloth = held.isCloth
        ? new ClothBehavior({
              fabric: Fabrics.wool,
              maxDistance,
              backstop,
              colliders: held.hasColliders ? legColliders(dancer, world.scene) : [],
          })
        : null;
    if (cloth) mesh.addBehavior(cloth);
    const edges = legEdges(dancer);
    const triangles = Array.from(mesh.getIndices()!);
    return {
        ...{ world, dancer, cloth, mesh },
        /** Goes on by a frame [s]. */
        frame(seconds: number): void {
            dancer.advance(seconds);
            world.frame(1000 * seconds);
        },
        cuts(): number {
            dancer.skeleton.prepare(true);
            const coat = cloth ? mesh.getVerticesData("position")! : mesh.getPositionData(true, true)!;
            return countCuts(dancer.body.getPositionData(true, true)!, edges, coat, triangles);
        },
    };
}
