import type { Part } from "../../engine/world/lazyModules";

/** The parts of the library that a body waits for. Until they are here it stands still, and does not move without them. */
export class Arrivals {
    private readonly _pending = new Set<Promise<void>>();

    /** @param warn told where a part cannot be loaded, or what was to be called then throws; the body goes on without */
    constructor(readonly warn: (message: string) => void) {}

    /** Whether there are any. */
    get areDue(): boolean {
        return this._pending.size > 0;
    }

    /** Calls when a part is here: at once, or when it is loaded. Then no one hears of errors but the developer. */
    when(part: Part<unknown>, call: () => unknown): void {
        if (part.isLoaded) call();
        else this._await(part, call);
    }

    /** Settled when there are none. */
    async settle(): Promise<void> {
        while (this.areDue) await Promise.all(this._pending);
    }

    private _await(part: Part<unknown>, call: () => unknown): void {
        const arrival = part
            .load()
            .then(() => void call())
            .catch((error: unknown) => this.warn(error instanceof Error ? error.message : String(error)))
            .finally(() => this._pending.delete(arrival));
        this._pending.add(arrival);
    }
}
