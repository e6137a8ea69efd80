/*
 * A few lines more than 400: one table of all kernels, with the meaning of each.
 */
import type { Arena } from "./arena";
import type {
    BendStencilArrays,
    EdgeDistanceArrays,
    TriangleFanArrays,
    FastMarchingArrays,
    RestSurfaceArrays,
    StraightLimitArrays,
} from "./restLayout";
import type {
    PointCloudArrays,
    ShortEdgeArrays,
    WeldedTriangleArrays,
    ShadingPointArrays,
    UniqueTriangleArrays,
    WeldArrays,
} from "./surfaceLayout";
import type {
    BendStiffnessArrays,
    MassSplitArrays,
    StencilOrderArrays,
    StencilWeightArrays,
    DistanceLengthArrays,
    DistanceOrderArrays,
    DistanceWeightArrays,
    TetherOrderArrays,
} from "./constraintLayout";
import type { ContactArrays, FaceContactArrays } from "./contactLayout";
import type { MeshArrays, SkinArrays, SkinMeshArrays } from "./meshLayout";
import type { BoneChainArrays } from "./boneLayout";
import type { SkinTargetArrays } from "./skinLayout";
import type { RopeArrays, RopeBendArrays } from "./ropeLayout";
import type { ProjectiveArrays } from "./projectiveLayout";
import type { RigidBodyArrays } from "./rigidBodyLayout";
import type { FlexionArrays, HingeArrays, MembraneArrays, SystemArrays } from "./implicitLayout";
import type { SelfCollisionArrays, ProxyArrays } from "./selfCollisionLayout";
import type { SelfContactArrays, BvhArrays } from "./selfContactLayout";
import type { SweptArrays } from "./sweptLayout";
import type {
    AirArrays,
    LineStencilArrays,
    ParticleArrays,
    StencilArrays,
    DistanceArrays,
    LimitArrays,
    SurfaceArrays,
    TetherArrays,
} from "./layout";

/** Arguments of kernels: structs, and the data of a collider. */
interface Arguments {
    ParticleArrays: ParticleArrays;
    DistanceArrays: DistanceArrays;
    LimitArrays: LimitArrays;
    LineStencilArrays: LineStencilArrays;
    StencilArrays: StencilArrays;
    TetherArrays: TetherArrays;
    RopeArrays: RopeArrays;
    RopeBendArrays: RopeBendArrays;
    BoneChainArrays: BoneChainArrays;
    ProjectiveArrays: ProjectiveArrays;
    RigidBodyArrays: RigidBodyArrays;
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
    FaceContactArrays: FaceContactArrays;
    SelfCollisionArrays: SelfCollisionArrays;
    ProxyArrays: ProxyArrays;
    SelfContactArrays: SelfContactArrays;
    BvhArrays: BvhArrays;
    SweptArrays: SweptArrays;
    MassSplitArrays: MassSplitArrays;
    TriangleFanArrays: TriangleFanArrays;
    FastMarchingArrays: FastMarchingArrays;
    WeldArrays: WeldArrays;
    WeldedTriangleArrays: WeldedTriangleArrays;
    UniqueTriangleArrays: UniqueTriangleArrays;
    ShadingPointArrays: ShadingPointArrays;
    ShortEdgeArrays: ShortEdgeArrays;
    RestSurfaceArrays: RestSurfaceArrays;
    EdgeDistanceArrays: EdgeDistanceArrays;
    StraightLimitArrays: StraightLimitArrays;
    BendStencilArrays: BendStencilArrays;
    DistanceOrderArrays: DistanceOrderArrays;
    StencilOrderArrays: StencilOrderArrays;
    DistanceWeightArrays: DistanceWeightArrays;
    BendStiffnessArrays: BendStiffnessArrays;
    StencilWeightArrays: StencilWeightArrays;
    DistanceLengthArrays: DistanceLengthArrays;
    TetherOrderArrays: TetherOrderArrays;
    PointCloudArrays: PointCloudArrays;
    SkinTargetArrays: SkinTargetArrays;
}

/** Separate WebAssembly modules, which only some bodies need, see {@link Kernels.add}; "build", compiled for size, is for all. */
type ModuleName =
    | "build"
    | "contact"
    | "rootFree"
    | "wind"
    | "mesh"
    | "selfCollision"
    | "rope"
    | "bones"
    | "projective"
    | "rigid"
    | "implicit"
    | "skin";

/** A kernel: the file of its function in assembly/, and its arguments. */
interface Kernel {
    /** Left out: with what every body needs. */
    readonly module?: ModuleName;
    readonly file: string;
    readonly takes: readonly (keyof Arguments)[];
}

/**
 * The kernels: the one place that declares a new one, beside its function. The build derives the module's exports and
 * the bindings from it.
 *
 * Per-call values travel in the arrays (uniforms, collider data, frame): a double passed through an interface would
 * be boxed, and nothing here may allocate. A struct is passed to WebAssembly as the address of its descriptor.
 */
export const kernelTable = {
    /** Verlet: x += clamp((x - previous + residual) kept + g dt²), previous = old x; particles of inverse mass 0 stand still. */
    integrate: { file: "integrate", takes: ["ParticleArrays"] },
    /** Boxes that the particles swept in this substep, over positions and previous: of the blocks, and of all to the uniforms. */
    measureBounds: { file: "integrate", takes: ["ParticleArrays"] },
    /** Largest displacement of a particle since stepStart, written to the uniforms. */
    measureMotion: { file: "integrate", takes: ["ParticleArrays"] },
    /** Projects distance constraints in order; see engine/solvers/xpbd/distanceConstraints.ts. */
    projectDistances: { file: "distance", takes: ["ParticleArrays", "DistanceArrays"] },
    /** Projects the material's distance constraints in order and records the largest strain. */
    projectLengths: { file: "distance", takes: ["ParticleArrays", "DistanceArrays"] },
    /** Both without square roots, near the lengths at rest; see assembly/rootFreeDistance.ts. */
    projectRootFreeDistances: { module: "rootFree", file: "rootFreeDistance", takes: ["ParticleArrays", "DistanceArrays"] },
    projectRootFreeLengths: { module: "rootFree", file: "rootFreeDistance", takes: ["ParticleArrays", "DistanceArrays"] },
    /** Limits strain, if the largest recorded strain requires it; see test/reference/strainLimit.ts. */
    limitStrain: { file: "strainLimit", takes: ["ParticleArrays", "DistanceArrays"] },
    /** Projects distance constraints that only pull; see engine/solvers/xpbd/unilateralLimits.ts. */
    projectUnilateralLimits: { file: "unilateralLimits", takes: ["ParticleArrays", "DistanceArrays"] },
    /** Projects unilateral limits between unsplit masses. */
    projectUnsplitLimits: { file: "unilateralLimits", takes: ["ParticleArrays", "LimitArrays"] },
    /** Projects bending stencils of three particles; see engine/solvers/xpbd/bend.ts. */
    projectLineStencils: { file: "stencils", takes: ["ParticleArrays", "LineStencilArrays"] },
    /** Projects bending stencils of four particles. */
    projectStencils: { file: "stencils", takes: ["ParticleArrays", "StencilArrays"] },
    /** Projects bending stencils of four particles with a rest curvature. */
    projectCurvedStencils: { file: "stencils", takes: ["ParticleArrays", "StencilArrays"] },
    /** Pulls particles back within the length of their tethers; see engine/solvers/xpbd/tethers.ts. */
    projectTethers: { file: "tethers", takes: ["ParticleArrays", "TetherArrays"] },
    /** Grows the links of a chain with its length, once a substep. */
    growRope: { module: "rope", file: "ropeSolve", takes: ["RopeArrays"] },
    /** Solves the lengths of a chain's links, all at once; see assembly/ropeSolve.ts. */
    projectRope: { module: "rope", file: "ropeSolve", takes: ["ParticleArrays", "RopeArrays"] },
    /** Records contacts for the next pass over a chain. */
    recordRopeContacts: { module: "rope", file: "ropeSolve", takes: ["ContactArrays", "RopeArrays"] },
    /** Bends a chain straight, all particles at once; see assembly/ropeBend.ts. */
    bendRope: { module: "rope", file: "ropeBend", takes: ["ParticleArrays", "RopeBendArrays"] },
    /** Moves the bone chains of a rig, and of those that come next, through a frame; see assembly/boneChains.ts. */
    stepBoneChains: { module: "bones", file: "boneChains", takes: ["BoneChainArrays"] },
    /** Poses the places of particles on a skin for a new frame, and begins a step; see assembly/skinTarget.ts. */
    poseSkinTarget: { module: "skin", file: "skinTarget", takes: ["SkinTargetArrays"] },
    stepSkinTarget: { module: "skin", file: "skinTarget", takes: ["SkinTargetArrays"] },
    /** Pulls free particles towards the skin; keeps them out of their backstops and within their distances from it. */
    pullToSkin: { module: "skin", file: "skinTarget", takes: ["ParticleArrays", "SkinTargetArrays"] },
    limitToSkin: { module: "skin", file: "skinTarget", takes: ["ParticleArrays", "SkinTargetArrays"] },
    /** Solves what keeps the shape of a plant, all at once; see assembly/projectiveSolve.ts. */
    solveProjective: { module: "projective", file: "projectiveSolve", takes: ["ParticleArrays", "ProjectiveArrays"] },
    /** Solves the distance constraints of two rigid bodies without partially free pins, or of one if both are the same; see engine/rigidbody/rigidMotion.ts. */
    solveRigidConstraints: { module: "rigid", file: "rigidConstraint", takes: ["RigidBodyArrays", "RigidBodyArrays"] },
    /** Backward Euler: the linear system of a step, its forces, its incomplete factors and its solution; see assembly/sparseSystem.ts and the files there. */
    assembleSystem: { module: "implicit", file: "sparseSystem", takes: ["SystemArrays", "ParticleArrays"] },
    addMembrane: { module: "implicit", file: "membrane", takes: ["SystemArrays", "MembraneArrays"] },
    measureStrain: { module: "implicit", file: "membrane", takes: ["SystemArrays", "MembraneArrays"] },
    addHinges: { module: "implicit", file: "bendingHinges", takes: ["SystemArrays", "HingeArrays"] },
    addFlexion: { module: "implicit", file: "flexion", takes: ["SystemArrays", "FlexionArrays"] },
    factorSystem: { module: "implicit", file: "factorSystem", takes: ["SystemArrays"] },
    solveSystem: { module: "implicit", file: "solveSystem", takes: ["SystemArrays"] },
    /** Adds a wind that blows everywhere, with its gust, to the velocities of the air. */
    addWind: { module: "wind", file: "windVelocity", takes: ["ParticleArrays", "AirArrays"] },
    /** Adds the wind of a zone; see engine/state/windZones.ts for the shapes. */
    addBoxWind: { module: "wind", file: "windVelocity", takes: ["ParticleArrays", "AirArrays"] },
    addSphereWind: { module: "wind", file: "windVelocity", takes: ["ParticleArrays", "AirArrays"] },
    addConeWind: { module: "wind", file: "windVelocity", takes: ["ParticleArrays", "AirArrays"] },
    /** Extrapolates the particles to the middle of the fixed step, into stepStart; and computes their box. */
    predictMidstep: { file: "aerodynamics", takes: ["ParticleArrays"] },
    /** Converts the air's velocities to the displacements that it adds to the particles in each substep; see test/reference/air.ts. */
    applyAir: { file: "aerodynamics", takes: ["ParticleArrays", "AirArrays"] },
    /** Adds that to the particles' velocities. */
    addAirDisplacements: { file: "aerodynamics", takes: ["ParticleArrays", "AirArrays"] },
    /** Finds the particles inside a sphere or ellipsoid; see SphereData in contactLayout.ts. */
    detectSphereContacts: { module: "contact", file: "sphere", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Finds the particles inside a solid of this shape, or whose path enters it; see assembly/solids.ts. */
    detectEllipsoidContacts: { module: "contact", file: "ellipsoid", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    detectBoxContacts: { module: "contact", file: "box", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    detectCapsuleContacts: { module: "contact", file: "capsule", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    detectCylinderContacts: { module: "contact", file: "cylinder", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    detectHullContacts: { module: "contact", file: "hull", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Finds the particles at the triangles of a mesh, or that have crossed them; see assembly/mesh.ts. */
    detectMeshContacts: { module: "mesh", file: "mesh", takes: ["ParticleArrays", "MeshArrays", "ContactArrays"] },
    /** Skins the vertices for a new frame; see assembly/skin.ts. */
    poseSkin: { module: "mesh", file: "skin", takes: ["SkinArrays"] },
    /** Computes the vertices at the end of a step, and the boxes of the triangles on the way there. */
    stepSkin: { module: "mesh", file: "skin", takes: ["SkinMeshArrays"] },
    /** Moves the vertices to the present substep, and the particles' carried positions with them. */
    advanceSkin: { module: "mesh", file: "skin", takes: ["SkinMeshArrays"] },
    /** Carries particles in contact along with the triangles, for friction, or back. */
    shiftWithSkin: { module: "mesh", file: "skin", takes: ["ParticleArrays", "SkinMeshArrays", "ContactArrays"] },
    /** Finds the face of a rectangle that each particle belongs to in this substep; once, before anything is pushed. */
    detectSides: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData"] },
    /** Finds the particles behind a plane or on a rectangle's wrong side; see PlaneData in contactLayout.ts. */
    detectPlaneContacts: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Stores a plane or rectangle as the support of particles in contact, if it is nearer than the stored one. */
    detectSupports: { module: "contact", file: "plane", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Pushes particles out of a collider by the contacts that its shape has found, with friction. */
    resolveContacts: { module: "contact", file: "contactResponse", takes: ["ParticleArrays", "ColliderData", "ContactArrays"] },
    /** Appends the triangles in two boxes whose edges are long enough to the candidates; see assembly/faceCandidates.ts. */
    collectFaceCandidates: {
        module: "contact",
        file: "faceCandidates",
        takes: ["ParticleArrays", "ColliderData", "FaceContactArrays"],
    },
    /** Finds which of the next candidates are inside a solid that has a core, until there is no room for more. */
    detectFaceContacts: {
        module: "contact",
        file: "faceContacts",
        takes: ["ParticleArrays", "ColliderData", "FaceContactArrays"],
    },
    /** Pushes triangles out of a solid by their contacts, with friction. */
    resolveFaceContacts: {
        module: "contact",
        file: "faceResponse",
        takes: ["ParticleArrays", "ColliderData", "FaceContactArrays"],
    },
    /** Widens the box of the shared displacements by those of a body's particles since the pairs were listed. */
    measureDisplacements: { module: "selfCollision", file: "gridPairs", takes: ["ParticleArrays", "ProxyArrays"] },
    /** Raises the square of the particles' largest distance from the middle of that box by those of a proxy. */
    measureMaxDeviation: { module: "selfCollision", file: "gridPairs", takes: ["ParticleArrays", "ProxyArrays"] },
    /** Records the particle positions of a body, to list pairs, and their box. */
    snapshotPositions: { module: "selfCollision", file: "gridPairs", takes: ["ParticleArrays", "ProxyArrays"] },
    /** Lists the pairs of particles that may come into contact; see assembly/gridPairs.ts. */
    detectPairs: { module: "selfCollision", file: "gridPairs", takes: ["SelfCollisionArrays"] },
    /** Puts them in order along gravity; see assembly/pairOrder.ts. */
    orderPairs: { module: "selfCollision", file: "pairOrder", takes: ["SelfCollisionArrays"] },
    /** Assigns active slots to the particles in pairs or contacts. */
    compactActiveParticles: { module: "selfCollision", file: "gridPairs", takes: ["SelfCollisionArrays"] },
    /** Refits the boxes over a body's triangles. */
    refitBvh: { module: "selfCollision", file: "bvhRefit", takes: ["ParticleArrays", "BvhArrays"] },
    /** Begins new contact lists; see assembly/contactLists.ts. */
    clearSelfContacts: { module: "selfCollision", file: "contactLists", takes: ["SelfContactArrays"] },
    /** Lists contacts and intersections of the triangles of two bodies or of one; see assembly/bvhPairs.ts. */
    detectSelfContacts: { module: "selfCollision", file: "bvhPairs", takes: ["SelfContactArrays", "BvhArrays", "BvhArrays"] },
    /** Drops contacts that would keep passed cloth entangled. */
    dropTangledContacts: { module: "selfCollision", file: "contactLists", takes: ["SelfContactArrays"] },
    /** Makes contacts, guards and intersections refer to the active slots of their particles. */
    compactSelfContacts: { module: "selfCollision", file: "contactLists", takes: ["SelfContactArrays"] },
    /** Gathers the particles in pairs or contacts into the active arrays, and scatters the results to their bodies. */
    gatherActive: { module: "selfCollision", file: "pairResponse", takes: ["ParticleArrays", "ProxyArrays"] },
    scatterActive: { module: "selfCollision", file: "pairResponse", takes: ["ParticleArrays", "ProxyArrays"] },
    /** Resolves particle pairs, with friction; see test/reference/pairResponse.ts. */
    resolvePairs: { module: "selfCollision", file: "pairResponse", takes: ["SelfCollisionArrays"] },
    /** Resolves triangle contacts, with friction; see assembly/selfContactResponse.ts. */
    resolveSelfContacts: { module: "selfCollision", file: "selfContactResponse", takes: ["SelfContactArrays"] },
    resolveSweptContacts: { module: "selfCollision", file: "selfContactResponse", takes: ["SweptArrays"] },
    /** Records the particle positions of a body at the start of the substep. */
    recordStartPositions: { module: "selfCollision", file: "ccd", takes: ["SelfContactArrays", "ProxyArrays"] },
    /** Sees that nothing that is listed has passed; see assembly/ccd.ts. */
    enforceSeparation: { module: "selfCollision", file: "ccd", takes: ["SelfContactArrays"] },
    /** Moves what passes through each other out; see assembly/intersections.ts. */
    resolveIntersections: { module: "selfCollision", file: "intersections", takes: ["SelfContactArrays"] },
    /** Forecasts a body's displacements over the coming substeps, and the boxes of its particles' paths; see assembly/sweptTree.ts. */
    forecastPaths: { module: "selfCollision", file: "sweptTree", takes: ["ParticleArrays", "ProxyArrays", "SweptArrays"] },
    /** Counts the particles of a body that have left their forecast. */
    countStrays: { module: "selfCollision", file: "sweptTree", takes: ["ParticleArrays", "ProxyArrays", "SweptArrays"] },
    /** Refits the tree over the paths. */
    refitSweptTree: { module: "selfCollision", file: "sweptTree", takes: ["SweptArrays"] },
    /** Lists the pairs that may come into contact on the forecast paths; see assembly/sweptPairs.ts. */
    detectSweptPairs: { module: "selfCollision", file: "sweptPairs", takes: ["SweptArrays"] },
    /** Drops listed pairs of particles that are all marked as tangled. */
    dropTangledPairs: { module: "selfCollision", file: "sweptNarrow", takes: ["SweptArrays", "SelfContactArrays"] },
    /** Makes listed pairs refer to the active slots of their particles. */
    compactSweptPairs: { module: "selfCollision", file: "sweptNarrow", takes: ["SweptArrays"] },
    /** Writes the contacts of the listed pairs at the present positions; see assembly/sweptNarrow.ts. */
    narrowSweptPairs: { module: "selfCollision", file: "sweptNarrow", takes: ["SweptArrays"] },
    /** Pushes the contacts of the last narrow phase fully apart. */
    separateContacts: { module: "selfCollision", file: "sweptNarrow", takes: ["SweptArrays"] },
    /** Impact zones of swept contacts: none joined; those of the last narrow phase joined and moved. */
    clearZones: { module: "selfCollision", file: "impactZones", takes: ["SelfContactArrays"] },
    joinContacts: { module: "selfCollision", file: "impactZones", takes: ["SweptArrays"] },
    /** Interpolated particles to mesh-local points, and their bounds into the frame. */
    transformPoints: { file: "surface", takes: ["ParticleArrays", "SurfaceArrays"] },
    /** Area-weighted unit normals of the points. */
    computeNormals: { file: "surface", takes: ["SurfaceArrays"] },
    /** Points and normals to the vertex buffers. */
    writeVertices: { file: "surface", takes: ["SurfaceArrays"] },
    /** Tangents of the vertices, orthogonal to the vertex normals. */
    writeTangents: { file: "surface", takes: ["SurfaceArrays"] },
    /** Builds: mass splits of distance constraints; see engine/solvers/xpbd/splitMasses.ts. */
    splitMasses: { module: "build", file: "splitMasses", takes: ["MassSplitArrays"] },
    /** Builds: the triangles around each particle, in their order; see topology/geodesics.ts. */
    findTriangleFans: { module: "build", file: "fastMarching", takes: ["TriangleFanArrays"] },
    /** Builds: the groups of sources nearest to each particle, by one march of all fronts; see solvers/xpbd/tethers.ts. */
    fastMarchGroups: { module: "build", file: "fastMarching", takes: ["FastMarchingArrays"] },
    /** Builds: the box of the vertices that are used. */
    measureUsedBounds: { module: "build", file: "meshTopology", takes: ["WeldArrays"] },
    /** Builds: vertices that share a position; see meshmap/weld.ts. */
    weldVertices: { module: "build", file: "meshTopology", takes: ["WeldArrays"] },
    /** Builds: triangles with an area, right side out, and the particles at their corners; see meshmap/weldedTriangles.ts. */
    findWeldedTriangles: { module: "build", file: "meshTopology", takes: ["WeldedTriangleArrays"] },
    /** Builds: each set of three corners once, the first of each; see meshmap/weldedTriangles.ts. */
    findUniqueTriangles: { module: "build", file: "meshTopology", takes: ["UniqueTriangleArrays"] },
    /** Builds: particles split along hard edges; see meshmap/shadingPoints.ts. */
    findShadingPoints: { module: "build", file: "meshTopology", takes: ["ShadingPointArrays"] },
    /** Builds: edges far below the mesh's scale; see meshmap/clusters.ts. */
    findShortEdges: { module: "build", file: "meshTopology", takes: ["ShortEdgeArrays"] },
    /** Builds: the pairs that a surface's triangles join, and the fans around its particles; see assembly/restSurface.ts. */
    buildRestSurface: { module: "build", file: "restSurface", takes: ["RestSurfaceArrays"] },
    /** Builds: structural and shear edges of a surface, and its particles' areas; see engine/topology/topology.ts. */
    findDistanceConstraints: { module: "build", file: "restSurface", takes: ["EdgeDistanceArrays"] },
    /** Builds: long limits along straight marches; see assembly/unilateralLimitLines.ts. */
    findStraightLimits: { module: "build", file: "unilateralLimitLines", takes: ["StraightLimitArrays"] },
    /** Builds: bending stencils along straight lines; see assembly/bendStencils.ts. */
    findBendStencils: { module: "build", file: "bendStencils", takes: ["BendStencilArrays"] },
    /** Builds: distance constraints in colours, in records; see engine/solvers/xpbd/distanceConstraints.ts. */
    orderDistanceConstraints: { module: "build", file: "constraintOrder", takes: ["DistanceOrderArrays"] },
    /** Builds: bending stencils in colours, in records; see engine/solvers/xpbd/bendLevel.ts. */
    chooseStencils: { module: "build", file: "constraintOrder", takes: ["StencilOrderArrays"] },
    colorStencils: { module: "build", file: "constraintOrder", takes: ["StencilOrderArrays"] },
    layStencils: { module: "build", file: "constraintOrder", takes: ["StencilOrderArrays"] },
    /** Builds: share of its violation by which a distance constraint moves its ends; see engine/solvers/xpbd/distanceConstraints.ts. */
    computeDistanceWeights: { module: "build", file: "constraintOrder", takes: ["DistanceWeightArrays"] },
    /** Builds: the rest lengths of distance constraints, and those lengths scaled; see engine/solvers/xpbd/unilateralLimits.ts. */
    readLengths: { module: "build", file: "constraintOrder", takes: ["DistanceLengthArrays"] },
    scaleLengths: { module: "build", file: "constraintOrder", takes: ["DistanceLengthArrays"] },
    /** Builds: number of tethers, and the tethers in rounds; see engine/solvers/xpbd/tethers.ts. */
    countTethers: { module: "build", file: "tethers", takes: ["TetherOrderArrays"] },
    orderTethers: { module: "build", file: "tethers", takes: ["TetherOrderArrays"] },
    /** Builds: capacity of a level of bending stencils on each line, and their chords; see engine/solvers/xpbd/bend.ts. */
    measureStencilCapacity: { module: "build", file: "bendStiffness", takes: ["StencilWeightArrays"] },
    /** Builds: lines that request stencils on the next level; those that have some; and each one's remaining stiffness. */
    requestStencils: { module: "build", file: "bendStiffness", takes: ["BendStiffnessArrays"] },
    markStencils: { module: "build", file: "bendStiffness", takes: ["StencilWeightArrays"] },
    distributeStiffness: { module: "build", file: "bendStiffness", takes: ["BendStiffnessArrays"] },
    /** Builds: moves of the particles of bending stencils. */
    computeStencilWeights: { module: "build", file: "bendStiffness", takes: ["StencilWeightArrays"] },
    /** Builds: points mapped, and their box. */
    mapPointCloud: { module: "build", file: "pointCloud", takes: ["PointCloudArrays"] },
} as const satisfies Record<string, Kernel>;

type ArgumentsOf<Takes> = { [I in keyof Takes]: Arguments[Takes[I] & keyof Arguments] };

/** The functions of {@link kernelTable}. */
export type KernelFunctions = {
    readonly [K in keyof typeof kernelTable]: (...args: ArgumentsOf<(typeof kernelTable)[K]["takes"]>) => void;
};

/** A WebAssembly module of kernels, which the build writes. */
export interface KernelModule {
    /** Its bytes, see kernels/printable.ts. */
    readonly text: string;
    /** Has kernels hand addresses to the module's exports: one function each, so that each call has one target. */
    bind(kernels: { -readonly [K in keyof KernelFunctions]: KernelFunctions[K] }, exports: ModuleExports): void;
}

/** Functions of a module. Addresses are byte offsets into its memory. */
export type ModuleExports = Readonly<Record<string, (...addresses: number[]) => void>>;

/**
 * Recorded kernel calls, which can be replayed: in WebAssembly, one crossing for all of them. They
 * are valid while their structs live: after a struct is allocated anew, record anew.
 */
export interface RecordedCalls {
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
    record(make: (kernels: KernelFunctions) => void): RecordedCalls;
    /** Creates separate kernels on a memory of their own, without a module. @throws Error when there is no memory */
    createSeparate(): Kernels;
    /**
     * Adds the functions of a module. Call it before any function of that module.
     * @returns this
     */
    add(module: KernelModule): this;
}
