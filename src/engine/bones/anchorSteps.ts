import { BoneMap } from "../../kernels/boneLayout";
import { identity, invert, isFiniteAffine, isIdentity, multiply, setIdentity } from "../math/affine";
import type { Affine } from "../math/affine";
import { RigidPath, shareBeyond } from "../math/rigidMotion";
import type { BoneRig } from "./boneRig";

/** Which part of an anchor's motion is felt, see {@link InertiaOptions}. */
export interface AnchorFeeling {
    readonly linear: number;
    readonly angular: number;
    readonly maxSpeed: number;
    readonly maxAngularSpeed: number;
}

/** Within a call. */
const [back, motion, until, since, step] = [identity(), identity(), identity(), identity(), identity()];

/** Motion of an anchor that chains do not feel: from step to step they are carried along with it. */
export class AnchorSteps {
    private readonly _world = identity();
    private readonly _path = new RigidPath();
    private readonly _place = new Float64Array(3);
    private _isNew = true;

    constructor(
        private readonly _feeling: AnchorFeeling,
        private readonly _index: number,
    ) {}

    /** Forgets where it was. */
    reset(): void {
        this._isNew = true;
    }

    /**
     * Writes the maps of the rig's steps in this frame.
     * @param world matrix of the anchor, row vectors; one that is not finite stays where it was @param seconds length of the frame
     */
    write(rig: BoneRig, world: ArrayLike<number>, seconds: number): void {
        const { _world: before, _path: path, _place: place, _feeling: feeling } = this;
        setIdentity(motion);
        if (isFiniteAffine(world)) {
            if (!this._isNew && invert(before, back)) {
                step.set(world);
                multiply(back, step, motion);
            }
            before.set(world);
            this._isNew = false;
        }
        const last = rig.stepCount;
        if (isIdentity(motion)) {
            setIdentity(step);
            for (let s = 0; s <= last; s++) this._writeMap(rig, s, step);
            return;
        }
        if (rig.isExact && feeling.linear === 0 && feeling.angular === 0) {
            // In the anchor's space, its scale included.
            this._writeMap(rig, 0, motion);
            return;
        }
        // The pose in which the anchor was.
        if (!invert(motion, back)) return;
        step.set(before);
        multiply(step, back, since);
        for (let c = 0; c < 3; c++) place[c] = since[12 + c];
        path.set(motion, place);
        const { from, to, rotation } = path;
        const way = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        const angle = Math.hypot(rotation[0], rotation[1], rotation[2]);
        const linear = Math.max(1 - feeling.linear, shareBeyond(way, feeling.maxSpeed * seconds));
        const angular = Math.max(1 - feeling.angular, shareBeyond(angle, feeling.maxAngularSpeed * seconds));
        for (let c = 0; c < 3; c++) {
            to[c] = from[c] + (to[c] - from[c]) * linear;
            rotation[c] *= angular;
        }
        setIdentity(since);
        for (let s = 0; s <= last; s++) {
            path.write(rig.shareAt(s), until);
            if (!invert(since, back)) return;
            multiply(back, until, step);
            this._writeMap(rig, s, step);
            since.set(until);
        }
    }

    private _writeMap(rig: BoneRig, index: number, map: Affine): void {
        const o = (this._index * rig.mapCount + index) * BoneMap.count;
        for (let r = 0; r < 4; r++) for (let c = 0; c < 3; c++) rig.anchorMaps[o + 3 * r + c] = map[4 * r + c];
    }
}
