/** How what carries pins is pulled by them. */
export { DynamicCarrier as DynamicCarrier } from "./dynamicCarrier";
export { applyTautPinImpulse as holdPinned } from "./tautPinImpulse";
