/** babylon-cloth: real-time cloth for Babylon.js. The one public barrel. */
export { ClothBehavior } from "./babylon/clothBehavior";
export type { ClothOptions, ColliderEntry, PinOptions } from "./babylon/clothOptions";
export type { ColliderBinding as Collider, ColliderOptions, ColliderSource } from "./babylon/sources/colliderBinding";
export type { Pin } from "./babylon/pin";
export { select } from "./babylon/select";
export type { Select, SelectContext, Selector, Side } from "./babylon/select";
export type { ClothStats, PhaseMilliseconds } from "./babylon/stats";
export { Wind } from "./babylon/wind";
export type { WindOptions } from "./babylon/wind";
export { Fabrics } from "./solver/fabric";
export type { Fabric } from "./solver/fabric";
export type { VectorLike } from "./solver/vector";
export type { BackendName } from "./kernels/kernels";
