/** Lossless encoding of numbers for JSON: arrays as little-endian bytes in base 64, Infinity as a string. */

/** @param array of 32- or 64-bit floats or 32-bit integers */
export function encodeBase64(array: Float32Array | Float64Array | Uint32Array): string {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = "";
    for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
    return btoa(text);
}

/** Decodes {@link encodeBase64}; null if the text is not valid. */
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

/** A number, or an object of numbers, with "Infinity" for Infinity, which JSON lacks. */
export function encodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, encodeNumbers) : value === Infinity ? "Infinity" : value;
}

/** Inverse of {@link encodeNumbers}. */
export function decodeNumbers(value: unknown): unknown {
    return isRecord(value) ? mapValues(value, decodeNumbers) : value === "Infinity" ? Infinity : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(record: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
