/**
 * Micro benchmark of the kernels: ns per item, on the sticks, triangles and points of
 * real cloths. Run: node --import ./.ci/ts.mjs test/bench/kernels.ts [part of a kernel's or mesh's name ...]
 *
 * Kernels take turns call by call, so that a busy machine disturbs all alike; every call starts from the same state,
 * which is restored outside the timer.
 */
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { BlockLayout } from "../../src/kernels/arena";
import type { Arena } from "../../src/kernels/arena";
import { Contact, PlaneData, SphereData } from "../../src/kernels/contactLayout";
import { Uniform } from "../../src/kernels/layout";
import type { Kernels } from "../../src/engine/index";
import { complete, createBodyKernels } from "../unit/kernels/allKernels";
import { identity, createCloth, ensureAir, Fabrics, PinSet, Surface, SharedTriangles } from "../../src/engine/index";
import { Contacts } from "../../src/engine/collision/response/contactResolver";
import { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { Tethers } from "../../src/engine/solvers/xpbd/tethers";
import { buildMeshMap } from "../../src/engine/meshmap/meshMap";
import { buildTopology } from "../../src/engine/topology/topology";
import type { ClothTopology } from "../../src/engine/topology/topology";
import { seededRandom } from "../random";

/** One line of the result. */
export interface KernelTiming {
    kernel: string;
    mesh: string;
    /** Sticks, particles, triangles or vertices that one call handles. */
    items: number;
    /** Medians and minima over the calls [ns per item]. */
    wasm: number;
    wasmMinimum: number;
}

/** Time spent on each kernel [ms]. */
const BUDGET = 400;
const WARM_UP_CALLS = 300;

/** A square of n × n particles, 2 m wide; shuffled: in random order, with a random diagonal in every cell. */
function grid(n: number, isShuffled: boolean): ClothTopology {
    const random = seededRandom(n);
    const place = Uint32Array.from({ length: n * n }, (_, i) => i);
    for (let i = n * n - 1; isShuffled && i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [place[i], place[j]] = [place[j], place[i]];
    }
    const positions = new Float32Array(n * n * 3);
    const spacing = 2 / (n - 1);
    const triangles: number[] = [];
    for (let row = 0; row < n; row++) {
        for (let column = 0; column < n; column++) {
            const at = row * n + column;
            positions.set([column * spacing - 1, 0, row * spacing - 1], place[at] * 3);
            if (row === n - 1 || column === n - 1) continue;
            const [a, b, c, d] = [at, at + 1, at + n, at + n + 1].map((i) => place[i]);
            triangles.push(...(isShuffled && random() < 0.5 ? [a, c, d, a, d, b] : [a, c, b, b, c, d]));
        }
    }
    return buildTopology(positions, Uint32Array.from(triangles));
}

/** Calls of one kernel. */
interface Task {
    items: number;
    restore(): void;
    run(): void;
}

/** The tasks on one cloth. */
function tasksOf(kernels: Kernels, topology: ClothTopology, n: number): Record<string, Task> {
    const cloth = createCloth(kernels, topology, topology.positions, {
        gravity: Float64Array.of(0, -9.81, 0),
        substepCount: 4,
        fixedTimeStep: 1 / 60,
        maxStepsPerFrame: 1,
        fabric: Fabrics.cotton,
        tetherSlack: 0,
        solver: "xpbd" as const,
        springDamping: 0,
        sleepSpeed: 0,
        wind: null,
    });
    const corners = [0, n - 1].map((column) => nearest(topology, column * (2 / (n - 1)) - 1, -1));
    cloth.addPins(new PinSet(Uint32Array.from(corners)));
    cloth.prepare();
    const { state } = cloth;
    const { positions, previous, uniforms, particleCount } = state;
    const random = seededRandom(5);
    for (let i = 0; i < particleCount; i++) {
        const o = i * 4;
        for (let k = 0; k < 3; k++) {
            positions[o + k] += ((random() - 0.5) * 0.2) / n;
            previous[o + k] = positions[o + k] - random() * 0.001;
        }
    }
    uniforms.set([0.999, 0, -1.7e-4, 0, 4]);
    uniforms.set([4, 0, 1, 1, 0, 0.5, 0.3, 0, 0.2, 0.1, 0.015, 1 / 240], Uniform.windVelocity);
    uniforms[Uniform.frictionRate] = 2.5e-4;
    uniforms[Uniform.substepShare] = 0.25;
    uniforms.set([0, 0, 0, 0, 2, 0.1, 2], Uniform.middle);
    const restPositions = positions.slice();
    const restPrevious = previous.slice();
    const task = (items: number, run: () => void): Task => ({
        items,
        restore() {
            state.positions.set(restPositions);
            state.previous.set(restPrevious);
            state.residuals.fill(0);
        },
        run,
    });

    const tasks: Record<string, Task> = {};
    for (const constraint of cloth.constraints) {
        if (constraint instanceof DistanceConstraints || constraint instanceof Tethers) {
            tasks[constraint.name] = task(constraint.count, () => constraint.project(kernels, state));
        }
    }
    const [structural] = cloth.lengthConstraints as DistanceConstraints[];
    tasks["structural, no square roots"] = task(structural.count, () => kernels.projectRootFreeLengths(state, structural));
    tasks.integrate = task(particleCount, () => kernels.integrate(state));
    tasks.measureBounds = task(particleCount, () => kernels.measureBounds(state));
    tasks.measureMotion = task(particleCount, () => kernels.measureMotion(state));
    const air = ensureAir(cloth, false);
    tasks.addWind = task(particleCount, () => kernels.addWind(state, air));
    tasks.applyAir = task(particleCount, () => kernels.applyAir(state, air));
    tasks.addAirDisplacements = task(particleCount, () => kernels.addAirDisplacements(state, air));
    const contacts = new Contacts(kernels, state, cloth.triangles, null);
    for (const [name, offset] of [
        ["sphere, third in contact", -0.35],
        ["sphere, none in contact", -3],
    ] as const) {
        const collider = newCollider(kernels.arena, SphereData.count);
        const { data } = collider;
        data[SphereData.centre + 1] = offset;
        data[SphereData.reach] = 0.71;
        for (let k = 0; k < 3; k++) data[SphereData.toUnit + k * 5] = 1 / 0.7;
        data.set([0.49, 0.49, 0.49, 1], SphereData.squares);
        tasks[name] = task(particleCount, () => {
            kernels.detectSphereContacts(state, collider.data, contacts);
            kernels.resolveContacts(state, collider.data, contacts);
        });
    }
    for (const [name, offset] of [
        ["plane, half in contact", 0],
        ["plane, none in contact", -1],
    ] as const) {
        const collider = newCollider(kernels.arena, PlaneData.sides);
        const { data } = collider;
        data[PlaneData.normal + 1] = 1;
        data[PlaneData.offset] = offset - 0.01;
        data[PlaneData.recovery] = Infinity;
        tasks[name] = task(particleCount, () => {
            kernels.detectPlaneContacts(state, collider.data, contacts);
            kernels.resolveContacts(state, collider.data, contacts);
        });
    }
    const surface = surfaceOf(kernels, topology);
    tasks.transformPoints = task(particleCount, () => kernels.transformPoints(state, surface));
    tasks.computeNormals = task(surface.surfaceTriangleCount, () => kernels.computeNormals(surface));
    tasks.writeVertices = task(particleCount, () => kernels.writeVertices(surface));
    tasks.writeTangents = task(particleCount, () => kernels.writeTangents(surface));
    kernels.transformPoints(state, surface);
    kernels.computeNormals(surface);
    return tasks;
}

function nearest({ positions }: ClothTopology, x: number, z: number): number {
    let best = 0;
    const squared = (i: number): number => (positions[3 * i] - x) ** 2 + (positions[3 * i + 2] - z) ** 2;
    for (let i = 1; i < positions.length / 3; i++) if (squared(i) < squared(best)) best = i;
    return best;
}

function newCollider(arena: Arena, slots: number): { data: Float32Array } {
    const collider = allocate(arena, (layout) => ({ data: layout.float32(slots) }));
    collider.data[Contact.friction] = 0.4;
    collider.data[Contact.thickness] = 0.01;
    return collider;
}

/** One point and one vertex for every particle. */
function surfaceOf(kernels: Kernels, { particleCount, positions, triangles }: ClothTopology): Surface {
    const normals = new Float32Array(particleCount * 3);
    const bindTangents = new Float32Array(particleCount * 4).fill(0.5);
    const read = {
        positions,
        normals,
        bindPositions: positions,
        bindNormals: normals,
        bindTangents,
        weld: null,
        authoredPositions: positions,
    };
    const sheet = buildMeshMap({ ...read, vertexCount: particleCount, indices: triangles }, identity())!;
    const surface = new Surface(kernels, sheet, new SharedTriangles(kernels.arena, sheet.triangles));
    surface.frame.set([0.8, 0, 0.6, 0, 0, 1, 0, 0, -0.6, 0, 0.8, 0, 1, 2, 3, 1, 0.4]);
    return surface;
}

/** Views in a block of their own. */
function allocate<T extends object>(arena: Arena, cut: (layout: BlockLayout) => T): T {
    const layout = new BlockLayout();
    const target = cut(layout);
    arena.allocate(layout.byteLength, {
        relocate: (buffer, offset) => void Object.assign(target, cut(new BlockLayout(buffer, offset))),
    });
    return target;
}

/** Times the kernels whose "kernel mesh" contains all of the filters. */
export function timeKernels(filters: readonly string[] = []): KernelTiming[] {
    const wasmKernels = complete(createBodyKernels());
    const meshes: [string, ClothTopology, number][] = [
        ["grid 64²", grid(64, false), 64],
        ["grid 128²", grid(128, false), 128],
        ["irregular 128²", grid(128, true), 128],
    ];
    const timings: KernelTiming[] = [];
    for (const [mesh, topology, n] of meshes) {
        const wasm = tasksOf(wasmKernels, topology, n);
        for (const kernel of Object.keys(wasm)) {
            if (!filters.every((filter) => `${kernel} ${mesh}`.includes(filter))) continue;
            const times = interleave([wasm[kernel]]);
            timings.push({
                kernel,
                mesh,
                items: wasm[kernel].items,
                wasm: times[0].median,
                wasmMinimum: times[0].minimum,
            });
        }
    }
    return timings;
}

/** Median and minimum of each task [ns per item]. */
function interleave(tasks: Task[]): { median: number; minimum: number }[] {
    const times: number[][] = tasks.map(() => []);
    const end = performance.now() + BUDGET * tasks.length;
    for (let call = 0; call < WARM_UP_CALLS + 20 || performance.now() < end; call++) {
        tasks.forEach((task, i) => {
            task.restore();
            const start = performance.now();
            task.run();
            const time = performance.now() - start;
            if (call >= WARM_UP_CALLS) times[i].push((time * 1e6) / task.items);
        });
    }
    return times.map((all) => {
        all.sort((a, b) => a - b);
        return { median: all[all.length >> 1], minimum: all[0] };
    });
}

function print(timings: readonly KernelTiming[]): void {
    console.log("| kernel | mesh | items | ns (min) |\n| --- | --- | --: | --: |");
    for (const t of timings) {
        const cell = (median: number, minimum: number): string => `${median.toFixed(2)} (${minimum.toFixed(2)})`;
        console.log(`| ${t.kernel} | ${t.mesh} | ${t.items} | ${cell(t.wasm, t.wasmMinimum)} |`);
    }
}

if (import.meta.url === pathToFileURL(argv[1]).href) print(timeKernels(argv.slice(2)));
