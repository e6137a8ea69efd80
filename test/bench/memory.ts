/** (f) Memory per particle of a cloth on a mesh, and bytes allocated per frame, under NullEngine and of the solver alone. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import type { ClothOptions } from "../../src/babylon/behaviors/bodyOptions";
import { select } from "../../src/babylon/pins/select";
import { Wind } from "../../src/babylon/wind/wind";
import { getKernels } from "../../src/engine/index";
import type { WasmArena } from "../../src/kernels/wasmArena";
import { allocatorsOf, bytesPerCall, collectGarbage } from "./heap";
import type { Allocator } from "./heap";
import { OursCloth, oursSettings } from "./ours";
import { layPile } from "./pile";
import { createScene } from "./peers/peer";
import { heldUnder } from "./reach";
import { atMost, number } from "./report";
import type { Section } from "./report";
import { instanceOf, createSquare, createWorld, FRAME } from "./world";

const RESOLUTIONS = [32, 64, 128];
const FRAMES = 3000;
/** Below this many bytes a frame, what is left is the reading of the heap itself. */
const NOTHING = 0.5;

interface Held {
    readonly resolution: number;
    readonly arena: number;
    readonly typedArrays: number;
    readonly heap: number;
    /** Bytes per particle. */
    readonly perParticle: number;
}

/** What attaching so many equal cloths to 2 m squares adds, median of several. */
async function measureHeld(scene: Scene, resolution: number, count: number): Promise<Held> {
    const arena = getKernels().arena as WasmArena;
    const all: Held[] = [];
    for (let i = 0; i < 5; i++) {
        const meshes = Array.from({ length: count }, () => createSquare(scene, resolution));
        const pins = [{ select: select.corners("-x+z", "+x+z") }];
        const cloths = meshes.map(() => new ClothBehavior({ pins, autoStep: false }));
        // What is held weakly lives until a job has ended.
        await endOfJob();
        collectGarbage();
        const before = process.memoryUsage();
        const used = arena.usedBytes;
        cloths.forEach((cloth, k) => {
            meshes[k].addBehavior(cloth);
            cloth.step(FRAME);
        });
        await endOfJob();
        collectGarbage();
        const after = process.memoryUsage();
        const held = {
            arena: arena.usedBytes - used,
            typedArrays: after.arrayBuffers - before.arrayBuffers,
            heap: after.heapUsed - before.heapUsed,
        };
        all.push({ resolution, ...held, perParticle: (held.arena + held.typedArrays + held.heap) / resolution ** 2 });
        for (const mesh of meshes) mesh.dispose();
    }
    all.sort((a, b) => a.perParticle - b.perParticle);
    return all[2];
}

const endOfJob = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Bytes of one part of a cloth. */
interface Part {
    readonly name: string;
    readonly bytes: number;
}

/** What a cloth of n × n holds: its blocks of the arena, and its typed arrays by path. */
function listParts(scene: Scene, n: number): Part[] {
    const mesh = createSquare(scene, n);
    const behavior = new ClothBehavior({ pins: [{ select: select.corners("-x+z", "+x+z") }], autoStep: false });
    mesh.addBehavior(behavior);
    const { cloth, binding } = instanceOf(behavior);
    const { state, triangles, constraints } = cloth;
    const { _surface: surface } = binding as unknown as { _surface: { byteLength: number } };
    const blocks = [
        { name: "arena: particles", bytes: state.byteLength },
        { name: "arena: triangles", bytes: triangles.byteLength },
        ...constraints.map(({ name, byteLength }) => ({ name: `arena: ${name}`, bytes: byteLength })),
        { name: "arena: surface", bytes: surface.byteLength },
    ];
    const isForeign = (object: object): boolean => "getScene" in object || "getEngine" in object || object === cloth.kernels;
    const { arrays } = heldUnder({ cloth, binding }, isForeign, [state.positions.buffer]);
    mesh.dispose();
    return [...blocks, ...arrays.filter(({ bytes }) => bytes >= n * n).map(({ path, bytes }) => ({ name: path, bytes }))];
}

interface Allocated {
    readonly what: string;
    readonly bytesPerFrame: number;
    /** The same while performance.now() gives a constant: the engine boxes each reading of the clock. */
    readonly withoutClock: number;
    readonly allocators: readonly Allocator[];
}

function measureAllocated(what: string, run: () => void): Allocated {
    const bytesPerFrame = bytesPerCall(run, FRAMES);
    const withoutClock = withStoppedClock(() => bytesPerCall(run, FRAMES, 3));
    const many = (): void => {
        for (let i = 0; i < FRAMES; i++) run();
    };
    const allocators = bytesPerFrame > NOTHING ? allocatorsOf(many).slice(0, 6) : [];
    return { what, bytesPerFrame, withoutClock, allocators };
}

/** Runs while performance.now() is a small integer, which V8 does not box. */
function withStoppedClock<Result>(run: () => Result): Result {
    const original = performance.now;
    performance.now = () => 0;
    try {
        return run();
    } finally {
        performance.now = original;
    }
}

/** A cloth of 24² on a mesh, stepped by hand. */
function onMesh(scene: Scene, options: ClothOptions, change?: (mesh: Mesh, cloth: ClothBehavior) => void): () => void {
    const mesh = createSquare(scene, 24);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], autoStep: false, substepCount: 2, ...options });
    mesh.addBehavior(cloth);
    change?.(mesh, cloth);
    return () => cloth.step(FRAME);
}

/** A collider of each kind, each of which moves. */
const movingShapes: Record<string, (scene: Scene) => Mesh> = {
    ball: (scene) => MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene),
    box: (scene) => MeshBuilder.CreateBox("box", { size: 0.4 }, scene),
    capsule: (scene) => MeshBuilder.CreateCapsule("capsule", { radius: 0.2, height: 0.8 }, scene),
    mesh: (scene) => MeshBuilder.CreateTorus("mesh", { diameter: 0.6, thickness: 0.2 }, scene),
};

/** Measures what is held and what is allocated. */
export async function memorySection(): Promise<Section> {
    const scene = createWorld();
    const held: Held[] = [];
    const pairs: Held[] = [];
    for (const n of RESOLUTIONS) {
        held.push(await measureHeld(scene, n, 1));
        pairs.push(await measureHeld(scene, n, 2));
    }
    const parts = listParts(scene, 128);
    const solver = new OursCloth(createScene("twoCorners", 24), oursSettings({ substeps: 2 }));
    const onSphere = new OursCloth(createScene("sphere", 24), oursSettings({ substeps: 2 }));
    const wind = new Wind({ velocity: new Vector3(5, 0, 1) });
    const inMotion = Object.entries(movingShapes).map(([name, make]) => {
        // A number in a closure would be boxed.
        const angle = new Float64Array(1);
        const run = onMesh(scene, {}, (mesh, cloth) => {
            const shape = make(scene);
            cloth.addCollider(shape);
            cloth.onBeforeStepObservable.add(() => {
                angle[0] += 0.01;
                mesh.position.x = Math.sin(angle[0]);
                shape.position.z = Math.cos(angle[0]);
            });
        });
        return [`on a moving mesh, with a moving ${name}`, run] as const;
    });
    const uneven = onMesh(scene, {}, (_mesh, cloth) => {
        let frame = 0;
        const step = cloth.step.bind(cloth);
        cloth.step = () => step(frame++ % 3 === 0 ? 0.021 : 0.009);
    });
    const allocated = [
        measureAllocated("solver alone, two corners", () => solver.step()),
        measureAllocated("solver alone, on a sphere", () => onSphere.step()),
        measureAllocated("on a mesh, edge pinned", onMesh(scene, {})),
        measureAllocated("on a mesh, in wind", onMesh(scene, { wind })),
        ...inMotion.map(([what, run]) => measureAllocated(what, run)),
        measureAllocated("on a mesh, uneven frames", uneven),
        ...(["particles", "triangles", "robust"] as const).map((tier) =>
            measureAllocated(`a fold and a sheet on it, kept apart by ${tier}`, layPile(createWorld(), tier)),
        ),
    ];
    scene.getEngine().dispose();
    const most = allocated.reduce((a, b) => (b.bytesPerFrame > a.bytesPerFrame ? b : a));
    return {
        tables: [
            {
                title: "Memory that a cloth on a mesh adds (two corners; bytes per particle)",
                columns: ["n", "arena", "typed arrays", "heap", "all", "a further equal one"],
                rows: held.map((h, i) => [
                    String(h.resolution),
                    ...[h.arena, h.typedArrays, h.heap].map((bytes) => number(bytes / h.resolution ** 2)),
                    number(h.perParticle),
                    number(pairs[i].perParticle - h.perParticle),
                ]),
                note: "Typed arrays and heap after a collection; the geometry that the mesh lends back at detach stays the mesh's.",
            },
            {
                title: "What a cloth of 128² holds (bytes per particle)",
                columns: ["", "bytes"],
                rows: parts.map(({ name, bytes }) => [name, number(bytes / 128 ** 2)]),
            },
            {
                title: `Bytes allocated per frame in steady state (${FRAMES} frames)`,
                columns: ["", "bytes a frame", "without clock", "by "],
                rows: allocated.map(({ what, bytesPerFrame, withoutClock, allocators }) => [
                    what,
                    number(bytesPerFrame),
                    number(withoutClock),
                    allocators.map(({ name, bytes }) => `${name} ${number(bytes / FRAMES)}`).join("; "),
                ]),
            },
        ],
        bars: [
            atMost("memory per particle, 128²", held[2].perParticle, 400, " B"),
            atMost(
                "bytes allocated per frame",
                most.bytesPerFrame < NOTHING ? 0 : most.bytesPerFrame,
                0,
                " B",
                most.bytesPerFrame < NOTHING ? undefined : `${most.what}; ${number(most.withoutClock)} B without performance.now()`,
            ),
        ],
        data: { held, pairs, parts, allocated },
    };
}
