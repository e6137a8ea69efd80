/** The live panel: parameters of all cloths of the scene, and what they cost. Plain DOM. */
import type { ClothBehavior } from "babylon-cloth";
import { Wind } from "babylon-cloth";
import { closeOnEscape, element } from "./dom";
import { fabricRanges, fromSlider, short, showPlace, toSlider } from "./fabricRanges";
import { buildBugRecording } from "./bugRecording";
import { buildInside } from "./inside";
import { presets, Settings } from "./settings";
import type { Preset } from "./settings";
import type { Stage } from "./stage";

interface Slider {
    label: string;
    unit: string;
    min: number;
    max: number;
    step: number;
    get(): number;
    set(value: number): void;
    /** Turns the slider's value into what is shown. */
    show?(value: number): string;
}

/** Milliseconds between two readings of the numbers. */
const READ_INTERVAL = 400;

/** Drag distance of the grip at which the drawer closes [CSS pixels]. */
const PULL = 24;

/** Builds the panel for a stage, and the button that opens it where it is a drawer. */
export function buildPanel(stage: Stage): { panel: HTMLElement; button: HTMLElement } {
    const settings = new Settings(stage.cloths);
    const refreshers: (() => void)[] = [];
    const refresh = (): void => refreshers.forEach((f) => f());
    const rows = (sliders: Slider[]): HTMLElement[] =>
        sliders.map((slider) => {
            const { row, update } = buildSlider(slider, refresh);
            refreshers.push(update);
            return row;
        });
    const chooser = buildPresets(settings, refresh);
    refreshers.push(chooser.update);
    const numbers = buildNumbers(stage);
    const panel = element(
        "aside",
        { id: "panel", ariaLabel: "Controls" },
        buildButtons(stage, () => {
            settings.restore();
            refresh();
        }),
        numbers,
        heading("Fabric"),
        chooser.row,
        ...rows(fabricSliders(stage.cloths)),
        heading("Wind"),
        ...rows(windSliders(stage.cloths)),
        heading("Solver"),
        ...rows([
            {
                label: "substeps",
                unit: "",
                min: 1,
                max: 16,
                step: 1,
                get: () => stage.cloths[0].substepCount,
                set: (value) => stage.cloths.forEach((cloth) => (cloth.substepCount = value)),
            },
        ]),
        heading("Inside"),
        buildInside(stage),
        buildBugRecording(stage),
    );
    refresh();
    const { compared } = stage.world;
    if (compared) void import("./comparison").then(({ buildComparison }) => numbers.after(buildComparison(stage, compared)));
    return { panel, button: makeDrawer(panel) };
}

/** On a small screen the panel is a drawer: a button opens it; its grip, by a tap or a pull down, and Escape close it. */
function makeDrawer(panel: HTMLElement): HTMLElement {
    const button = element("button", { textContent: "Controls", id: "controls", ariaExpanded: "false" });
    const grip = element("button", { id: "grip", ariaLabel: "Close the controls" });
    panel.prepend(grip);
    const open = (isOpen: boolean): void => {
        panel.classList.toggle("open", isOpen);
        button.ariaExpanded = `${isOpen}`;
        if (!isOpen) button.focus({ preventScroll: true });
    };
    button.onclick = () => open(!panel.classList.contains("open"));
    grip.onclick = () => open(false);
    let start = 0;
    grip.onpointerdown = ({ clientY }) => (start = clientY);
    grip.onpointermove = ({ clientY, buttons }) => {
        if (buttons === 1 && clientY - start > PULL) open(false);
    };
    closeOnEscape(
        () => panel.classList.contains("open"),
        () => open(false),
    );
    return button;
}

function heading(text: string): HTMLElement {
    return element("h2", { textContent: text });
}

function buildButtons(stage: Stage, restore: () => void): HTMLElement {
    const pause = element("button", { textContent: "Pause" });
    const setPaused = (value: boolean): void => {
        stage.isPaused = value;
        pause.textContent = value ? "Play" : "Pause";
    };
    setPaused(stage.isPaused);
    pause.onclick = () => setPaused(!stage.isPaused);
    const step = element("button", { textContent: "Step", title: "Pause, and advance by a sixtieth of a second" });
    step.onclick = () => {
        setPaused(true);
        stage.advance(1 / 60);
    };
    const reset = element("button", { textContent: "Reset", title: "Back to the start, with the scene's own settings" });
    reset.onclick = () => {
        restore();
        stage.rewind();
    };
    return element("div", { className: "buttons" }, pause, step, reset);
}

function buildNumbers(stage: Stage): HTMLElement {
    const names = ["frames a second", "solver", "write-back", "particles", "constraints", "mean / max stretch"];
    const cells = names.map(() => element("td", {}));
    const table = element(
        "table",
        { id: "numbers" },
        ...names.map((name, i) => element("tr", {}, element("th", { textContent: name }), cells[i])),
    );
    const read = (): void => {
        const stats = stage.cloths.map((cloth) => cloth.stats);
        const sum = (f: (s: (typeof stats)[number]) => number): number => stats.reduce((total, s) => total + f(s), 0);
        const write = sum((s) => s.milliseconds.write);
        const texts = [
            stage.engine.getFps().toFixed(0),
            `${(sum((s) => s.milliseconds.total) - write).toFixed(2)} ms`,
            `${write.toFixed(2)} ms`,
            sum((s) => s.particleCount).toLocaleString("en"),
            sum((s) => Object.values(s.counts).reduce((total, count) => total + count, 0)).toLocaleString("en"),
            `${percent(sum((s) => s.meanStretch) / stats.length)} / ${percent(Math.max(...stats.map((s) => s.maxStretch)))}`,
        ];
        texts.forEach((text, i) => (cells[i].textContent = text));
    };
    read();
    setInterval(read, READ_INTERVAL);
    return table;
}

function buildPresets(settings: Settings, refresh: () => void): { row: HTMLElement; update(): void } {
    const label = (preset: Preset): string => (preset === "scene" ? "as in the scene" : preset);
    const chooser = element(
        "select",
        { title: "A named fabric" },
        ...presets.map((preset) => element("option", { textContent: label(preset), value: preset })),
        element("option", { textContent: "changed", value: "changed", hidden: true }),
    );
    chooser.onchange = () => {
        settings.preset = chooser.value as Preset;
        refresh();
    };
    const update = (): void => {
        chooser.value = settings.preset;
    };
    return { row: element("label", { className: "row" }, element("span", { textContent: "preset" }), chooser), update };
}

function fabricSliders(cloths: ClothBehavior[]): Slider[] {
    return fabricRanges.map((range) => ({
        ...range,
        get: () => toSlider(range, cloths[0].fabric),
        set: (place) => cloths.forEach((cloth) => (cloth.fabric = { ...cloth.fabric, [range.name]: fromSlider(range, place) })),
        show: (place) => `${showPlace(range, place)} ${range.unit}`,
    }));
}

/**
 * Speed and direction make the velocity; the direction is its angle about the upward axis, 0 towards +x. Air at rest has none
 * and keeps the one that was set last.
 */
function windSliders(cloths: ClothBehavior[]): Slider[] {
    const calm = new Wind();
    let angle = Math.PI / 2;
    const wind = (): Wind | null => cloths.find((cloth) => cloth.wind)?.wind ?? null;
    const share = (): Wind => {
        const shared = wind() ?? new Wind();
        for (const cloth of cloths) cloth.wind = shared;
        return shared;
    };
    const speed = (): number => Math.hypot(wind()?.velocity.x ?? 0, wind()?.velocity.z ?? 0);
    const direction = (): number => (speed() > 0 ? (angle = Math.atan2(wind()!.velocity.z, wind()!.velocity.x)) : angle);
    const blow = (strength: number, radians: number): void => {
        angle = radians;
        const shared = share();
        shared.velocity = { x: strength * Math.cos(radians), y: shared.velocity.y, z: strength * Math.sin(radians) };
    };
    return [
        { label: "speed", unit: "m/s", min: 0, max: 15, step: 0.1, get: speed, set: (value) => blow(value, direction()) },
        {
            label: "direction",
            unit: "°",
            min: -180,
            max: 180,
            step: 5,
            get: () => (direction() * 180) / Math.PI,
            set: (value) => blow(speed(), (value * Math.PI) / 180),
        },
        {
            label: "turbulence",
            unit: "",
            min: 0,
            max: 1.5,
            step: 0.05,
            get: () => (wind() ?? calm).turbulence,
            set: (value) => (share().turbulence = value),
        },
    ];
}

/** `changed` is called after the slider has set its value. */
function buildSlider(slider: Slider, changed: () => void): { row: HTMLElement; update(): void } {
    const { label, unit, min, max, step } = slider;
    const input = element("input", { type: "range", min: `${min}`, max: `${max}`, step: `${step}` });
    const output = element("output", {});
    const show = slider.show ?? ((value: number) => `${short(value)} ${unit}`);
    input.oninput = () => {
        slider.set(input.valueAsNumber);
        changed();
    };
    const update = (): void => {
        const value = slider.get();
        input.value = `${value}`;
        output.textContent = show(value);
    };
    return { row: element("label", { className: "row" }, element("span", { textContent: label }), input, output), update };
}

function percent(share: number): string {
    return `${(share * 100).toFixed(1)} %`;
}
