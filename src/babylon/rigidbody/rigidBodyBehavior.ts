import type { Scene } from "@babylonjs/core/scene";
import {
    ContactSolver,
    RigidBody,
    defaultRigidBody,
    defaultSettings,
    deriveFabric,
    massOf,
    nonNegative,
    positive,
} from "../../engine/index";
import type { RigidBodyMaterial, RigidBodySettings } from "../../engine/index";
import { BodyBehavior } from "../behaviors/bodyBehavior";
import type { BodyKind } from "../behaviors/bodyKind";
import { jointsOf } from "./jointRegistry";
import { OWNER, RigidBodyBinding, RigidBodyProxy } from "./rigidBodyBinding";
import { BODY_OPTION_NAMES } from "../behaviors/bodyOptions";
import type { BodyOptions } from "../behaviors/bodyOptions";

/** Options of a rigid body; each is also a property of {@link RigidBodyBehavior}, documented there. */
export interface RigidBodyOptions extends BodyOptions {
    mass?: number | null;
    density?: number;
    thickness?: number;
    friction?: number;
    damping?: number;
}

export const RIGID_BODY_OPTION_NAMES: readonly (keyof RigidBodyOptions)[] = [
    "mass",
    "density",
    "thickness",
    "friction",
    "damping",
    ...BODY_OPTION_NAMES,
];

/** Contact solver of each scene. */
const contactSolvers = new WeakMap<Scene, ContactSolver>();

function contactSolverOf(scene: Scene): ContactSolver {
    const contactSolver = contactSolvers.get(scene) ?? new ContactSolver();
    contactSolvers.set(scene, contactSolver);
    return contactSolver;
}

/** Defaults of the fabric's properties that a rigid body has: contact distance [m], friction coefficient, damping [1/s]. */
const DEFAULTS = { thickness: 1e-3, friction: 0.5, damping: 0 };

/**
 * Simulates a mesh as a rigid body: four particles joined by six distance constraints (Jakobsen 2001, §4 and 5). Add it to any closed mesh:
 *
 *     const crate = new RigidBodyBehavior({ mass: 5, colliders: [ground] });
 *     MeshBuilder.CreateBox("crate", { size: 0.5 }, scene).addBehavior(crate);
 *
 * The particles have the mass, centre and inertia of the enclosed volume at uniform density. The motion is computed in world space and written to the node: its
 * position and rotation (`rotationQuaternion`), with any parents, scaling and pivot. Moving the node teleports the body. Its vertices (at most 256 distinct positions) and the
 * triangles between them collide with colliders; a sphere collides by its radius. Bodies of a scene collide with each other by their convex hulls. Cloth with the mesh among its
 * colliders pushes the body; cloth pinned to it and ropes tied to it pull it. Options shared with {@link ClothBehavior} have equal meaning. A pin holds the point of the body nearest to
 * each vertex: one is a ball joint, two are a hinge; without a target it is fixed in the world. Rotation is limited to 1 rad per substep. Wind has no effect.
 */
export class RigidBodyBehavior extends BodyBehavior {
    /** Name under which `mesh.getBehaviorByName` finds the body. */
    override readonly name = "RigidBody";
    private readonly _body: RigidBodyMaterial;
    private _thickness = DEFAULTS.thickness;
    private _radius = 0;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: RigidBodyOptions = {}) {
        const settings: RigidBodySettings = Object.assign(defaultSettings(), { body: defaultRigidBody() });
        settings.fabric = deriveFabric(settings.fabric, DEFAULTS);
        const form: BodyKind<RigidBodyBinding> = {
            owner: OWNER,
            bind: (mesh, _kernels, toWorld) => new RigidBodyBinding(mesh, toWorld),
            runsFirst: true,
            build: (binding, kernels, _settings, _pose, rest, origin) => {
                const { mesh, triangles, contactPointCount } = binding;
                settings.body.volume = binding.volume;
                this._radius = binding.radius;
                this.thickness = this._thickness;
                const contactSolver = contactSolverOf(mesh.getScene());
                const { groups } = this._runtime;
                const body = new RigidBody(kernels, rest, contactPointCount, triangles, settings, origin, contactSolver, groups);
                binding.attachProxy(new RigidBodyProxy(mesh, body, this, binding));
                for (const joint of jointsOf(this)) joint.rebind(this, body, binding.toFrame);
                binding.onShift = (by) => {
                    for (const joint of jointsOf(this)) joint.shiftOrigin(by);
                };
                return body;
            },
        };
        super(form, settings);
        this._body = settings.body;
        this._assign(options, RIGID_BODY_OPTION_NAMES);
    }

    /** Mass [kg], > 0; null (default): {@link density} times the volume of the mesh at attach. */
    get mass(): number | null {
        return this._body.mass ?? (this.attachedNode ? massOf(this._body) : null);
    }
    set mass(value: number | null) {
        this._body.mass = value === null ? null : positive(OWNER, "mass", value);
        this._runtime.instance?.cloth.invalidate();
    }

    /** Mass per volume [kg/m³], > 0; unused if a mass is set. Default 500: pine, or full cartons. */
    get density(): number {
        return this._body.density;
    }
    set density(value: number) {
        this._body.density = positive(OWNER, "density", value);
        this._runtime.instance?.cloth.invalidate();
    }

    /** Contact distance of its surface from colliders [m], >= 0. Default 0.001. */
    get thickness(): number {
        return this._thickness;
    }
    set thickness(value: number) {
        this._thickness = nonNegative(OWNER, "thickness", value);
        this._changeFabric({ thickness: this._thickness + this._radius });
    }

    /** Coulomb friction coefficient against colliders that set none of their own, >= 0. Default 0.5. */
    get friction(): number {
        return this._settings.fabric.friction;
    }
    set friction(value: number) {
        this._changeFabric({ friction: nonNegative(OWNER, "friction", value) });
    }

    /** Damping rate of linear and angular velocity [1/s], >= 0. Default 0. */
    get damping(): number {
        return this._settings.fabric.damping;
    }
    set damping(value: number) {
        this._changeFabric({ damping: nonNegative(OWNER, "damping", value) });
    }

    /** Called by `mesh.removeBehavior` and when the mesh is disposed: removes its joints. Idempotent. */
    override detach(): void {
        super.detach();
        for (const joint of jointsOf(this)) joint.dispose();
    }

    /** @internal */
    protected override _createAnother(options: RigidBodyOptions): RigidBodyBehavior {
        return new RigidBodyBehavior(options);
    }
}
