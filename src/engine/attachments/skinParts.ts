/** Cloth on a skinned mesh: its places on the skin, and what holds it to them. */
export { SkinLimitPins, SkinPins } from "./skinPins";
export { SkinTarget } from "./skinTarget";
export { SkinLimit, SkinTargetNumber } from "../../kernels/skinLayout";
export { SUDDEN_SPEED_SHARE } from "../tunables";
export { reject } from "../validate";
