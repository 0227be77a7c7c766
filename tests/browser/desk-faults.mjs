// The desk when something fails: the connection, the service, an answer, the sign-in, or the page itself.

import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { hold } from "./visitor.mjs";

export const as = Person;
/** They wait for what comes again most of the time. */
export const waits = 2;

export default {
  async "a reply whose answer is lost is stored once"(person) {
    const customer = await person.answers();
    let isLost = true;
    await person.context.route("**/inbox/*/message", async (route) => {
      if (!isLost) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await person.reply("Sent once");
    // Between two attempts.
    await person.page.locator(".sending.waiting").waitFor();
    isLost = false;
    await person.shoot("waiting");
    await until("it is sent", async () => (await person.page.locator(".pending").count()) === 0);
    assert.deepEqual(await customer.replies(), ["Sent once"]);
    assert.deepEqual(await person.bubbles("agent"), ["Sent once"]);
  },

  async "a reply that was on its way when the page went is stored once, in order"(person) {
    const customer = await person.answers();
    const { page } = person;
    const held = await hold(person.context, "**/inbox/*/message", { reaches: true });
    await person.reply("First");
    await held.came;
    await person.reply("Second");
    await page.waitForTimeout(300);
    await page.reload();
    held.letGo();
    await until("both are stored", async () => (await customer.replies()).length >= 2);
    await until("nothing is on its way", async () => (await page.locator(".pending").count()) === 0);
    assert.deepEqual(await customer.replies(), ["First", "Second"]);
  },

  async "news that were on their way before a reply do not take it off the screen"(person) {
    const customer = await person.answers();
    const { page } = person;
    const held = await hold(page, `**/inbox/${customer.escalationId}`, { reaches: true });
    await held.came;
    await person.reply("Still here");
    await until("it is stored", async () => (await customer.replies()).length === 1);
    await until("nothing is on its way", async () => (await page.locator(".pending").count()) === 0);
    held.letGo();
    for (let look = 0; look < 10; look += 1) {
      assert.deepEqual(await person.bubbles("agent"), ["Still here"]);
      await page.waitForTimeout(50);
    }
  },

  async "a service that fails keeps drafts, and gets what waits when it is back"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.context.route("**/api/v1/**", (route) => route.fulfill({ status: 503, json: { error: "SERVICE_UNAVAILABLE", message: "", requestId: "x", details: [] } }));
    await person.reply("When you are back");
    await page.locator(".trouble").waitFor();
    await page.locator(".sending.waiting").waitFor();
    await person.press("r");
    await person.field.fill("And a draft");
    await person.shoot("offline");
    await page.waitForTimeout(500);
    await person.context.unroute("**/api/v1/**");
    await until("it is sent", async () => (await customer.replies()).length === 1);
    await page.reload();
    await person.shows(customer);
    await until("the draft is there", async () => (await person.field.inputValue()) === "And a draft");
    assert.deepEqual(await customer.replies(), ["When you are back"]);
  },

  async "a draft survives a crash, and is not readable at rest"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("r");
    await person.field.fill("Half a senten");
    await until("the browser keeps it", () => person.kept("draft"));
    const kept = await page.evaluate(async () => {
      const open = indexedDB.open("desk");
      const database = await new Promise((done) => (open.onsuccess = () => done(open.result)));
      const all = (store) => new Promise((done) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => done(request.result);
      });
      const [items, keys] = [await all("items"), await all("keys")];
      database.close();
      const text = items.map((one) => new TextDecoder("latin1").decode(one.data)).join();
      return { text, isExportable: keys.map((key) => key.extractable), stored: JSON.stringify(localStorage) + JSON.stringify(sessionStorage) };
    });
    assert.deepEqual(kept.isExportable, [false]);
    assert.equal(kept.text.includes("Half"), false);
    assert.equal(kept.stored.includes("Half"), false);
    const { cookies, origins } = await person.context.storageState({ indexedDB: false });
    assert.ok(cookies && origins);
    // As a crash: the page is gone without a word.
    const next = await person.context.newPage();
    await page.close({ runBeforeUnload: false });
    person.page = next;
    person.watch(next);
    await next.goto(`${person.desk}inbox/${customer.escalationId}`);
    await person.shows(customer);
    await until("the draft is there", async () => (await person.field.inputValue()) === "Half a senten");
  },

  async "a sign-in that ends loses no draft and sends what waits after the next one"(person) {
    // As somebody whose sign-ins no other test uses at this time.
    const customer = await person.answers({ who: "admin" });
    const { page } = person;
    await person.press("r");
    await person.field.fill("Written before");
    await until("the browser keeps it", () => person.kept("draft"));
    await person.signOutEverywhere();
    await page.locator(".trouble").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("It will be sent when you are signed in.").waitFor();
    await until("it is no draft any more", async () => (await person.kept("draft")) === 0);
    await person.field.fill("Written after");
    await person.shoot("signed-out");
    await until("the browser keeps it", () => person.kept("draft"));
    await person.throughProvider();
    await person.shows(customer);
    await until("it is sent", async () => (await customer.replies()).length === 1);
    await until("the draft is there", async () => (await person.field.inputValue()) === "Written after");
    assert.deepEqual(await customer.replies(), ["Written before"]);
  },

  async "what a colleague took in the meantime is said plainly"(person) {
    const customer = await person.answers();
    const { page } = person;
    await customer.act("release");
    await asAgent("POST", "/inbox/takeover", { escalationId: customer.escalationId, agentId: "bob", agentName: "Bob" });
    await page.getByText("With Bob").waitFor();
    assert.equal(await page.getByRole("button", { name: "Resolve", exact: true }).count(), 0);
    const other = await Customer.waits();
    await person.open(other);
    const held = await hold(person.context, "**/inbox/takeover");
    await person.takeByKey();
    await held.came;
    await asAgent("POST", "/inbox/takeover", { escalationId: other.escalationId, agentId: "bob", agentName: "Bob" });
    held.letGo();
    await person.notice("Bob has taken it.");
    await person.shoot("taken-by-other");
  },

  async "a reply to what is no longer one's own goes back into the draft"(person) {
    const customer = await person.answers();
    const { page } = person;
    const held = await hold(person.context, "**/inbox/*/message");
    await person.reply("Too late");
    await held.came;
    await customer.act("release");
    held.letGo();
    await page.locator(".sending.failed").waitFor();
    // The page moves when the news arrive.
    await page.getByRole("button", { name: "Take", exact: true }).waitFor();
    await person.shoot("refused");
    // By key: a click may meet the page while it moves.
    await page.getByRole("button", { name: "Back to the draft" }).press("Enter");
    await until("nothing is on its way", async () => (await page.locator(".pending").count()) === 0);
    await person.take();
    await person.press("r");
    assert.equal(await person.field.inputValue(), "Too late");
    assert.deepEqual(await customer.replies(), []);
  },

  async "without a connection the page says so and works on"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.connect(false);
    await page.locator(".trouble").waitFor();
    await person.reply("From the train");
    await page.locator(".sending.waiting").waitFor();
    await person.connect(true);
    await until("it is sent", async () => (await customer.replies()).length === 1);
    await until("nothing is wrong", async () => (await page.locator(".trouble").count()) === 0);
  },
};
