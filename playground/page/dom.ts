/** A DOM element with properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Partial<HTMLElementTagNameMap[K]>,
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

/** Closes by the Escape key what lies on top of the page; the first that is asked and open takes the key. */
export function closeOnEscape(isOpen: () => boolean, close: () => void): void {
    addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || event.defaultPrevented || !isOpen()) return;
        event.preventDefault();
        close();
    });
}

/** Copies a text. The clipboard needs a secure page; elsewhere the old way is tried. @returns whether it is copied */
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = element("textarea", { value: text });
        document.body.append(area);
        area.select();
        const isCopied = document.execCommand("copy");
        area.remove();
        return isCopied;
    }
}
