// The entries of fixtures and of generated pages show the words, numbers, lists, tables and links of their sources.
//
//   node property.mjs FIXTURES [SEED]
//
// Prints the seed, and the differences by kind. Ends with 1 if there is any.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "./generate.mjs";
import { Judge } from "./judge.mjs";

const PAGES = 240;
const [folder, seed = 46] = process.argv.slice(2);

/** The main part of each fixture, and what else is left out of it, each for its reason. */
const FIXTURES = {
  "arabic.html": { main: ".content" },
  "broken.html": {},
  "code_docs.html": { main: "article" },
  "consent_heavy.html": { main: ".article" },
  "faq_accordion.html": { main: "main", leftOut: [".helpful-widget"] },
  "forum_thread.html": { main: "#page-body" },
  "japanese.html": { main: "article" },
  "manual_long.html": { main: ".page-content" },
  "pricing_tables.html": { main: ".hero, section" },
  "russian.html": { main: "#content" },
  "windows_1252.html": { main: "#content" },
  "guide.md": { kind: "markdown" },
  "notes.txt": { kind: "plain" },
};
const url = "https://help.example.com/articles/page";
const fixtures = Object.entries(FIXTURES).map(([name, how]) => {
  const encoding = name.startsWith("windows") ? "windows-1252" : "utf-8";
  const text = new TextDecoder(encoding).decode(readFileSync(join(folder, name)));
  return { id: name, text, name: "Page", url, kind: "html", ...how };
});

const judge = await Judge.start();
const judged = await judge.judge([...fixtures, ...generate(Number(seed), PAGES)]);
await judge.end();
const kinds = {};
const differing = new Set();
for (const { source, error, figures, differences } of judged) {
  if (error) differences.push({ kind: "refused", context: error, lost: [], added: [] });
  if (figures.moved) differences.push({ kind: "moved words", context: "", lost: [`${figures.moved} words`], added: [] });
  for (const { kind, context, lost, added } of differences) {
    differing.add(source.id);
    (kinds[kind] ??= []).push(`${source.id}: ${context.replace(/\s+/g, " ")} [-${lost.join(" ")}-] [+${added.join(" ")}+]`);
  }
}
for (const [kind, all] of Object.entries(kinds).sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${kind}: ${all.length}\n  ${(process.env.SHOW ? all : all.slice(0, 8)).join("\n  ")}`);
}
console.log(`seed ${seed}: ${judged.length} sources, ${differing.size} differ`);
process.exit(differing.size ? 1 : 0);
