import type { WindField } from "../state/settings";

const windFields = new WeakMap<object, WindField>();

/** Has a field blow for what users hold of a wind. Each wind brings its own: an app that makes none has nothing of them in it. */
export function registerWindField(wind: object, field: WindField): WindField {
    windFields.set(wind, field);
    return field;
}

/** The field of a wind: one, for all that it blows on; undefined for what is no wind. */
export function windFieldOf(wind: object): WindField | undefined {
    return windFields.get(wind);
}

/** Takes in where the zones of winds are, at the begin of a frame. @param own a body's own wind; `others` those of its world */
export function updateZones(own: WindField | null, others: readonly WindField[]): void {
    own?.zone?.update();
    for (let i = 0; i < others.length; i++) others[i].zone?.update();
}
