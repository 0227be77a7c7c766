// The texts of the page in the person's language, and dates and numbers as the browser writes them.

import english from "../../languages/en.json";

export type TextKey = keyof typeof english;
export type Texts = Record<TextKey, string>;

const LANGUAGE = "desk:language";
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

let texts: Texts = english;
export let language: Language = "en";
/** How dates and numbers are written: the browser's own form of the language, if it has one. */
let locale = "en";

function wanted(): Language {
  const chosen = localStorage.getItem(LANGUAGE);
  if (chosen === "en" || chosen === "de") return chosen;
  const first = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES);
  return first === "de" ? "de" : "en";
}

export async function loadTexts(): Promise<void> {
  language = wanted();
  locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;
  if (language === "de") texts = (await import("../../languages/de.json")).default;
  document.documentElement.lang = language;
}

export function chooseLanguage(to: Language): void {
  localStorage.setItem(LANGUAGE, to);
  location.reload();
}

export const dateLocale = () => locale;

/** A text with its slots filled. */
export function t(key: TextKey, slots: Record<string, string | number> = {}): string {
  return filled(texts[key], slots);
}

function filled(text: string, slots: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => `${slots[name] ?? whole}`);
}

/** The texts of a part of the desk that are loaded with it: English, and German for whoever reads that. */
export function textsOf<Key extends string>(english: Record<Key, string>, german: () => Promise<{ default: Record<Key, string> }>) {
  let own = english;
  return {
    load: async (): Promise<void> => {
      if (language === "de") own = (await german()).default;
    },
    /** A text with its slots filled. */
    text: (key: Key, slots: Record<string, string | number> = {}): string => filled(own[key], slots),
    /** The text of a value that the service names; null if this page does not know it. */
    known: (prefix: string, value: string): string | null => own[`${prefix}.${value}` as Key] ?? null,
  };
}

/** The text of a value that the service names; the value itself if this page does not know it. */
export function named(prefix: string, value: string): string {
  return texts[`${prefix}.${value}` as TextKey] ?? value;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  let found = formats.get(name);
  if (!found) formats.set(name, (found = new Intl.DateTimeFormat(locale, options)));
  return found;
}

export const clockTime = (at: string) => format("time", { timeStyle: "short" }).format(new Date(at));
export const fullTime = (at: string) => format("full", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

export function day(at: string): string {
  return format("day", { weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(new Date(at));
}

/** A moment near by: the time today, else the day too. */
export function moment(at: string): string {
  const date = new Date(at);
  if (date.toDateString() === new Date().toDateString()) return clockTime(at);
  return format("near", { weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }).format(date);
}

/** Made once each: making a format takes longer than drawing a line of the queue. */
const units = new Map<string, Intl.NumberFormat>();
function unit(value: number, of: "second" | "minute" | "hour" | "day"): string {
  let found = units.get(of);
  if (!found) units.set(of, (found = new Intl.NumberFormat(locale, { style: "unit", unit: of, unitDisplay: "narrow" })));
  return found.format(value);
}

/** How long something takes or took, in its largest one or two units. */
export function duration(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  if (minutes < 1) return unit(Math.floor(Math.max(0, ms) / 1_000), "second");
  if (minutes < 60) return unit(minutes, "minute");
  if (minutes < 24 * 60) {
    const rest = minutes % 60;
    return unit(Math.floor(minutes / 60), "hour") + (rest ? ` ${unit(rest, "minute")}` : "");
  }
  return unit(Math.floor(minutes / 1_440), "day");
}

export const percent = (share: number) => new Intl.NumberFormat(locale, { style: "percent" }).format(share);
export const count = (value: number) => new Intl.NumberFormat(locale).format(value);

/** A text without the marks that turn the direction of what stands around it. */
export function straight(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g, "");
}

/** One line of Markdown without its marks. */
export const unmarked = (line: string): string => straight(line).replace(/\*\*|__|`|^#{1,6} |\[(?=[^\]]*\]\()|\]\([^)]*\)/g, "");
