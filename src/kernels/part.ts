/** Code in files of its own, which bundlers keep apart: it is loaded when it is first wanted. */
export class Part<T> {
    private _content: T | null = null;

    /** @param _import imports it */
    constructor(private readonly _import: () => Promise<T>) {}

    /** Whether what is in it can be had at once. */
    get isHere(): boolean {
        return this._content !== null;
    }

    /** What is in it. @throws Error where it is not here */
    get content(): T {
        if (!this._content) throw new Error("a part is not loaded");
        return this._content;
    }

    /** Gives what is in it, for what has it in the same file, or takes it away. */
    provide(content: T | null): void {
        this._content = content;
    }

    /** Has it here. @returns rejected where it cannot be loaded */
    async load(): Promise<void> {
        if (!this._content) this._content = await this._import();
    }
}
