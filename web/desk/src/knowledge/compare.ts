// Two texts beside each other, or one after the other: what only one of them has.

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

/** A line of two texts that are read as one. */
export interface Line {
  kind: "same" | "gone" | "new";
  parts: Part[];
}

/** Lines that differ, or a stretch of lines that do not and are out of sight of a change. */
export type Stretch = { isFolded: boolean; lines: Line[] };

/** Unchanged lines that are shown around a change. */
const AROUND = 2;
/** A shorter stretch is not folded. */
const MIN_FOLDED = 4;

/** The lines of both texts in one order: of a changed one what went, then what came. */
export function compareLines(from: string, to: string): Line[] {
  const ends = (text: string) => (text && !text.endsWith("\n") ? `${text}\n` : text);
  const changes: ChangeObject<string>[] = diffLines(ends(from), ends(to), { timeout: WORDS_MS }) ?? whole(ends(from), ends(to));
  const lines: Line[] = [];
  for (let at = 0; at < changes.length; at += 1) {
    const [one, next] = [changes[at], changes[at + 1]];
    if (!one) continue;
    if (one.removed && next?.added) {
      lines.push(...pairs(linesOf(one.value), linesOf(next.value)));
      at += 1;
    } else {
      lines.push(...changed(one.added ? "new" : one.removed ? "gone" : "same", linesOf(one.value)));
    }
  }
  return lines;
}

const changed = (kind: Line["kind"], texts: string[]): Line[] => texts.map((text) => ({ kind, parts: [{ text, isChanged: kind !== "same" }] }));

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

/** The words of so many lines in the place of others are compared; of more, the lines alone. */
const MAX_PAIRS = 300;

/** Lines in the place of others, each with its words. */
function pairs(gone: string[], come: string[]): Line[] {
  if (Math.max(gone.length, come.length) > MAX_PAIRS) return [...changed("gone", gone), ...changed("new", come)];
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, at) => {
    const [before, after] = [gone[at], come[at]];
    if (before === undefined) return changed("new", [after ?? ""]);
    if (after === undefined) return changed("gone", [before]);
    const { from, to } = compare(before, after);
    return [{ kind: "gone" as const, parts: from }, { kind: "new" as const, parts: to }];
  }).flat();
}

/** The lines in stretches; those that are far from a change are to be folded. */
export function folded(lines: Line[]): Stretch[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((one) => one.kind !== "same"));
  const stretches: Stretch[] = [];
  lines.forEach((line, at) => {
    const last = stretches.at(-1);
    const isFolded = !isNear[at];
    if (last?.isFolded === isFolded) last.lines.push(line);
    else stretches.push({ isFolded, lines: [line] });
  });
  return stretches.map((one) => ({ ...one, isFolded: one.isFolded && one.lines.length >= MIN_FOLDED }));
}
