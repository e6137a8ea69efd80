import type { BoneLinks } from "./boneChainOptions";
import type { FoundJoint } from "./chainJoints";

/** Two joints whose tails are tied. */
export interface ChainLink {
    readonly a: number;
    readonly b: number;
    /** Distance at rest [m]. */
    readonly length: number;
    readonly depth: number;
}

/** Links between neighbouring chains at equal depth, shallow ones first. @param tails places of the joints' tails at rest [m] */
export function chainLinks(joints: readonly FoundJoint[], links: BoneLinks, tails: readonly Float64Array[]): ChainLink[] {
    if (links === "none") return [];
    const chainCount = 1 + Math.max(...joints.map(({ chainIndex }) => chainIndex));
    const found: ChainLink[] = [];
    joints.forEach(({ chainIndex, depth, isPassive }, a) => {
        // Two chains in a loop are one pair.
        const isLast = chainIndex === chainCount - 1;
        if (isPassive || (isLast && (links === "line" || chainCount < 3))) return;
        const next = (chainIndex + 1) % chainCount;
        const b = joints.findIndex((other) => other.chainIndex === next && other.depth === depth && !other.isPassive);
        if (b >= 0) found.push({ a, b, depth, length: Math.hypot(...tails[a].map((x, c) => x - tails[b][c])) });
    });
    return found.sort((p, q) => p.depth - q.depth);
}

/** Ranges of joints and links that are solved together: all joints, or of linked chains those of each depth. */
export function chainLevels(joints: readonly FoundJoint[], links: readonly ChainLink[]): [number, number, number, number][] {
    if (links.length === 0) return [[0, joints.length, 0, 0]];
    const levels: [number, number, number, number][] = [];
    let joint = 0;
    let link = 0;
    while (joint < joints.length) {
        const { depth } = joints[joint];
        const [firstJoint, firstLink] = [joint, link];
        while (joint < joints.length && joints[joint].depth === depth) joint++;
        while (link < links.length && links[link].depth === depth) link++;
        levels.push([firstJoint, joint, firstLink, link]);
    }
    return levels;
}
