// The smallest part of an answer that brings back what a new text lacks.

/** A line that is no prose: an item, a heading, a row, a quotation. */
const BLOCK = /^\s*([-*+]\s|\d+[.)]\s|\||#|>)/;
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** A text by which it is compared: white space and the marks of emphasis do not count. */
const plain = (text: string): string => text.replace(/[*_`]/g, "").replace(/\s+/g, " ").trim();

const partsOf = (line: string): string[] => (BLOCK.test(line) ? [line] : [...sentences.segment(line)].map((one) => one.segment.trim()));

/** The parts of an answer that are chosen, with the paragraphs and lines between them. */
function chosen(answer: string, isChosen: (part: string) => boolean): string {
  const line = (of: string) => partsOf(of).filter((part) => plain(part) && isChosen(plain(part))).join(" ");
  const paragraph = (of: string) => of.split("\n").map(line).filter(Boolean).join("\n");
  return answer.split(/\n\s*\n/).map(paragraph).filter(Boolean).join("\n\n");
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** How much two sentences have in common, by their words: from 0 to 1. */
function likeness(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return (2 * common) / Math.max(1, a.size + b.size);
}

/** From here on a sentence is taken for another wording. */
const ALIKE = 0.7;

/**
 * The sentences of an answer that `text` lacks; of those that `before` had, if the answer was made from it, and without
 * those that `text` has in other words, if there are others. Empty if there is nothing to bring back.
 */
export function lacking(answer: string, text: string, before: string | null): string {
  const [has, had] = [plain(text), plain(before ?? "")];
  const isOurs = chosen(answer, (part) => had.includes(part)) !== "";
  const lacks = (part: string) => !has.includes(part) && (!isOurs || had.includes(part));
  const written = text.split("\n").flatMap(partsOf).map(wordsOf);
  const isReworded = (part: string) => written.some((one) => likeness(one, wordsOf(part)) >= ALIKE);
  return chosen(answer, (part) => lacks(part) && !isReworded(part)) || chosen(answer, lacks);
}

const paragraphs = (text: string): string[] => text.split(/\n\s*\n/);

/** `text` with a part of what it was before: after the paragraph that came before it there, or at the end. */
export function withPart(text: string, part: string, before: string | null): string {
  const [now, was] = [paragraphs(text.trimEnd()), paragraphs(before ?? "")];
  const first = plain(partsOf(part.split("\n")[0] ?? "")[0] ?? "");
  const place = was.findIndex((one) => plain(one).includes(first));
  const neighbour = was.slice(0, Math.max(0, place)).findLast((one) => now.some((other) => plain(other) === plain(one)));
  const at = neighbour === undefined ? now.length : now.findIndex((one) => plain(one) === plain(neighbour)) + 1;
  return `${now.toSpliced(at, 0, part).join("\n\n")}\n`;
}
