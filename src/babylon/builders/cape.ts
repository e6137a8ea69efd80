import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import { carrierOf } from "../support/carriers";
import type { MeshCarrier } from "../support/carriers";
import { checkScene } from "../support/validation";
import { within } from "./hangingCloths";
import { makeCloth, meshesUnder } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import { cellsOf, checkOptions, subdivisionsOf, node, size } from "./options";
import type { ClothBuilderOptions } from "./options";
import { gridSheet, gridVertex } from "./sheets";
import { depthsBehind, wearerBoxes } from "./wearer";
import type { Placement } from "./wearer";

/** Options of {@link ClothBuilder.CreateCape}. */
export interface CapeOptions extends ClothBuilderOptions {
    /** Across the shoulders [m]. Default the distance of the shoulders, 0.4 without. */
    width?: number;
    /** From the shoulders down [m]. Default 3 times the width. */
    height?: number;
    /** Width of the hem as a share of that at the shoulders, 1 to 5. Default 2. */
    flare?: number;
    /** Nodes or bones that the left and right half of the neckline follow, as seen by the wearer. Default: the mesh itself. */
    shoulders?: readonly [left: TransformNode | Bone, right: TransformNode | Bone];
    /** The wearer; requires {@link shoulders}. A mesh, skinned or not, or a node with meshes. The cape starts behind its current pose, and collides with it. */
    wearer?: TransformNode;
}

export function createCape(name: string, options: CapeOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateCape";
    checkScene(owner, scene);
    checkOptions(owner, options, ["width", "height", "flare", "shoulders", "wearer"]);
    const { shoulders } = options;
    if (shoulders !== undefined && (!Array.isArray(shoulders) || shoulders.length !== 2)) {
        reject(owner, "shoulders", "two nodes or bones, left and right", shoulders);
    }
    const wearer = node(owner, "wearer", options.wearer);
    if (wearer && !shoulders) reject(owner, "wearer", "left out where there are no shoulders", wearer.name);
    const [left, right] = shoulders?.map((shoulder, i) => shoulderPosition(owner, `shoulders[${i}]`, shoulder)) ?? [];
    const apart = left ? Math.hypot(right[0] - left[0], right[1] - left[1], right[2] - left[2]) : 0.4;
    if (!(apart > 0)) reject(owner, "shoulders", "two places", "one");
    const width = size(owner, "width", options.width, apart);
    const height = size(owner, "height", options.height, 3 * width);
    const flare = within(owner, "flare", options.flare ?? 2, 1, 5);
    // Half a cone: around the back from shoulder to shoulder.
    const top = width / 2;
    const hem = top * flare;
    const drop = height > hem - top ? Math.sqrt(height * height - (hem - top) ** 2) : 0;
    if (drop === 0) reject(owner, "flare", `less than ${1 + (2 * height) / width} for this height`, flare);
    const [columns, rows] = cellsOf(Math.PI * (top + hem) * 0.5, height, subdivisionsOf(owner, options, height));
    const back = scene.useRightHandedSystem ? 1 : -1;
    const half = (isLeft: boolean): number[] => {
        const all = Array.from({ length: columns + 1 }, (_, column) => gridVertex(columns, column, 0));
        return all.filter((_, column) => column < columns / 2 === isLeft);
    };
    const edge = height / rows;
    const placement = left ? placementBetween(left, right) : null;
    /** x, y and depth of the vertices, by row. */
    const points = Array.from({ length: rows + 1 }, (_, row) => {
        const radius = top + (row / rows) * (hem - top);
        return Array.from({ length: columns + 1 }, (_, column) => {
            const angle = (Math.PI * column) / columns;
            return [-radius * Math.cos(angle), (-row / rows) * drop, 0.5 * radius * Math.sin(angle)];
        });
    });
    const boxes = wearer && placement ? wearerBoxes(meshesUnder(wearer), placement, back) : [];
    const depths = depthsBehind(boxes, points, edge);
    return makeCloth(
        {
            ...{ owner, name, options, edge, colliderNodes: [wearer] },
            fabric: "wool",
            sheet: gridSheet(columns, rows, (u, v, x) => {
                const [row, column] = [Math.round((1 - v) * rows), Math.round(u * columns)];
                [x[0], x[1]] = points[row][column];
                x[2] = back * depths[row][column];
            }),
            pins: [
                { select: half(true), target: shoulders?.[0] },
                { select: half(false), target: shoulders?.[1] },
            ],
            place(mesh) {
                if (!placement) return;
                mesh.position.fromArray(placement.at);
                mesh.rotation.y = placement.turn;
            },
        },
        scene,
    );
}

/** World position of a node or bone [m]. @throws RangeError if it is neither */
function shoulderPosition(owner: string, option: string, shoulder: TransformNode | Bone): number[] {
    const carrier = typeof shoulder === "object" && shoulder !== null ? carrierOf(shoulder) : null;
    if (!carrier) return reject(owner, option, "a TransformNode or Bone", shoulder);
    if (carrier.isDisposed()) reject(owner, option, "a node that is not disposed", shoulder.name);
    const own: MeshCarrier = { ...carrier, mesh: shoulder as TransformNode, skeleton: null, revision: 0 };
    return Array.from(carrier.world(own)).slice(12, 15);
}

/** Midway between two shoulders, the x axis from the left one to the right one. */
function placementBetween(left: number[], right: number[]): Placement {
    return { at: left.map((x, c) => (x + right[c]) / 2), turn: Math.atan2(left[2] - right[2], right[0] - left[0]) };
}
