// The look of answers and articles, and articles opened in the panel.

import { Agent, asAgent, assert, REFUND } from "./visitor.mjs";

const QUESTION = "Which mooring rope do I need?";
const FILLER = "Every boat is moored by two ropes, and each of them is checked in spring and in autumn by its owner. ";
const ENTRY = {
  path: "demo/harbour/mooring-ropes",
  title: "Mooring ropes for the harbour",
  visibility: "public",
  content: [
    "The mooring rope depends on the length of your boat:",
    "| Length | Rope | Breaking load | Article | Note |\n|:--|--:|:-:|---|---|\n| up to 6 m | 10 mm | 2,100 kg | ROPE10GREENSTANDARD | one piece |\n| up to 9 m | 14 mm | 4,400 kg | ROPE14GREENSTANDARD | `a\\|b` |",
    "## How to make it fast",
    "1. Lay the rope\n   - around the bollard\n   - and back\n2. Run the check:\n\n   ```sh\n   harbour-check --rope 14 --boat 'Anna' --length 8.4 --report https://harbour.example.com/reports/annual\n   ```\n3. Done",
    FILLER.repeat(12),
    "> Ropes are checked each spring.",
  ].join("\n\n"),
};

/** The entry stands in the wiki while `run` runs. */
async function withEntry(run) {
  await asAgent("POST", "/wiki", ENTRY);
  try {
    await run();
  } finally {
    await asAgent("DELETE", `/wiki/${ENTRY.path}`);
  }
}

/** Fails where something reaches out of the panel, or a word of a table is cut. */
async function expectWhole(visitor, where) {
  const cut = await visitor.part(where).evaluate((one) => {
    const edge = one.getBoundingClientRect();
    const parts = [...one.querySelectorAll(".bubble, .wide, pre, p, li, h2")];
    const outside = parts.filter((part) => !part.closest("pre") && part.getBoundingClientRect().right > edge.right + 1);
    const split = [...one.querySelectorAll("td, th")].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return !/\s/.test(cell.textContent.trim()) && range.getClientRects().length > 1 && !cell.querySelector("code, button");
    });
    return [...outside, ...split].map((part) => part.outerHTML.slice(0, 80));
  });
  assert.deepEqual(cut, []);
}

export default {
  async "an article is found and read before anything is asked, and the way back leads where one was"(visitor) {
    await withEntry(async () => {
      const page = await visitor.visit();
      await visitor.open();
      assert.equal(visitor.asked("/articles.js").length, 0, "nobody needs its file yet");
      await visitor.shoot("first-screen");
      await visitor.part("search").fill("mooring rope");
      await page.keyboard.press("Enter");
      const articles = visitor.part("articles");
      await articles.getByRole("button", { name: ENTRY.title }).waitFor();
      await visitor.shoot("found");
      await articles.getByRole("button", { name: ENTRY.title }).click();
      await articles.getByRole("heading", { name: ENTRY.title }).waitFor();
      await articles.locator("td").first().waitFor();
      assert.equal(await articles.locator("th").count(), 5);
      assert.equal(await articles.locator("ol > li > ul > li").count(), 2);
      await expectWhole(visitor, "articles");
      await visitor.shoot("article");
      await visitor.part("back").click();
      await articles.getByRole("button", { name: ENTRY.title }).waitFor();
      await page.keyboard.press("Escape");
      await articles.waitFor({ state: "detached" });
      assert.equal(await visitor.focus(), "search");
      assert.equal(await visitor.part("panel").isVisible(), true);
      assert.deepEqual(visitor.asked("/sessions"), [], "reading makes no session");
    });
  },

  async "a search corrects typos, can be reached in a conversation, and ends with the assistant"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    const articles = visitor.part("articles");
    const seek = visitor.part("seek");
    const ask = articles.getByRole("button", { name: "Ask the assistant" });
    await visitor.part("search").fill("refnud");
    await page.keyboard.press("Enter");
    await articles.getByRole("button", { name: "Returns and refunds" }).waitFor();
    await ask.waitFor();
    await visitor.part("back").click();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await visitor.part("field").fill("Half a message");
      await seek.click();
      await articles.locator(".result").first().waitFor();
      assert.equal(await ask.count(), 0, "nothing is asked yet");
      const query = articles.getByRole("searchbox");
      await query.fill("zebra");
      await page.keyboard.press("Enter");
      await articles.getByText("No article was found.").waitFor();
      await ask.waitFor();
      await visitor.expectAccessibleInBoth("none");
      await query.fill("How long does the battery last?");
      await page.keyboard.press("Enter");
      await articles.locator(".result").first().waitFor();
      await ask.click();
      await articles.waitFor({ state: "detached" });
      assert.equal(await visitor.part("field").inputValue(), "Half a message");
      await visitor.waitFor("eight months");
      await visitor.settled();
      await visitor.expectAccessibleInBoth("asked");
    }
    assert.deepEqual((await visitor.texts("customer")).slice(1), Array(2).fill("How long does the battery last?"));
    // A person who is there is not the assistant.
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    await seek.click();
    await articles.getByRole("searchbox").fill("refund");
    await page.keyboard.press("Enter");
    await articles.getByRole("button", { name: "Returns and refunds" }).waitFor();
    assert.equal(await ask.count(), 0);
  },

  async "an excerpt ends with a whole word, whatever of it is seen"(visitor) {
    const words = "Every boat is moored by two ropes which its owner checks in spring and autumn ".repeat(12).trim();
    const link = `[boats](https://harbour.example.com/${"a".repeat(100)}) `;
    const contents = [words, link.repeat(12), `${"\u6E2F".repeat(400)}`, words.slice(0, words.indexOf("autumn") + 6)];
    const items = contents.map((content, at) => ({ path: `a/${at}`, title: `Entry ${at}`, content }));
    const page = await visitor.visit();
    await visitor.open();
    await page.route("**/api/v1/wiki?*", (route) => route.fulfill({ json: { items } }));
    await visitor.part("search").fill("boats");
    await page.keyboard.press("Enter");
    const excerpts = visitor.part("articles").locator(".result span");
    await excerpts.first().waitFor();
    const [long, linked, unspaced, whole] = await excerpts.allInnerTexts();
    assert.ok(words.startsWith(`${long.replace(/ …$/, "")} `) && long.length > 140, long);
    assert.match(linked, /^(boats ){11}boats\. ?$/);
    assert.equal(unspaced, `${"\u6E2F".repeat(160)} …`);
    assert.equal(whole, `${contents[3]}. `.trim());
    await visitor.shoot("excerpts");
  },

  async "an answer shows tables, nested lists and code, and what it leaves out opens the article"(visitor) {
    await withEntry(async () => {
      const page = await visitor.visit({ context: { viewport: { width: 390, height: 740 } } });
      await visitor.open();
      const content =
        "The mooring rope depends on the length of your boat:\n\n| Length | Rope | Article |\n|--|--:|--|\n| up to 6 m | 10 mm | ROPE10GREENSTANDARD |\n…\n| up to 9 m | 14 mm | ROPE14GREENSTANDARD |\n\n…\n\n1. Lay the rope\n   - around the bollard\n2. Run this:\n\n   ```\n   harbour-check --rope 14 --boat 'Anna' --length 8.4 --report all\n   ```";
      // As the service quotes a longer article.
      const sources = [{ path: ENTRY.path, title: ENTRY.title, confidence: 0.9, version: 1, used: true }];
      const quoted = { answer: content, disposition: "answered", sources };
      await visitor.context.route("**/sessions/*/messages*", async (route) => {
        const response = await route.fetch();
        const told = await response.json();
        const items = told.items?.map((turn) => (turn.role === "ai" ? { ...turn, ...quoted, content } : turn));
        await route.fulfill({ response, json: items ? { ...told, items } : { ...told, ...quoted } });
      });
      await visitor.say(QUESTION);
      const answer = visitor.part("ai-message").last();
      assert.deepEqual(await answer.locator("th").allInnerTexts(), ["Length", "Rope", "Article"]);
      assert.equal(await answer.locator("ol > li > ul > li").innerText(), "around the bollard");
      await expectWhole(visitor, "messages");
      // A new answer is read from its beginning.
      await page.waitForFunction(() => {
        const log = document.querySelector("support-chat").shadowRoot.querySelector(".log");
        const answer = [...log.querySelectorAll(".ai")].at(-1);
        const above = answer.getBoundingClientRect().top - log.getBoundingClientRect().top;
        return above >= 0 && above < log.clientHeight / 2;
      });
      await visitor.shoot("answer");
      const gaps = answer.getByRole("button", { name: "Show the whole article" });
      assert.equal(await gaps.count(), 2);
      const top = () => visitor.part("messages").evaluate((one) => one.scrollTop);
      await gaps.last().focus();
      const before = await top();
      await gaps.last().click();
      const articles = visitor.part("articles");
      await articles.getByText("Ropes are checked each spring.").waitFor();
      await visitor.shoot("article");
      await visitor.part("back").click();
      await articles.waitFor({ state: "detached" });
      assert.equal(await top(), before, "the conversation is where it was");
      assert.equal(await visitor.focus(), "Show the whole article");
    });
  },

  async "an agent's Markdown is shown as in the desk"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    const agent = await Agent.takes(await visitor.sessionId());
    await agent.says("Yes! **Norway** is 9 EUR.\nTwo ways:\n\n- 3 days\n- tracked\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    await visitor.waitFor("Norway");
    const message = visitor.part("agent-message");
    assert.deepEqual(
      await message.evaluate((one) => [...one.querySelectorAll("strong, li, td")].map((part) => part.textContent)),
      ["Norway", "3 days", "tracked", "1", "2"],
    );
    for (const colorScheme of ["dark", "light"]) {
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.shoot(`agent-${colorScheme}`);
    }
    const line = await message.locator("td").first().evaluate((one) => getComputedStyle(one).borderColor);
    const author = await message.locator("..").locator(".meta").evaluate((one) => getComputedStyle(one).color);
    assert.equal(line, author, "the lines of a table are seen as well as small words");
    const greets = visitor.page.locator("support-chat .meta").first();
    assert.equal(await greets.innerText(), "Assistant", "no assistant answers beside a person");
    await agent.act("handback");
    await greets.getByText("An automatic assistant answers you here.").waitFor();
  },
};
