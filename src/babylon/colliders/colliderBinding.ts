import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { bits, boolean, defaultColliderSettings, finite, knownOptions, nonNegative, reject, share } from "../../engine/index";
import type { ColliderOptions, MeshShape, Collider, ColliderSource } from "./colliderOptions";
import { isPhysicsBody } from "../physics/physicsBodies";
import { physicsBodyProviders } from "./physicsBodyProvider";
import { boundingBoxProvider, planeProvider, boundingSphereProvider } from "./boundingVolumeProviders";
import { customCopies, customProviders, OWNER, singleProvider } from "./shapeProvider";
import { containmentOf } from "./containmentBox";
import { meshProviders } from "./meshProvider";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import { meshShapes } from "./shapeInference";
import type { ShapeProviders } from "./shapeProvider";

/**
 * Counts the changes of what decides who meets whom, on the whole page: cloths look again where it is not the number that
 * they have seen.
 */
export const colliderRevision = { count: 0 };

/** So many sources are looked at in a frame for what has changed of them, beside where they are. */
const REVIEWS_PER_FRAME = 64;

/** A source with what users set about it. Cloths that meet it are told by meetings.ts. */
export class ColliderBinding implements Collider {
    readonly source: ColliderSource;
    /** Settings as the solver reads them. */
    readonly settings = defaultColliderSettings();
    /** True if it keeps cloth within. */
    readonly isInside: boolean;
    /** Shapes that are followed. */
    readonly providers: ShapeProviders;
    private readonly _isTwoSided: boolean;
    private _reviewCounter = 0;

    /** @throws RangeError on a source or option that cannot be used, or a geometry whose shape is not known */
    constructor(
        source: ColliderSource,
        options: ColliderOptions = {},
        private readonly _owner = OWNER,
    ) {
        knownOptions(_owner, options, [
            "shape",
            "inside",
            "twoSided",
            "friction",
            "restitution",
            "influence",
            "margin",
            "group",
            "mask",
        ]);
        if (options.shape !== undefined && !meshShapes.includes(options.shape)) {
            reject(_owner, "shape", meshShapes.map((s) => `"${s}"`).join(", "), options.shape);
        }
        if (options.inside !== undefined) boolean(_owner, "inside", options.inside);
        if (options.twoSided !== undefined) boolean(_owner, "twoSided", options.twoSided);
        this.source = source;
        this._isTwoSided = options.twoSided ?? true;
        this.isInside = options.inside ?? false;
        this.providers = providersOf(source, options, _owner);
        if (options.friction !== undefined) this.friction = options.friction;
        if (options.restitution !== undefined) this.restitution = options.restitution;
        if (options.influence !== undefined) this.influence = options.influence;
        this.margin = options.margin ?? 0;
        if (options.group !== undefined) this.group = options.group;
        if (options.mask !== undefined) this.mask = options.mask;
    }

    get shape(): string {
        return this.providers.shape;
    }

    get friction(): number | null {
        return this.settings.friction;
    }
    set friction(value: number | null) {
        this.settings.friction = value === null ? null : nonNegative(this._owner, "friction", value);
    }

    get restitution(): number {
        return this.settings.restitution;
    }
    set restitution(value: number) {
        this.settings.restitution = share(this._owner, "restitution", value);
    }

    get influence(): number {
        return this.settings.influence;
    }
    set influence(value: number) {
        this.settings.influence = share(this._owner, "influence", value);
    }

    get margin(): number {
        return this.settings.margin;
    }
    set margin(value: number) {
        this.settings.margin = finite(this._owner, "margin", value, 1e6);
    }

    get group(): number {
        return this.settings.group;
    }
    set group(value: number) {
        this.settings.group = bits(this._owner, "group", value);
        colliderRevision.count++;
    }

    get mask(): number {
        return this.settings.mask;
    }
    set mask(value: number) {
        this.settings.mask = bits(this._owner, "mask", value);
        colliderRevision.count++;
    }

    /** Options as given, to make another like it. */
    get options(): ColliderOptions {
        const { isInside: inside, friction, restitution, influence, margin, group, mask } = this;
        const isShape = "computeWorldMatrix" in this.source && (meshShapes as readonly string[]).includes(this.shape);
        return {
            ...(isShape && { shape: this.shape as MeshShape }),
            ...(friction !== null && { friction }),
            inside,
            ...(!this._isTwoSided && { twoSided: false }),
            restitution,
            influence,
            margin,
            group,
            mask,
        };
    }

    get isDisposed(): boolean {
        return this.providers.isDisposed();
    }

    /**
     * Takes in what has changed of the source since the last frame. @param count of how many it is one: of many, some have their turn
     * @returns why it can be followed no longer; null: it can
     */
    review(count: number): string | null {
        if (this.isDisposed) return "was disposed";
        this._reviewCounter += REVIEWS_PER_FRAME;
        if (this._reviewCounter < count) return null;
        this._reviewCounter = 0;
        try {
            if (this.providers.review?.()) colliderRevision.count++;
            return null;
        } catch (error) {
            return `cannot be one any more (${(error as Error).message})`;
        }
    }

    /** Name in warnings. */
    get name(): string {
        const { name, transformNode } = this.source as { name?: string; transformNode?: { name: string } };
        return name ?? transformNode?.name ?? this.shape;
    }
}

/** Shapes of a source, told by its properties: Babylon's classes need not be loaded. */
function providersOf(source: ColliderSource, options: ColliderOptions, owner: string): ShapeProviders {
    if (typeof source === "object" && source !== null) {
        const follow = customProviders.get(source);
        const all = follow ? follow() : plainProviders(source);
        if (all && options.twoSided === false) reject(owner, "twoSided", "true, but for meshes", false);
        if (all) return options.inside ? { ...all, list: all.list.flatMap((part) => containmentOf(part, owner)) } : all;
        if (isPhysicsBody(source)) return physicsBodyProviders(source, options, owner);
        if (typeof (source as TransformNode).computeWorldMatrix === "function")
            return meshProviders(source as TransformNode, options, owner);
    }
    return reject(owner, "source", "a mesh, a Plane, a BoundingSphere, a BoundingBox or a PhysicsBody", source);
}

function plainProviders(source: ColliderSource): ShapeProviders | null {
    if ("radiusWorld" in source) return singleProvider(boundingSphereProvider(source));
    if ("extendSizeWorld" in source) return singleProvider(boundingBoxProvider(source));
    return "normal" in source && "d" in source ? singleProvider(planeProvider(source)) : null;
}

/** Has colliders of a copied body follow copies of their sources, where those were copied; whether there are any. */
export function followCopiedSources(colliders: ColliderBinding[], hierarchy: CopiedHierarchy): boolean {
    let isAny = false;
    colliders.forEach(({ source, options }, i) => {
        const copy = copyOfSource(source, hierarchy);
        if (!copy) return;
        isAny = true;
        colliders[i] = new ColliderBinding(copy, options);
    });
    return isAny;
}

/** The source that is to a copy of a hierarchy what another is to the original; null where it was not copied. */
export function copyOfSource(source: ColliderSource, hierarchy: CopiedHierarchy): ColliderSource | null {
    const custom = customCopies.get(source);
    if (custom) return custom(hierarchy) as ColliderSource | null;
    return "getClassName" in source && "computeWorldMatrix" in source ? (hierarchy.copyOf(source) as TransformNode | null) : null;
}
