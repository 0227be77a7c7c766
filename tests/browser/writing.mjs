// A customer's text is kept, and the conversation is easy to follow.

import { Agent, assert, pause, REFUND, until } from "./visitor.mjs";

export default {
  async "a draft stays after a reload and where a page takes the chat out and puts it back"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.part("field").fill("My order number is");
    await page.reload();
    await visitor.part("field").waitFor();
    assert.equal(await visitor.part("field").inputValue(), "My order number is");
    await page.evaluate(() => {
      const chat = document.querySelector("support-chat");
      const { parentNode } = chat;
      chat.remove();
      history.pushState(null, "", "#other");
      parentNode.append(chat);
    });
    await visitor.part("field").waitFor();
    assert.equal(await visitor.part("field").inputValue(), "My order number is");
    await visitor.say(REFUND);
    await page.reload();
    await visitor.waitFor("five working days");
    assert.equal(await visitor.part("field").inputValue(), "");
    await visitor.part("field").fill("A secret");
    await page.evaluate(() => document.querySelector("support-chat").logout());
    assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0, "gone with the visitor");
  },

  async "what is too long for one message is refused and stays in the field"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    const text = `${"🌱".repeat(4_000)}${"a".repeat(4_003)}`;
    await visitor.part("field").fill(text);
    await page.keyboard.press("Enter");
    await visitor.waitFor("Your message is 3 characters too long.");
    assert.equal(await visitor.part("field").inputValue(), text);
    await visitor.shoot("too-long");
    assert.deepEqual(visitor.asked("/sessions"), []);
    await visitor.part("field").fill(text.slice(0, -3));
    assert.equal(await visitor.part("notice").isVisible(), false);
    await page.keyboard.press("Enter");
    await visitor.settled();
    assert.equal((await visitor.texts("customer"))[0].length, text.length - 3);
    await page.evaluate((text) => document.querySelector("support-chat").send(text), text);
    await visitor.waitFor("Your message is 3 characters too long.");
  },

  async "what cannot be sent has one button to try again, and a person is asked for again by itself"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const block = (route) => route.abort();
    await visitor.context.route("**/api/v1/sessions/*/messages", block);
    for (const text of ["One", "Two"]) await visitor.say(text, { settled: false });
    await visitor.part("notice").waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 1);
    await visitor.shoot("unsent");
    await visitor.context.unroute("**/api/v1/sessions/*/messages", block);
    await visitor.settled();
    await visitor.context.route("**/api/v1/sessions/*/escalate", block);
    await visitor.part("person").click();
    await visitor.waitFor("Asking for a person");
    await visitor.part("notice").waitFor();
    assert.equal(await visitor.part("person").isVisible(), false);
    await visitor.shoot("asking");
    // Also where the page is left meanwhile.
    await page.reload();
    await visitor.context.unroute("**/api/v1/sessions/*/escalate", block);
    await visitor.waitFor("Our team was asked to help");
    await visitor.expectSameAsStored();
  },

  async "two answers that did not help are not the customer's asking for a person"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    for (const question of [REFUND, "How long does the battery last?"]) {
      await visitor.say(question);
      await page.getByRole("button", { name: "Not helpful" }).last().click();
    }
    await visitor.waitFor("Our team was asked to help");
    const text = await visitor.part("panel").innerText();
    assert.equal(text.includes("You asked"), false);
  },

  async "days stand between messages, hours are the visitor's, and sentences are read out"(visitor) {
    await visitor.visit();
    await visitor.open();
    const at = (days) => {
      const date = new Date();
      date.setDate(date.getDate() - days);
      date.setHours(15, 5);
      return date.toISOString();
    };
    const times = [at(9), at(9), at(1), at(1)];
    await visitor.context.route("**/sessions/*/messages*", async (route) => {
      const response = await route.fetch();
      const told = await response.json();
      const items = told.items?.map((turn) => ({ ...turn, createdAt: times[turn.turn - 1] ?? turn.createdAt }));
      await route.fulfill({ response, json: items ? { ...told, items } : told });
    });
    await visitor.say(REFUND);
    await visitor.say("How do I pair my pot?");
    await visitor.say("How long does the battery last?");
    const days = await visitor.page.locator("support-chat .day").allInnerTexts();
    assert.equal(days.length, 3, `${days}`);
    assert.match(days[0], /^[A-Z][a-z]+day,? \d+ [A-Z][a-z]+( \d{4})?$/);
    assert.deepEqual(days.slice(1).map((day) => day.toLowerCase()), ["yesterday", "today"]);
    assert.match(await visitor.page.locator("support-chat .meta time").first().innerText(), /^15:05$/);
    await visitor.shoot("days");
    const said = await visitor.page.locator("support-chat [aria-live=polite] p").allTextContents();
    const answer = said.find((text) => text.includes("Hold the leaf button"));
    assert.match(answer, /^Assistant: .* connects\. If the app/);
  },

  async "what a chat asks in an hour depends on what is to come, and it asks at once when it is opened"(visitor) {
    const page = await visitor.visit({ prepare: (context) => context.clock.install() });
    const { clock } = visitor.context;
    const asked = () => visitor.asked("/api/v1/");
    /** All requests are answered, and the page has read the answers: the next request comes whole after that. */
    const answered = async () => {
      await pause(20);
      await until("all is answered", () => asked().every((one) => one.answered));
      await page.evaluate(() => fetch("/demo/shop.js", { cache: "no-store" }).then((one) => one.text()));
    };
    /** A minute of the page's clock, which stands still otherwise, in steps of so many seconds; sixty times that. */
    const anHour = async (seconds = 15) => {
      // The clock runs until it is told, and cannot be set back.
      await clock.pauseAt((await page.evaluate(() => Date.now())) + 20_000);
      await answered();
      const before = asked().length;
      for (let at = 0; at < 60; at += seconds) {
        await clock.runFor(seconds * 1_000);
        await answered();
      }
      const count = asked().length - before;
      await clock.resume();
      return count * 60;
    };
    const figures = {};
    await visitor.part("launcher").waitFor();
    figures["never opened"] = await anHour();
    await visitor.open();
    await visitor.say("hello");
    figures["open, nothing to come"] = await anHour();
    await visitor.say("I want to talk to a human");
    figures["waiting, first minute"] = await anHour(2);
    figures["waiting"] = await anHour();
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    figures["with a person"] = await anHour(2);
    await visitor.look(page, false);
    figures["with a person, hidden tab"] = await anHour();
    await visitor.look(page, true);
    await page.keyboard.press("Escape");
    figures["with a person, closed"] = await anHour();
    const closed = asked().length;
    await visitor.part("launcher").click();
    await until("a request when it is opened", () => asked().length > closed);
    await agent.act("handback");
    await visitor.waitFor("The assistant answers again");
    await page.keyboard.press("Escape");
    // A request that was due when it was closed is none of the hours after.
    await anHour();
    figures["closed, nothing to come"] = await anHour();
    console.log(`        requests an hour: ${JSON.stringify(figures)}`);
    assert.deepEqual(figures, {
      "never opened": 0,
      "open, nothing to come": 0,
      "waiting, first minute": figures["waiting, first minute"],
      waiting: 240,
      "with a person": figures["with a person"],
      "with a person, hidden tab": 120,
      "with a person, closed": 240,
      "closed, nothing to come": 0,
    });
    assert.ok(figures["waiting, first minute"] <= 600 && figures["with a person"] <= 1_800, JSON.stringify(figures));
    assert.ok(figures["with a person"] >= 1_500, "every 2 s");
  },

  async "a wrong token-url says so on the console"(visitor) {
    const page = await visitor.visit();
    await page.evaluate(() => document.querySelector("support-chat").setAttribute("token-url", "/api/v1/nowhere"));
    await visitor.part("launcher").click();
    await visitor.part("notice").waitFor();
    let told;
    await until("the console has it", () => (told = visitor.log.find((line) => line.startsWith("error: <support-chat>"))));
    assert.match(told, /token-url, POST http\S+\/api\/v1\/nowhere, answered 40[145]\b.*widget-token/);
    await page.evaluate(() => (document.querySelector("support-chat").getToken = async () => ({ token: "x" })));
    await page.getByRole("button", { name: "Try again" }).click();
    await until("a second line", () => visitor.log.some((line) => /getToken has no `token`/.test(line)));
  },
};
