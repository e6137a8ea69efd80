/** Stretch and cost over the last seconds. */
import uPlot from "uplot";
import { element } from "../page/dom";
import type { Side } from "./document";
import type { View } from "./view";

/** Time between two samples [s], and what is shown [s]. */
const INTERVAL = 0.1;
const SPAN = 20;

const COLOURS: Record<Side, string> = { a: "#b8281f", b: "#1f5f9e" };

/** Plotted quantities, with a function that reads each from a cloth. */
const QUANTITIES = [
    {
        // The largest one is the limiter's bound in any wind, whatever is tuned.
        title: "mean stretch [%]",
        read: ({ meanStretch }: Stats): number => 100 * meanStretch,
        least: 1,
    },
    {
        title: "cost of a frame [ms]",
        read: ({ milliseconds }: Stats): number => milliseconds.total,
        least: 0.5,
    },
];

interface Stats {
    readonly meanStretch: number;
    readonly milliseconds: { readonly total: number };
}

export class Plots {
    readonly root = element("section", { id: "plots", ariaLabel: "Stretch and cost over time" });
    private readonly _plots: { plot: uPlot; readout: HTMLElement }[];
    private readonly _times: number[] = [];
    /** By quantity, then by side. */
    private _values: (number | null)[][][];
    private _sinceSample = 0;

    constructor(private readonly _view: View) {
        this._values = QUANTITIES.map(() => [[], []]);
        this._plots = QUANTITIES.map(({ title, least }) => {
            const readout = element("output", {});
            const figure = element("figure", {}, element("figcaption", {}, title, readout));
            this.root.append(figure);
            const plot = new uPlot(
                {
                    width: 300,
                    height: 84,
                    legend: { show: false },
                    cursor: { show: false },
                    padding: [6, 6, 6, 0],
                    scales: { x: { time: false }, y: { range: (_, __, high) => [0, Math.max(least, 1.1 * (high ?? 0))] } },
                    axes: [
                        { show: false },
                        {
                            size: 34,
                            font: "11px system-ui",
                            stroke: "#26241f",
                            grid: { stroke: "#0001" },
                            ticks: { show: false },
                            space: 24,
                        },
                    ],
                    series: [
                        {},
                        ...(["a", "b"] as const).map((side) => ({ stroke: COLOURS[side], width: 1.5, points: { show: false } })),
                    ],
                },
                [[], [], []],
                figure,
            );
            new ResizeObserver(() => plot.setSize({ width: figure.clientWidth, height: 84 })).observe(figure);
            return { plot, readout };
        });
        setInterval(() => this._sample(), 1000 * INTERVAL);
    }

    /** Begins anew. */
    clear(): void {
        this._times.length = 0;
        this._values = QUANTITIES.map(() => [[], []]);
    }

    private _sample(): void {
        const { shown, isPaused, isAtRest } = this._view;
        if (shown.size === 0 || isPaused || isAtRest) return;
        this._sinceSample += INTERVAL;
        this._times.push(this._sinceSample);
        const isFull = this._times.length > SPAN / INTERVAL;
        if (isFull) this._times.shift();
        QUANTITIES.forEach(({ read }, q) => {
            const texts = (["a", "b"] as const).map((side, s) => {
                const stats = shown.get(side)?.cloth.stats;
                const value = stats ? read(stats) : null;
                const values = this._values[q][s];
                values.push(value);
                if (isFull) values.shift();
                return value === null ? null : value < 0.005 ? "0" : value.toPrecision(2);
            });
            const { plot, readout } = this._plots[q];
            readout.replaceChildren(
                ...texts.flatMap((text, s) => (text === null ? [] : [element("b", { textContent: text, className: "ab"[s] })])),
            );
            if (this.root.offsetWidth > 0) plot.setData([this._times, ...this._values[q]]);
        });
    }
}
