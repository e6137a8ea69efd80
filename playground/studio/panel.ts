/*
 * A few lines more than 400: one panel, a method for each folder; presets and colliders are beside it.
 */
/** The panel: what is cloth, its fabric, wind and pins, and what the picture shows. */
import type { FolderApi } from "@tweakpane/core";
import { Fabrics, WindSpeeds } from "babylon-cloth";
import type { Fabric, FabricName, WindName } from "babylon-cloth";
import { Pane } from "tweakpane";
import { element } from "../page/dom";
import { fabricRanges, fromSlider, short, showPlace, toSlider } from "../page/fabricRanges";
import { airOf } from "./build";
import type { Chooser } from "./chooser";
import { Controls } from "./controls";
import type { AirNumbers } from "./document";
import type { Show } from "./heat";
import { fieldsOf, kinds, sizesOf } from "./kinds";
import type { KindName } from "./kinds";
import { NO_CLIP } from "./clips";
import { NO_PINS, OWN_PINS, SELF_COLLISIONS } from "./document";
import type { Meets } from "./document";
import { SIDES, isSkinned, sidesOfMesh, toggleSide } from "./pins";
import type { DistanceLayer, SideName } from "./pins";
import { firstReach } from "./paint";
import type { Brush, Layer } from "./paint";
import { addPresets } from "./presetPanel";
import type { Choice } from "./suggest";
import { heldBy } from "./sides";
import type { SolidGizmos } from "./solidGizmos";
import { addSolidControls } from "./solidPanel";
import type { Change } from "./strokes";
import type { Studio } from "./studio";
import type { Shown } from "./view";

/** In lists: none of the names. */
const OWN = "";
const CHANGED = "changed";
const FILE = "file";
const OFF = "off";
/** Cost that a cloth of a game may have [ms], and that of a phone over a desktop's. */
const [FRAME_SHARE, PHONE] = [2, 4];

export class Panel {
    private readonly _cost = element("p", { className: "cost", ariaLabel: "Cost" });
    readonly root = element("aside", { id: "panel", className: "open", ariaLabel: "Settings" });
    private _pane: Pane | null = null;
    private _controls = new Controls();
    /** Document that the controls were made for. */
    private _made = "";
    /** Titles of closed folders. */
    private readonly _closed = new Set<string>(["Simulation"]);

    constructor(
        private readonly _studio: Studio,
        private readonly _brush: Brush,
        private readonly _chooseFile: () => void,
        private readonly _chooser: Chooser,
        private readonly _gizmos: SolidGizmos,
    ) {
        setInterval(() => this._showCost(), 500);
    }

    /** Shows what is set now. */
    refresh(): void {
        const studio = this._studio;
        const { document, view } = studio;
        const { source } = document;
        const shown = view.shown.get("a");
        const choices = shown?.choices ?? [];
        const sides = shown ? sidesOfMesh(shown.rest) : [];
        const file = "file" in source && [source.file, choices.map(({ label }) => label), view.clips.names];
        const parts = [
            document.solids.map(({ shape }) => shape),
            this._gizmos.chosen,
            document.b !== null,
            document.distance !== null,
            document.backstop !== null,
            this._brush.layer,
            sides,
        ];
        const made = JSON.stringify(["kind" in source ? source.kind : file, ...parts]);
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
        this._addPaint(sides);
        addSolidControls(this._folder("Colliders"), this._controls, studio, this._gizmos);
        if (view.clips.names.length > 0) this._addClips();
        this._addSolver();
        this._addShow();
        addPresets(this._folder("Presets"), this._controls, studio);
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

    private _addCloth(choices: readonly Choice[]): void {
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
            if (choices.length > 0) this._addModel(folder, choices);
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

    /** Mesh of a file that is cloth, and what it meets. */
    private _addModel(folder: FolderApi, choices: readonly Choice[]): void {
        const studio = this._studio;
        const shown = (): Shown | undefined => studio.view.shown.get("a");
        this._controls.add<string>(folder, {
            label: "mesh",
            params: { options: Object.fromEntries(choices.map(({ label }) => [label, label])) },
            get: () => shown()?.label ?? choices[0].label,
            set: (label) => studio.chooseMesh(label),
        });
        const chooser = this._chooser;
        this._controls.addButtons(folder, "Mesh", {
            "Choose by clicking": { run: () => (chooser.isOn = !chooser.isOn), isOn: () => chooser.isOn },
        });
        this._controls.add<string>(folder, {
            label: "meets",
            params: { options: { "capsules on the bones": "capsules", "the other meshes": "meshes", nothing: "nothing" } },
            get: () => shown()?.meets ?? "nothing",
            set: (meets) => studio.changeFile({ meets: meets as Meets }),
        });
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

    private _addPaint(sides: readonly SideName[]): void {
        const { _brush: brush, _studio: studio, _controls: controls } = this;
        const folder = this._folder("Layers");
        const shown = studio.view.shown.get("a");
        const hasSkin = shown !== undefined && isSkinned(shown.rest.mesh);
        if (!hasSkin && brush.layer === "backstop") brush.layer = "pins";
        controls.add<string>(folder, {
            label: "layer",
            // A backstop lies behind a skin.
            params: { options: { pins: "pins", "max distance": "distance", ...(hasSkin && { backstop: "backstop" }) } },
            get: () => brush.layer,
            set: (layer) => {
                brush.layer = layer as Layer;
                studio.onChange();
            },
        });
        controls.add<boolean>(folder, {
            label: "paint",
            get: () => brush.isOn,
            set: (value) => {
                brush.isOn = value;
                studio.onChange();
            },
        });
        controls.add<boolean>(folder, {
            label: "erase",
            get: () => brush.isErasing,
            set: (value) => (brush.isErasing = value),
        });
        const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;
        controls.add<number>(folder, {
            label: "brush",
            params: { min: 0.01, max: 0.3, step: 0.01, format: percent },
            get: () => brush.radius,
            set: (value) => (brush.radius = value),
        });
        const isPins = brush.layer === "pins";
        if (brush.layer !== "pins") this._addDistance(folder, brush.layer, percent);
        const whole: Change[] = ["Flood", "Clear", "Invert", "Grow", "Shrink", ...(isPins ? [] : ["Smooth" as const])];
        controls.addButtons(folder, "All of the layer", Object.fromEntries(whole.map((kind) => [kind, () => brush.apply(kind)])));
        if (!isPins) return;
        const edges = (Object.keys(SIDES) as SideName[]).map((side) => [
            side,
            {
                run: () => toggleSide(studio, side),
                isOn: () => studio.document.pins.sides.includes(side),
                // Everything lies on both sides of a thin axis.
                isOff: () => !sides.includes(side),
            },
        ]);
        controls.addButtons(folder, "Pin an edge", Object.fromEntries(edges) as Parameters<Controls["addButtons"]>[2]);
        controls.addButtons(folder, "All pins", {
            None: () => studio.change({ pins: NO_PINS }),
            ["kind" in studio.document.source ? "The builder's" : "The file's"]: () => studio.change({ pins: OWN_PINS }),
        });
    }

    /** Distance that painted vertices may go. */
    private _addDistance(folder: FolderApi, layer: DistanceLayer, percent: (value: number) => string): void {
        const { _brush: brush, _studio: studio, _controls: controls } = this;
        controls.add<boolean>(folder, {
            label: "gradient",
            get: () => brush.isGradient,
            set: (value) => (brush.isGradient = value),
        });
        controls.add<number>(folder, {
            label: "strength",
            params: { min: 0.05, max: 1, step: 0.05, format: percent },
            get: () => brush.strength,
            set: (value) => (brush.strength = value),
        });
        controls.add<number>(folder, {
            label: "distance",
            params: { min: 0, max: 1, step: 0.01, format: percent },
            get: () => brush.value,
            set: (value) => (brush.value = value),
        });
        const shown = (): Shown | undefined => studio.view.shown.get("a");
        const reach = (): number => studio.document[layer]?.reach ?? (shown() ? firstReach(shown()!.rest.positions, layer) : 0.2);
        controls.add<number>(folder, {
            label: "100 % [m]",
            params: { min: 0.01, max: 2, step: 0.01, format: short },
            get: reach,
            set: (value, isLast) => {
                const { [layer]: distance } = studio.document;
                if (distance) studio.change({ [layer]: { ...distance, reach: value } }, `${layer} reach`);
                if (isLast) studio.history.endStroke();
            },
        });
    }

    private _addClips(): void {
        const { clips } = this._studio.view;
        const folder = this._folder("Motion");
        this._controls.add<string>(folder, {
            label: "clip",
            params: { options: Object.fromEntries([["none", NO_CLIP], ...clips.names.map((name) => [name, name])]) },
            get: () => clips.name,
            set: (name) => {
                clips.name = name;
                this._studio.onChange();
            },
        });
        this._controls.add<number>(folder, {
            label: "clip speed",
            params: { min: 0, max: 3, step: 0.05, format: short },
            get: () => clips.speed,
            set: (value) => (clips.speed = value),
        });
        this._controls.add<number>(folder, {
            label: "place",
            params: { min: 0, max: 1, step: 0.01, format: (value: number) => `${(100 * value).toFixed(0)} %` },
            get: () => clips.place,
            set: (value) => (clips.place = value),
        });
    }

    /** Options of the simulation, with what the cloth costs. */
    private _addSolver(): void {
        const studio = this._studio;
        const folder = this._folder("Simulation");
        const cloth = () => heldBy(studio)?.cloth;
        this._controls.add<number>(folder, {
            label: "substeps",
            params: { min: 1, max: 16, step: 1 },
            get: () => cloth()?.substepCount ?? 4,
            set: (substepCount, isLast) => {
                studio.tune({ substepCount }, "substeps");
                if (isLast) studio.history.endStroke();
            },
        });
        this._controls.add<string>(folder, {
            label: "self-collision",
            params: { options: Object.fromEntries(SELF_COLLISIONS.map((tier) => [tier || OFF, tier || OFF])) },
            get: () => cloth()?.selfCollision || OFF,
            set: (tier) => studio.tune({ selfCollision: SELF_COLLISIONS.find((each) => each === tier) ?? false }),
        });
        this._controls.add<number>(folder, {
            label: "tether slack",
            params: { min: 0, max: 0.5, step: 0.01, format: (slack: number) => `${(100 * slack).toFixed(0)} %` },
            get: () => Math.min(0.5, cloth()?.tetherSlack ?? 0),
            set: (tetherSlack, isLast) => {
                studio.tune({ tetherSlack }, "slack");
                if (isLast) studio.history.endStroke();
            },
        });
        folder.element.querySelector(".tp-fldv_c")!.append(this._cost);
    }

    /** Shows what a frame of the cloth costs here, and about on a phone. */
    private _showCost(): void {
        const stats = heldBy(this._studio)?.cloth.stats;
        if (!stats || this._cost.offsetParent === null) return;
        const { total } = stats.milliseconds;
        this._cost.textContent = `${total.toFixed(2)} of ${FRAME_SHARE} ms a frame; about ${(PHONE * total).toFixed(1)} on a phone`;
    }

    private _addShow(): void {
        const { view } = this._studio;
        this._controls.add<string>(this._folder("Colours"), {
            label: "show",
            params: { options: { fabric: "fabric", stretch: "stretch", cost: "cost", "max distance": "distance" } },
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
