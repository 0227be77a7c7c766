// Which dialog is open, and the field that people write in: both are reached by keys, buttons and the palette alike.

import { Observable } from "../store/observable";

export type DialogName =
  | "palette"
  | "help"
  | "resolve"
  | "handback"
  | "snooze"
  | "transfer"
  | "savedReplies"
  | "suggestion"
  | "settings";

export const dialog = new Observable<DialogName | null>(null);

/** The pane that a small screen shows. */
export const pane = new Observable<"conversation" | "customer">("conversation");

/** The field of the composer that is on the page. */
export const field: { current: HTMLTextAreaElement | null } = { current: null };

export function focusField(): void {
  // After the next drawing: the field may not be there yet.
  requestAnimationFrame(() => field.current?.focus());
}
