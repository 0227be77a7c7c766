// Reads sources and their entries in one page of Chromium, and compares them.

import { spawnSync } from "node:child_process";
import { compare, ofEntries } from "./compare.mjs";
import { entryHtml, sourceHtml } from "./dialects.mjs";
import { launch } from "./launch.mjs";
import { LEFT_OUT, read } from "./reader.mjs";

/** An icon in a cell says yes or no. */
const ICONS = ["✓", "✗"];
const leftOut = LEFT_OUT.map(([selector]) => selector);

export class Judge {
  static async start() {
    const judge = new Judge();
    const { browser, close } = await launch();
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.route("**", (route) => route.abort());
    judge.page = await context.newPage();
    judge.end = close;
    return judge;
  }

  /** The figures and differences of each source: `{id, text, name, url?, kind?, main?, rendered?}`. */
  async judge(sources) {
    const lines = sources.map(({ id, text, name, url, kind }) => JSON.stringify({ id, text, name, url, kind }));
    const ran = spawnSync(process.env.FIDELITY, { input: lines.join("\n"), encoding: "utf8", maxBuffer: 2 ** 30 });
    if (ran.status !== 0) throw new Error(`the entries cannot be made: ${ran.stderr}`);
    const made = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const judged = [];
    for (const [at, source] of sources.entries()) judged.push(await this.one(source, made[at]));
    return judged;
  }

  async one(source, { entries = [], error }) {
    const { html, title, kinds } = sourceHtml(source);
    const documents = [{ html, url: source.url, main: source.main, leftOut: [...leftOut, ...(source.leftOut ?? [])] }];
    documents.push(
      ...entries.map(({ content }) => ({ html: entryHtml(content), leftOut: [], withMarks: source.kind === "plain" })),
    );
    const [shown, ...bodies] = await this.page.evaluate(read, documents);
    const repeated = [...shown.titles, ...shown.rows.flat(), source.name, title, ...kinds, ...ICONS];
    // A page of links and headings alone answers nothing, and is refused.
    const seen = error && !shown.hasOwnText ? ofEntries([], []) : shown;
    const compared = compare(seen, ofEntries(entries, bodies), repeated, source.kind === "plain");
    return { source, entries, error, ...compared };
  }
}
