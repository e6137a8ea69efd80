import type { Attachment } from "./attachment";
import type { Pin } from "./handles";
import type { PinBinding } from "./pinBinding";

/** The pins of a cloth, on a mesh or not. */
export class PinList {
    /** In the order in which they hold. */
    readonly all: PinBinding[] = [];
    private _leash: PinBinding | null = null;

    constructor(private readonly _attachment: () => Attachment | null) {}

    /** Those that users have made. */
    get made(): readonly PinBinding[] {
        return this._leash ? this.all.slice(1) : this.all;
    }

    /** @throws RangeError when the pin cannot hold what it selects; it is then not added */
    add(pin: PinBinding): void {
        this._attachment()?.addPin(pin);
        this.all.push(pin);
    }

    remove(pin: Pin): void {
        const index = this.all.findIndex((own) => own === pin);
        if (index >= 0) this.all.splice(index, 1)[0].detach();
    }

    /** See {@link ClothBehavior.maxDistance}; before all others. */
    get leash(): PinBinding | null {
        return this._leash;
    }
    /** @throws RangeError when it cannot hold the cloth; all is then as it was */
    set leash(value: PinBinding | null) {
        if (value) this._attachment()?.addPin(value);
        if (this._leash) this.remove(this._leash);
        this._leash = value;
        if (value) this.all.unshift(value);
    }
}
