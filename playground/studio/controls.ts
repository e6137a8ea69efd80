/** Tweakpane's controls, bound to functions instead of objects, and told to those who do not see them. */
import type { BindingParams, FolderApi } from "@tweakpane/core";
import { element } from "../page/dom";

type Value = number | string | boolean;

/** A control: what it shows, and what it sets. `isLast` is false while a slider is dragged. */
export interface Control<T extends Value> {
    readonly label: string;
    readonly params?: BindingParams;
    /** True if `params.format` shows its number in a form that cannot be typed. */
    readonly isShownOnly?: boolean;
    get(): T;
    set(value: T, isLast: boolean): void;
}

/** A button that shows what is on, and that cannot be pressed while it is off. */
export interface Toggle {
    run(): unknown;
    isOn?(): boolean;
    isOff?(): boolean;
}

export class Controls {
    private readonly _refreshers: (() => void)[] = [];
    private _isRefreshing = false;

    add<T extends Value>(folder: FolderApi, { label, params, isShownOnly, get, set }: Control<T>): void {
        const holder = { value: get() };
        const binding = folder.addBinding(holder, "value", { ...params, label });
        describe(binding.element, label, params as SliderParams, !!isShownOnly);
        binding.on("change", ({ value, last }) => {
            if (!this._isRefreshing) set(value as T, last ?? true);
        });
        this._refreshers.push(() => {
            const value = get();
            // What the user drags says itself what it is.
            if (value !== holder.value) {
                holder.value = value;
                binding.refresh();
            }
            const track = binding.element.querySelector(".tp-sldv_t");
            track?.setAttribute("aria-valuenow", String(value));
            track?.setAttribute("aria-valuetext", binding.element.querySelector("input")?.value ?? "");
        });
    }

    /** A row of buttons. */
    addButtons(folder: FolderApi, label: string, buttons: Readonly<Record<string, (() => unknown) | Toggle>>): void {
        const made = Object.entries(buttons).map(([title, given]) => {
            const { run, isOn, isOff } = typeof given === "function" ? ({ run: given } as Toggle) : given;
            const button = element("button", { textContent: title, onclick: () => void run() });
            this._refreshers.push(() => {
                if (isOn) button.ariaPressed = String(isOn());
                if (isOff) button.disabled = isOff();
            });
            return button;
        });
        const row = element("div", { className: "row buttons", role: "group", ariaLabel: label }, ...made);
        folder.element.querySelector(".tp-fldv_c")!.append(row);
    }

    /** Shows what the values are now. */
    refresh(): void {
        this._isRefreshing = true;
        for (const refresh of this._refreshers) refresh();
        this._isRefreshing = false;
    }
}

interface SliderParams {
    readonly min?: number;
    readonly max?: number;
}

/** Names for screen readers; Tweakpane gives its parts none. */
function describe(root: HTMLElement, label: string, params: SliderParams | undefined, isShownOnly: boolean): void {
    for (const part of root.querySelectorAll<HTMLElement>("input, select, button")) part.ariaLabel = label;
    const track = root.querySelector<HTMLElement>(".tp-sldv_t");
    if (!track) return;
    track.role = "slider";
    track.ariaLabel = label;
    track.ariaValueMin = String(params?.min);
    track.ariaValueMax = String(params?.max);
    const input = root.querySelector("input")!;
    input.readOnly = isShownOnly;
}
