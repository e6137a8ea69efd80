/** Draws cost against stretch as an SVG: one panel a scene, one curve a peer, both axes logarithmic. */
import type { SweepRow } from "./peers/sweep";
import { byScene } from "./quality";
import type { SceneRows } from "./quality";

const COLORS: Record<string, string> = {
    ours: "#d6336c",
    Jolt: "#1c7ed6",
    Bullet: "#2b8a3e",
    "cannon-es": "#e67700",
    "plain JavaScript": "#868e96",
};

const PANEL = { width: 300, height: 236, left: 46, top: 46, right: 14, bottom: 40 };
const LEGEND_HEIGHT = 34;
/** Costs that the axes show [ms a frame] and mean stretches [%]. */
const COST = [0.01, 100] as const;
const STRETCH = [0.005, 100] as const;

/** Place on an axis, 0..1. */
function place(value: number, [low, high]: readonly [number, number]): number {
    const clamped = Math.min(high, Math.max(low, value));
    return Math.log(clamped / low) / Math.log(high / low);
}

/** Powers of ten within a range. */
function decades([low, high]: readonly [number, number]): number[] {
    const all: number[] = [];
    for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; e++) all.push(Number(`1e${e}`));
    return all;
}

/** Settings that no other of the same peer beats in both cost and stretch, from cheap to costly. */
function front(rows: readonly SweepRow[]): SweepRow[] {
    const sorted = [...rows].sort((a, b) => a.measurement.cpuMs - b.measurement.cpuMs);
    let least = Infinity;
    return sorted.filter(({ measurement }) => {
        const isBetter = measurement.meanStretch < least;
        least = Math.min(least, measurement.meanStretch);
        return isBetter;
    });
}

function panel({ title, resolution, rows }: SceneRows, x0: number, y0: number): string {
    const { width, height, left, top, right, bottom } = PANEL;
    const w = width - left - right;
    const h = height - top - bottom;
    const x = (cost: number): string => (left + w * place(cost, COST)).toFixed(1);
    const y = (stretch: number): string => (top + h * (1 - place(100 * stretch, STRETCH))).toFixed(1);
    const parts = [
        `<g transform="translate(${x0} ${y0})">`,
        `<text class="title" x="${left}" y="${top - 12}">${title}, ${resolution}²</text>`,
    ];
    for (const cost of decades(COST)) {
        parts.push(`<path class="grid" d="M${x(cost)} ${top}v${h}"/>`);
        parts.push(`<text class="tick" x="${x(cost)}" y="${top + h + 15}" text-anchor="middle">${cost}</text>`);
    }
    for (const stretch of decades(STRETCH)) {
        parts.push(`<path class="grid" d="M${left} ${y(stretch / 100)}h${w}"/>`);
        parts.push(
            `<text class="tick" x="${left - 6}" y="${Number(y(stretch / 100)) + 3.5}" text-anchor="end">${stretch} %</text>`,
        );
    }
    parts.push(`<text class="axis" x="${left + w / 2}" y="${height - 8}" text-anchor="middle">ms a frame</text>`);
    const done = rows.filter(({ measurement }) => measurement.status === "done");
    for (const [peer, color] of Object.entries(COLORS)) {
        const own = done.filter((row) => row.peer === peer);
        const best = front(own);
        const dots = own.map(({ measurement: m }) => {
            const isBest = best.some((row) => row.measurement === m);
            return `<circle cx="${x(m.cpuMs)}" cy="${y(m.meanStretch)}" r="${isBest ? 2.6 : 1.6}"${isBest ? "" : ' opacity=".4"'}/>`;
        });
        const line = best.map(({ measurement: m }, i) => `${i === 0 ? "M" : "L"}${x(m.cpuMs)} ${y(m.meanStretch)}`).join("");
        if (own.length > 0) {
            parts.push(`<g fill="${color}"><path class="line" stroke="${color}" d="${line}"/>${dots.join("")}</g>`);
        }
    }
    parts.push("</g>");
    return parts.join("\n");
}

function legend(y: number, peers: ReadonlySet<string>): string {
    let x = PANEL.left;
    return Object.entries(COLORS)
        .filter(([peer]) => peers.has(peer))
        .map(([peer, color]) => {
            const text = peer === "ours" ? "babylon-cloth" : peer;
            const item =
                `<g transform="translate(${x} ${y})"><path class="line" stroke="${color}" d="M0 -4h18"/>` +
                `<circle cx="9" cy="-4" r="2.6" fill="${color}"/><text class="tick" x="24" y="0">${text}</text></g>`;
            x += 46 + 6.6 * text.length;
            return item;
        })
        .join("\n");
}

/** The plot of the scenes at the given resolutions. */
export function plotCostAgainstStretch(rows: readonly SweepRow[], resolutions: readonly number[], caption: string): string {
    const scenes = byScene(rows).filter(({ resolution }) => resolutions.includes(resolution));
    const columns = new Set(scenes.map(({ title }) => title)).size;
    const lines = Math.ceil(scenes.length / columns);
    const width = columns * PANEL.width;
    const height = LEGEND_HEIGHT + lines * PANEL.height + 22;
    const panels = scenes.map((scene, i) =>
        panel(scene, (i % columns) * PANEL.width, LEGEND_HEIGHT + Math.floor(i / columns) * PANEL.height),
    );
    const shown = new Set(
        scenes.flatMap(({ rows: all }) => all.filter(({ measurement: m }) => m.status === "done").map(({ peer }) => peer)),
    );
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Mean stretch against cost a frame, for every setting of every library</title>
<style>
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #343a40; }
.title { font-size: 13px; font-weight: 600; } .tick { font-size: 11px; fill: #495057; } .axis { font-size: 11px; fill: #868e96; }
.grid { stroke: #e9ecef; stroke-width: 1; } .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#fff"/>
${legend(24, shown)}
${panels.join("\n")}
<text class="axis" x="${PANEL.left}" y="${height - 10}">${caption}</text>
</svg>
`;
}
