// Pages that act on the chat's element: properties set before its module runs, frameworks that compare the page with the
// server's, and a browser that translates.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Agent, assert, REFUND, SHOP, until } from "./visitor.mjs";

const { resolve } = createRequire(import.meta.url);
const IDIOMORPH = readFileSync(resolve("idiomorph/dist/idiomorph.js"), "utf8");
const TURBO = readFileSync(resolve("@hotwired/turbo/dist/turbo.es2017-umd.js"), "utf8");
const CHAT = `document.querySelector("support-chat")`;

/** Opens a page of the shop's origin; `html` makes it of the address of the chat's module, at each request. */
export async function embed(visitor, html, context) {
  const [script] = /\/widget\/[^"]+/.exec(await (await fetch(SHOP)).text());
  const answer = (route) => route.fulfill({ body: html(script), contentType: "text/html" });
  return visitor.visit({ url: `${SHOP}own`, context, prepare: (browser) => browser.route("**/own", answer) });
}

/**
 * Translates all of the page, and what is added or changed, as a browser does: in the place of each text stands an element
 * with a translation, here the text in quotes.
 */
function translate() {
  const wrap = (text) => {
    const { data, parentElement } = text;
    if (!data.trim() || !text.isConnected || parentElement?.closest("font, script, style, textarea")) return;
    const fonts = [document.createElement("font"), document.createElement("font")];
    fonts[0].append(fonts[1]);
    fonts[1].append(`«${data}»`);
    text.replaceWith(fonts[0]);
    window.translated += 1;
  };
  const all = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) wrap(text);
  };
  window.translated = 0;
  for (const root of [document.body, document.querySelector("support-chat").shadowRoot]) {
    new MutationObserver(() => all(root)).observe(root, { childList: true, subtree: true, characterData: true });
    all(root);
  }
}

export default {
  async "properties that are set before the module runs are used, and an early open closes"(visitor) {
    const element = `<support-chat token-url="/nowhere"></support-chat>`;
    const early = `<script>
      const chat = ${CHAT};
      chat.getToken = async () => (await fetch("/demo/token", { method: "POST" })).json();
      chat.texts = { title: "Ask Fern" };
      chat.open = true;
    </script>`;
    const pages = {
      last: (script) => `${element}${early}<script type=module src="${script}"></script>`,
      deferred: (script) => `<script defer type=module src="${script}"></script>${element}${early}`,
      delayed: (script) => `${element}${early}<script>addEventListener("click", () => import("${script}"), { once: true })</script>`,
    };
    let html;
    const page = await embed(visitor, (script) => `<!doctype html><html lang=en><title>Page</title><h1>Page</h1>${html?.(script) ?? ""}`);
    for (const [name, make] of Object.entries(pages)) {
      html = make;
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${SHOP}own`);
      if (name === "delayed") await page.locator("h1").click();
      await page.getByText("Hello! How can I help you?").waitFor();
      assert.equal(await page.locator("support-chat [part=title]").innerText(), "Ask Fern", name);
      const isOpen = () => page.evaluate(`${CHAT}.open`);
      assert.equal(await isOpen(), true, name);
      await visitor.shoot(name);
      await visitor.part("close").click();
      assert.deepEqual([await isOpen(), await visitor.part("panel").isVisible()], [false, false], `${name}: by the button`);
      await page.evaluate(`${CHAT}.open = true`);
      await visitor.part("field").press("Escape");
      assert.deepEqual([await isOpen(), await visitor.part("panel").isVisible()], [false, false], `${name}: by Escape`);
      await visitor.part("launcher").waitFor();
    }
    assert.equal(visitor.asked("/nowhere").length, 0);
  },

  async "a page that is compared with its server's leaves the chat open, with what is written"(visitor) {
    let count = 0;
    const page = await embed(visitor, (script) => {
      count += 1;
      // Each time with other elements around, and with another attribute.
      const rows = Array.from({ length: count }, (_, at) => `<p id="row-${at}">Row ${at} of ${count}</p>`).join("");
      return `<!doctype html><html lang=en><head><title>Page ${count}</title>
        <meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">
        <script type=module src="${script}"></script></head>
        <body><h1>Page</h1>${rows}<support-chat token-url="/demo/token" class="at-${count}"></support-chat>${rows && `<div>${rows.replace(/id/g, "data-id")}</div>`}</body></html>`;
    });
    await page.evaluate(IDIOMORPH);
    await page.evaluate(TURBO);
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    await visitor.part("field").fill("And how");
    const asked = visitor.asked("/demo/token").length;
    await page.evaluate(`window.first = ${CHAT}`);
    const acts = {
      idiomorph: async () => Idiomorph.morph(document.documentElement, await (await fetch("/own")).text()),
      "idiomorph, the body within": async () => {
        const told = new DOMParser().parseFromString(await (await fetch("/own")).text(), "text/html");
        Idiomorph.morph(document.body, told.body.innerHTML, { morphStyle: "innerHTML" });
      },
      turbo: () => Turbo.session.refresh(location.href),
    };
    for (const [name, act] of Object.entries(acts)) {
      const before = count;
      await page.evaluate(act);
      await page.locator(`h1 ~ p >> text=of ${before + 1}`).first().waitFor();
      await until(`${name}: the page is new`, () => page.evaluate(`${CHAT}.className === "at-${before + 1}"`));
      const now = await page.evaluate(`[${CHAT} === first, ${CHAT}.open]`);
      assert.deepEqual(now, [true, true], name);
      assert.equal(await visitor.part("panel").isVisible(), true, name);
      assert.equal(await visitor.focus(), "field", name);
      await page.keyboard.type("!");
    }
    assert.equal(await visitor.part("field").inputValue(), "And how!!!");
    assert.equal(visitor.asked("/demo/token").length, asked, "nothing begins anew");
    await visitor.shoot("morphed");
    // What the page's own attribute says is how it begins: taking it away closes nothing, closing it takes nothing away.
    await visitor.part("close").click();
    await page.evaluate(`${CHAT}.setAttribute("open", "")`);
    await visitor.part("field").waitFor();
    await page.evaluate(`${CHAT}.removeAttribute("open")`);
    assert.equal(await visitor.part("panel").isVisible(), true);
    await page.evaluate(`${CHAT}.setAttribute("open", "")`);
    await visitor.part("close").click();
    assert.equal(await page.evaluate(`${CHAT}.hasAttribute("open")`), true);
    await page.evaluate(() => Idiomorph.morph(document.querySelector("support-chat"), `<support-chat token-url="/demo/token" open></support-chat>`));
    assert.equal(await visitor.part("panel").isVisible(), false, "what the visitor closed stays closed");
  },

  async "a page that the browser translates loses and keeps no words, whatever is done in the chat"(visitor) {
    const page = await visitor.visit({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await page.evaluate(translate);
    await visitor.part("launcher").click();
    await visitor.waitFor("«Hello! How can I help you?»");
    const texts = () =>
      page.evaluate(() => {
        const root = document.querySelector("support-chat").shadowRoot;
        const shown = [...root.querySelectorAll(".title, .who, .person, .meta, .bubble, .event, .bar, .sources, .card, .state")];
        return shown.filter((one) => one.checkVisibility()).map((one) => one.innerText);
      });
    /** Waits for words that are shown, each translated once, and for those that are not shown any more. */
    const expect = async (has, hasNot = []) => {
      for (const one of has) await until(`${one} is shown`, async () => (await texts()).some((text) => text.includes(one)));
      for (const one of hasNot) await until(`${one} is gone`, async () => !(await texts()).some((text) => text.includes(one)));
      assert.deepEqual((await texts()).filter((text) => /««|»»/.test(text) || (text.trim() && !text.includes("«"))), []);
    };
    const button = (name) => page.getByRole("button", { name });
    await visitor.part("search").fill("refund");
    await page.keyboard.press("Enter");
    await button("Returns and refunds").first().click();
    await page.locator("support-chat h2").getByText("«Returns and refunds»").waitFor();
    for (let pages = 2; pages > 0; pages -= 1) await visitor.part("back").click();
    await visitor.say(REFUND);
    await expect([`«${REFUND}»`, "five working days", "«Support chat»", "«Assistant»"], ["Sending"]);
    // What stays the same is not set anew, so that the browser does not translate it again and again.
    await page.evaluate(() => (window.who = document.querySelector("support-chat").shadowRoot.querySelector(".who font")));
    await button("Helpful").first().click();
    await page.locator('support-chat [aria-label="Helpful"][aria-pressed=true]').waitFor();
    await button("Copy answer").click();
    await until("it is copied", async () => (await page.evaluate(() => navigator.clipboard.readText())).includes("five working days"));
    await visitor.part("sources").getByRole("button").first().click();
    await page.locator("support-chat h2").getByText("«Returns and refunds»").waitFor();
    await page.keyboard.press("Escape");
    await visitor.say("Does my zebra fit into the pot of a delivery?");
    await expect(["«Talk to a person»"]);
    assert.ok(await page.evaluate(() => window.who.isConnected));
    await visitor.part("ask").click();
    await expect(["«Our team was asked to help»", "A person will answer you here", "«Support team»"]);
    await visitor.shoot("waiting");
    await button("Stop waiting").click();
    await expect(["«The assistant answers again»"], ["A person will answer you here"]);
    await visitor.part("person").click();
    await expect(["A person will answer you here"]);
    const agent = await Agent.takes(await visitor.sessionId());
    await expect(["«Bob joined the chat»"], ["A person will answer you here"]);
    assert.equal(await page.locator("support-chat .who").innerText(), "«Bob»");
    await agent.says("Hello, **this** is Bob.");
    await expect(["«this»"]);
    await visitor.say("Thank you");
    await agent.act("resolve");
    await button("4 of 5").click();
    await page.getByLabel("Would you like to say why?").fill("Kind");
    await button("Send").first().click();
    await expect(["«This chat has ended."]);
    await page.keyboard.press("Escape");
    await visitor.open();
    await visitor.connect(false);
    await visitor.say("How long does the battery last?", { settled: false });
    await expect(["«You are offline."]);
    await visitor.connect(true);
    await expect(["eight months"], ["You are offline", "Not sent yet"]);
    await page.evaluate(`${CHAT}.setAttribute("locale", "de")`);
    await expect(["«Sie»", "eight months"], ["«You»", "Support chat"]);
    await visitor.shoot("translated");
  },
};
