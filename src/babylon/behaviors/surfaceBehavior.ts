import { reject, windFieldOf } from "../../engine/index";
import { BodyBehavior } from "./bodyBehavior";
import type { Wind } from "../wind/wind";

/** A behavior whose mesh the air pushes: what cloth, plants and ropes have in common. */
export abstract class SurfaceBehavior extends BodyBehavior {
    private _wind: Wind | null = null;

    /**
     * Its own wind, beside those of its scene ({@link Winds}); `new Wind()` is still air. Default null: no air, but damping in
     * its place: cheaper, and one rate whatever the body weighs. Set a wind for what sways, falls, sails or flies.
     */
    get wind(): Wind | null {
        return this._wind;
    }
    set wind(value: Wind | null) {
        const field = value === null ? null : (windFieldOf(value) ?? reject(this._owner, "wind", "a Wind or null", value));
        this._wind = value;
        this._settings.wind = field;
    }
}
