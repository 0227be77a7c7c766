// A list whose elements follow what is to be shown. What stays is not made anew, so focus and selection stay.

/** One line of the list: its element is kept as long as `key` and `version` stay. */
export interface Item {
  key: string;
  version: string;
  make(): HTMLElement;
  update?(element: HTMLElement): void;
}

export class List {
  readonly element: HTMLElement;
  readonly #items = new Map<string, { version: string; element: HTMLElement }>();
  readonly #goes: (element: HTMLElement) => void;

  /** `goes` is called with an element that is taken out, while it is still there. */
  constructor(element: HTMLElement, goes: (element: HTMLElement) => void) {
    this.element = element;
    this.#goes = goes;
  }

  clear(): void {
    this.#goes(this.element);
    this.#items.clear();
    this.element.replaceChildren();
  }

  /** Makes the list equal to `lines`, touching what differs alone; the keys of elements that are new. */
  arrange(lines: Item[]): string[] {
    const wanted = new Set(lines.map((line) => line.key));
    const fresh: string[] = [];
    for (const [key, { element }] of this.#items) {
      if (wanted.has(key)) continue;
      this.#goes(element);
      element.remove();
      this.#items.delete(key);
    }
    let next = this.element.firstElementChild;
    for (const { key, version, make, update } of lines) {
      let item = this.#items.get(key);
      if (item?.version !== version) {
        const element = make();
        if (item) {
          this.#goes(item.element);
          if (next === item.element) next = element;
          item.element.replaceWith(element);
        } else fresh.push(key);
        item = { version, element };
        this.#items.set(key, item);
      }
      if (item.element === next) next = next.nextElementSibling;
      else this.element.insertBefore(item.element, next);
      update?.(item.element);
    }
    return fresh;
  }

  of(key: string): HTMLElement | undefined {
    return this.#items.get(key)?.element;
  }
}
