/** Sliders of a fabric's properties. Stiffness runs over powers of ten; the ends of its slider are off and infinite. */
import type { Fabric } from "babylon-cloth";

export interface FabricRange {
    readonly name: keyof Fabric;
    readonly label: string;
    readonly unit: string;
    /** In powers of ten where it is a stiffness. */
    readonly min: number;
    readonly max: number;
    readonly step: number;
    readonly isPower: boolean;
}

function power(name: keyof Fabric, label: string, unit: string, min: number, max: number): FabricRange {
    return { name, label, unit, min, max, step: 0.05, isPower: true };
}

function linear(name: keyof Fabric, label: string, unit: string, min: number, max: number, step: number): FabricRange {
    return { name, label, unit, min, max, step, isPower: false };
}

export const fabricRanges: readonly FabricRange[] = [
    power("stretchStiffness", "stretch", "N/m", 1, 6),
    power("shearStiffness", "shear", "N/m", -1, 5),
    power("bendStiffness", "bend", "N·m", -7, 0),
    linear("damping", "damping", "1/s", 0, 5, 0.05),
    linear("friction", "friction", "", 0, 1.5, 0.05),
    linear("arealDensity", "density", "kg/m²", 0.02, 1.5, 0.01),
];

/** Slider position of a fabric's property; of warp and weft, that of the warp. */
export function toSlider({ name, min, max, isPower }: FabricRange, fabric: Readonly<Fabric>): number {
    const given = fabric[name];
    const value = typeof given === "number" ? given : given.warp;
    if (!isPower) return value;
    return value === 0 ? min : value === Infinity ? max : Math.log10(value);
}

/** Value at a slider position. */
export function fromSlider({ min, max, isPower }: FabricRange, place: number): number {
    if (!isPower) return place;
    return place <= min ? 0 : place >= max ? Infinity : 10 ** place;
}

/** Value as text, without unit. */
export function showPlace(range: FabricRange, place: number): string {
    const value = fromSlider(range, place);
    if (range.isPower && (value === 0 || value === Infinity)) return value === 0 ? "off" : "∞";
    return short(value);
}

/** Three digits, without zeros that say nothing; powers of ten below a thousandth. */
export function short(value: number): string {
    if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(0);
    return `${Number(value.toPrecision(3))}`;
}
