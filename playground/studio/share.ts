/** A document as a short text for links: JSON, deflated, in the letters of URLs. */
import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { checkDocument } from "./document";
import type { StudioDocument } from "./document";

/** Marks the text in a link's fragment, and its version. */
const MARK = "#1=";

/** The fragment of a link that opens the document. */
export function toFragment(document: StudioDocument): string {
    const bytes = deflateSync(strToU8(JSON.stringify(document, infinityOut)), { level: 9 });
    const letters = btoa(strFromU8(bytes, true));
    return MARK + letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
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
        const letters = fragment.slice(MARK.length).replace(/-/g, "+").replace(/_/g, "/");
        text = strFromU8(inflateSync(strToU8(atob(letters), true)));
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
