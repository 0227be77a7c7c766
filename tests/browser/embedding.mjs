// Pages that act on the chat's element: properties set before its module runs, and frameworks that compare the page
// with the server's.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { assert, REFUND, SHOP, until } from "./visitor.mjs";

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
};
