/** Field types of struct declarations, see layout.ts. */
import type { BlockLayout } from "./arena";

/** Another struct, by the name of its type: its descriptor's address. */
export const struct = <T>(name: string) =>
    ({ type: "struct", name }) as { readonly type: "struct"; readonly name: string; readonly of?: T };

/** A field of a struct. The shape of an array: numbers, and names of the struct's own numbers and flags (1 or 0). */
type Field =
    | { readonly type: "f32" | "u32" | "f64"; readonly shape: readonly (string | number)[] }
    | { readonly type: "alias"; readonly of: string }
    | { readonly type: "count" | "flag" }
    | { readonly type: "struct"; readonly name: string };

/** A struct as it is declared here. */
export type StructDeclaration = Readonly<Record<string, Field>>;

type Value<F> = F extends { type: "f32" | "alias" }
    ? Float32Array
    : F extends { type: "u32" }
      ? Uint32Array
      : F extends { type: "f64" }
        ? Float64Array
        : F extends { type: "flag" }
          ? boolean
          : F extends { type: "struct"; of?: infer T }
            ? T
            : number;
type Number<F> = F extends { type: "count" | "flag" } ? true : false;

/** TypeScript side of a struct: its arrays and numbers, and their descriptor. */
export type Struct<D> = {
    readonly [K in keyof D as Number<D[K]> extends true ? K : never]: Value<D[K]>;
} & {
    [K in keyof D as Number<D[K]> extends true ? never : K]: Value<D[K]>;
} & {
    /** Numbers, and addresses of the arrays (byte offsets in the arena), in the order of the declaration; its own address is what kernels receive. */
    descriptor: Uint32Array;
};

export const count = { type: "count" } as const;
export const flag = { type: "flag" } as const;
export const floats = (...shape: (string | number)[]) => ({ type: "f32", shape }) as const;
export const integers = (...shape: (string | number)[]) => ({ type: "u32", shape }) as const;
export const doubles = (...shape: (string | number)[]) => ({ type: "f64", shape }) as const;
/** The memory of an array of integers, as floats. */
export const asFloats = (of: string) => ({ type: "alias", of }) as const;

/** No particle, no group, no triangle: value of an index that refers to nothing. */
export const NONE = 0xffffffff;

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
