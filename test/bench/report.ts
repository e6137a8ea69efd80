/** Tables, bars and sections: what every part of the benchmark hands to the report. */

/** A table; the first column and those whose title ends in a space align to the left. */
export interface Table {
    readonly title: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    /** What a reader must know to read the numbers. */
    readonly note?: string;
}

/** A bar of the project and what was measured against it. */
export interface Bar {
    readonly name: string;
    /** The bar, as text: "<= 1.3". */
    readonly limit: string;
    /** The measured value with its unit. */
    readonly measured: string;
    readonly status: "PASS" | "MISSED" | "NOT MEASURED";
    readonly note?: string;
}

/** Outcome of one part of the benchmark. */
export interface Section {
    readonly tables: readonly Table[];
    readonly bars: readonly Bar[];
    /** Everything measured, for the JSON file. */
    readonly data: unknown;
}

/** A bar that is met at or below `limit`; NaN counts as missed. */
export function atMost(name: string, value: number, limit: number, unit = "", note?: string): Bar {
    return { name, limit: `<= ${limit}${unit}`, measured: number(value) + unit, status: value <= limit ? "PASS" : "MISSED", note };
}

/** A bar that is met at or above `limit`; NaN counts as missed. */
export function atLeast(name: string, value: number, limit: number, unit = "", note?: string): Bar {
    return { name, limit: `>= ${limit}${unit}`, measured: number(value) + unit, status: value >= limit ? "PASS" : "MISSED", note };
}

/** A bar for which this run has no number. */
export function notMeasured(name: string, limit: string, note: string): Bar {
    return { name, limit, measured: "-", status: "NOT MEASURED", note };
}

/** Three significant digits, without an exponent. */
export function number(value: number): string {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : value > 0 ? "inf" : "-inf";
    const magnitude = Math.abs(value);
    if (magnitude >= 100 || value === 0) return value.toFixed(0);
    const digits = Math.min(4, 2 - Math.floor(Math.log10(magnitude)));
    return value.toFixed(Math.max(0, digits));
}

/** A share as a percentage. */
export function percent(share: number): string {
    return number(100 * share);
}

/** "median (low..high)". */
export function withSpread({ median, low, high }: { median: number; low: number; high: number }): string {
    return `${number(median)} (${number(low)}..${number(high)})`;
}

/** Prints a table as Markdown, padded so that it reads well in a terminal too. */
export function printTable({ title, columns, rows, note }: Table): void {
    const widths = columns.map((column, c) => Math.max(3, column.trim().length, ...rows.map((row) => row[c].length)));
    const isLeft = columns.map((column, c) => c === 0 || column.endsWith(" "));
    const line = (cells: readonly string[]): string =>
        `| ${cells.map((cell, c) => (isLeft[c] ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join(" | ")} |`;
    console.log(`\n### ${title}\n`);
    console.log(line(columns.map((column) => column.trim())));
    console.log(`| ${widths.map((width, c) => (isLeft[c] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`);
    for (const row of rows) console.log(line(row));
    if (note) console.log(`\n${note}`);
}

/** Prints the bars. */
export function printBars(bars: readonly Bar[]): void {
    printTable({
        title: "Bars",
        columns: ["bar", "limit", "measured", "status ", "note "],
        rows: bars.map((bar) => [bar.name, bar.limit, bar.measured, bar.status, bar.note ?? ""]),
    });
}
