// The texts of the knowledge, which are loaded with it and not with the inbox.

import english from "../../languages/knowledge/en.json";
import { language } from "../ui/texts";

export type KnowledgeText = keyof typeof english;

let texts: Record<KnowledgeText, string> = english;

export async function loadKnowledgeTexts(): Promise<void> {
  if (language === "de") texts = (await import("../../languages/knowledge/de.json")).default;
}

/** A text with its slots filled. */
export function k(key: KnowledgeText, slots: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => `${slots[name] ?? whole}`);
}

/** The text of a value that the service names; the value itself where this page does not know it. */
export const kind = (prefix: string, value: string): string => texts[`${prefix}.${value}` as KnowledgeText] ?? value;
