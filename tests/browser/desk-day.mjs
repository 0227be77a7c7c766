// An agent's day beside answering: customers come back, claims end, colleagues hand over, alerts ring.

import { Customer, memberOf, Person, asAgent, assert, until } from "./person.mjs";

/** Lets a test move the page's clock by `ahead` milliseconds. */
const ahead = () => {
  const now = Date.now;
  Date.now = () => now() + (window.ahead ?? 0);
};

export const as = Person;
/** They wait for news most of the time. */
export const waits = 3;

/** Notes the page's notifications and sounds; the browser's leave for notifications is given when it is asked for. */
function noted() {
  window.asked = 0;
  window.told = [];
  window.rung = 0;
  window.Notification = class Told {
    static permission = "default";
    static async requestPermission() {
      window.asked += 1;
      return (Told.permission = "granted");
    }
    constructor(title, { body }) {
      window.told.push(`${title}: ${body}`);
    }
    close() {}
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    window.rung += 1;
    return start.apply(this, at);
  };
}

export default {
  async "a customer who writes again is taken back by button, key and name"(person) {
    const customer = await person.answers();
    const { page } = person;
    const reopen = page.getByRole("button", { name: "Reopen" });
    const ways = [
      () => reopen.press("Enter"),
      () => person.press("o"),
      async () => {
        await page.keyboard.press("Control+k");
        await person.searching();
        await page.keyboard.type("reopen");
        await page.getByRole("menuitem", { name: "Reopen" }).waitFor();
        await person.press("ArrowDown", "Enter");
      },
    ];
    for (const [at, again] of ways.entries()) {
      await customer.act("resolve", { resolution: "Sent again" });
      await reopen.waitFor();
      if (at === 0) {
        await asAgent("POST", "/sessions/resume", { sessionId: customer.sessionId });
        await customer.says("Thank you");
        await person.says("Thank you");
        await person.shoot("thanks");
      }
      await page.locator(".log").focus();
      await again();
      await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
      const { status, resolution } = await customer.escalation();
      assert.deepEqual([status, resolution], ["claimed", null]);
    }
    await person.reply("I look again.");
    await until("the reply is stored", async () => (await customer.replies()).includes("I look again."));
  },

  async "what is urgent is marked, and said to be"(person) {
    const customer = await Customer.waits();
    const page = await person.signIn();
    await person.open(customer);
    for (const [name, priority, count] of [
      ["Mark as urgent", "high", 1],
      ["Mark as not urgent", "normal", 0],
    ]) {
      await page.getByRole("button", { name: "More" }).press("Enter");
      await page.getByRole("menuitem", { name, exact: true }).click();
      await until(`it is ${priority}`, async () => (await customer.escalation()).priority === priority);
      await until("the head says so", async () => (await page.locator(".head .urgent").count()) === count);
      await until("the queue says so", async () => (await person.row(customer).locator(".urgent").count()) === count);
    }
  },

  async "all claims are renewed while one works, and the end of one is said"(person) {
    let leftMs = 4 * 60_000;
    const [other, customer] = [await Customer.waits(), await Customer.waits()];
    const page = await person.signIn({ script: ahead });
    await person.answers({ customer: other });
    await person.context.route(/\/inbox\/(takeover|esc_\w+)$/, async (route) => {
      const response = await route.fetch();
      const case_ = response.ok() ? await response.json() : {};
      // The service's time is the real one: what lapses here was released.
      const lapsed = case_.releaseReason && { ...case_, releaseReason: "lapsed" };
      const leaseExpiresAt = new Date(Date.now() + leftMs).toISOString();
      if (!leftMs || !case_.leaseExpiresAt) return route.fulfill({ response, ...(lapsed && { json: lapsed }) });
      return route.fulfill({ response, json: { ...case_, leaseExpiresAt } });
    });
    await person.answers({ customer });
    const before = (await other.escalation()).leaseExpiresAt;
    await page.evaluate(() => (window.ahead = 6 * 60_000));
    await page.mouse.move(300, 300);
    await page.mouse.move(310, 310);
    const isRenewed = async () => (await other.escalation()).leaseExpiresAt > before;
    await until("the one that is not shown is renewed", isRenewed);
    await page.evaluate(() => (window.ahead = 0));
    await customer.says("Hello?");
    await page.getByText(/Yours for [34]/).waitFor();
    await person.shoot("ends-soon");
    leftMs = -1_000;
    await customer.says("Are you there?");
    await page.getByText("Your time is over: it goes back to the queue.").waitFor();
    await person.shoot("ended");
    leftMs = 0;
    await page.getByRole("button", { name: "Keep for longer" }).click();
    await page.getByText(/Yours until/).waitFor();
    await customer.act("release");
    await person.notice("The customer waited, and your claim lapsed: it waits for everybody again.");
    await page.getByRole("button", { name: "Take", exact: true }).waitFor();
    await page.getByText("The claim of Bea lapsed").waitFor();
    await person.shoot("lapsed");
  },

  async "an answered customer stays one's own by no clock"(person) {
    const customer = await person.answers();
    await person.page.getByText(/Yours until/).waitFor();
    await person.reply("It is on its way.");
    await until("it has no end", async () => (await customer.escalation()).leaseExpiresAt === null);
    await person.page.locator(".stand").getByText("Yours", { exact: true }).waitFor();
    await person.shoot("answered");
    await customer.says("And when does it arrive?");
    await person.page.getByText(/Yours until/).waitFor();
  },

  async "what one writes is saved as a reply, changed in the settings, and deleted there"(person) {
    await person.answers();
    const { page } = person;
    const [shortcut, title] = [`s${Date.now()}`, `Reply ${Date.now()}`];
    await person.field.fill("Hello {{customer.nam}}, it is on its way.");
    await page.getByRole("button", { name: "Save as reply" }).click();
    const form = page.getByRole("dialog", { name: "New saved reply" });
    await form.getByLabel("Title").fill(title);
    await form.getByLabel("Shortcut").fill(shortcut);
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await form.getByText(/Only \{\{customer.name\}\}/).waitFor();
    await person.shoot("reply-refused");
    await form.getByLabel("Text").fill("Hello {{customer.firstName|there}}, it is on its way.");
    await person.expectAccessibleInBoth("reply-form");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await person.notice("Saved.");
    assert.match(await person.field.inputValue(), /customer\.nam\}/, "what was being written stays");
    const saved = async () => (await asAgent("GET", "/saved-replies?limit=100")).items.filter((one) => one.title.startsWith(title));
    assert.equal((await saved()).length, 0, "an agent's is their own");
    await page.goto(`${person.desk}settings/replies`);
    await page.getByRole("button", { name: `Change ${title}` }).click();
    const change = page.getByRole("dialog", { name: "Change a saved reply" });
    await change.getByLabel("Title").fill(`${title} again`);
    await change.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("rowheader", { name: `${title} again` }).waitFor();
    await person.expectAccessibleInBoth("replies");
    await page.setViewportSize({ width: 390, height: 800 });
    await person.shoot("replies-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: `Delete ${title} again` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the saved reply" }).click();
    await page.getByRole("rowheader", { name: `${title} again` }).waitFor({ state: "detached" });
  },

  async "a customer's name and e-mail are entered by who talks to them"(person) {
    const customer = await Customer.waits({ name: "Visitor", email: "old@example.com", verified: true });
    const page = await person.signIn();
    await person.open(customer);
    await page.getByRole("button", { name: "Enter name and e-mail" }).click();
    const dialog = page.getByRole("dialog", { name: "Enter name and e-mail" });
    await dialog.getByLabel("Name").fill("Anna Weber");
    await dialog.getByLabel("E-mail").fill("anna@weber@example");
    await dialog.getByRole("button", { name: "Save" }).click();
    await person.notice("The service does not take this text.");
    await dialog.getByLabel("E-mail").fill("anna@weber.example");
    await person.expectAccessibleInBoth("customer-form");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator(".head h2", { hasText: "Anna Weber" }).waitFor();
    const { user } = await asAgent("GET", `/sessions/${customer.sessionId}`);
    assert.deepEqual(user, { name: "Anna Weber", email: "anna@weber.example", verified: false }, "nobody vouches for it");
    await person.shoot("customer-entered");
  },

  async "a customer who comes back is marked, with the colleague who had them"(person) {
    const customer = await Customer.waits();
    const otto = { agentId: "otto", agentName: "Otto" };
    await asAgent("POST", "/inbox/takeover", { ...otto, escalationId: customer.escalationId });
    await customer.act("message", { ...otto, content: "I sent a new one." });
    await customer.act("resolve", otto);
    await asAgent("POST", "/sessions/resume", { sessionId: customer.sessionId });
    const { escalationId } = await customer.says("it still does not work");
    customer.escalationId = escalationId;
    const page = await person.signIn();
    const row = person.row(customer);
    await row.getByText("Came back", { exact: true }).waitFor();
    await row.getByText("Was with Otto").waitFor();
    await person.shoot("came-back");
    await person.open(customer);
    await page.locator(".stand").getByText("Otto had it before").waitFor();
    await person.shoot("came-back-open");
  },

  async "a customer is handed to a colleague, who is told"(person) {
    const colleague = new Person(person.browser, person.folder, "desk-day-colleague");
    const { name, memberId } = await memberOf("admin");
    try {
      const theirs = await colleague.signIn({ who: "admin", place: "?view=mine", script: noted });
      await theirs.getByRole("switch", { name: "Available" }).press(" ");
      await theirs.getByRole("switch", { name: "Away" }).waitFor();
      const customer = await person.answers();
      const { page } = person;
      await page.keyboard.press("Control+k");
      await person.searching();
      await page.keyboard.type("transfer");
      await page.getByRole("menuitem", { name: "Transfer" }).waitFor();
      await person.press("ArrowDown", "Enter");
      const dialog = page.getByRole("dialog", { name: "Transfer to a colleague" });
      await dialog.getByRole("option", { name }).getByText("Away").waitFor();
      assert.equal(await dialog.getByRole("option", { name: "Bea Agent" }).count(), 0, "not to oneself");
      await person.shoot("transfer");
      await person.searching();
      await page.keyboard.type("nobody of this name");
      await dialog.getByText("No colleague has this name.").waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(name.slice(0, 3).toLowerCase());
      await dialog.getByRole("option", { name }).waitFor();
      await person.press("ArrowDown", "Enter");
      await page.locator("textarea:focus").waitFor();
      await page.keyboard.type("Knows about refunds");
      await person.shoot("transfer-chosen");
      await page.keyboard.press("Control+Enter");
      await person.notice(`Transferred to ${name}.`);
      assert.equal((await customer.escalation()).claimedBy.agentId, memberId);
      assert.ok((await customer.turns("agent")).some((turn) => turn.internal && turn.content === "Knows about refunds"));
      await colleague.row(customer).getByRole("img", { name: "New message" }).waitFor();
      await until("it rings", () => theirs.evaluate(() => window.rung > 0));
      await colleague.open(customer);
      await theirs.locator(".turn.note").getByText("Knows about refunds").waitFor();
      await theirs.getByRole("switch", { name: "Away" }).press(" ");
      await theirs.getByRole("switch", { name: "Available" }).waitFor();
      await colleague.expectClean();
    } finally {
      await colleague.leave();
    }
  },

  async "a sound and a notification tell that somebody wrote, not what, and can be switched off"(person) {
    const customer = await person.answers({ place: "?view=mine", script: noted });
    const { page } = person;
    const switched = async (name) => {
      await page.keyboard.press("Control+k");
      await person.searching();
      await page.keyboard.type("preferences");
      await page.getByRole("menuitem", { name: "Preferences", exact: true }).click();
      await page.getByRole("switch", { name }).press(" ");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    const [rung, told] = [() => page.evaluate(() => window.rung), () => page.evaluate(() => window.told)];
    await page.keyboard.press("Control+k");
    await person.searching();
    await page.keyboard.type("close");
    await page.getByRole("menuitem", { name: "Close conversation view" }).waitFor();
    await person.press("ArrowDown", "Enter");
    await page.getByText("Choose a conversation").waitFor();
    await switched("Sound");
    // Customers of other tests rang before.
    const before = await rung();
    assert.equal(await page.evaluate(() => window.asked), 0, "nothing is asked for by itself");
    await switched("Desktop notifications");
    assert.equal(await page.evaluate(() => window.asked), 1);
    await person.look(page, false);
    await customer.says("A secret of mine");
    // Customers of other tests, who begin to wait, are told of, too.
    await until("it is told", async () => (await told()).includes("Desk: A customer has written to you."));
    const heard = await told();
    assert.ok(heard.every((text) => !/secret/i.test(text) && !text.includes(customer.name)), `${heard}`);
    assert.equal(await rung(), before, "the sound is off");
    await person.look(page, true);
    await switched("Sound");
    await customer.says("Another one");
    await until("it rings", async () => (await rung()) > before);
    await page.reload();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Preferences", exact: true }).click();
    await page.getByRole("switch", { name: "Desktop notifications" }).waitFor();
    assert.equal(await page.getByRole("switch", { name: "Desktop notifications" }).isChecked(), true);
    await person.shoot("settings");
  },

  async "an invitation signs a new member in, once"(person) {
    // The demo's provider knows three people, so one of them joins anew.
    const before = await memberOf("trainer");
    if (before) await asAgent("DELETE", `/members/${before.memberId}`);
    const roles = ["trainer", "agent"];
    const { memberId, invitationUrl } = await asAgent("POST", "/members", { email: "trainer@demo.example", name: "Tom Trainer", roles });
    person.who = "trainer";
    await person.arrive();
    const { page } = person;
    await page.goto(invitationUrl);
    await page.reload();
    await page.getByText("You are invited to this desk.").waitFor();
    assert.equal(new URL(page.url()).hash, "", "the secret is not in the address");
    await person.shoot("invited");
    await person.throughProvider();
    assert.equal((await memberOf("trainer")).memberId, memberId);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.goto(`${person.desk}${new URL(invitationUrl).hash}`);
    await page.reload();
    await page.getByRole("button", { name: "Sign in and accept" }).press("Enter");
    await page.getByRole("button", { name: "Tom Trainer" }).press("Enter");
    await page.getByRole("alert").waitFor();
    await person.shoot("invited-twice");
    await page.getByRole("button", { name: "Sign in without the invitation" }).press("Enter");
    await page.getByRole("button", { name: "Tom Trainer" }).press("Enter");
    await person.ready();
  },
};
