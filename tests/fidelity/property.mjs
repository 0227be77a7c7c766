// The entries of fixtures and of generated pages show the words, numbers, lists, tables and links of their sources.
//
//   node property.mjs FIXTURES [SEED [ID]]
//
// Prints the seed, and the differences by kind; of the source named ID alone also its text and entries. Ends with 1 if
// there is any difference.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "./generate.mjs";
import { Judge } from "./judge.mjs";

const PAGES = 240;
const [folder, seed = 46, only] = process.argv.slice(2);

/** The main part of each fixture, and what else is left out of it. */
const FIXTURES = {
  "arabic.html": { main: ".content" },
  // Navigation in a table of the layout.
  "broken.html": { leftOut: [".menu"] },
  "code_docs.html": { main: "article" },
  // A text of no size is for machines.
  "consent_heavy.html": { main: ".article", leftOut: ["[style='font-size:0']"] },
  "faq_accordion.html": { main: "main", leftOut: [".helpful-widget"] },
  // The heading of a reply repeats that of the topic.
  "forum_thread.html": { main: ".postbody", leftOut: [".signature", "[href='#p2']", "[href='#p3']"] },
  "japanese.html": { main: "article" },
  "manual_long.html": { main: ".page-content" },
  "pricing_tables.html": { main: ".hero, section" },
  "russian.html": { main: "#content" },
  // Its title in the front matter differs by the case alone.
  "guide.md": { kind: "markdown", leftOut: ["h1"] },
  "notes.txt": { kind: "plain" },
};
const url = "https://help.example.com/articles/page";
const fixtures = Object.entries(FIXTURES).map(([name, how]) => {
  const text = readFileSync(join(folder, name), "utf8");
  return { id: name, text, name: "Page", url, kind: "html", ...how };
});

const judge = await Judge.start();
const sources = [...fixtures, ...generate(Number(seed), PAGES)];
const judged = await judge.judge(sources.filter(({ id }) => !only || id === only));
await judge.end();
if (only) console.log(judged[0].source.text, judged[0].entries);
const kinds = {};
const differing = new Set();
for (const { source, error, differences } of judged) {
  if (error) differences.push({ kind: "refused", context: error, lost: [], added: [] });
  for (const { kind, context, lost, added } of differences) {
    differing.add(source.id);
    (kinds[kind] ??= []).push(
      `${source.id}: ${context.replace(/\s+/g, " ")} [-${lost.join(" ")}-] [+${added.join(" ")}+]`,
    );
  }
}
for (const [kind, all] of Object.entries(kinds).sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${kind}: ${all.length}\n  ${(only ? all : all.slice(0, 8)).join("\n  ")}`);
}
console.log(`seed ${seed}: ${judged.length} sources, ${differing.size} differ`);
process.exit(differing.size ? 1 : 0);
