/** The studio's heart: the document with its history, the picture of it, and the one way to change it. */
import { NO_PAINT, newDocument } from "./document";
import type { Meets, Side, StudioDocument, Tuning } from "./document";
import { History } from "./history";
import type { KindName } from "./kinds";
import { hasFile, keepFiles, lackOf, readJson } from "./model";
import { surfaceForm } from "./pins";
import { documentOfModel, fromFragment, readText, toFragment } from "./share";
import { View } from "./view";

export class Studio {
    readonly history: History<StudioDocument>;
    readonly view: View;
    /** Called after each change of the document, of the side, or of what runs. */
    onChange: () => void = () => {};
    /** Tells the user something; `isWrong` where it is bad news. */
    say: (message: string, isWrong: boolean) => void = () => {};
    private _side: Side = "a";
    /** The document that is shown, or waits for its file. */
    private _shown: StudioDocument | null = null;
    /** Ends when what is shown is the document. */
    private _settled: Promise<void> = Promise.resolve();

    constructor(canvas: HTMLCanvasElement) {
        this.view = new View(canvas);
        this.history = new History(newDocument("flag"));
        this.history.onChange = (document, before) => this._show(document, before);
    }

    /** Opens what the page's address says, else a flag. */
    async open(): Promise<void> {
        let refusal = "";
        try {
            const linked = fromFragment(location.hash);
            if (linked) this.history.change(linked);
        } catch (error) {
            refusal = (error as Error).message;
        }
        if (!this.history.canUndo) this._show(this.document, null);
        this.history.forget();
        await this._settled;
        if (refusal) this.say(refusal, true);
    }

    get document(): StudioDocument {
        return this.history.value;
    }

    /** Tuning that is edited now. */
    get side(): Side {
        return this.document.b ? this._side : "a";
    }
    set side(value: Side) {
        this._side = value;
        this.onChange();
    }

    get tuning(): Tuning {
        return this.document[this.side]!;
    }

    /** Ends when what is shown is the document. */
    get settled(): Promise<void> {
        return this._settled;
    }

    /** Changes the document, see {@link History.change}; what changes nothing is passed over. */
    change(part: Partial<StudioDocument>, stroke: string | null = null): void {
        const changed = { ...this.document, ...part };
        if (toFragment(changed) !== toFragment(this.document)) this.history.change(changed, stroke);
    }

    /** Changes the tuning of the present side. */
    tune(part: Partial<Tuning>, stroke: string | null = null): void {
        this.change({ [this.side]: { ...this.tuning, ...part } }, stroke && `${this.side} ${stroke}`);
    }

    /** Begins with another maker; how it was tuned stays with the old one. */
    begin(kind: KindName): void {
        this.change(newDocument(kind));
    }

    /** Makes another mesh of the file cloth. */
    chooseMesh(label: string): void {
        this.changeFile({ mesh: label }, NO_PAINT);
    }

    /** Changes what is taken of a file. */
    changeFile(part: { mesh?: string; meets?: Meets }, others: Partial<StudioDocument> = {}): void {
        const { source } = this.document;
        if ("file" in source) this.change({ source: { ...source, ...part }, ...others });
    }

    /** Opens files: a model, or what the studio has exported. What cannot be opened changes nothing. */
    async take(files: readonly File[]): Promise<void> {
        await this._open(async () => {
            const text = files.length === 1 && /\.(json|ts|js|txt|url)$/i.test(files[0].name) ? files[0] : null;
            if (text) return readText(text.name, await text.text(), this.document);
            const model = keepFiles(files);
            const { source } = this.document;
            // The very file that a link has asked for.
            if ("file" in source && source.file === model.name && this.view.shown.size === 0) return this.document;
            return documentOfModel(model.name, (await readJson(model)).json);
        });
    }

    /** Opens a text: a link, code or JSON. */
    async takeText(text: string): Promise<void> {
        await this._open(() => readText("The text", text, this.document));
    }

    private async _open(read: () => StudioDocument | Promise<StudioDocument>): Promise<void> {
        try {
            const document = await read();
            if (document === this.document) this._show(document, null);
            else this.history.change(document);
        } catch (error) {
            history.replaceState(null, "", toFragment(this.document));
            this.say((error as Error).message, true);
        }
        await this._settled;
    }

    /** Puts a copy beside, to tune it; a second call keeps the one that is tuned. */
    compare(): void {
        if (this.document.b) {
            this.change({ a: this.tuning, b: null });
            return;
        }
        this._side = "b";
        this.change({ b: this.document.a });
    }

    private _show(document: StudioDocument, before: StudioDocument | null): void {
        history.replaceState(null, "", toFragment(document));
        // Messages about an earlier document do not hold for this one.
        this.say("", false);
        this._settled = this.view.update(document, before).then(
            () => this._adopt(document),
            (error: unknown) => this._refuse(error, document),
        );
        this.onChange();
    }

    /** Says what is to be said of what is shown now. */
    private _adopt(document: StudioDocument): void {
        if (document !== this.document) return;
        this._shown = document;
        const shown = this.view.shown.get("a");
        const { source } = document;
        if ("file" in source && !hasFile(source.file)) this.say(lackOf(source.file), false);
        for (const { refusals } of this.view.shown.values()) for (const refusal of refusals) this.say(refusal, true);
        if (shown) {
            try {
                const adopted = surfaceForm(shown, document);
                if (adopted !== document) {
                    this.history.replace(adopted);
                    this._shown = adopted;
                    history.replaceState(null, "", toFragment(adopted));
                }
            } catch (error) {
                this.say((error as Error).message, true);
            }
        }
        this.onChange();
    }

    /** Goes back to what is still shown, so that document, link and picture agree. */
    private _refuse(error: unknown, document: StudioDocument): void {
        if (document === this.document) {
            if (this._shown) {
                this.history.revert(this._shown);
                history.replaceState(null, "", toFragment(this._shown));
                this.onChange();
            } else {
                this.history.replace(newDocument("flag"));
                this._show(this.document, null);
            }
        }
        this.say(error instanceof Error ? error.message : String(error), true);
    }
}
