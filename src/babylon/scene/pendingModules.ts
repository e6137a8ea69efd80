import type { LazyModule } from "../../engine/index";

/** The parts of the library that a body waits for. Until they are here it stands still, and does not move without them. */
export class PendingModules {
    private readonly _pending = new Set<Promise<void>>();

    /** @param warn told where a part cannot be loaded, or what was to be called then throws; the body goes on without */
    constructor(readonly warn: (message: string) => void) {}

    /** True if a module is loading. */
    get isLoading(): boolean {
        return this._pending.size > 0;
    }

    /** Calls when a part is here: at once, or when it is loaded. Then no one hears of errors but the developer. */
    whenLoaded(part: LazyModule<unknown>, call: () => unknown): void {
        if (part.isLoaded) call();
        else this._load(part, call);
    }

    /** Waits for work, too. */
    hold(work: Promise<void>): void {
        const end = work.catch(() => {}).finally(() => this._pending.delete(end));
        this._pending.add(end);
    }

    /** Settled when there are none. */
    async settled(): Promise<void> {
        while (this.isLoading) await Promise.all(this._pending);
    }

    private _load(part: LazyModule<unknown>, call: () => unknown): void {
        const arrival = part
            .load()
            .then(() => void call())
            .catch((error: unknown) => this.warn(error instanceof Error ? error.message : String(error)))
            .finally(() => this._pending.delete(arrival));
        this._pending.add(arrival);
    }
}
