import { SAG_ALLOWANCE } from "../tunables";
import type { ThreadStiffness } from "./warpWeftStiffness";
import { knownOptions, nonNegative, positive, reject, rejectName, stiffness } from "../validate";

/**
 * Properties of a fabric in physical units. Plain data; any subset overrides the default ({@link Fabrics.cotton}). Stiffnesses are those of the sheet, not of a
 * stick: the same fabric hangs the same at any resolution.
 */
export interface Fabric {
    /** Mass per area [kg/m²]. Default 0.2. Must be > 0. */
    arealDensity: number;
    /**
     * Membrane stiffness along the threads, force per width and unit strain with free sides [N/m]. Default Infinity = inextensible; 0 = off. A sheet that
     * hangs by a side of a grid is as long as theory says, within 5 %, at any number of substeps; cloth stretches by at most 1.5 times the strain of all its weight.
     * `{ warp, weft }` along u and v of the mesh's texture coordinates.
     */
    stretchStiffness: number | ThreadStiffness;
    /** Shear stiffness, force per width and unit shear [N/m]. Default 200; Infinity = rigid, 0 = off. */
    shearStiffness: number;
    /**
     * Bending stiffness, moment per width and curvature [N·m]. Default 5e-5; Infinity = rigid, 0 = off. At the default four substeps
     * it is what it says up to about 2e-3, and less than that beyond; what takes more than stencils of one edge (stiff cloth, fine meshes, long
     * steps) costs up to four times the time of bending. `{ warp, weft }`: of strips cut along u and v of the mesh's texture coordinates.
     */
    bendStiffness: number | ThreadStiffness;
    /**
     * Rate at which motion dies away in still air [1/s]: the speed falls by the factor exp(-damping · seconds). Default 0.6. It stands in for air: what a
     * `Wind` moves and nothing pins is damped beside its mean motion only, so that it falls and sails as by that air alone. What touches colliders is damped more the
     * slower it is, up to 21 times as much, so that it comes to rest.
     */
    damping: number;
    /** Distance kept from colliders [m]. Default 0.01. */
    thickness: number;
    /** Coulomb friction coefficient μ against colliders that set none of their own. Default 0.4. */
    friction: number;
}

/**
 * Named fabrics, to start from: `fabric: { ...Fabrics.silk, damping: 1 }`, from the softest to the stiffest by their drape. Weights and stiffnesses are
 * typical of each cloth, the mean of warp and weft, and taken from no one table (1 gf·cm²/cm of Kawabata's KES is 9.8e-5 N·m; that leaves out the friction between
 * threads, so cloth may drape more stiffly than its number). Each says what published measurement it can be held against, docs/design-solver.md by how much they differ;
 * where it names none, none was found. Drape coefficients (Cusick, BS 5058: a disc of 30 cm on one of 18 cm, share of the free
 * ring that the shadow covers) are ranges around what cloths of these numbers have in the simulation of that test (`npm run bench -- --only physics`); no two
 * bolts agree.
 */
export const Fabrics = {
    /** Sheer silk or polyester. Drape coefficient 15–25 %. */
    chiffon: {
        arealDensity: 0.045,
        stretchStiffness: Infinity,
        shearStiffness: 20,
        bendStiffness: 1e-6,
        damping: 0.6,
        thickness: 0.005,
        friction: 0.2,
    },
    /** Latex sheet of half a millimetre, 1.5 MPa: stretches visibly. Drape coefficient as computed from that, 20–25 %. */
    rubber: {
        arealDensity: 0.5,
        stretchStiffness: 750,
        shearStiffness: 250,
        bendStiffness: 2e-5,
        damping: 1.5,
        thickness: 0.012,
        friction: 0.9,
    },
    /** Light plain weave, slippery. Drape coefficient 20–35 %. */
    silk: {
        arealDensity: 0.08,
        stretchStiffness: Infinity,
        shearStiffness: 30,
        bendStiffness: 5e-6,
        damping: 0.6,
        thickness: 0.006,
        friction: 0.2,
    },
    /**
     * Worsted suiting, soft. Drape coefficient 30–40 %. Penava et al. 2014, table 1: a woollen cloth of 0.235 kg/m², 0.57 mm thick. Thinner: tropical, 6.6e-6 N·m
     * (Matsudaira et al. 2015, J. Textile Eng. 61, 69, table 1, at second hand).
     */
    wool: {
        arealDensity: 0.25,
        stretchStiffness: Infinity,
        shearStiffness: 40,
        bendStiffness: 2e-5,
        damping: 0.6,
        thickness: 0.012,
        friction: 0.5,
    },
    /** Flag cloth, crisp; sheared as plain weaves without coating are, about 0.5 gf/(cm·°) by KES. Drape coefficient 45–60 %. */
    nylon: {
        arealDensity: 0.12,
        stretchStiffness: Infinity,
        shearStiffness: 30,
        bendStiffness: 2e-5,
        damping: 0.4,
        thickness: 0.008,
        friction: 0.3,
    },
    /**
     * Plain sheeting, the default. Drape coefficient 50–65 %. Penava et al. 2014, table 1: a cotton of 0.150 kg/m², 0.32 mm thick. Crisper: broadcloth,
     * 1.16e-5 N·m by KES, but 82.9 % (Matsudaira et al. 2015, J. Textile Eng. 61, 69, tables 1 and 2, at second hand).
     */
    cotton: {
        arealDensity: 0.2,
        stretchStiffness: Infinity,
        shearStiffness: 200,
        bendStiffness: 5e-5,
        damping: 0.6,
        thickness: 0.01,
        friction: 0.4,
    },
    /** Plain weave, crisp. Drape coefficient 60–75 %. */
    linen: {
        arealDensity: 0.18,
        stretchStiffness: Infinity,
        shearStiffness: 120,
        bendStiffness: 6e-5,
        damping: 0.6,
        thickness: 0.01,
        friction: 0.4,
    },
    /**
     * Heavy twill, unwashed. Drape coefficient 65–85 %. Softer ones: 6.4e-5 N·m at 0.324 kg/m² (Wang, O'Brien & Ramamoorthi 2011, "11oz black denim"), 1.4e-5 to
     * 2.2e-5 N·m for thin ones of regenerated cellulose (Journal of Textiles 2016, 4614168, table 5, by KES).
     */
    denim: {
        arealDensity: 0.4,
        stretchStiffness: Infinity,
        shearStiffness: 300,
        bendStiffness: 2e-4,
        damping: 0.8,
        thickness: 0.012,
        friction: 0.6,
    },
    /** Dense duck for tents and sails. Drape coefficient 80–95 %. */
    canvas: {
        arealDensity: 0.45,
        stretchStiffness: Infinity,
        shearStiffness: 600,
        bendStiffness: 4.5e-4,
        damping: 0.8,
        thickness: 0.012,
        friction: 0.5,
    },
    /**
     * Upholstery leather of about a millimetre. Drape coefficient 85–97 %. Garment leather is softer: sheep of 0.64 to 0.96 mm 47–70 % (Memon et al. 2021,
     * Materials 14, 4553).
     */
    leather: {
        arealDensity: 0.7,
        stretchStiffness: Infinity,
        shearStiffness: 3000,
        bendStiffness: 1.2e-3,
        damping: 1,
        thickness: 0.015,
        friction: 0.6,
    },
    /**
     * Office paper of 80 g/m². Bends in one direction at a time. Drape coefficient above 95 %. Beside it, the paper of the simulator ARCSim: 4e-4 N·m at 0.1 kg/m²
     * (Narain, Pfaff & O'Brien 2013).
     */
    paper: {
        arealDensity: 0.08,
        stretchStiffness: Infinity,
        shearStiffness: 5000,
        bendStiffness: 3.5e-4,
        damping: 0.6,
        thickness: 0.005,
        friction: 0.4,
    },
} as const satisfies Record<string, Fabric>;

type OptionCheck<Value> = (owner: string, option: string, value: unknown) => Value;

const optionChecks: { [Name in keyof Fabric]: OptionCheck<Fabric[Name]> } = {
    arealDensity: positive,
    stretchStiffness: checkThreadStiffness,
    shearStiffness: stiffness,
    bendStiffness: checkThreadStiffness,
    damping: nonNegative,
    thickness: nonNegative,
    friction: nonNegative,
};

/** One stiffness, or one along warp and one along weft. */
function checkThreadStiffness(owner: string, option: string, value: unknown): number | ThreadStiffness {
    if (typeof value !== "object" || value === null) return stiffness(owner, option, value);
    knownOptions(`${owner}: ${option}`, value, ["warp", "weft"]);
    const { warp, weft } = value as Partial<ThreadStiffness>;
    return Object.freeze({ warp: stiffness(owner, `${option}.warp`, warp), weft: stiffness(owner, `${option}.weft`, weft) });
}

/** A fabric that differs from another. All are made here, since V8 boxes the numbers of objects that have been made in several ways. */
export function deriveFabric(base: Fabric, changed: Partial<Fabric>): Fabric {
    const all = { ...base, ...changed };
    const { arealDensity, stretchStiffness, shearStiffness, bendStiffness, damping, thickness, friction } = all;
    return Object.freeze({ arealDensity, stretchStiffness, shearStiffness, bendStiffness, damping, thickness, friction });
}

/** A fabric that is known by name. */
export type FabricName = keyof typeof Fabrics;

/**
 * A whole fabric from a partial one, or by name.
 * @throws RangeError on an unknown property or a value out of range
 */
export function resolveFabric(owner: string, value: FabricName | Partial<Fabric>, base: Fabric = Fabrics.cotton): Fabric {
    const partial = typeof value === "string" ? namedFabric(owner, value) : value;
    if (typeof partial !== "object" || partial === null) reject(owner, "fabric", "a fabric's name or an object", partial);
    knownOptions(`${owner}: fabric`, partial, Object.keys(optionChecks));
    const changed: Partial<Fabric> = {};
    for (const name of Object.keys(optionChecks) as (keyof Fabric)[]) {
        const value = partial[name];
        if (value !== undefined) Object.assign(changed, { [name]: optionChecks[name](owner, `fabric.${name}`, value) });
    }
    return deriveFabric(base, changed);
}

/** A whole fabric, of a thickness that is fitted to its mesh [m] unless properties say another. @throws as {@link resolveFabric} */
export function fittedFabric(owner: string, value: FabricName | Partial<Fabric>, thickness: number): Fabric {
    const base = typeof value === "string" ? namedFabric(owner, value) : Fabrics.cotton;
    return resolveFabric(owner, typeof value === "string" ? {} : value, { ...base, thickness });
}

/** True if a thickness [m] is that of a named fabric, and so belongs to the fabric rather than to the mesh. */
export function isNamedThickness(thickness: number): boolean {
    return Object.values(Fabrics).some((named) => named.thickness === thickness);
}

/** @throws RangeError on a name that is none */
export function namedFabric(owner: string, name: string): Fabric {
    if (Object.hasOwn(Fabrics, name)) return Fabrics[name as FabricName];
    return rejectName(owner, "fabric", Object.keys(Fabrics), name);
}

/** On earth [m/s²]. */
export const STANDARD_GRAVITY = 9.81;

/** The gravity that they reckon with [m/s²]: the earth's, or what there is where that is more, as in worlds of centimetres. */
export function effectiveGravity(gravity: Float64Array): number {
    // Not destructured: by its iterator a typed array takes garbage, in each step.
    const x = gravity[0];
    const y = gravity[1];
    const z = gravity[2];
    return Math.max(STANDARD_GRAVITY, Math.sqrt(x * x + y * y + z * z));
}

/** Strain that tethers must leave to a fabric that carries `length` [m] of itself in a gravity [m/s²], times stretch stiffness [N/m]. */
export function sagAllowance({ arealDensity }: Fabric, gravity: number, length: number): number {
    return SAG_ALLOWANCE * arealDensity * gravity * length;
}
