/**
 * Attaches one cloth in a fresh process and prints how long it took, as a page that makes its first cloth would wait:
 *
 *     node --import ./.ci/ts.mjs test/bench/attachOnce.ts 128 whole|phases
 *
 * `whole` times `mesh.addBehavior` of this first cloth and of two more; `phases` takes the same steps one by one. Each is cold, so each is its own process.
 */
import { argv } from "node:process";
import { MeshBinding } from "../../src/babylon/mesh/meshBinding";
import { ClothBehavior } from "../../src/babylon/behaviors/clothBehavior";
import { select } from "../../src/babylon/pins/select";
import { getKernels, identity, createCloth, Fabrics, PinSet } from "../../src/engine/index";
import { buildTopology } from "../../src/engine/topology/topology";
import { createSquare, createWorld } from "./world";

/** Times in order [ms]: wall and processor time of each step. */
type Times = Record<string, { wall: number; cpu: number }>;

const times: Times = {};
const CORNERS = select.corners("-x+z", "+x+z");

function time<Result>(name: string, run: () => Result): Result {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const result = run();
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    times[name] = { wall, cpu: (user + system) / 1000 };
    return result;
}

const n = Number(argv[2]);
const mesh = createSquare(createWorld(), n);

if (argv[3] === "whole") {
    const cloth = new ClothBehavior({ pins: [{ select: CORNERS }], autoStep: false });
    time("attach", () => mesh.addBehavior(cloth));
    for (const name of ["second", "third"]) {
        const other = createSquare(mesh.getScene(), n);
        time(name, () => other.addBehavior(new ClothBehavior({ pins: [{ select: CORNERS }], autoStep: false })));
    }
} else {
    const kernels = time("kernels", () => getKernels());
    const binding = time("binding", () => new MeshBinding(mesh, kernels));
    const topology = time("topology", () => buildTopology(binding.restPositions, binding.triangles));
    const cloth = time("constraints, colouring", () =>
        createCloth(kernels, topology, binding.restPositions, {
            gravity: Float64Array.of(0, -9.81, 0),
            substepCount: 4,
            fixedTimeStep: 1 / 60,
            maxStepsPerFrame: 4,
            fabric: Fabrics.cotton,
            tetherSlack: 0,
            solver: "xpbd" as const,
            springDamping: 0,
            sleepSpeed: 0,
            wind: null,
        }),
    );
    const pins = new PinSet(Uint32Array.of(0, n - 1));
    pins.attach(cloth.state, identity());
    cloth.addPins(pins);
    time("weights, tethers", () => cloth.prepare());
}
console.log(JSON.stringify(times));
