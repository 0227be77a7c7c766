// Elements without markup: nothing here parses HTML, so no text can become an element.

type Child = Node | string;

/** Properties: `on…` is a listener, a boolean an attribute that is there or not, anything else an attribute. */
type Properties = Record<string, string | number | boolean | ((event: any) => void)>;

/** Embeddings, overrides and isolates of the bidirectional algorithm: they can make a text look like another one. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text without what would turn its direction. */
export function straight(text: string): string {
  return text.replace(BIDI_CONTROLS, "");
}

/** Makes an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, `${value}`);
  }
  element.append(...children.map((child) => (typeof child === "string" ? straight(child) : child)));
  return element;
}

/** The texts that were set: what stands there may be the translation of the browser. */
const texts = new WeakMap<Element, string>();

/** Sets a text unless the same one was set before, so that nothing is announced, selected or translated anew. */
export function setText(element: Element, text: string): void {
  if (texts.get(element) === text) return;
  texts.set(element, text);
  element.textContent = straight(text);
}

/** An icon of one path in a square of 24. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

export const ICONS = {
  chat: "M4 5h16v11H10l-6 4z",
  close: "M6 6l12 12M18 6L6 18",
  send: "M3 4l18 8-18 8 2-7 8-1-8-1z",
  vote: "M7 11v9H4v-9zM7 11l4-8c1.7 0 3 1.3 3 3l-.5 4H19c1.3 0 2.2 1.2 1.9 2.4l-1.5 6C19.2 19.3 18.4 20 17.4 20H7",
  find: "M16 16l5 5M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  copy: "M9 9h10v11H9zM5 15V4h10",
};
