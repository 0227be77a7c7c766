// Two texts beside each other: what only one of them has.

import { diffLines, diffWordsWithSpace, type ChangeObject } from "diff";

export interface Part {
  text: string;
  isChanged: boolean;
}

/** How long the words may be compared; texts that differ more are compared by lines. */
const WORDS_MS = 300;

/** The parts of both texts, in order. */
export function compare(from: string, to: string): { from: Part[]; to: Part[] } {
  const changes: ChangeObject<string>[] = diffWordsWithSpace(from, to, { timeout: WORDS_MS }) ?? diffLines(from, to, { timeout: WORDS_MS }) ?? whole(from, to);
  const of = (isOther: (one: ChangeObject<string>) => boolean) =>
    changes.filter((one) => !isOther(one)).map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return { from: of((one) => one.added), to: of((one) => one.removed) };
}

const whole = (from: string, to: string): ChangeObject<string>[] => [
  { value: from, added: false, removed: true, count: 1 },
  { value: to, added: true, removed: false, count: 1 },
];
