// Times of the desk, with limits that a busy machine does not reach; docs/PERFORMANCE.md has what they were.

import { open, writing } from "./knowledge-pages.mjs";
import { asAgent, Customer, Person, assert, until } from "./person.mjs";
import { gapOf, word } from "./trainer.mjs";

export const as = Person;
/** Run one of them alone (`run.sh "keys are fast"`) for a figure that counts. */
export const waits = 2;
const WAITING = 500;
const PAGE = 100;

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

  async "each page paints soon, and loads what it shows"(person) {
    const page = await person.signIn({ who: "admin" });
    const client = await person.context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.setCacheDisabled", { cacheDisabled: true });
    const settings = ["me", "figures", "members", "keys", "chat", "hours", "answers", "webhooks", "audit"];
    const places = [
      ["shop and desk side by side", `${person.origin}/`, "iframe"],
      ["inbox", person.desk, ".desk .rows"],
      ["wiki", `${person.desk}knowledge`, ".area-nav"],
      ...settings.map((one) => [one, `${person.desk}settings/${one}`, ".area-page h2"]),
    ];
    for (const [name, url, shown] of places) {
      const paints = [];
      let loaded = [];
      for (let round = 0; round < 5; round += 1) {
        await page.goto(url);
        await page.locator(shown).first().waitFor();
        await page.getByText("Loading").first().waitFor({ state: "detached" });
        loaded = await page.evaluate(() => {
          const files = performance.getEntriesByType("resource").filter((one) => /\.(js|css)$/.test(one.name));
          return files.map((one) => [one.name, one.encodedBodySize]);
        });
        paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity));
      }
      const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
      console.log(`        ${name}: ${bytes} bytes of scripts and styles in ${loaded.length} files`);
      const { median } = told(`${name}: first contentful paint`, paints);
      assert.ok(median < 20_000);
    }
  },

  async "a trainer who types is soon told what it answers"(person) {
    const name = word("pangolin");
    const question = `Do you lend a ${name} to schools?`;
    for (let one = 0; one < 17; one += 1) await Customer.waits({ says: question });
    const { gapId } = await gapOf(question);
    const page = await open(person, `/gaps/${gapId}`);
    // The proposed title has the words of the question.
    await page.getByRole("textbox", { name: "Title" }).fill("Animals");
    await (await writing(page)).focus();
    const proof = page.getByRole("region", { name: "What it answers" });
    const shown = [];
    for (let round = 0; round < 40; round += 1) {
      const answers = round % 2 === 0;
      await page.keyboard.press("Control+a");
      // At any moment of the timer, and not sooner after the last letter than a person who thinks.
      await page.waitForTimeout(600 + 37 * (round % 10));
      const typed = Date.now();
      await page.keyboard.insertText(answers ? `We lend a ${name} to schools.` : "Nothing yet.");
      await proof.getByText(`Answers ${answers ? 17 : 0} of 17 questions`).waitFor();
      shown.push(Date.now() - typed);
    }
    const { p95 } = told("a letter to what it answers of 17 questions", shown);
    assert.ok(p95 < 20_000);
  },

  async "keys are fast with five hundred waiting"(person) {
    const page = await fiveHundred(person);
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

  async "two hundred conversations leave little in memory"(person) {
    const page = await fiveHundred(person);
    const client = await person.context.newCDPSession(page);
    await client.send("Performance.enable");
    const megabytes = async () => {
      await client.send("HeapProfiler.collectGarbage");
      const { metrics } = await client.send("Performance.getMetrics");
      return metrics.find((one) => one.name === "JSHeapUsedSize").value / 1_000_000;
    };
    const before = await megabytes();
    for (let round = 0; round < 200; round += 1) {
      await page.locator(`#row-${idOf(round)}`).evaluate((row) => row.click());
      await page.locator(".head h2", { hasText: new RegExp(`^Customer ${round} of many$`) }).waitFor();
    }
    const after = await megabytes();
    console.log(`        scripts' memory: ${before.toFixed(1)} MB, after 200 conversations ${after.toFixed(1)} MB`);
    assert.ok(after < 60, `${after} MB`);
  },
};

let real;
/** One of the five hundred, in the place of a real request. */
const idOf = (at) => `${real.escalationId.slice(0, -4)}${String(at).padStart(4, "0")}`;

/** A desk whose list has five hundred waiting, made in the browser from a real one: it is the page that is measured. */
async function fiveHundred(person) {
  const customer = await Customer.waits();
  const { items } = await asAgent("GET", "/inbox?limit=100");
  const row = items.find((one) => one.escalationId === customer.escalationId);
  real ??= await customer.escalation();
  const of = (at) => ({ escalationId: idOf(at), sessionId: `${row.sessionId}${at}`, customer: { ...row.customer, name: `Customer ${at} of many` } });
  const list = (from) => ({
    items: Array.from({ length: PAGE }, (_, at) => ({ ...row, ...of(from + at) })),
    nextCursor: from + PAGE < WAITING ? `${from + PAGE}` : null,
    hasMore: from + PAGE < WAITING,
    counts: { pending: WAITING, claimed: 0, capped: false },
  });
  const page = await person.signIn();
  const answer = (route, json) => {
    const etag = '"as-before"';
    const isKnown = route.request().headers()["if-none-match"] === etag;
    return route.fulfill(isKnown ? { status: 304, headers: { etag } } : { json, headers: { etag } });
  };
  await person.context.route(/\/api\/v1\/inbox\?.*status=pending/, (route) =>
    answer(route, list(Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0))),
  );
  await person.context.route(/\/api\/v1\/inbox\/esc_\w+$/, (route) => {
    const at = Number(route.request().url().slice(-4));
    const { session, ...rest } = real;
    const user = { ...session.user, name: `Customer ${at} of many` };
    return answer(route, { ...rest, ...of(at), session: { ...session, sessionId: of(at).sessionId, user } });
  });
  await page.reload();
  await until("five hundred are in the list", async () => {
    await page.locator(".rows").evaluate((rows) => (rows.scrollTop = rows.scrollHeight));
    return (await page.locator(".rows .row").count()) === WAITING;
  });
  await page.locator(".rows").evaluate((rows) => (rows.scrollTop = 0));
  return page;
}
