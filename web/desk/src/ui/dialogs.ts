// Which dialog is open, and the field that people write in: both are reached by keys, buttons and the palette alike.

import { Observable } from "../store/observable";

export type DialogName =
  | "palette"
  | "take"
  | "takeNext"
  | "help"
  | "resolve"
  | "handback"
  | "snooze"
  | "transfer"
  | "savedReplies"
  | "saveReply"
  | "suggestion"
  | "settings";

export const dialog = new Observable<DialogName | null>(null);

/** The pane that a small screen shows. */
export const pane = new Observable<"conversation" | "customer">("conversation");

/** The field of the composer that is on the page. */
export const field: { current: HTMLTextAreaElement | null } = { current: null };

export function focusField(): void {
  // At once, so that the next key is typed into it; and after the next drawing, if it is not there yet.
  field.current?.focus();
  requestAnimationFrame(() => field.current?.focus());
}

/** Puts the person into the field of a new tag, also if a small screen shows the conversation. */
export function toTag(): void {
  pane.set("customer");
  const focus = () => document.querySelector<HTMLElement>(".add-tag input")?.focus();
  // At once and after the next drawing, as above.
  focus();
  requestAnimationFrame(focus);
}
