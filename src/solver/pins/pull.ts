/** How what carries pins is pulled by them. */
export { PinDrift } from "./pinDrift";
export { holdPinned } from "./tautPins";
