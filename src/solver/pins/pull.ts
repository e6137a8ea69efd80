/** How what carries pins is pulled by them. */
export { DynamicCarrier as PinDrift } from "./pinDrift";
export { applyTautPinImpulse as holdPinned } from "./tautPins";
