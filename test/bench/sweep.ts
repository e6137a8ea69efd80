/**
 * Quality per cost of our own settings: substeps × order of the passes × tethers × long limits × resolution × pinning, with
 * stretch, energy gained and time to rest. What the defaults were chosen from.
 */
import { passes as defaultPasses } from "../../src/engine/solvers/xpbd/registry";
import { OursCloth, oursSettings } from "./ours";
import type { OursOptions, PassName } from "./ours";
import { createGrid } from "./peers/grid";
import { measure } from "./peers/measure";
import type { Measurement } from "./peers/measure";
import { createScene } from "./peers/peer";
import type { PeerCloth, PeerScene } from "./peers/peer";
import { number, percent } from "./report";
import type { Section, Table } from "./report";
import { SCENES, SCENE_TITLES } from "./scenes";

const SUBSTEPS = [1, 2, 4, 8];

/** The default passes without a kind. */
function without(...names: PassName[]): Partial<OursOptions> {
    return { passes: defaultPasses.filter((name) => !names.includes(name)) };
}

/** Orders that are compared, by name. */
const ORDERS: Record<string, Partial<OursOptions>> = {
    default: {},
    "no long limits": without("farUnilateralLimits", "unilateralLimits"),
    "no tethers": without("tethers"),
    neither: without("tethers", "farUnilateralLimits", "unilateralLimits"),
    "nothing after contact": { passesAfterContact: [] },
    "tethers last only": { passes: ["bend", "shear", "farUnilateralLimits", "unilateralLimits", "structural", "tethers"] },
    "tethers first only": { passes: ["bend", "shear", "farUnilateralLimits", "unilateralLimits", "tethers", "structural"] },
    "long limits first": {
        passes: ["farUnilateralLimits", "unilateralLimits", "bend", "shear", "tethers", "structural", "tethers"],
    },
    "long limits after tethers": {
        passes: ["bend", "shear", "tethers", "farUnilateralLimits", "unilateralLimits", "structural", "tethers"],
    },
    "long limits last": {
        passes: ["bend", "shear", "tethers", "structural", "farUnilateralLimits", "unilateralLimits", "tethers"],
    },
    "structural first": { passes: ["structural", "shear", "bend", "farUnilateralLimits", "unilateralLimits", "tethers"] },
    "shear last": { passes: ["bend", "structural", "farUnilateralLimits", "unilateralLimits", "tethers", "shear", "tethers"] },
};

interface SweepResult {
    readonly scene: PeerScene;
    readonly substeps: number;
    readonly order: string;
    readonly measurement: Measurement;
    /** Energy that the cloth gained, over that of a fall by its side: 0 for a method that only loses. */
    readonly energyGain: number;
}

/** Adds up every rise of mechanical energy from frame to frame; in still air there should be none. */
class EnergyMeter implements PeerCloth {
    gained = 0;
    private _before = NaN;

    constructor(
        private readonly _ours: OursCloth,
        private readonly _gravity: number,
    ) {}

    step(): void {
        this._ours.step();
    }

    positions(target: Float32Array): Float32Array {
        const { cloth } = this._ours;
        const { positions, particleCount } = cloth.state;
        let energy = cloth.kineticEnergy;
        for (let i = 0; i < particleCount; i++) energy += cloth.masses.massOf(i) * this._gravity * positions[4 * i + 1];
        if (energy > this._before) this.gained += energy - this._before;
        this._before = energy;
        return this._ours.positions(target);
    }

    dispose(): void {
        this._ours.dispose();
    }
}

function measureOne(scene: PeerScene, substeps: number, order: string): SweepResult {
    const meter = new EnergyMeter(new OursCloth(scene, oursSettings({ substeps, ...ORDERS[order] })), scene.gravity);
    const measurement = measure(meter, scene, createGrid(scene));
    meter.dispose();
    const fall = scene.arealDensity * scene.sizeMetres ** 2 * scene.gravity * scene.sizeMetres;
    return { scene, substeps, order, measurement, energyGain: meter.gained / fall };
}

/** Orders that differ in a scene: without pins there are no tethers, without a sphere no contact. */
function ordersOf({ name }: PeerScene): string[] {
    const seen = new Set<string>();
    return Object.keys(ORDERS).filter((order) => {
        const { passes, passesAfterContact } = oursSettings(ORDERS[order]);
        const before = passes.filter((pass) => name !== "sphere" || pass !== "tethers");
        const effective = `${before.join()} | ${name === "sphere" ? passesAfterContact.join() : ""}`;
        const isNew = !seen.has(effective);
        seen.add(effective);
        return isNew;
    });
}

function tableOf(scene: PeerScene, results: readonly SweepResult[]): Table {
    const orders = ordersOf(scene);
    return {
        title: `Our settings: ${SCENE_TITLES[scene.name]}, ${scene.resolution}²`,
        columns: ["passes", ...SUBSTEPS.flatMap((n) => [`${n}: ms`, "mean %", "max %", "gain %", "rest s"])],
        rows: orders.map((order) => [
            order,
            ...SUBSTEPS.flatMap((substeps) => {
                const result = results.find((r) => r.order === order && r.substeps === substeps)!;
                const { measurement: m } = result;
                return [
                    number(m.cpuMs),
                    m.status === "done" ? percent(m.meanStretch) : m.status,
                    percent(m.maxStretch),
                    percent(result.energyGain),
                    m.settledFrame < 0 ? "-" : (m.settledFrame * scene.frameSeconds).toFixed(1),
                ];
            }),
        ]),
        note: "Gain: all rises of mechanical energy from frame to frame, over the energy of a fall by the cloth's side.",
    };
}

/** Runs the sweep. @param resolutions particles per side */
export function sweepSection(resolutions: readonly number[]): Section {
    const all: SweepResult[] = [];
    const tables: Table[] = [];
    for (const resolution of resolutions) {
        for (const name of SCENES) {
            const scene = createScene(name, resolution);
            const results = ordersOf(scene).flatMap((order) => SUBSTEPS.map((substeps) => measureOne(scene, substeps, order)));
            all.push(...results);
            tables.push(tableOf(scene, results));
            process.stderr.write(`  ${name} ${resolution}²\n`);
        }
    }
    return { tables, bars: [], data: all };
}
