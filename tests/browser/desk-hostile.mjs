// Texts at the desk that would do harm as markup, turn the line, or imitate somebody.

import { Customer, Person, asAgent, assert, until } from "./person.mjs";

export const as = Person;

export default {
  async "markup, links and marks of direction of a customer are text"(person) {
    const name = `<b onmouseover=x>Agent</b> ${Date.now()}`;
    const says = "<script>window.hacked = 1</script><img src=x onerror=window.hacked=1> [a](javascript:window.hacked=1) a\u202Eb";
    const customer = await Customer.waits({ name, says });
    const page = await person.signIn();
    await page.locator(`#row-${customer.escalationId}`).click();
    const bubble = page.locator(".turn.customer .bubble").first();
    await bubble.waitFor();
    assert.equal(await bubble.locator("img, script, b, a").count(), 0);
    assert.match(await bubble.innerText(), /<script>window\.hacked = 1<\/script>/);
    assert.equal(await page.locator(".head h2 b").count(), 0);
    const shown = await page.evaluate(() => document.body.innerText + document.title);
    assert.equal(/[\u202A-\u202E\u2066-\u2069]/.test(shown), false);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await person.shoot("markup");
  },

  async "a reply's Markdown is shown as the customer sees it, and leads nowhere bad"(person) {
    const customer = await person.answers();
    const { page } = person;
    const table = "\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    const text = "**Hello** [bad](javascript:window.hacked=1) [good](https://ok.example/) <img src=x>" + table;
    await person.press("r");
    await person.field.fill(text);
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.locator(".preview");
    assert.deepEqual(await preview.locator("a").evaluateAll((all) => all.map((one) => one.href)), ["https://ok.example/"]);
    assert.equal(await preview.locator("strong").innerText(), "Hello");
    await person.shoot("preview");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await until("it is stored", async () => (await customer.replies())[0] === text);
    await page.locator(".turn.agent:not(.pending)").waitFor();
    const line = await page.locator(".turn.agent td").first().evaluate((one) => getComputedStyle(one).border);
    assert.match(line, /^1px solid/, "a table has lines");
    await person.shoot("table");
    assert.equal(await page.locator(".turn.agent .bubble img").count(), 0);
    assert.deepEqual(await page.locator(".turn.agent .bubble a").evaluateAll((all) => all.map((one) => one.href)), ["https://ok.example/"]);
  },

  async "eight thousand characters without a space stay in their place"(person) {
    for (const width of [1280, 390]) {
      const customer = await Customer.waits({ name: `${"N".repeat(90)}${width}`, says: "W".repeat(8_000) });
      if (width === 1280) await person.signIn();
      else await person.page.setViewportSize({ width, height: 800 });
      await person.page.goto(person.page.url().replace(/\/desk\/.*/, `/desk/inbox/${customer.escalationId}`));
      await person.page.locator(".turn.customer .bubble").waitFor();
      await person.expectNoOverflow(`${width}`);
      await person.shoot(`long-${width}`);
    }
  },

  async "a customer's name is inserted as text, and left out where it is an address"(person) {
    const { fill } = await names(person, "*Eve* [x](https://evil.example)");
    assert.equal(fill, "Hello,");
    const escaped = await names(person, "Eve *the* _great_ [x]");
    assert.equal(escaped.fill, "Hello Eve \\*the\\* \\_great\\_ \\[x\\],");
    const long = await names(person, "E".repeat(61));
    assert.equal(long.fill, "Hello,");
    const dotted = await names(person, "Dr.Lange");
    assert.equal(dotted.fill, "Hello Dr.Lange,");
    const first = "{{customer.name}}, **{{customer.firstName}}** hello {{customer.firstName|there}}!";
    assert.equal((await names(person, "evil.example", first)).fill, "hello there!");
    assert.equal((await names(person, "J. Weber", first)).fill, "J. Weber, hello there!");
    assert.equal((await names(person, "Anna Weber", first)).fill, "Anna Weber, **Anna** hello Anna!");
  },
};

async function names(person, name, content = "Hello {{customer.name}},") {
  const shortcut = `h${Date.now()}`;
  await asAgent("POST", "/saved-replies", { scope: "team", shortcut, title: `Hello ${shortcut}`, content });
  const customer = await Customer.waits({ name });
  if (!person.page) await person.signIn();
  const { page } = person;
  await page.goto(page.url().replace(/\/desk\/.*/, `/desk/inbox/${customer.escalationId}`));
  await person.take();
  await page.locator(".log").focus();
  await person.press("/");
  await person.searching();
  await page.locator(".search input").fill(shortcut);
  await page.getByRole("option", { name: new RegExp(shortcut) }).waitFor();
  await person.press("ArrowDown", "Enter");
  await until("it is inserted", async () => (await person.field.inputValue()) !== "");
  return { fill: await person.field.inputValue() };
}
