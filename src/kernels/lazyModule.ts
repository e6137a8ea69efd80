/** Code in files of its own, which bundlers keep apart: it is loaded when it is first wanted. */
export class LazyModule<T> {
    private _module: T | null = null;

    /** @param _import imports it */
    constructor(private readonly _import: () => Promise<T>) {}

    /** True if the module is loaded. */
    get isLoaded(): boolean {
        return this._module !== null;
    }

    /** The loaded module. @throws Error if it is not loaded */
    get module(): T {
        if (!this._module) throw new Error("a part is not loaded");
        return this._module;
    }

    /** Sets the content, for a bundle that has it in the same file, or removes it. */
    set(content: T | null): void {
        this._module = content;
    }

    /** Loads it. @returns a promise, rejected if loading fails */
    async load(): Promise<void> {
        if (!this._module) this._module = await this._import();
    }
}
