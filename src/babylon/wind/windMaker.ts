import { reject } from "../../engine/index";
import type { WindName } from "./namedWinds";

/** Makes a Wind of its name; null in an app without that class, which sets it: behaviors alone do not bring it along. */
export const windMaker: { make: ((owner: string, name: WindName) => object) | null } = { make: null };

/** The Wind of a name. @throws RangeError on an unknown name, and where the app has no class Wind */
export function makeNamedWind(owner: string, name: WindName): object {
    if (windMaker.make) return windMaker.make(owner, name);
    return reject(owner, "wind", 'new Wind(name), by import { Wind } from "babylon-cloth"', name);
}
