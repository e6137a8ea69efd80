/** States of a value that can be undone and redone. A stroke of changes, as while a slider is dragged, is one of them. */
export class History<T> {
    /** Called after every change, also by undo and redo, with what was before. */
    onChange: (value: T, before: T) => void = () => {};
    private readonly _past: T[] = [];
    private readonly _future: T[] = [];
    private _stroke: string | null = null;

    constructor(private _value: T) {}

    get value(): T {
        return this._value;
    }

    get canUndo(): boolean {
        return this._past.length > 0;
    }

    get canRedo(): boolean {
        return this._future.length > 0;
    }

    /**
     * Takes a new value.
     * @param stroke changes in a row of the same stroke are undone together; null: this one stands alone
     */
    change(value: T, stroke: string | null = null): void {
        if (stroke === null || stroke !== this._stroke) this._past.push(this._value);
        this._stroke = stroke;
        this._future.length = 0;
        this._set(value);
    }

    /** The next change is one of its own, whatever its stroke. */
    endStroke(): void {
        this._stroke = null;
    }

    /** Puts another form of the present value in its place. */
    replace(value: T): void {
        this._value = value;
    }

    /** Goes back to a value that there was, for good: the changes after it are forgotten. */
    revert(to: T): void {
        const place = this._past.lastIndexOf(to);
        if (place >= 0) this._past.length = place;
        else if (this._future.at(-1) === to) this._future.pop();
        this._value = to;
        this._stroke = null;
    }

    /** Makes the present value the first. */
    forget(): void {
        this._past.length = this._future.length = 0;
        this._stroke = null;
    }

    /** Goes back by one change, if there is one. */
    undo(): void {
        this._move(this._past, this._future);
    }

    /** Takes back what was undone last, if something was. */
    redo(): void {
        this._move(this._future, this._past);
    }

    private _move(from: T[], to: T[]): void {
        if (from.length === 0) return;
        this._stroke = null;
        to.push(this._value);
        this._set(from.pop()!);
    }

    private _set(value: T): void {
        const before = this._value;
        this._value = value;
        this.onChange(value, before);
    }
}
