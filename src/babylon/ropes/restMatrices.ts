import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { RestShape } from "../behaviors/bodyKind";

/** Rest shape of a chain, for files: the matrices of its links as they were authored. */
export class RestMatrices implements RestShape {
    private _beginCount = 0;

    /** @param drawn matrices that Babylon draws and writes to .babylon files; shape [linkCount, 16], as the authored ones */
    constructor(
        private readonly _mesh: Mesh,
        private readonly _authored: Float32Array,
        private readonly _drawn: Float32Array,
    ) {}

    /** glTF's exporter asks for matrices one by one. */
    begin(): void {
        if (this._beginCount++ > 0) return;
        const matrices = Array.from({ length: this._authored.length / 16 }, (_, k) => Matrix.FromArray(this._authored, 16 * k));
        this._mesh.thinInstanceGetWorldMatrices = () => matrices;
    }

    end(): void {
        if (--this._beginCount === 0) Reflect.deleteProperty(this._mesh, "thinInstanceGetWorldMatrices");
    }

    /** The array is drawn from at the next update only. */
    read<T>(run: () => T): T {
        const drawn = this._drawn.slice();
        this._drawn.set(this._authored);
        try {
            return run();
        } finally {
            this._drawn.set(drawn);
        }
    }
}
