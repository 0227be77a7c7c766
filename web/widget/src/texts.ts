// The texts of the widget. English is inside; the other languages are files beside this one, loaded on opening.

import english from "../languages/en.json";

/** Those that only `actions.js`, `articles.js` or `cards.js` shows, whose English is in that file. */
type OwnTexts =
  | ("copied" | "whole" | "openImage" | "closeImage" | "noImage")
  | ("none" | "assist" | "missing" | "website" | "return" | "loading")
  | ("about" | "dismiss" | "email" | "address" | "save" | "reach" | "change" | "invalid" | "rate" | "score" | "word");

export type AllTexts = typeof english;
export type Texts = Omit<AllTexts, OwnTexts>;

export { english };

/** The languages that the service's fixed sentences have. */
const LANGUAGES = "ar bn da de el en es fi fr hi hu id it ja nl no pt ro ru sv ta tr ur zh".split(" ");

/** The language of a BCP 47 tag; English for one that is not spoken here. */
export function languageOf(locale: string): string {
  const primary = locale.split(/[-_]/)[0]!.toLowerCase();
  const language = { nb: "no", nn: "no", in: "id" }[primary] ?? primary;
  return LANGUAGES.includes(language) ? language : "en";
}

export function isRightToLeft(language: string): boolean {
  return language === "ar" || language === "ur";
}

/** The texts of a language; English while its file cannot be loaded. */
export async function load(language: string): Promise<Texts> {
  if (language === "en") return english;
  try {
    return (await import(new URL(`./${language}.js`, import.meta.url).href)).default;
  } catch {
    return english;
  }
}

/** A text with its slots filled. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name) => `${values[name] ?? slot}`);
}
