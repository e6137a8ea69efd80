/** Arrays of numbers as text for JSON: their bytes, little-endian, in base 64. All bits come back. */

/** @param array of 32- or 64-bit floats or 32-bit integers */
export function encodeBase64(array: Float32Array | Float64Array | Uint32Array): string {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = "";
    for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
    return btoa(text);
}

/** The bytes of a text; null where it is none of {@link encodeBase64}'s. */
export function decodeBase64(text: unknown): ArrayBuffer | null {
    if (typeof text !== "string") return null;
    try {
        const decoded = atob(text);
        if (decoded.length % 4 !== 0) return null;
        const bytes = new Uint8Array(decoded.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
        return bytes.buffer;
    } catch {
        return null;
    }
}

/** Numbers, also those of an object; one that JSON does not have is a text. */
export function encodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, encodeNumbers) : value === Infinity ? "Infinity" : value;
}

/** The way back. */
export function decodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, decodeNumbers) : value === "Infinity" ? Infinity : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(record: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
