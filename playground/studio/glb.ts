/** The JSON of a binary glTF file, and the studio's document in it. */
const [MAGIC, JSON_CHUNK] = [0x46546c67, 0x4e4f534a];
const HEADER = 20;

/** The JSON of a .glb. @throws Error that says what is wrong with it */
export function jsonOfGlb(bytes: Uint8Array): Record<string, unknown> {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("it is no .glb file");
    if (view.getUint32(4, true) !== 2) throw new Error(`it is glTF of version ${view.getUint32(4, true)}; 2 is read`);
    const length = view.getUint32(12, true);
    if (view.getUint32(8, true) > bytes.length || HEADER + length > bytes.length) throw new Error("it is cut off");
    if (view.getUint32(16, true) !== JSON_CHUNK) throw new Error("it begins without its JSON");
    try {
        return JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER, HEADER + length))) as Record<string, unknown>;
    } catch {
        throw new Error("its JSON is damaged");
    }
}

/** A .glb with an entry of its own in the extras of its asset. */
export function withAssetExtra(glb: Uint8Array, name: string, value: string): Uint8Array {
    const json = jsonOfGlb(glb) as { asset: { extras?: object } };
    json.asset.extras = { ...json.asset.extras, [name]: value };
    let text = JSON.stringify(json);
    while (new TextEncoder().encode(text).length % 4 !== 0) text += " ";
    const chunk = new TextEncoder().encode(text);
    const rest = glb.subarray(HEADER + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true));
    const bytes = new Uint8Array(HEADER + chunk.length + rest.length);
    const view = new DataView(bytes.buffer);
    [MAGIC, 2, bytes.length, chunk.length, JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
    bytes.set(chunk, HEADER);
    bytes.set(rest, HEADER + chunk.length);
    return bytes;
}
