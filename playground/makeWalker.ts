/**
 * Writes assets/walker.glb, once: node --import ./.ci/ts.mjs playground/makeWalker.ts
 * A plain figure of 1.75 m that faces +z, one skinned mesh on a skeleton of 16 bones, with one animation: a walk of two steps.
 */
import { writeFile } from "node:fs/promises";

type Vector = [number, number, number];

/** The bones: parent, and where each begins in the bind pose [m], in which no bone is turned. */
const BONES: [name: string, parent: string | null, at: Vector][] = [
    ["hips", null, [0, 0.95, 0]],
    ["spine", "hips", [0, 1.1, 0]],
    ["chest", "spine", [0, 1.26, 0]],
    ["neck", "chest", [0, 1.47, 0]],
    ["head", "neck", [0, 1.56, 0.01]],
];
for (const [side, x] of [
    ["L", 1],
    ["R", -1],
] as const) {
    BONES.push([`arm${side}`, "chest", [0.185 * x, 1.41, 0]], [`forearm${side}`, `arm${side}`, [0.23 * x, 1.13, 0]]);
    BONES.push([`hand${side}`, `forearm${side}`, [0.25 * x, 0.88, 0.01]]);
    BONES.push([`leg${side}`, "hips", [0.095 * x, 0.91, 0]], [`shin${side}`, `leg${side}`, [0.1 * x, 0.49, 0.01]]);
    BONES.push([`foot${side}`, `shin${side}`, [0.1 * x, 0.085, -0.01]]);
}
const numberOf = (name: string): number => BONES.findIndex(([own]) => own === name);
const placeOf = (name: string): Vector => BONES[numberOf(name)][2];

const positions: number[] = [];
const joints: number[] = [];
const weights: number[] = [];
const indices: number[] = [];

/** A ring of the skin: its middle, half widths across, and the bones that move it. */
interface Ring {
    at: Vector;
    wide: number;
    deep: number;
    bones: [name: string, weight: number][];
}

/** Joins rings, from the first to the last, by a skin that is closed at both ends. Across: x and `deep` along z, or y where it is flat. */
function skin(rings: Ring[], around: number, isFlat = false): void {
    const first = positions.length / 3;
    for (const { at, wide, deep, bones } of rings) {
        for (let i = 0; i < around; i++) {
            const angle = (2 * Math.PI * i) / around;
            const across = deep * Math.sin(angle);
            positions.push(at[0] + wide * Math.cos(angle), at[1] + (isFlat ? across : 0), at[2] + (isFlat ? 0 : across));
            const bytes = bones.map(([, weight]) => Math.round(255 * weight));
            // Bytes add up to one.
            bytes[0] += 255 - bytes.reduce((sum, byte) => sum + byte, 0);
            for (let k = 0; k < 4; k++) joints.push(k < bones.length ? numberOf(bones[k][0]) : 0);
            for (let k = 0; k < 4; k++) weights.push(bytes[k] ?? 0);
        }
    }
    const corner = (r: number, i: number): number => first + r * around + (i % around);
    for (let r = 0; r + 1 < rings.length; r++) {
        for (let i = 0; i < around; i++) {
            const [a, b, c, d] = [corner(r, i), corner(r, i + 1), corner(r + 1, i + 1), corner(r + 1, i)];
            turn(isFlat ? [a, b, c, a, c, d] : [a, c, b, a, d, c]);
        }
    }
    const last = rings.length - 1;
    for (let i = 1; i + 1 < around; i++) {
        turn(isFlat ? [corner(0, 0), corner(0, i + 1), corner(0, i)] : [corner(0, 0), corner(0, i), corner(0, i + 1)]);
        turn(
            isFlat
                ? [corner(last, 0), corner(last, i), corner(last, i + 1)]
                : [corner(last, 0), corner(last, i + 1), corner(last, i)],
        );
    }
}

function turn(corners: number[]): void {
    indices.push(...corners);
}

/** Smooth step of x from a to b, 0..1. */
function ease(x: number, a: number, b: number): number {
    const t = Math.min(1, Math.max(0, (x - a) / (b - a)));
    return t * t * (3 - 2 * t);
}

/** Trunk: heights, half widths and half depths, from below. */
const TRUNK = [
    [0.84, 0.06, 0.05],
    [0.86, 0.13, 0.09],
    [0.92, 0.165, 0.11],
    [0.98, 0.165, 0.112],
    [1.04, 0.15, 0.104],
    [1.1, 0.138, 0.098],
    [1.16, 0.14, 0.1],
    [1.22, 0.152, 0.108],
    [1.28, 0.165, 0.115],
    [1.34, 0.178, 0.116],
    [1.39, 0.178, 0.108],
    [1.43, 0.15, 0.095],
    [1.46, 0.09, 0.075],
    [1.49, 0.056, 0.058],
    [1.55, 0.05, 0.054],
];
skin(
    TRUNK.map(([y, wide, deep]) => {
        const spine = ease(y, 1.0, 1.15);
        const chest = ease(y, 1.16, 1.3);
        const neck = ease(y, 1.44, 1.5);
        const bones: [string, number][] = [
            ["hips", 1 - spine],
            ["spine", spine * (1 - chest)],
            ["chest", chest * (1 - neck)],
            ["neck", neck],
        ];
        return { at: [0, y, 0], wide, deep, bones: bones.filter(([, weight]) => weight > 0.002) };
    }),
    20,
);

/** A ball, longer along y. */
function ball(at: Vector, wide: number, high: number, deep: number, bone: string): void {
    const rings = Array.from({ length: 9 }, (_, i): Ring => {
        const angle = Math.PI * (0.03 + (0.94 * i) / 8);
        const y = at[1] - high * Math.cos(angle);
        return { at: [at[0], y, at[2]], wide: wide * Math.sin(angle), deep: deep * Math.sin(angle), bones: [[bone, 1]] };
    });
    skin(rings, 16);
}
ball([0, 1.635, 0.015], 0.078, 0.118, 0.096, "head");

/** A limb of three bones, downwards: radii where each begins and where it ends. */
function limb(names: string[], radii: number[], steps: number): void {
    const [upper, lower, end] = names;
    const [a, b, c] = [placeOf(upper), placeOf(lower), placeOf(end)];
    const rings: Ring[] = [];
    for (let i = 2 * steps; i >= 0; i--) {
        const t = i / steps;
        const [from, to, s] = t <= 1 ? [a, b, t] : [b, c, t - 1];
        const at = from.map((x, k) => x + (to[k] - x) * s) as Vector;
        const radius = t <= 1 ? radii[0] + (radii[1] - radii[0]) * s : radii[1] + (radii[2] - radii[1]) * s;
        const muscle = 1 + 0.1 * Math.sin(Math.PI * s);
        const isBelow = ease(t, 0.86, 1.14);
        const bones: [string, number][] = [
            [lower, isBelow],
            [upper, 1 - isBelow],
        ];
        rings.push({ at, wide: radius * muscle, deep: radius * muscle, bones: bones.filter(([, weight]) => weight > 0.002) });
    }
    const lid = { ...rings[rings.length - 1], wide: 0.5 * radii[0], deep: 0.5 * radii[0] };
    skin([...rings, { ...lid, at: [lid.at[0], lid.at[1] + 0.6 * radii[0], lid.at[2]] }], 14);
}
for (const side of ["L", "R"]) {
    limb([`arm${side}`, `forearm${side}`, `hand${side}`], [0.056, 0.043, 0.03], 7);
    const [hx, hy, hz] = placeOf(`hand${side}`);
    ball([hx, hy - 0.06, hz], 0.03, 0.085, 0.042, `hand${side}`);
    limb([`leg${side}`, `shin${side}`, `foot${side}`], [0.088, 0.06, 0.042], 8);
    const [fx] = placeOf(`foot${side}`);
    const sole = [
        [-0.075, 0.03, 0.03, 0.045],
        [-0.06, 0.042, 0.042, 0.05],
        [0, 0.044, 0.05, 0.052],
        [0.08, 0.048, 0.036, 0.038],
        [0.15, 0.046, 0.026, 0.028],
        [0.19, 0.028, 0.016, 0.02],
    ];
    skin(
        sole.map(([z, wide, high, y]): Ring => ({ at: [fx, y, z], wide, deep: high, bones: [[`foot${side}`, 1]] })),
        14,
        true,
    );
}

/** Smooth normals, out of the skin. */
function normalsOf(): Float32Array {
    const normals = new Float32Array(positions.length);
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = indices.slice(i, i + 3).map((v) => 3 * v);
        const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
        const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) normals[corner + k] += n[k];
    }
    for (let o = 0; o < normals.length; o += 3) {
        const length = Math.hypot(normals[o], normals[o + 1], normals[o + 2]) || 1;
        for (let k = 0; k < 3; k++) normals[o + k] /= length;
    }
    return normals;
}

/** Time of two steps [s], and the poses in it. */
const CYCLE = 1.1;
const POSES = 17;

/** Rotation of each bone at a phase of the walk 0..1, about x, y and z [rad]. */
function pose(name: string, phase: number): Vector {
    const side = name.endsWith("L") ? 0 : 0.5;
    const swing = Math.sin(2 * Math.PI * (phase + side));
    const lift = Math.sin(2 * Math.PI * (phase + side) + 1.2);
    const turns: Record<string, Vector> = {
        hips: [0, 0.08 * Math.sin(2 * Math.PI * phase), 0],
        spine: [0.03, -0.06 * Math.sin(2 * Math.PI * phase), 0],
        chest: [0.03, -0.1 * Math.sin(2 * Math.PI * phase), 0],
        neck: [0, 0.08 * Math.sin(2 * Math.PI * phase), 0],
        arm: [0.36 * swing, 0, name.endsWith("L") ? 0.07 : -0.07],
        forearm: [-0.25 - 0.12 * Math.max(0, -swing), 0, 0],
        leg: [-0.42 * swing, 0, 0],
        shin: [0.08 + 0.75 * Math.max(0, lift) ** 2, 0, 0],
        foot: [-0.04 + 0.12 * swing - 0.1 * Math.max(0, lift), 0, 0],
    };
    return turns[name.replace(/[LR]$/, "")] ?? [0, 0, 0];
}

function quaternion([x, y, z]: Vector): number[] {
    const [cx, sx, cy, sy, cz, sz] = [x, y, z].flatMap((angle) => [Math.cos(angle / 2), Math.sin(angle / 2)]);
    return [sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz];
}

const parts: Uint8Array[] = [];
const bufferViews: object[] = [];
const accessors: object[] = [];
let length = 0;

/** Adds numbers to the file. @returns their accessor */
function add(
    data: Float32Array | Uint8Array | Uint16Array,
    type: string,
    size: number,
    more: object = {},
    target?: number,
): number {
    const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.byteLength, ...(target ? { target } : {}) });
    const componentType = data instanceof Float32Array ? 5126 : data instanceof Uint16Array ? 5123 : 5121;
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: data.length / size, type, ...more });
    parts.push(bytes);
    length += bytes.length;
    return accessors.length - 1;
}

const column = (c: number): number[] => positions.filter((_, i) => i % 3 === c);
const bounds = (f: (...numbers: number[]) => number): number[] => [0, 1, 2].map((c) => Math.fround(f(...column(c))));
const attributes = {
    POSITION: add(Float32Array.from(positions), "VEC3", 3, { min: bounds(Math.min), max: bounds(Math.max) }, 34962),
    NORMAL: add(normalsOf(), "VEC3", 3, {}, 34962),
    JOINTS_0: add(Uint8Array.from(joints), "VEC4", 4, {}, 34962),
    WEIGHTS_0: add(Uint8Array.from(weights), "VEC4", 4, { normalized: true }, 34962),
};
const skinIndices = add(Uint16Array.from(indices), "SCALAR", 1, {}, 34963);
const inverses = BONES.flatMap(([, , [x, y, z]]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
const inverseBindMatrices = add(Float32Array.from(inverses), "MAT4", 16);

const phases = Array.from({ length: POSES }, (_, i) => i / (POSES - 1));
const times = add(
    Float32Array.from(phases, (phase) => phase * CYCLE),
    "SCALAR",
    1,
    { min: [0], max: [Math.fround(CYCLE)] },
);
const samplers: object[] = [];
const channels: object[] = [];
const animate = (node: number, path: string, output: number): void => {
    channels.push({ sampler: samplers.push({ input: times, output }) - 1, target: { node, path } });
};
BONES.forEach(([name], i) =>
    animate(i, "rotation", add(Float32Array.from(phases.flatMap((phase) => quaternion(pose(name, phase)))), "VEC4", 4)),
);
const bob = phases.flatMap((phase) => [0, placeOf("hips")[1] - 0.02 + 0.018 * Math.cos(4 * Math.PI * phase), 0]);
animate(0, "translation", add(Float32Array.from(bob), "VEC3", 3));

const nodes: object[] = BONES.map(([name, parent, at]) => {
    const children = BONES.flatMap(([, own], i) => (own === name ? [i] : []));
    const origin = parent ? placeOf(parent) : [0, 0, 0];
    return { name, translation: at.map((x, c) => x - origin[c]), ...(children.length > 0 ? { children } : {}) };
});
nodes.push({ name: "Walker", mesh: 0, skin: 0 });
const json = JSON.stringify({
    asset: { version: "2.0", generator: "babylon-cloth, playground/makeWalker.ts" },
    scene: 0,
    scenes: [{ nodes: [0, nodes.length - 1] }],
    nodes,
    meshes: [{ name: "Walker", primitives: [{ attributes, indices: skinIndices }] }],
    skins: [{ joints: BONES.map((_, i) => i), inverseBindMatrices, skeleton: 0 }],
    animations: [{ name: "walk", samplers, channels }],
    buffers: [{ byteLength: length }],
    bufferViews,
    accessors,
});
const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
const file = new Uint8Array(28 + text.length + length);
const view = new DataView(file.buffer);
[0x46546c67, 2, file.length, text.length, 0x4e4f534a].forEach((word, i) => view.setUint32(4 * i, word, true));
file.set(text, 20);
view.setUint32(20 + text.length, length, true);
view.setUint32(24 + text.length, 0x004e4942, true);
let end = 28 + text.length;
for (const part of parts) {
    file.set(part, end);
    end += part.length;
}
await writeFile(new URL("assets/walker.glb", import.meta.url), file);
console.log(`assets/walker.glb: ${file.length} bytes, ${positions.length / 3} vertices, ${indices.length / 3} triangles`);
