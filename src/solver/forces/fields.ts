import type { WindField } from "../settings";

const fields = new WeakMap<object, WindField>();

/** Has a field blow for what users hold of a wind. Each wind brings its own: an app that makes none has nothing of them in it. */
export function giveField(wind: object, field: WindField): WindField {
    fields.set(wind, field);
    return field;
}

/** The field of a wind: one, for all that it blows on; undefined for what is no wind. */
export function fieldOf(wind: object): WindField | undefined {
    return fields.get(wind);
}

/** Takes in where the zones of winds are, at the begin of a frame. @param own a body's own wind; `others` those of its world */
export function followZones(own: WindField | null, others: readonly WindField[]): void {
    own?.zone?.follow();
    for (let i = 0; i < others.length; i++) others[i].zone?.follow();
}
