import type { Arena } from "./arena";
import type { BendLineArrays, EdgeStickArrays, FanArrays, MarchArrays, RestArrays, StraightLimitArrays } from "./restLayout";
import type { CloudArrays, EdgeArrays, FaceArrays, PointArrays, UniqueArrays, WeldArrays } from "./surfaceLayout";
import type {
    BendShareArrays,
    SplitArrays,
    StencilOrderArrays,
    StencilWeightArrays,
    StickLengthArrays,
    StickOrderArrays,
    StickWeightArrays,
    TetherOrderArrays,
} from "./prepareLayout";
import type { ContactArrays, StretchPartArrays, TriangleContactArrays } from "./contactLayout";
import type { MeshArrays, SkinArrays, SkinMeshArrays } from "./meshLayout";
import type { ChainArrays, ChainBendArrays } from "./chainLayout";
import type { NetArrays } from "./netLayout";
import type { StickBodyArrays } from "./stickBodyLayout";
import type { FlexionArrays, HingeArrays, MembraneArrays, SystemArrays } from "./implicitLayout";
import type { CrowdArrays, MemberArrays } from "./crowdLayout";
import type { TouchArrays, WebArrays } from "./touchLayout";
import type {
    AirArrays,
    LineStencilArrays,
    ParticleArrays,
    StencilArrays,
    StickArrays,
    LimitArrays,
    SurfaceArrays,
    TetherArrays,
} from "./layout";

/** What kernels take: structs, and the data of a collider. */
interface Arguments {
    ParticleArrays: ParticleArrays;
    StickArrays: StickArrays;
    LimitArrays: LimitArrays;
    LineStencilArrays: LineStencilArrays;
    StencilArrays: StencilArrays;
    TetherArrays: TetherArrays;
    ChainArrays: ChainArrays;
    ChainBendArrays: ChainBendArrays;
    NetArrays: NetArrays;
    StickBodyArrays: StickBodyArrays;
    SystemArrays: SystemArrays;
    MembraneArrays: MembraneArrays;
    HingeArrays: HingeArrays;
    FlexionArrays: FlexionArrays;
    AirArrays: AirArrays;
    SurfaceArrays: SurfaceArrays;
    ContactArrays: ContactArrays;
    /** Contact's slots, then the shape's. */
    ColliderData: Float32Array;
    MeshArrays: MeshArrays;
    SkinArrays: SkinArrays;
    SkinMeshArrays: SkinMeshArrays;
    TriangleContactArrays: TriangleContactArrays;
    StretchPartArrays: StretchPartArrays;
    CrowdArrays: CrowdArrays;
    MemberArrays: MemberArrays;
    TouchArrays: TouchArrays;
    WebArrays: WebArrays;
    SplitArrays: SplitArrays;
    FanArrays: FanArrays;
    MarchArrays: MarchArrays;
    WeldArrays: WeldArrays;
    FaceArrays: FaceArrays;
    UniqueArrays: UniqueArrays;
    PointArrays: PointArrays;
    EdgeArrays: EdgeArrays;
    RestArrays: RestArrays;
    EdgeStickArrays: EdgeStickArrays;
    StraightLimitArrays: StraightLimitArrays;
    BendLineArrays: BendLineArrays;
    StickOrderArrays: StickOrderArrays;
    StencilOrderArrays: StencilOrderArrays;
    StickWeightArrays: StickWeightArrays;
    BendShareArrays: BendShareArrays;
    StencilWeightArrays: StencilWeightArrays;
    StickLengthArrays: StickLengthArrays;
    TetherOrderArrays: TetherOrderArrays;
    CloudArrays: CloudArrays;
}

/** Parts of the WebAssembly that come apart from the others: what only some bodies need, see {@link Kernels.add}. */
type ModuleName = "contact" | "rootFree" | "wind" | "mesh" | "crowd" | "chain" | "net" | "rigid" | "implicit";

/** A kernel: the file of its function in wasm/assembly/, and what it takes. */
interface Kernel {
    /** Left out: with what every body needs. */
    readonly module?: ModuleName;
    readonly file: string;
    readonly takes: readonly (keyof Arguments)[];
}

/**
 * The kernels: the one place where a new one is declared, beside its function. The build derives the module's exports and
 * the bindings from it.
 *
 * What changes per call travels in the arrays (uniforms, collider data, frame): a double passed through an interface would
 * be boxed, and nothing here may allocate. A struct is passed to WebAssembly as the address of its descriptor.
 */
export const kernelTable = {
    /** Verlet: x += clamp((x - previous + residual) kept + g dt²), previous = old x; particles of inverse mass 0 stand still. */
    integrate: { file: "integrate", takes: ["ParticleArrays"] },
    /** Boxes that the particles swept in this substep, over positions and previous: of the blocks, and of all to the uniforms. */
    measureBounds: { file: "integrate", takes: ["ParticleArrays"] },
    /** Largest displacement of a particle since stepStart, written to the uniforms. */
    measureMotion: { file: "integrate", takes: ["ParticleArrays"] },
    /** Projects sticks in order; see methods/xpbd/sticks.ts. */
    projectSticks: { file: "sticks", takes: ["ParticleArrays", "StickArrays"] },
    /** The same for sticks that are the material's lengths, of which the largest strain is noted. */
    projectLengths: { file: "sticks", takes: ["ParticleArrays", "StickArrays"] },
    /** Both without square roots, near the lengths at rest; see assembly/rootFreeSticks.ts. */
    projectRootFreeSticks: { module: "rootFree", file: "rootFreeSticks", takes: ["ParticleArrays", "StickArrays"] },
    projectRootFreeLengths: { module: "rootFree", file: "rootFreeSticks", takes: ["ParticleArrays", "StickArrays"] },
    /** Draws what is stretched far together, if the largest strain noted asks for it; see reference/stretchLimits.ts. */
    limitStretch: { file: "stretchLimits", takes: ["ParticleArrays", "StickArrays"] },
    /** Projects sticks that only pull; see methods/xpbd/longLimits.ts. */
    projectLongLimits: { file: "longLimits", takes: ["ParticleArrays", "StickArrays"] },
    /** The same for limits between whole masses. */
    projectLimits: { file: "longLimits", takes: ["ParticleArrays", "LimitArrays"] },
    /** Projects bending stencils of three particles; see methods/xpbd/bend.ts. */
    projectLineStencils: { file: "stencils", takes: ["ParticleArrays", "LineStencilArrays"] },
    /** The same of four particles. */
    projectStencils: { file: "stencils", takes: ["ParticleArrays", "StencilArrays"] },
    /** The same of four particles with a curvature at rest. */
    projectCurvedStencils: { file: "stencils", takes: ["ParticleArrays", "StencilArrays"] },
    /** Pulls particles back within the length of their tethers; see methods/xpbd/tethers.ts. */
    projectTethers: { file: "tethers", takes: ["ParticleArrays", "TetherArrays"] },
    /** Has the links of a chain grow with it, once a substep. */
    growChain: { module: "chain", file: "chain", takes: ["ChainArrays"] },
    /** Solves the lengths of a chain's links, all at once; see assembly/chain.ts. */
    projectChain: { module: "chain", file: "chain", takes: ["ParticleArrays", "ChainArrays"] },
    /** Notes contacts for the next pass over a chain. */
    noteChainContacts: { module: "chain", file: "chain", takes: ["ContactArrays", "ChainArrays"] },
    /** Bends a chain straight, all particles at once; see assembly/chainBend.ts. */
    bendChain: { module: "chain", file: "chainBend", takes: ["ParticleArrays", "ChainBendArrays"] },
    /** Solves what keeps the shape of a plant, all at once; see assembly/net.ts. */
    solveNet: { module: "net", file: "net", takes: ["ParticleArrays", "NetArrays"] },
    /** Has the sticks of two rigid bodies hold that no pin leaves free to go some ways, of one where both are the same; see rigid/stickBodyMotion.ts. */
    holdStickBodies: { module: "rigid", file: "stickBody", takes: ["StickBodyArrays", "StickBodyArrays"] },
    /** Backward Euler: the linear system of a step, what adds to it, its incomplete factors and its solution; see assembly/system.ts and the files there. */
    beginSystem: { module: "implicit", file: "system", takes: ["SystemArrays", "ParticleArrays"] },
    addMembrane: { module: "implicit", file: "membrane", takes: ["SystemArrays", "MembraneArrays"] },
    measureStrain: { module: "implicit", file: "membrane", takes: ["SystemArrays", "MembraneArrays"] },
    addHinges: { module: "implicit", file: "hinges", takes: ["SystemArrays", "HingeArrays"] },
    addFlexion: { module: "implicit", file: "flexion", takes: ["SystemArrays", "FlexionArrays"] },
    factorSystem: { module: "implicit", file: "factorSystem", takes: ["SystemArrays"] },
    solveSystem: { module: "implicit", file: "solveSystem", takes: ["SystemArrays"] },
    /** Adds a wind that blows everywhere, with its gust, to the velocities of the air. */
    addWind: { module: "wind", file: "wind", takes: ["ParticleArrays", "AirArrays"] },
    /** The same within a zone; see solver/forces/zones.ts for the shapes. */
    addBoxWind: { module: "wind", file: "wind", takes: ["ParticleArrays", "AirArrays"] },
    addSphereWind: { module: "wind", file: "wind", takes: ["ParticleArrays", "AirArrays"] },
    addConeWind: { module: "wind", file: "wind", takes: ["ParticleArrays", "AirArrays"] },
    /** Where the particles will be in the middle of the fixed step, if they go on as they do, into stepStart; and the box of that. */
    lookAhead: { file: "air", takes: ["ParticleArrays"] },
    /** Turns the velocities of the air into what it does to the particles in each substep; see reference/air.ts. */
    applyAir: { file: "air", takes: ["ParticleArrays", "AirArrays"] },
    /** Adds that to the particles' velocities. */
    pushByAir: { file: "air", takes: ["ParticleArrays", "AirArrays"] },
    /** Finds the particles inside a sphere or ellipsoid; see SphereData in contactLayout.ts. */
    findSphereContacts: { module: "contact", file: "sphere", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Finds the particles inside a solid of this shape, or that have met it on their way; see assembly/solids.ts. */
    findEllipsoidContacts: { module: "contact", file: "ellipsoid", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    findBoxContacts: { module: "contact", file: "box", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    findCapsuleContacts: { module: "contact", file: "capsule", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    findCylinderContacts: { module: "contact", file: "cylinder", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    findHullContacts: { module: "contact", file: "hull", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Finds the particles at the triangles of a mesh, or that have crossed them; see assembly/mesh.ts. */
    findMeshContacts: { module: "mesh", file: "mesh", takes: ["ParticleArrays", "MeshArrays", "ContactArrays"] },
    /** Where bones carry vertices in a new frame; see assembly/skin.ts. */
    poseSkin: { module: "mesh", file: "skin", takes: ["SkinArrays"] },
    /** Where the vertices end in a step, and the boxes of the triangles on the way there. */
    stepSkin: { module: "mesh", file: "skin", takes: ["SkinMeshArrays"] },
    /** Where the vertices are in a substep, and the particles' places along with them. */
    carrySkin: { module: "mesh", file: "skin", takes: ["SkinMeshArrays"] },
    /** Takes particles in contact along with the triangles, for friction, or back. */
    shiftBySkin: { module: "mesh", file: "skin", takes: ["ParticleArrays", "SkinMeshArrays", "ContactArrays"] },
    /** Finds the face of a rectangle that each particle belongs to in this substep; once, before anything is pushed. */
    findSides: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData"] },
    /** Finds the particles behind a plane or on a rectangle's wrong side; see PlaneData in contactLayout.ts. */
    findPlaneContacts: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Notes a plane or rectangle as the support of particles that are in contact, where it is nearer than the one noted. */
    findSupports: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Pushes particles out of a collider by the contacts that its shape has found, with friction. */
    answerContacts: { module: "contact", file: "contacts", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** What limitStretch does, for cloth on colliders, see assembly/stretchParts.ts. */
    limitStretchInParts: { module: "contact", file: "stretchParts", takes: ["ParticleArrays", "StickArrays", "StretchPartArrays"] },
    /** Notes the triangles in two boxes whose edges are long enough, behind those noted before; see assembly/triangleCandidates.ts. */
    findTriangleCandidates: {
        module: "contact",
        file: "triangleCandidates",
        takes: ["ParticleArrays", "ColliderData", "TriangleContactArrays"],
    },
    /** Finds which of the next candidates are inside a solid that has a core, until there is no room for more. */
    findTriangleContacts: {
        module: "contact",
        file: "triangles",
        takes: ["ParticleArrays", "ColliderData", "TriangleContactArrays"],
    },
    /** Pushes triangles out of a solid by their contacts, with friction. */
    answerTriangles: {
        module: "contact",
        file: "triangleAnswers",
        takes: ["ParticleArrays", "ColliderData", "TriangleContactArrays"],
    },
    /** Widens the box of a crowd's displacements by how far the particles of a body have come since the pairs were listed. */
    measureDisplacements: { module: "crowd", file: "crowdPairs", takes: ["ParticleArrays", "MemberArrays"] },
    /** Raises the square of how far particles are from the middle of that box by those of a member. */
    measureFarthest: { module: "crowd", file: "crowdPairs", takes: ["ParticleArrays", "MemberArrays"] },
    /** Notes where the particles of a body are, to list pairs, and their box. */
    notePoints: { module: "crowd", file: "crowdPairs", takes: ["ParticleArrays", "MemberArrays"] },
    /** Lists the pairs of particles that may meet; see assembly/crowdPairs.ts. */
    findPairs: { module: "crowd", file: "crowdPairs", takes: ["CrowdArrays"] },
    /** Puts them in order along gravity; see assembly/crowdOrder.ts. */
    orderPairs: { module: "crowd", file: "crowdOrder", takes: ["CrowdArrays"] },
    /** Gives the particles that are in pairs or touches their places. */
    layPlaces: { module: "crowd", file: "crowdPairs", takes: ["CrowdArrays"] },
    /** Takes the boxes over a body's triangles to where those are. */
    refitWeb: { module: "crowd", file: "web", takes: ["ParticleArrays", "WebArrays"] },
    /** Begins new lists of touches; see assembly/touchLists.ts. */
    beginTouches: { module: "crowd", file: "touchLists", takes: ["TouchArrays"] },
    /** Lists what touches, and what passes through each other, of two bodies or of one; see assembly/touchPairs.ts. */
    findTouches: { module: "crowd", file: "touchPairs", takes: ["TouchArrays", "WebArrays", "WebArrays"] },
    /** Leaves out touches that would keep in each other what has passed. */
    dropTangled: { module: "crowd", file: "touchLists", takes: ["TouchArrays"] },
    /** Has touches, guards and crossings name the places of their particles. */
    layTouches: { module: "crowd", file: "touchLists", takes: ["TouchArrays"] },
    /** Takes the particles that are in pairs to where pairs are kept apart, and gives their bodies what that has changed. */
    takePlaces: { module: "crowd", file: "crowd", takes: ["ParticleArrays", "MemberArrays"] },
    givePlaces: { module: "crowd", file: "crowd", takes: ["ParticleArrays", "MemberArrays"] },
    /** Keeps pairs apart, with friction; see reference/crowd.ts. */
    separatePairs: { module: "crowd", file: "crowd", takes: ["CrowdArrays"] },
    /** Keeps touches apart, with friction; see assembly/touches.ts. */
    answerTouches: { module: "crowd", file: "touches", takes: ["TouchArrays"] },
    /** Notes where the particles of a body were when the substep began. */
    noteStarts: { module: "crowd", file: "guard", takes: ["TouchArrays", "MemberArrays"] },
    /** Sees that nothing that is listed has passed; see assembly/guard.ts. */
    guardTouches: { module: "crowd", file: "guard", takes: ["TouchArrays"] },
    /** Moves what passes through each other out; see assembly/crossings.ts. */
    pullCrossings: { module: "crowd", file: "crossings", takes: ["TouchArrays"] },
    /** Interpolated particles to mesh-local points, and their bounds into the frame. */
    transformPoints: { file: "surface", takes: ["ParticleArrays", "SurfaceArrays"] },
    /** Area-weighted unit normals of the points. */
    computeNormals: { file: "surface", takes: ["SurfaceArrays"] },
    /** Points and normals to the vertex buffers. */
    writeVertices: { file: "surface", takes: ["SurfaceArrays"] },
    /** Tangents of the vertices, orthogonal to the vertex normals. */
    writeTangents: { file: "surface", takes: ["SurfaceArrays"] },
    /** Builds: the shares of mass that sticks take; see methods/xpbd/splitMasses.ts. */
    splitMasses: { file: "splitMasses", takes: ["SplitArrays"] },
    /** Builds: the triangles around each particle, in their order; see rest/geodesics.ts. */
    findFans: { file: "march", takes: ["FanArrays"] },
    /** Builds: the groups of sources nearest to each particle, by one march of all fronts; see rest/nearestGroups.ts. */
    marchGroups: { file: "march", takes: ["MarchArrays"] },
    /** Builds: the box of the vertices that are used. */
    measureUsed: { file: "sheet", takes: ["WeldArrays"] },
    /** Builds: which vertices lie at one place; see surface/weld.ts. */
    weldVertices: { file: "sheet", takes: ["WeldArrays"] },
    /** Builds: triangles with an area, right side out, and the particles at their corners; see surface/faces.ts. */
    findFaces: { file: "sheet", takes: ["FaceArrays"] },
    /** Builds: each set of three corners once, the first of each; see surface/faces.ts. */
    findUnique: { file: "sheet", takes: ["UniqueArrays"] },
    /** Builds: particles split along hard edges; see surface/points.ts. */
    findPoints: { file: "sheet", takes: ["PointArrays"] },
    /** Builds: edges far below the mesh's scale; see surface/clusters.ts. */
    findShortEdges: { file: "sheet", takes: ["EdgeArrays"] },
    /** Builds: the pairs that a surface's triangles join, and the fans around its particles; see assembly/rest.ts. */
    surveySurface: { file: "rest", takes: ["RestArrays"] },
    /** Builds: structural and shear sticks of a surface, and its particles' areas; see rest/topology.ts. */
    findSticks: { file: "rest", takes: ["EdgeStickArrays"] },
    /** Builds: long limits along straight marches; see assembly/straightLimits.ts. */
    findStraightLimits: { file: "straightLimits", takes: ["StraightLimitArrays"] },
    /** Builds: bending stencils along straight lines; see assembly/bendLines.ts. */
    findBendLines: { file: "bendLines", takes: ["BendLineArrays"] },
    /** Builds: sticks in colours, in records; see methods/xpbd/sticks.ts. */
    orderSticks: { file: "coloring", takes: ["StickOrderArrays"] },
    /** Builds: bending stencils in colours, in records; see methods/xpbd/bendLevel.ts. */
    orderStencils: { file: "coloring", takes: ["StencilOrderArrays"] },
    /** Builds: by what share of its violation a stick moves its ends; see methods/xpbd/sticks.ts. */
    weighSticks: { file: "weights", takes: ["StickWeightArrays"] },
    /** Builds: the rest lengths of sticks, and those lengths scaled; see methods/xpbd/longLimits.ts. */
    readLengths: { file: "weights", takes: ["StickLengthArrays"] },
    scaleLengths: { file: "weights", takes: ["StickLengthArrays"] },
    /** Builds: how many tethers there are, and those in rounds; see methods/xpbd/tethers.ts. */
    countTethers: { file: "tetherOrder", takes: ["TetherOrderArrays"] },
    orderTethers: { file: "tetherOrder", takes: ["TetherOrderArrays"] },
    /** Builds: what a level of bending stencils can carry on each line, and their chords; see methods/xpbd/bend.ts. */
    measureStencils: { file: "bendShares", takes: ["StencilWeightArrays"] },
    /** Builds: which lines want stencils on the next level; which of them have some; what each is left to carry. */
    wantStencils: { file: "bendShares", takes: ["BendShareArrays"] },
    markStencils: { file: "bendShares", takes: ["StencilWeightArrays"] },
    takeStiffness: { file: "bendShares", takes: ["BendShareArrays"] },
    /** Builds: what the particles of bending stencils move by. */
    weighStencils: { file: "bendShares", takes: ["StencilWeightArrays"] },
    /** Builds: points mapped, and their box. */
    mapPoints: { file: "points", takes: ["CloudArrays"] },
} as const satisfies Record<string, Kernel>;

type ArgumentsOf<Takes> = { [I in keyof Takes]: Arguments[Takes[I] & keyof Arguments] };

/** The functions of {@link kernelTable}. */
export type KernelFunctions = {
    readonly [K in keyof typeof kernelTable]: (...args: ArgumentsOf<(typeof kernelTable)[K]["takes"]>) => void;
};

/** A WebAssembly module of kernels, which the build writes. */
export interface KernelModule {
    /** Its bytes, see wasm/printable.ts. */
    readonly text: string;
    /** Has kernels hand addresses to the module's exports: one function each, so that each call has one target. */
    bind(kernels: { -readonly [K in keyof KernelFunctions]: KernelFunctions[K] }, exports: ModuleExports): void;
}

/** Functions of a module. Addresses are byte offsets into its memory. */
export type ModuleExports = Readonly<Record<string, (...addresses: number[]) => void>>;

/**
 * Calls of kernels that were written down, to be made as often as wanted: for WebAssembly one crossing for all of them. They
 * hold while the structs that they name live: what allocates a struct anew has to record anew.
 */
export interface Calls {
    /** Makes the calls, in order. */
    run(): void;
    /** Frees their memory. */
    release(): void;
}

/**
 * The hot loops: free functions over the structs of layout.ts, which live in one arena. Readable references of the hottest
 * ones are in test/reference/.
 */
export interface Kernels extends KernelFunctions {
    readonly arena: Arena;
    /**
     * Writes calls down.
     * @param make makes them with the functions that it is given
     * @throws RangeError when there is no memory left
     */
    record(make: (kernels: KernelFunctions) => void): Calls;
    /** The same on a memory of its own, with what every body needs. @throws Error when there is none */
    apart(): Kernels;
    /**
     * Has the functions of a module from now on, where it had none of them: whoever calls one has added its module before.
     * @returns this
     */
    add(module: KernelModule): this;
}
