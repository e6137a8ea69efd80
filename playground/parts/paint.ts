import * as BABYLON from "../babylon";

/** Gives the colour, red, green, blue and maybe alpha, each 0 to 1, at u and v. */
type Painter = (u: number, v: number) => number[];

/**
 * A texture painted by a function of u and v (both 0 to 1, v upwards) that gives red, green, blue and, where it is not 1,
 * alpha, each 0 to 1. It ends at its edges, so that one edge's colours do not bleed into the other; see {@link repeat}.
 */
export function paint(scene: BABYLON.Scene, width: number, height: number, colour: Painter) {
    const texels = mix(width, height, colour);
    const texture = BABYLON.RawTexture.CreateRGBATexture(
        texels,
        width,
        height,
        scene,
        true,
        false,
        BABYLON.Texture.TRILINEAR_SAMPLINGMODE,
    );
    texture.wrapU = texture.wrapV = BABYLON.Texture.CLAMP_ADDRESSMODE;
    texture.anisotropicFilteringLevel = 8;
    return texture;
}

/** Lays a texture side by side, so many times over u and over v. */
export function repeat(texture: BABYLON.Texture, timesU: number, timesV: number) {
    texture.wrapU = texture.wrapV = BABYLON.Texture.WRAP_ADDRESSMODE;
    texture.uScale = timesU;
    texture.vScale = timesV;
    return texture;
}

/** Texels, red, green, blue, alpha. Each averages two samples, apart in both directions, so that the edges of a pattern are smooth. */
function mix(width: number, height: number, colour: Painter) {
    const texels = new Uint8ClampedArray(4 * width * height);
    for (let y = 0, k = 0; y < height; y++) {
        for (let x = 0; x < width; x++, k += 4) {
            const one = colour((x + 0.25) / width, (y + 0.75) / height);
            const other = colour((x + 0.75) / width, (y + 0.25) / height);
            for (let c = 0; c < 4; c++) texels[k + c] = ((one[c] ?? 1) + (other[c] ?? 1)) * 127.5;
        }
    }
    return new Uint8Array(texels.buffer);
}

const colours = new Map<string, number[]>();

/** A colour "#rrggbb" as the three numbers, 0 to 1, that a painter returns. */
export function rgb(hex: string) {
    let colour = colours.get(hex);
    // Painters ask for each sample.
    if (!colour) colours.set(hex, (colour = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)));
    return colour;
}

/** A smooth random number, 0 to 1, over the plane; it repeats after `period` units in both directions. */
export function noise(x: number, y: number, period: number) {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const blend = (t: number) => t * t * (3 - 2 * t);
    const hash = (a: number, b: number) => {
        const value = Math.sin((a % period) * 127.1 + (b % period) * 311.7) * 43758.5453;
        return value - Math.floor(value);
    };
    const s = blend(x - i);
    const t = blend(y - j);
    const low = hash(i, j) * (1 - s) + hash(i + 1, j) * s;
    const high = hash(i, j + 1) * (1 - s) + hash(i + 1, j + 1) * s;
    return low * (1 - t) + high * t;
}
