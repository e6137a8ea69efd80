import type { Attachment } from "../attachment";
import type { Pin } from "../handles";
import type { PinBinding } from "./pinBinding";

/** The pins of a body, on a mesh or not. */
export class PinList {
    /** In the order in which they hold: those of options, then those that users have made. */
    readonly all: PinBinding[] = [];
    /** What is an option of its own, by its name: a leash, what carries the ends of a rope. */
    private readonly _ofOptions = new Map<string, PinBinding>();

    constructor(private readonly _attachment: () => Attachment | null) {}

    /** Those that users have made. */
    get made(): readonly PinBinding[] {
        return this._ofOptions.size > 0 ? this.all.slice(this._ofOptions.size) : this.all;
    }

    /** @throws RangeError when the pin cannot hold what it selects; it is then not added */
    add(pin: PinBinding): void {
        this._attachment()?.addPin(pin);
        this.all.push(pin);
    }

    /** Takes a pin off, whoever has made it. */
    remove(pin: Pin): void {
        const index = this.all.findIndex((own) => own === pin);
        if (index < 0) return;
        const [removed] = this.all.splice(index, 1);
        for (const [option, own] of this._ofOptions) if (own === removed) this._ofOptions.delete(option);
        removed.detach();
    }

    /** The pin that an option has made, or null. */
    ofOption(option: string): PinBinding | null {
        return this._ofOptions.get(option) ?? null;
    }

    /** Gives an option another pin, or none. @throws RangeError when it cannot hold; all is then as it was */
    setOfOption(option: string, pin: PinBinding | null): void {
        if (pin) this._attachment()?.addPin(pin);
        const before = this._ofOptions.get(option);
        if (before) this.remove(before);
        if (!pin) return;
        this.all.splice(this._ofOptions.size, 0, pin);
        this._ofOptions.set(option, pin);
    }
}
