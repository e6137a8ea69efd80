/** Solids that are added to a document for its cloth to meet: spheres, boxes and capsules, upright. */
import type { Piece } from "./kinds";

/** Shapes, each with the names of its sizes [m]. */
export const SHAPES = {
    Sphere: ["diameter"],
    Box: ["width", "height", "depth"],
    Capsule: ["diameter", "height"],
} as const satisfies Record<string, readonly string[]>;

export type Shape = keyof typeof SHAPES;

export interface Solid {
    readonly shape: Shape;
    /** Of its middle [m]. */
    readonly position: readonly [x: number, y: number, z: number];
    /** By the names of {@link SHAPES} [m], > 0. */
    readonly sizes: Readonly<Record<string, number>>;
}

/** Sizes that solids may have [m]. */
export const [SMALLEST, LARGEST] = [0.02, 5];

/** A solid of a size, in its middle. */
export function newSolid(shape: Shape, size: number, position: Solid["position"]): Solid {
    const sizes = Object.fromEntries(
        SHAPES[shape].map((name) => [name, name === "height" && shape === "Capsule" ? 2 * size : size]),
    );
    return { shape, position, sizes };
}

/** Solids as meshes beside the cloth, with names that code can have. */
export function piecesOf(solids: readonly Solid[]): Piece[] {
    return solids.map(({ shape, position, sizes }, i) => ({
        name: `${shape.toLowerCase()}${i + 1}`,
        shape,
        // No longer than wide, a capsule is a sphere.
        sizes:
            shape === "Capsule"
                ? { radius: sizes.diameter / 2, height: Math.max(sizes.height, sizes.diameter) }
                : Object.fromEntries(SHAPES[shape].map((size) => [size, sizes[size]])),
        position,
    }));
}
