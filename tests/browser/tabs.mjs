// Two tabs of one visitor.

import { Agent, assert, expectFast, pause, REFUND, until } from "./visitor.mjs";

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

export default {
  async "what is written in one tab stands in the other, and one of them asks for news"(visitor) {
    const [one, two] = await twoTabs(visitor);
    await visitor.say("And how long does delivery abroad take?", { page: two });
    await visitor.waitFor("eight working days", one);
    await visitor.expectSameAsStored(one);
    await visitor.expectSameAsStored(two);
    await visitor.part("person", one).click();
    for (const page of [one, two]) await visitor.waitFor("You asked for a person", page);
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
    await one.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    const two = await visitor.visit();
    await visitor.open(two);
    await two.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    const agent = await Agent.takes(await visitor.sessionId(two));
    await visitor.waitFor("Bob joined the chat", two, 16_000);
    const from = Date.now();
    await pause(4_500);
    const polls = () => visitor.asked("/messages").filter((request) => request.at >= from);
    await until("a request for news", () => polls().length >= 1);
    assert.ok(
      polls().every((request) => request.page === two),
      "the tab that is looked at asks",
    );
    await agent.act("handback");
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
