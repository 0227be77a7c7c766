// Questions, answers, votes, and the same conversation after a reload.

import { asAgent, assert, pause, REFUND } from "./visitor.mjs";

export default {
  async "an answer comes with its sources, a follow-up is understood, and small talk has none"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    assert.equal(await visitor.focus(), "field");
    const sources = visitor.part("sources");
    assert.match(await sources.first().innerText(), /Returns and refunds/);
    assert.equal(await sources.locator("a").count(), 0, "without a template a title is no link");
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

  async "sources are links where the tenant has a template"(visitor) {
    await asAgent("PATCH", "/settings", {
      sourceUrlTemplate: "https://help.example.com/{path}?from=chat",
      texts: { greeting: "Hello, I am Fern." },
    });
    try {
      const page = await visitor.visit();
      await visitor.open();
      await page.getByText("Hello, I am Fern.").waitFor();
      await visitor.say(REFUND);
      const link = visitor.part("sources").locator("a").first();
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
      for (let tries = 0; ; tries += 1) {
        const { items } = await asAgent("GET", `/sessions/${await visitor.sessionId()}/messages`);
        const stored = items.find((turn) => turn.role === "ai").reactions;
        if (`${stored}` === `${reactions}`) break;
        assert.ok(tries < 50, `${stored}`);
        await pause(50);
      }
    };
    await vote("Helpful", ["thumbs_up"]);
    await vote("Not helpful", ["thumbs_down"]);
    assert.equal(await button("Helpful").getAttribute("aria-pressed"), "false");
    await visitor.shoot("voted");
    await page.reload();
    await page.locator('support-chat [aria-label="Not helpful"][aria-pressed=true]').waitFor();
  },

  async "an answer can be copied"(visitor) {
    const page = await visitor.visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await visitor.open();
    await visitor.say(REFUND);
    await page.getByRole("button", { name: "Copy answer" }).click();
    // The button says so, too, for a while.
    await page.getByRole("button", { name: "Answer copied" }).waitFor();
    await visitor.shoot("copied");
    await page.getByText("Answer copied").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Copy answer" }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /five working days/);
  },

  async "a question without an answer says so and offers a person"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("Which zebra sings on Jupiter?");
    assert.equal(await visitor.part("sources").count(), 0, "what is only near is no source");
    await visitor.expectSameAsStored();
    await visitor.shoot("no-answer");
  },
};
