/** Layers of a ClothViewer that bone chains have. */
import { JointFrame, JointRate } from "../../engine/index";
import type { BoneRig, WorldCollider } from "../../engine/index";
import type { Colour, Drawing } from "./drawing";
import { drawWireframe } from "./layers";
import type { ClothViewerLayer } from "./layers";

/** Chains as they are drawn. */
export interface ChainView {
    readonly rig: BoneRig;
    /** Shapes that they meet. */
    readonly colliders: readonly WorldCollider[];
}

/** Draws a part of chains. @param origin of the drawing [m] */
type ChainLayer = (view: ChainView, drawing: Drawing, origin: ArrayLike<number>) => void;

const BONE: Colour = [0.85, 0.9, 0.8];
const LINK: Colour = [0.45, 0.6, 0.45];
const TAIL: Colour = [1, 1, 1];
const RADIUS: Colour = [0.55, 0.75, 1];
const COLLIDER: Colour = [1, 0.55, 0.1];

/** The layers: bones and links, tails, their radii, and colliders. */
export const chainLayers: Partial<Record<ClothViewerLayer, ChainLayer>> = {
    colliders: ({ colliders }, drawing, origin) => {
        for (const world of colliders) if (world.revision > 0) drawWireframe(world, drawing, origin, COLLIDER);
    },
    thickness: ({ rig }, drawing, origin) => {
        const tails = tailsOf(rig, origin);
        for (let j = 0; j < rig.jointCount; j++) {
            const radius = rig.rates[j * JointRate.count + JointRate.radius];
            if (isBone(rig, j) && radius > 0) drawing.cross(tails, j, radius, RADIUS);
        }
    },
    shear: ({ rig }, drawing, origin) => {
        const tails = tailsOf(rig, origin);
        for (let k = 0; k < rig.linkCount; k++) drawing.join(tails, rig.links[2 * k], rig.links[2 * k + 1], LINK);
    },
    structural: ({ rig }, drawing, origin) => {
        const tails = tailsOf(rig, origin);
        for (let j = 0; j < rig.jointCount; j++) {
            if (!isBone(rig, j)) continue;
            const o = j * JointFrame.count + JointFrame.head;
            drawing.add(rig.frames[o] - origin[0], rig.frames[o + 1] - origin[1], rig.frames[o + 2] - origin[2], BONE);
            drawing.add(tails[3 * j], tails[3 * j + 1], tails[3 * j + 2], BONE);
        }
    },
    particles: ({ rig }, drawing, origin) => {
        const tails = tailsOf(rig, origin);
        for (let j = 0; j < rig.jointCount; j++)
            if (isBone(rig, j)) drawing.add(tails[3 * j], tails[3 * j + 1], tails[3 * j + 2], TAIL);
    },
};

/** True if a joint has a tail. */
function isBone({ frames }: BoneRig, j: number): boolean {
    return frames[j * JointFrame.count + JointFrame.length] > 0;
}

function tailsOf({ frames, jointCount }: BoneRig, origin: ArrayLike<number>): Float64Array {
    const tails = new Float64Array(3 * jointCount);
    for (let k = 0; k < tails.length; k++)
        tails[k] = frames[Math.floor(k / 3) * JointFrame.count + JointFrame.tail + (k % 3)] - origin[k % 3];
    return tails;
}
