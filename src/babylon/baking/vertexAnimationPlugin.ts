/** Babylon's classes that a vertex animation needs: a texture of numbers, and code in a material's vertex shader. */
import { MaterialPluginBase } from "@babylonjs/core/Materials/materialPluginBase";
import type { Material } from "@babylonjs/core/Materials/material";
import type { UniformBuffer } from "@babylonjs/core/Materials/uniformBuffer";
import type { BaseTexture } from "@babylonjs/core/Materials/Textures/baseTexture";
import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
import type { Scene } from "@babylonjs/core/scene";

const NAME = "ClothVertexAnimation";
/** After what Babylon's own plugins do. */
const PRIORITY = 200;
/** Constants of Babylon's textures. */
const FLOAT = 1;
const NEAREST = 1;

/** Frames in textures, and which of them is shown; see VertexAnimation. */
export interface PlayedFrames {
    readonly frame: number;
    readonly frameCount: number;
    readonly rowsPerFrame: number;
    readonly width: number;
    readonly positions: RawTexture;
    readonly normals: RawTexture | null;
}

/** A texture of 32-bit floats, looked up texel by texel. @param texels red, green, blue and alpha of each, row by row */
export function makeFloatTexture(scene: Scene, name: string, width: number, height: number, texels: Float32Array): RawTexture {
    const texture = RawTexture.CreateRGBATexture(texels, width, height, scene, false, false, NEAREST, FLOAT);
    texture.name = name;
    return texture;
}

/** Shows frames of vertices in the place of a mesh's own. */
export class VertexAnimationPlugin extends MaterialPluginBase {
    constructor(
        material: Material,
        private readonly _frames: PlayedFrames,
    ) {
        super(material, NAME, PRIORITY, undefined, true, true);
        // A file of the material would ask for this class.
        this.doNotSerialize = true;
    }

    override getClassName(): string {
        return NAME;
    }

    override getSamplers(samplers: string[]): void {
        samplers.push("clothPositions", "clothNormals");
    }

    override getActiveTextures(textures: BaseTexture[]): void {
        const { positions, normals } = this._frames;
        textures.push(positions, ...(normals ? [normals] : []));
    }

    override getUniforms(): { ubo: { name: string; size: number; type: string }[]; vertex: string } {
        return { ubo: [{ name: "clothPlay", size: 4, type: "vec4" }], vertex: "uniform vec4 clothPlay;" };
    }

    override bindForSubMesh(uniforms: UniformBuffer): void {
        const { frame, frameCount, rowsPerFrame, width, positions, normals } = this._frames;
        uniforms.updateFloat4("clothPlay", frame, frameCount, rowsPerFrame, width);
        uniforms.setTexture("clothPositions", positions);
        uniforms.setTexture("clothNormals", normals ?? positions);
    }

    override getCustomCode(shaderType: string): Record<string, string> | null {
        if (shaderType !== "vertex") return null;
        return {
            CUSTOM_VERTEX_DEFINITIONS: `
                uniform highp sampler2D clothPositions;
                uniform highp sampler2D clothNormals;
                vec3 clothTexel(highp sampler2D rows, int frame) {
                    int row = frame * int(clothPlay.z) + gl_VertexID / int(clothPlay.w);
                    return texelFetch(rows, ivec2(gl_VertexID % int(clothPlay.w), row), 0).xyz;
                }
                vec3 clothNow(highp sampler2D rows) {
                    int count = int(clothPlay.y);
                    int frame = min(int(clothPlay.x), count - 1);
                    return mix(clothTexel(rows, frame), clothTexel(rows, (frame + 1) % count), clothPlay.x - float(frame));
                }`,
            CUSTOM_VERTEX_UPDATE_POSITION: "positionUpdated = clothNow(clothPositions);",
            CUSTOM_VERTEX_UPDATE_NORMAL: `
                #ifdef NORMAL
                normalUpdated = normalize(clothNow(clothNormals));
                #endif`,
        };
    }
}
