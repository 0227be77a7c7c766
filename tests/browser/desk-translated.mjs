// The desk in a browser that translates it: Chrome puts each text node into elements of its own, again whenever a text
// comes or changes. And the parts of the desk, each of which fails alone.

import { confirm, confirmPublic, open, text, writing } from "./knowledge-pages.mjs";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { gapOf, word } from "./trainer.mjs";
import { REFUND } from "./visitor.mjs";

export const as = Person;
export const waits = 2;

/** Replaces every text, as Chrome's translator does: also those that it would leave alone, as other extensions do not. */
function translator() {
  const wrap = (node) => {
    if (!node.data.trim() || node.parentElement?.closest("font, script, style, textarea, svg, .cm-editor")) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = node.data;
    outer.append(inner);
    node.replaceWith(outer);
  };
  const each = (root) => {
    const texts = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode);
    if (root.nodeType === Node.TEXT_NODE) texts.push(root);
    texts.forEach(wrap);
  };
  const changed = (changes) => changes.flatMap((one) => (one.type === "characterData" ? [one.target] : [...one.addedNodes])).filter((one) => one.isConnected).forEach(each);
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, characterData: true });
}

const translated = { script: translator };

/** Nothing has failed, and the texts on the page are the translator's. */
async function goesOn(person, state) {
  await person.page.locator(".top font").first().waitFor();
  assert.equal(await person.page.locator(".failed").count(), 0, state);
  await person.shoot(state);
}

const tests = {
  async "every act on a conversation works on a translated page"(person) {
    const colleague = await Customer.waits({ priority: "high" });
    const customer = await person.answers({ ...translated, customer: await Customer.waits({ says: REFUND, email: `font${Date.now()}@example.com` }) });
    const { page } = person;
    await goesOn(person, "taken");
    await person.reply("One moment, please.");
    await until("the reply is stored", async () => (await customer.replies()).length === 1);
    await customer.says("Thank you, I wait.");
    await person.says("Thank you, I wait.");
    await page.keyboard.press("Escape");
    await person.press("n");
    await page.keyboard.type("For colleagues");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Add note" }).click();
    await page.locator(".turn.note:not(.pending)").waitFor();
    await page.getByRole("combobox", { name: "New tag" }).fill("font");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove font" }).click();
    await until("the tag is gone", async () => (await asAgent("GET", `/sessions/${customer.sessionId}`)).tags.length === 0);
    for (const key of ["s", "/", "z", "b", "e", "?"]) {
      await page.locator(".log").focus();
      await person.press(key);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Mark as urgent" }).click();
    await page.locator(".stand .urgent").waitFor();
    await person.press("z");
    await page.getByRole("option", { name: /In one hour/ }).press("Enter");
    await page.getByText(/Snoozed until/).first().waitFor();
    await person.press("z");
    await page.getByText(/Yours until/).first().waitFor();
    await person.press("b");
    await page.getByRole("textbox", { name: /Note for the assistant/ }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await person.press("e");
    await page.getByRole("textbox", { name: /Resolution/ }).fill("Done");
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await goesOn(person, "undo");
    await pass();
    // The line with the way back goes: a page that lost its texts is empty from here on.
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await until("the line is gone", async () => !(await page.locator(".ending").count()));
    await goesOn(person, "resolved");
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await person.open(colleague);
    await person.take();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Transfer" }).click();
    await page.getByRole("option", { name: "Ada Admin" }).click();
    await page.getByRole("button", { name: "Transfer" }).click();
    await person.notice("Transferred to Ada Admin");
    await goesOn(person, "transferred");
    for (const view of ["Mine", "Snoozed", "Everybody's", "Assistant's", "Resolved", "Waiting"]) {
      await page.getByRole("link", { name: new RegExp(`^${view}`) }).click();
      await page.locator(".rows").waitFor();
    }
    await page.keyboard.press("Control+k");
    await person.searching();
    await page.keyboard.type("away");
    await person.press("ArrowDown", "Enter");
    await page.getByRole("switch", { name: "Away" }).press(" ");
    await page.getByRole("switch", { name: "Available" }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  },

  async "a gap is answered, and an entry changed and deleted, on a translated page"(person) {
    const question = `Does a ${word("zorilla")} sing?`;
    await Customer.waits({ says: question });
    const { gapId } = await gapOf(question);
    const page = await open(person, `/gaps/${gapId}`, translated);
    await (await writing(page)).fill(`A ${question.split(" ")[2]} sings at night.`);
    const path = await page.getByRole("textbox", { name: "Path" }).inputValue();
    await page.locator(".proof-head").waitFor();
    await text(page).press("Control+Enter");
    await confirmPublic(page);
    await page.getByText(/^(Saved, still open|Closed)$/).first().waitFor();
    await goesOn(person, "answered");
    await open(person, `/entry?path=${path}`);
    await page.getByRole("button", { name: "Edit" }).or(page.getByRole("link", { name: "Edit" })).first().click();
    await (await writing(page)).fill("It sings at noon.");
    await text(page).press("Control+Enter");
    await confirm(page);
    await page.getByText("It sings at noon.").first().waitFor();
    await goesOn(person, "changed");
    for (const place of ["", "/drafts", "/gaps", "/ingest", "/new", `/history?path=${path}`, `/told?path=${path}`]) {
      await open(person, place);
      await goesOn(person, `page ${place.replace(/\W+/g, "-")}`);
    }
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "every page of the settings works on a translated page"(person) {
    const page = await person.signIn({ who: "admin", ...translated });
    for (const name of ["me", "members", "keys", "chat", "answers", "hours", "webhooks", "audit", "figures"]) {
      await page.goto(`${person.desk}settings/${name}`);
      await page.locator(".area-page h2 font, .area-page h2").first().waitFor();
      await page.locator(".area-page").getByText(/\w/).nth(2).waitFor();
      await goesOn(person, name);
      await person.expectTextsOfTheirOwn(name);
    }
  },

  async "a part that fails says so, leaves the others, and a reload brings back what was written"(person) {
    const customer = await person.answers();
    const other = await Customer.waits();
    const { page } = person;
    await person.press("r");
    await page.keyboard.type("Half a sentence");
    await until("the browser keeps it", () => person.kept("draft"));
    const broken = `**/api/v1/inbox/${customer.escalationId}`;
    await page.route(broken, async (route) => {
      const { "if-none-match": _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      await route.fulfill({ response, json: { ...(await response.json()), messages: [null] } });
    });
    const failed = page.getByRole("alert").filter({ hasText: "What you wrote is kept" });
    await failed.waitFor();
    await person.expectAccessibleInBoth("failed");
    await person.open(other);
    assert.equal(await failed.count(), 0, "another conversation is shown");
    await page.goBack();
    await failed.waitFor();
    await page.unroute(broken);
    await failed.getByRole("button", { name: "Reload" }).press("Enter");
    await person.shows(customer);
    await until("the draft is back", async () => (await person.field.inputValue()) === "Half a sentence");
    // What threw is told in the console, and nothing else.
    assert.ok(person.violations.every((one) => /null/.test(one)), `${person.violations}`);
    person.violations = [];
  },
};

export default tests;
