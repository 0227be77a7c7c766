// The texts of the settings, which are loaded with them and not with the inbox.

import english from "../../languages/settings/en.json";
import { language } from "../ui/texts";

export type SettingsText = keyof typeof english;

let texts: Record<SettingsText, string> = english;

export async function loadSettingsTexts(): Promise<void> {
  if (language === "de") texts = (await import("../../languages/settings/de.json")).default;
}

/** A text with its slots filled. */
export function s(key: SettingsText, slots: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => `${slots[name] ?? whole}`);
}

/** The text of a value that the service names; null where this page does not know it. */
export function known(prefix: string, value: string): string | null {
  return texts[`${prefix}.${value}` as SettingsText] ?? null;
}

export const word = (prefix: string, value: string): string => known(prefix, value) ?? value;
