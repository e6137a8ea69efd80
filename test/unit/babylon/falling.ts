// A square of cloth that falls, as the tests of colliders have it.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothBehavior } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { column, makeSquare, makeWorld } from "./harness";

/** How far cloth keeps off unless it is told otherwise [m]. */
export const THICKNESS = 0.01;

/** A square of cloth at a height, falling. */
export function dropSquare(height = 0.3, options: ClothOptions = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8);
    mesh.position.y = height;
    const cloth = new ClothBehavior({ wind: null, ...options });
    mesh.addBehavior(cloth);
    const heights = (): number[] => column(cloth.getParticlePositions(), 1);
    return { ...world, mesh, cloth, heights };
}

/** Distances of the particles from a point. */
export function distances(cloth: ClothBehavior, centre: Vector3): number[] {
    const x = cloth.getParticlePositions();
    return column(x, 0).map((_, i) => Vector3.Distance(new Vector3(x[3 * i], x[3 * i + 1], x[3 * i + 2]), centre));
}
