// Times of the desk, with limits that a busy machine does not reach; docs/PERFORMANCE.md has what they were.

import { Customer, Person, assert, until } from "./person.mjs";

export const as = Person;

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const told = (what, values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const [median, p95] = [at(sorted, 0.5), at(sorted, 0.95)].map(Math.round);
  console.log(`        ${what}: median ${median} ms, p95 ${p95} ms (${sorted.length})`);
  return { median, p95 };
};

export default {
  async "a reload is a usable inbox, and a message is on the screen, soon"(person) {
    const customer = await person.answers();
    const { page } = person;
    const reloads = [];
    for (let round = 0; round < 10; round += 1) {
      await page.reload({ waitUntil: "commit" });
      await page.locator(".composer textarea").waitFor();
      reloads.push(await page.evaluate(() => performance.now()));
    }
    const { median } = told("reload to a usable inbox", reloads);
    assert.ok(median < 10_000);
    const news = [];
    for (let round = 0; round < 20; round += 1) {
      const text = `Message number ${round} of the figures`;
      // At any moment of the timer.
      await page.waitForTimeout(137 * (round % 15));
      const sent = Date.now();
      await customer.says(text);
      await page.locator(".turn.customer .bubble", { hasText: text }).waitFor();
      news.push(Date.now() - sent);
    }
    const { p95 } = told("a customer's message to the agent's screen", news);
    assert.ok(p95 < 20_000);
  },

  async "keys are fast with five hundred waiting"(person) {
    for (let made = 0; made < 500; made += 25) await Promise.all(Array.from({ length: 25 }, () => Customer.waits()));
    const page = await person.signIn();
    await until("five hundred are in the list", async () => {
      await page.locator(".rows").evaluate((rows) => (rows.scrollTop = rows.scrollHeight));
      return (await page.locator(".rows .row").count()) >= 500;
    });
    await page.locator(".rows").evaluate((rows) => (rows.scrollTop = 0));
    await page.evaluate(() => {
      window.presses = [];
      let pressed = 0;
      addEventListener("keydown", () => (pressed = performance.now()), true);
      new MutationObserver(() => {
        if (!pressed) return;
        const from = pressed;
        pressed = 0;
        requestAnimationFrame(() => setTimeout(() => window.presses.push(performance.now() - from)));
      }).observe(document.querySelector(".rows"), { subtree: true, attributes: true, attributeFilter: ["aria-current"] });
    });
    for (let round = 0; round < 60; round += 1) {
      await person.press("j");
      await page.waitForTimeout(60);
    }
    const { p95 } = told("key press to screen with 500 waiting", await page.evaluate(() => window.presses));
    assert.ok(p95 < 2_000);
  },

  async "an idle desk asks little"(person) {
    const page = await person.signIn();
    await page.waitForTimeout(3_000);
    const from = person.requests.length;
    await page.waitForTimeout(20_000);
    const asked = person.requests.slice(from).length;
    console.log(`        an idle desk in sight: ${asked * 180} requests an hour`);
    assert.ok(asked <= 8, `${asked} in twenty seconds`);
  },
};
