// Many cases at once: marked in the list, and resolved, tagged or handed on by one act.

import { Customer, memberOf, Person, asAgent, assert, until } from "./person.mjs";

export const as = Person;
export const waits = 2;

const sessionOf = ({ sessionId }) => asAgent("GET", `/sessions/${sessionId}`);
const bar = (page) => page.getByRole("group", { name: "Marked conversations" });
const box = (page, customer) => page.getByRole("checkbox", { name: `Mark ${customer.name}`, exact: true });
const status = (page) => bar(page).getByRole("status");

/** Customers whom the person who is signed in answers. */
async function mine(many, tag) {
  const { memberId } = await memberOf("agent");
  const customers = [];
  for (let at = 0; at < many; at += 1) {
    const customer = await Customer.waits();
    await asAgent("POST", "/inbox/takeover", { escalationId: customer.escalationId, agentId: "bob", agentName: "Bob" });
    await asAgent("POST", `/inbox/${customer.escalationId}/transfer`, { agentId: "bob", toAgentId: memberId });
    if (tag) await asAgent("PATCH", `/sessions/${customer.sessionId}`, { tags: [tag] });
    customers.push(customer);
  }
  return customers;
}

/** The list of one's own, of one tag alone: other tests of this person run beside it. */
async function listed(person, customers, tag, options) {
  const page = await person.signIn(options);
  await page.goto(`${person.desk}?view=mine&tag=${tag}`);
  for (const customer of customers) await person.row(customer).waitFor();
  return page;
}

const tests = {
  async "marks are set by pointer, range and key, survive news, and go with the view"(person) {
    const tag = `marks-${process.pid}`;
    const customers = await mine(4, tag);
    const page = await listed(person, customers, tag);
    const order = await page.locator(".rows .row-name").allInnerTexts();
    const rows = order.map((name) => customers.find((one) => one.name === name.trim()));
    await box(page, rows[0]).click();
    await status(page).getByText("Marked: 1", { exact: true }).waitFor();
    await box(page, rows[2]).click({ modifiers: ["Shift"] });
    await status(page).getByText("Marked: 3", { exact: true }).waitFor();
    assert.deepEqual(await Promise.all(rows.map((one) => box(page, one).isChecked())), [true, true, true, false]);
    await person.press("x");
    await status(page).getByText("Marked: 2", { exact: true }).waitFor();
    await person.row(rows[3]).focus();
    await person.press("X");
    await status(page).getByText("Marked: 4", { exact: true }).waitFor();
    await rows[1].says("Hello?");
    await person.row(rows[1]).getByText("Hello?").waitFor();
    assert.equal(await page.locator(".pick:checked").count(), 4);
    await bar(page).getByRole("button", { name: "Unmark all" }).press("Enter");
    await bar(page).waitFor({ state: "detached" });
    await page.locator(".rows .row:focus").waitFor();
    await person.press("x");
    await bar(page).getByRole("button", { name: "Mark all shown (4)" }).press("Enter");
    await status(page).getByText("Marked: 4", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^Snoozed/ }).click();
    await bar(page).waitFor({ state: "detached" });
    await page.goBack();
    await person.row(rows[0]).waitFor();
    assert.equal(await page.locator(".pick:checked").count(), 0);
  },

  async "what cannot be loaded says so, and the next mark brings it"(person) {
    const tag = `late-${process.pid}`;
    const [one, two] = await mine(2, tag);
    const page = await listed(person, [one, two], tag);
    await person.context.route("**/assets/Bar-*.js", (route) => route.abort());
    await box(page, one).click();
    await person.notice("That did not work.");
    await person.context.unroute("**/assets/Bar-*.js");
    await box(page, two).click();
    await status(page).getByText("Marked: 2", { exact: true }).waitFor();
  },

  async "one undo takes all back, and what a customer wrote meanwhile stays open"(person) {
    const tag = `bulk-${process.pid}`;
    const customers = await mine(4, tag);
    const page = await listed(person, customers, tag);
    const [, , writes] = customers;
    const resolveAll = async () => {
      await person.press("E");
      await page.getByRole("dialog", { name: "Resolve marked conversations (4)" }).getByRole("textbox").fill("Parcels are on their way");
      await page.keyboard.press("Control+Enter");
    };
    const pass = await person.holdUndo();
    await box(page, customers[0]).click();
    await bar(page).getByRole("button", { name: "Mark all shown (4)" }).click();
    await resolveAll();
    await page.getByText("Conversations resolved: 4").waitFor();
    const asks = page.waitForEvent("dialog");
    void page.evaluate(() => location.reload()).catch(() => {});
    const asked = await asks;
    assert.equal(asked.type(), "beforeunload");
    await asked.dismiss();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await status(page).getByText("Marked: 4", { exact: true }).waitFor();
    await pass();
    assert.equal(person.asked("/resolve").length, 0);
    await page.locator(".rows .row").first().focus();
    await person.press("E");
    await page.getByRole("dialog").getByRole("textbox").fill("Parcels are on their way");
    // The list behind the dialog gets the news; what the person decided on is from before.
    await writes.says("Wait, the parcel is broken");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await person.row(writes).getByText("Wait, the parcel is broken").waitFor({ state: "attached" });
    await page.keyboard.press("Control+Enter");
    await page.getByText("Conversations resolved: 4").waitFor();
    await pass();
    await until("three are resolved", async () => {
      const all = await Promise.all(customers.map((one) => one.escalation()));
      return all.filter((one) => one.resolution === "Parcels are on their way").length === 3;
    });
    assert.equal((await writes.escalation()).status, "claimed");
    const failed = bar(page).getByRole("list").getByRole("listitem");
    await failed.getByText("The customer wrote in the meantime").waitFor();
    assert.match(await failed.innerText(), new RegExp(writes.name));
    assert.match(await status(page).innerText(), /Done: 3 of 4/);
    await until("it stays marked alone", async () => (await page.locator(".pick:checked").count()) === 1 && (await box(page, writes).isChecked()));
    const keys = person.requests.filter(({ url }) => url.endsWith("/resolve"));
    assert.equal(keys.length, 3);
    await page.locator(".bulk-status:focus").waitFor();
    await person.shoot("failed");
  },

  async "tags are added and removed beside those of colleagues, and too fast is waited for"(person) {
    const tag = `tagged-${process.pid}`;
    const customers = await mine(3, tag);
    const page = await listed(person, customers, tag);
    await box(page, customers[0]).click();
    await bar(page).getByRole("button", { name: "Mark all shown (3)" }).click();
    await asAgent("PATCH", `/sessions/${customers[1].sessionId}`, { tags: [tag, "of a colleague"] });
    let refusals = 0;
    await person.context.route("**/api/v1/sessions/*", (route) => {
      if (route.request().method() !== "PATCH" || refusals) return route.continue();
      refusals += 1;
      const json = { error: "RATE_LIMITED", message: "", requestId: "x", details: [] };
      return route.fulfill({ status: 429, headers: { "retry-after": "2" }, json });
    });
    await person.press("L");
    await page.getByRole("dialog", { name: "Tag marked conversations (3)" }).getByRole("combobox").fill("vip");
    const at = Date.now();
    await page.keyboard.press("Enter");
    await person.notice("Conversations tagged: 3");
    assert.ok(Date.now() - at >= 2_000, "the service said two seconds");
    assert.deepEqual((await sessionOf(customers[1])).tags.sort(), ["of a colleague", tag, "vip"].sort());
    for (const one of [customers[0], customers[2]]) assert.deepEqual((await sessionOf(one)).tags.sort(), [tag, "vip"].sort());
    await bar(page).waitFor({ state: "detached" });
    await page.locator(".rows .row:focus").waitFor();
    await box(page, customers[1]).click();
    await status(page).getByText("Marked: 1", { exact: true }).waitFor();
    await person.press("L");
    await page.getByRole("button", { name: "Remove vip (1)" }).press("Enter");
    await person.notice("Tag removed from conversations: 1");
    assert.deepEqual((await sessionOf(customers[1])).tags.sort(), ["of a colleague", tag].sort());
  },

  async "marked cases go to a colleague, and those that the list lost are told"(person) {
    const tag = `given-${process.pid}`;
    const customers = await mine(3, tag);
    const page = await listed(person, customers, tag);
    const [one, two, lost] = customers;
    for (const customer of customers) await box(page, customer).click();
    await lost.act("release");
    await bar(page).getByText(`No longer in this list: ${lost.name}`).waitFor();
    await status(page).getByText("Marked: 2", { exact: true }).waitFor();
    await bar(page).getByRole("button", { name: "Transfer" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Transfer marked conversations (2)" });
    await person.searching();
    await dialog.getByRole("option", { name: /^Ada/ }).click();
    await dialog.getByRole("textbox", { name: /^Note/ }).fill("They are all of one shipment");
    await page.keyboard.press("Control+Enter");
    const { memberId } = await memberOf("admin");
    await until("both are theirs", async () => {
      const all = await Promise.all([one, two].map((customer) => customer.escalation()));
      return all.every(({ claimedBy }) => claimedBy?.agentId === memberId);
    });
    const failed = bar(page).getByRole("listitem");
    await failed.getByText("No longer in this list").waitFor();
    assert.match(await failed.innerText(), new RegExp(lost.name));
    assert.equal((await lost.escalation()).status, "pending");
    await bar(page).getByRole("button", { name: "Close the result" }).press("Enter");
  },

  async "only what the person may do is offered, and of others' cases nothing is done"(person) {
    const tag = `others-${process.pid}`;
    const [own, others] = await mine(2, tag);
    const { memberId } = await memberOf("admin");
    await asAgent("POST", `/inbox/${others.escalationId}/transfer`, { agentId: "bob", toAgentId: memberId });
    const page = await person.signIn();
    await page.goto(`${person.desk}?view=everybody&tag=${tag}`);
    await box(page, others).click();
    await bar(page).getByRole("button", { name: /^Tag/ }).waitFor();
    assert.equal(await bar(page).getByRole("button", { name: /^(Resolve|Transfer)/ }).count(), 0);
    await box(page, own).click();
    const pass = await person.holdUndo();
    await bar(page).getByRole("button", { name: /^Resolve/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Resolve marked conversations (1)" });
    await dialog.getByText("This cannot be done with 1 of the marked").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await pass();
    await until("it is resolved", async () => (await own.escalation()).status === "resolved");
    assert.equal((await others.escalation()).status, "claimed");
  },
};

for (const width of [1280, 390]) {
  tests[`the bar and its dialogs are readable (${width})`] = async (person) => {
    const tag = `seen-${process.pid}-${width}`;
    const customers = await mine(3, tag);
    const page = await listed(person, customers, tag, { width });
    await person.shoot("before");
    await box(page, customers[0]).click();
    await box(page, customers[1]).click();
    await status(page).getByText("Marked: 2", { exact: true }).waitFor();
    await person.expectAccessibleInBoth("marked");
    for (const [name, title] of [["Resolve", "Resolve marked"], ["Tag", "Tag marked"], ["Transfer", "Transfer marked"]]) {
      await bar(page).getByRole("button", { name: new RegExp(`^${name}`) }).click();
      await page.getByRole("dialog", { name: new RegExp(`^${title}`) }).waitFor();
      await person.expectAccessibleInBoth(name);
      if (name !== "Resolve") await page.keyboard.press("Escape");
      else {
        await person.holdUndo();
        await page.keyboard.press("Control+Enter");
        await page.getByRole("button", { name: "Undo" }).waitFor();
        await person.expectAccessibleInBoth("undo");
        await page.getByRole("button", { name: "Undo" }).press("Enter");
        await status(page).getByText("Marked: 2", { exact: true }).waitFor();
      }
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await person.context.route("**/api/v1/sessions/*", (route) => (route.request().method() === "PATCH" ? route.fulfill({ status: 403, json: { error: "FORBIDDEN", message: "", requestId: "x", details: [] } }) : route.continue()));
    await bar(page).getByRole("button", { name: /^Tag/ }).click();
    await page.getByRole("dialog").getByRole("combobox").fill("vip");
    await page.keyboard.press("Enter");
    await bar(page).getByRole("listitem").first().waitFor();
    await person.expectAccessibleInBoth("failed");
    await page.evaluate(() => localStorage.setItem("desk:language", "de"));
    await page.reload();
    await page.getByRole("checkbox", { name: `${customers[0].name} markieren` }).click();
    await page.getByText("Markiert: 1").waitFor();
    await person.shoot("german");
  };
}

export default tests;
