/**
 * The one interface behind which every other cloth is benchmarked.
 *
 * A scene says what is simulated, a peer how. All units are SI; y points up; gravity acts along -y.
 */

/** Names of the benchmark scenes; see `grid.ts` for their geometry. */
export type SceneName = "topRow" | "twoCorners" | "sphere" | "mesh";

/** What is simulated: the same fabric, frame rate and duration for every peer. */
export interface PeerScene {
    /** `topRow`: pinned along row 0. `twoCorners`: pinned at the ends of row 0. `sphere`: free, falls onto a sphere; `mesh`: onto the same as triangles. */
    readonly name: SceneName;
    /** Particles per side, integer >= 2. */
    readonly resolution: number;
    /** Length of a side [m]. */
    readonly sizeMetres: number;
    /** Mass of the fabric [kg/m²]. */
    readonly arealDensity: number;
    /** Air drag: velocities decay as exp(-damping · t) [1/s]. */
    readonly damping: number;
    /** Acceleration along -y [m/s²]. */
    readonly gravity: number;
    /** Coulomb friction between cloth and sphere. */
    readonly friction: number;
    /** Duration of one frame [s]. */
    readonly frameSeconds: number;
    /** Frames of one run. */
    readonly frameCount: number;
}

/** One point of a peer's sweep: the peer's own options, and the label that the tables print. */
export interface PeerSettings {
    readonly label: string;
}

/** One running cloth. */
export interface PeerCloth {
    /** Advances by one frame of `scene.frameSeconds`. The only call that is timed. */
    step(): void;
    /**
     * Writes the particles' world positions [m] as xyz triplets, row-major, and returns the target.
     * @param target length 3 · resolution²; owned by the caller
     */
    positions(target: Float32Array): Float32Array;
    /** Frees everything that the cloth holds. Call once; the cloth is dead afterwards. */
    dispose(): void;
}

/** A cloth simulator, ready to build any scene with any of its settings. */
export interface Peer<Settings extends PeerSettings = PeerSettings> {
    readonly name: string;
    /** Version and build of the library, for the report. */
    readonly version: string;
    /** Whether it has colliders of triangles. */
    readonly meetsMeshes?: true;
    /** The settings worth measuring in this scene, from cheap to costly. */
    settings(scene: PeerScene): Settings[];
    create(scene: PeerScene, settings: Settings): PeerCloth | Promise<PeerCloth>;
}

/** Whether the cloth falls onto the sphere, as such or as triangles. */
export function isOnSphere({ name }: PeerScene): boolean {
    return name === "sphere" || name === "mesh";
}

/** The scene of the reference tables: 2 m square, 0.2 kg/m², drag 0.6 /s, 10 s at 60 Hz. */
export function createScene(name: SceneName, resolution: number): PeerScene {
    return {
        name,
        resolution,
        sizeMetres: 2,
        arealDensity: 0.2,
        damping: 0.6,
        gravity: 9.81,
        friction: 0.5,
        frameSeconds: 1 / 60,
        frameCount: 600,
    };
}
