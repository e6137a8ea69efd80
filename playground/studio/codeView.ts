/** Text as CodeMirror shows it, to read and to copy. */
import { javascript } from "@codemirror/lang-javascript";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";

export function showCode(parent: HTMLElement, text: string, label: string): void {
    parent.replaceChildren();
    new EditorView({
        parent,
        state: EditorState.create({
            doc: text,
            extensions: [
                lineNumbers(),
                EditorState.readOnly.of(true),
                EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
                syntaxHighlighting(defaultHighlightStyle),
                javascript({ typescript: true }),
            ],
        }),
    });
}
