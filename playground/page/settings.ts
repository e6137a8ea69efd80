/** Settings of the cloths that the panel changes: the scene's own, and the name of the current preset. */
import type { ClothBehavior, Fabric } from "babylon-cloth";
import { Fabrics } from "babylon-cloth";

/** The presets, in the panel's order; "scene" is what the scene has built, "changed" is none of them. */
export const presets = ["scene", ...(Object.keys(Fabrics) as (keyof typeof Fabrics)[])] as const;
export type Preset = (typeof presets)[number];

export class Settings {
    private readonly _authored;

    /** Remembers the settings of this moment as the authored ones. */
    constructor(private readonly _cloths: readonly ClothBehavior[]) {
        this._authored = _cloths.map(({ fabric, wind, substepCount }) => ({
            fabric,
            wind,
            substepCount,
            turbulence: wind?.turbulence,
            velocity: wind && { x: wind.velocity.x, y: wind.velocity.y, z: wind.velocity.z },
        }));
    }

    /** Gives the cloths all of their authored settings back. */
    restore(): void {
        this.preset = "scene";
        this._cloths.forEach((cloth, i) => {
            const { wind, velocity, turbulence, substepCount } = this._authored[i];
            if (wind) Object.assign(wind, { velocity, turbulence });
            cloth.wind = wind;
            cloth.substepCount = substepCount;
        });
    }

    /** Current fabric of the cloths: a named one if all have it, else as authored, else custom. */
    get preset(): Preset | "changed" {
        return (
            presets
                .slice(1)
                .concat("scene")
                .find((preset) => this._cloths.every((cloth, i) => isSame(cloth.fabric, this._fabric(preset, i)))) ?? "changed"
        );
    }
    set preset(value: Preset) {
        this._cloths.forEach((cloth, i) => (cloth.fabric = this._fabric(value, i)));
    }

    private _fabric(preset: Preset, i: number): Readonly<Fabric> {
        return preset === "scene" ? this._authored[i].fabric : Fabrics[preset];
    }
}

function isSame(a: Fabric, b: Fabric): boolean {
    return (Object.keys(a) as (keyof Fabric)[]).every((name) => a[name] === b[name]);
}
