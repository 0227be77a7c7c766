// A person is asked for, comes, writes, and goes, with a reload between the steps.

import { Agent, asAgent, assert, expectFast, pause, REFUND, until } from "./visitor.mjs";

/** They wait for news most of the time. */
export const waits = 2;

/** Opens the chat, asks something, and asks for a person. */
async function escalated(visitor, options) {
  await visitor.visit(options);
  await visitor.open();
  await visitor.say(REFUND);
  await visitor.part("person").click();
  await visitor.waitFor("Our team was asked to help");
}

async function reload(visitor) {
  await visitor.page.reload();
  await visitor.part("field").waitFor();
  await visitor.page.locator("support-chat .item").nth(1).waitFor();
  await visitor.settled();
  await visitor.expectSameAsStored();
}

export default {
  async "a person comes, writes and gives back, and the page may be reloaded at each step"(visitor) {
    await escalated(visitor);
    const { page } = visitor;
    assert.match(await visitor.part("status").innerText(), /Your place in the queue: \d+/);
    assert.equal(await visitor.focus(), "field", "the button that was pressed is gone");
    assert.equal(await visitor.part("person").isVisible(), false);
    await visitor.shoot("waiting");
    await reload(visitor);
    await visitor.say("Are you there?");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    assert.equal(await visitor.part("status").isVisible(), false);
    await reload(visitor);
    await agent.says("Hello, this is Bob. See https://help.example.com/a_b.");
    await visitor.waitFor("Hello, this is Bob.");
    const link = page.locator("support-chat .agent a");
    assert.equal(await link.getAttribute("href"), "https://help.example.com/a_b");
    await visitor.shoot("agent");
    await visitor.say("Thank you, Bob");
    await reload(visitor);
    await agent.act("handback");
    await visitor.waitFor("The assistant answers again");
    await reload(visitor);
    await visitor.say(REFUND);
    assert.equal((await visitor.texts("ai")).filter((text) => text.includes("five working days")).length >= 2, true);
    await visitor.expectSameAsStored();
  },

  async "a resolved chat says so, and goes on when the customer writes"(visitor) {
    await escalated(visitor);
    const agent = await Agent.takes(await visitor.sessionId(), "Ada");
    await agent.says("Done.");
    await visitor.waitFor("Done.");
    await agent.act("resolve");
    await visitor.waitFor("This chat has ended");
    await visitor.shoot("ended");
    await reload(visitor);
    const text = await visitor.part("panel").innerText();
    assert.equal(text.split("This chat has ended").length, 2, "that is told once");
    const before = await visitor.sessionId();
    await visitor.say(REFUND);
    await visitor.waitFor("The chat continues");
    assert.equal(await visitor.sessionId(), before);
    await visitor.expectSameAsStored();
    assert.deepEqual(
      visitor.log.filter((line) => line.startsWith("409 ")),
      [],
    );
  },

  async "whoever was helped by a person is asked whether that helped, and may say why"(visitor) {
    await escalated(visitor);
    const { page } = visitor;
    const { escalationId } = await asAgent("GET", `/sessions/${await visitor.sessionId()}`);
    const agent = await Agent.takes(await visitor.sessionId(), "Ada");
    await agent.says("Done.");
    await visitor.waitFor("Done.");
    await agent.act("resolve");
    const card = visitor.part("rating");
    await card.getByText("Did that help?").waitFor();
    await visitor.shoot("asked");
    await card.getByRole("button", { name: "4 of 5" }).click();
    const rating = async () => (await asAgent("GET", `/inbox/${escalationId}`)).rating;
    await until("the score is stored", async () => (await rating())?.score === 4);
    await visitor.shoot("scored");
    await page.getByLabel("Would you like to say why?").fill("Ada was quick.");
    await card.getByRole("button", { name: "Send", exact: true }).click();
    await card.waitFor({ state: "detached" });
    const { score, comment } = await rating();
    assert.deepEqual([score, comment], [4, "Ada was quick."]);
    await reload(visitor);
    assert.equal(await card.count(), 0, "it is asked once");
  },

  async "a chat whose window is over stays to be read, and a new one begins below it"(visitor) {
    await escalated(visitor);
    const before = await visitor.sessionId();
    const agent = await Agent.takes(before);
    await agent.act("resolve");
    await visitor.waitFor("This chat has ended");
    const ended = await visitor.shown();
    await visitor.context.route("**/sessions/resume", (route) =>
      route.fulfill({
        status: 410,
        json: { error: "RESUME_WINDOW_EXPIRED", message: "", requestId: "x", details: [] },
      }),
    );
    await visitor.say("How long does the battery last?");
    await visitor.waitFor("eight months");
    const session = await visitor.sessionId();
    assert.notEqual(session, before);
    const shown = await visitor.shown();
    assert.deepEqual(shown.slice(0, ended.length), ended, "what was said stays");
    assert.deepEqual(
      shown.slice(ended.length).map(([role]) => role),
      ["customer", "ai"],
    );
    assert.equal(shown.filter(([, text]) => text.startsWith("This chat has ended")).length, 1, "that is told once");
    assert.equal(await visitor.part("actions").count(), 1, "votes are for answers of this session");
    assert.equal((await asAgent("GET", `/sessions/${session}/messages`)).items.length, 2);
    await visitor.shoot("began-anew");
    await reload(visitor);
  },

  async "a chat that ended while its page was left open goes on without a refusal"(visitor) {
    await visitor.visit({ prepare: (context) => context.clock.install() });
    await visitor.open();
    await visitor.say(REFUND);
    // The chat asks for nothing while nothing is to come: it does not know of this.
    const { escalationId } = await asAgent("POST", `/sessions/${await visitor.sessionId()}/takeover`, { agentId: "bob" });
    await asAgent("POST", `/inbox/${escalationId}/resolve`, { agentId: "bob" });
    await visitor.context.clock.fastForward("15:00");
    await visitor.say("How long does the battery last?");
    await visitor.waitFor("The chat continues");
    await visitor.waitFor("eight months");
    assert.deepEqual(
      visitor.log.filter((line) => line.startsWith("4")),
      [],
    );
    await visitor.expectSameAsStored();
  },

  async "who waits is answered by the assistant what the wiki knows, and still waits"(visitor) {
    await escalated(visitor);
    const before = (await visitor.texts("ai")).length;
    await visitor.say("What does shipping cost?");
    await until("it is answered", async () => (await visitor.texts("ai")).length === before + 1);
    assert.match((await visitor.texts("ai")).at(-1), /4\.90 euros/);
    assert.match(await visitor.part("status").innerText(), /Your place in the queue: \d+/);
    assert.equal(await visitor.part("person").isVisible(), false);
    await visitor.expectAccessibleInBoth("waiting-answered");
    await reload(visitor);
    const { escalationId } = await asAgent("GET", `/sessions/${await visitor.sessionId()}`);
    const { messages } = await asAgent("GET", `/inbox/${escalationId}`);
    assert.match(messages.at(-1).answer, /4\.90 euros/, "the agent reads it");
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    await visitor.shoot("waiting-answered-narrow");
  },

  async "a chat that misses offers a person, and calls one on yes"(visitor) {
    await visitor.visit();
    await visitor.open();
    for (const words of ["Do you sell purple elephants by the dozen?", "And giraffe insurance?", "Or kubernetes operators?"]) {
      await visitor.say(words);
      assert.match((await visitor.texts("ai")).at(-1), /Would you like to talk to a person\?/);
    }
    assert.equal(await visitor.part("status").isVisible(), false, "nobody is called unasked");
    await visitor.shoot("misses");
    await visitor.say("yes please");
    await visitor.waitFor("Our team was asked to help");
  },

  async "who no longer wants to wait gets an answer from the assistant"(visitor) {
    await escalated(visitor);
    await visitor.say("Do you sell purple elephants by the dozen?");
    const cancel = visitor.page.getByRole("button", { name: "Stop waiting" });
    await cancel.focus();
    await visitor.page.keyboard.press("Enter");
    await visitor.waitFor("I could not find an answer to that");
    // The button goes with the state, a moment after the answer came.
    await until("the button that was pressed is gone", async () => (await visitor.focus()) === "field");
    assert.equal(await visitor.part("person").isVisible(), true);
    await visitor.settled();
    await visitor.expectSameAsStored();
  },

  async "a request in the customer's own words is one, too"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("I want to talk to a human");
    await visitor.waitFor("Our team was asked to help");
    await visitor.part("status").waitFor();
    await visitor.expectSameAsStored();
  },

  async "what comes while the chat is closed is counted on the launcher and in the title"(visitor) {
    await escalated(visitor);
    const { page } = visitor;
    const title = await page.title();
    const agent = await Agent.takes(await visitor.sessionId());
    await page.keyboard.press("Escape");
    await agent.says("First");
    await agent.says("Second");
    await visitor.news();
    await page.waitForFunction(() => document.title.startsWith("(2) "));
    assert.equal(await visitor.part("badge").innerText(), "2");
    assert.equal(await visitor.part("launcher").getAttribute("aria-label"), "Open chat – 2 unread messages");
    await visitor.shoot("unread");
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith("(2) "));
    await visitor.open();
    assert.equal(await page.title(), title);
    await visitor.waitFor("Second");
    await visitor.page.keyboard.press("Escape");
    assert.equal(await visitor.part("badge").isVisible(), false);
    await agent.act("handback");
  },

  async "asking for news slows down while nobody comes and is fast while somebody is there"(visitor) {
    await escalated(visitor, { prepare: (context) => context.clock.install() });
    const { clock } = visitor.context;
    const polls = () => visitor.asked("/messages?after=").length;
    const begun = Date.now();
    // The third wait in which nothing comes is as long; a customer of another test who is taken begins anew.
    await until("it slows down in the queue", () => visitor.waits(begun).some((wait) => wait >= 4_000));
    const queued = visitor.waits(begun);
    assert.ok(queued.every((wait) => wait >= 1_800), `${queued} ms between requests in the queue`);
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    const joined = Date.now();
    await until("four requests with a person", () => visitor.waits(joined).length >= 3);
    expectFast(visitor.waits(joined));
    // In a tab that nobody looks at. The clock stands still: seconds of a busy machine would be among the thirty.
    await clock.pauseAt((await visitor.page.evaluate(() => Date.now())) + 20_000);
    // A request on its way would begin the thirty seconds later.
    await until("all is answered", () => visitor.asked("/api/v1/").every((one) => one.answered));
    await visitor.page.evaluate(() => fetch("/demo/shop.js", { cache: "no-store" }).then((one) => one.text()));
    await visitor.page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await pause(500);
    const hidden = polls();
    await clock.runFor(20_000);
    await pause(500);
    assert.equal(polls() - hidden, 0, "a hidden tab asks every 30 s");
    await clock.runFor(10_000);
    await until("a request of the hidden tab", () => polls() > hidden);
    assert.equal(polls() - hidden, 1, "a hidden tab asks every 30 s");
    await clock.resume();
    await visitor.page.evaluate(() => {
      delete document.hidden;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await agent.act("handback");
    await visitor.waitFor("The assistant answers again");
    await pause(2_500);
    const idle = polls();
    await pause(5_000);
    assert.equal(polls() - idle, 0, "nothing is to come");
    assert.equal((await asAgent("GET", `/sessions/${await visitor.sessionId()}`)).ownership, "ai");
  },
};
