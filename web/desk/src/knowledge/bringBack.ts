// What an answer said and a new text lacks: the smallest part that brings it back.

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

/**
 * The sentences of an answer that `text` lacks; of those that `before` had, where the answer was made from it. Empty where
 * there is nothing to bring back.
 */
export function lacking(answer: string, text: string, before: string | null): string {
  const [has, had] = [plain(text), plain(before ?? "")];
  const isOurs = chosen(answer, (part) => had.includes(part)) !== "";
  return chosen(answer, (part) => !has.includes(part) && (!isOurs || had.includes(part)));
}
