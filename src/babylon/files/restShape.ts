import type { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { BodyBinding, RestShape } from "../behaviors/bodyKind";
import type { GeometryOverride } from "../mesh/geometryOverride";

/** Rest shapes of geometries that are in a file being written. */
const shapes = new WeakMap<GeometryOverride, RestGeometry>();

/** The rest shape of what a body draws otherwise; null where there is none. */
export function restShapeOf({ restShape, override }: BodyBinding): RestShape | null {
    if (restShape || !override) return restShape ?? null;
    const all = override.all.map((part) => {
        let shape = shapes.get(part);
        if (!shape) shapes.set(part, (shape = new RestGeometry(part)));
        return shape;
    });
    if (all.length === 1) return all[0];
    return {
        begin: () => all.forEach((shape) => shape.begin()),
        end: () => all.forEach((shape) => shape.end()),
        read: (run) => all.reduce<typeof run>((inner, shape) => () => shape.read(inner), run)(),
    };
}

/** Methods of a geometry that take a kind of vertex data. */
const READERS = ["getVerticesData", "isVerticesDataPresent", "isVertexBufferUpdatable"] as const;

type Reader = (kind: string, ...options: unknown[]) => unknown;

/**
 * Has exporters read a cloth's geometry as the authored one. They may read it across many frames, in which it is drawn: so what `getVertexBuffers` gives draws
 * from the cloth's memory on the GPU, and holds the authored vertices for those who read it.
 */
class RestGeometry implements RestShape {
    private _beginCount = 0;
    private _readCount = 0;
    private _buffers: Record<string, VertexBuffer> | null = null;

    constructor(private readonly _override: GeometryOverride) {}

    begin(): void {
        if (this._beginCount++ > 0) return;
        const { own } = this._override;
        this._override.onRestore = () => this._release();
        if (this._override.isMorphed) this._cover();
        own.getVertexBuffers = () => (this._buffers ??= this._restBuffers());
        const { serializeVerticeData } = own;
        own.serializeVerticeData = () => this.read(() => serializeVerticeData.call(own) as unknown);
    }

    end(): void {
        if (--this._beginCount === 0) this._release();
    }

    read<T>(run: () => T): T {
        if (this._readCount++ === 0) this._cover();
        try {
            return run();
        } finally {
            // Of meshes with morph targets, exporters read vertices throughout.
            if (--this._readCount === 0 && !(this._override.isMorphed && this._beginCount > 0)) this._uncover();
        }
    }

    /** Gives the geometry all of its own methods back. */
    private _release(): void {
        this._uncover();
        for (const name of ["getVertexBuffers", "serializeVerticeData"]) Reflect.deleteProperty(this._override.own, name);
        this._override.onRestore = null;
        this._buffers = null;
    }

    private _cover(): void {
        const override = this._override;
        const own = override.own as unknown as Record<string, Reader>;
        for (const name of READERS) {
            const method = (Object.getPrototypeOf(own) as Record<string, Reader>)[name];
            own[name] = (kind, ...options) =>
                method.call(override.isAuthored(kind) ? override.authoredGeometry() : own, kind, ...options);
        }
    }

    private _uncover(): void {
        for (const name of READERS) Reflect.deleteProperty(this._override.own, name);
    }

    /** Views of the cloth's buffers with the authored vertices, and authored buffers of the kinds that the cloth leaves out. */
    private _restBuffers(): Record<string, VertexBuffer> {
        const { own } = this._override;
        const { getVertexBuffers } = Object.getPrototypeOf(own) as Geometry;
        const buffers = { ...(getVertexBuffers.call(own) as Record<string, VertexBuffer>) };
        const rest = this._override.authoredGeometry();
        for (const kind of rest.getVerticesDataKinds()) {
            if (!this._override.isAuthored(kind)) continue;
            const drawn = buffers[kind] as VertexBuffer | undefined;
            buffers[kind] = drawn ? withData(drawn, Float32Array.from(rest.getVerticesData(kind)!)) : rest.getVertexBuffer(kind)!;
        }
        return buffers;
    }
}

/** A buffer that draws what another draws, and holds other data for those who read it. */
function withData(buffer: VertexBuffer, data: Float32Array): VertexBuffer {
    const wrapper = Object.create(buffer.getWrapperBuffer(), { getData: { value: () => data } }) as object;
    return Object.create(buffer, { _buffer: { value: wrapper } }) as VertexBuffer;
}
