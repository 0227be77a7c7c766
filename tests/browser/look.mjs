// What the tenant's settings make of the chat: the questions that it offers, its colour, name, corner and logo.

import { colours } from "./any-page.mjs";
import { embed } from "./embedding.mjs";
import { asAgent, assert, SHOP, until } from "./visitor.mjs";

const QUESTIONS = ["How much is a Fernpot?", "How long does delivery take?", "How do I pair my pot?"];
const LOGO = "https://cdn.example/logo.svg";
const SQUARE = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#ffd166"/></svg>`;

/** A page without a style of its own, with `attributes` of the chat and a `script` before its module. */
const plain = (attributes = "", script = "", head = "") => (module) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
  <style>:root { color-scheme: light dark }</style>${head}
  <support-chat token-url="/demo/token" ${attributes}></support-chat><script>const chat = document.querySelector("support-chat");${script}</script>
  <script type="module" src="${module}"></script>`;

/** Tells `change` in the answer of the token's route, as no service would. */
const tell = (change) => `chat.getToken = async () => ({ ...(await (await fetch("/demo/token", { method: "POST" })).json()), ...${change} });`;

const suggested = (visitor) => visitor.part("suggestions").getByRole("button");

/** Serves the logo, or refuses it. */
async function logos(visitor, isThere) {
  const asked = [];
  await visitor.context.route(`${LOGO}*`, (route) => {
    asked.push(route.request().headers());
    return isThere ? route.fulfill({ body: SQUARE, contentType: "image/svg+xml" }) : route.abort();
  });
  return asked;
}

const boxOf = (visitor, selector) =>
  visitor.page.locator(`support-chat ${selector}`).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height];
  });

const tests = {
  async "a suggested question is answered, and none is offered after it"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await suggested(visitor).first().waitFor();
    assert.deepEqual(await suggested(visitor).allInnerTexts(), QUESTIONS);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await visitor.expectAccessibleInBoth("suggested");
    }
    await visitor.part("field").fill("I was about to");
    await suggested(visitor).nth(1).focus();
    await page.keyboard.press("Enter");
    await visitor.waitFor("two to three working days");
    assert.deepEqual(await visitor.texts("customer"), [QUESTIONS[1]]);
    assert.equal(await visitor.focus(), "field");
    assert.equal(await visitor.part("field").inputValue(), "I was about to", "what is written stays");
    assert.equal(await visitor.part("suggestions").isVisible(), false);
    await visitor.shoot("asked");
    await page.reload();
    await visitor.waitFor("two to three working days");
    await until("the file of the look came again", () => visitor.asked("/look.js").length > 1);
    await page.waitForTimeout(200);
    assert.equal(await visitor.part("suggestions").isVisible(), false);
  },

  async "each suggested question of the demo is answered by its wiki"(visitor) {
    await visitor.visit();
    for (const [at, expected] of [/59 euros/, /two to three working days/, /hold the leaf button/i].entries()) {
      const { sessionId } = await asAgent("POST", "/sessions", { channel: "api" });
      const { answer } = await asAgent("POST", `/sessions/${sessionId}/messages`, { content: QUESTIONS[at] });
      assert.match(answer, expected, QUESTIONS[at]);
    }
  },

  async "without anything of it the file of the look is not loaded"(visitor) {
    await asAgent("PATCH", "/settings", { suggestions: [] });
    try {
      await embed(visitor, plain());
      await visitor.open();
      assert.equal(visitor.asked("/look.js").length, 0);
      assert.equal(await visitor.part("suggestions").count(), 0);
    } finally {
      await asAgent("PATCH", "/settings", { suggestions: QUESTIONS });
    }
  },

  async "questions as long as they may be stay within the panel, in a language from right to left too"(visitor) {
    const long = ["W".repeat(100), "Wie lange dauert die Lieferung meiner Bestellung nach Österreich, und was kostet sie genau, bitte?", "كم تستغرق عملية رد المبلغ؟"];
    await asAgent("PATCH", "/settings", { suggestions: long });
    try {
      await embed(visitor, plain('locale="ar"'), { viewport: { width: 390, height: 700 } });
      await visitor.open();
      await suggested(visitor).first().waitFor();
      await visitor.shoot("long");
      const isWide = await visitor.part("messages").evaluate((one) => one.scrollWidth > one.clientWidth);
      assert.equal(isWide, false);
    } finally {
      await asAgent("PATCH", "/settings", { suggestions: QUESTIONS });
    }
  },
};

const look = { color: "#0b6e4f", name: "Ask Fern", position: "left", logoUrl: LOGO };
for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    tests[`the chat looks as the settings say, with text that can be read (${colorScheme}, ${width})`] = async (visitor) => {
      await asAgent("PATCH", "/settings", { appearance: look });
      try {
        const page = await embed(visitor, plain(), { colorScheme, viewport: { width, height: 700 } });
        const asked = await logos(visitor, true);
        await visitor.shoot("before");
        await visitor.open();
        await page.locator("support-chat .logo.has").waitFor();
        await page.getByText("Ask Fern").waitFor();
        await visitor.shoot("after");
        await visitor.expectAccessible("look", ["color-contrast"]);
        assert.equal(asked[0].referer, undefined, "nobody is told which page shows it");
        assert.equal(await visitor.part("messages").getAttribute("aria-label"), "Ask Fern");
        const { ground, contrast } = await colours(visitor.part("header"));
        assert.deepEqual(ground, [11, 110, 79]);
        assert.ok(contrast >= 4.5, `${contrast}`);
        if (width > 480) assert.equal((await visitor.part("panel").boundingBox()).x, 20);
        // The next page is so from the start.
        await visitor.part("close").click();
        const next = await visitor.visit({ url: `${SHOP}own` });
        const launcher = next.locator('support-chat [part="launcher"]');
        await launcher.waitFor();
        assert.equal((await launcher.boundingBox()).x, 20);
        assert.deepEqual((await colours(launcher)).ground, [11, 110, 79]);
        // Who signs out takes nothing of it away.
        await next.evaluate(() => document.querySelector("support-chat").logout());
        assert.deepEqual((await colours(launcher)).ground, [11, 110, 79]);
      } finally {
        await asAgent("PATCH", "/settings", { appearance: null });
      }
    };
  }
}

Object.assign(tests, {
  async "text on every colour has enough contrast"(visitor) {
    await embed(visitor, plain("", tell("{ appearance: window.look }")));
    const page = visitor.page;
    for (const color of ["#000000", "#ffffff", "#777777", "#767676", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#1A7F5A", "#c0ffee"]) {
      await page.evaluate((color) => {
        const chat = document.querySelector("support-chat");
        window.look = { color };
        chat.logout();
        chat.show();
      }, color);
      await visitor.waitFor("Hello!");
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const { ground, contrast } = await colours(visitor.part("header"));
        assert.deepEqual(ground, [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));
        assert.ok(contrast >= 4.5, `${color} ${colorScheme}: ${contrast}`);
      }
    }
  },

  async "what the page sets counts before the settings"(visitor) {
    await asAgent("PATCH", "/settings", { appearance: look });
    try {
      const style = "<style>support-chat { --support-chat-accent: #7a1f5c }</style>";
      await embed(visitor, plain('position="end"', 'chat.texts = { title: "Page" };', style));
      await logos(visitor, true);
      await visitor.open();
      await visitor.page.locator("support-chat .logo.has").waitFor();
      assert.equal(await visitor.page.locator("support-chat .title").innerText(), "Page");
      assert.deepEqual((await colours(visitor.part("header"))).ground, [122, 31, 92]);
      const { x, width } = await visitor.part("panel").boundingBox();
      assert.equal(x + width, 900 - 20);
    } finally {
      await asAgent("PATCH", "/settings", { appearance: null });
    }
  },

  async "a logo that does not come leaves its place, and nothing moves"(visitor) {
    await asAgent("PATCH", "/settings", { appearance: { ...look, position: null } });
    try {
      let refuse;
      const refused = new Promise((done) => (refuse = done));
      await embed(visitor, plain());
      await visitor.context.route(`${LOGO}*`, async (route) => {
        await refused;
        await route.abort();
      });
      await visitor.open();
      await visitor.page.locator("support-chat .logo img").waitFor({ state: "attached" });
      const before = [await boxOf(visitor, ".title"), await boxOf(visitor, ".logo")];
      refuse();
      await visitor.page.locator("support-chat .logo img").waitFor({ state: "detached" });
      assert.deepEqual([await boxOf(visitor, ".title"), await boxOf(visitor, ".logo")], before);
      assert.equal(await visitor.page.locator("support-chat .logo svg").isVisible(), true);
      await visitor.shoot("refused");
      await visitor.expectAccessible("refused");
    } finally {
      await asAgent("PATCH", "/settings", { appearance: null });
    }
  },

  async "values that no service sends do no harm"(visitor) {
    const long = "x".repeat(10_000);
    for (const [at, appearance] of [
      { color: "red;background:url(https://evil.example/c)", name: "\u202egod", position: "panel", logoUrl: "javascript:window.hacked=1" },
      { color: "url(https://evil.example/c)", name: long, position: "left\"] *", logoUrl: "http://evil.example/x.png" },
      { color: long, name: "<img src=x onerror=window.hacked=1>", position: 7, logoUrl: "data:image/svg+xml,<svg onload=window.hacked=1>" },
      { color: { toString: 1 }, name: ["a"], position: null, logoUrl: {} },
      "nothing",
    ].entries()) {
      const told = JSON.stringify({ appearance, suggestions: [long, "\u202eyhW", 7, null, "", "<b>bold</b>"] });
      if (!visitor.page) await embed(visitor, plain("", tell("window.told")));
      await visitor.page.evaluate((told) => {
        const chat = document.querySelector("support-chat");
        window.told = JSON.parse(told);
        chat.logout();
        chat.show();
      }, told);
      await visitor.waitFor("Hello!");
      await suggested(visitor).first().waitFor();
      await visitor.shoot(`hostile-${at}`);
      assert.deepEqual((await colours(visitor.part("header"))).ground, [29, 78, 216], "the chat's own colour");
      const { x, width, height } = await visitor.part("panel").boundingBox();
      assert.deepEqual([x + width, height], [880, 640]);
      const { title, isWide, offered } = await visitor.page.evaluate(() => {
        const root = document.querySelector("support-chat").shadowRoot;
        const header = root.querySelector(".header");
        const offered = [...root.querySelectorAll(".suggestions button")].map((one) => one.textContent);
        return { title: root.querySelector(".title").textContent, isWide: header.scrollWidth > header.clientWidth, offered };
      });
      assert.ok(title.length <= 60 && !title.includes("\u202e") && !isWide, title);
      assert.deepEqual(offered, ["yhW", "<b>bold</b>"]);
      assert.equal(await visitor.page.locator("support-chat .logo").count(), 0);
      assert.equal(await visitor.page.evaluate(() => window.hacked), undefined);
    }
    assert.deepEqual(visitor.asked("evil.example"), []);
  },
});

export default tests;
