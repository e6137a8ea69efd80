/** Bending: cylinders about any direction, strips against the heavy elastica, a plate, sleeves and skirts, cloth at rest on a sphere, Cusick's drape test. Known answers: test/physics/. */
import { Fabrics } from "../../../src/engine/index";
import { drapeCoefficient } from "../../physics/cusick";
import { shareOfPlate } from "../../physics/cylinder";
import { bendStrip } from "../../physics/elastica";
import type { StripMesh } from "../../physics/elastica";
import { grid, gridIndex, irregular, lying } from "../../physics/meshes";
import { hemWidth } from "../../physics/skirt";
import { sleeveWidth } from "../../physics/sleeve";
import { addCollider, at, makeCloth, pose, runSeconds } from "../../physics/support";
import { seededRandom } from "../../random";
import { atLeast, atMost, number, percent } from "../report";
import type { Section } from "../report";

const MESHES: readonly StripMesh[] = ["grid", "irregular", 0, 22.5, 45];
const STIFFNESSES = [1e-6, 5e-6, 2e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2];

/** The whole chapter. */
export function bendingSection(): Section {
    const sections = [directions(), strips(4), strips(2), plate(), ...heldOut(), onSphere(), drape()];
    return {
        tables: sections.flatMap(({ tables }) => tables),
        bars: sections.flatMap(({ bars }) => bars),
        data: sections.map(({ data }) => data),
    };
}

/** Energy of sheets wound onto cylinders, on which isotropy rests, whatever a pass makes of it. */
function directions(): Section {
    const meshes = { grid: grid(64, 64, lying(1)), irregular: irregular(64, 64, lying(1), seededRandom(3), 0.3) };
    const angles = [0, 22.5, 45, 67.5, 90];
    const data = Object.entries(meshes).flatMap(([mesh, sheet]) =>
        [1, 3, 9].map((span) => ({ mesh, span, shares: angles.map((degrees) => shareOfPlate(sheet, degrees, span)) })),
    );
    const unevenness = ({ shares }: { shares: number[] }): number => Math.max(...shares) / Math.min(...shares) - 1;
    return {
        tables: [
            {
                title: "Energy of cloth bent about a direction, as a share of a plate's: stencils over 1, 3 and 9 edges of 1 m in 64 quads",
                columns: ["mesh ", "span", ...angles.map((degrees) => `${degrees}°`), "most over least"],
                rows: data.map((d) => [d.mesh, `${d.span}`, ...d.shares.map(number), percent(unevenness(d))]),
            },
        ],
        bars: Object.keys(meshes).map((mesh) =>
            atMost(
                `bent about any direction, ${mesh}: most over least energy, worst span`,
                100 * Math.max(...data.filter((d) => d.mesh === mesh).map(unevenness)),
                10,
                " %",
            ),
        ),
        data,
    };
}

function strips(substepCount: number): Section {
    const data: { mesh: StripMesh; quads: number; stiffness: number; error: number }[] = [];
    for (const mesh of MESHES) {
        for (const quads of [16, 32, 64, 128]) {
            for (const stiffness of STIFFNESSES) {
                const { error, cloth } = bendStrip(stiffness, { quads, mesh, substepCount });
                cloth.release();
                data.push({ mesh, quads, stiffness, error });
            }
        }
    }
    const name = (mesh: StripMesh): string => (typeof mesh === "number" ? `cut at ${mesh}°` : mesh);
    const rows = MESHES.flatMap((mesh) =>
        [16, 32, 64, 128].map((quads) => [
            name(mesh),
            `${quads}`,
            ...data.filter((d) => d.mesh === mesh && d.quads === quads).map(({ error }) => percent(error)),
        ]),
    );
    const worst = (isCut: boolean, low: number, high: number): number =>
        100 *
        Math.max(
            ...data
                .filter(({ mesh, stiffness }) => (typeof mesh === "number") === isCut && stiffness >= low && stiffness <= high)
                .map(({ error }) => error),
        );
    const [most, limit] = substepCount === 4 ? [2e-3, 4] : [1e-3, 6];
    const bars = [false, true].map((isCut) =>
        atMost(
            `tip of a clamped strip, ${substepCount} substeps, ${isCut ? "cut at an angle" : "grids and irregular"}, 5e-6 to ${most} N·m, worst`,
            worst(isCut, 5e-6, most),
            limit,
            " %",
        ),
    );
    if (substepCount === 4) bars.push(atMost("tip of a clamped strip at 1e-2 N·m, worst", worst(false, 1e-2, 1e-2), 8, " %"));
    return {
        tables: [
            {
                title: `Tip of a clamped strip of 0.3 m at ${substepCount} substeps: distance from the elastica's (% of the length)`,
                columns: ["mesh ", "quads", ...STIFFNESSES.map((stiffness) => `${stiffness}`)],
                rows,
            },
        ],
        bars,
        data,
    };
}

/** A square of 1 m, held by a tenth of it beyond one side. */
function plate(): Section {
    const data = [16, 32, 64].map((quads) => {
        const columns = Math.round(1.1 * quads);
        const sheet = grid(columns, quads, (u, v) => [(u * columns) / quads - 0.1, 0, v]);
        const pinned = Array.from({ length: sheet.positions.length / 3 }, (_, i) => i).filter((i) => sheet.positions[3 * i] < 1e-6);
        const fabric = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 10, damping: 4 };
        const cloth = makeCloth(sheet, { fabric, tetherSlack: 0, pinned });
        runSeconds(cloth, 4);
        const droop = -at(cloth, gridIndex(columns, columns, quads >> 1))[1];
        cloth.release();
        return { quads, droop };
    });
    return {
        tables: [
            {
                title: "A plate of 1 m and 10 N·m, clamped at a side: droop (% of the length; theory 2.5)",
                columns: ["quads", "droop"],
                rows: data.map(({ quads, droop }) => [`${quads}`, percent(droop)]),
            },
        ],
        bars: [atMost("plate of 10 N·m, 64 quads: droop", 100 * data[2].droop, 10, " %")],
        data,
    };
}

function heldOut(): Section[] {
    return [
        widths("sleeve", "A sleeve hung by a line along it: its width", sleeveWidth, 64),
        widths("skirt", "A skirt hung by its waist: mean radius of its hem", hemWidth, 48),
    ];
}

/** Widths of what its curvature at rest holds out, over those at rest, beside a finer one at more substeps. */
function widths(name: string, what: string, widthOf: typeof sleeveWidth, substepCount: number): Section {
    const data = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2].map((stiffness) => ({
        stiffness,
        width: widthOf(stiffness).width,
        reference: widthOf(stiffness, { around: 96, substepCount }).width,
    }));
    return {
        tables: [
            {
                title: `${what}, as a share of that at rest; the reference has 96 quads around and ${substepCount} substeps`,
                columns: ["N·m", "48 around", "reference"],
                rows: data.map(({ stiffness, width, reference }) => [`${stiffness}`, number(width), number(reference)]),
            },
        ],
        bars: [atMost(`${name}, width, worst`, Math.max(...data.map((d) => Math.abs(d.width - d.reference))), 0.1)],
        data,
    };
}

/** Kinetic energy of a sheet of 2 m that has come down on a sphere, 10 s later, the most of ten steps. */
function onSphere(): Section {
    const data: { substepCount: number; stiffness: number; kinetic: number }[] = [];
    for (const substepCount of [1, 2, 4]) {
        for (const stiffness of [0, 1e-6, 5e-5, 1e-3, 1e-2, 1, 100]) {
            const fabric = { ...Fabrics.cotton, bendStiffness: stiffness };
            const cloth = makeCloth(grid(32, 32, lying(2, 2, 0.55)), { fabric, substepCount, tetherSlack: 0 });
            addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5]));
            runSeconds(cloth, 10);
            let kinetic = 0;
            for (let step = 0; step < 10; step++) {
                runSeconds(cloth, 1 / 60);
                kinetic = Math.max(kinetic, cloth.kineticEnergy);
            }
            cloth.release();
            data.push({ substepCount, stiffness, kinetic });
        }
    }
    const worst = (counts: number[]): number =>
        Math.max(...data.filter((d) => counts.includes(d.substepCount)).map(({ kinetic }) => kinetic));
    return {
        tables: [
            {
                title: "A sheet on a sphere after 10 s: kinetic energy (J)",
                columns: ["substeps", "N·m", "J"],
                rows: data.map((d) => [`${d.substepCount}`, `${d.stiffness}`, d.kinetic.toExponential(1)]),
            },
        ],
        bars: [
            atMost("on a sphere, 2 and 4 substeps, any stiffness: kinetic energy (µJ)", 1e6 * worst([2, 4]), 10),
            atMost("on a sphere, 1 substep, any stiffness: kinetic energy (µJ)", 1e6 * worst([1]), 1000),
        ],
        data,
    };
}

function drape(): Section {
    const data = Object.entries(Fabrics).map(([name, fabric]) => ({
        name,
        coefficients: [24, 32, 48].map((quads) => drapeCoefficient(fabric, { quads }).coefficient),
    }));
    return {
        tables: [
            {
                title: "Cusick's drape coefficients of the named fabrics (%)",
                columns: ["fabric ", "24 quads", "32 quads", "48 quads"],
                rows: data.map(({ name, coefficients }) => [name, ...coefficients.map(percent)]),
            },
        ],
        bars: [
            atLeast(
                "Cusick's coefficients, each above the last: least difference",
                100 *
                    Math.min(
                        ...data.slice(1).flatMap(({ coefficients }, i) => coefficients.map((c, k) => c - data[i].coefficients[k])),
                    ),
                0,
                " points",
            ),
        ],
        data,
    };
}
