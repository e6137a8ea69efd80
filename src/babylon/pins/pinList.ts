import type { Pin } from "./pinHold";
import type { PinBinding } from "./pinBinding";

/** The pins of a body, on a mesh or not. */
export class PinList {
    /** In the order in which they hold: those of options, then those that users have made. */
    readonly all: PinBinding[] = [];
    /** Pins that belong to an option, by its name: the distance limit, the ends of a rope. */
    private readonly _optionPins = new Map<string, PinBinding>();

    constructor(private readonly _instance: () => { addPin(pin: PinBinding): void } | null) {}

    /** Those that users have made. */
    get userPins(): readonly PinBinding[] {
        return this._optionPins.size > 0 ? this.all.slice(this._optionPins.size) : this.all;
    }

    /** @throws RangeError when the pin cannot hold what it selects; it is then not added */
    add(pin: PinBinding): void {
        this._instance()?.addPin(pin);
        this.all.push(pin);
    }

    /** Takes a pin off, whoever has made it. */
    remove(pin: Pin): void {
        const index = this.all.findIndex((own) => own === pin);
        if (index < 0) return;
        const [removed] = this.all.splice(index, 1);
        for (const [option, own] of this._optionPins) if (own === removed) this._optionPins.delete(option);
        removed.detach();
    }

    /** The pin that an option has made, or null. */
    pinOfOption(option: string): PinBinding | null {
        return this._optionPins.get(option) ?? null;
    }

    /** Gives an option another pin, or none. @throws RangeError when it cannot hold; all is then as it was */
    setOptionPin(option: string, pin: PinBinding | null): void {
        if (pin) this._instance()?.addPin(pin);
        const before = this._optionPins.get(option);
        if (before) this.remove(before);
        if (!pin) return;
        this.all.splice(this._optionPins.size, 0, pin);
        this._optionPins.set(option, pin);
    }
}
