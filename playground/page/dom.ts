/** A DOM element with properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, properties: Partial<HTMLElementTagNameMap[K]>, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}
