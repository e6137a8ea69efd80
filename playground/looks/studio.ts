import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent";
import * as BABYLON from "../babylon/looks";
import { noise, paint } from "./paint";
import { solid } from "./fabric";

/**
 * Sky, sun and camera around a scene. `view`: target [m], alpha and beta [radians] and radius [m] of the orbit camera;
 * `extent` [m]: size of what casts shadows; `sun`: the way its light goes. Returns the shadow generator.
 */
export function studio(scene: BABYLON.Scene, view: BABYLON.View) {
    const { target, alpha, beta, radius, extent, sun = [-0.5, -1, 0.65] } = view;
    const horizon = BABYLON.Color3.FromHexString("#d9e2e8");
    scene.clearColor = new BABYLON.Color4(horizon.r, horizon.g, horizon.b, 1);
    scene.fogMode = 2; // exponential, squared
    scene.fogDensity = 0.012;
    scene.fogColor = horizon;
    scene.imageProcessingConfiguration.toneMappingEnabled = true;
    scene.imageProcessingConfiguration.toneMappingType = BABYLON.ImageProcessingConfiguration.TONEMAPPING_KHR_PBR_NEUTRAL;
    raiseSky(scene, horizon);

    const camera = new BABYLON.ArcRotateCamera("camera", alpha, beta, radius, new BABYLON.Vector3(...target), scene);
    camera.minZ = 0.05;
    camera.maxZ = 500;
    camera.fov = 0.7;
    camera.wheelDeltaPercentage = 0.01;
    camera.lowerRadiusLimit = 0.3 * radius;
    camera.upperRadiusLimit = 3 * radius;
    camera.upperBetaLimit = 1.56;
    camera.attachControl(true);

    const heaven = new BABYLON.HemisphericLight("heaven", BABYLON.Vector3.Up(), scene);
    heaven.diffuse = BABYLON.Color3.FromHexString("#e3edf8");
    heaven.groundColor = BABYLON.Color3.FromHexString("#8d8578");
    heaven.specular = BABYLON.Color3.Black();
    heaven.intensity = 0.9;

    const sunlight = new BABYLON.DirectionalLight("sun", new BABYLON.Vector3(...sun).normalize(), scene);
    sunlight.diffuse = BABYLON.Color3.FromHexString("#fff1dc");
    sunlight.intensity = 3.2;
    sunlight.position = new BABYLON.Vector3(...target).subtract(sunlight.direction.scale(2 * extent));
    sunlight.shadowFrustumSize = extent;
    sunlight.autoCalcShadowZBounds = false;
    sunlight.shadowMinZ = 0;
    sunlight.shadowMaxZ = 4 * extent;

    const shadows = new BABYLON.ShadowGenerator(2048, sunlight);
    shadows.usePercentageCloserFiltering = true;
    shadows.bias = 0.002;
    shadows.normalBias = 0.01;
    return shadows;
}

/** A dome that pales towards the horizon; fog and image processing treat it as they treat the horizon's colour. */
function raiseSky(scene: BABYLON.Scene, horizon: BABYLON.Color3) {
    const zenith = BABYLON.Color3.FromHexString("#6f9fca");
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

/** Gives a floor of 200 by 200 m a material of softly mottled tiles, one metre each, and lets it receive shadows. */
export function pave(scene: BABYLON.Scene, floor: BABYLON.Mesh) {
    const material = solid(scene, "#ffffff", 0.9, 0);
    const tiles = paint(scene, 512, 512, (u, v) => {
        const x = (u * 4) % 1;
        const y = (v * 4) % 1;
        const joint = Math.min(x, y, 1 - x, 1 - y) < 0.008 ? 0.82 : 1;
        const shade = 0.95 + 0.06 * ((Math.floor(u * 4) * 3 + Math.floor(v * 4) * 5) % 4) / 3;
        const grain = 0.94 + 0.06 * noise(u * 64, v * 64, 64) + 0.05 * noise(u * 16, v * 16, 16);
        return [0.7, 0.675, 0.635].map((channel) => channel * joint * shade * grain);
    });
    tiles.uScale = tiles.vScale = 50;
    material.albedoTexture = tiles;
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
