// For everybody: axe-core, what axe does not see, small screens, zoom.

import { Agent, assert, hold, REFUND, until } from "./visitor.mjs";

/** The rules whose result differs between light, dark and forced colours. */
const COLOURS = ["color-contrast"];

/** Whether the pointer meets a part at its middle. */
function hit(visitor, name) {
  return visitor.part(name).evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const found = one.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
    const inView = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
    return inView && (found === one || one.contains(found));
  });
}

export default {
  async "axe finds nothing in any state, light or dark"(visitor) {
    const page = await visitor.visit();
    const check = (state) => visitor.expectAccessibleInBoth(state);
    await check("closed");
    await visitor.open();
    await check("open");
    await visitor.part("search").fill("refund");
    await page.keyboard.press("Enter");
    await page.locator("support-chat .result").first().waitFor();
    await check("found");
    await visitor.part("back").click();
    await visitor.part("person").click();
    await visitor.part("card").waitFor();
    await check("about");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Cancel" }).click();
    await visitor.say(REFUND);
    await page.getByRole("button", { name: "Helpful", exact: true }).click();
    await page.locator("support-chat [aria-pressed=true]").waitFor();
    await check("answered");
    await visitor.part("sources").getByRole("button").first().click();
    await visitor.part("articles").getByRole("heading").waitFor();
    await check("article");
    await visitor.part("back").click();
    await visitor.context.route("**/api/v1/sessions/*/messages", (route) => route.abort());
    await visitor.say("Not sent", { settled: false });
    await visitor.part("notice").waitFor();
    await check("unreachable");
    await visitor.context.unroute("**/api/v1/sessions/*/messages");
    await visitor.settled();
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    await visitor.part("status").waitFor();
    await check("waiting");
    const agent = await Agent.takes(await visitor.sessionId());
    await agent.says("Hello, this is Bob.");
    await visitor.waitFor("Hello, this is Bob.");
    await check("agent");
    await page.keyboard.press("Escape");
    await agent.says("Are you there?");
    await visitor.news();
    await visitor.part("badge").waitFor();
    await check("unread");
    await agent.act("resolve");
    await visitor.open();
    await visitor.waitFor("This chat has ended");
    await visitor.part("rating").getByRole("button").nth(4).click();
    await page.getByLabel("Would you like to say why?").waitFor();
    await check("ended");
  },

  async "axe finds nothing where nobody is there, from right to left, at 200 %, in forced colours"(visitor) {
    const page = await visitor.visit();
    await page.setViewportSize({ width: 550, height: 400 });
    await page.evaluate(() => document.querySelector("support-chat").setAttribute("locale", "ar"));
    for (const path of ["**/demo/token", "**/escalate"]) {
      await visitor.context.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), peopleAvailable: false, nextOpenAt: null } });
      });
    }
    const check = async (state) => {
      await visitor.expectAccessible(state);
      await visitor.shoot(state);
      await page.emulateMedia({ forcedColors: "active" });
      await visitor.expectAccessible(`${state}, in forced colours`, COLOURS);
      await visitor.shoot(`${state}-forced`);
      await page.emulateMedia({ forcedColors: null });
      const reach = await visitor.part("panel").evaluate((one) => one.scrollWidth <= one.clientWidth);
      assert.equal(reach, true, `${state}: a text is wider than its place`);
    };
    await visitor.open();
    await visitor.say("Which zebra sings on Jupiter?");
    await check("no-answer");
    await visitor.part("ask").click();
    await page.locator("support-chat input[type=email]").waitFor();
    await check("email");
    await page.locator("support-chat input[type=email]").fill("ann");
    await page.keyboard.press("Enter");
    await page.locator("support-chat .problem:not(:empty)").waitFor();
    await check("wrong");
  },

  async "Send can be met on every width, and with a page at 200 %"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    for (const [width, height] of [
      [320, 568],
      [360, 740],
      [768, 1024],
      [550, 400],
      [640, 320],
    ]) {
      await page.setViewportSize({ width, height });
      for (const name of ["send", "field", "close", "person"]) {
        assert.equal(await hit(visitor, name), true, `${name} at ${width} x ${height}`);
      }
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        true,
        `the page at ${width}`,
      );
      const log = await visitor.part("messages").evaluate((one) => one.clientHeight);
      assert.ok(log >= 60, `${log} pixels of conversation at ${width} x ${height}`);
      await visitor.shoot(`${width}x${height}`);
    }
  },

  async "on a phone the launcher covers nothing, and the field stays above the keyboard"(visitor) {
    const page = await visitor.visit({
      context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [end, launcher] = await page.evaluate(() => [
      document.querySelector("footer").getBoundingClientRect().bottom,
      document.querySelector("support-chat").shadowRoot.querySelector(".launcher").getBoundingClientRect().top,
    ]);
    assert.ok(end <= launcher, `the page ends at ${end}, the launcher begins at ${launcher}`);
    await visitor.shoot("phone-closed");
    await visitor.part("launcher").tap();
    await visitor.part("field").waitFor();
    assert.equal(await visitor.part("launcher").isVisible(), false);
    // A keyboard of 300 pixels.
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, "height", { value: 440, configurable: true });
      visualViewport.dispatchEvent(new Event("resize"));
    });
    const bottom = await visitor.part("field").evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(bottom <= 440 && bottom > 380, `${bottom}`);
    await visitor.shoot("phone-keyboard");
    await page.evaluate(() => {
      delete visualViewport.height;
      visualViewport.dispatchEvent(new Event("resize"));
    });
    const rest = await visitor.part("panel").evaluate((one) => one.getBoundingClientRect().height);
    assert.equal(rest, 740);
  },

  async "who wants no motion gets none"(visitor) {
    const page = await visitor.visit({ context: { reducedMotion: "reduce" } });
    await visitor.open();
    const held = await hold(visitor.context, "**/messages");
    await visitor.say(REFUND, { settled: false });
    await page.locator("support-chat .typing").waitFor();
    await visitor.shoot("typing");
    const running = await page.evaluate(() => document.querySelector("support-chat").shadowRoot.getAnimations().length);
    assert.equal(running, 0);
    held.letGo();
    await visitor.settled();
  },

  async "what comes is said by a polite region of its own"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const said = visitor.page.locator("support-chat [aria-live=polite]");
    assert.match(await said.evaluate((one) => one.textContent), /Assistant: .*five working days/);
    assert.equal(await visitor.page.locator("support-chat [aria-live]").count(), 1);
  },

  async "a reader of earlier messages stays there and is told of newer ones"(visitor) {
    const page = await visitor.visit({ context: { viewport: { width: 1100, height: 420 } } });
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.say("I want to talk to a human");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    await visitor.part("messages").evaluate((one) => (one.scrollTop = 0));
    await agent.says("Hello, this is Bob.");
    const newer = page.getByRole("button", { name: "New messages" });
    await newer.waitFor();
    assert.equal(await visitor.part("messages").evaluate((one) => one.scrollTop), 0);
    await visitor.shoot("newer");
    await newer.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => {
      const log = document.querySelector("support-chat").shadowRoot.querySelector(".log");
      return log.scrollHeight - log.scrollTop - log.clientHeight < 5;
    });
    await until("the button that was pressed is gone", async () => (await visitor.focus()) === "field");
    await agent.act("handback");
  },
};
