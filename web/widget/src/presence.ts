// Whether somebody of the team is there, as the service last said.

import type { Saved } from "./storage";
import { fill, type Texts } from "./texts";
import { daysUntil, type Times } from "./times";
import type { Presence } from "./types";

/** The presence in an answer, if it says anything. */
export function presenceIn({ peopleAvailable, nextOpenAt }: Presence): Presence {
  return peopleAvailable === undefined ? {} : { peopleAvailable, nextOpenAt };
}

/** The words that nobody is there now; empty if somebody is. */
export function absence({ peopleAvailable, nextOpenAt }: Saved, texts: Texts, times: Times): string {
  if (peopleAvailable !== false) return "";
  if (!nextOpenAt) return texts.nobody;
  const date = new Date(nextOpenAt);
  if (date.getTime() <= Date.now()) return "";
  return fill(daysUntil(date) ? texts.later : texts.today, { time: times.next(date) });
}
