// Questions, answers, votes, and the same conversation after a reload.

import { Agent, asAgent, assert, hold, REFUND, until } from "./visitor.mjs";

/** Waits until a text is in the part of the conversation that is seen, below the line "New messages" if there is to be one. */
async function seen(visitor, text, line, page = visitor.page) {
  const look = () =>
    page.evaluate((text) => {
      const log = document.querySelector("support-chat").shadowRoot.querySelector(".log");
      const area = log.getBoundingClientRect();
      const isSeen = (one) => {
        const { top, height } = one?.getBoundingClientRect() ?? {};
        return height > 0 && top >= area.top - 1 && top + Math.min(height, 40) <= area.bottom;
      };
      const newest = [...log.querySelectorAll(".bubble")].filter((one) => one.innerText.includes(text)).pop();
      const line = [...log.querySelectorAll(".new, .bubble")].filter((one) => one.matches(".new") || one === newest)[0];
      const isNew = line?.innerText === "New messages";
      return [isSeen(newest), isNew ? (isSeen(line) ? "seen" : "above") : "none"];
    }, text);
  await until(`${text} is seen`, async () => (await look())[0]);
  await visitor.settled(page);
  assert.deepEqual(await look(), [true, line], text);
}

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

  async "who comes back sees the newest answer, and where what is new begins"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 700 });
      for (const text of [REFUND, "And how long does delivery abroad take?", "How long does the battery last?"]) await visitor.say(text);
      await visitor.waitFor("eight months");
      // What was seen is no news.
      await page.reload();
      await seen(visitor, "eight months", "none");
      // The page goes before the answer has come.
      const held = await hold(page, "**/api/v1/sessions/*/messages", { reaches: true });
      await visitor.say("How do I return a pot?", { settled: false });
      await held.came;
      const { items } = await asAgent("GET", `/sessions/${await visitor.sessionId()}/messages`);
      const answer = items.at(-1).content.split(/[.*\n]/)[0];
      await page.reload();
      held.letGo();
      await seen(visitor, answer, "seen");
      for (const colorScheme of ["dark", "light"]) {
        await page.emulateMedia({ colorScheme });
        await visitor.shoot(`new-${colorScheme}-${width}`);
      }
      // In another tab it is no news any more.
      const other = await visitor.visit();
      await other.setViewportSize({ width, height: 700 });
      await visitor.part("launcher", other).click();
      await visitor.waitFor(answer, other);
      const newest = other.locator("support-chat .item.ai").last().locator("button").last();
      await until("the end is seen", () => newest.evaluate((one) => one.getBoundingClientRect().bottom < innerHeight - 60));
      assert.equal(await other.locator("support-chat .new").count(), 0);
      await other.close();
    }
    // A person answered while nobody was here, and the first words are written before the chat is connected.
    await visitor.say("I want to talk to a human");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    await visitor.part("close").click();
    for (let at = 1; at < 8; at += 1) await agent.says(`Line ${at} of Bob. ${"It goes on and on. ".repeat(at === 7 ? 40 : 4)}`);
    await visitor.news();
    await page.locator("support-chat [part=badge]").getByText("7").waitFor();
    await visitor.open();
    await seen(visitor, "Line 7 of Bob", "above");
    await visitor.shoot("several");
    await agent.act("handback");
    await visitor.waitFor("The assistant answers again");
    const token = await hold(page, "**/demo/token");
    await page.evaluate(() => {
      const saved = JSON.parse(localStorage.getItem("support-chat:/api/v1"));
      localStorage.setItem("support-chat:/api/v1", JSON.stringify({ ...saved, token: undefined }));
    });
    await page.reload();
    await token.came;
    await visitor.say(REFUND, { settled: false });
    token.letGo();
    await visitor.settled();
    await seen(visitor, "five working days", "none");
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

  async "an answer that is not sure says so, and like a dislike or a complaint it offers a person and the nearest articles"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    const last = (part) => page.locator("support-chat .item.ai").last().locator(part);
    const offered = async (what) => {
      assert.equal(await last("[part=ask]").count(), 1, what);
      assert.equal(await last("[part=nearest] li").count(), 2, what);
    };
    assert.equal(await last(".nearest").count(), 0, "a sure answer that nobody disliked");
    const dislike = page.getByRole("button", { name: "Not helpful" }).last();
    await dislike.click();
    await last("[part=ask]").waitFor();
    await offered("a dislike");
    assert.equal(await visitor.focus(), "Not helpful");
    await visitor.shoot("disliked");
    await dislike.click();
    await last(".nearest").waitFor({ state: "detached" });
    for (const complaint of ["this is useless", "what a terrible answer"]) {
      await visitor.say(complaint);
      await offered(complaint);
    }
    await visitor.shoot("complaint");
    // The same answer as if the service were less sure of it.
    await page.route("**/sessions/*/messages*", async (route) => {
      const response = await route.fetch();
      const told = await response.json();
      for (const one of told.items ?? [told]) if (one.disposition === "answered") one.confidence = 0.59;
      await route.fulfill({ response, json: told });
    });
    await visitor.say("How long does the battery last?");
    await visitor.waitFor("eight months");
    assert.equal(await last(".told").first().innerText(), "I am not sure that this answers it.");
    await offered("an unsure answer");
    const said = await page.locator("support-chat .panel > .said").textContent();
    assert.match(said, /eight months.*I am not sure that this answers it\./s, "it is read out");
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await visitor.expectAccessibleInBoth("unsure");
    }
    await last("[part=ask]").click();
    await visitor.waitFor("Our team was asked to help");
    assert.equal(await last("[part=ask]").isVisible(), false);
  },

  async "after two questions without an answer the chat asks whether it shall pass them on, and goes on answering"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    const offers = page.locator("support-chat .nearest", { hasText: "Shall I pass you on to a person?" });
    await visitor.say("Does my zebra fit into the pot of a delivery?");
    assert.equal(await offers.count(), 0, "not after one");
    await visitor.say("thanks");
    const question = "Do you sell purple elephants by the dozen?";
    await visitor.say(question);
    assert.equal(await visitor.part("ask").count(), 2, "one button each");
    assert.equal(await offers.count(), 1);
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await visitor.expectAccessibleInBoth("asks");
    }
    const sessionId = await visitor.sessionId();
    assert.equal((await asAgent("GET", `/sessions/${sessionId}`)).ownership, "ai", "nobody was asked unasked");
    await offers.locator("[part=ask]").click();
    await visitor.waitFor("Our team was asked to help");
    const { escalationId } = await asAgent("GET", `/sessions/${sessionId}`);
    assert.equal((await asAgent("GET", `/inbox/${escalationId}`)).reason, question);
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    const author = await page.locator("support-chat .item.ai").last().locator(".meta").innerText();
    assert.match(author, /^Assistant/, "the answer is marked as the assistant's");
    assert.match(await visitor.part("status").innerText(), /A person will answer you here/);
    await visitor.expectSameAsStored();
    await visitor.shoot("waiting");
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
