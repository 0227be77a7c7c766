// Puts texts into what a person writes.

import { field, focusField } from "../ui/dialogs";
import { draftOf, write } from "./drafts";

/** The limit of the service for one message, in characters. */
export const MAX_LENGTH = 8_000;

/** Inserts at the cursor of the field, or at the end of the reply. */
export function insert(sessionId: string, text: string): void {
  const { kind, reply, note } = draftOf(sessionId).get();
  const before = kind === "reply" ? reply : note;
  const from = field.current?.selectionStart ?? before.length;
  const to = field.current?.selectionEnd ?? from;
  write(sessionId, { [kind]: before.slice(0, from) + text + before.slice(to) });
  focusField();
  requestAnimationFrame(() => field.current?.setSelectionRange(from + text.length, from + text.length));
}

/** A name that could be taken for something else: an address, or a text of its own. */
const ADDRESS = /@|:\/\/|\bwww\.|\b[\w-]+\.(?:[a-z]{2,})\b/i;
const MAX_NAME = 60;

/** A name as text in Markdown; null where it is left out. */
export function safeName(name: string | null | undefined): string | null {
  const plain = (name ?? "").replace(/[\p{C}\u2028\u2029]/gu, "").trim();
  if (!plain || [...plain].length > MAX_NAME || ADDRESS.test(plain)) return null;
  return plain.replace(/[!-/:-@[-`{-~]/g, (mark) => (/['.,-]/.test(mark) ? mark : `\\${mark}`));
}

/** A saved reply with its variables replaced; those that are left out take the space before them along. */
export function fillReply(content: string, names: { customer: string | null; agent: string | null }): string {
  return content.replace(/( ?)\{\{\s*(customer|agent)\.name\s*\}\}/g, (_, space: string, who: "customer" | "agent") => {
    const name = safeName(names[who]);
    return name ? space + name : "";
  });
}
