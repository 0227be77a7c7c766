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
const ADDRESS = /@|:\/\/|\bwww\.|[\p{L}\p{N}_-]+\.\p{L}{2,}/iu;
/** An initial or a title before a name: "J.Weber" and "Dr.Lange" are no addresses. */
const ABBREVIATION = /(?<![\p{L}\p{N}_-])(?:\p{Lu}|Dr|Prof|Mr|Mrs|Ms|Mx|Mme|Mlle|Fr|Hr|Ing|Dipl|Mag|St|Sr|Sra|Dott|Dra?|Jr)\.(?=\p{Lu}\p{Ll}|\p{Lu}\.|[\s-]|$)/gu;
const MAX_NAME = 60;

/** A name as text in Markdown; null if it is left out. */
export function safeName(name: string | null | undefined): string | null {
  const plain = (name ?? "").replace(/[\p{C}\u2028\u2029]/gu, "").trim();
  const words = plain.replace(ABBREVIATION, " ");
  if (!plain || [...plain].length > MAX_NAME || ADDRESS.test(words)) return null;
  return plain.replace(/[!-/:-@[-`{-~]/g, (mark) => (/['.,-]/.test(mark) ? mark : `\\${mark}`));
}

/** The first of a person's names; null if there is none, as after a title or an initial a single word is not one. */
export function firstName(name: string | null | undefined): string | null {
  const [family, given] = (name ?? "").split(",", 2);
  const all = (given ?? family ?? "").trim().split(/\s+/);
  const words = all.filter((word) => word && !word.includes("."));
  const isFamily = words.length === 1 && all.length > 1;
  return isFamily ? null : (words[0] ?? null);
}

/** A variable, with the marks around it, the space before it, and the comma behind it. */
const VARIABLE = /( ?)([*_~]*)\{\{\s*(customer\.name|customer\.firstName|agent\.name)\s*(?:\|([^{}]*))?\}\}\2([,;:]? ?)/g;

/**
 * A saved reply with its variables replaced. One without a name is its own text behind the bar, or else is left out, with
 * its marks and the space before it; at the beginning of a line with the comma behind it.
 */
export function fillReply(content: string, names: { customer: string | null; agent: string | null }): string {
  const found = { "customer.name": names.customer, "customer.firstName": firstName(names.customer), "agent.name": names.agent };
  let [filled, from] = ["", 0];
  for (const match of content.matchAll(VARIABLE)) {
    const [all, space = "", marks = "", variable = "agent.name", other, behind = ""] = match;
    const name = safeName(found[variable as keyof typeof found]) ?? other?.trim();
    filled += content.slice(from, match.index);
    if (name) filled += space + marks + name + marks + behind;
    else if (filled && !filled.endsWith("\n")) filled += filled.endsWith(" ") ? behind.trimStart() : behind;
    from = match.index + all.length;
  }
  return filled + content.slice(from);
}

/** Whether a reply says the customer's name and nothing in its place. */
export function needsName(content: string, customer: string | null): boolean {
  const named = [...content.matchAll(VARIABLE)].filter(([, , , variable, other]) => variable !== "agent.name" && !other?.trim());
  return named.some(([, , , variable]) => !safeName(variable === "customer.name" ? customer : firstName(customer)));
}
