/** Reaction of pins on the node that they follow. */
export { DynamicCarrier as DynamicCarrier } from "./dynamicCarrier";
export { applyTautPinImpulse as holdPinned } from "./tautPinImpulse";
