// The keyboard while the focus is in a panel: shortcuts and focus traps of the page hear nothing of it. A listener on the
// window that captures runs before all of the page but those that were there before this module.

/** The panels, each with the one that acts on its keys. */
export const panels = new WeakMap<EventTarget, (event: KeyboardEvent) => void>();

/** The keys that went down in a panel: a page that saw none go down sees none come up, and the reverse. */
const held = new Set<string>();
let isUnheard = false;

/** Gives an element the focus so that nothing hears of it, also where it was. */
export function focusUnheard(element: HTMLElement): void {
  isUnheard = true;
  element.focus();
  isUnheard = false;
}

function keep(event: Event): void {
  const act = event.composedPath().map((one) => panels.get(one)).find(Boolean);
  const { code, type } = event as KeyboardEvent;
  if (type === "keyup" ? !held.delete(code) : !act && !isUnheard) {
    held.delete(code);
    return;
  }
  event.stopImmediatePropagation();
  if (type !== "keydown") return;
  held.add(code);
  act!(event as KeyboardEvent);
}

for (const type of ["keydown", "keypress", "keyup", "focus", "focusin", "blur", "focusout"]) addEventListener(type, keep, true);
