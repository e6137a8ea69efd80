import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import { checkScene } from "../support/validation";
import { makeCloth } from "./makeCloth";
import type { ClothMesh } from "./makeCloth";
import { checkOptions, CONTACT_SHARE, subdivisionsOf, FOLD_DENSITY, node, size } from "./options";
import type { ClothBuilderOptions } from "./options";
import { boxOf } from "./placement";
import { discSheet, gridSheet } from "./sheets";

/** Options of {@link ClothBuilder.CreateTablecloth}. */
export interface TableclothOptions extends ClothBuilderOptions {
    /** Side of a square cloth [m]. Default 1.5 times the table's longer side, 1.5 without a table. */
    size?: number;
    /** Radius of a round cloth, in place of `size` [m]. */
    radius?: number;
    /** The table: a mesh, or a node with meshes. The cloth starts on its top and collides with it. */
    table?: TransformNode;
}

/** Default side of the cloth over the table's longer side. */
const OVERHANG = 1.5;

export function createTablecloth(name: string, options: TableclothOptions, scene: Scene): ClothMesh {
    const owner = "ClothBuilder: CreateTablecloth";
    checkScene(owner, scene);
    checkOptions(owner, options, ["size", "radius", "table"]);
    const { radius } = options;
    if (radius !== undefined && options.size !== undefined) reject(owner, "radius", "left out where there is a size", radius);
    const table = node(owner, "table", options.table);
    const box = table && boxOf(table);
    const longest = box ? Math.max(box.high[0] - box.low[0], box.high[2] - box.low[2]) : 1;
    if (!(longest > 0 && longest < Infinity)) reject(owner, "table", "a node with meshes", table!.name);
    const side =
        radius === undefined ? size(owner, "size", options.size, OVERHANG * longest) : 2 * size(owner, "radius", radius, 1);
    const along = subdivisionsOf(owner, options, side, FOLD_DENSITY);
    const rings = Math.round(along / 2);
    const edge = radius === undefined ? side / along : side / (2 * rings);
    return makeCloth(
        {
            ...{ owner, name, options, edge, pins: [], colliderNodes: [table] },
            defaults: { fabric: "cotton", windDirection: [0, 0, 1] },
            sheet:
                radius === undefined
                    ? gridSheet(along, along, (u, v, x) => {
                          x[0] = (u - 0.5) * side;
                          x[2] = (v - 0.5) * side;
                      })
                    : discSheet(rings, radius),
            place(mesh) {
                if (!box) return;
                const { low, high } = box;
                // On the table, at the contact distance.
                mesh.position.set((low[0] + high[0]) / 2, high[1] + 2 * CONTACT_SHARE * edge, (low[2] + high[2]) / 2);
            },
        },
        scene,
    );
}
