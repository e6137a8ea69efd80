import type { BodyInstance } from "../behaviors/bodyInstance";
import { MaxDistanceHold } from "../pins/maxDistance";
import { PlaneHold } from "../pins/planeHold";
import type { PlaneHoldOptions } from "../pins/planeHold";
import type { HoldData, PinHold } from "../pins/pinHold";
import { RailHold } from "../pins/railHold";
import type { RailHoldOptions } from "../pins/railHold";
import { SoftHold } from "../pins/softHold";
import type { SoftHoldOptions } from "../pins/softHold";
import { contextOf } from "../pins/selectContext";
import { knownOptions, reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";
import { decodeNumbers, encodeNumbers } from "./encoding";

const NAMES = ["soft", "maxDistance", "rail", "plane"];

/** @throws RangeError if a distance is painted and the cloth is not on a mesh */
export function writeHold(owner: string, option: string, hold: PinHold, instance: BodyInstance | null): HoldData {
    const data = hold._toData(instance && contextOf(instance.binding));
    return data ? (encodeNumbers(data) as HoldData) : reject(owner, option, "numbers, or the cloth on a mesh", hold);
}

/** @throws RangeError on invalid data */
export function readHold(owner: string, option: string, data: unknown): PinHold {
    if (typeof data !== "object" || data === null || Object.keys(data).length !== 1) {
        return reject(owner, option, `an object with one of ${NAMES.join(", ")}`, data);
    }
    knownOptions(`${owner}: ${option}`, data, NAMES);
    const { soft, maxDistance, rail, plane } = data as HoldData;
    if (soft !== undefined) return new SoftHold(decodeNumbers(soft) as SoftHoldOptions);
    if (maxDistance !== undefined) return new MaxDistanceHold(maxDistance);
    if (plane !== undefined) {
        if (typeof plane !== "object" || plane === null) return reject(owner, `${option}.plane`, "an object", plane);
        const { normal, point, ...options } = plane;
        return new PlaneHold(vectorIn(owner, `${option}.plane.normal`, normal), {
            ...(decodeNumbers(options) as PlaneHoldOptions),
            ...(point !== undefined && { point: vectorIn(owner, `${option}.plane.point`, point) }),
        });
    }
    if (typeof rail !== "object" || rail === null) return reject(owner, `${option}.rail`, "an object", rail);
    const { points, ...options } = rail;
    if (!Array.isArray(points)) return reject(owner, `${option}.rail.points`, "a list of [x, y, z]", points);
    const vectors = points.map((point: unknown, i) => vectorIn(owner, `${option}.rail.points[${i}]`, point));
    return new RailHold(vectors, decodeNumbers(options) as RailHoldOptions);
}

function vectorIn(owner: string, option: string, value: unknown): VectorLike {
    return Array.isArray(value) ? { x: value[0], y: value[1], z: value[2] } : reject(owner, option, "[x, y, z]", value);
}
