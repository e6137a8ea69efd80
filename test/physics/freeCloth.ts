/** Cloth that little or nothing holds: on a sphere, thrown and caught, swinging for itself, worn as a cape. */
import { Fabrics } from "../../src/engine/index";
import type { Fabric, Body } from "../../src/engine/index";
import { seededRandom } from "../random";
import { grid, gridIndex, hanging, irregular, lying, topRow } from "./meshes";
import { addCollider, at, makeCloth, measure, pinParticles, pose, runSeconds, runSteps, setVelocity, stretchOf } from "./support";

/** Mean and largest stretch. */
export interface Stretch {
    mean: number;
    max: number;
}

/** @returns the stretch of a 2 m sheet of cotton that has come down on a sphere: mean of the last 2 of 10 s, and the largest in them */
export function lieOnSphere(quads: number, { mesh = "grid", substepCount = 4 } = {}): Stretch {
    const place = lying(2, 2, 0.55);
    const sheet = mesh === "grid" ? grid(quads, quads, place) : irregular(quads, quads, place, seededRandom(1));
    const fabric = { ...Fabrics.cotton, friction: 0.5 };
    const cloth = makeCloth(sheet, { fabric, substepCount, tetherSlack: 0 });
    addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5]));
    const result = { mean: 0, max: 0 };
    runSteps(cloth, 600, (step) => {
        if (step < 480) return;
        const { mean, max } = stretchOf(cloth);
        result.mean += mean / 120;
        result.max = Math.max(result.max, max);
    });
    cloth.release();
    return result;
}

/** Velocity of the centre of mass [m/s], spin about it [kg m²/s] and kinetic energy [J]. */
export function motionOf(cloth: Body): { velocity: number[]; spin: number[]; kinetic: number } {
    const { mass, centre, momentum, spin, kinetic } = measure(cloth);
    const own = spin.map((s, c) => s - centre[(c + 1) % 3] * momentum[(c + 2) % 3] + centre[(c + 2) % 3] * momentum[(c + 1) % 3]);
    return { velocity: momentum.map((p) => p / mass), spin: own, kinetic };
}

/** What of a free sheet's motion changes in two seconds, as shares. */
export interface Lost {
    momentum: number;
    spin: number;
    /** Of its energy of motion; less than 0: it has lost some. */
    gained: number;
}

/** @returns what changes of a square metre of 8 × 8 quads that flies, spins and crumples, without gravity and air */
export function flyFree(kind: "alternating" | "irregular", substepCount: number): Lost {
    const random = seededRandom(1);
    const sheet = kind === "irregular" ? irregular(8, 8, lying(), random) : grid(8, 8, lying(), "alternating");
    const cloth = makeCloth(sheet, { gravity: [0, 0, 0], substepCount });
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const [x, , z] = at(cloth, i);
        setVelocity(cloth, i, [2 + 4 * z + random(), random(), random() - 4 * x]);
    }
    const before = motionOf(cloth);
    runSeconds(cloth, 2);
    const after = motionOf(cloth);
    cloth.release();
    return {
        momentum: changeOf(before.velocity, after.velocity),
        spin: changeOf(before.spin, after.spin),
        gained: after.kinetic / before.kinetic - 1,
    };
}

function changeOf(before: readonly number[], after: readonly number[]): number {
    return Math.hypot(...after.map((x, c) => x - before[c])) / Math.hypot(...before);
}

/** @returns the largest stretches in the four seconds after a square metre of cotton, thrown and spinning, is caught by two corners */
export function catchSheet(quads: number): Stretch {
    const cloth = makeCloth(grid(quads, quads, lying()), { fabric: Fabrics.cotton, tetherSlack: 0 });
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const [x, , z] = at(cloth, i);
        setVelocity(cloth, i, [3 - 4 * z, 4 + 2 * x, 4 * x]);
    }
    runSteps(cloth, 40);
    pinParticles(cloth, [gridIndex(quads, 0, quads), gridIndex(quads, quads, quads)]);
    const result = { mean: 0, max: 0 };
    runSteps(cloth, 240, () => {
        const { mean, max } = stretchOf(cloth);
        result.mean = Math.max(result.mean, mean);
        result.max = Math.max(result.max, max);
    });
    cloth.release();
    return result;
}

/** Stores no energy: what bends and shears gives back what it took. */
export const LIMP = { bendStiffness: 0, shearStiffness: 0 };

/**
 * A square metre of cotton that hangs by its top row is let go at 45°, without air.
 * @param changed what differs from cotton
 * @returns the energy of motion and height that it keeps for 10 s, above that of rest, and all that it gains from frame to frame, as shares of what it had
 */
export function swing(substepCount: number, changed: Partial<Fabric> = {}): { kept: number; gained: number } {
    const n = 16;
    const sheet = grid(n, n, (u, v) => [u, (v - 1) * Math.SQRT1_2, (1 - v) * Math.SQRT1_2]);
    const fabric = { ...Fabrics.cotton, damping: 0, ...changed };
    const cloth = makeCloth(sheet, { fabric, tetherSlack: 0, substepCount, pinned: topRow(n, n) });
    const rest = measure(cloth).potential * Math.SQRT2;
    const energy = (): number => {
        const { kinetic, potential } = measure(cloth);
        return kinetic + potential - rest;
    };
    const all = energy();
    let before = Infinity;
    let gained = 0;
    runSteps(cloth, 600, (step) => {
        const now = step > 0 ? energy() : all;
        gained += Math.max(0, now - before);
        before = now;
    });
    const kept = energy() / all;
    cloth.release();
    return { kept, gained: gained / all };
}

/** @returns the largest stretches of a silk cape of irregular triangles at two substeps, held by half of its top row, that swings at 2 m/s for 10 s */
export function wearCape(seed: number): Stretch {
    const [columns, rows] = [24, 32];
    const sheet = irregular(columns, rows, hanging(0.9, 1.2), seededRandom(seed));
    const cloth = makeCloth(sheet, { fabric: Fabrics.silk, tetherSlack: 0, substepCount: 2 });
    const pins = pinParticles(
        cloth,
        topRow(columns, rows).filter((_, i) => i >= 6 && i <= 18),
    );
    const result = { mean: 0, max: 0 };
    const [across, along] = [2 * Math.PI * 0.7, 2 * Math.PI * 0.45];
    runSteps(cloth, 600, (step) => {
        const t = step / 60;
        pins.setTargets(
            pose(
                [(2 / across) * Math.sin(across * t), 0, (2 / along) * Math.sin(along * t)],
                [1, 1, 1],
                0.6 * Math.sin(2.3 * t),
                "y",
            ),
        );
        if (step <= 30) return;
        const { mean, max } = stretchOf(cloth);
        result.mean = Math.max(result.mean, mean);
        result.max = Math.max(result.max, max);
    });
    cloth.release();
    return result;
}
