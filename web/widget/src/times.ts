// Hours and days as the visitor writes them.

import { quietly } from "./storage";
import { languageOf } from "./texts";

export class Times {
  readonly #tag: string;
  readonly #hour: Intl.DateTimeFormat;

  /** `locale` is the page's; if it names a language alone, the browser may know the visitor's country. */
  constructor(locale: string, language: string) {
    const tags = [locale, ...navigator.languages].map((tag) => tag.replace(/_/g, "-"));
    const named = tags.find((tag) => languageOf(tag) === language && /-([a-z]{2}|\d{3})\b/i.test(tag));
    this.#tag = quietly(() => Intl.DateTimeFormat.supportedLocalesOf(named!)[0]) ?? language;
    this.#hour = new Intl.DateTimeFormat(this.#tag, { timeStyle: "short" });
  }

  hour(date: Date): string {
    return this.#hour.format(date);
  }

  /** The day of a message: today, yesterday, or its date. */
  day(date: Date): string {
    const days = daysUntil(date);
    if (days > -2) return new Intl.RelativeTimeFormat(this.#tag, { numeric: "auto" }).format(days, "day");
    const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    return this.#format(date, { weekday: "long", day: "numeric", month: "long", year });
  }

  /** A time to come, with its day unless that is today. */
  next(date: Date): string {
    const days = daysUntil(date);
    if (!days) return this.hour(date);
    const day = { weekday: "long", hour: "numeric", minute: "numeric" } as const;
    return this.#format(date, days < 7 ? day : { ...day, day: "numeric", month: "long" });
  }

  #format(date: Date, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#tag, options).format(date);
  }
}

/** The number of calendar days from today. */
export function daysUntil(date: Date): number {
  const day = (one: Date) => Date.UTC(one.getFullYear(), one.getMonth(), one.getDate());
  return (day(date) - day(new Date())) / 86_400_000;
}
