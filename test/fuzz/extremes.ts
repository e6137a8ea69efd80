/** Sheets under the implicit solvers that no one would make: fabrics, steps, weights and beginnings at random, far beyond what cloth has. Seeded. */
import "../parts";
import { Fabrics } from "../../src/engine/index";
import type { Body } from "../../src/engine/index";
import { measureStretch } from "../../src/engine/index";
import { grid, lying } from "../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../physics/support";
import { seededRandom } from "../random";
import { Dice } from "./randomMeshes";

/** How an extreme sheet fared. */
export interface ExtremeRun {
    readonly name: string;
    /** Whether it has stayed finite and moving. */
    readonly isSound: boolean;
    /** Largest stretch of an edge, but for the first quarter. */
    readonly stretch: number;
    /** How far its own weight would stretch its longest way, roughly. */
    readonly sag: number;
}

const STEPS = 120;

export function goToExtremes(seed: number): ExtremeRun {
    const dice = new Dice(seededRandom(seed));
    const cells = dice.integer(3, 16);
    const size = dice.size(0.1, 4);
    const cell = size / cells;
    const sheet = grid(cells, cells, lying(size, size, 0.5));
    if (dice.chance(0.4))
        for (let i = 0; i < sheet.positions.length; i++) if (i % 3 !== 1) sheet.positions[i] += dice.range(-0.35, 0.35) * cell;
    const fabric = {
        ...Fabrics.cotton,
        arealDensity: dice.size(1e-3, 10),
        stretchStiffness: dice.size(1, 1e8),
        shearStiffness: dice.size(0.01, 1e7),
        bendStiffness: dice.size(1e-8, 10),
        damping: dice.chance(0.5) ? 0 : 0.5,
    };
    const particle = (): number => dice.integer(0, (cells + 1) ** 2 - 1);
    const pinned = dice.chance(0.7) ? Array.from({ length: dice.integer(1, cells) }, particle) : [];
    const solver = dice.chance(0.5) ? "implicit" : "implicitBuckling";
    const substepCount = dice.integer(1, 4);
    const springDamping = dice.chance(0.3) ? 0 : dice.size(1e-5, 0.1);
    const weight = dice.size(0.1, 100);
    const fixedTimeStep = dice.size(1 / 240, 0.1);
    const cloth = makeCloth(sheet, {
        solver,
        substepCount,
        springDamping,
        fabric,
        gravity: [0, -weight, 0],
        fixedTimeStep,
        pinned,
    });
    if (dice.chance(0.4)) addCollider(cloth, "sphere", pose([0, 0.5 - 0.275 * size, 0], [0.25 * size, 0.25 * size, 0.25 * size]));
    begin(cloth, dice, cell, fixedTimeStep / substepCount);
    let stretch = 0;
    const most = new Float64Array(2);
    for (let step = 0; step < STEPS; step++) {
        runSteps(cloth, 1);
        measureStretch(cloth, most);
        if (step > STEPS / 4) stretch = Math.max(stretch, most[1]);
    }
    const isSound = Number.isFinite(most[1]) && cloth.solver?.warning === null;
    cloth.release();
    const { arealDensity, stretchStiffness, shearStiffness } = fabric;
    const [stiff, shear] = [stretchStiffness, shearStiffness].map((value) => value.toPrecision(2));
    const name = `${seed}: ${solver}, ${cells}², ${size.toFixed(2)} m, ${stiff} N/m, shear ${shear} N/m, ${substepCount} substeps of ${fixedTimeStep.toPrecision(2)} s`;
    return { name, isSound, stretch, sag: (weight * arealDensity * size * (cells + 1)) / stretchStiffness };
}

/** Jolts, squeezes and spins what is free. */
function begin({ state }: Body, dice: Dice, cell: number, substep: number): void {
    const { positions: x, previous, stepStart, inverseMasses, particleCount } = state;
    const jolt = dice.chance(0.5) ? dice.size(0.01, 2) * cell : 0;
    for (let i = 0; i < particleCount; i++) {
        for (let c = 0; c < 3; c++) {
            const by = jolt * dice.range(-1, 1);
            if (inverseMasses[i] > 0) x[4 * i + c] += by;
        }
    }
    const kind = dice.next();
    const axes = kind < 0.2 ? [0, 1, 2] : kind < 0.27 ? [0] : kind < 0.35 ? [0, 2] : [];
    const share = kind < 0.1 || kind >= 0.35 ? 0 : dice.size(1e-4, 0.5);
    for (let i = 0; i < particleCount; i++) if (inverseMasses[i] > 0) for (const c of axes) x[4 * i + c] *= share;
    const spin = dice.chance(0.3) ? dice.size(1, 300) : 0;
    previous.set(x);
    stepStart.set(x);
    for (let i = 0; i < particleCount; i++) {
        if (inverseMasses[i] === 0) continue;
        previous[4 * i] += x[4 * i + 2] * spin * substep;
        previous[4 * i + 2] -= x[4 * i] * spin * substep;
    }
}
