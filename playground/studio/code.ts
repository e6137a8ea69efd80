/**
 * A document as code that is ready to paste: a TypeScript module, or a scene of the online Playground. It calls what build.ts
 * calls, with the same numbers; a test runs both and compares.
 */
import { Fabrics } from "babylon-cloth";
import type { Fabric, FabricName } from "babylon-cloth";
import { LIBRARY } from "../page/snippet";
import { airOf } from "./build";
import type { FabricNumbers, Meets, StudioDocument, Tuning } from "./document";
import { kinds, sizesOf, standOf, toldOf } from "./kinds";
import type { KindName, Piece } from "./kinds";
import type { Assembled } from "./assemble";
import {
    BACKSTOP_RADIUS,
    FREE,
    addedPins,
    distancesOf,
    erasedPins,
    heldVertices,
    isSkinned,
    limitedVertices,
    readPaint,
} from "./pins";
import type { AuthoredPin } from "./pins";
import { toFragment } from "./share";
import { piecesOf } from "./solids";

/** Target of the code. */
export type CodeForm = "typescript" | "playground";

/** Facts that are known only after the document is built. */
export interface Known {
    /** The way of winds by name [degrees]. */
    readonly direction: number;
    /** Pins of the builder. */
    readonly pins: readonly AuthoredPin[];
    /** All held vertices. */
    readonly held: readonly number[];
    /** True if distances count from a skin. */
    readonly isSkinned: boolean;
    /** Vertices that are limited, and the bytes of the masks of all: see Distance. */
    readonly limited: readonly number[];
    readonly shades: Uint8Array;
    readonly depths: Uint8Array;
    /** Name of the mesh that is cloth, and its number among those of the name. */
    readonly mesh: string;
    readonly number: number;
    /** Names of the meshes that it meets, by their triangles or by capsules on their bones. */
    readonly colliders: readonly string[];
    readonly meets: Meets;
}

/** Parts of the cloth that the code of a document needs. */
export function knownOf(shown: Assembled, document: StudioDocument): Known {
    const { authored, mesh, met, meets, choices } = shown;
    const held = heldVertices(shown, document.pins);
    const bytes = readPaint(shown, document.distance?.paint ?? null);
    const limited = document.distance ? limitedVertices(distancesOf(shown, document.distance, bytes), held) : [];
    const shades = Uint8Array.from(shown.surface.siteOfVertex, (site) => bytes[site]);
    const deep = readPaint(shown, document.backstop?.paint ?? null);
    const depths = Uint8Array.from(shown.surface.siteOfVertex, (site) => deep[site]);
    const namesakes = mesh.getScene().meshes.filter(({ name }) => name === mesh.name);
    const number = choices.length > 0 ? namesakes.indexOf(mesh) : 0;
    return {
        direction: authored.direction,
        pins: authored.pins,
        held,
        isSkinned: isSkinned(mesh),
        limited,
        shades,
        depths,
        mesh: mesh.name,
        number,
        colliders: met,
        meets,
    };
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
    const code = form === "playground" ? online(source, statements) : typed(source, statements, names);
    return `${code}\n// The studio opens this file again by this line: ${toFragment(document)}\n`;
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
    document: StudioDocument,
    tuning: Tuning,
    names: Names,
    known: Known,
    form: CodeForm,
): string[] {
    const { source } = document;
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
        ...pinStatements(`${kind}.cloth`, known, document, form, names),
        ...solidStatements(`${kind}.cloth`, document, names),
        ...lookStatements(kind, tuning, names),
    ];
}

function fileStatements(
    file: string,
    document: StudioDocument,
    tuning: Tuning,
    names: Names,
    known: Known,
    form: CodeForm,
): string[] {
    const { direction, mesh, number, colliders, meets } = known;
    const { thickness } = Fabrics.cotton;
    const isTyped = form === "typescript";
    const find = (name: string): string => `scene.getMeshByName(${JSON.stringify(name)})`;
    const own = number > 0 ? `scene.meshes.filter(({ name }) => name === ${JSON.stringify(mesh)})[${number}]` : find(mesh);
    const met = colliders.map((name) => find(name) + (isTyped ? "!" : ""));
    const sources = meets === "capsules" ? met.map((each) => `...${names.ofCloth("Colliders")}.fromSkeleton(${each})`) : met;
    const fields = [
        ...settings(tuning, (fabric) => `{ ...${names.ofCloth("Fabrics")}.${fabric}, thickness: ${thickness} }`),
        ...airField(tuning, names, direction),
        ...(sources.length > 0 ? [`colliders: [${sources.join(", ")}]`] : []),
    ];
    return [
        `await ${names.ofCore("ImportMeshAsync")}(${JSON.stringify(file)}, scene); // where your page has the file`,
        `const mesh = ${own}${isTyped ? " as Mesh" : ""};`,
        `const cloth = new ${names.ofCloth("ClothBehavior")}({ ${fields.join(", ")} });`,
        ...pinStatements("cloth", known, document, form, names),
        ...solidStatements("cloth", document, names),
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

/** Solids that are added to what a cloth meets. */
function solidStatements(cloth: string, { solids }: StudioDocument, names: Names): string[] {
    return piecesOf(solids).flatMap((piece) => [...pieceStatements(piece, names), `${cloth}.addCollider(${piece.name});`]);
}

/** Fabric and options. @param named how a fabric is told by its name */
function settings(tuning: Tuning, named: (fabric: FabricName) => string): string[] {
    const { fabric, substepCount, selfCollision, tetherSlack } = tuning;
    return [
        ...(fabric === null ? [] : [`fabric: ${typeof fabric === "string" ? named(fabric) : fabricNumbers(fabric)}`]),
        ...(substepCount === null ? [] : [`substepCount: ${substepCount}`]),
        ...(selfCollision === null ? [] : [`selfCollision: ${JSON.stringify(selfCollision)}`]),
        ...(tetherSlack === null ? [] : [`tetherSlack: ${round(tetherSlack)}`]),
    ];
}

/** Most vertices that are listed by their numbers; more are a mask. */
const LISTED = 16;
/** Letters of a mask in a line. */
const MASK_LINE = 100;

/** Takes vertices from the builder's pins, adds others, and limits those that are painted so. */
function pinStatements(cloth: string, known: Known, document: StudioDocument, form: CodeForm, names: Names): string[] {
    const { source, distance } = document;
    const { held, limited, shades } = known;
    // Of a file, code makes the cloth, with all of its pins.
    const authored = "kind" in source ? known.pins : [];
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
        ...(known.isSkinned
            ? skinStatements(cloth, known, document)
            : limited.length > 0 && distance
              ? limitStatements(cloth, limited, shades, distance.reach, names)
              : []),
    ];
}

/** Distances from the skin, and into it: a byte for each vertex. */
function skinStatements(cloth: string, { shades, depths }: Known, { distance, backstop }: StudioDocument): string[] {
    const countOf = (bytes: Uint8Array): number => bytes.reduce((count, byte) => count + (byte > 0 ? 1 : 0), 0);
    const metres = (name: string, reach: number): string => `(${round(reach)} * (${name} - 1)) / 254`;
    return [
        ...(distance
            ? [
                  ...bytesStatements(
                      "shades",
                      shades,
                      `${countOf(shades)} vertices: 0 is free, 1 stays, 255 goes ${round(distance.reach)} m`,
                  ),
                  `${cloth}.maxDistance = Array.from(shades, (shade) => (shade === 0 ? ${FREE} : ${metres("shade", distance.reach)}));`,
              ]
            : []),
        ...(backstop
            ? [
                  ...bytesStatements(
                      "depths",
                      depths,
                      `${countOf(depths)} vertices: 0 has none, 255 goes ${round(backstop.reach)} m deep`,
                  ),
                  `${cloth}.backstop = {`,
                  `    distance: Array.from(depths, (depth) => (depth === 0 ? 0 : ${metres("depth", backstop.reach)})),`,
                  `    radius: Array.from(depths, (depth) => (depth === 0 ? 0 : ${BACKSTOP_RADIUS})),`,
                  "};",
              ]
            : []),
    ];
}

/** Vertices that may go as far as they are painted: a byte for each vertex. */
function limitStatements(cloth: string, limited: readonly number[], shades: Uint8Array, reach: number, names: Names): string[] {
    const only = new Set(limited);
    const bytes = shades.map((shade, vertex) => (only.has(vertex) ? shade : 0));
    return [
        ...bytesStatements("shades", bytes, `${limited.length} vertices: 0 is free, 1 stays, 255 goes ${round(reach)} m`),
        `const far = Array.from(shades, (shade) => (${round(reach)} * Math.max(0, shade - 1)) / 254);`,
        `${cloth}.pin((_, vertex) => shades[vertex] > 0, null, new ${names.ofCloth("MaxDistanceHold")}(far));`,
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
    const statements = bytesStatements(name, maskOf(vertices), `${vertices.length} vertices: a bit for each`);
    return { statements, select: `(_, vertex) => ${has} === 1`, test: `(vertex) => ${has} === ${isInverse ? 0 : 1}` };
}

/** Bytes as code, in base 64. */
function bytesStatements(name: string, bytes: Uint8Array, comment: string): string[] {
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const lines = text.match(new RegExp(`.{1,${MASK_LINE}}`, "g"))!;
    return [
        `const ${name} = Uint8Array.from( // ${comment}`,
        ...lines.map((line, i) => `    ${i === 0 ? "atob(" : "    "}"${line}"${i < lines.length - 1 ? " +" : "),"}`),
        "    (letter) => letter.charCodeAt(0),",
        ");",
    ];
}

/** Vertices as a bit each. */
function maskOf(vertices: readonly number[]): Uint8Array {
    const bytes = new Uint8Array((Math.max(...vertices) >> 3) + 1);
    for (const vertex of vertices) bytes[vertex >> 3] |= 1 << (vertex & 7);
    return bytes;
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
