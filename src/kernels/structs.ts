import type { BlockLayout } from "./arena";
import type { StructDeclaration } from "./layout";

type Fields = Record<string, unknown>;

/**
 * Cuts a struct's descriptor and arrays from a block, in the order of the declaration; call it again when the block has moved.
 * @param target has the struct's numbers and flags; gets the views
 * @param owned names of the arrays that the target owns; left out: all
 */
export function layoutStruct(
    declaration: StructDeclaration,
    target: object,
    layout: BlockLayout,
    owned: readonly string[] = Object.keys(declaration),
): void {
    const fields = target as Fields;
    fields.descriptor = layout.uint32(Object.keys(declaration).length);
    for (const name of owned) {
        const field = declaration[name];
        if (field.type === "f32") fields[name] = layout.float32(lengthOf(field.shape, fields));
        else if (field.type === "u32") fields[name] = layout.uint32(lengthOf(field.shape, fields));
        else if (field.type === "f64") fields[name] = layout.float64(lengthOf(field.shape, fields));
        else if (field.type === "alias") {
            const { buffer, byteOffset, length } = fields[field.of] as Uint32Array;
            fields[name] = new Float32Array(buffer, byteOffset, length);
        }
    }
}

/**
 * Writes a struct's descriptor: once it is allocated, and again where its numbers change or an array is another. It holds
 * byte offsets, which stay when the arena grows.
 */
export function writeDescriptor(declaration: StructDeclaration, target: object): void {
    const fields = target as Fields;
    const { descriptor } = fields as { descriptor: Uint32Array };
    Object.keys(declaration).forEach((name, i) => {
        const value = fields[name];
        if (ArrayBuffer.isView(value)) descriptor[i] = value.byteOffset;
        else if (typeof value === "object") descriptor[i] = (value as { descriptor: Uint32Array }).descriptor.byteOffset;
        else descriptor[i] = Number(value);
    });
}

/** Product of a shape, with the numbers and flags that it names. */
function lengthOf(shape: readonly (string | number)[], fields: Fields): number {
    return shape.reduce<number>((product, size) => product * Number(typeof size === "string" ? fields[size] : size), 1);
}
