/**
 * Kinds of cloth of the studio, as data: each ClothBuilder method with its sizes and its stand. The scene (build.ts) and the exported code
 * (code.ts) use the same data.
 */
import type { ClothBuilder, FabricName, WindName } from "babylon-cloth";

/** A number that a builder takes, with the range of its slider. */
export interface Field {
    readonly name: string;
    readonly label: string;
    readonly unit: string;
    readonly min: number;
    readonly max: number;
    readonly step: number;
    /** Default. */
    readonly usual: number;
    /** True if it is always passed to the builder, since the stand depends on it. */
    readonly isSize?: boolean;
    /** True if the mesh has it as a live property. */
    readonly isLive?: boolean;
}

/** A mesh beside the cloth: one of MeshBuilder's, upright, or lying along x. */
export interface Piece {
    readonly name: string;
    readonly shape: "Cylinder" | "Box" | "Sphere" | "Capsule";
    readonly sizes: Readonly<Record<string, number>>;
    readonly position: readonly [x: number, y: number, z: number];
    readonly isLying?: boolean;
}

/** Stand for options of a builder, and position of the cloth. */
export interface Stand {
    readonly pieces: readonly Piece[];
    /** Options that name pieces: one, or several. */
    readonly named: Readonly<Record<string, string | readonly string[]>>;
    /** Position of the mesh; null: that of the builder. */
    readonly position: readonly [x: number, y: number, z: number] | null;
}

type Sizes = Readonly<Record<string, number>>;

/** A kind of cloth of the studio. */
export interface Kind {
    readonly title: string;
    readonly maker: keyof typeof ClothBuilder;
    readonly fields: readonly Field[];
    readonly look: FabricName | null;
    readonly colour: string | null;
    readonly wind: WindName;
    stand(sizes: Sizes): Stand;
}

function length(name: string, usual: number, label = name): Field {
    return { name, label, unit: "m", min: 0.1, max: 10, step: 0.05, usual, isSize: true };
}

/** 0: as the builder has it. */
const subdivisions: Field = { name: "subdivisions", label: "edges", unit: "", min: 0, max: 128, step: 8, usual: 0 };

function upright(name: string, height: number, x: number, z: number, thickness: number): Piece {
    const sizes = { height, diameter: thickness };
    return { name, shape: "Cylinder", sizes, position: [x, height / 2, z] };
}

/** A pole of its own at each end. */
function posts({ width, height }: Sizes): Stand {
    const thickness = 0.03 * Math.max(width, height);
    const tall = 2.2 * height;
    return {
        pieces: [-1, 1].map((end) => upright(end < 0 ? "left" : "right", tall, (end * width) / 2, 0, thickness)),
        named: { posts: ["left", "right"] },
        position: null,
    };
}

/** An upright that carries the cloth at its top. */
function onPole(option: string, share: number) {
    return ({ width, height }: Sizes): Stand => ({
        pieces: [upright(option, share * height, -width / 2, 0, 0.03 * Math.max(width, height))],
        named: { [option]: option },
        position: null,
    });
}

export const kinds = {
    flag: {
        title: "Flag",
        maker: "CreateFlag",
        fields: [length("width", 1.5), length("height", 1), subdivisions],
        ...{ look: "nylon", colour: "#c8352e", wind: "breeze" },
        stand: onPole("pole", 2.2),
    },
    banner: {
        title: "Banner",
        maker: "CreateBanner",
        fields: [
            length("width", 3),
            length("height", 0.8),
            { name: "slack", label: "slack", unit: "", min: 0, max: 0.5, step: 0.01, usual: 0.02 },
            subdivisions,
        ],
        ...{ look: "canvas", colour: "#2b5c9a", wind: "lightBreeze" },
        stand: posts,
    },
    curtain: {
        title: "Curtain",
        maker: "CreateCurtain",
        fields: [
            length("width", 1.5),
            length("height", 2.4),
            { name: "pleats", label: "pleats", unit: "", min: 1, max: 24, step: 1, usual: 8 },
            { name: "fullness", label: "fullness", unit: "", min: 1.1, max: 3, step: 0.1, usual: 2 },
            { name: "open", label: "open", unit: "", min: 0, max: 1, step: 0.01, usual: 0, isLive: true },
            subdivisions,
        ],
        ...{ look: "linen", colour: "#b98a4b", wind: "still" },
        stand: ({ width, height }) => ({
            pieces: [
                {
                    name: "rail",
                    shape: "Cylinder",
                    sizes: { height: 1.1 * width, diameter: 0.02 * Math.max(width, height) },
                    position: [0, 1.1 * height, 0],
                    isLying: true,
                },
            ],
            named: { rail: "rail" },
            position: null,
        }),
    },
    tablecloth: {
        title: "Tablecloth",
        maker: "CreateTablecloth",
        fields: [length("size", 1.5), subdivisions],
        ...{ look: "cotton", colour: null, wind: "still" },
        stand: ({ size }) => ({
            pieces: [
                {
                    name: "table",
                    shape: "Cylinder",
                    sizes: { height: 0.05 * size, diameter: size / 1.6, tessellation: 48 },
                    position: [0, 0.5 * size, 0],
                },
                upright("leg", 0.475 * size, 0, 0, 0.06 * size),
            ],
            named: { table: "table" },
            position: null,
        }),
    },
    cape: {
        title: "Cape",
        maker: "CreateCape",
        fields: [
            length("width", 0.4),
            length("height", 1.2),
            { name: "flare", label: "flare", unit: "", min: 1, max: 4, step: 0.1, usual: 2 },
            subdivisions,
        ],
        ...{ look: "wool", colour: "#5a2338", wind: "lightBreeze" },
        stand: ({ width, height }) => ({
            pieces: [
                upright("body", 1.14 * height, 0, 0, 0.62 * width),
                { name: "head", shape: "Sphere", sizes: { diameter: 0.55 * width }, position: [0, 1.14 * height + 0.4 * width, 0] },
            ],
            named: { colliders: ["body"] },
            position: [0, 1.15 * height, 0],
        }),
    },
    sail: {
        title: "Sail",
        maker: "CreateSail",
        fields: [
            length("width", 2),
            length("height", 3),
            { name: "camber", label: "camber", unit: "", min: 0, max: 0.3, step: 0.01, usual: 0.1 },
            subdivisions,
        ],
        ...{ look: "nylon", colour: "#f2efe6", wind: "breeze" },
        stand: onPole("mast", 1.25),
    },
    net: {
        title: "Net",
        maker: "CreateNet",
        fields: [
            length("width", 3),
            length("height", 1),
            { name: "meshSize", label: "mesh size", unit: "m", min: 0.02, max: 1, step: 0.01, usual: 0.1 },
            subdivisions,
        ],
        ...{ look: null, colour: null, wind: "lightBreeze" },
        stand: posts,
    },
    awning: {
        title: "Awning",
        maker: "CreateAwning",
        fields: [
            length("width", 3),
            length("height", 1.5),
            { name: "slope", label: "slope", unit: "rad", min: -1.5, max: 1.5, step: 0.05, usual: 0.35 },
            subdivisions,
        ],
        ...{ look: "canvas", colour: "#3f7a5a", wind: "breeze" },
        stand: ({ width, height }) => ({
            pieces: [
                {
                    name: "wall",
                    shape: "Box",
                    sizes: { width: 1.3 * width, height: 2.2 * height, depth: 0.1 * height },
                    position: [0, 1.1 * height, 0.07 * height],
                },
            ],
            named: {},
            position: [0, 1.9 * height, 0],
        }),
    },
} as const satisfies Record<string, Kind>;

/** A maker's name in documents. */
export type KindName = keyof typeof kinds;

/** A kind's sizes, with what is usual where nothing is said. */
export function sizesOf(kind: KindName, options: Sizes): Record<string, number> {
    return { ...Object.fromEntries(fieldsOf(kind).map(({ name, usual }) => [name, usual])), ...options };
}

/** The numbers that the builder is told: its sizes, and what differs from the usual. */
export function toldOf(kind: KindName, options: Sizes): [name: string, value: number][] {
    const sizes = sizesOf(kind, options);
    return fieldsOf(kind)
        .filter(({ name, usual, isSize }) => isSize || sizes[name] !== usual)
        .map(({ name }) => [name, sizes[name]]);
}

export function fieldsOf(kind: KindName): readonly Field[] {
    return kinds[kind].fields;
}

export function standOf(kind: KindName, options: Sizes): Stand {
    return (kinds[kind] as Kind).stand(sizesOf(kind, options));
}
