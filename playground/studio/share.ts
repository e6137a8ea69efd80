/** A document as a short text, JSON, deflated, in the letters of URLs: for links, and in what is exported. */
import { strFromU8, strToU8 } from "fflate";
import type { Fabric } from "babylon-cloth";
import { checkDocument, checkTuning, documentOfFile, pinsOfVertices } from "./document";
import type { StudioDocument, Tuning } from "./document";
import { decode, encode } from "./surface";

/** Marks the text in a link's fragment, and its version. */
const MARK = "#1=";

/** The fragment of a link that opens the document. */
export function toFragment(document: StudioDocument): string {
    return MARK + encode(strToU8(JSON.stringify(document, infinityOut)));
}

/**
 * The document of a link's fragment; null where the link has none.
 * @throws Error where it is damaged, or of another version
 */
export function fromFragment(fragment: string): StudioDocument | null {
    if (fragment.length < 2) return null;
    if (!fragment.startsWith(MARK)) throw new Error("The link is of another version of the studio");
    let text;
    try {
        text = strFromU8(decode(fragment.slice(MARK.length)));
    } catch {
        throw new Error("The link is damaged: is it whole?");
    }
    return checkDocument(JSON.parse(text, infinityIn));
}

/** JSON has no Infinity. */
function infinityOut(_: string, value: unknown): unknown {
    return value === Infinity ? "Infinity" : value;
}

function infinityIn(_: string, value: unknown): unknown {
    return value === "Infinity" ? Infinity : value;
}

/** A document in a text: a link, code, or JSON that the studio has exported. */
const MARKED = /#1=[\w-]+/;

/** Entry of the studio in the extras of JSON and .glb files. */
export const EXTRA = "studio";

/**
 * The document of a text: a link, or code or JSON that the studio has exported; of other JSON of a cloth, its settings and pins for the source that
 * is open.
 * @throws Error where it has neither
 */
export function readText(name: string, text: string, present: StudioDocument): StudioDocument {
    const marked = MARKED.exec(text);
    if (marked) return fromFragment(marked[0])!;
    let data;
    try {
        data = JSON.parse(text) as ClothJson;
    } catch {
        throw new Error(`${name} holds no cloth: drop a model, a link, or what the studio has exported`);
    }
    if (data?.format !== "babylon-cloth") throw new Error(`${name} holds no cloth: its format is not "babylon-cloth"`);
    const vertices = (data.pins ?? []).flatMap((pin) => [...pin.vertices]);
    return { ...present, pins: pinsOfVertices(vertices), a: { ...present.a, ...tuningOf(data) }, b: null };
}

/** The document of a glTF's JSON: the studio's own, or the settings of the first cloth in it. */
export function documentOfModel(file: string, json: Record<string, unknown>): StudioDocument {
    const { asset, nodes = [] } = json as GltfJson;
    const own = asset?.extras?.[EXTRA];
    if (typeof own === "string") {
        const document = fromFragment(own)!;
        const { source } = document;
        return "file" in source ? { ...document, source: { ...source, file } } : document;
    }
    const cloth = nodes.find(({ extras }) => extras?.cloth?.format === "babylon-cloth")?.extras!.cloth;
    return cloth ? documentOfFile(file, { wind: tuningOf(cloth).wind }) : documentOfFile(file);
}

interface ClothJson {
    readonly format?: string;
    readonly options?: {
        readonly fabric?: string | Fabric;
        readonly wind?: { readonly velocity?: readonly number[]; readonly turbulence?: number } | null;
        readonly substepCount?: number;
        readonly selfCollision?: Tuning["selfCollision"];
        readonly tetherSlack?: number;
    };
    readonly pins?: readonly { readonly vertices: readonly number[] }[];
}

interface GltfJson {
    readonly asset?: { readonly extras?: Record<string, unknown> };
    readonly nodes?: readonly { readonly extras?: { readonly cloth?: ClothJson } }[];
}

/** Settings of a cloth as a tuning. */
function tuningOf({ options = {} }: ClothJson): Partial<Tuning> {
    const given = JSON.parse(JSON.stringify(options), infinityIn) as typeof options;
    const { fabric = "cotton", wind, substepCount = null, selfCollision = null, tetherSlack = null } = given;
    const [x = 0, , z = 0] = wind?.velocity ?? [];
    const air = { speed: Math.hypot(x, z), direction: (Math.atan2(z, x) * 180) / Math.PI, turbulence: wind?.turbulence ?? 0 };
    const tuning = {
        fabric,
        wind: wind && air.speed > 0 ? air : "still",
        substepCount,
        selfCollision,
        tetherSlack,
    } as Partial<Tuning>;
    checkTuning("a", { look: null, colour: null, ...tuning });
    return tuning;
}
