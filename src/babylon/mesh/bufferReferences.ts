import type { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { DataBuffer } from "@babylonjs/core/Buffers/dataBuffer";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";

/** One of the authored vertex buffers. */
interface BufferReference {
    /** Buffer with the same data for a second geometry, which does not own it. */
    readonly shared: VertexBuffer;
    /** On which there is one reference more; another one after the graphics context was lost and came back. */
    readonly memory: DataBuffer | null;
}

/**
 * The vertex buffers of a geometry, held by one reference each, so that they live on in a second geometry even when the first
 * is disposed. Nothing is copied: what is written into them in place shows in both.
 */
export class BufferReferences {
    private readonly _references = new Map<string, BufferReference>();

    constructor(geometry: Geometry) {
        for (const kind of geometry.getVerticesDataKinds()) {
            const source = geometry.getVertexBuffer(kind)!;
            const memory = source.getBuffer();
            if (memory) memory.references++;
            this._references.set(kind, { shared: createView(source, false), memory });
        }
    }

    get kinds(): Iterable<string> {
        return this._references.keys();
    }

    /** A buffer to set in another geometry while it is held. */
    shared(kind: string): VertexBuffer | undefined {
        return this._references.get(kind)?.shared;
    }

    /** Sets a held buffer in a geometry of so many vertices, which keeps it. */
    transferTo(kind: string, geometry: Geometry, vertexCount: number): void {
        const buffer = createView(this.shared(kind)!, true);
        const memory = buffer.getBuffer();
        const references = memory?.references ?? 0;
        geometry.setVerticesBuffer(buffer, vertexCount);
        if (memory) memory.references = references + 1;
    }

    /** Lets all buffers go. Idempotent. */
    release(): void {
        for (const { shared, memory } of this._references.values()) {
            const buffer = shared.getWrapperBuffer();
            if (memory && memory === buffer.getBuffer() && !shared.engine.isDisposed) buffer.dispose();
        }
        this._references.clear();
    }
}

/** Another view of the same data. */
function createView(source: VertexBuffer, takeBufferOwnership: boolean): VertexBuffer {
    const { constructor } = source as unknown as { constructor: typeof VertexBuffer };
    return new constructor(source.engine, source.getWrapperBuffer(), source.getKind(), {
        updatable: source.isUpdatable(),
        stride: source.byteStride,
        offset: source.byteOffset,
        size: source.getSize(),
        type: source.type,
        normalized: source.normalized,
        instanced: source.getIsInstanced(),
        divisor: source.getInstanceDivisor(),
        useBytes: true,
        takeBufferOwnership,
    });
}

/** Moves a vertex buffer from one geometry to another, in place of what that one has of the kind. */
export function moveBuffer(kind: string, from: Geometry, to: Geometry): void {
    const buffers = from.getVertexBuffers() as Record<string, VertexBuffer>;
    const buffer = buffers[kind];
    delete buffers[kind];
    const memory = buffer.getBuffer();
    const references = memory?.references ?? 0;
    to.setVerticesBuffer(buffer);
    if (memory) memory.references = references;
}
