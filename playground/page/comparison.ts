/** Energy, stretch and cost of cloths side by side, over the last seconds; and what the library has said of them. */
import { Logger } from "@babylonjs/core/Misc/logger";
import uPlot from "uplot";
import style from "uplot/dist/uPlot.min.css";
import type { ClothBehavior } from "babylon-cloth";
import { element } from "./dom";
import type { Compared } from "../gallery";
import type { Stage } from "./stage";

/** Time between two samples [ms], and how many are shown. */
const INTERVAL = 100;
const SHOWN = 120;
const SIZE = { width: 232, height: 70 };

type Stats = ClothBehavior["stats"];

/** Plotted quantity. */
const QUANTITIES: { title: string; read(stats: Stats): number }[] = [
    { title: "kinetic energy [J]", read: ({ kineticEnergy }) => kineticEnergy },
    { title: "mean stretch [%]", read: ({ meanStretch }) => 100 * meanStretch },
    { title: "cost of a frame [ms]", read: ({ milliseconds }) => milliseconds.total },
];

/** Logarithms hold what explodes beside what rests; less than this is not told apart. */
const LEAST = 1e-3;

export function buildComparison(stage: Stage, compared: readonly Compared[]): HTMLElement {
    document.head.append(element("style", { textContent: style }));
    const names = compared.map(({ name, colour }) => {
        const entry = element("span", { textContent: name });
        entry.style.color = colour;
        return entry;
    });
    const log = element("ul", { id: "told" });
    const root = element("section", { id: "comparison", ariaLabel: "Solvers compared" }, element("p", {}, ...names), log);
    const times: number[] = [];
    const plots = QUANTITIES.map(({ title, read }) => {
        const values: number[][] = compared.map(() => []);
        const figure = element("figure", {}, element("figcaption", { textContent: title }));
        root.insertBefore(figure, log);
        const plot = new uPlot(
            {
                ...SIZE,
                legend: { show: false },
                cursor: { show: false },
                padding: [6, 4, 4, 0],
                scales: { x: { time: false }, y: { distr: 3 } },
                axes: [
                    { show: false },
                    { size: 38, font: "10px system-ui", stroke: "#26241f", grid: { stroke: "#0001" }, ticks: { show: false } },
                ],
                series: [{}, ...compared.map(({ colour }) => ({ stroke: colour, width: 1.5, points: { show: false } }))],
            },
            [times, ...values],
            figure,
        );
        return { plot, read, values };
    });
    let last = -1;
    setInterval(() => {
        if (stage.time === last) return;
        if (stage.time < last) for (const all of [times, ...plots.flatMap(({ values }) => values)]) all.length = 0;
        last = stage.time;
        const isFull = times.push(stage.time) > SHOWN;
        if (isFull) times.shift();
        const stats = stage.cloths.map((cloth) => cloth.stats);
        for (const { plot, read, values } of plots) {
            values.forEach((all, i) => {
                all.push(Math.max(LEAST, read(stats[i])));
                if (isFull) all.shift();
            });
            plot.setData([times, ...values]);
        }
    }, INTERVAL);
    const before = Logger.OnNewCacheEntry;
    Logger.OnNewCacheEntry = (entry) => {
        before?.(entry);
        const said = /solver .*$/.exec(element("template", { innerHTML: entry }).content.textContent ?? "");
        if (said) log.append(element("li", { textContent: said[0] }));
    };
    return root;
}
