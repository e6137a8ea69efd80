import { InspectableType } from "@babylonjs/core/Misc/iInspectable";
import type { IInspectable } from "@babylonjs/core/Misc/iInspectable";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Fabrics, reject, stageNames } from "../../engine/index";
import type { Fabric, FabricName } from "../../engine/index";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { Wind } from "../wind/wind";

/** A line in the Inspector. */
interface Line {
    readonly label: string;
    readonly get?: () => unknown;
    readonly set?: (value: never) => void;
    /** Of a button. */
    readonly onPress?: () => void;
    /** Of a slider. */
    readonly range?: readonly [min: number, max: number, step: number];
    /** Names to choose from; the value is their number, -1 for none of them. */
    readonly options?: readonly string[];
    readonly isVector?: boolean;
}

const OWNER = "ClothInspector";
/** Prefix of property names on a mesh; a unique number follows. */
const PREFIX = "babylonCloth";
let propertyCount = 0;
/** The mesh's list of lines. */
const PROPERTIES = "inspectableCustomProperties";
/** Group that is there while the cloth has a wind. */
const WIND = "Wind";
/** Ranges of sliders: what cloth is made of. */
const FABRIC_RANGES: readonly [keyof Fabric, string, number, number, number][] = [
    ["arealDensity", "kg/m²", 0.01, 2, 0.01],
    ["shearStiffness", "N/m", 0, 2000, 10],
    ["bendStiffness", "N·m", 0, 0.01, 1e-5],
    ["damping", "1/s", 0, 10, 0.1],
    ["thickness", "m", 0, 0.1, 0.001],
    ["friction", "", 0, 2, 0.05],
];
const WIND_RANGES: readonly [
    "turbulence" | "gustLength" | "airDensity" | "drag" | "skinFriction",
    string,
    number,
    number,
    number,
][] = [
    ["turbulence", "", 0, 1, 0.05],
    ["gustLength", "m", 1, 200, 1],
    ["airDensity", "kg/m³", 0, 5, 0.05],
    ["drag", "", 0, 3, 0.05],
    ["skinFriction", "", 0, 0.5, 0.01],
];

/** Meshes with properties, and the function that removes them. */
const shown = new WeakMap<ClothBehavior, { readonly mesh: Mesh; readonly end: () => void }>();
/** The cloth that was shown last on a mesh: there is one at a time. */
const shownOn = new WeakMap<Mesh, ClothBehavior>();

/**
 * Properties of a cloth in Babylon's Inspector, to tune it live: select the mesh. Inspector v1 has it in a section *Custom*, v2 in *Custom*, the last one; with
 * a heading for each group, and units. Readings are those of when the section was drawn. It is not needed otherwise: bundlers drop it.
 */
export const ClothInspector = {
    /**
     * Shows a cloth's parameters on its mesh, beside what other properties it has there, until it leaves the mesh. Idempotent.
     * @throws RangeError when it is no cloth, or on no mesh
     */
    show(cloth: ClothBehavior): void {
        const runtime = runtimeOf(cloth);
        const mesh = runtime?.instance?.mesh;
        if (!mesh) reject(OWNER, "show(cloth)", "a ClothBehavior that is on a mesh", cloth);
        if (shown.get(cloth)?.mesh === mesh) return;
        // It may have been on another mesh.
        this.hide(cloth);
        const before = shownOn.get(mesh);
        if (before) this.hide(before);
        shownOn.set(mesh, cloth);
        const remove = write(mesh, groupsOf(cloth), () => !!cloth.wind);
        const hide = (): void => this.hide(cloth);
        const end = (): void => {
            runtime!.hooks.onLeave.delete(hide);
            remove();
        };
        runtime!.hooks.onLeave.add(hide);
        shown.set(cloth, { mesh, end });
    },

    /** Takes them away. Idempotent; safe when the cloth has left its mesh. */
    hide(cloth: ClothBehavior): void {
        shown.get(cloth)?.end();
        shown.delete(cloth);
    },
};

function groupsOf(cloth: ClothBehavior): [string, Line[]][] {
    const number = (
        name: "substepCount" | "maxStepsPerFrame" | "tetherSlack" | "springDamping" | "sleepSpeed" | "priority" | "teleportSpeed",
        unit: string,
        range: Line["range"],
    ): Line => ({
        label: withUnit(name, unit),
        get: () => cloth[name],
        set: (value: number) => (cloth[name] = value),
        range,
    });
    const flag = (name: "enabled" | "autoStep" | "alwaysUpdate" | "collideWithPhysics"): Line => ({
        label: name,
        get: () => cloth[name],
        set: (value: boolean) => (cloth[name] = value),
    });
    const fabricNames = Object.keys(Fabrics);
    return [
        [
            "Fabric",
            [
                {
                    label: "preset",
                    options: fabricNames,
                    get: () => fabricNames.findIndex((name) => isSame(cloth.fabric, Fabrics[name as keyof typeof Fabrics])),
                    // None of them: it stays as it is.
                    set: (index: number) => index >= 0 && (cloth.fabric = fabricNames[index] as FabricName),
                },
                ...FABRIC_RANGES.filter(([name]) => typeof cloth.fabric[name] === "number").map(([name, unit, ...range]): Line => ({
                    label: withUnit(name, unit),
                    get: () => cloth.fabric[name],
                    set: (value: number) => (cloth.fabric = { ...cloth.fabric, [name]: value }),
                    range,
                })),
            ],
        ],
        [WIND, windLines(cloth)],
        [
            "Solver",
            [
                number("substepCount", "", [1, 32, 1]),
                number("maxStepsPerFrame", "", [1, 16, 1]),
                number("tetherSlack", "", [0, 1, 0.01]),
                number("springDamping", "s", [0, 0.1, 0.001]),
                number("sleepSpeed", "m/s", [0, 0.1, 0.001]),
                number("teleportSpeed", "m/s", [0, 200, 1]),
                number("priority", "frames", [-100, 100, 1]),
                ...(["enabled", "autoStep", "alwaysUpdate", "collideWithPhysics"] as const).map(flag),
                { label: "reset", onPress: () => cloth.reset() },
            ],
        ],
        [
            "Readings",
            [
                { label: "particles", get: () => String(cloth.stats.particleCount) },
                { label: "mean stretch [%]", get: () => (100 * cloth.stats.meanStretch).toFixed(2) },
                { label: "largest stretch [%]", get: () => (100 * cloth.stats.maxStretch).toFixed(2) },
                { label: "a frame [ms]", get: () => cloth.stats.milliseconds.total.toFixed(3) },
                ...stageNames.map((stage) => ({
                    label: `${stage} [ms]`,
                    get: () => cloth.stats.milliseconds[stage].toFixed(3),
                })),
            ],
        ],
    ];
}

/** Lines of the wind that the cloth has at that time. */
function windLines(cloth: ClothBehavior): Line[] {
    return [
        {
            label: "velocity [m/s]",
            get: () => cloth.wind?.velocity,
            set: (value: Wind["velocity"]) => cloth.wind && (cloth.wind.velocity = value),
            isVector: true,
        },
        ...WIND_RANGES.map(([name, unit, ...range]): Line => ({
            label: withUnit(name, unit),
            get: () => cloth.wind?.[name],
            set: (value: number) => cloth.wind && (cloth.wind[name] = value),
            range,
        })),
    ];
}

function withUnit(name: string, unit: string): string {
    return unit ? `${name} [${unit}]` : name;
}

/** True if two fabrics differ by nothing but their thickness, which may be fitted to a mesh. */
function isSame(a: Fabric, b: Fabric): boolean {
    return (Object.keys(b) as (keyof Fabric)[]).every((name) => name === "thickness" || a[name] === b[name]);
}

/** Gives a mesh properties that read and write lines, and tells the Inspector of them. @returns what takes them away */
function write(mesh: Mesh, groups: readonly (readonly [string, readonly Line[]])[], hasWind: () => boolean): () => void {
    const names: string[] = [];
    /** The Inspector reads and writes properties of the mesh; what a line has no setter for stays as it is. */
    const define = ({ get = () => "", set = () => undefined }: Pick<Line, "get" | "set">): string => {
        const propertyName = `${PREFIX}${propertyCount++}`;
        names.push(propertyName);
        Object.defineProperty(mesh, propertyName, { configurable: true, enumerable: false, get, set });
        return propertyName;
    };
    const entries: IInspectable[] = [];
    let windEntries: IInspectable[] = [];
    for (const [group, lines] of groups) {
        // v2 tells lines apart by their properties, and shows that of a heading, too.
        const heading = { label: `Cloth: ${group}`, propertyName: define({}), type: InspectableType.Tab };
        const added = [heading, ...lines.map((line) => entryOf(line, define(line)))];
        if (group === WIND) windEntries = added;
        entries.push(...added);
    }
    let all = [...(mesh.inspectableCustomProperties ?? []), ...entries];
    // The Inspector asks for the list each time it draws a mesh.
    Object.defineProperty(mesh, PROPERTIES, {
        configurable: true,
        enumerable: true,
        get: () => {
            const [first] = windEntries;
            const place = all.indexOf(first);
            if (hasWind() && place < 0) all.splice(all.indexOf(entries[entries.indexOf(first) - 1]) + 1, 0, ...windEntries);
            else if (!hasWind() && place >= 0) all.splice(place, windEntries.length);
            return all;
        },
        set: (value: IInspectable[]) => (all = value),
    });
    return () => {
        for (const name of names) delete (mesh as unknown as Record<string, unknown>)[name];
        Reflect.deleteProperty(mesh, PROPERTIES);
        mesh.inspectableCustomProperties = all.filter((entry) => !entries.includes(entry));
    };
}

function entryOf({ label, range, options, isVector, onPress, get }: Line, propertyName: string): IInspectable {
    if (onPress) return { label, propertyName, type: InspectableType.Button, callback: onPress };
    if (range) return { label, propertyName, type: InspectableType.Slider, min: range[0], max: range[1], step: range[2] };
    if (options) {
        const all = options.map((name, value) => ({ label: name, value }));
        return { label, propertyName, type: InspectableType.Options, options: [{ label: "own", value: -1 }, ...all] };
    }
    if (isVector) return { label, propertyName, type: InspectableType.Vector3 };
    return { label, propertyName, type: typeof get?.() === "boolean" ? InspectableType.Checkbox : InspectableType.String };
}
