import type { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { boolean, finite, reject } from "../../engine/index";
import { createBakedCopy } from "./bakedCopy";
import type { ClothRecording } from "./bakedCopy";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { makeFloatTexture, VertexAnimationPlugin } from "./vertexAnimationPlugin";

const OWNER = "VertexAnimation";
/** Widest row of a texture: what every WebGL 2 has, and half as wide. */
const MAX_TEXTURE_WIDTH = 1024;

/**
 * Plays a cloth's recording from textures of its vertices, by a plugin of a material: for what is far away and for crowds. It costs the processor
 * next to nothing and the graphics processor two or four texels a vertex.
 *
 *     const waving = new VertexAnimation(cloth, ClothBaker.record(cloth, 4));
 *
 * A texel has a vertex in a frame: x y z, mesh-local, in 32-bit floats. Vertices follow each other along rows, a frame takes
 * `rowsPerFrame` of them, and frame f begins in row f · rowsPerFrame. Frames between are mixed. The shaders of its material show it; what draws
 * depth with shaders of its own, as shadow maps do, shows the first frame.
 */
export class VertexAnimation {
    /** A copy of the cloth's mesh, which is no cloth, in a copy of its material. Its bounds hold all frames. */
    readonly mesh: Mesh;
    readonly positions: RawTexture;
    /** Null where the mesh has no normals. */
    readonly normals: RawTexture | null;
    readonly frameCount: number;
    readonly framesPerSecond: number;
    readonly rowsPerFrame: number;
    /** Texels in a row. */
    readonly width: number;
    private _time = 0;
    private _speed = 1;
    private _loop = true;

    /**
     * @param cloth whose mesh and material are copied
     * @param recording of ClothBaker.record, of the same mesh
     * @throws RangeError when it is no cloth, on no mesh, without a material, or the recording is of another mesh
     */
    constructor(cloth: ClothBehavior, recording: ClothRecording, name = "animated") {
        const mesh = (this.mesh = createBakedCopy(OWNER, cloth, recording, name));
        const { positions, normals, framesPerSecond } = recording;
        const material = mesh.material?.clone(name);
        if (!material) {
            mesh.dispose();
            reject(OWNER, "cloth", "on a mesh with a material that can be copied", mesh.material);
        }
        mesh.material = material;
        const scene = mesh.getScene();
        const vertexCount = mesh.getTotalVertices();
        this.frameCount = positions.length;
        this.framesPerSecond = framesPerSecond;
        this.rowsPerFrame = Math.ceil(vertexCount / MAX_TEXTURE_WIDTH);
        this.width = Math.ceil(vertexCount / this.rowsPerFrame);
        this.positions = this._textureOf(`${name} positions`, positions, scene);
        this.normals = normals.length > 0 ? this._textureOf(`${name} normals`, normals, scene) : null;
        new VertexAnimationPlugin(material, this);
        widenBounds(mesh, positions);
        const frames = scene.onBeforeRenderObservable.add(() => {
            this._time += (this._speed * scene.getEngine().getDeltaTime()) / 1000;
        });
        mesh.onDisposeObservable.addOnce(() => {
            scene.onBeforeRenderObservable.remove(frames);
            for (const texture of [this.positions, this.normals]) texture?.dispose();
            material.dispose();
        });
    }

    /** Playback time [s]; may be set, also below 0. It advances with the scene's frames. */
    get time(): number {
        return this._time;
    }
    set time(value: number) {
        this._time = finite(OWNER, "time", value);
    }

    /** Playback speed: 1 as recorded, 0 stopped, below 0 backwards. Default 1. */
    get speed(): number {
        return this._speed;
    }
    set speed(value: number) {
        this._speed = finite(OWNER, "speed", value);
    }

    /** True if the first frame follows the last, one frame later; false holds the ends. Default true. */
    get loop(): boolean {
        return this._loop;
    }
    set loop(value: boolean) {
        this._loop = boolean(OWNER, "loop", value);
    }

    /** The frame that is shown, with a fraction towards the next, in [0, frameCount). */
    get frame(): number {
        const { frameCount } = this;
        const frame = this._time * this.framesPerSecond;
        if (!this._loop) return Math.min(frameCount - 1, Math.max(0, frame));
        return frame - Math.floor(frame / frameCount) * frameCount;
    }

    /** Disposes of it with its mesh, material and textures. Idempotent. */
    dispose(): void {
        this.mesh.dispose();
    }

    private _textureOf(name: string, frames: readonly Float32Array[], scene: Scene): RawTexture {
        const { width, rowsPerFrame } = this;
        const texels = new Float32Array(4 * width * rowsPerFrame * frames.length);
        frames.forEach((rows, f) => {
            for (let q = 0, o = 4 * f * width * rowsPerFrame; q < rows.length; q += 3, o += 4)
                texels.set(rows.subarray(q, q + 3), o);
        });
        return makeFloatTexture(scene, name, width, rowsPerFrame * frames.length, texels);
    }
}

/** Widens a mesh's bounds to all of its frames. */
function widenBounds(mesh: Mesh, frames: readonly Float32Array[]): void {
    const { minimum, maximum } = mesh.getBoundingInfo();
    const [low, high] = [minimum.asArray(), maximum.asArray()];
    for (const rows of frames) {
        for (let q = 0; q < rows.length; q++) {
            low[q % 3] = Math.min(low[q % 3], rows[q]);
            high[q % 3] = Math.max(high[q % 3], rows[q]);
        }
    }
    const vectorOf = ([x, y, z]: number[]): Vector3 => minimum.clone().set(x, y, z);
    mesh.getBoundingInfo().reConstruct(vectorOf(low), vectorOf(high), mesh.computeWorldMatrix(true));
}
