// The desk: from signing in to the end of a conversation, by keyboard alone.

import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { hold, REFUND } from "./visitor.mjs";

export const as = Person;
/** Each has its own customers, and waits for news and for what can be undone. */
export const waits = 2;

async function savedReply(shortcut, content) {
  return asAgent("POST", "/saved-replies", { scope: "team", shortcut, title: `Reply ${shortcut}`, content });
}

export default {
  async "an agent takes, answers and resolves without a mouse"(person) {
    const customer = await Customer.waits({ says: REFUND, reason: "Wants a refund" });
    const shortcut = `k${Date.now()}`;
    await savedReply(shortcut, "Hello {{customer.name}}, this is {{agent.name}}.");
    const page = await person.signIn();
    // A key that comes before the list is lost.
    await person.row(customer).waitFor();
    await person.shoot("queue");
    const shown = async () => (await page.locator(".head h2").allInnerTexts()).join();
    for (let before = await shown(); before !== customer.name; before = await shown()) {
      await person.press("j");
      // While it is read there is no head: a key more would pass it.
      await until("the next customer is on the screen", async () => !["", before].includes(await shown()));
    }
    assert.equal(await page.locator(".why").innerText(), "Reason: Wants a refund", "why a person is asked for, in words");
    await person.take();
    await person.shoot("taken");
    await person.press("r");
    await person.page.keyboard.type("It is on its way.");
    await page.keyboard.press("Control+Enter");
    await until("the reply is stored", async () => (await customer.replies()).length === 1);
    await page.keyboard.press("Escape");

    await person.press("/");
    await person.searching();
    await page.keyboard.type(shortcut);
    await page.getByRole("option", { name: new RegExp(shortcut) }).waitFor();
    await person.shoot("saved-replies");
    await person.press("ArrowDown", "Enter");
    await until("the saved reply is in the field", async () => (await person.field.inputValue()).startsWith(`Hello ${customer.name}`));
    await page.keyboard.press("Control+Enter");
    await until("the saved reply is stored", async () => (await customer.replies()).length === 2);
    await page.keyboard.press("Escape");

    await person.press("s");
    await page.getByRole("button", { name: "Insert", exact: true }).waitFor();
    await person.shoot("suggestion");
    await until("the suggestion is in the field", async () => {
      // A key that comes while the dialog still takes the focus is lost, as a person's is.
      const insert = page.getByRole("button", { name: "Insert", exact: true });
      if (await insert.isVisible()) await insert.press("Enter", { timeout: 5_000 }).catch(() => {});
      return /five working days/.test(await person.field.inputValue());
    });
    await page.keyboard.press("Control+Enter");
    await until("the suggestion is stored", async () => (await customer.replies()).length === 3);
    await page.keyboard.press("Escape");

    await person.press("n");
    await page.keyboard.type("Was *friendly*.");
    await page.keyboard.press("Control+Enter");
    await until("the note is stored", async () => (await customer.turns("agent")).some((turn) => turn.internal));
    await page.keyboard.press("Escape");
    await page.locator(".turn.note .bubble em").waitFor();

    await person.press("e");
    await page.getByRole("textbox", { name: /Resolution/ }).waitFor();
    await page.keyboard.type("Sent again");
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await person.shoot("undo");
    assert.equal((await customer.escalation()).status, "claimed", "nothing is sent while it can be undone");
    await pass();
    await until("it is resolved", async () => (await customer.escalation()).status === "resolved");
    assert.equal((await customer.escalation()).resolution, "Sent again");
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await person.shoot("resolved");
    assert.deepEqual(await person.bubbles("pending"), []);
  },

  async "what is undone within five seconds was never sent"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("b");
    await page.getByRole("textbox", { name: /Note for the assistant/ }).waitFor();
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await pass();
    await page.waitForTimeout(1_000);
    assert.equal((await customer.escalation()).status, "claimed");
    assert.equal(person.asked("/handback").length, 0);
  },

  async "what the customer writes meanwhile appears and guards the end"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("e");
    await page.getByRole("textbox", { name: /Resolution/ }).waitFor();
    const held = await hold(page, "**/inbox/*/resolve");
    await page.keyboard.press("Control+Enter");
    await customer.says("Wait, it is still broken");
    held.letGo();
    await person.says("Wait, it is still broken");
    await person.notice("The customer wrote in the meantime");
    assert.equal((await customer.escalation()).status, "claimed");
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  },

  async "leaving the page sends what waits for its undo"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("e");
    await page.getByRole("textbox", { name: /Resolution/ }).waitFor();
    await person.holdUndo();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.reload();
    await until("it is resolved", async () => (await customer.escalation()).status === "resolved");
  },

  async "a conversation is put off and brought back, released and taken again"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("z");
    await page.getByRole("option", { name: /In one hour/ }).waitFor();
    await person.shoot("snooze");
    await person.press("Enter");
    await page.getByText("Snoozed until").waitFor();
    assert.ok((await customer.escalation()).snoozedUntil);
    await page.getByRole("link", { name: "Snoozed" }).click();
    await person.row(customer).click();
    await page.getByText("Snoozed until").waitFor();
    const { snoozedUntil } = await customer.escalation();
    await person.press("z");
    await page.getByText(/Yours until/).waitFor();
    await page.getByText("Was snoozed until").waitFor();
    await person.shoot("snooze-ended");
    await page.getByRole("button", { name: "Snooze again" }).click();
    await page.getByText(/^Snoozed until/).waitFor();
    await until("it is snoozed again", async () => (await customer.escalation()).snoozedUntil === snoozedUntil);
    await person.press("z");
    await page.getByText(/Yours until/).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Release to the queue" }).click();
    await page.getByRole("button", { name: "Take", exact: true }).waitFor();
    assert.equal((await customer.escalation()).status, "pending");
  },

  async "an agent steps in where the assistant answers"(person) {
    const name = `Alone ${Date.now()}`;
    const session = await asAgent("POST", "/sessions", { externalUserId: `alone_${Date.now()}`, user: { name }, channel: "api" });
    const customer = new Customer(session.sessionId, name);
    await customer.says(REFUND);
    const page = await person.signIn({ place: "?view=assistant" });
    await person.open(customer);
    await page.locator(".turn.ai .outcome").first().waitFor();
    await person.shoot("assistant");
    await page.getByRole("button", { name: "Step in" }).press("Enter");
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await person.reply("I am a person.");
    await until("the reply is stored", async () => (await customer.replies()).includes("I am a person."));
  },

  async "everything is found by name, and no key does anything while somebody types"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("r");
    await page.keyboard.type("jkternsbez?/");
    assert.equal(await person.field.inputValue(), "jkternsbez?/");
    await page.keyboard.press("Control+k");
    await person.searching();
    await page.keyboard.type("help");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await person.searching();
    await page.keyboard.type("release");
    await page.getByRole("menuitem", { name: /Release/ }).waitFor();
    await person.shoot("palette");
    await person.press("ArrowDown", "Enter");
    await page.getByRole("button", { name: "Take", exact: true }).waitFor();
    await page.locator(".log").focus();
    await person.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await person.shoot("help");
    await page.getByRole("button", { name: "Single keys off" }).press("Enter");
    await person.press("Escape", "t");
    await page.waitForTimeout(500);
    assert.equal((await customer.escalation()).status, "pending", "the keys are off");
  },

  async "what one's own customer writes is marked while something else is shown"(person) {
    const customer = await person.answers();
    const { page } = person;
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: /^Waiting/ }).click();
    await page.getByText("Choose a conversation").waitFor();
    await customer.says("Are you still there?");
    // The number has those who wait, too, whom other tests change.
    await page.waitForFunction(() => {
      const number = (text) => Number(/\d+/.exec(text ?? "")?.[0] ?? 0);
      return number(document.title) > number(document.querySelector(".views .count")?.textContent);
    });
    await page.getByRole("link", { name: /^Mine/ }).click();
    await person.row(customer).getByRole("img", { name: "New message" }).waitFor();
    await person.open(customer);
    await until("it is read", async () => (await person.row(customer).getByRole("img").count()) === 0);
  },

  async "live and test are told apart, and a reload stays where it was"(person) {
    const page = await person.signIn();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Switch to Test" }).click();
    await page.getByText("Test", { exact: true }).waitFor();
    await person.ready();
    await page.reload();
    await page.getByText("Test", { exact: true }).waitFor();
    assert.match(await page.title(), /Test · Desk/);
    await person.shoot("test");
  },

  async "tags are edited, and who only shares an unverified address stands apart"(person) {
    const email = `shared-${Date.now()}@example.com`;
    const other = await Customer.waits({ email, verified: true });
    const customer = await Customer.waits({ email });
    const page = await person.signIn();
    await person.open(customer);
    await page.getByText("Not verified").first().waitFor();
    const apart = page.locator(".unsure");
    await apart.getByText(other.name).waitFor();
    await page.getByRole("combobox", { name: "New tag" }).fill("vip");
    await page.keyboard.press("Enter");
    await page.locator(".tags").getByText("vip").waitFor();
    assert.deepEqual((await asAgent("GET", `/sessions/${customer.sessionId}`)).tags, ["vip"]);
    await person.shoot("customer");
    await page.getByRole("button", { name: "Remove vip" }).click();
    await until("the tag is gone", async () => (await asAgent("GET", `/sessions/${customer.sessionId}`)).tags.length === 0);
  },

  async "away and back by one switch"(person) {
    const page = await person.signIn();
    const away = page.getByRole("switch", { name: "Away" });
    const back = page.getByRole("switch", { name: "Available" });
    await back.press(" ");
    await away.waitFor();
    await page.reload();
    await away.press(" ");
    await back.waitFor();
  },

  async "signing out in one tab ends the others, and no draft of theirs stays"(person) {
    const customer = await Customer.waits();
    const page = await person.signIn();
    const other = await person.visit({ url: `${person.desk}inbox/${customer.escalationId}` });
    await other.getByRole("button", { name: "Take", exact: true }).waitFor();
    await other.locator(".composer textarea").fill("A note that nobody keeps");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await other.getByRole("button", { name: "Sign in" }).waitFor();
    await other.waitForTimeout(500);
    await until("nothing is kept", () => other.evaluate(async () => !(await indexedDB.databases()).length));
  },

  async "signing out leaves nothing in the browser"(person) {
    const customer = await person.answers();
    const { page } = person;
    await person.press("r");
    await person.field.fill("A draft with a secret");
    await until("the browser keeps it", () => person.kept("draft"));
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    const left = () => page.evaluate(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]);
    // The page goes to the provider and comes back meanwhile.
    await until("nothing is left", async () => `${await left().catch(() => null)}` === "0,0,0");
    assert.deepEqual((await person.context.cookies()).filter((cookie) => cookie.name.includes("desk")), []);
  },

  async "a return address outside of the desk is not followed"(person) {
    const page = await person.signIn();
    const made = await page.evaluate(() => {
      sessionStorage.setItem("desk:redirect:x", JSON.stringify({ codeVerifier: "v", returnTo: "//evil.example/desk/" }));
      location.assign("/desk/?code=c&state=x");
    });
    assert.equal(made, undefined);
    await page.getByRole("alert").waitFor();
    assert.equal(new URL(page.url()).pathname, "/desk/");
    assert.equal(new URL(page.url()).search, "");
  },

  async "an idle desk asks little"(person) {
    const page = await person.signIn();
    await page.waitForTimeout(3_000);
    const from = person.requests.length;
    await page.waitForTimeout(20_000);
    const asked = person.requests.slice(from).length;
    assert.ok(asked <= 8, `${asked} in twenty seconds`);
  },
};
