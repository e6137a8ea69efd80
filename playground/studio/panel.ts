/** The panel: what is cloth, its fabric, wind and pins, and what the picture shows. */
import type { FolderApi } from "@tweakpane/core";
import { Fabrics, WindSpeeds } from "babylon-cloth";
import type { Fabric, FabricName, WindName } from "babylon-cloth";
import { Pane } from "tweakpane";
import { element } from "../page/dom";
import { fabricRanges, fromSlider, short, showPlace, toSlider } from "../page/fabricRanges";
import { airOf } from "./build";
import { Controls } from "./controls";
import type { AirNumbers } from "./document";
import type { Show } from "./heat";
import { fieldsOf, kinds, sizesOf } from "./kinds";
import type { KindName } from "./kinds";
import type { Brush } from "./paint";
import { EDGES, addPin } from "./pins";
import { heldBy } from "./sides";
import type { Studio } from "./studio";

/** In lists: none of the names. */
const OWN = "";
const CHANGED = "changed";
const FILE = "file";

export class Panel {
    readonly root = element("aside", { id: "panel", className: "open", ariaLabel: "Settings" });
    private _pane: Pane | null = null;
    private _controls = new Controls();
    /** Document that the controls were made for. */
    private _made = "";
    /** Titles of closed folders. */
    private readonly _closed = new Set<string>(["Solver"]);

    constructor(
        private readonly _studio: Studio,
        private readonly _brush: Brush,
        private readonly _chooseFile: () => void,
    ) {}

    /** Shows what is set now. */
    refresh(): void {
        const { document, view } = this._studio;
        const { source } = document;
        const choices = view.shown.get("a")?.choices ?? [];
        const made = JSON.stringify(["kind" in source ? source.kind : [source.file, choices], document.b !== null]);
        if (made === this._made) {
            this._controls.refresh();
            return;
        }
        this._made = made;
        const { scrollTop } = this.root;
        const before = this._pane;
        before?.element.remove();
        // It may be one of its own controls that has called: Tweakpane goes on with that.
        if (before) queueMicrotask(() => before.dispose());
        this._pane = new Pane({ container: this.root });
        this._controls = new Controls();
        this._addCloth(choices);
        if (document.b) this._addSides();
        this._addFabric();
        this._addWind();
        this._addPins();
        this._addSolver();
        this._addShow();
        this._controls.refresh();
        this.root.scrollTop = scrollTop;
    }

    private _folder(title: string): FolderApi {
        const folder = this._pane!.addFolder({ title, expanded: !this._closed.has(title) });
        folder.on("fold", ({ expanded }) => {
            if (expanded) this._closed.delete(title);
            else this._closed.add(title);
        });
        return folder;
    }

    private _addCloth(choices: readonly string[]): void {
        const studio = this._studio;
        const folder = this._folder("Cloth");
        const { source } = studio.document;
        const makers = Object.entries(kinds).map(([kind, { title }]) => [title, kind]);
        const file = "file" in source ? [[source.file, FILE]] : [];
        this._controls.add<string>(folder, {
            label: "make",
            params: { options: Object.fromEntries([...makers, ...file]) },
            get: () => ("kind" in studio.document.source ? studio.document.source.kind : FILE),
            set: (value) => value !== FILE && studio.begin(value as KindName),
        });
        this._controls.addButtons(folder, "A model of your own", { "Open a model…": this._chooseFile });
        if ("file" in source) {
            if (choices.length > 0)
                this._controls.add<string>(folder, {
                    label: "mesh",
                    params: { options: Object.fromEntries(choices.map((name) => [name, name])) },
                    get: () => studio.view.shown.get("a")?.mesh.name ?? choices[0],
                    set: (mesh) => studio.change({ source: { file: source.file, mesh }, pins: [] }),
                });
            return;
        }
        const { kind } = source;
        const options = (): Readonly<Record<string, number>> => {
            const now = studio.document.source;
            return "kind" in now ? now.options : {};
        };
        for (const { name, label, unit, min, max, step } of fieldsOf(kind)) {
            this._controls.add<number>(folder, {
                label: withUnit(label, unit),
                params: {
                    ...{ min, max, step },
                    format: (value: number) => (name === "subdivisions" && value === 0 ? "auto" : short(value)),
                },
                get: () => sizesOf(kind, options())[name],
                set: (value, isLast) => {
                    // Another mesh is made for it: once the slider is let go.
                    const isLive = fieldsOf(kind).some((field) => field.name === name && field.isLive);
                    if (!isLive && !isLast) return;
                    studio.change({ source: { kind, options: { ...options(), [name]: value } } }, name);
                    if (isLast) studio.history.endStroke();
                },
            });
        }
    }

    private _addSides(): void {
        const folder = this._folder("A and B");
        this._controls.add<string>(folder, {
            label: "tune",
            params: { options: { "A, on the left": "a", "B, on the right": "b" } },
            get: () => this._studio.side,
            set: (side) => (this._studio.side = side as "a" | "b"),
        });
        this._controls.addButtons(folder, "Compare", {
            "Swap A and B": () => {
                const { a, b } = this._studio.document;
                this._studio.change({ a: b!, b: a });
            },
        });
    }

    private _addFabric(): void {
        const studio = this._studio;
        const folder = this._folder("Fabric");
        const names = Object.keys(Fabrics);
        const options = Object.fromEntries([["as built", OWN], ...names.map((name) => [name, name]), ["changed", CHANGED]]);
        this._controls.add<string>(folder, {
            label: "fabric",
            params: { options },
            get: () => {
                const { fabric } = studio.tuning;
                return typeof fabric === "object" && fabric !== null ? CHANGED : (fabric ?? OWN);
            },
            set: (value) => {
                if (value === CHANGED) return this._controls.refresh();
                const fabric = value === OWN ? null : (value as FabricName);
                studio.tune({ fabric, ...(fabric && studio.tuning.look ? { look: fabric } : {}) });
            },
        });
        this._controls.add<string>(folder, {
            label: "look",
            params: { options: Object.fromEntries([["as built", OWN], ...names.map((name) => [name, name])]) },
            get: () => studio.tuning.look ?? OWN,
            set: (value) => studio.tune({ look: value === OWN ? null : (value as FabricName) }),
        });
        this._controls.add<string>(folder, {
            label: "colour",
            params: { view: "color", picker: "inline" },
            get: () => studio.tuning.colour ?? "#e0ddd4",
            set: (colour, isLast) => {
                studio.tune({ colour, look: studio.tuning.look ?? "cotton" }, "colour");
                if (isLast) studio.history.endStroke();
            },
        });
        const fabric = (): Readonly<Fabric> => heldBy(studio)?.cloth.fabric ?? Fabrics.cotton;
        for (const range of fabricRanges) {
            this._controls.add<number>(folder, {
                label: withUnit(range.label, range.unit),
                params: { min: range.min, max: range.max, step: range.step, format: (place: number) => showPlace(range, place) },
                isShownOnly: range.isPower,
                get: () => toSlider(range, fabric()),
                set: (place, isLast) => {
                    const { thickness: _, ...numbers } = fabric() as Record<keyof Fabric, number>;
                    studio.tune({ fabric: { ...numbers, [range.name]: fromSlider(range, place) } }, range.name);
                    if (isLast) studio.history.endStroke();
                },
            });
        }
    }

    private _addWind(): void {
        const studio = this._studio;
        const folder = this._folder("Wind");
        const names = Object.keys(WindSpeeds).map((name) => [name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), name]);
        this._controls.add<string>(folder, {
            label: "wind",
            params: { options: Object.fromEntries([...names, ["changed", CHANGED]]) },
            get: () => (typeof studio.tuning.wind === "string" ? studio.tuning.wind : CHANGED),
            set: (value) => (value === CHANGED ? this._controls.refresh() : studio.tune({ wind: value as WindName })),
        });
        const air = (): AirNumbers => airOf(heldBy(studio)?.authored.direction ?? 0, studio.tuning);
        const slider = (name: keyof AirNumbers, unit: string, min: number, max: number, step: number): void =>
            this._controls.add<number>(folder, {
                label: withUnit(name, unit),
                params: { min, max, step, format: short },
                get: () => air()[name],
                set: (value, isLast) => {
                    studio.tune({ wind: { ...air(), [name]: value } }, name);
                    if (isLast) studio.history.endStroke();
                },
            });
        slider("speed", "m/s", 0, 30, 0.1);
        slider("direction", "°", -180, 180, 5);
        slider("turbulence", "", 0, 1.5, 0.05);
    }

    private _addPins(): void {
        const { _brush: brush, _studio: studio } = this;
        const folder = this._folder("Pins");
        this._controls.add<boolean>(folder, {
            label: "paint",
            get: () => brush.isOn,
            set: (value) => {
                brush.isOn = value;
                studio.onChange();
            },
        });
        this._controls.add<boolean>(folder, {
            label: "erase",
            get: () => brush.isErasing,
            set: (value) => (brush.isErasing = value),
        });
        this._controls.add<number>(folder, {
            label: "brush",
            params: { min: 0.01, max: 0.3, step: 0.01, format: (value: number) => `${(100 * value).toFixed(0)} %` },
            get: () => brush.radius,
            set: (value) => (brush.radius = value),
        });
        const edges = Object.entries(EDGES).map(([title, selector]) => [title, () => addPin(studio, selector)]);
        this._controls.addButtons(folder, "Pin an edge", Object.fromEntries(edges));
        const isBuilt = "kind" in studio.document.source;
        this._controls.addButtons(folder, "All pins", {
            None: () => studio.change({ pins: [] }),
            ...(isBuilt && { "The builder's": () => studio.change({ pins: null }) }),
        });
    }

    private _addSolver(): void {
        const studio = this._studio;
        this._controls.add<number>(this._folder("Solver"), {
            label: "substeps",
            params: { min: 1, max: 16, step: 1 },
            get: () => heldBy(studio)?.cloth.substepCount ?? 4,
            set: (substepCount, isLast) => {
                studio.tune({ substepCount }, "substeps");
                if (isLast) studio.history.endStroke();
            },
        });
    }

    private _addShow(): void {
        const { view } = this._studio;
        this._controls.add<string>(this._folder("Colours"), {
            label: "show",
            params: { options: { fabric: "fabric", stretch: "stretch", cost: "cost" } },
            get: () => view.show,
            set: (value) => {
                view.show = value as Show;
                this._studio.onChange();
            },
        });
    }
}

function withUnit(label: string, unit: string): string {
    return unit ? `${label} [${unit}]` : label;
}
