// Cases as people find them in lists, end them, and read how they ended.

import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { REFUND } from "./visitor.mjs";

export const as = Person;
export const waits = 2;

let made = 0;
/** Somebody in the chat who has given no name. */
async function visitor(says) {
  made += 1;
  const end = `${process.pid}${made}`.slice(-4).padStart(4, "7");
  const externalUserId = `shop_cab3c6b6ce38fe81d793197d79a7${end}`;
  const { sessionId } = await asAgent("POST", "/sessions", { externalUserId, channel: "widget" });
  const one = new Customer(sessionId, `Visitor ${end}`);
  await one.says(says);
  return one;
}

const tests = {
  async "a single key asks before it tells a customer that somebody joined"(person) {
    const customer = await Customer.waits();
    const page = await person.signIn();
    await person.open(customer);
    await person.press("t");
    const asked = page.getByRole("dialog", { name: `Take ${customer.name}?` });
    await asked.getByText("told at once").waitFor();
    await person.shoot("asked");
    await person.press("Escape");
    await asked.waitFor({ state: "detached" });
    assert.equal((await customer.escalation()).status, "pending");
    await person.takeByKey();
    await until("it is taken", async () => (await customer.escalation()).status === "claimed");
    await page.getByRole("link", { name: /^Snoozed/ }).click();
    await person.press("t");
    await page.getByRole("dialog", { name: "Take the next customer?" }).getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(person.asked("/inbox/takeover").length, 1);
  },

  async "the queue is put in order by who waits longest, and the keys follow it"(person) {
    const first = await person.answers();
    const second = await Customer.waits();
    const { page } = person;
    await person.open(second);
    await person.take();
    await person.reply("One moment.");
    await until("the reply is stored", async () => (await second.replies()).length === 1);
    await first.says("And now?");
    const third = await person.answers({ customer: await Customer.waits() });
    await page.goto(`${person.desk}?view=mine`);
    const order = async () => {
      const names = await page.locator(".row-name").allInnerTexts();
      return [first, second, third].map(({ name }) => names.indexOf(name));
    };
    await person.row(third).waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("longest");
    await until("who was answered is last", async () => {
      const [one, two, three] = await order();
      return one >= 0 && one < three && three < two;
    });
    await person.expectAccessibleInBoth("ordered");
    await person.open(first);
    await page.locator(".log").focus();
    await person.press("j");
    await person.shows(third);
  },

  async "a reply is sent and its case resolved by one key, and each is undone or done by itself"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("r");
    await page.keyboard.type("That was all, goodbye.");
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Shift+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await until("the reply is stored", async () => (await customer.replies()).length === 1);
    assert.equal((await customer.escalation()).status, "claimed");
    await pass();
    await until("it is resolved", async () => (await customer.escalation()).status === "resolved");
    assert.deepEqual(await customer.replies(), ["That was all, goodbye."]);
  },

  async "a reply that is refused is not followed by the end of its case"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.context.route("**/inbox/*/message", (route) =>
      route.fulfill({ status: 400, json: { error: "VALIDATION_ERROR", message: "", requestId: "x", details: [] } }),
    );
    await person.press("r");
    await page.keyboard.type("That was all, goodbye.");
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Shift+Enter");
    await page.locator(".toast.alert", { hasText: "not resolved, because your message was not sent" }).waitFor();
    await page.locator(".sending.failed").waitFor();
    assert.equal(await page.locator(".toast.ending").count(), 0);
    await pass();
    await page.goto(`${person.desk}?view=mine`);
    await person.row(customer).waitFor();
    assert.equal(person.asked("/resolve").length, 0);
    assert.equal((await customer.escalation()).status, "claimed");
  },

  async "transfer and tag have keys, and tags that are used are suggested"(person) {
    const tag = `used-${process.pid}`;
    const tagged = await Customer.waits();
    await asAgent("PATCH", `/sessions/${tagged.sessionId}`, { tags: [tag] });
    const customer = await person.answers();
    const { page } = person;
    await page.locator(`#used-tags option[value="${tag}"]`).waitFor({ state: "attached" });
    await person.press("l");
    await page.locator(".add-tag input:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".add-tag input:not(:focus)").waitFor();
    await person.press("l");
    await page.locator(".add-tag input:focus").waitFor();
    await page.keyboard.type(tag);
    await page.keyboard.press("Enter");
    await until("the tag is set", async () => (await asAgent("GET", `/sessions/${customer.sessionId}`)).tags.includes(tag));
    await page.locator(".log").focus();
    await person.press("h");
    await page.getByRole("dialog", { name: "Transfer to a colleague" }).waitFor();
    await person.searching();
    await page.keyboard.type("Nobody");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await asAgent("PATCH", `/sessions/${tagged.sessionId}`, { tags: [] });
  },

  async "a long conversation is told in short, in the desk's language, and no fact twice"(person) {
    const customer = await Customer.waits({ says: REFUND });
    for (const question of ["Does a zebra sing on Jupiter?", "How do I change my address?", "What does delivery cost?"]) await customer.says(question);
    const page = await person.signIn();
    await page.evaluate(() => localStorage.setItem("desk:language", "de"));
    await page.goto(`${person.desk}inbox/${customer.escalationId}`);
    await person.shows(customer);
    assert.equal(await page.locator(".summary, .why").count(), 0, "what was asked stands below");
    await person.takeByKey();
    await page.locator(".kinds").waitFor();
    for (const text of ["Guten Tag.", "Einen Moment.", "Ich sehe nach."]) await person.reply(text);
    const summary = page.locator(".summary");
    await summary.getByText("What does delivery cost?").waitFor();
    assert.match(await summary.innerText(), /Zuerst gefragt\s*How long does a refund take\?/);
    assert.doesNotMatch(await summary.innerText(), /The customer|The AI/);
    await person.shoot("summary");
  },
};

for (const width of [1280, 390]) {
  tests[`lists say who it is, what was said last, and who owes an answer (${width})`] = async (person) => {
    const customer = await visitor(REFUND);
    const alone = await visitor(REFUND);
    const { escalationId } = await customer.does("escalate", { reason: "A person, please" });
    customer.escalationId = escalationId;
    await customer.says("Is **somebody** there?");
    const page = await person.signIn({ width });
    const line = (text) => person.row(customer).getByText(text);
    await line("Is **somebody** there?").or(line("Is somebody there?")).waitFor();
    await person.expectAccessibleInBoth("waiting");
    await person.open(customer);
    await person.take();
    await person.reply("I am here.");
    const back = async (view) => {
      await page.goto(`${person.desk}?view=${view}`);
      await person.row(view === "assistant" ? alone : customer).waitFor();
    };
    await until("the reply is stored", async () => (await customer.replies()).length === 1);
    await back("mine");
    await line("Agent: I am here.").waitFor();
    await line("Customer's turn").waitFor();
    await customer.says("Thank you. And my order?");
    await line("Thank you. And my order?").waitFor();
    await line("Waits for an answer").waitFor();
    await person.expectAccessibleInBoth("mine");
    await back("assistant");
    await person.row(alone).getByText(REFUND).waitFor();
    await person.row(alone).getByText("Answered", { exact: true }).waitFor();
    await person.expectAccessibleInBoth("assistant");
  };

  tests[`figures lead to just the conversations that they count (${width})`] = async (person) => {
    const [customer, alone] = [await visitor(REFUND), await visitor("What does delivery cost?")];
    await customer.does("escalate", { reason: "A person, please" });
    // As somebody who looks at the figures of long ago and of today.
    const page = await person.signIn({ width });
    const figures = async () => {
      await page.goto(`${person.desk}settings/figures`);
      await page.locator(".figures").waitFor();
    };
    const counts = async () => (await asAgent("GET", "/analytics?days=30")).counts;
    await until("both are counted", async () => (await counts()).sessionsEscalated > 0 && (await counts()).sessionsContained > 0);
    await figures();
    await person.expectAccessibleInBoth("figures");
    const list = page.locator(".figure-sessions");
    const lines = list.locator("li");
    for (const [figure, shown, other] of [
      [/^Went to a person, .*: show the conversations/, customer, alone],
      [/^Answered by the assistant alone, .*: show the conversations/, alone, customer],
    ]) {
      await figures();
      await page.locator(".figures").getByRole("link", { name: figure }).press("Enter");
      await list.getByRole("heading").and(page.locator(":focus")).waitFor();
      await lines.getByRole("link", { name: shown.name }).waitFor();
      assert.equal(await lines.getByRole("link", { name: other.name }).count(), 0);
    }
    await person.expectAccessibleInBoth("conversations");
    await lines.getByRole("link", { name: alone.name }).press("Enter");
    await person.shows(alone);
    await figures();
    // The last bar and the first line of the table are those of today.
    const plot = page.getByRole("img", { name: /^Conversations by day/ });
    const { width: wide, height } = await plot.boundingBox();
    await plot.click({ position: { x: wide - 12, y: height / 2 } });
    await lines.getByRole("link", { name: customer.name }).waitFor();
    await lines.getByRole("link", { name: alone.name }).waitFor();
    await list.getByRole("link", { name: "Back to the figures" }).press("Enter");
    await page.getByRole("link", { name: /^Conversations, \d{4}-.*: show the conversations/ }).first().press("Enter");
    await lines.getByRole("link", { name: alone.name }).waitFor();
    await figures();
    await page.locator(".now").getByRole("link", { name: /being answered/ }).press("Enter");
    await page.locator(".rows").waitFor();
    assert.match(page.url(), /view=everybody/);
  };

  tests[`a resolution and a rating's comment are read in the case, in past conversations and in the figures (${width})`] = async (person) => {
    const externalUserId = `rater_${process.pid}_${width}`;
    const name = `Rater ${process.pid} ${width}`;
    const [comment, resolution] = [`Kind, but slow (${width}).`, `Sent once more (${width}).`];
    const customer = await Customer.waits({ name, externalUserId });
    await asAgent("POST", "/inbox/takeover", { escalationId: customer.escalationId, agentId: "bob", agentName: "Bob" });
    await customer.act("resolve", { agentId: "bob", agentName: "Bob", resolution });
    await customer.does("rating", { score: 2, comment });
    const again = await Customer.waits({ name, externalUserId });
    const page = await person.signIn({ width });
    await page.goto(`${person.desk}inbox/${again.escalationId}`);
    await person.shows(again);
    if (width === 390) await page.getByRole("button", { name: "Customer", exact: true }).click();
    const past = page.getByRole("complementary", { name: "Customer" });
    await past.getByText(comment).waitFor();
    await past.getByText(resolution).waitFor();
    await person.expectAccessibleInBoth("past");
    await past.getByRole("link", { name: /Rated 2 of 5/ }).click();
    const end = page.getByRole("group", { name: "How it ended" });
    await end.getByText(comment).waitFor();
    await end.getByText(resolution).waitFor();
    await person.expectAccessibleInBoth("head");
    await page.goto(`${person.desk}settings/figures`);
    const line = page.locator(".ratings li").filter({ hasText: comment });
    await line.waitFor();
    await line.scrollIntoViewIfNeeded();
    await person.expectAccessibleInBoth("figures");
    await line.getByRole("link", { name }).click();
    await end.getByText(comment).waitFor();
  };
}

export default tests;
