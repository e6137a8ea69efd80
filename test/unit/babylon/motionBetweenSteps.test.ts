// What carriers do between two fixed steps: at no frame time is the drawn cloth stretched by more than at 60 Hz.
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBehavior, select } from "babylon-cloth";
import type { ClothOptions } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { seededRandom } from "../../random";
import { disposeWorlds, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A cape of 0.6 m by 1 m that hangs from its edge +z, moved by `move`. @returns largest stretch that is seen, told by positions, told by stats */
function stretchOf(
    move: (time: number, nodes: TransformNode[]) => void,
    frameTimes: (frame: number) => number,
    options: ClothOptions = {},
    areCorners = false,
): [drawn: number, positions: number, told: number] {
    const { scene, frame } = makeWorld();
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.6, height: 1, subdivisions: 16 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    mesh.position.y = 1;
    const nodes = [0, 1].map((i) => {
        const node = new TransformNode(`carrier${i}`, scene);
        node.position.set(areCorners ? 0.6 * i - 0.3 : 0, 1.5, areCorners ? 0 : 0.15);
        node.rotationQuaternion = Quaternion.Identity();
        return node;
    });
    const pins = areCorners
        ? [
              { select: select.corners("-x+z"), target: nodes[0] },
              { select: select.corners("+x+z"), target: nodes[1] },
          ]
        : [{ select: select.edge("+z"), target: nodes[0] }];
    const cloth = new ClothBehavior({ pins, ...options });
    mesh.addBehavior(cloth);
    const rest = worldVertices(mesh);
    // Along warp and weft: diagonals are sheared.
    const edges = edgesOf(mesh.getIndices()!).filter((edge) => lengthsOf(rest, [edge])[0] < 0.07);
    const lengths = lengthsOf(rest, edges);
    const particles = Uint32Array.from({ length: mesh.getTotalVertices() }, (_, v) => cloth.particleOfVertex(v));
    const worst: [number, number, number] = [0, 0, 0];
    let time = 0;
    for (let f = 0; time < 3; f++) {
        const seconds = frameTimes(f);
        time += seconds;
        move(time, nodes);
        frame(1000 * seconds);
        if (time < 0.5) continue;
        const positions = cloth.getParticlePositions();
        const places = Float64Array.from(
            { length: 3 * particles.length },
            (_, i) => positions[3 * particles[(i / 3) | 0] + (i % 3)],
        );
        [worldVertices(mesh), places].forEach((points, i) => {
            lengthsOf(points, edges).forEach((length, e) => (worst[i] = Math.max(worst[i], length / lengths[e] - 1)));
        });
        worst[2] = Math.max(worst[2], cloth.stats.maxStretch);
    }
    return worst;
}

/** Pairs of vertices of a mesh's edges. */
function edgesOf(indices: ArrayLike<number>): [number, number][] {
    return Array.from(indices, (a, i): [number, number] => [a, indices[i % 3 === 2 ? i - 2 : i + 1]]);
}

function lengthsOf(x: ArrayLike<number>, edges: readonly [number, number][]): number[] {
    return edges.map(([a, b]) => Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]));
}

/** Eases in over half a second, so that nothing starts with a jerk. */
const eased = (time: number): number => (time < 0.5 ? time * time : time - 0.25);
const turn =
    (axis: Vector3, speed: number) =>
    (time: number, [node]: TransformNode[]) =>
        void Quaternion.RotationAxisToRef(axis, speed * eased(time), node.rotationQuaternion!);
const swing =
    (axis: Vector3, angle: number) =>
    (time: number, [node]: TransformNode[]) =>
        void Quaternion.RotationAxisToRef(
            axis,
            Math.min(1, 2 * time) * angle * Math.sin(2 * Math.PI * time),
            node.rotationQuaternion!,
        );

const MOTIONS: [string, (time: number, nodes: TransformNode[]) => void, ClothOptions?, boolean?][] = [
    ["turns 5 rad/s", turn(Vector3.Up(), 5)],
    ["turns 10 rad/s", turn(Vector3.Up(), 10)],
    ["turns 2 rad/s", turn(Vector3.Up(), 2)],
    ["rolls", swing(new Vector3(0, 0, 1), 0.5)],
    ["pitches", swing(new Vector3(1, 0, 0), 0.5)],
    ["yaws", swing(Vector3.Up(), 0.5)],
    [
        "corners apart and back",
        (time, [a, b]) => {
            const way = 0.15 * (1 - Math.abs(((8 * time) % 2) - 1));
            a.position.x = -0.15 - way;
            b.position.x = 0.15 + way;
        },
        {},
        true,
    ],
    ["a step of 1/30 s", turn(Vector3.Up(), 5), { fixedTimeStep: 1 / 30 }],
];

test.each(MOTIONS)("%s", (_, move, options = {}, areCorners = false) => {
    const even = stretchOf(move, () => 1 / (options.fixedTimeStep ? 30 : 60), options, areCorners);
    for (const rate of [59.94, 60, 72, 90, 120, 144, 0, -1]) {
        const random = seededRandom(3 - rate);
        const jitter = Array.from({ length: 999 }, () => (0.3 + 1.4 * random()) / 90);
        const stretch = stretchOf(move, (f) => (rate > 0 ? 1 / rate : jitter[f]), options, areCorners);
        // At uneven frames a cape that rolls whips by itself now and then: its positions are stretched as far as what is drawn.
        const most = rate > 0 ? 0.01 : 0.03;
        stretch.forEach((s, i) => expect(s).toBeLessThan(even[i] + most));
    }
});
