/** The studio's heart: the document with its history, the picture of it, and the one way to change it. */
import { documentOfFile, newDocument } from "./document";
import type { Side, StudioDocument, Tuning } from "./document";
import { History } from "./history";
import type { KindName } from "./kinds";
import { hasFile, keepFiles } from "./model";
import { fromFragment, toFragment } from "./share";
import { View } from "./view";

export class Studio {
    readonly history: History<StudioDocument>;
    readonly view: View;
    /** Called after each change of the document, of the side, or of what runs. */
    onChange: () => void = () => {};
    /** Tells the user something; `isWrong` where it is bad news. */
    say: (message: string, isWrong: boolean) => void = () => {};
    private _side: Side = "a";
    /** Ends when what is shown is the document. */
    private _settled: Promise<void> = Promise.resolve();

    constructor(canvas: HTMLCanvasElement) {
        this.view = new View(canvas);
        this.history = new History(newDocument("flag"));
        this.history.onChange = (document, before) => this._show(document, before);
    }

    /** Opens what the page's address says, else a flag. */
    async open(): Promise<void> {
        try {
            const linked = fromFragment(location.hash);
            if (linked) this.history.change(linked);
            if (linked && "file" in linked.source && !hasFile(linked.source.file))
                this.say(`Drop ${linked.source.file} here to go on: a link does not carry files`, false);
        } catch (error) {
            this.say((error as Error).message, true);
        }
        if (!this.history.canUndo) this._show(this.document, null);
        this.history.forget();
        await this._settled;
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

    /** Begins with a model. */
    take(files: readonly File[]): void {
        try {
            const file = keepFiles(files);
            const { source } = this.document;
            // The very file that a link has asked for.
            if ("file" in source && source.file === file) this._show(this.document, null);
            else this.change(documentOfFile(file, null));
        } catch (error) {
            this.say((error as Error).message, true);
        }
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
        this._settled = this.view.update(document, before).then(
            () => {
                for (const { refusals } of this.view.shown.values()) for (const refusal of refusals) this.say(refusal, true);
                this.onChange();
            },
            (error: unknown) => this.say(error instanceof Error ? error.message : String(error), true),
        );
        this.onChange();
    }
}
