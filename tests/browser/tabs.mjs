// Two tabs of one visitor.

import { Agent, assert, expectFast, hold, pause, REFUND, until } from "./visitor.mjs";

/** They wait for news most of the time. */
export const waits = 2;

/** A tab in which a question was answered, and a second one that shows it. */
async function twoTabs(visitor) {
  const one = await visitor.visit();
  await visitor.open(one);
  await visitor.say(REFUND, { page: one });
  const two = await visitor.visit();
  await visitor.open(two);
  await visitor.waitFor("five working days", two);
  return [one, two];
}

/** Fails unless the tab `page` soon asks for news, and then alone. */
async function expectAsks(visitor, page, what) {
  const polls = (from) => visitor.asked("/messages?after=").filter((request) => request.at >= from);
  const begun = Date.now();
  await until(`${what} asks`, () => polls(begun).at(-1)?.page === page, 20_000);
  const from = Date.now();
  await until(`${what} asks again`, () => polls(from).length >= 2);
  assert.ok(
    polls(from).every((request) => request.page === page),
    `${what} asks alone`,
  );
}

export default {
  async "what is written in one tab stands in the other, and one of them asks for news"(visitor) {
    const [one, two] = await twoTabs(visitor);
    await visitor.say("And how long does delivery abroad take?", { page: two });
    await visitor.waitFor("eight working days", one);
    await visitor.expectSameAsStored(one);
    await visitor.expectSameAsStored(two);
    await visitor.part("person", one).click();
    for (const page of [one, two]) await visitor.waitFor("Our team was asked to help", page);
    const agent = await Agent.takes(await visitor.sessionId());
    for (const page of [one, two]) await visitor.waitFor("Bob joined the chat", page);
    await pause(1_000);
    const from = Date.now();
    await until("three requests with a person", () => visitor.waits(from).length >= 2);
    const polls = visitor.asked("/messages").filter((request) => request.at >= from);
    assert.equal(new Set(polls.map((request) => request.page)).size, 1, "one tab asks");
    expectFast(visitor.waits(from));
    // The other one asks where the first is gone.
    const leader = polls[0].page;
    const other = leader === one ? two : one;
    await leader.close();
    await agent.says("Still here?");
    await visitor.waitFor("Still here?", other);
    await visitor.expectSameAsStored(other);
    await agent.act("handback");
    await visitor.waitFor("The assistant answers again", other);
  },

  async "a tab that is looked at asks instead of one that is not"(visitor) {
    const one = await visitor.visit();
    await visitor.open(one);
    await visitor.say("I want to talk to a human", { page: one });
    await visitor.look(one, false);
    const two = await visitor.visit();
    await visitor.open(two);
    const agent = await Agent.takes(await visitor.sessionId(two));
    await visitor.waitFor("Bob joined the chat", two);
    await expectAsks(visitor, two, "a second tab");
    await two.reload();
    await visitor.waitFor("Bob joined the chat", two);
    await expectAsks(visitor, two, "a tab that was reloaded");
    await visitor.look(one, true);
    await visitor.look(two, false);
    await expectAsks(visitor, one, "a tab beside one that was hidden");
    await agent.act("handback");
  },

  async "what a tab leaves on its way when it is closed, another one sends"(visitor) {
    const [first, other] = await twoTabs(visitor);
    let sender = first;
    for (const reaches of [false, true]) {
      const held = await hold(sender, "**/api/v1/sessions/*/messages", { reaches });
      await visitor.say("And how long does delivery abroad take?", { page: sender, settled: false });
      await held.came;
      await other.locator("support-chat .state").waitFor();
      await sender.close({ runBeforeUnload: false });
      held.letGo();
      await other.locator("support-chat .state").waitFor({ state: "detached" });
      await visitor.expectSameAsStored(other);
      sender = await visitor.visit();
      await visitor.open(sender);
    }
    const turns = await visitor.expectSameAsStored(other);
    assert.equal(turns.filter((turn) => turn.role === "customer").length, 3);
  },

  async "tabs that write at the same moment lose nothing"(visitor) {
    const [one, two] = await twoTabs(visitor);
    await visitor.context.route("**/api/v1/sessions/*/messages", (route) => route.abort());
    // The first tab reads values as old as they are between processes in the worst case.
    await one.evaluate(() => {
      const old = { ...localStorage };
      window.fresh = Storage.prototype.getItem;
      Storage.prototype.getItem = function (key) {
        return this === localStorage ? (old[key] ?? null) : window.fresh.call(this, key);
      };
    });
    await two.evaluate(() => document.querySelector("support-chat").send("How long does the battery last?"));
    await one.evaluate(() => {
      document.querySelector("support-chat").send("And how long does delivery abroad take?");
      Storage.prototype.getItem = window.fresh;
    });
    await visitor.context.unroute("**/api/v1/sessions/*/messages");
    for (const page of [one, two]) {
      await visitor.waitFor("eight months", page);
      await visitor.waitFor("eight working days", page);
    }
    await visitor.expectSameAsStored(one);
    const turns = await visitor.expectSameAsStored(two);
    assert.equal(turns.filter((turn) => turn.role === "customer").length, 3);
  },

  async "a message whose reply was lost stands there once"(visitor) {
    const [one, two] = await twoTabs(visitor);
    const lose = async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fetch();
      // The last one may be under way when the network is sound again.
      await route.abort().catch(() => {});
    };
    await visitor.context.route("**/api/v1/sessions/*/messages", lose);
    await visitor.say("And how long does delivery abroad take?", { page: one, settled: false });
    for (const page of [one, two]) {
      await visitor.waitFor("eight working days", page);
      assert.equal((await visitor.texts("customer", page)).length, 2, `${await visitor.texts("customer", page)}`);
    }
    await visitor.context.unroute("**/api/v1/sessions/*/messages");
    await until("the message is sent", () =>
      one.evaluate(() => !Object.keys(localStorage).some((key) => key.includes("#"))),
    );
    for (const page of [one, two]) await visitor.expectSameAsStored(page);
  },

  async "the element may be taken out and put back at any moment"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const held = await hold(page, "**/api/v1/sessions/*/escalate", { reaches: true });
    await visitor.part("person").click();
    await held.came;
    const tokens = visitor.asked("/demo/token").length;
    await page.evaluate(() => {
      const chat = document.querySelector("support-chat");
      const { parentNode } = chat;
      chat.remove();
      parentNode.append(chat);
    });
    held.letGo();
    await visitor.waitFor("Our team was asked to help");
    const agent = await Agent.takes(await visitor.sessionId());
    await agent.says("Hello, this is Bob.");
    await visitor.waitFor("Hello, this is Bob.");
    assert.equal(visitor.asked("/demo/token").length, tokens + 1, "only what is on the page asks");
    await agent.act("handback");
  },

  async "who signs out while something is on its way leaves nothing to the next visitor"(visitor) {
    const page = await visitor.visit();
    const signOut = async () => {
      await visitor.context.clearCookies();
      await page.evaluate(() => document.querySelector("support-chat").logout());
    };
    await visitor.open();
    await visitor.say(REFUND);
    const vote = await hold(page, "**/api/v1/sessions/*/reaction");
    await page.getByRole("button", { name: "Helpful", exact: true }).click();
    await vote.came;
    await signOut();
    vote.letGo();
    await visitor.open();
    assert.deepEqual(await visitor.shown(), [], "nothing of the visitor before");
    await visitor.say(REFUND);
    const escalation = await hold(page, "**/api/v1/sessions/*/escalate");
    await visitor.part("person").click();
    await escalation.came;
    const asked = visitor.requests.length;
    await signOut();
    escalation.letGo();
    await pause(700);
    assert.deepEqual(
      visitor.requests.slice(asked).map((one) => one.url),
      [],
    );
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  },

  async "a tab that hears late of a visitor who left keeps what is stored of the next one"(visitor) {
    const [one, two] = await twoTabs(visitor);
    await visitor.context.clearCookies();
    await one.evaluate(() => document.querySelector("support-chat").logout());
    await two.waitForFunction(() => !document.querySelector("support-chat").shadowRoot.querySelector(".customer"));
    await visitor.open(one);
    await visitor.say("hello", { page: one });
    const session = await visitor.sessionId(one);
    await visitor.context.route("**/api/v1/sessions/*/messages", (route) => route.abort());
    await visitor.say("How long does the battery last?", { page: one, settled: false });
    await one.getByText("Not sent yet").waitFor();
    await one.evaluate(() => new BroadcastChannel("support-chat:/api/v1").postMessage({ type: "logout" }));
    await pause(500);
    await visitor.context.unroute("**/api/v1/sessions/*/messages");
    for (const page of [one, two]) {
      await visitor.waitFor("eight months", page);
      await visitor.expectSameAsStored(page);
    }
    assert.equal(await visitor.sessionId(one), session);
  },

  async "signing out in one tab forgets the visitor in both"(visitor) {
    const [one, two] = await twoTabs(visitor);
    await visitor.context.clearCookies();
    await one.evaluate(() => document.querySelector("support-chat").logout());
    await two.waitForFunction(() => !document.querySelector("support-chat").shadowRoot.querySelector(".customer"));
    assert.equal(await visitor.part("panel", one).isVisible(), false);
    await pause(500);
    const saved = await visitor.saved(two);
    assert.equal(saved.sessionId ?? null, null, "whoever is there now is a newcomer");
    assert.deepEqual(await visitor.texts("customer", two), []);
  },

  async "a token of somebody else discards what was stored"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const [session, visitorId] = [await visitor.sessionId(), (await visitor.saved()).externalUserId];
    await visitor.context.clearCookies();
    await page.reload();
    await visitor.part("field").waitFor();
    await page.getByText("Hello! How can I help you?").waitFor();
    await visitor.settled();
    const saved = await visitor.saved();
    assert.notEqual(saved.externalUserId, visitorId);
    assert.equal(saved.sessionId, null);
    assert.deepEqual(await visitor.texts("customer"), []);
    await visitor.say("How long does the battery last?");
    assert.notEqual(await visitor.sessionId(), session);
    await visitor.expectSameAsStored();
    // Where the page says who is there, what is stored of another is not even read.
    await page.evaluate(() => document.querySelector("support-chat").setAttribute("external-user-id", "somebody-else"));
    await page.waitForFunction(() => !document.querySelector("support-chat").shadowRoot.querySelector(".customer"));
  },
};
