/** The studio, `?studio` of the page: a part of its own, which the gallery does not load. */
import uPlotStyle from "uplot/dist/uPlot.min.css";
import { element } from "../page/dom";
import { buildExportDialog } from "./exportDialog";
import { COST_RANGE, GRADIENT, STRETCH_RANGE } from "./heat";
import { buildLabels } from "./labels";
import { ACCEPT } from "./model";
import { Brush } from "./paint";
import { Panel } from "./panel";
import { heldVertices } from "./pins";
import { Plots } from "./plots";
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
        () => heldVertices(studio),
        (pins) => studio.change({ pins }),
    );
    const plots = new Plots(studio.view);
    const dialog = buildExportDialog(studio);
    const picker = element("input", { type: "file", accept: ACCEPT, multiple: true, hidden: true, ariaLabel: "Model" });
    picker.onchange = () => studio.take([...picker.files!]);
    const panel = new Panel(studio, brush, () => picker.click());
    const { bar, refresh } = buildToolbar(studio, brush, plots, () => dialog.showModal());
    const { legend, showLegend } = buildLegend(studio);
    const { message, say } = buildMessage();
    studio.say = say;
    document.body.prepend(bar);
    document.body.append(buildLabels(studio.view), plots.root, legend, message, panel.root, picker, dialog);
    plots.root.hidden = innerWidth < 700 || innerHeight < 500;

    studio.view.onBuilt = () => {
        brush.follow();
        plots.clear();
        canvas.classList.add("ready");
    };
    studio.onChange = () => {
        refresh();
        panel.refresh();
        showLegend();
        studio.view.bottom = plots.root.offsetHeight;
    };
    acceptDrops(studio);
    await studio.open();
    return { studio, brush };
}

function acceptDrops(studio: Studio): void {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        studio.take([...(event.dataTransfer?.files ?? [])]);
    });
}

/** Legend of the cloth's colours. */
function buildLegend({ view }: Studio): { legend: HTMLElement; showLegend(): void } {
    const title = element("span", {});
    const most = element("span", {});
    const bar = element("i", {});
    bar.style.background = GRADIENT;
    const legend = element("p", { id: "legend", hidden: true }, title, " 0 ", bar, most);
    const showLegend = (): void => {
        legend.hidden = view.show === "fabric";
        title.textContent = view.show === "stretch" ? "stretch" : "cost of a particle";
        most.textContent = view.show === "stretch" ? ` ${100 * STRETCH_RANGE} %` : ` ${COST_RANGE} × the mean`;
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
