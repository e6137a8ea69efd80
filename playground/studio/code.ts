/**
 * A document as code that is ready to paste: a TypeScript module, or a scene of the online Playground. It calls what build.ts
 * calls, with the same numbers; a test runs both and compares.
 */
import { Fabrics } from "babylon-cloth";
import type { Fabric, FabricName } from "babylon-cloth";
import { LIBRARY } from "../page/snippet";
import { airOf } from "./build";
import type { FabricNumbers, StudioDocument, Tuning } from "./document";
import { kinds, sizesOf, standOf, toldOf } from "./kinds";
import type { KindName, Piece } from "./kinds";
import { addedPins, erasedPins } from "./pins";
import type { AuthoredPin } from "./pins";

/** Target of the code. */
export type CodeForm = "typescript" | "playground";

/** Facts that are known only after the document is built. */
export interface Known {
    /** The way of winds by name [degrees]. */
    readonly direction: number;
    /** Pins of the builder. */
    readonly pins: readonly AuthoredPin[];
    /** Name of the mesh that is cloth, and of those that it meets. */
    readonly mesh: string;
    readonly colliders: readonly string[];
}

/** Names of the two libraries as a form writes them, and which of them it has used. */
class Names {
    readonly core = new Set<string>();
    readonly cloth = new Set<string>();

    constructor(private readonly _isOnline: boolean) {}

    /** A name of Babylon. */
    ofCore(name: string): string {
        this.core.add(name);
        return this._isOnline ? `BABYLON.${name}` : name;
    }

    /** A name of this library. */
    ofCloth(name: string): string {
        this.cloth.add(name);
        return this._isOnline ? `BABYLONCLOTH.${name}` : name;
    }
}

/** The code of a document with one of its tunings. */
export function toCode(document: StudioDocument, tuning: Tuning, form: CodeForm, known: Known): string {
    const names = new Names(form === "playground");
    const { source } = document;
    const statements =
        "kind" in source
            ? kindStatements(source.kind, document, tuning, names, known, form)
            : fileStatements(source.file, document, tuning, names, known, form);
    return form === "playground" ? online(source, statements) : typed(source, statements, names);
}

function typed(source: StudioDocument["source"], statements: string[], { core, cloth }: Names): string {
    const isFile = "file" in source;
    const name = isFile ? "addCloth" : kinds[source.kind].maker.replace("Create", "create");
    const result = isFile ? "ClothBehavior" : source.kind === "curtain" ? "CurtainMesh" : "ClothMesh";
    const values = [...core].sort().join(", ");
    const lines = [
        ...(values ? [`import { ${values} } from "@babylonjs/core";`] : []),
        `import type { ${isFile ? "Mesh, Scene" : "Scene"} } from "@babylonjs/core";`,
        ...(isFile ? [`import "@babylonjs/loaders";`] : []),
        `import { ${[...cloth].sort().join(", ")} } from "babylon-cloth";`,
        ...(isFile ? [] : [`import type { ${result} } from "babylon-cloth";`]),
        "",
        isFile
            ? `export async function ${name}(scene: Scene): Promise<${result}> {`
            : `export function ${name}(scene: Scene): ${result} {`,
        ...statements.map((line) => `    ${line}`),
        `    return ${isFile ? "cloth" : source.kind};`,
        "}",
    ];
    return lines.join("\n") + "\n";
}

function online(source: StudioDocument["source"], statements: string[]): string {
    const size = "kind" in source ? Math.max(...Object.values(sizesOf(source.kind, source.options)).filter((x) => x < 11)) : 2;
    const stand = "kind" in source ? standOf(source.kind, source.options) : null;
    const height = stand ? Math.max(0, ...stand.pieces.map(({ position }) => position[1])) : 1;
    const lines = [
        "const createScene = async function () {",
        "    if (!globalThis.BABYLONCLOTH) {",
        `        await BABYLON.Tools.LoadScriptAsync("${LIBRARY}");`,
        "    }",
        "    const scene = new BABYLON.Scene(engine);",
        `    const camera = new BABYLON.ArcRotateCamera("camera", -1.7, 1.35, ${round(2.6 * size)}, new BABYLON.Vector3(0, ${round(height)}, 0), scene);`,
        "    camera.minZ = 0.05;",
        "    camera.attachControl();",
        `    new BABYLON.HemisphericLight("heaven", BABYLON.Vector3.Up(), scene);`,
        `    new BABYLON.DirectionalLight("sun", new BABYLON.Vector3(-0.4, -0.8, 0.5), scene).intensity = 2;`,
        `    const ground = BABYLON.MeshBuilder.CreateGround("ground", { width: ${round(8 * size)}, height: ${round(8 * size)} }, scene);`,
        "    BABYLONCLOTH.Colliders.add(scene, ground);",
        "",
        ...statements.map((line) => `    ${line}`),
        "    return scene;",
        "};",
    ];
    return lines.join("\n") + "\n";
}

function kindStatements(
    kind: KindName,
    { source, pins }: StudioDocument,
    tuning: Tuning,
    names: Names,
    known: Known,
    form: CodeForm,
): string[] {
    const options = "kind" in source ? source.options : {};
    const stand = standOf(kind, options);
    const fields = [
        ...toldOf(kind, options).map(([name, value]) => `${name}: ${round(value)}`),
        ...settings(tuning, (fabric) => `"${fabric}"`),
        ...airField(tuning, names, null),
        ...Object.entries(stand.named).map(([option, pieces]) => {
            const value = typeof pieces === "string" ? pieces : `[${pieces.join(", ")}]`;
            return option === value ? option : `${option}: ${value}`;
        }),
    ];
    return [
        ...stand.pieces.flatMap((piece) => pieceStatements(piece, names)),
        `const ${kind} = ${names.ofCloth("ClothBuilder")}.${kinds[kind].maker}(`,
        `    "${kind}",`,
        `    { ${fields.join(", ")} },`,
        "    scene,",
        ");",
        ...(stand.position ? [`${kind}.position.set(${stand.position.map(round).join(", ")});`] : []),
        ...(pins ? pinStatements(`${kind}.cloth`, known.pins, pins, form) : []),
        ...lookStatements(kind, tuning, names),
    ];
}

function fileStatements(
    file: string,
    { pins }: StudioDocument,
    tuning: Tuning,
    names: Names,
    { direction, mesh, colliders }: Known,
    form: CodeForm,
): string[] {
    const { thickness } = Fabrics.cotton;
    const find = (name: string): string => `scene.getMeshByName(${JSON.stringify(name)})`;
    const fields = [
        ...settings(tuning, (fabric) => `{ ...${names.ofCloth("Fabrics")}.${fabric}, thickness: ${thickness} }`),
        ...airField(tuning, names, direction),
        ...(colliders.length > 0
            ? [`colliders: [${colliders.map((name) => find(name) + (form === "typescript" ? "!" : "")).join(", ")}]`]
            : []),
    ];
    return [
        `await ${names.ofCore("ImportMeshAsync")}(${JSON.stringify(file)}, scene); // where your page has the file`,
        `const mesh = ${find(mesh)}${form === "typescript" ? " as Mesh" : ""};`,
        `const cloth = new ${names.ofCloth("ClothBehavior")}({ ${fields.join(", ")} });`,
        ...pinStatements("cloth", [], pins ?? [], form),
        "mesh.addBehavior(cloth);",
        ...lookStatements("mesh", tuning, names),
    ];
}

function pieceStatements({ name, shape, sizes, position, isLying }: Piece, names: Names): string[] {
    const fields = Object.entries(sizes).map(([size, value]) => `${size}: ${round(value)}`);
    return [
        `const ${name} = ${names.ofCore("MeshBuilder")}.Create${shape}("${name}", { ${fields.join(", ")} }, scene);`,
        `${name}.position.set(${position.map(round).join(", ")});`,
        ...(isLying ? [`${name}.rotation.z = Math.PI / 2;`] : []),
    ];
}

/** Fabric and substeps. @param named how a fabric is told by its name */
function settings({ fabric, substepCount }: Tuning, named: (fabric: FabricName) => string): string[] {
    return [
        ...(fabric === null ? [] : [`fabric: ${typeof fabric === "string" ? named(fabric) : fabricNumbers(fabric)}`]),
        ...(substepCount === null ? [] : [`substepCount: ${substepCount}`]),
    ];
}

/** Most vertices that are listed by their numbers; more are a mask. */
const LISTED = 16;
/** Letters of a mask in a line. */
const MASK_LINE = 100;

/** Takes vertices from the builder's pins, and adds others. @param held all vertices that are held */
function pinStatements(cloth: string, authored: readonly AuthoredPin[], held: readonly number[], form: CodeForm): string[] {
    const erased = erasedPins(authored, held);
    const added = addedPins(authored, held);
    const isTyped = form === "typescript";
    const keep = selection(erased, "erased", true);
    const add = selection(added, "painted", false);
    return [
        ...(erased.length > 0
            ? [
                  ...keep.statements,
                  `${cloth}.pins = ${cloth}.pins`,
                  `    .map(({ select, target, hold }) => ({ select: ${isTyped ? "(select as number[])" : "select"}.filter(${keep.test}), target, hold }))`,
                  "    .filter(({ select }) => select.length > 0);",
              ]
            : []),
        ...(added.length > 0 ? [...add.statements, `${cloth}.pin(${add.select});`] : []),
    ];
}

/** Vertices as code: what it needs before it, what selects them, and what tests a vertex. @param isInverse true to test for the others */
function selection(
    vertices: readonly number[],
    name: string,
    isInverse: boolean,
): Record<"select" | "test", string> & { statements: string[] } {
    const not = isInverse ? "!" : "";
    if (vertices.length <= LISTED) {
        const list = `[${vertices.join(", ")}]`;
        return { statements: [], select: list, test: `(vertex) => ${not}${list}.includes(vertex)` };
    }
    const has = `((${name}[vertex >> 3] >> (vertex & 7)) & 1)`;
    const lines = maskOf(vertices).match(new RegExp(`.{1,${MASK_LINE}}`, "g"))!;
    const statements = [
        `const ${name} = Uint8Array.from( // ${vertices.length} vertices: a bit for each`,
        ...lines.map((line, i) => `    ${i === 0 ? "atob(" : "    "}"${line}"${i < lines.length - 1 ? " +" : "),"}`),
        "    (letter) => letter.charCodeAt(0),",
        ");",
    ];
    return { statements, select: `(_, vertex) => ${has} === 1`, test: `(vertex) => ${has} === ${isInverse ? 0 : 1}` };
}

/** Vertices as a bit each, in base 64. */
function maskOf(vertices: readonly number[]): string {
    const bytes = new Uint8Array((Math.max(...vertices) >> 3) + 1);
    for (const vertex of vertices) bytes[vertex >> 3] |= 1 << (vertex & 7);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Properties that differ from cotton's. */
function fabricNumbers(fabric: FabricNumbers): string {
    const changed = (Object.entries(fabric) as [keyof Fabric, number][]).filter(([name, value]) => value !== Fabrics.cotton[name]);
    return changed.length > 0 ? `{ ${changed.map(([name, value]) => `${name}: ${round(value)}`).join(", ")} }` : "{}";
}

/** @param direction of winds by name, where no builder knows them [degrees]; null: a builder does */
function airField(tuning: Tuning, names: Names, direction: number | null): string[] {
    const { wind } = tuning;
    if (typeof wind === "string" && direction === null) return wind === "still" ? [] : [`wind: "${wind}"`];
    const air = airOf(direction ?? 0, tuning);
    const angle = (air.direction * Math.PI) / 180;
    const velocity = [air.speed * Math.cos(angle), 0, air.speed * Math.sin(angle)].map(round).join(", ");
    const options = `{ velocity: new ${names.ofCore("Vector3")}(${velocity}), turbulence: ${round(air.turbulence)} }`;
    return [`wind: ${direction === null ? options : `new ${names.ofCloth("Wind")}(${options})`}`];
}

function lookStatements(mesh: string, { look, colour }: Tuning, names: Names): string[] {
    if (look === null) return [];
    return [
        `const material = ${names.ofCloth("FabricMaterials")}.create("${look}", scene);`,
        ...(colour === null
            ? []
            : [`material.albedoColor = ${names.ofCore("Color3")}.FromHexString("${colour}").toLinearSpace();`]),
        `${mesh}.material = material;`,
    ];
}

/** Six digits. */
function round(value: number): string {
    return String(Number(value.toPrecision(6)));
}
