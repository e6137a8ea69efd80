import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { integer, reject } from "../../engine/index";
import { checkScene } from "../support/validation";
import { makeNode } from "./babylonObjects";
import { CurtainController } from "./curtainController";
import { within } from "./hangingCloths";
import { makeCloth } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import { cellsOf, checkOptions, subdivisionsOf, FOLD_DENSITY, node, size } from "./options";
import type { ClothBuilderOptions } from "./options";
import { boxOf, parentInPlace } from "./placement";
import { Pleats } from "./pleats";
import { gridSheet, gridVertex } from "./sheets";

/** Options of {@link ClothBuilder.CreateCurtain}. */
export interface CurtainOptions extends ClothBuilderOptions {
    /** Along the rail, closed [m]. Default 1.5, or the rail's length. */
    width?: number;
    /** From the rail down [m]. Default 2.4. */
    height?: number;
    /** Number of pleats, an integer from 1 to 60. Default 8. */
    pleats?: number;
    /** Width of the cloth, spread out, over that of the curtain, 1.1 to 3. Default 2. */
    fullness?: number;
    /** Initial opening, 0 to 1; see {@link CurtainMesh.open}. Default 0. */
    open?: number;
    /** To which side it opens, as seen along its z axis. Default `"left"`. */
    side?: "left" | "right";
    /** Height of the tie-back band above the hem, as a share of the curtain's height, 0.1 to 0.9; see {@link CurtainMesh.tied}. Default 0.4. */
    tieBack?: number;
    /** A rail along x or z; the curtain becomes its child, below its middle. */
    rail?: TransformNode;
}

/** A curtain: the mesh, its rings and its band. */
export interface CurtainMesh extends ClothMesh {
    /**
     * Opening, 0 to 1. It moves the last ring; the others slide on the rail, pushed and pulled by their neighbours. Set it to any value at any time, or animate it:
     * the ring follows at a speed that the cloth can follow (1.8 m wide and 2.4 m high: 1.1 s from side to side), in simulated time. Values are clamped to 0..1.
     */
    open: number;
    /** Gathering by the tie-back band, 0 (free) to 1. It follows as {@link open} does, but lets go at once at 0. Values are clamped to 0..1. */
    tied: number;
    /** The rings, from the side to which it opens: to hang something on, or to draw. Children of the mesh. */
    readonly rings: readonly TransformNode[];
}

export function createCurtain(name: string, options: CurtainOptions, scene: Scene): CurtainMesh {
    const owner = "ClothBuilder: CreateCurtain";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "pleats", "fullness", "open", "side", "tieBack", "rail"]);
    const rail = node(owner, "rail", options.rail);
    const railBox = rail && boxOf(rail);
    const railSize = railBox ? [0, 1, 2].map((axis) => railBox.high[axis] - railBox.low[axis]) : [1.5, 0, 0];
    const width = size(owner, "width", options.width, Math.max(railSize[0], railSize[2]) || 1.5);
    const height = size(owner, "height", options.height, 2.4);
    const count = integer(owner, "pleats", 1, options.pleats ?? 8, 60);
    const fullness = within(owner, "fullness", options.fullness ?? 2, 1.1, 3);
    const open = within(owner, "open", options.open ?? 0, 0, 1);
    const tieBack = within(owner, "tieBack", options.tieBack ?? 0.4, 0.1, 0.9);
    const { side = "left" } = options;
    if (side !== "left" && side !== "right") reject(owner, "side", '"left" or "right"', side);

    const pleats = new Pleats(width, count, fullness);
    const length = fullness * width;
    const along = subdivisionsOf(owner, options, Math.max(length, height), FOLD_DENSITY);
    const perHook = Math.max(3, Math.round(cellsOf(length, height, along)[0] / (2 * count)));
    const columns = 2 * count * perHook;
    const rows = Math.max(4, Math.round((columns * height) / length));
    // From the side to which it opens; the other way about, columns run the other way.
    const sign = side === "left" ? 1 : -1;
    const columnOf = (hook: number): number => (side === "left" ? hook * perHook : columns - hook * perHook);
    const header = pleats.points(open, perHook);
    const curtain = makeCloth(
        {
            ...{ owner, name, options, colliderNodes: [] },
            edge: Math.max(length / columns, height / rows),
            fabric: "cotton",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                const i = Math.round(side === "left" ? u * columns : (1 - u) * columns);
                x[0] = sign * (header[2 * i] - width / 2);
                x[1] = (v - 1) * height;
                x[2] = header[2 * i + 1];
            }),
            pins: [],
            place: (mesh) => rail && hangBelow(mesh, rail, railSize, 0.015 * height),
        },
        scene,
    );
    const hooks = Array.from({ length: pleats.hookCount }, (_, hook) => hook);
    const bandRow = Math.round(rows * (1 - tieBack));
    const bandVertices = hooks.map((hook) => gridVertex(columns, columnOf(hook), bandRow));
    const controller = new CurtainController(curtain, curtain.cloth, {
        ...{ width, height, pleats: count, fullness, side, bandVertices },
        ringVertices: hooks.map((hook) => gridVertex(columns, columnOf(hook), 0)),
        bandDrop: -curtain.getVerticesData("position")![3 * bandVertices[0] + 1],
        isOnRail: options.pins === undefined,
        open: { start: open, value: open, velocity: 0, goal: open },
        tied: { start: 0, value: 0, velocity: 0, goal: 0 },
        rings: hooks.map((hook) => makeNode(`${name} ring ${hook}`, curtain, 0, 0, 0)),
        band: [],
    });
    controller.pinToRail();
    return curtain as CurtainMesh;
}

/** Places a mesh below a rail and makes it the rail's child. */
function hangBelow(mesh: Mesh, rail: TransformNode, railSize: readonly number[], gap: number): void {
    const { low, high } = boxOf(rail);
    mesh.position.set((low[0] + high[0]) / 2, low[1] - gap, (low[2] + high[2]) / 2);
    if (railSize[2] > railSize[0]) mesh.rotation.y = Math.PI / 2;
    parentInPlace(mesh, rail);
}
