import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Affine } from "../../engine/math/affine";
import type { RigidBody } from "../../engine/rigidbody/rigidBody";
import type { ImpulseBody } from "../physics/bodies";

/** As PhysicsMotionType has them. */
const [STATIC, DYNAMIC] = [0, 2];

/** Within a call. */
const [at, push, twist] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
const NOTHING = new Float64Array(3);

/** A rigid body as what takes the impulses of cloths and ropes that meet its mesh, or hang on it. */
export class RigidBodyProxy implements ImpulseBody {
    readonly numInstances = 0;
    isDisposed = false;
    private readonly _inertia = new Vector3();
    private readonly _properties = { mass: 0, inertia: this._inertia };

    constructor(
        readonly transformNode: Mesh,
        private readonly _body: RigidBody,
        private readonly _behavior: { readonly enabled: boolean },
        private readonly _binding: { lead(body: RigidBody, map: Affine, frame: Affine): boolean },
    ) {}

    getMotionType(): number {
        return this._behavior.enabled ? DYNAMIC : STATIC;
    }

    getMassProperties(): { mass: number; inertia: Vector3 } {
        const { _properties: properties, _body: body } = this;
        properties.mass = body.mass;
        this._inertia.fromArray(body.moments);
        return properties;
    }

    lead(map: Affine, frame: Affine): boolean {
        return this._binding.lead(this._body, map, frame);
    }

    shift(drift: ArrayLike<number>): void {
        this._body.translate(drift);
    }

    applyImpulse(impulse: Vector3, place: Vector3): void {
        read(impulse, push);
        read(place, at);
        for (let c = 0; c < 3; c++) at[c] -= this._body.origin[c];
        this._body.addVelocity(at, push, NOTHING);
    }

    applyAngularImpulse(moment: Vector3): void {
        read(moment, twist);
        this._body.addVelocity(NOTHING, NOTHING, twist);
    }
}

function read({ x, y, z }: Vector3, target: Float64Array): void {
    target[0] = x;
    target[1] = y;
    target[2] = z;
}
