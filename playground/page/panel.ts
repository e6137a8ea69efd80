/** The live panel: parameters of all cloths of the scene, and what they cost. Plain DOM. */
import type { ClothBehavior, Fabric } from "babylon-cloth";
import { Fabrics, Wind } from "babylon-cloth";
import { element } from "./dom";
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

/** Builds the panel for a stage. */
export function buildPanel(stage: Stage): HTMLElement {
    const panel = element("aside", { id: "panel" });
    const refreshers: (() => void)[] = [];
    const refresh = (): void => refreshers.forEach((f) => f());
    const add = (slider: Slider): void => {
        const { row, update } = buildSlider(slider);
        refreshers.push(update);
        panel.append(row);
    };

    panel.append(buildButtons(stage), buildNumbers(stage), heading("Fabric"), buildPresets(stage, refresh));
    for (const slider of fabricSliders(stage.cloths)) add(slider);
    panel.append(heading("Wind"));
    for (const slider of windSliders(stage.cloths)) add(slider);
    panel.append(heading("Solver"));
    add({
        label: "substeps", unit: "", min: 1, max: 16, step: 1,
        get: () => stage.cloths[0].substepCount,
        set: (value) => stage.cloths.forEach((cloth) => (cloth.substepCount = value)),
    });
    refresh();
    return panel;
}

function heading(text: string): HTMLElement {
    return element("h2", { textContent: text });
}

function buildButtons(stage: Stage): HTMLElement {
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
    const reset = element("button", { textContent: "Reset" });
    reset.onclick = () => stage.rewind();
    return element("div", { className: "buttons" }, pause, step, reset);
}

function buildNumbers(stage: Stage): HTMLElement {
    const names = ["frames a second", "solver", "write-back", "particles", "sticks", "mean / max stretch", "backend"];
    const cells = names.map(() => element("td", {}));
    const table = element("table", { id: "numbers" }, ...names.map((name, i) => element("tr", {}, element("th", { textContent: name }), cells[i])));
    const read = (): void => {
        const stats = stage.cloths.map((cloth) => cloth.stats);
        const sum = (f: (s: (typeof stats)[number]) => number): number => stats.reduce((total, s) => total + f(s), 0);
        const write = sum((s) => s.milliseconds.write);
        const texts = [
            stage.engine.getFps().toFixed(0),
            `${(sum((s) => s.milliseconds.total) - write).toFixed(2)} ms`,
            `${write.toFixed(2)} ms`,
            sum((s) => s.particleCount).toLocaleString("en"),
            sum((s) => s.stickCount).toLocaleString("en"),
            `${percent(sum((s) => s.meanStretch) / stats.length)} / ${percent(Math.max(...stats.map((s) => s.maxStretch)))}`,
            stats[0].backend ?? "",
        ];
        texts.forEach((text, i) => (cells[i].textContent = text));
    };
    read();
    setInterval(read, READ_INTERVAL);
    return table;
}

function buildPresets(stage: Stage, refresh: () => void): HTMLElement {
    const names = Object.keys(Fabrics) as (keyof typeof Fabrics)[];
    const chooser = element("select", { title: "A named fabric" }, element("option", { textContent: "as in the scene", value: "" }),
        ...names.map((name) => element("option", { textContent: name, value: name })));
    const authored = stage.cloths.map((cloth) => cloth.fabric);
    chooser.onchange = () => {
        const fabric = Fabrics[chooser.value as keyof typeof Fabrics];
        stage.cloths.forEach((cloth, i) => (cloth.fabric = fabric ?? authored[i]));
        refresh();
    };
    return element("label", { className: "row" }, element("span", { textContent: "preset" }), chooser);
}

/** Stiffness runs over powers of ten; the ends of its slider are off and infinite. */
function fabricSliders(cloths: ClothBehavior[]): Slider[] {
    const change = (name: keyof Fabric) => (value: number) =>
        cloths.forEach((cloth) => (cloth.fabric = { ...cloth.fabric, [name]: value }));
    const power = (name: keyof Fabric, label: string, unit: string, low: number, high: number): Slider => ({
        label, unit, min: low, max: high, step: 0.05,
        get: () => {
            const value = cloths[0].fabric[name];
            return value === 0 ? low : value === Infinity ? high : Math.log10(value);
        },
        set: (value) => change(name)(value <= low ? 0 : value >= high ? Infinity : 10 ** value),
        show: (value) => (value <= low ? "off" : value >= high ? "∞" : `${short(10 ** value)} ${unit}`),
    });
    const linear = (name: keyof Fabric, label: string, unit: string, max: number, step: number): Slider => ({
        label, unit, min: 0, max, step, get: () => cloths[0].fabric[name], set: change(name),
    });
    return [
        power("stretchStiffness", "stretch", "N/m", 1, 6),
        power("shearStiffness", "shear", "N/m", -1, 5),
        power("bendStiffness", "bend", "N·m", -7, 0),
        linear("damping", "damping", "1/s", 5, 0.05),
        linear("friction", "friction", "", 1.5, 0.05),
        { ...linear("arealDensity", "density", "kg/m²", 1.5, 0.01), min: 0.02 },
    ];
}

/** Speed and direction make the velocity; the direction is its angle about the upward axis, 0 towards +x. */
function windSliders(cloths: ClothBehavior[]): Slider[] {
    const wind = cloths.find((cloth) => cloth.wind)?.wind ?? new Wind();
    const { x, z } = wind.velocity;
    let speed = Math.hypot(x, z);
    let angle = speed > 0 ? (Math.atan2(z, x) * 180) / Math.PI : 90;
    const apply = (): void => {
        const radians = (angle * Math.PI) / 180;
        wind.velocity = { x: speed * Math.cos(radians), y: wind.velocity.y, z: speed * Math.sin(radians) };
        for (const cloth of cloths) cloth.wind = wind;
    };
    return [
        {
            label: "speed", unit: "m/s", min: 0, max: 15, step: 0.1, get: () => speed,
            set: (value) => {
                speed = value;
                apply();
            },
        },
        {
            label: "direction", unit: "°", min: -180, max: 180, step: 5, get: () => angle,
            set: (value) => {
                angle = value;
                apply();
            },
        },
        {
            label: "turbulence", unit: "", min: 0, max: 1.5, step: 0.05, get: () => wind.turbulence,
            set: (value) => {
                wind.turbulence = value;
                apply();
            },
        },
    ];
}

function buildSlider(slider: Slider): { row: HTMLElement; update(): void } {
    const { label, unit, min, max, step } = slider;
    const input = element("input", { type: "range", min: `${min}`, max: `${max}`, step: `${step}` });
    const output = element("output", {});
    const show = slider.show ?? ((value: number) => `${short(value)} ${unit}`);
    input.oninput = () => {
        slider.set(input.valueAsNumber);
        output.textContent = show(input.valueAsNumber);
    };
    const update = (): void => {
        const value = slider.get();
        input.value = `${value}`;
        output.textContent = show(value);
    };
    return { row: element("label", { className: "row" }, element("span", { textContent: label }), input, output), update };
}

/** Three digits, without zeros that say nothing; powers of ten below a thousandth. */
function short(value: number): string {
    if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(0);
    return `${Number(value.toPrecision(3))}`;
}

function percent(share: number): string {
    return `${(share * 100).toFixed(1)} %`;
}
