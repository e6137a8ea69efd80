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
