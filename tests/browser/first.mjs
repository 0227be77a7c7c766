// A page that nobody has used the chat on, and its first opening.

import { Agent, assert, SHOP, REFUND } from "./visitor.mjs";

const CHAT = 'document.querySelector("support-chat")';

export default {
  async "before the first click nothing is asked and nothing is stored"(visitor) {
    const page = await visitor.visit();
    await visitor.part("launcher").waitFor();
    await page.waitForTimeout(500);
    const asked = visitor.requests.map((one) => new URL(one.url).pathname);
    assert.deepEqual(
      asked.filter((path) => !path.endsWith(".js") && path !== "/"),
      [],
    );
    assert.equal(asked.filter((path) => path.startsWith("/widget/")).length, 1, `${asked}`);
    const stored = await page.evaluate(async () => [
      localStorage.length,
      sessionStorage.length,
      document.cookie,
      (await indexedDB.databases()).length,
    ]);
    assert.deepEqual(stored, [0, 0, "", 0]);
    assert.deepEqual(await visitor.context.cookies(), []);
    await visitor.shoot("closed");
  },

  async "a connection that goes and comes back changes nothing before the first click"(visitor) {
    const page = await visitor.visit();
    await visitor.part("launcher").waitFor();
    const before = visitor.requests.length;
    await visitor.connect(false);
    await visitor.connect(true);
    await page.waitForTimeout(700);
    assert.deepEqual(
      visitor.requests.slice(before).map((one) => one.url),
      [],
    );
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  },

  async "a newcomer opens it by keyboard, causes no error, and goes back by Escape"(visitor) {
    const page = await visitor.visit();
    await visitor.part("launcher").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Hello! How can I help you?").waitFor();
    assert.equal(await visitor.focus(), "field");
    assert.deepEqual(
      visitor.log.filter((line) => /^[45]\d\d /.test(line)),
      [],
    );
    await page.getByText("An automatic assistant answers you here.").waitFor();
    assert.equal(visitor.asked("/cards.js").length + visitor.asked("/articles.js").length, 0, "nobody needs them yet");
    const api = visitor.asked("/api/v1/").length;
    assert.equal(api, 0, "a newcomer has no session to ask for");
    await visitor.shoot("open");
    await page.keyboard.press("Escape");
    assert.equal(await visitor.focus(), "launcher");
    assert.equal(await visitor.part("panel").isVisible(), false);
  },

  async "everything can be reached by keyboard and nothing holds the focus"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const reached = new Set();
    for (let step = 0; step < 24; step += 1) {
      await page.keyboard.press("Shift+Tab");
      reached.add(await visitor.focus());
    }
    for (const name of ["person", "close", "messages", "Helpful", "Not helpful", "Copy answer"]) {
      assert.ok(reached.has(name), `${name} is not among ${[...reached]}`);
    }
    assert.ok(reached.has("a"), "the page's own link is reached, too");
  },

  async "the page gets its focus back where its own button opened the chat"(visitor) {
    const page = await visitor.visit();
    const link = page.getByRole("link", { name: "/api/v1/openapi.json" });
    await link.focus();
    await page.evaluate(() => document.querySelector("support-chat").show());
    assert.equal(await visitor.focus(), "field");
    await page.keyboard.press("Escape");
    assert.equal(await visitor.focus(), "a");
  },

  async "a script that opens or closes the panel by its attribute takes no focus and loses none"(visitor) {
    const page = await visitor.visit();
    const link = page.getByRole("link", { name: "/api/v1/openapi.json" });
    await link.focus();
    await page.evaluate(`${CHAT}.setAttribute("open", "")`);
    await visitor.part("field").waitFor();
    assert.equal(await visitor.focus(), "a", "the page keeps its focus");
    await visitor.part("field").focus();
    await page.evaluate(`${CHAT}.open = false`);
    assert.equal(await visitor.focus(), "a", "it has its focus back");
    await visitor.part("launcher").focus();
    await page.evaluate(`${CHAT}.open = true`);
    assert.equal(await visitor.focus(), "field", "the launcher is gone");
    await page.evaluate(`${CHAT}.open = false`);
    assert.equal(await visitor.focus(), "launcher");
    await page.evaluate(`${CHAT}.show()`);
    assert.equal(await visitor.focus(), "field");
    await page.reload();
    await visitor.part("field").waitFor();
    assert.equal(await visitor.focus(), "body", "a page that begins with the panel keeps its focus");
  },

  async "another language keeps the focus in the panel"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await page.getByRole("button", { name: "Copy answer" }).focus();
    await page.evaluate(`${CHAT}.setAttribute("locale", "de")`);
    await page.waitForFunction(
      () => document.querySelector("support-chat").shadowRoot.querySelector(".panel").lang === "de",
    );
    assert.equal(await visitor.focus(), "field");
  },

  async "a number in front of the page's own title is the page's"(visitor) {
    const page = await visitor.visit();
    await page.evaluate(() => (document.title = "(2024) Report"));
    await visitor.open();
    await visitor.say("I want to talk to a human");
    assert.equal(await page.title(), "(2024) Report");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.waitFor("Bob joined the chat");
    await page.keyboard.press("Escape");
    await agent.says("First");
    await visitor.news();
    await page.waitForFunction(() => document.title === "(1) (2024) Report");
    await page.evaluate(() => (document.title = "(1) Summary"));
    await agent.says("Second");
    await visitor.news();
    await page.waitForFunction(() => document.title === "(2) (1) Summary");
    await visitor.open();
    assert.equal(await page.title(), "(1) Summary");
    await agent.act("handback");
  },

  async "the Enter that ends a composition sends nothing"(visitor) {
    await visitor.visit();
    await visitor.open();
    const field = visitor.part("field");
    await field.fill("にほん");
    // As Safari has it: the composition is over, and the code alone tells that the key was the input method's.
    await field.evaluate((one) =>
      one.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true, composed: true }),
      ),
    );
    assert.equal(await field.inputValue(), "にほん");
    assert.deepEqual(await visitor.shown(), []);
  },

  async "a command of the shop's page is copied whole"(visitor) {
    const page = await visitor.visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    const command = page.locator(".command").first();
    await command.getByRole("button", { name: "Copy" }).click();
    await command.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await command.locator("code").textContent());
  },

  async "a page hears what happens and may call it"(visitor) {
    const page = await visitor.visit();
    await page.evaluate(() => {
      window.heard = [];
      for (const name of ["open", "close", "message", "reaction", "escalation", "error"]) {
        document.addEventListener(`chat-${name}`, (event) =>
          window.heard.push([name, event.detail.role ?? event.detail.reaction ?? event.detail.state]),
        );
      }
      document.querySelector("support-chat").send("How long does a refund take?");
    });
    await visitor.waitFor("five working days");
    await visitor.settled();
    await page.getByRole("button", { name: "Helpful", exact: true }).click();
    await page.waitForFunction(() => window.heard.some(([name]) => name === "reaction"));
    await page.evaluate(() => document.querySelector("support-chat").close());
    const heard = (await page.evaluate(() => window.heard)).map((one) => one.filter(Boolean).join(" "));
    assert.deepEqual(heard, ["open", "message customer", "message ai", "reaction thumbs_up", "close"]);
  },

  async "theme variables and parts change the look"(visitor) {
    const page = await visitor.visit();
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "support-chat { --support-chat-accent: rgb(0, 100, 0); } support-chat::part(launcher) { border-radius: 4px; }",
      );
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      document.querySelector("support-chat").setAttribute("position", "start");
    });
    const look = await visitor.part("launcher").evaluate((one) => {
      const style = getComputedStyle(one);
      return [style.backgroundColor, style.borderRadius, one.getBoundingClientRect().left < 100];
    });
    assert.deepEqual(look, ["rgb(0, 100, 0)", "4px", true]);
  },

  async "page and token route answer to the names of this machine alone"() {
    const { request } = await import("node:http");
    const { port } = new URL(SHOP);
    const ask = (path, host, method = "GET", headers = {}) =>
      new Promise((done, failed) => {
        const call = request({ port, host: "127.0.0.1", path, method, headers: { host, ...headers } }, (response) => {
          response.resume();
          done(response);
        });
        call.on("error", failed).end();
      });
    const own = `127.0.0.1:${port}`;
    for (const path of ["/", "/demo/shop.js", "/demo/token"]) {
      const method = path.endsWith("token") ? "POST" : "GET";
      for (const host of [
        "evil.example",
        `evil.example:${port}`,
        "127.0.0.1",
        `localhost.evil.example:${port}`,
      ]) {
        assert.equal((await ask(path, host, method, { origin: `http://${host}` })).statusCode, 403, `${path} ${host}`);
      }
      for (const host of [own, `localhost:${port}`, `[::1]:${port}`]) {
        assert.equal((await ask(path, host, method, { origin: `http://${host}` })).statusCode, 200, `${path} ${host}`);
      }
    }
    for (const origin of ["http://evil.example", "null", `https://${own}`, `http://localhost:${port}`]) {
      assert.equal((await ask("/demo/token", own, "POST", { origin })).statusCode, 403, origin);
    }
    assert.equal((await ask("/demo/token", own, "POST")).statusCode, 403, "without an origin");
    assert.equal((await ask("/demo/token", own)).statusCode, 405);
  },
};
