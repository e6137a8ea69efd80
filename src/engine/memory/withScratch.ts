/**
 * Kernels for what is built once a cloth, in a memory of their own: what they leave behind goes with it, and the memory of running cloths
 * neither grows nor moves. In a page's first cloth nothing is compiled yet, and a loop in WebAssembly is as fast at once as one in
 * JavaScript becomes after some milliseconds.
 */
import { BlockLayout } from "../../kernels/arena";
import { getBuildKernels } from "../../kernels/pageKernels";
import type { Kernels } from "../../kernels/kernelTable";
import type { Struct, StructDeclaration } from "../../kernels/layout";
import { layoutStruct, writeDescriptor } from "../../kernels/structSchema";
import { PointCloudLayout } from "../../kernels/surfaceLayout";
import type { Affine } from "../math/affine";

/** Held while a cloth is built, and then until garbage is collected. */
let buildKernels: WeakRef<Kernels> | null = null;

/** A struct in the memory of builds, see {@link openScratch}. */
interface Scratch<D extends StructDeclaration> {
    readonly struct: Struct<D>;
    readonly kernels: Kernels;
    release(): void;
}

/**
 * Allocates a struct, zeroed, until it is released.
 * @param numbers the struct's numbers and flags
 * @throws RangeError when there is no memory left
 */
export function openScratch<D extends StructDeclaration>(declaration: D, numbers: Partial<Struct<D>>): Scratch<D> {
    let kernels = buildKernels?.deref();
    if (!kernels) {
        kernels = getBuildKernels();
        buildKernels = new WeakRef(kernels);
    }
    const struct = { ...numbers };
    const layout = new BlockLayout();
    layoutStruct(declaration, struct, layout);
    const block = kernels.arena.allocate(layout.byteLength, {
        relocate: (buffer, byteOffset) => layoutStruct(declaration, struct, new BlockLayout(buffer, byteOffset)),
    });
    writeDescriptor(declaration, struct);
    return { struct: struct as Struct<D>, kernels, release: () => block.release() };
}

/**
 * Allocates a struct, zeroed, for the time of a function, and gives what that returns.
 * @param build must not return the struct's views, but copies
 * @throws RangeError when there is no memory left
 */
export function withScratch<D extends StructDeclaration, Result>(
    declaration: D,
    numbers: Partial<Struct<D>>,
    build: (struct: Struct<D>, kernels: Kernels) => Result,
): Result {
    const scratch = openScratch(declaration, numbers);
    try {
        return build(scratch.struct, scratch.kernels);
    } finally {
        scratch.release();
    }
}

/** Many points mapped, and the box of what they were: smallest and largest coordinates, x y z each. @param points shape [n, 3] */
export function mapPointCloud(points: Float32Array, map: Affine): { mapped: Float32Array; box: Float64Array } {
    return withScratch(PointCloudLayout, { pointCount: points.length / 3 }, (cloud, kernels) => {
        cloud.points.set(points);
        cloud.map.set(map);
        kernels.mapPointCloud(cloud);
        return { mapped: cloud.mapped.slice(), box: cloud.box.slice() };
    });
}
