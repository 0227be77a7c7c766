// Questions, answers, votes, and the same conversation after a reload.

import { asAgent, assert, REFUND, until } from "./visitor.mjs";

export default {
  async "an answer comes with its sources, a follow-up is understood, and small talk has none"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    assert.equal(await visitor.focus(), "field");
    const sources = visitor.part("sources");
    assert.match(await sources.first().innerText(), /Returns and refunds/);
    assert.equal(await sources.first().locator("li").count(), 1, "the one that the answer was made from");
    await visitor.shoot("answer");
    await visitor.say("And how long does delivery abroad take?");
    await visitor.waitFor("eight working days");
    const before = await sources.count();
    await visitor.say("thanks");
    assert.equal(await sources.count(), before, "small talk has no sources");
    assert.equal(await page.locator("support-chat .actions").count(), before, "and nothing to vote on");
    await visitor.expectSameAsStored();
    await page.reload();
    await page.getByText("eight working days").waitFor();
    await visitor.settled();
    const turns = await visitor.expectSameAsStored();
    assert.equal(turns.filter((turn) => turn.role === "customer").length, 3);
    await visitor.shoot("reloaded");
  },

  async "the demo answers what somebody new asks first"(visitor) {
    await visitor.visit();
    await visitor.open();
    for (const [question, answer] of [
      ["How much is a Fernpot?", /59 euros/],
      ["What are your opening hours?", /Monday to Friday from 9:00 to 17:00/],
      ["How can I pay?", /PayPal/],
      ["How can I contact you?", /0800 555 0142/],
      ["Where is my order?", /tracking link|leave our greenhouse/],
    ]) {
      await visitor.say(question);
      assert.match((await visitor.texts("ai")).at(-1), answer, question);
    }
    await visitor.shoot("first-questions");
  },

  async "an article leads to the tenant's own page where they have a template"(visitor) {
    await asAgent("PATCH", "/settings", {
      sourceUrlTemplate: "https://help.example.com/{path}?from=chat",
      texts: { greeting: "Hello, I am Fern." },
    });
    try {
      const page = await visitor.visit();
      await visitor.open();
      await page.getByText("Hello, I am Fern.").waitFor();
      await visitor.say(REFUND);
      await visitor.part("sources").getByRole("button").first().click();
      const link = visitor.part("articles").getByRole("link", { name: "Open on the website" });
      assert.equal(await link.getAttribute("href"), "https://help.example.com/demo/orders/refunds?from=chat");
      assert.deepEqual(
        [await link.getAttribute("target"), await link.getAttribute("rel")],
        ["_blank", "noopener noreferrer nofollow"],
      );
    } finally {
      await asAgent("PATCH", "/settings", { sourceUrlTemplate: null, texts: { greeting: null } });
    }
  },

  async "a vote is stored, replaced, shown after a reload and keeps the focus"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const button = (name) => page.getByRole("button", { name, exact: true });
    const vote = async (name, reactions) => {
      await button(name).focus();
      await page.keyboard.press("Enter");
      await page.locator(`support-chat [aria-label="${name}"][aria-pressed=true]`).waitFor();
      assert.equal(await visitor.focus(), name);
      await until(`${reactions} is stored`, async () => {
        const { items } = await asAgent("GET", `/sessions/${await visitor.sessionId()}/messages`);
        return `${items.find((turn) => turn.role === "ai").reactions}` === `${reactions}`;
      });
    };
    await vote("Helpful", ["thumbs_up"]);
    await vote("Not helpful", ["thumbs_down"]);
    assert.equal(await button("Helpful").getAttribute("aria-pressed"), "false");
    await visitor.shoot("voted");
    await page.reload();
    await page.locator('support-chat [aria-label="Not helpful"][aria-pressed=true]').waitFor();
    // Pressed once more, it is taken back.
    await button("Not helpful").click();
    await page.locator('support-chat [aria-label="Not helpful"][aria-pressed=false]').waitFor();
    await until("the vote is taken back", async () => {
      const { items } = await asAgent("GET", `/sessions/${await visitor.sessionId()}/messages`);
      return !items.find((turn) => turn.role === "ai").reactions.length;
    });
    await page.reload();
    await visitor.waitFor("five working days");
    assert.equal(await page.locator("support-chat [aria-pressed=true]").count(), 0);
  },

  async "an answer can be copied"(visitor) {
    const page = await visitor.visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await visitor.open();
    await visitor.say(REFUND);
    // The button says so, too, for two seconds: the page itself looks for it from before the click on.
    const said = page.waitForFunction(
      () => document.querySelector("support-chat").shadowRoot.querySelector('[aria-label="Answer copied"]'),
      null,
      { polling: 100 },
    );
    await Promise.all([said, page.getByRole("button", { name: "Copy answer" }).click()]);
    await visitor.shoot("copied");
    await page.getByText("Answer copied").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Copy answer" }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /five working days/);
  },

  async "a question without an answer has the nearest articles and a person as buttons, and no votes"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say("Does my zebra fit into the pot of a delivery?");
    assert.equal(await visitor.part("sources").count(), 0, "what is only near is no source");
    assert.equal(await page.locator("support-chat [data-vote]").count(), 0);
    const nearest = visitor.part("nearest").locator("li");
    assert.ok((await nearest.count()) > 0 && (await nearest.count()) <= 3);
    await visitor.expectSameAsStored();
    await visitor.shoot("no-answer");
    await visitor.part("ask").click();
    await visitor.waitFor("Our team was asked to help");
    assert.equal(await visitor.part("ask").isVisible(), false, "somebody was asked already");
    const { escalationId } = await asAgent("GET", `/sessions/${await visitor.sessionId()}`);
    const { reason } = await asAgent("GET", `/inbox/${escalationId}`);
    assert.equal(reason, "Does my zebra fit into the pot of a delivery?", "the team reads what it is about");
  },
};
