/** Documents under names: a small library, and the user's own, which the browser keeps. */
import { newDocument } from "./document";
import type { StudioDocument, Tuning } from "./document";
import type { KindName } from "./kinds";
import { fromFragment, toFragment } from "./share";

/** Entry of the browser's storage: fragments by name. */
const STORED = "babylon-cloth studio presets";

function preset(kind: KindName, options: Readonly<Record<string, number>>, tuning: Partial<Tuning>): StudioDocument {
    const plain = newDocument(kind);
    return { ...plain, source: { kind, options }, a: { ...plain.a, ...tuning } };
}

/** The library. */
export const LIBRARY: Readonly<Record<string, StudioDocument>> = {
    "School flag": preset(
        "flag",
        { width: 1.5, height: 0.9 },
        { fabric: "cotton", look: "cotton", colour: "#1f5f9e", wind: "lightBreeze" },
    ),
    "Silk scarf": preset(
        "banner",
        { width: 1.6, height: 0.4, slack: 0.3 },
        { fabric: "silk", look: "silk", colour: "#8f2f6b", wind: "lightBreeze" },
    ),
    "Theatre curtain": preset(
        "curtain",
        { width: 3, height: 4, pleats: 12, fullness: 2.5 },
        { fabric: "wool", look: "wool", colour: "#6d1420", wind: "still" },
    ),
    "Lace curtain": preset(
        "curtain",
        { width: 1.5, height: 2, pleats: 10, fullness: 1.8 },
        { fabric: "chiffon", look: "chiffon", colour: "#f5f1e8", wind: "lightBreeze" },
    ),
    Sail: preset("sail", { width: 2.5, height: 4 }, { fabric: "canvas", look: "canvas", colour: "#efe9da", wind: "breeze" }),
    Awning: preset("awning", { width: 3, height: 1.5 }, { fabric: "canvas", look: "canvas", colour: "#3f7a5a", wind: "breeze" }),
    "Wet cloth": preset(
        "tablecloth",
        { size: 1.5 },
        {
            fabric: { arealDensity: 0.6, bendStiffness: 2e-6, damping: 2, friction: 0.9 },
            look: "cotton",
            colour: "#7c8a92",
            wind: "still",
        },
    ),
    Cape: preset("cape", { width: 0.45, height: 1.2, flare: 2 }, { fabric: "wool", look: "wool", colour: "#5a2338" }),
};

/** The user's own presets by name; damaged ones are left out. */
export function ownPresets(): Record<string, StudioDocument> {
    const presets: Record<string, StudioDocument> = {};
    for (const [name, fragment] of Object.entries(stored())) {
        try {
            presets[name] = fromFragment(fragment)!;
        } catch {
            // Of another version, or not whole.
        }
    }
    return presets;
}

/** Keeps a document under a name, or forgets the name. @throws Error where the browser keeps nothing */
export function keepPreset(name: string, document: StudioDocument | null): void {
    const { [name]: _, ...others } = stored();
    const all = document ? { ...others, [name]: toFragment(document) } : others;
    try {
        localStorage.setItem(STORED, JSON.stringify(all));
    } catch {
        throw new Error("The browser keeps no presets here: Share or Export keeps them, too");
    }
}

function stored(): Record<string, string> {
    try {
        return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, string>;
    } catch {
        return {};
    }
}
