/** The studio, `?studio` of the page: a part of its own, which the gallery does not load. */
import uPlotStyle from "uplot/dist/uPlot.min.css";
import { element } from "../page/dom";
import { short } from "../page/fabricRanges";
import { Chooser } from "./chooser";
import { buildExportDialog } from "./exportDialog";
import { COST_RANGE, GRADIENT, STRETCH_RANGE } from "./heat";
import { buildLabels } from "./labels";
import { ACCEPT } from "./model";
import { Brush } from "./paint";
import { Panel } from "./panel";
import { Plots } from "./plots";
import { SolidGizmos } from "./solidGizmos";
import { Studio } from "./studio";
import style from "./studio.css";
import { buildToolbar } from "./toolbar";

/** State of the studio for tests. */
export interface StudioHandle {
    readonly studio: Studio;
    readonly brush: Brush;
}

/** Duration of a message [ms]. */
const MESSAGE_TIME = 6000;

/** Opens the studio in the page. */
export async function openStudio(canvas: HTMLCanvasElement): Promise<StudioHandle> {
    document.head.append(element("style", { textContent: uPlotStyle + style }));
    document.title = "Studio · babylon-cloth";
    document.body.classList.add("studio");
    const studio = new Studio(canvas);
    const brush = new Brush(
        studio.view,
        () => studio.document,
        (part) => studio.change(part),
    );
    const plots = new Plots(studio.view);
    const dialog = buildExportDialog(studio);
    const picker = element("input", { type: "file", accept: ACCEPT, multiple: true, hidden: true, ariaLabel: "Model" });
    picker.onchange = async () => {
        await studio.take([...picker.files!]);
        // One file may be chosen twice.
        picker.value = "";
    };
    const chooser = new Chooser(studio);
    const gizmos = new SolidGizmos(studio);
    const panel = new Panel(studio, brush, () => picker.click(), chooser, gizmos);
    const { bar, refresh } = buildToolbar(studio, brush, plots, () => dialog.showModal());
    const { legend, showLegend } = buildLegend(studio, brush);
    const { message, say } = buildMessage();
    studio.say = say;
    document.body.prepend(bar);
    document.body.append(buildLabels(studio.view), plots.root, legend, message, panel.root, picker, dialog);
    plots.root.hidden = innerWidth < 700 || innerHeight < 500;

    studio.view.onBuilt = () => {
        brush.follow();
        chooser.follow();
        gizmos.follow();
        plots.clear();
        canvas.classList.add("ready");
    };
    studio.view.readShades = () => brush.shades;
    studio.onChange = () => {
        studio.view.isPainting = brush.isOn && brush.layer !== "pins";
        refresh();
        panel.refresh();
        showLegend();
        studio.view.bottom = plots.root.offsetHeight;
    };
    acceptFiles(studio);
    await studio.open();
    return { studio, brush };
}

function acceptFiles(studio: Studio): void {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        const { files, text } = partsOf(event.dataTransfer);
        if (files.length > 0) void studio.take(files);
        else if (text) void studio.takeText(text);
    });
    addEventListener("paste", (event) => {
        if (event.target instanceof HTMLElement && event.target.matches("input, textarea")) return;
        const { files, text } = partsOf(event.clipboardData);
        if (files.length > 0) void studio.take(files);
        else if (text) void studio.takeText(text);
    });
    // A link to this page that is put into the address bar.
    addEventListener("hashchange", () => void studio.takeText(location.hash));
}

/** Files of what is dropped or pasted, or its text. */
function partsOf(data: DataTransfer | null): { files: File[]; text: string } {
    return { files: [...(data?.files ?? [])], text: data?.getData("text") ?? "" };
}

/** Legend of the cloth's colours. */
function buildLegend(studio: Studio, brush: Brush): { legend: HTMLElement; showLegend(): void } {
    const { view } = studio;
    const title = element("span", {});
    const most = element("span", {});
    const bar = element("i", {});
    bar.style.background = GRADIENT;
    const legend = element("p", { id: "legend", hidden: true }, title, " 0 ", bar, most);
    const showLegend = (): void => {
        const { show } = view;
        legend.hidden = show === "fabric";
        if (show === "fabric") return;
        const { shownLayer } = brush;
        const reach = studio.document[shownLayer]?.reach ?? 0;
        const free = shownLayer === "distance" ? "grey is free" : "grey has none";
        const texts = {
            stretch: ["stretch", ` ${100 * STRETCH_RANGE} %`],
            cost: ["cost of a particle", ` ${COST_RANGE} × the mean`],
            distance: [
                shownLayer === "distance" ? "max distance" : "backstop",
                reach > 0 ? ` ${short(reach)} m; ${free}` : `; ${free}`,
            ],
        } as const;
        [title.textContent, most.textContent] = texts[show];
    };
    return { legend, showLegend };
}

function buildMessage(): { message: HTMLElement; say(text: string, isWrong: boolean): void } {
    const message = element("p", { id: "message", role: "status", ariaLive: "polite" });
    let timer: ReturnType<typeof setTimeout>;
    const say = (text: string, isWrong: boolean): void => {
        clearTimeout(timer);
        message.textContent = text;
        message.classList.toggle("wrong", isWrong);
        timer = setTimeout(() => (message.textContent = ""), MESSAGE_TIME);
    };
    return { message, say };
}
