import { DIRECTION_MOVES } from "../tunables";
import { Contact, SolidData } from "../../kernels/contactLayout";
import { toThisFrame, manifold, ManifoldPoint, findHullManifold } from "./hullPairs";
import { RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { bodyHullOf } from "./bodyHull";
import type { BodyHull } from "./bodyHull";
import type { RigidBodyArrays } from "../../kernels/rigidBodyLayout";

const { centre: C, axes: U, move: M, spin: S } = RigidBodyPose;

/** Within a call: the box's axes along the body's, as rows, its middle there, and how near is met. */
const axes = new Float64Array(9);
const middle = new Float64Array(3);
const maxDistance = new Float64Array(1);
/** A place on the box along the body's axes. */
const boxPoint = new Float64Array(3);
/** Half of what the box measures along its axes [m]. */
const halfExtents = new Float64Array(3);

/** A rigid body, by its hull. */
export interface HullBody {
    readonly rigidConstraint: RigidBodyArrays;
    readonly hull: BodyHull;
    /** Particles that are the hull's corners; null: it is met by its points. */
    readonly corners: Uint32Array | null;
}

/** Corners of boxes whose half extents these are, by the collider's data. */
const hulls = new WeakMap<Float32Array, { half: Float64Array; hull: BodyHull }>();

/**
 * Finds where a rigid body comes to a box, both as hulls: {@link manifold}, places of both along the body's axes. By its points alone, a crate passes a sill of its own height: they are over the sill and below it,
 * and out again by a hair's breadth.
 * @param data a collider's, see Contact and SolidData
 * @returns whether it tells; not where either moves so far in a substep that it may have come through: points know where they were
 */
export function detectBoxPoints(body: HullBody, data: Float32Array): boolean {
    const { hull } = body;
    const { pose } = body.rigidConstraint;
    const box = hullOf(data);
    let squared = 0;
    let turning = 0;
    for (let c = 0; c < 3; c++) {
        let move = pose[M + c] - data[Contact.motion + 12 + c];
        for (let k = 0; k < 3; k++) move -= pose[C + k] * data[Contact.motion + 4 * k + c];
        squared += move * move;
        turning += Math.abs(pose[S + c]);
    }
    if (!(DIRECTION_MOVES * (Math.sqrt(squared) + turning * hull.radius) < Math.min(hull.innerRadius, box.innerRadius)))
        return false;
    const m = SolidData.toFrame;
    for (let r = 0; r < 3; r++) {
        middle[r] = 0;
        for (let c = 0; c < 3; c++) {
            axes[3 * r + c] = 0;
            for (let k = 0; k < 3; k++) axes[3 * r + c] += data[m + 4 * k + r] * pose[U + 4 * c + k];
            middle[r] += (data[m + 12 + c] - pose[C + c]) * pose[U + 4 * r + c];
        }
    }
    maxDistance[0] = data[Contact.thickness];
    findHullManifold(hull, box, axes, middle, maxDistance);
    for (let o = ManifoldPoint.second; o < manifold.count * ManifoldPoint.count; o += ManifoldPoint.count) {
        toThisFrame(axes, middle, manifold.points, o, boxPoint);
        manifold.points.set(boxPoint, o);
    }
    return true;
}

function hullOf(data: Float32Array): BodyHull {
    let known = hulls.get(data);
    let isSame = known !== undefined;
    for (let c = 0; c < 3; c++) {
        halfExtents[c] = data[SolidData.core + c] + data[SolidData.coreMargin];
        isSame &&= known!.half[c] === halfExtents[c];
    }
    if (isSame) return known!.hull;
    const corners = Array.from({ length: 24 }, (_, i) => ((i / 3) & (1 << (i % 3)) ? halfExtents[i % 3] : -halfExtents[i % 3]));
    known = { half: halfExtents.slice(), hull: bodyHullOf(corners) };
    hulls.set(data, known);
    return known.hull;
}
