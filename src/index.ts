/** babylon-cloth: real-time cloth for Babylon.js. The one public barrel. */
export { ClothBehavior } from "./babylon/clothBehavior";
export { Colliders } from "./babylon/colliders";
export type { ClothOptions, ColliderEntry, ColliderOptions, MeshShape, PinOptions } from "./babylon/clothOptions";
export type { ClothProperties } from "./babylon/clothProperties";
export type { ClothStats, Collider, ColliderSource, PhaseMilliseconds, Pin } from "./babylon/handles";
export { select } from "./babylon/select";
export type { Select, SelectContext, Selector, Side } from "./babylon/select";
export { Wind } from "./babylon/wind";
export type { WindOptions } from "./babylon/wind";
export { Winds } from "./babylon/winds";
export type { WindZone } from "./babylon/windZone";
export { ClothViewer } from "./babylon/viewer/clothViewer";
export type { ClothViewerLayers } from "./babylon/viewer/clothViewer";
export { Fabrics } from "./solver/fabric";
export type { Fabric } from "./solver/fabric";
export type { VectorLike } from "./solver/vector";
export type { BackendName } from "./solver/backend";
