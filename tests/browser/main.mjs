// Runs every test one after the other, each as a new visitor in a new browser context.
//
//   node main.mjs FOLDER [FILTER]      FOLDER gets the screenshots
//
// With the filter `limits` it runs limits.mjs alone, which needs a service with the limits of the API.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { Visitor } from "./visitor.mjs";

const [folder, filter = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const underAnyLimits = [
  "first",
  "conversation",
  "handover",
  "tabs",
  "faults",
  "hostile",
  "languages",
  "access",
  "origin",
  "figures",
  "api-docs",
];
const files = filter === "limits" ? ["limits"] : underAnyLimits;
const tests = [];
for (const file of files) {
  const { default: named } = await import(`./${file}.mjs`);
  for (const [name, run] of Object.entries(named)) tests.push({ name: `${file}: ${name}`, run });
}

const profile = mkdtempSync(join(tmpdir(), "widget-profile-"));
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args,
  env: { ...process.env, HOME: profile },
});
let failed = 0;
for (const { name, run } of tests.filter((test) => test.name.includes(filter))) {
  const visitor = new Visitor(browser, folder, name);
  const started = Date.now();
  try {
    await run(visitor);
    await visitor.expectClean();
    console.log(`ok      ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack ?? error}\n${visitor.log.slice(-25).join("\n")}`);
    await visitor.shoot("failed").catch(() => {});
  } finally {
    await visitor.leave();
  }
}
await browser.close();
rmSync(profile, { recursive: true, force: true });
console.log(failed ? `${failed} failed` : "all passed");
process.exit(failed ? 1 : 0);
