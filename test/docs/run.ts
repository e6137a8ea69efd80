/**
 * Runs the programs of the documentation under a NullEngine and prints what came of them, as JSON by name. Plain Node, since all of
 * @babylonjs/core takes long in a test's context:
 *
 *     node --import ./.ci/ts.mjs test/docs/run.ts <folder of the programs>
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
    Bone,
    EngineStore,
    FreeCamera,
    Logger,
    Matrix,
    MeshBuilder,
    NullEngine,
    PBRMaterial,
    Quaternion,
    Scene,
    Skeleton,
    TransformNode,
    Vector3,
} from "@babylonjs/core";
import type { Mesh } from "@babylonjs/core";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { Fabrics, select } from "babylon-cloth";
import type { ClothBehavior } from "babylon-cloth";
import "../parts";
import { makeHumanoid, rigs } from "../unit/babylon/humanoids";

Logger.LogLevels = Logger.ErrorLogLevel;
const folder = resolve(process.argv[2]);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the programs have types of their own; programs.test.ts checks them
const load = (name: string): Promise<any> => import(pathToFileURL(`${folder}/${name}.ts`).href);

function makeScene(): Scene {
    const engine = new NullEngine();
    engine.getDeltaTime = () => 1000 / 60;
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -5), scene);
    return scene;
}

function run(scene: Scene, seconds: number, before?: (time: number) => void): void {
    for (let frame = 1; frame <= Math.round(seconds * 60); frame++) {
        before?.(frame / 60);
        scene.render();
    }
}

/** World positions of a cloth's particles. */
function pointsOf(cloth: ClothBehavior): Vector3[] {
    const x = cloth.getParticlePositions();
    if (!x.every(Number.isFinite)) throw new Error("non-finite particles");
    return Array.from({ length: cloth.particleCount }, (_, i) => Vector3.FromArray(x, 3 * i));
}

const measure = (cloth: ClothBehavior) => {
    const points = pointsOf(cloth);
    const extent = (axis: "x" | "y" | "z") =>
        points.map((p) => p[axis]).reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
    return { count: points.length, stretch: cloth.stats.meanStretch, x: extent("x"), y: extent("y"), z: extent("z") };
};

/** How deep the deepest particle is in a unit sphere under a mesh's world matrix, 0 at the surface, 1 at the centre. */
function depthIn(mesh: Mesh, cloth: ClothBehavior): number {
    const half = mesh.getRawBoundingInfo().boundingBox.extendSize;
    const inverse = mesh.computeWorldMatrix(true).clone().invert();
    return Math.max(...pointsOf(cloth).map((p) => 1 - Vector3.TransformCoordinates(p, inverse).divide(half).length()));
}

const programs: Record<string, () => Promise<unknown>> = {
    async quickstart() {
        const canvas = { addEventListener() {}, removeEventListener() {}, setAttribute() {}, style: {} };
        Object.assign(globalThis, { document: { querySelector: () => canvas }, window: { addEventListener() {} } });
        await load("quickstart");
        Object.assign(globalThis, { document: undefined, window: undefined });
        const engine = EngineStore.LastCreatedEngine!;
        const scene = EngineStore.LastCreatedScene!;
        engine.stopRenderLoop();
        engine.getDeltaTime = () => 1000 / 60;
        const flag = scene.getMeshByName("flag") as Mesh;
        const cloth = flag.getBehaviorByName("Cloth") as ClothBehavior;
        const before = measure(cloth);
        run(scene, 3);
        const ball = scene.getMeshByName("ball") as Mesh;
        return {
            before,
            after: measure(cloth),
            depth: depthIn(ball, cloth),
            distance: Math.min(...pointsOf(cloth).map((p) => Vector3.Distance(p, ball.position))),
            material: [flag.material!.backFaceCulling, (flag.material as { twoSidedLighting?: boolean }).twoSidedLighting],
            camera: scene.activeCamera!.name,
            lights: scene.lights.length,
        };
    },

    async cape() {
        const { wearCape } = await load("cape");
        const scene = makeScene();
        const character = MeshBuilder.CreateBox("character", { size: 0.1 }, scene);
        const skeleton = new Skeleton("skeleton", "skeleton", scene);
        const hip = new Bone("hip", skeleton, null, Matrix.Translation(0, 1, 0));
        const spine = new Bone("spine", skeleton, hip, Matrix.Translation(0, 0.4, 0));
        character.skeleton = skeleton;
        const { cape, cloth } = wearCape(character, skeleton, scene);
        run(scene, 1);
        const standing = measure(cloth);
        // Walks two metres to the left and to the front, turning, and bends a little.
        run(scene, 2, (time) => {
            character.position.set(-time, 0, time);
            character.rotation.y = 0.5 * time;
            spine.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Right(), 0.1 * time));
        });
        const parts = ["torso", "hips"].map((name) => depthIn(scene.getMeshByName(name) as Mesh, cloth));
        const pins = cloth.pins.map((pin: { particleCount: number }) => pin.particleCount);
        // Where the bone has the upper edge's left end.
        const boneWorld = spine.getAbsoluteMatrix().multiply(character.computeWorldMatrix(true));
        const atRest = Vector3.TransformCoordinates(new Vector3(-0.25, 1.47, -0.2).subtract(new Vector3(0, 1.4, 0)), boneWorld);
        const nearest = Math.min(...pointsOf(cloth).map((p) => Vector3.Distance(p, atRest)));
        return { standing, walked: measure(cloth), parts, pins, nearest, isTwoSided: !cape.material.backFaceCulling };
    },

    async garments() {
        const { hangCape, wearSkirt, wearCoat, wearScarf, wearTabard } = await load("garments");
        const scene = makeScene();
        const { mesh: hero, skeleton, bones } = makeHumanoid(scene, rigs.Mixamo);
        /** Rows of a tube about the hips, from a height to another, skinned to the hips. */
        const tube = (name: string, from: number, to: number, radius: number): Mesh => {
            const path = Array.from({ length: 15 }, (_, j) => new Vector3(0, from + ((to - from) * j) / 14, 0));
            const mesh = MeshBuilder.CreateTube(name, { path, radius, tessellation: 24 }, scene);
            const zeros = new Array<number>(4 * mesh.getTotalVertices()).fill(0);
            mesh.setVerticesData("matricesIndices", zeros);
            mesh.setVerticesData(
                "matricesWeights",
                zeros.map((_, i) => (i % 4 === 0 ? 1 : 0)),
            );
            mesh.skeleton = skeleton;
            return mesh;
        };
        const coat = [tube("coat", 1.3, 0.95, 0.26), tube("tails", 0.95, 0.5, 0.26)];
        const cloths: Record<string, ClothBehavior> = {
            cape: hangCape(hero, scene),
            skirt: wearSkirt(tube("skirt", 1.02, 0.6, 0.22), hero, 0.95),
            coat: wearCoat(coat, hero, 0.95),
            scarf: wearScarf(hero, scene),
            tabard: wearTabard(hero, scene)[0],
        };
        for (const cloth of Object.values(cloths)) await cloth.whenReady();
        run(scene, 2, (time) => {
            const swing = Math.min(1, time) * 0.5 * Math.sin(6 * time);
            bones.get("leftUpperLeg")!.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Right(), swing));
            bones.get("rightUpperLeg")!.setRotationQuaternion(Quaternion.RotationAxis(Vector3.Right(), -swing));
        });
        return {
            ...Object.fromEntries(Object.entries(cloths).map(([name, cloth]) => [name, measure(cloth)])),
            drawn: coat.map((mesh) => mesh.geometry!.id.includes("#cloth")),
        };
    },

    async curtain() {
        const { hangCurtain } = await load("curtain");
        const scene = makeScene();
        const { cloth, rings, draw } = hangCurtain(scene);
        run(scene, 2, (time) => draw(0.4 * time));
        run(scene, 1);
        const open = measure(cloth);
        const gap = Math.max(
            ...rings.map((ring: TransformNode) => Math.min(...pointsOf(cloth).map((p) => Vector3.Distance(p, ring.position)))),
        );
        return { open, gap, pins: cloth.pins.length };
    },

    async gltf() {
        const source = makeScene();
        const banner = MeshBuilder.CreateGround("Banner", { width: 1, height: 1, subdivisions: 12 }, source);
        banner.rotation.x = -Math.PI / 2;
        banner.bakeCurrentTransformIntoVertices();
        banner.material = new PBRMaterial("material", source);
        const copy = banner.createInstance("Banner 2");
        copy.position.x = 3;
        const file = (await GLTF2Export.GLBAsync(source, "model")).files["model.glb"] as Blob;
        const bytes = new Uint8Array(await file.arrayBuffer());
        source.getEngine().dispose();

        const { loadBanners } = await load("gltf");
        const scene = makeScene();
        const cloths: ClothBehavior[] = await loadBanners(bytes, scene);
        run(scene, 1);
        return { cloths: cloths.map(measure), classes: cloths.map((cloth) => cloth.attachedNode!.getClassName()) };
    },

    async units() {
        const { clothInUnits, inUnits } = await load("units");
        const shapes = [1, 100].map((unit) => {
            const scene = makeScene();
            const ground = MeshBuilder.CreateGround("ground", { width: unit, height: unit, subdivisions: 12 }, scene);
            const cloth = clothInUnits(unit, select.edge("-x")) as ClothBehavior;
            // Bend sticks have a length of their own, see docs/design-solver.md.
            cloth.fabric = { ...cloth.fabric, bendStiffness: 0 };
            ground.addBehavior(cloth);
            run(scene, 1);
            return pointsOf(cloth).map((p) => p.scale(1 / unit));
        });
        const [metres, centimetres] = shapes;
        const moved = Math.max(...metres.map((p) => Math.abs(p.y)));
        return {
            moved,
            difference: Math.max(...metres.map((p, i) => Vector3.Distance(p, centimetres[i]))),
            bend: inUnits(Fabrics.cotton, 100).bendStiffness,
        };
    },

    async chains() {
        const { hangLanterns, addAntenna } = await load("chains");
        const scene = makeScene();
        // Bones of 0.1 m along x: gravity turns a limp chain down, a stiff one without weight keeps its pose.
        const chainAt = (z: number): TransformNode[] => {
            const nodes: TransformNode[] = [];
            for (let i = 0; i < 5; i++) {
                const node = new TransformNode(`${z} ${i}`, scene);
                node.parent = nodes[i - 1] ?? null;
                node.position.set(i > 0 ? 0.1 : 0, 0, i > 0 ? 0 : z);
                node.rotationQuaternion = Quaternion.Identity();
                nodes.push(node);
            }
            return nodes;
        };
        const [lanterns, antenna] = [chainAt(0), chainAt(1)];
        hangLanterns(lanterns[0], lanterns[0]);
        addAntenna(antenna[0], antenna[0]);
        run(scene, 2);
        const tipOf = (nodes: TransformNode[]) => nodes[4].getAbsolutePosition().subtract(nodes[0].getAbsolutePosition()).asArray();
        return { lanterns: tipOf(lanterns), antenna: tipOf(antenna) };
    },
};

const results: Record<string, unknown> = { names: Object.keys(programs) };
for (const [name, program] of Object.entries(programs)) {
    try {
        results[name] = await program();
    } catch (error) {
        results[name] = { error: (error as Error).stack };
    }
}
console.log(JSON.stringify(results));
process.exit(0);
