// The lines of the queue that the person has marked, to do something with all of them.

import { here } from "../place";
import { Observable } from "../store/observable";
import type { Command } from "../ui/keys";
import type { Row } from "./data";

export type Marks = ReadonlyMap<string, Row>;

export const marked = new Observable<Marks>(new Map());
/** The commands of the bar now, for keys and palette. */
export const barCommands = new Observable<readonly Command[]>([]);

/** The lines that are shown, in their order. */
let shown: readonly Row[] = [];
/** The line that was marked last, from which a range begins. */
let anchor: string | null = null;

export const showLines = (lines: readonly Row[]): void => void (shown = lines);

/** Marks a line or takes its mark away; with `isRange`, also those between it and the last one. */
export function mark(row: Row, isRange: boolean): void {
  const isOn = !marked.get().has(row.id);
  const at = (id: string | null) => shown.findIndex((one) => one.id === id);
  const [from, to] = [at(anchor), at(row.id)];
  const range = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [row];
  anchor = row.id;
  const next = new Map(marked.get());
  for (const one of range) {
    if (isOn) next.set(one.id, one);
    else next.delete(one.id);
  }
  marked.set(next);
}

/** Marks the line with the focus, or else that of the open conversation. */
export function markHere(isRange: boolean): void {
  const focused = document.activeElement?.closest("li")?.querySelector(".row")?.id;
  const { escalationId, sessionId } = here();
  const open = escalationId ?? sessionId;
  const row = shown.find((one) => `row-${one.id}` === focused) ?? shown.find((one) => open && (one.id === open || one.sessionId === open));
  if (row) mark(row, isRange);
}

export const markAll = (): void => marked.set(new Map([...marked.get(), ...shown.map((row) => [row.id, row] as const)]));

export function unmark(ids?: readonly string[]): void {
  const next = new Map(ids && marked.get());
  for (const id of ids ?? []) next.delete(id);
  if (next.size !== marked.get().size) marked.set(next);
}
