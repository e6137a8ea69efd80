/**
 * The door of the engine: all that babylon/ uses of it. Poses and settings go in, positions and events come out. A lint rule keeps other imports of
 * engine files out of babylon/.
 */
import type * as skinParts from "./attachments/skinParts";

export { couplingIslandOf } from "./attachments/couplings/couplingIsland";
export type { CouplingIsland } from "./attachments/couplings/couplingIsland";
export { ParticleTie, TieEnd } from "./attachments/couplings/particleTie";
export { SpringCoupling } from "./attachments/couplings/spring";
export type { SpringLaw } from "./attachments/couplings/spring";
export { SpringEnd } from "./attachments/couplings/springEnd";
export type { DynamicCarrier } from "./attachments/dynamicCarrier";
export { MaxDistancePins } from "./attachments/maxDistancePins";
export { PinForce } from "./attachments/pinForce";
export type { PinForceLaw } from "./attachments/pinForce";
export { PinSet } from "./attachments/pinSet";
export { PlanePins } from "./attachments/planePins";
export { RailPins } from "./attachments/railPins";
export { SpringPins } from "./attachments/springPins";
export { TwistPins } from "./attachments/twistPins";
export type { Body } from "./bodies/body";
export { dropMotion, dropTime, takeSuddenPose } from "./bodies/carriedMotion";
export { createCloth } from "./bodies/cloth";
export { AnchorSteps } from "./bones/anchorSteps";
export { BoneRig } from "./bones/boneRig";
export type { BoneRigShape, JointPhysics } from "./bones/boneRig";
export { writeBoneCollider } from "./bones/boneShapes";
export { sampleWind } from "./bones/windSample";
export { BoneFrame, BoneMap, JointPose, JointRate } from "../kernels/boneLayout";
export { restoreSleep, saveSleep } from "./bodies/savedSleep";
export { perturbFlat } from "./bodies/perturbFlat";
export { createPlant, defaultPlant, fabricOf } from "./bodies/plant";
export type { PlantMaterial, PlantSettings } from "./bodies/plant";
export { createRope, polylineLength } from "./bodies/rope";
export type { Rope } from "./bodies/rope";
export { readVelocities } from "./state/state";
export { lengths, measureRows } from "./collision/broadphase/bounds";
export { canCollide, defaultGroups, defaultColliderSettings } from "./state/colliderSettings";
export type { Groups } from "./state/colliderSettings";
export { ContactEventRecord } from "./collision/response/contactEventRecord";
export type { SelfCollisionSettings } from "./collision/self/collisionProxy";
export type { Collider } from "./collision/shapes/collider";
export { JumpDetector } from "./collision/shapes/jumpDetector";
export type { MotionLimit } from "./collision/shapes/jumpDetector";
export type { ColliderShape } from "./collision/shapes/registry";
export { Skin } from "./collision/shapes/skinGeometry";
export { WorldCollider } from "./collision/shapes/worldCollider";
export { AddedForces } from "./forces/addedForces";
export { ensureAir } from "./forces/updateAir";
export { stillAir } from "./forces/stillAir";
export { GustyWind } from "./forces/wind";
export type { WindData } from "./forces/wind";
export { windFieldOf } from "./forces/windFields";
export { Fabrics, STANDARD_GRAVITY, deriveFabric, fittedFabric, isNamedThickness, resolveFabric } from "./materials/fabric";
export type { Fabric, FabricName } from "./materials/fabric";
export { isIsotropic } from "./materials/warpWeftStiffness";
export type { ThreadStiffness } from "./materials/warpWeftStiffness";
export {
    determinant,
    identity,
    invert,
    isFiniteAffine,
    isNearlyIdentity,
    metricOf,
    multiply,
    relativeToOrigin,
    transformPoint,
} from "./math/affine";
export type { Affine } from "./math/affine";
export { RigidPath, angleOfMotion, partOfMotion, twistOfMotion, writeQuaternion } from "./math/rigidMotion";
export { areEqual, cross, dot, finiteVector, scale, subtract } from "./math/vector";
export type { Vector, VectorLike } from "./math/vector";
export { ContentCache } from "./memory/contentCache";
export { holdShapes } from "./memory/contentCache";
export { mapPointCloud } from "./memory/withScratch";
export { SharedTriangles } from "./memory/sharedTriangles";
export { boundaryEdgesOf } from "./topology/meshComponents";
export { findCentreLine } from "./meshmap/centreLine";
export type { CentreLine } from "./meshmap/centreLine";
export { editModule } from "./meshmap/edits.lazy";
export type { VertexOrigins } from "./meshmap/matchEditedMesh";
export type { MeshData } from "./meshmap/meshData";
export { mapVertices, meshMapOf } from "./meshmap/meshMap";
export type { RenderSurface, SurfaceParticles, SurfaceView } from "./meshmap/surface";
export { Surface } from "./meshmap/surface";
export { Tube } from "./meshmap/tube";
export { weld, weldOfPlaces } from "./meshmap/weld";
export type { Weld } from "./meshmap/weld";
export { uniqueTriangles } from "./meshmap/weldedTriangles";
export { ClothImpacts } from "./particles/clothImpacts";
export { FreeParticles, defaultParticles, describe } from "./particles/freeParticles";
export type { ParticleMaterial, ParticleSettings } from "./particles/freeParticles";
export { SweptCloth } from "./particles/sweptCloth";
export { AddedBodyForces } from "./rigidbody/addedBodyForces";
export { BallJoint, HingeJoint } from "./rigidbody/jointKinds";
export { bodyPointsOf } from "./rigidbody/bodyPoints";
export { ContactSolver } from "./rigidbody/contactSolver";
export type { Joint } from "./rigidbody/joint";
export { massPropertiesOf, tetrahedronOf } from "./rigidbody/massProperties";
export { RigidBody } from "./rigidbody/rigidBody";
export { defaultRigidBody, massOf } from "./rigidbody/rigidBodyMaterial";
export type { RigidBodyMaterial, RigidBodySettings } from "./rigidbody/rigidBodyMaterial";
export type { SolverBody } from "./rigidbody/solverBody";
export { readFrame } from "./rigidbody/tetrahedron";
export { defaultRope } from "./rope/ropeMaterial";
export type { RopeMaterial, RopeSettings } from "./rope/ropeMaterial";
export type { Twist } from "./rope/twist";
export type { ConstraintLinks } from "./solvers/base/bodySolver";
export { linksOf } from "./solvers/xpbd/constraintLinks";
export { constraintKinds } from "./solvers/xpbd/registry";
export { defaultSettings, solverNames } from "./state/settings";
export type { ClothSettings, SolverName, WindField } from "./state/settings";
export type { InterpolatedParticles } from "./state/state";
export { zoneShapes } from "./state/windZones";
export type { WindZoneData, ZoneShape } from "./state/windZones";
export { findCutLine } from "./tearing/cutLine";
export { findOverstretchedEdges, findSeams, restEdgesOf } from "./tearing/overstretchedEdges";
export type { RestEdges } from "./tearing/overstretchedEdges";
export { splitAlongSeams } from "./tearing/splitAlongSeams";
export { subdivide } from "./tearing/subdivide";
export { Edges, wholeMesh } from "./tearing/tornMesh";
export type { TornMesh } from "./tearing/tornMesh";
export { Budget, newScheduleEntry } from "./time/budget";
export type { ScheduleEntry } from "./time/budget";
export type { Slices } from "./time/slices";
export { stageNames, Stopwatch } from "./time/stopwatch";
export { SUDDEN_SPEED_SHARE, SUDDEN_TURN, JUMP_FACTOR } from "./tunables";
export { measureStretch } from "./state/constraint";
export { orderSlices } from "./solvers/xpbd/registry";
export { topologyOf, topologySlices } from "./topology/topology";
export { findWarpWeft } from "./topology/warpWeft";
export type { WarpWeft, WarpWeftFinder } from "./topology/warpWeft";
export { bits, boolean, finite, integer, knownOptions, nearestName, nonNegative, positive, reject, share } from "./validate";
export { forEachContact, readRenderState } from "./world/debugDraw";
export { OutOfMemoryError } from "../kernels/arena";
export { getKernels, isSupported, refusalReason } from "../kernels/pageKernels";
export type { Kernels } from "../kernels/kernelTable";
export { adviceModule } from "./bodies/advice.lazy";
export { contactModule, shapeModules } from "./collision/response/contacts.lazy";
export type { InertiaSettings, SuddennessLimit } from "./bodies/anchorMotion";
export { inertiaModule } from "./bodies/inertia.lazy";
export { pinReactionModule } from "./attachments/pinReaction.lazy";
export { skinTargetModule } from "./attachments/skin.lazy";
/** Contents of {@link skinTargetModule}. */
export type SkinParts = typeof skinParts;
export type { SkinLimits } from "./attachments/skinPins";
export type { SkinTarget, SkinTargetGeometry } from "./attachments/skinTarget";
export { selfCollisionModule } from "./collision/self/self.lazy";
export { solverModule } from "./solvers/solvers.lazy";
export { LazyModule } from "../kernels/lazyModule";
export { World } from "./world/world";
export { MAX_BATCH_PARTICLES, MAX_SUBSTEPS } from "./tunables";
export type { StepObserver } from "./state/steppingGroup";
