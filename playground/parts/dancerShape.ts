/**
 * The dancer's body as a signed distance: round cones and ellipsoids that blend into each other, each of one bone, and a surface about them.
 * It stands with its arms lowered by 40°, 1.72 m high, faces -z and has its left at +x.
 */

type Point = readonly [x: number, y: number, z: number];

/** Bones: name, parent, and place in the bind pose [m], in which no bone is turned. Those of the right mirror those of the left. */
const LEFT_BONES: readonly (readonly [name: string, parent: string, at: Point])[] = [
    ["LeftShoulder", "Spine2", [0.03, 1.375, 0.01]],
    ["LeftArm", "LeftShoulder", [0.165, 1.375, 0.01]],
    ["LeftForeArm", "LeftArm", [0.339, 1.168, 0.01]],
    ["LeftHand", "LeftForeArm", [0.496, 0.98, 0]],
    ["LeftUpLeg", "Hips", [0.088, 0.89, 0]],
    ["LeftLeg", "LeftUpLeg", [0.092, 0.48, -0.004]],
    ["LeftFoot", "LeftLeg", [0.092, 0.08, 0.02]],
    ["LeftToeBase", "LeftFoot", [0.096, 0.024, -0.1]],
];
const mirrored = (name: string) => name.replace("Left", "Right");
export const dancerBones: readonly (readonly [name: string, parent: string | null, at: Point])[] = [
    ["Hips", null, [0, 0.94, 0]],
    ["Spine", "Hips", [0, 1.04, 0]],
    ["Spine1", "Spine", [0, 1.14, 0]],
    ["Spine2", "Spine1", [0, 1.25, 0.005]],
    ["Neck", "Spine2", [0, 1.43, 0.012]],
    ["Head", "Neck", [0, 1.52, 0]],
    ...LEFT_BONES,
    ...LEFT_BONES.map(([name, parent, [x, y, z]]) => [mirrored(name), mirrored(parent), [-x, y, z]] as const),
];

/** Parts of the body that blend softly; they meet each other with a narrower seam. */
const enum Part {
    trunk,
    leftArm,
    rightArm,
    leftLeg,
    rightLeg,
}

/** A round cone from a to b with radii, or an ellipsoid about a with half axes `b`. */
interface Solid {
    readonly bone: number;
    readonly part: Part;
    readonly a: Point;
    readonly b: Point;
    /** Radii at a and b; an ellipsoid has none. */
    readonly radii: readonly [number, number] | null;
}

const boneNumber = (name: string) => dancerBones.findIndex(([own]) => own === name);

function onBothSides(bone: string, part: Part, a: Point, b: Point, radii: Solid["radii"]): Solid[] {
    const mirror = ([x, y, z]: Point): Point => [-x, y, z];
    return [
        { bone: boneNumber(bone), part, a, b, radii },
        {
            bone: boneNumber(mirrored(bone)),
            part: part === Part.trunk ? part : part + 1,
            a: mirror(a),
            b: radii ? mirror(b) : b,
            radii,
        },
    ];
}
const inTrunk = (bone: string, a: Point, b: Point, radii: Solid["radii"] = null): Solid => ({
    ...{ bone: boneNumber(bone), part: Part.trunk, a, b, radii },
});

const BODY: readonly Solid[] = [
    inTrunk("Hips", [0, 0.915, 0.002], [0.158, 0.1, 0.1]),
    inTrunk("Spine", [0, 1.05, 0], [0.114, 0.12, 0.084]),
    inTrunk("Spine1", [0, 1.17, 0], [0.126, 0.13, 0.093]),
    inTrunk("Spine2", [0, 1.28, 0.004], [0.138, 0.12, 0.096]),
    inTrunk("Spine2", [-0.12, 1.365, 0.012], [0.12, 1.365, 0.012], [0.046, 0.046]),
    inTrunk("Neck", [0, 1.38, 0.016], [0, 1.53, 0], [0.052, 0.043]),
    inTrunk("Head", [0, 1.615, 0.002], [0.07, 0.098, 0.087]),
    inTrunk("Head", [0, 1.553, -0.028], [0.046, 0.05, 0.052]),
    inTrunk("Head", [0, 1.618, -0.084], [0, 1.59, -0.097], [0.007, 0.011]),
    ...onBothSides("LeftUpLeg", Part.trunk, [0.072, 0.885, 0.045], [0.078, 0.86, 0.04], [0.078, 0.075]),
    ...onBothSides("LeftShoulder", Part.trunk, [0.03, 1.435, 0.014], [0.14, 1.385, 0.012], [0.026, 0.034]),
    ...onBothSides("LeftShoulder", Part.trunk, [0.062, 1.27, -0.07], [0.064, 1.268, -0.074], [0.05, 0.05]).map((solid) => ({
        ...solid,
        bone: boneNumber("Spine2"),
    })),
    ...onBothSides("LeftArm", Part.leftArm, [0.165, 1.368, 0.01], [0.339, 1.168, 0.01], [0.046, 0.033]),
    ...onBothSides("LeftForeArm", Part.leftArm, [0.339, 1.168, 0.01], [0.39, 1.107, 0.008], [0.034, 0.036]),
    ...onBothSides("LeftForeArm", Part.leftArm, [0.38, 1.119, 0.008], [0.496, 0.98, 0], [0.034, 0.02]),
    ...onBothSides("LeftHand", Part.leftArm, [0.503, 0.972, 0], [0.55, 0.915, -0.006], [0.021, 0.025]),
    ...onBothSides("LeftHand", Part.leftArm, [0.55, 0.915, -0.006], [0.592, 0.85, -0.022], [0.024, 0.01]),
    ...onBothSides("LeftHand", Part.leftArm, [0.51, 0.955, -0.012], [0.535, 0.9, -0.048], [0.016, 0.01]),
    ...onBothSides("LeftUpLeg", Part.leftLeg, [0.09, 0.86, 0], [0.092, 0.49, -0.006], [0.084, 0.05]),
    ...onBothSides("LeftLeg", Part.leftLeg, [0.092, 0.48, -0.004], [0.092, 0.35, 0.014], [0.049, 0.05]),
    ...onBothSides("LeftLeg", Part.leftLeg, [0.092, 0.35, 0.012], [0.092, 0.08, 0.018], [0.05, 0.029]),
    ...onBothSides("LeftFoot", Part.leftLeg, [0.092, 0.04, 0.035], [0.094, 0.034, -0.09], [0.034, 0.031]),
    ...onBothSides("LeftToeBase", Part.leftLeg, [0.095, 0.03, -0.095], [0.098, 0.022, -0.155], [0.03, 0.021]),
];

/** Hair that lies on the head, and a knot. */
const HAIR: readonly Solid[] = [
    inTrunk("Head", [0, 1.632, 0.018], [0.082, 0.1, 0.088]),
    inTrunk("Head", [0, 1.56, 0.045], [0.062, 0.07, 0.05]),
    inTrunk("Head", [0, 1.69, 0.09], [0.052, 0.048, 0.048]),
];

/** Depths of blends [m]: within a part, between parts. */
const [SOFT, SEAM] = [0.034, 0.016];

function distanceTo({ a, b, radii }: Solid, x: number, y: number, z: number): number {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
    if (!radii) {
        const near = Math.hypot(px / b[0], py / b[1], pz / b[2]);
        const slope = Math.hypot(px / b[0] ** 2, py / b[1] ** 2, pz / b[2] ** 2);
        return slope === 0 ? -Math.min(...b) : (near * (near - 1)) / slope;
    }
    const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const along = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz)));
    return Math.hypot(px - along * dx, py - along * dy, pz - along * dz) - radii[0] - along * (radii[1] - radii[0]);
}

/** The lesser of two distances, rounded over a depth. */
function smoothMin(a: number, b: number, depth: number): number {
    const share = Math.max(0, depth - Math.abs(a - b)) / depth;
    return Math.min(a, b) - share * share * depth * 0.25;
}

/** A distance, and near a point one that is sooner found: of what is no farther than a reach. */
export interface Shape {
    distance(x: number, y: number, z: number): number;
    near(x: number, y: number, z: number, reach: number): Shape;
}

/** Parts of the body as one shape. @param cut has the last word on a distance */
function shapeOf(groups: readonly (readonly Solid[])[], cut = (distance: number, _y: number, _z: number) => distance): Shape {
    return {
        distance(x, y, z) {
            let all = Infinity;
            for (const group of groups) {
                let one = Infinity;
                for (const solid of group) {
                    const distance = distanceTo(solid, x, y, z);
                    one = one === Infinity ? distance : smoothMin(one, distance, SOFT);
                }
                all = all === Infinity ? one : smoothMin(all, one, SEAM);
            }
            return cut(all, y, z);
        },
        near(x, y, z, reach) {
            const isNear = (solid: Solid) => distanceTo(solid, x, y, z) < reach + SOFT;
            return shapeOf(
                groups.map((group) => group.filter(isNear)).filter(({ length }) => length > 0),
                cut,
            );
        },
    };
}

const groupsOf = (parts: readonly Part[]) => parts.map((part) => BODY.filter((solid) => solid.part === part));
export const dancerBody = shapeOf(groupsOf([Part.trunk, Part.leftArm, Part.rightArm, Part.leftLeg, Part.rightLeg]));
/** Without arms: what a dress is cut about. */
export const dancerTrunk = shapeOf(groupsOf([Part.trunk, Part.leftLeg, Part.rightLeg]));
/** Cut off along the face. */
export const dancerHair = shapeOf([HAIR], (distance, y, z) => Math.max(distance, -0.052 - z + 0.45 * Math.max(0, 1.66 - y)));

const sideOf = ([name]: (typeof dancerBones)[number]) => (name.startsWith("Left") ? 1 : name.startsWith("Right") ? -1 : 0);
const SIDES = dancerBones.map(sideOf);
const pulls = new Float64Array(dancerBones.length);

/**
 * Bones that carry a point and their weights, the four strongest, whose sum is 1: the nearer a solid of a bone, the stronger.
 * @param reach how fast they fade [m]
 * @param middle half width of the strip between left and right that is carried by both sides [m]
 */
export function bonesAt(
    [x, y, z]: Point,
    solids: readonly Solid[],
    reach: number,
    middle: number,
): { bones: number[]; weights: number[] } {
    const left = Math.min(1, Math.max(0, 0.5 + x / (2 * middle)));
    pulls.fill(0);
    for (const solid of solids) {
        const side = SIDES[solid.bone] > 0 ? left : SIDES[solid.bone] < 0 ? 1 - left : 1;
        if (side === 0) continue;
        const pull = side * Math.exp(-Math.max(0, distanceTo(solid, x, y, z)) / reach);
        pulls[solid.bone] = Math.max(pulls[solid.bone], pull);
    }
    const bones: number[] = [];
    const weights: number[] = [];
    let sum = 0;
    for (let k = 0; k < 4; k++) {
        let most = 0;
        for (let b = 1; b < pulls.length; b++) if (pulls[b] > pulls[most]) most = b;
        bones.push(most);
        weights.push(pulls[most]);
        sum += pulls[most];
        pulls[most] = 0;
    }
    return { bones, weights: weights.map((weight) => weight / sum) };
}

export const skinSolids = BODY;
export const dressSolids = BODY.filter(({ part }) => part !== Part.leftArm && part !== Part.rightArm);

/** Triangles about a distance of 0. */
export interface Surface {
    positions: number[];
    normals: number[];
    indices: number[];
}

/** Cells along the edge of a block, whose corners are found together. */
const BLOCK = 4;

/**
 * Surface nets (Gibson 1998): a vertex in each cell that the surface crosses, then moved onto it; four such cells about a crossed edge make a quad.
 * @param low @param high corners of the region [m]
 * @param cell size of a cell [m]
 */
export function surfaceOf(shape: Shape, low: Point, high: Point, cell: number): Surface {
    const [nx, ny, nz] = low.map((from, c) => Math.ceil((high[c] - from) / cell) + 1);
    const values = new Float32Array(nx * ny * nz).fill(1);
    const at = (i: number, j: number, k: number) => i + nx * (j + ny * k);
    const place = (i: number, j: number, k: number): Point => [low[0] + i * cell, low[1] + j * cell, low[2] + k * cell];
    /** Blocks that the surface may cross, and their own shapes. */
    const blocks: { first: Point; near: Shape }[] = [];
    const eachOf = ([i, j, k]: Point, visit: (i: number, j: number, k: number) => void) => {
        for (let c = k; c < Math.min(nz, k + BLOCK); c++)
            for (let b = j; b < Math.min(ny, j + BLOCK); b++) for (let a = i; a < Math.min(nx, i + BLOCK); a++) visit(a, b, c);
    };
    for (let k = 0; k < nz; k += BLOCK) {
        for (let j = 0; j < ny; j += BLOCK) {
            for (let i = 0; i < nx; i += BLOCK) {
                const first: Point = [i, j, k];
                const middle = place(i + BLOCK / 2, j + BLOCK / 2, k + BLOCK / 2);
                const distance = shape.distance(...middle);
                const reach = BLOCK * cell;
                if (Math.abs(distance) > 1.3 * reach) {
                    eachOf(first, (a, b, c) => (values[at(a, b, c)] = distance));
                    continue;
                }
                const near = shape.near(...middle, 2 * reach);
                blocks.push({ first, near });
                eachOf(first, (a, b, c) => (values[at(a, b, c)] = near.distance(...place(a, b, c))));
            }
        }
    }
    const surface: Surface = { positions: [], normals: [], indices: [] };
    const vertexOf = new Int32Array(values.length).fill(-1);
    const steps = [1, nx, nx * ny];
    const corners = Array.from({ length: 8 }, (_, k) => (k & 1) + ((k >> 1) & 1) * nx + (k >> 2) * nx * ny);
    for (const { first, near } of blocks) {
        eachOf(first, (i, j, k) => {
            if (i + 1 >= nx || j + 1 >= ny || k + 1 >= nz) return;
            const own = at(i, j, k);
            const inside = corners.filter((corner) => values[own + corner] < 0).length;
            if (inside === 0 || inside === corners.length) return;
            let p = place(i + 0.5, j + 0.5, k + 0.5);
            let normal: Point = p;
            for (let round = 0; round < 2; round++) {
                const d = near.distance(...p);
                const e = 0.1 * cell;
                const [x, y, z] = p;
                const g = [near.distance(x + e, y, z) - d, near.distance(x, y + e, z) - d, near.distance(x, y, z + e) - d];
                const length = Math.hypot(...g);
                normal = [g[0] / length, g[1] / length, g[2] / length];
                const way = (d * e) / length;
                p = [x - way * normal[0], y - way * normal[1], z - way * normal[2]];
            }
            vertexOf[own] = surface.positions.length / 3;
            surface.positions.push(...p);
            surface.normals.push(...normal);
        });
    }
    for (const { first } of blocks) {
        eachOf(first, (i, j, k) => {
            if (i === 0 || j === 0 || k === 0 || i + 1 >= nx || j + 1 >= ny || k + 1 >= nz) return;
            const own = at(i, j, k);
            for (let axis = 0; axis < 3; axis++) {
                if (values[own] < 0 === values[own + steps[axis]] < 0) continue;
                const [u, v] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]];
                const quad = [own, own - u, own - u - v, own - v].map((cellAt) => vertexOf[cellAt]);
                if (values[own] > 0) quad.reverse();
                surface.indices.push(quad[0], quad[2], quad[1], quad[0], quad[3], quad[2]);
            }
        });
    }
    return surface;
}
