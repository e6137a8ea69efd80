import { MAX_PLANT_PARTICLES } from "../tunables";
import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernelTable";
import { projectiveKernels } from "../../kernels/modules/projective.generated";
import { Body } from "./body";
import type { BodyDefinition } from "../state/bodyDefinition";
import { deriveFabric } from "../materials/fabric";
import type { Fabric } from "../materials/fabric";
import { ProjectiveSolver } from "../solvers/projective/projectiveSolver";
import { findComponents } from "../topology/meshComponents";
import { findVolumeSprings } from "../topology/volumeSprings";
import type { ClothTopology } from "../topology/topology";
import type { ClothSettings } from "../state/settings";
import type { SharedTriangles } from "../memory/sharedTriangles";

/** Material of a plant. */
export interface PlantMaterial {
    /** Mass per volume [kg/m³], > 0. */
    density: number;
    /** Young's modulus [Pa], >= 0; Infinity: as stiff as sticks can. */
    stiffness: number;
    /** Thickness of what encloses no volume: leaves, blades [m], > 0. */
    thickness: number;
    /** Volume per area of its mesh [m], > 0; found when it is built. Air pushes all of it alike, as one areal density. */
    depth: number;
}

/** Settings of a plant's body. Its fabric is asked for damping, thickness and friction. */
export interface PlantSettings extends ClothSettings {
    readonly plant: PlantMaterial;
}

/** Sap and pith: 1 t/m³, green stems; leaves of 2 mm. */
export function defaultPlant(): PlantMaterial {
    return { density: 1000, stiffness: 1e7, thickness: 0.002, depth: 0.002 };
}

/** Fabric of a plant for its mesh and the air: stiffness by volume of its distance constraints, bending stiffness of a plate. */
export function fabricOf({ density, stiffness, thickness, depth }: PlantMaterial): Partial<Fabric> {
    return {
        arealDensity: density * depth,
        stretchStiffness: stiffness,
        bendStiffness: (stiffness * thickness * thickness * thickness) / 12,
    };
}

/** The plan of one plant: the sticks of its mesh and supports, see topology/volumeSprings.ts; and bending, for what is flat. */
function plantDefinition(topology: ClothTopology, settings: PlantSettings, sharedTriangles?: SharedTriangles): BodyDefinition {
    const { particleCount, positions, area, areas, triangles, stencils } = topology;
    const { plant } = settings;
    if (particleCount > MAX_PLANT_PARTICLES) {
        throw new RangeError(
            `PlantBehavior: a plant has at most ${MAX_PLANT_PARTICLES} particles, this mesh makes ${particleCount}: use a coarser one`,
        );
    }
    const parts = findComponents(positions, triangles);
    const volumes = areas.map((share, i) => {
        const part = parts.components[parts.componentOfParticle[i]];
        return part.isClosed ? (share / part.area) * part.volume : share * plant.thickness;
    });
    plant.depth = volumes.reduce((sum, volume) => sum + volume, 0) / area;
    settings.fabric = deriveFabric(settings.fabric, fabricOf(plant));
    const sticks = findVolumeSprings(topology, parts, volumes);
    return {
        particleCount,
        shares: volumes,
        density: (settings) => (settings as PlantSettings).plant.density,
        triangles,
        sharedTriangles,
        constraints: { sticks: (arena: Arena) => new ProjectiveSolver(arena, particleCount, sticks, stencils) },
        passes: ["sticks"],
        passesAfterContact: [],
        lengthConstraints: ["sticks"],
    };
}

/**
 * A running plant.
 * @param restPositions simulation space [m], shape [particleCount, 3]
 * @param origin world position of simulation space's origin [m]; kept
 * @param sharedTriangles the topology's, where they are in the arena already
 * @throws RangeError when there is no memory left
 */
export function createPlant(
    kernels: Kernels,
    topology: ClothTopology,
    restPositions: Float32Array,
    settings: PlantSettings,
    origin: Float64Array = new Float64Array(3),
    sharedTriangles?: SharedTriangles,
): Body {
    return new Body(
        kernels.add(projectiveKernels),
        plantDefinition(topology, settings, sharedTriangles),
        restPositions,
        settings,
        origin,
    );
}
