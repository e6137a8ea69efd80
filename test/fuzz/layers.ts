import type { Body, Fabric } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { Heap, twist } from "../physics/layers";
import { grid } from "../physics/meshes";
import type { Placement } from "../physics/meshes";
import { addCollider, makeCloth, pose } from "../physics/support";

const FABRIC: Partial<Fabric> = {
    thickness: 0.01,
    friction: 0.4,
    damping: 0.6,
    shearStiffness: 200,
    bendStiffness: 5e-5,
    arealDensity: 0.2,
};

/** A sheet of so many particles each way over the ground. */
function sheet(particles: number, place: Placement): Body {
    const cloth = makeCloth(grid(particles - 1, particles - 1, place), { fabric: FABRIC, sleepSpeed: 2e-3 });
    addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return cloth;
}

/** Ten sheets above each other, each turned by so much more. */
const pile = (turn: number): Body[] =>
    Array.from({ length: 10 }, (_, k) => {
        const [c, s] = [Math.cos(turn * k * k), Math.sin(turn * k * k)];
        return sheet(32, (u, v) => {
            const [x, z] = [u - 0.5, v - 0.5];
            return [x * c - z * s, 0.05 + 0.06 * k, x * s + z * c];
        });
    });

/** Cloths, how many frames are looked at, at most, and what is done to them before a frame, from 1. */
export interface LayerScene {
    readonly cloths: Body[];
    readonly frames: number;
    drive?(frame: number): void;
}

/** A towel of 10,000 particles whose ends turn against each other at π/4 rad/s each, until one has made eight turns against the other. */
function twisted(): LayerScene {
    const { cloth, carry } = twist([39, 249], [0.4, 2.5], { ...FABRIC, thickness: 0.002 });
    return { cloths: [cloth], frames: 1920, drive: (frame) => carry(Math.min((frame * Math.PI) / 240, 8 * Math.PI), 0) };
}

const lying = (cloths: Body[], frames: number): LayerScene => ({ cloths, frames });

/** Scenes in which layers come to lie on each other. */
export const layerScenes: Record<string, () => LayerScene> = {
    "twist, 40 x 250": twisted,
    "dropped fold, 64²": () => lying([sheet(64, (u, v) => [0.3 * Math.sin(1.5 * Math.PI * v), 0.75 * v + 0.1, u - 0.5])], 600),
    "pile of ten, 32²": () => lying(pile(0), 900),
    "pile of ten turned sheets, 32²": () => lying(pile(0.7), 900),
};

/** Edges that pass through triangles, and the largest speed [m/s], after each frame; until all sleep. */
export function countLayers(
    { cloths, frames, drive }: LayerScene,
    tier: SelfCollisionTier,
    most: number,
): { crossings: number[]; speeds: number[]; asleep: number } {
    const heap = new Heap(cloths, null, [], tier);
    const crossings: number[] = [];
    const speeds: number[] = [];
    let asleep = Infinity;
    for (let f = 0; f < Math.min(frames, most); f++) {
        drive?.(f + 1);
        heap.run(1);
        const sleep = cloths.every(({ isAsleep }) => isAsleep);
        // What sleeps stays as it is.
        if (sleep && asleep < f) break;
        if (sleep) asleep = f;
        crossings.push(heap.crossings);
        speeds.push(Math.max(...cloths.map(({ state, settings }) => state.motion / settings.fixedTimeStep)));
    }
    return { crossings, speeds, asleep };
}
