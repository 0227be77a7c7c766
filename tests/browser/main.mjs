// Runs the tests, each as a new visitor in a new browser context: one after the other, or as many at once as their file
// says (`waits`), where they mostly wait.
//
//   node main.mjs FOLDER [FILTER]      FOLDER gets the screenshots
//
// Ends with 75 where the browser does not start.
//
// With the filter `chat`, `desk` or `knowledge` it runs the tests of one of them. With the filter `limits` it runs limits.mjs alone,
// which needs a service with the limits of the API; with `foreign-signin` that file alone, which needs a provider of its own;
// with `pictures` or `examples` that file alone.

import { mkdirSync } from "node:fs";
import { launch } from "./launch.mjs";
import { Visitor } from "./visitor.mjs";

const [folder, filter = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const ofChat = [
  "first",
  "conversation",
  "articles",
  "images",
  "writing",
  "away",
  "handover",
  "tabs",
  "faults",
  "hostile",
  "languages",
  "access",
  "origin",
  "any-page",
  "embedding",
  "look",
  "keyboard",
  "api-docs",
];
/** These and the next need a service whose demo people can sign in. */
const ofDesk = [
  "signin",
  "desk",
  "desk-cases",
  "desk-bulk",
  "desk-day",
  "desk-faults",
  "desk-kill",
  "desk-race",
  "desk-hostile",
  "desk-translated",
  "desk-languages",
  "desk-access",
  "settings",
];
const ofKnowledge = ["knowledge", "drafts", "sheet", "trainer", "gaps", "disliked"];
/** Times, which docs/PERFORMANCE.md keeps. */
const figures = ["figures", "desk-figures"];
const alone = {
  chat: ofChat,
  desk: ofDesk,
  knowledge: ofKnowledge,
  limits: ["limits"],
  "foreign-signin": ["foreign-signin"],
  pictures: ["pictures"],
  examples: ["examples"],
}[filter];
const files = alone ?? [...ofChat, ...ofDesk, ...ofKnowledge, ...figures];
const groups = [];
for (const file of files) {
  const { default: named, waits = 1, as = Visitor } = await import(`./${file}.mjs`);
  const all = Object.entries(named).map(([name, run]) => ({ name: `${file}: ${name}`, run, as }));
  groups.push({ tests: all.filter((test) => alone || test.name.includes(filter)), waits });
}

const { browser, close } = await launch();
const failures = [];

async function test({ name, run, as }) {
  const visitor = new as(browser, folder, name);
  const started = Date.now();
  let hasPassed = false;
  try {
    await run(visitor);
    await visitor.expectClean();
    hasPassed = true;
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    console.log(`FAILED  ${name}\n${visitor.log.slice(-25).join("\n")}`);
    failures.push(`FAILED  ${name}\n${error.stack ?? error}`);
    await visitor.shoot("failed").catch(() => {});
  } finally {
    await visitor.leave(hasPassed);
  }
}
for (const { tests, waits } of groups) {
  const next = async () => {
    for (let one = tests.shift(); one; one = tests.shift()) await test(one);
  };
  await Promise.all(Array.from({ length: waits }, next));
}
await close();
// The last lines of a long log are the ones that are kept.
console.log(failures.length ? `${failures.join("\n")}\n${failures.length} failed` : "all passed");
process.exit(failures.length ? 1 : 0);
