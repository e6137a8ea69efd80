/** babylon-cloth: real-time cloth for Babylon.js. The one public barrel. */
export { ClothBehavior } from "./babylon/behaviors/clothBehavior";
export { attachAsync } from "./babylon/behaviors/attachAsync";
export { BoneChainBehavior } from "./babylon/bones/boneChainBehavior";
export type {
    AlongChain,
    BoneChain,
    BoneChainOptions,
    BoneJointOptions,
    BoneLinks,
    BoneMode,
    BoneSelector,
} from "./babylon/bones/boneChainOptions";
export { ClothBuilder } from "./babylon/builders/clothBuilder";
export type { CapeOptions } from "./babylon/builders/cape";
export type { CurtainMesh, CurtainOptions } from "./babylon/builders/curtain";
export { FabricMaterials } from "./babylon/builders/fabricMaterials";
export type {
    AwningOptions,
    BannerOptions,
    FlagOptions,
    NetOptions,
    SailOptions,
    TableclothOptions,
} from "./babylon/builders/hangingCloths";
export type { ClothMesh } from "./babylon/builders/makeCloth";
export type { ClothBuilderOptions } from "./babylon/builders/options";
export type { ChainBuilderOptions } from "./babylon/builders/chain";
export type { RopeBuilderOptions, RopeMesh } from "./babylon/builders/rope";
export type { InertiaOptions } from "./babylon/behaviors/inertiaBinding";
export type { HoldData, PinHold, PinForceOptions, PinOptions, Pin } from "./babylon/pins/pinHold";
export { MaxDistanceHold } from "./babylon/pins/maxDistance";
export type { Backstop, MaxDistance } from "./babylon/pins/maxDistance";
export { PlaneHold } from "./babylon/pins/planeHold";
export type { PlaneHoldOptions } from "./babylon/pins/planeHold";
export { RailHold } from "./babylon/pins/railHold";
export type { RailHoldOptions } from "./babylon/pins/railHold";
export { SoftHold } from "./babylon/pins/softHold";
export type { SoftHoldOptions } from "./babylon/pins/softHold";
export { PlantBehavior } from "./babylon/plants/plantBehavior";
export type { PlantOptions } from "./babylon/plants/plantBehavior";
export { Ragdoll } from "./babylon/ragdoll/ragdoll";
export type { RagdollHinge, RagdollLimb, RagdollLimit, RagdollOptions } from "./babylon/ragdoll/ragdollOptions";
export { RopeBehavior } from "./babylon/ropes/ropeBehavior";
export { Forces } from "./babylon/forces/forces";
export { Spring } from "./babylon/forces/spring";
export type { BodyVertex, SpringOptions } from "./babylon/forces/spring";
export type { RopeEnd, RopeOptions } from "./babylon/ropes/ropeBehavior";
export type { ClothVertex } from "./babylon/ropes/ropeEnds";
export { RigidBodyBallJoint, RigidBodyHinge } from "./babylon/rigidbody/joints";
export type {
    RigidBodyJoint,
    RigidBodyBallJointOptions,
    RigidBodyHingeOptions,
    RigidBodyJointOptions,
} from "./babylon/rigidbody/joints";
export { RigidBodyBehavior } from "./babylon/rigidbody/rigidBodyBehavior";
export type { RigidBodyOptions } from "./babylon/rigidbody/rigidBodyBehavior";
export { ClothParticles } from "./babylon/particles/clothParticles";
export type { ClothParticlesOptions } from "./babylon/particles/clothParticles";
export { paint } from "./babylon/pins/paint";
export type { Paint } from "./babylon/pins/paint";
export { ClothBaker } from "./babylon/baking/clothBaker";
export type { ClothRecording } from "./babylon/baking/bakedCopy";
export type { BakedMesh, BakeOptions, LoopOptions } from "./babylon/baking/clothBaker";
export { VertexAnimation } from "./babylon/baking/vertexAnimation";
export { ClothInspector } from "./babylon/viewer/clothInspector";
export { ClothFiles } from "./babylon/files/clothFiles";
export { ClothRecorder } from "./babylon/files/clothRecorder";
export type { InputRecording, InputRecordingData, RecordedFrame, RecordedInput } from "./babylon/files/recording";
export type { InputReplay } from "./babylon/files/replay";
export type { SerializableBehavior } from "./babylon/files/clothData";
export type {
    BoneReference,
    CapsuleData,
    BoneChainData,
    ClothData,
    ClothStateData,
    ColliderData,
    CurtainData,
    FileKind,
    FileOptions,
    FollowerState,
    NamedNodes,
    NodeReference,
    Reference,
    SourceReference,
    TearingData,
} from "./babylon/files/format/fileFormat";
export { Colliders } from "./babylon/fitting/sceneColliderList";
export type { SkeletonOptions } from "./babylon/fitting/sceneColliderList";
export type { BodyOptions, ClothOptions, SelfCollision } from "./babylon/behaviors/bodyOptions";
export type {
    ColliderEntry,
    ColliderOptions,
    MeshShape,
    Collider,
    ColliderSource,
    BoneShape,
} from "./babylon/colliders/colliderOptions";
export type { SolverName, Fabric, FabricName, ThreadStiffness, VectorLike } from "./engine/index";
export type { BodyBehavior } from "./babylon/behaviors/bodyBehavior";
export type { SurfaceBehavior } from "./babylon/behaviors/surfaceBehavior";
export type { BodyProperties } from "./babylon/behaviors/bodyProperties";
export type { ClothProperties } from "./babylon/behaviors/clothProperties";
export type { ClothCollision, ClothStats, StageMilliseconds } from "./babylon/behaviors/types";
export type { FitOptions } from "./babylon/colliders/skeleton/fitBones";
export { humanoidBones } from "./babylon/support/humanoid";
export type { HumanoidBone, HumanoidBones } from "./babylon/support/humanoid";
export type { SkeletonShapeOptions } from "./babylon/colliders/skeleton/fromSkeleton";
export { select } from "./babylon/pins/select";
export type { Select, SelectContext, Selector, Side } from "./babylon/pins/select";
export { ClothPicker } from "./babylon/picking/clothPicker";
export type { ClothHover, ClothPickerOptions } from "./babylon/picking/clothPicker";
export type { ClothGrip } from "./babylon/picking/grip";
export type { XRHands } from "./babylon/picking/xrHands";
export { ClothTearing } from "./babylon/tearing/clothTearing";
export type { ClothTearingOptions } from "./babylon/tearing/clothTearing";
export { ClothOrigin } from "./babylon/scene/clothOrigin";
export { ClothTime, TimeBudget } from "./babylon/scene/sceneTime";
export { readMask } from "./babylon/pins/attributeSelectors";
export type { MaskImage, MaskOptions } from "./babylon/pins/attributeSelectors";
export { WindSpeeds } from "./babylon/wind/namedWinds";
export type { WindName } from "./babylon/wind/namedWinds";
export { Gusts, Wind, Winds } from "./babylon/wind/wind";
export type { GustName, WindOptions, WindZone } from "./babylon/wind/wind";
export { ClothMeasures } from "./babylon/viewer/clothMeasures";
export type { AnyCloth } from "./babylon/viewer/viewedCloth";
export { ClothViewer } from "./babylon/viewer/clothViewer";
export type { ClothViewerLayers } from "./babylon/viewer/clothViewer";
export type { ClothViewerLayer } from "./babylon/viewer/layers";
export { Fabrics } from "./engine/index";
