// Names of entries: what a question suggests, and the words of tags.

const MAX_SEGMENT = 60;
const LETTERS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", ø: "o", å: "a", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th" };

/** A text as a part of a path; empty if none of its letters has a Latin form. */
export function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[äöüßæøåœłđðþ]/g, (letter) => LETTERS[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (plain.length <= MAX_SEGMENT) return plain;
  // Whole words, if the first is not longer.
  return plain.slice(0, MAX_SEGMENT + 1).replace(/-[^-]*$/, "").slice(0, MAX_SEGMENT).replace(/-+$/, "");
}

/** A path for an answer to a question: beside the entry nearest to it. `id` names one whose letters make no path. */
export function proposedPath(question: string, nearest: string | undefined, id: string): string {
  const folder = nearest?.split("/").slice(0, -1).join("/") || "faq";
  return `${folder}/${slug(question) || id.slice(-8).toLowerCase()}`;
}

/** A question as a title: one line, without what stands around it. */
export const proposedTitle = (query: string): string => query.replace(/\s+/g, " ").trim().slice(0, 200);

export const tagsOf = (text: string): string[] => [...new Set(text.split(",").map((one) => one.trim()).filter(Boolean))];
