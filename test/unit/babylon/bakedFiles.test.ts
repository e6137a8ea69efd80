// Baked motion in a GLB: what was recorded, in plain Babylon and in three.js.
import "@babylonjs/core/Animations/animatable";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { AnimationMixer } from "three";
import type { Mesh as ThreeMesh } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { ClothBaker, ClothBehavior, Wind, select } from "babylon-cloth";
import type { ClothRecording } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { difference, disposeWorlds, FRAME, makeSquare, makeWorld, toWorld } from "./harness";

afterEach(disposeWorlds);

const SECONDS = 2;

/** A flag of 1.5 m that was baked and exported; the flag itself is not in the file. */
async function bakeFlag(rightHanded: boolean): Promise<{ bytes: Uint8Array; recording: ClothRecording; world: Float64Array[] }> {
    const { scene, frame } = makeWorld({ rightHanded });
    const mesh = makeSquare(scene, 6, "flag");
    mesh.scaling.setAll(1.5);
    mesh.position.set(2, 1, 0);
    mesh.rotation.y = 0.4;
    mesh.material = new PBRMaterial("material", scene);
    const cloth = new ClothBehavior({
        pins: [{ select: select.edge("-x") }],
        wind: new Wind({ velocity: new Vector3(4, 0, 1), seed: 2 }),
    });
    mesh.addBehavior(cloth);
    frame(FRAME, 30);
    const recording = ClothBaker.record(cloth, SECONDS);
    const world = recording.positions.map((positions) => toWorld(mesh, positions));
    ClothBaker.toMorphTargets(cloth, recording);
    mesh.dispose();
    const { files } = await GLTF2Export.GLBAsync(scene, "flag");
    return { bytes: new Uint8Array(await (files["flag.glb"] as Blob).arrayBuffer()), recording, world };
}

/** Positions half a frame after each. */
function half(frames: readonly Float64Array[], f: number): Float64Array {
    return frames[f].map((x, i) => (x + frames[f + 1][i]) / 2);
}

test.each([false, true])("in plain Babylon (right-handed: %s)", async (rightHanded) => {
    const { bytes, recording, world } = await bakeFlag(rightHanded);
    const { scene, frame } = makeWorld({ rightHanded });
    const { meshes, animationGroups } = await ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });
    const mesh = meshes.find(({ morphTargetManager }) => morphTargetManager) as Mesh;
    const [group] = animationGroups;
    const [{ animation }] = group.targetedAnimations;
    expect((group.to - group.from) / animation.framePerSecond).toBeCloseTo(SECONDS, 5);
    group.start(true);
    group.pause();
    const drawnAt = (seconds: number) => {
        group.goToFrame(seconds * animation.framePerSecond);
        frame(0);
        return toWorld(mesh, mesh.getPositionData(false, true)!);
    };
    for (let f = 0; f < world.length; f++) {
        expect([f, difference(drawnAt(f / recording.framesPerSecond), world[f]) < 1e-3]).toEqual([f, true]);
    }
    expect(difference(drawnAt(10.5 / recording.framesPerSecond), half(world, 10))).toBeLessThan(1e-3);
});

test("in three.js' loader", async () => {
    const { bytes, recording, world } = await bakeFlag(false);
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer as ArrayBuffer, "");
    let flag: ThreeMesh | undefined;
    scene.traverse((node) => {
        if ((node as ThreeMesh).morphTargetInfluences) flag = node as ThreeMesh;
    });
    const mesh = flag!;
    expect(animations).toHaveLength(1);
    expect(animations[0].duration).toBeCloseTo(SECONDS, 5);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]).play();
    /** World positions in the axes of the scene that was written: glTF mirrors x. */
    const drawnAt = (seconds: number) => {
        mixer.setTime(seconds);
        scene.updateMatrixWorld(true);
        const point = mesh.position.clone();
        const points: number[] = [];
        for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
            mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
            points.push(-point.x, point.y, point.z);
        }
        return points;
    };
    // At the very end the clip begins anew.
    for (let f = 0; f < world.length - 1; f++) {
        expect([f, difference(drawnAt(f / recording.framesPerSecond), world[f]) < 1e-3]).toEqual([f, true]);
    }
    expect(difference(drawnAt(10.5 / recording.framesPerSecond), half(world, 10))).toBeLessThan(1e-3);
});
