import { reject, stillAir, windFieldOf } from "../../engine/index";
import type { ClothSettings } from "../../engine/index";
import type { WindName } from "../wind/namedWinds";
import type { Wind } from "../wind/wind";
import { makeNamedWind } from "../wind/windMaker";
import { BodyBehavior } from "./bodyBehavior";
import type { BodyKind } from "./bodyKind";
import { InertiaBinding } from "./inertiaBinding";
import type { InertiaOptions } from "./inertiaBinding";

/** A behavior whose mesh the air pushes: what cloth, plants and ropes have in common. */
export abstract class SurfaceBehavior extends BodyBehavior {
    private _wind: Wind | null | undefined = undefined;

    /** @internal */
    protected constructor(kind: BodyKind, settings: ClothSettings) {
        super(kind, settings);
        settings.wind = stillAir;
    }

    /**
     * What the body rides on, and which part of that motion it feels, see {@link InertiaOptions}: for vehicles, lifts, ships, and cloth that is to feel less of
     * its wearer's motion. Read, it is an object of all options, frozen: assign a new one to change it. Default null: it moves in the world.
     */
    get inertia(): InertiaOptions | null {
        return this._runtime.inertia?.options ?? null;
    }
    set inertia(value: InertiaOptions | null) {
        this._runtime.inertia = value === null ? null : new InertiaBinding(this._owner, value);
    }

    /**
     * Its own wind, beside those of its scene ({@link Winds}). Default undefined: still air of 1.2 kg/m³, as around the zone of
     * a wind. Null: vacuum for this body, out of the scene's winds too. A wind's name may be assigned in an app that names
     * {@link Wind} or ClothBuilder: see {@link WindSpeeds}.
     */
    get wind(): Wind | null | undefined {
        return this._wind;
    }
    set wind(value: Wind | WindName | null | undefined) {
        if (typeof value === "string") value = makeNamedWind(this._owner, value) as Wind;
        const field =
            value === undefined ? stillAir : value && (windFieldOf(value) ?? reject(this._owner, "wind", "a Wind or null", value));
        this._wind = value;
        this._settings.wind = field;
    }
}
