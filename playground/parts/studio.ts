import * as BABYLON from "../babylon";
import { solid } from "./fabric";
import { frame } from "./framing";
import type { Box } from "./framing";
import { noise, paint, repeat, rgb } from "./paint";

/** Options of {@link studio}. */
interface View {
    /** Bounds that must always be visible. */
    boxes: Box[];
    /** Direction from which the camera looks, as in ArcRotateCamera [radians]. */
    alpha: number;
    beta: number;
    /** Size of what casts shadows [m]. */
    extent: number;
    /** The way of the sun's light. */
    sun?: [number, number, number];
    /** Colours of the sky. */
    horizon?: string;
    zenith?: string;
}

/** Sky, sun and camera around a scene. Returns the shadow generator. */
export function studio(scene: BABYLON.Scene, view: View) {
    const { boxes, alpha, beta, extent, sun = [-0.5, -1, 0.65] } = view;
    const horizon = BABYLON.Color3.FromHexString(view.horizon ?? "#d9e2e8");
    const zenith = BABYLON.Color3.FromHexString(view.zenith ?? "#6f9fca");
    scene.clearColor = new BABYLON.Color4(horizon.r, horizon.g, horizon.b, 1);
    scene.fogMode = 2; // exponential, squared
    scene.fogDensity = 0.012;
    scene.fogColor = horizon;
    scene.imageProcessingConfiguration.toneMappingEnabled = true;
    scene.imageProcessingConfiguration.toneMappingType = BABYLON.ImageProcessingConfiguration.TONEMAPPING_KHR_PBR_NEUTRAL;
    raiseSky(scene, horizon, zenith);

    const camera = new BABYLON.ArcRotateCamera("camera", alpha, beta, 10, BABYLON.Vector3.Zero(), scene);
    camera.minZ = 0.05;
    camera.maxZ = 500;
    camera.fov = 0.7;
    camera.wheelDeltaPercentage = 0.01;
    camera.upperBetaLimit = 1.56;
    camera.attachControl(true);
    frame(scene, camera, boxes);

    const heaven = new BABYLON.HemisphericLight("heaven", BABYLON.Vector3.Up(), scene);
    heaven.diffuse = BABYLON.Color3.FromHexString("#e3edf8");
    heaven.groundColor = BABYLON.Color3.FromHexString("#8d8578");
    heaven.specular = BABYLON.Color3.Black();
    heaven.intensity = 0.9;

    const sunlight = new BABYLON.DirectionalLight("sun", new BABYLON.Vector3(...sun).normalize(), scene);
    sunlight.diffuse = BABYLON.Color3.FromHexString("#fff1dc");
    sunlight.intensity = 3.2;
    sunlight.position = camera.target.subtract(sunlight.direction.scale(2 * extent));
    sunlight.shadowFrustumSize = extent;
    sunlight.autoCalcShadowZBounds = false;
    sunlight.shadowMinZ = 0;
    sunlight.shadowMaxZ = 4 * extent;

    // As fine as the picture: on a small canvas most of a large map would be drawn for nothing.
    const engine = scene.getEngine();
    const pixels = Math.max(engine.getRenderWidth(), engine.getRenderHeight());
    const shadows = new BABYLON.ShadowGenerator(Math.min(2048, 2 ** Math.ceil(Math.log2(pixels))), sunlight);
    shadows.usePercentageCloserFiltering = true;
    // A few centimetres of depth, along the light alone: along the normals it would lift a sheet that is lit from behind into its own shadow.
    shadows.bias = 0.03 / extent;
    return shadows;
}

/** A dome that pales towards the horizon; fog and image processing treat it as they treat the horizon's colour. */
function raiseSky(scene: BABYLON.Scene, horizon: BABYLON.Color3, zenith: BABYLON.Color3) {
    const dome = BABYLON.MeshBuilder.CreateSphere("sky", { diameter: 400, segments: 24, sideOrientation: 1 }, scene);
    const material = new BABYLON.StandardMaterial("sky", scene);
    material.disableLighting = true;
    material.fogEnabled = false;
    material.emissiveTexture = paint(scene, 4, 256, (u, v) => {
        const height = Math.max(0, Math.cos(v * Math.PI));
        const share = Math.pow(height, 0.6);
        return [horizon.r, horizon.g, horizon.b].map((from, i) => from + ([zenith.r, zenith.g, zenith.b][i] - from) * share);
    });
    material.diffuseColor = material.specularColor = BABYLON.Color3.Black();
    dome.material = material;
    dome.infiniteDistance = true;
    dome.isPickable = false;
}

/**
 * Lets a sky shine on all that is not plain, and be mirrored by it: a texture of six faces, painted by direction.
 * @param sun direction of its light
 */
export function shine(
    scene: BABYLON.Scene,
    colours: { zenith: string; horizon: string; ground: string; glow: string },
    sun: number[],
) {
    const size = 32;
    const [zenith, horizon, ground, glow] = [colours.zenith, colours.horizon, colours.ground, colours.glow].map(rgb);
    const toSun = new BABYLON.Vector3(-sun[0], -sun[1], -sun[2]).normalize();
    const faces = [0, 1, 2, 3, 4, 5].map((face) => {
        const texels = new Uint8Array(4 * size * size).fill(255);
        for (let k = 0; k < size * size; k++) {
            const [s, t] = [(k % size) + 0.5, Math.floor(k / size) + 0.5].map((x) => (2 * x) / size - 1);
            const [x, y, z] = [
                [1, -t, -s],
                [-1, -t, s],
                [s, 1, t],
                [s, -1, -t],
                [s, -t, 1],
                [-s, -t, -1],
            ][face];
            const way = new BABYLON.Vector3(x, y, z).normalize();
            const height = way.y;
            const near = Math.max(0, BABYLON.Vector3.Dot(way, toSun)) ** 12;
            for (let c = 0; c < 3; c++) {
                const air = horizon[c] + (zenith[c] - horizon[c]) * Math.max(0, height) ** 0.6;
                const base = height > 0 ? air : horizon[c] + (ground[c] - horizon[c]) * Math.min(1, -4 * height);
                texels[4 * k + c] = 255 * Math.min(1, base + near * glow[c]);
            }
        }
        return texels;
    });
    const sky = new BABYLON.RawCubeTexture(scene, faces, size, 5, 0, true, false, BABYLON.Texture.TRILINEAR_SAMPLINGMODE);
    sky.gammaSpace = true;
    scene.environmentTexture = sky;
    return sky;
}

/** Gives a floor of 200 by 200 m a material of softly mottled tiles, one metre each, and lets it receive shadows. */
export function applyTiles(scene: BABYLON.Scene, floor: BABYLON.Mesh) {
    const material = solid(scene, "#ffffff", 0.9, 0);
    const tiles = paint(scene, 512, 512, (u, v) => {
        const x = (u * 4) % 1;
        const y = (v * 4) % 1;
        const joint = Math.min(x, y, 1 - x, 1 - y) < 0.008 ? 0.82 : 1;
        const shade = 0.95 + (0.06 * ((Math.floor(u * 4) * 3 + Math.floor(v * 4) * 5) % 4)) / 3;
        const grain = 0.94 + 0.06 * noise(u * 64, v * 64, 64) + 0.05 * noise(u * 16, v * 16, 16);
        return [0.7, 0.675, 0.635].map((channel) => channel * joint * shade * grain);
    });
    material.albedoTexture = repeat(tiles, 50, 50);
    floor.material = material;
    floor.receiveShadows = true;
}

/** Lets meshes cast and receive shadows. */
export function shade(shadows: BABYLON.ShadowGenerator, meshes: BABYLON.Mesh[]) {
    for (const mesh of meshes) {
        shadows.addShadowCaster(mesh);
        mesh.receiveShadows = true;
    }
}
