// Cloth that follows its skeleton and morph targets: pins on the skin.
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import "../../../src/files";
import { ClothBehavior } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { skinModule } from "../../../src/babylon/skin/skin.lazy";
import { seededRandom } from "../../random";
import { disposeWorlds, listen, makeSquare, makeWorld, messageOf, told, worldVertices } from "./harness";
import type { World } from "./harness";
import { farthest, makeSleeve, poseAtRandom, skinnedVertices } from "./skins";
import type { Sleeve, SleeveOptions } from "./skins";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Vertices of the upper part of a sleeve. */
const upper = (rows: number, columns = 12): number[] => Array.from({ length: rows * columns }, (_, v) => v);

interface Worn extends World {
    sleeve: Sleeve;
    copy: Sleeve["mesh"];
    cloth: ClothBehavior;
    random: () => number;
}

/** A sleeve as cloth, and a copy of it that Babylon skins. */
function wear(options: ClothOptions, shape: SleeveOptions = {}, rightHanded = false): Worn {
    const world = makeWorld({ rightHanded });
    const sleeve = makeSleeve(world.scene, shape);
    const copy = sleeve.mesh.clone("copy");
    const parent = new TransformNode("parent", world.scene);
    sleeve.mesh.parent = copy.parent = parent;
    const cloth = new ClothBehavior(options);
    sleeve.mesh.addBehavior(cloth);
    return { ...world, sleeve, copy, cloth, random: seededRandom(7) };
}

describe("pins on the skin", () => {
    const shapes: [string, SleeveOptions][] = [
        ["4 influences", {}],
        ["8 influences", { influences: 8, boneCount: 8 }],
        ["weights whose sum is not 1", { isUneven: true }],
        ["morph targets", { isMorphed: true }],
    ];
    const frames = [1000 / 30, 1000 / 59.94, 1000 / 60, 1000 / 72, 1000 / 144];

    test.each(shapes)("are drawn where Babylon draws them, in 60 poses, at any frame rate: %s", (_, shape) => {
        const pinned = upper(15);
        const { sleeve, copy, random, frame } = wear({ pins: [{ select: pinned }] }, shape);
        for (let pose = 0; pose < 60; pose++) {
            poseAtRandom(sleeve, random, 0.4);
            frame(pose % 20 === 19 ? 150 : frames[pose % frames.length] * (0.7 + 0.6 * random()));
            expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
        }
        expect(told("warn")).toEqual([]);
    });

    test.each([
        ["moved and turned", [1, 1, 1], false],
        ["mirrored, with __root__'s turn", [1, 1, -1], false],
        ["scaled, right-handed", [2, 2, 2], true],
        ["mirrored twice, uneven", [-0.5, 1, -1.5], false],
    ] as const)("under a parent that is %s", (_, scale, rightHanded) => {
        const pinned = upper(15);
        const { sleeve, copy, random, frame } = wear({ pins: [{ select: pinned }] }, {}, rightHanded);
        const parent = sleeve.mesh.parent as TransformNode;
        parent.scaling.fromArray(scale as unknown as number[]);
        parent.rotation.set(0.3, Math.PI, 0);
        frame();
        for (let pose = 0; pose < 30; pose++) {
            poseAtRandom(sleeve, random, 0.4);
            parent.position.x += 0.05;
            parent.rotation.y += 0.05;
            frame();
            expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
        }
    });
});

/** The largest speed of any particle relative to its own vertex of the skin over a frame [m/s]. */
function relativeSpeeds({ sleeve, copy, frame }: Worn): (milliseconds?: number) => number {
    let before = worldVertices(sleeve.mesh);
    let skinBefore = skinnedVertices(copy);
    return (milliseconds = 1000 / 60) => {
        frame(milliseconds);
        const now = worldVertices(sleeve.mesh);
        const skin = skinnedVertices(copy);
        let fastest = 0;
        for (let o = 0; o < now.length; o += 3) {
            const d = [0, 1, 2].map((c) => now[o + c] - before[o + c] - (skin[o + c] - skinBefore[o + c]));
            fastest = Math.max(fastest, Math.hypot(...d) / (milliseconds / 1000));
        }
        before = now;
        skinBefore = skin;
        return fastest;
    };
}

/** Distances of vertices from the skin, and how deep they are behind it, along its normals [m]. */
function offSkin({ sleeve, copy }: Worn): { distances: number[]; depths: number[] } {
    const now = worldVertices(sleeve.mesh);
    const skin = skinnedVertices(copy);
    const normals = copy.getNormalsData(true, true)!;
    const distances: number[] = [];
    const depths: number[] = [];
    for (let o = 0; o < now.length; o += 3) {
        const d = [0, 1, 2].map((c) => now[o + c] - skin[o + c]);
        distances.push(Math.hypot(...d));
        depths.push(-d.reduce((sum, x, c) => sum + x * normals[o + c], 0));
    }
    return { distances, depths };
}

const count = 12 * 21;
/** 0 at the upper third of the sleeve, growing to 0.3 m at the hem. */
const painted = Float32Array.from({ length: count }, (_, v) => 0.3 * Math.max(0, (Math.floor(v / 12) - 6) / 14));

describe("max distance from the skin", () => {
    test.each([1000 / 30, 1000 / 60, 1000 / 144])(
        "keeps every vertex within it while bones swing; 0 is skin; frames of %d ms",
        (ms) => {
            const worn = wear({ maxDistance: painted, gravity: new Vector3(0, -9.81, 0) });
            let moved = 0;
            for (let f = 0; f < 3000 / ms; f++) {
                const angle = 0.4 * Math.sin((f * ms) / 150);
                worn.sleeve.bones.forEach((bone) => bone.setRotationQuaternion(Quaternion.FromEulerAngles(angle, 0, angle / 2)));
                worn.frame(ms);
                const { distances } = offSkin(worn);
                distances.forEach((distance, v) => expect(distance).toBeLessThan(painted[v] + (painted[v] === 0 ? 1e-4 : 0.02)));
                moved = Math.max(moved, ...distances);
            }
            expect(moved).toBeGreaterThan(0.05);
            expect(told("warn")).toEqual([]);
        },
    );

    test("one number, at rest: the hem hangs at it and sleeps", () => {
        const worn = wear({ maxDistance: 0.05, gravity: new Vector3(0, 0, 9.81) });
        worn.frame(1000 / 60, 240);
        const { distances } = offSkin(worn);
        expect(Math.max(...distances)).toBeLessThan(0.0505);
        expect(Math.max(...distances)).toBeGreaterThan(0.04);
    });
});

describe("backstop", () => {
    const pins = [{ select: upper(1) }];

    test("keeps a sleeve out of its body while it is blown at", () => {
        const [free, kept] = [null, { distance: 0.01 }].map((backstop) => {
            const worn = wear({ pins, backstop, gravity: new Vector3(0, 0, 30), wind: null });
            let deepest = 0;
            for (let f = 0; f < 120; f++) {
                worn.frame();
                deepest = Math.max(deepest, ...offSkin(worn).depths);
            }
            return deepest;
        });
        expect(free).toBeGreaterThan(0.1);
        expect(kept).toBeLessThan(0.011);
    });

    test("adds no speed where the skin meets cloth, in the first substep or later", () => {
        const [free, kept] = [null, { distance: 0, radius: 0.5 }].map((backstop) => {
            const worn = wear({ pins, backstop, gravity: Vector3.Zero(), wind: null });
            worn.frame(1000 / 60, 5);
            const speeds = relativeSpeeds(worn);
            let fastest = 0;
            for (let f = 0; f < 60; f++) {
                worn.sleeve.bones[0].setPosition(new Vector3(0.1 * Math.min(1, f / 4), 0, 0));
                fastest = Math.max(fastest, speeds());
            }
            return fastest;
        });
        expect(kept).toBeLessThan(1.1 * free);
    });

    test("is the sphere of its radius, and only where it is painted", () => {
        const radius = Float32Array.from({ length: count }, (_, v) => (v % 12 < 6 ? 2 : 0));
        const worn = wear({
            pins,
            backstop: { distance: new Float32Array(count).fill(0.02), radius },
            gravity: new Vector3(0, 0, -30),
            wind: null,
        });
        worn.frame(1000 / 60, 120);
        const [now, skin] = [worldVertices(worn.sleeve.mesh), skinnedVertices(worn.copy)];
        const normals = worn.copy.getNormalsData(true, true)!;
        const fromCentre = Array.from({ length: count }, (_, v) =>
            Math.hypot(...[0, 1, 2].map((c) => now[3 * v + c] - skin[3 * v + c] + 2.02 * normals[3 * v + c])),
        );
        expect(Math.min(...fromCentre.filter((_, v) => v % 12 < 6 && v >= 12))).toBeGreaterThan(1.999);
        expect(Math.min(...fromCentre.filter((_, v) => v % 12 >= 6))).toBeLessThan(1.99);
    });
});

describe("what jumps", () => {
    const jumps: [string, (worn: Worn) => void][] = [
        ["a teleport of the root", ({ sleeve }) => void (sleeve.mesh.parent as TransformNode).position.set(30, 2, -5)],
        ["a half turn of the root", ({ sleeve }) => void ((sleeve.mesh.parent as TransformNode).rotation.y += Math.PI)],
        [
            "a half turn of the first bone",
            ({ sleeve }) => sleeve.bones[0].setRotationQuaternion(Quaternion.FromEulerAngles(0, Math.PI, 0)),
        ],
        ["another clip", ({ sleeve }) => sleeve.bones[0].setRotationQuaternion(Quaternion.FromEulerAngles(1, 0.5, 0))],
        [
            "a clip scrubbed backwards",
            ({ sleeve }) => sleeve.bones[0].setRotationQuaternion(Quaternion.FromEulerAngles(-0.6, 0, 0.3)),
        ],
        [
            "another skeleton",
            ({ sleeve, copy }) => {
                const other = sleeve.skeleton.clone("other", "other");
                other.bones[0].setPosition(new Vector3(1, 0, 2));
                sleeve.mesh.skeleton = copy.skeleton = other;
            },
        ],
        [
            "a scale of 0, and back",
            ({ sleeve, frame }) => {
                const { scaling } = sleeve.mesh.parent as TransformNode;
                scaling.setAll(0);
                frame(1000 / 60, 3);
                scaling.setAll(1);
            },
        ],
    ];

    test.each(jumps)("takes the cloth along: %s", (_, jump) => {
        const worn = wear({ maxDistance: painted });
        worn.frame(1000 / 60, 60);
        const speeds = relativeSpeeds(worn);
        speeds();
        const before = Math.max(...offSkin(worn).distances);
        jump(worn);
        worn.frame();
        expect(Math.max(...offSkin(worn).distances)).toBeLessThan(before + 0.05);
        const after = relativeSpeeds(worn);
        for (let f = 0; f < 30; f++) expect(after()).toBeLessThan(3);
    });

    test.each(["enabled", "mesh"])("a pause, in which the skin goes on: it does not fly after it (%s)", (how) => {
        const worn = wear({ maxDistance: painted });
        worn.frame(1000 / 60, 60);
        const enable = (is: boolean): void => {
            if (how === "mesh") worn.sleeve.mesh.setEnabled(is);
            else worn.cloth.enabled = is;
        };
        enable(false);
        for (let f = 0; f < 30; f++) {
            worn.sleeve.bones[0].setPosition(new Vector3(0.05 * f, 0, 0));
            worn.frame();
        }
        enable(true);
        worn.frame();
        const after = relativeSpeeds(worn);
        for (let f = 0; f < 30; f++) expect(after()).toBeLessThan(3);
        expect(told("warn")).toEqual([]);
    });

    test("reset: it is where the skin is", () => {
        const worn = wear({ maxDistance: painted });
        poseAtRandom(worn.sleeve, worn.random, 0.5);
        worn.frame(1000 / 60, 60);
        worn.cloth.reset();
        worn.frame(0);
        expect(Math.max(...offSkin(worn).distances)).toBeLessThan(0.002);
    });
});

test("parts that only a max distance holds are not said to fall", async () => {
    const { scene, frame } = makeWorld();
    const { mesh } = makeSleeve(scene);
    const isBetween = (v: number): boolean => Math.floor(v / 12) === 9;
    const indices = Array.from(mesh.getIndices()!);
    mesh.setIndices(
        indices.filter((_, k) => !indices.slice(k - (k % 3), k - (k % 3) + 3).every((v) => isBetween(v) || isBetween(v - 12))),
    );
    const cloth = new ClothBehavior({ maxDistance: painted });
    mesh.addBehavior(cloth);
    frame();
    await cloth.whenReady();
    frame();
    expect(told("warn")).toEqual([]);
});

describe("copies", () => {
    test("each is cloth on its own skeleton, begins on its skin, and leaves nothing behind", () => {
        const worn = wear({ maxDistance: painted, pins: [{ select: upper(3) }] });
        const { sleeve, copy: plain, frame } = worn;
        frame(1000 / 60, 30);
        const copies = Array.from({ length: 50 }, (_, k) => {
            const mesh = sleeve.mesh.clone(`copy ${k}`);
            mesh.skeleton = sleeve.skeleton.clone(`skeleton ${k}`, `skeleton ${k}`);
            mesh.skeleton.bones.forEach((bone, b) => bone.setRotationQuaternion(sleeve.bones[b].getRotationQuaternion()));
            mesh.skeleton.bones[0].setPosition(new Vector3(k, 0, 0));
            return mesh;
        });
        frame();
        const cloths = copies.map((mesh) => mesh.getBehaviorByName("Cloth") as ClothBehavior);
        const bare = plain.clone("bare");
        bare.skeleton = copies[7].skeleton;
        const speeds = relativeSpeeds({ ...worn, sleeve: { ...sleeve, mesh: copies[7] }, copy: bare });
        for (let f = 0; f < 30; f++) {
            copies[7].skeleton!.bones[1].setRotationQuaternion(Quaternion.FromEulerAngles(0, 0, 0.01 * f));
            expect(speeds()).toBeLessThan(3);
            expect(farthest(worldVertices(copies[7]), skinnedVertices(bare), upper(3))).toBeLessThan(1e-4);
        }
        expect(Array.from(cloths[3].maxDistance as number[])).toEqual(Array.from(painted));
        for (const mesh of copies) mesh.dispose();
        expect(told("warn")).toEqual([]);
    });
});

describe("inertia", () => {
    test("has the root of the mesh and its joints as anchor by default, in open air", () => {
        const world = makeWorld();
        const root = new TransformNode("__root__", world.scene);
        const { mesh, bones } = makeSleeve(world.scene);
        mesh.parent = root;
        const armature = new TransformNode("armature", world.scene);
        armature.parent = root;
        bones.forEach((bone, b) => {
            const joint = new TransformNode(`joint ${b}`, world.scene);
            joint.parent = armature;
            joint.position.y = b / 5;
            bone.linkTransformNode(joint);
        });
        const cloth = new ClothBehavior({ pins: [{ select: upper(2) }], inertia: { linear: 0.3 } });
        mesh.addBehavior(cloth);
        expect(cloth.inertia).toMatchObject({ anchor: root, air: 0, linear: 0.3 });
        cloth.inertia = { anchor: null };
        expect(cloth.inertia).toMatchObject({ anchor: null, air: 1 });
        cloth.inertia = { air: 1 };
        expect(cloth.inertia).toMatchObject({ anchor: root, air: 1 });
    });

    test("0: a run starts without a jolt", () => {
        const farthestOf = (linear: number): number => {
            const worn = wear({ pins: [{ select: upper(3) }], inertia: { linear, angular: 0, air: 1 } });
            const root = worn.sleeve.mesh.parent as TransformNode;
            worn.frame(1000 / 60, 60);
            const still = offSkin(worn).distances;
            let farthestOff = 0;
            for (let f = 0; f < 30; f++) {
                root.position.x += 0.003 * f;
                worn.frame();
                offSkin(worn).distances.forEach((d, v) => (farthestOff = Math.max(farthestOff, Math.abs(d - still[v]))));
            }
            return farthestOff;
        };
        expect(farthestOf(0)).toBeLessThan(0.5 * farthestOf(1));
    });
});

describe("stiffness and blend", () => {
    test("a spring to the skin: cloth hangs g/k off it", () => {
        const worn = wear({ skinStiffness: 200, gravity: new Vector3(0, 0, 10), wind: null, fabric: { damping: 5 } });
        worn.frame(1000 / 60, 300);
        const { distances } = offSkin(worn);
        // Constraints move particles as well, but the sleeve as a whole hangs by 10 / 200.
        expect(distances.reduce((sum, d) => sum + d, 0) / count).toBeCloseTo(0.05, 3);
    });

    test("a blend lies between skin and simulation, and 1 is the simulation", () => {
        const run = (skinBlend: number): number[] => {
            const worn = wear({ maxDistance: painted, skinBlend, gravity: new Vector3(0, 0, 20) });
            worn.frame(1000 / 60, 60);
            return offSkin(worn).distances;
        };
        const [all, half] = [run(1), run(0.5)];
        expect(Math.max(...all)).toBeGreaterThan(0.1);
        half.forEach((distance, v) => expect(distance).toBeCloseTo(all[v] / 2, 4));
    });

    test("0: Babylon skins, nothing is solved or uploaded; the way there and back has no jump", () => {
        const worn = wear({ maxDistance: painted, gravity: new Vector3(0, 0, 9.81) }, { isMorphed: true });
        const { sleeve, copy, cloth, frame, random } = worn;
        const drawn = (): Float64Array => (cloth.skinBlend === 0 ? skinnedVertices(sleeve.mesh) : worldVertices(sleeve.mesh));
        const everyone = upper(21);
        frame(1000 / 60, 60);
        cloth.skinBlend = 1e-6;
        frame();
        expect(farthest(drawn(), skinnedVertices(copy), everyone)).toBeLessThan(1e-4);
        cloth.skinBlend = 0;
        let steps = 0;
        cloth.onAfterStepObservable.add(() => steps++);
        for (let f = 0; f < 10; f++) {
            poseAtRandom(sleeve, random, 0.15);
            frame();
            expect(sleeve.mesh.isVerticesDataPresent("matricesWeights")).toBe(true);
            expect(farthest(drawn(), skinnedVertices(copy), everyone)).toBeLessThan(1e-6);
        }
        expect(steps).toBe(0);
        cloth.skinBlend = 1e-6;
        frame();
        expect(farthest(drawn(), skinnedVertices(copy), everyone)).toBeLessThan(1e-4);
        cloth.skinBlend = 1;
        frame();
        const speeds = relativeSpeeds(worn);
        for (let f = 0; f < 30; f++) expect(speeds()).toBeLessThan(3);
        expect(steps).toBeGreaterThan(20);
        cloth.skinBlend = 0;
        frame();
        sleeve.mesh.removeBehavior(cloth);
        expect(farthest(skinnedVertices(sleeve.mesh), skinnedVertices(copy), everyone)).toBeLessThan(1e-6);
        expect(told("warn")).toEqual([]);
    });

    test("far away it fades to the animation before pauseDistance, and is not simulated beyond", () => {
        const worn = wear({ maxDistance: painted, gravity: new Vector3(0, 0, 20), pauseDistance: 30, alwaysUpdate: true });
        const { sleeve, copy, cloth, frame, camera, engine } = worn;
        engine.getRenderingCanvas = () => ({}) as HTMLCanvasElement;
        let steps = 0;
        cloth.onAfterStepObservable.add(() => steps++);
        frame(1000 / 60, 60);
        const off: number[] = [];
        for (let z = -10; z > -40; z -= 0.5) {
            camera.position.z = z;
            poseAtRandom(sleeve, worn.random, 0.01);
            steps = 0;
            frame();
            const isHandedBack = sleeve.mesh.isVerticesDataPresent("matricesWeights");
            const drawn = isHandedBack ? skinnedVertices(sleeve.mesh) : worldVertices(sleeve.mesh);
            off.push(farthest(drawn, skinnedVertices(copy), upper(21)));
            expect([isHandedBack, steps]).toEqual(z < -28 ? [true, 0] : [false, 1]);
        }
        expect(off[0]).toBeGreaterThan(0.1);
        // No jump: a fifth of the distance is 6 m.
        for (let k = 1; k < off.length; k++) expect(Math.abs(off[k] - off[k - 1])).toBeLessThan(0.2 * off[0]);
        camera.position.z = -10;
        frame(1000 / 60, 30);
        expect(Math.max(...offSkin(worn).distances)).toBeGreaterThan(0.1);
    });

    test.each([
        [{ skinBlend: 1.5 }, /skinBlend must be a number from 0 to 1, got 1.5/],
        [{ skinStiffness: -1 }, /skinStiffness must be a finite number >= 0, got -1/],
    ] as [ClothOptions, RegExp][])("%j", (options, message) => {
        expect(messageOf(() => new ClothBehavior(options))).toMatch(message);
    });
});

describe("loaded on demand", () => {
    test("begins where the skin is by then", async () => {
        skinModule.set(null);
        const pinned = upper(15);
        const { sleeve, copy, cloth, random, frame } = wear({ pins: [{ select: pinned }], maxDistance: painted });
        poseAtRandom(sleeve, random, 0.3);
        frame();
        await cloth.whenReady();
        for (let pose = 0; pose < 5; pose++) {
            frame();
            expect(farthest(worldVertices(sleeve.mesh), skinnedVertices(copy), pinned)).toBeLessThan(1e-4);
            poseAtRandom(sleeve, random, 0.3);
        }
        expect(told("warn")).toEqual([]);
    });
});

describe("given back and refused", () => {
    test("removeBehavior: Babylon skins again", () => {
        const { sleeve, copy, cloth, random, frame } = wear({ maxDistance: painted });
        frame(1000 / 60, 20);
        sleeve.mesh.removeBehavior(cloth);
        poseAtRandom(sleeve, random, 0.3);
        frame();
        expect(sleeve.mesh.isVerticesDataPresent("matricesWeights")).toBe(true);
        expect(farthest(skinnedVertices(sleeve.mesh), skinnedVertices(copy), upper(21))).toBeLessThan(1e-6);
    });

    test("skin: false is a sheet, posed once", () => {
        const { sleeve, random, frame } = wear({ pins: [{ select: upper(21) }], skin: false });
        const before = worldVertices(sleeve.mesh);
        poseAtRandom(sleeve, random, 0.3);
        frame(1000 / 60, 3);
        expect(farthest(worldVertices(sleeve.mesh), before, upper(21))).toBeLessThan(1e-5);
    });

    test("a skeleton that is gone, or poses that are no numbers, leave it where it was", () => {
        const { sleeve, frame } = wear({ pins: [{ select: upper(21) }] });
        frame();
        const before = worldVertices(sleeve.mesh);
        sleeve.bones[2].setPosition(new Vector3(NaN, 0, 0));
        frame();
        sleeve.mesh.skeleton = null;
        frame(1000 / 60, 2);
        expect(farthest(worldVertices(sleeve.mesh), before, upper(21))).toBeLessThan(1e-5);
    });

    test.each([
        [{ backstop: { distance: -1 } }, /ClothBehavior: backstop\.distance must be a finite number >= 0, got -1/],
        [{ backstop: { distance: NaN } }, /backstop\.distance must be a finite number >= 0, got NaN/],
        [{ backstop: { distance: [0, 1] } }, /backstop\.distance must be 252 numbers.*got 2/],
        [{ backstop: { distance: 0, radius: -2 } }, /backstop\.radius must be/],
        [{ backstop: { depth: 0 } as never }, /backstop.*depth.*did you mean|backstop.*unknown.*depth|backstop.*depth/],
        [{ maxDistance: [0.1] }, /maxDistance must be 252 numbers.*got 1/],
        [{ skin: 1 as never }, /ClothBehavior: skin must be/],
    ] as [ClothOptions, RegExp][])("%j", (options, message) => {
        const { scene } = makeWorld();
        const { mesh } = makeSleeve(scene);
        const positions = Array.from(mesh.getVerticesData("position")!);
        expect(messageOf(() => mesh.addBehavior(new ClothBehavior(options)))).toMatch(message);
        expect(Array.from(mesh.getVerticesData("position")!)).toEqual(positions);
        expect(mesh.isVerticesDataPresent("matricesWeights")).toBe(true);
    });

    test("a backstop on a mesh without bones", () => {
        const { scene } = makeWorld();
        expect(messageOf(() => makeSquare(scene).addBehavior(new ClothBehavior({ backstop: { distance: 0 } })))).toMatch(
            /backstop must be null on a mesh without skeleton/,
        );
    });

    test("files: written and read; without skin they hold a sheet", () => {
        const { cloth, scene } = wear({ maxDistance: painted, backstop: { distance: 0.01, radius: painted } });
        const data = cloth.serialize();
        const back = ClothBehavior.Parse(data, scene);
        expect([back.skin, Array.from(back.maxDistance as number[])]).toEqual([true, Array.from(painted)]);
        expect(back.backstop).toEqual({ distance: 0.01, radius: Array.from(painted) });
        const { skin: _, ...older } = data.options as { skin: boolean };
        expect(ClothBehavior.Parse({ ...data, options: older } as never, scene).skin).toBe(false);
    });
});
