// Starts headless Chromium with a new profile. Ends the process with 75 if it does not start.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

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

/** The browser, and `close`, which also removes its profile. */
export async function launch() {
  const profile = mkdtempSync(join(tmpdir(), "browser-profile-"));
  const remove = () => rmSync(profile, { recursive: true, force: true });
  const browser = await chromium
    .launch({ executablePath: process.env.CHROMIUM, args, env: { ...process.env, HOME: profile } })
    .catch((error) => {
      remove();
      console.error(`Chromium does not start: ${error.message.split("\n")[0]}`);
      process.exit(75);
    });
  return { browser, close: () => browser.close().then(remove) };
}
