// Images of entries in answers and articles, and an entry with images for other pages.

import { asAgent, assert, until } from "./visitor.mjs";

const HOST = "https://img.example/";
const QUESTION = "How do I replace the harbour lantern?";
export const ENTRY = {
  path: "demo/harbour/lantern",
  title: "Replace the harbour lantern",
  visibility: "public",
  content: `1. Loosen the brass screw.\n   ![The brass screw](${HOST}screw.svg)\n2. Lift the glass off.\n   ![The glass](${HOST}gone.png)\n3. Put in the new lantern.`,
};
const DRAWN = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200"><rect width="900" height="1200" fill="#2f7d32"/><circle cx="450" cy="600" r="300" fill="#fff"/></svg>`;

/** The entry stands in the wiki, and its host answers, while `run` runs with what was asked of it. */
export async function withEntry(context, run, comes = Promise.resolve()) {
  const asked = [];
  await context.route(`${HOST}**`, async (route) => {
    asked.push({ url: route.request().url(), headers: await route.request().allHeaders() });
    if (route.request().url().includes("gone")) return route.fulfill({ status: 404, body: "" });
    await comes;
    return route.fulfill({ contentType: "image/svg+xml", body: DRAWN });
  });
  await asAgent("POST", "/wiki", ENTRY);
  try {
    await run(asked);
  } finally {
    await asAgent("DELETE", `/wiki/${ENTRY.path}`);
  }
}

/** Where everything in the conversation is, however far it is scrolled. */
const places = (page) =>
  page.evaluate(() => {
    const log = document.querySelector("support-chat").shadowRoot.querySelector(".log");
    return [...log.querySelectorAll("p, li, .image, .bubble")].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [one.className || one.localName, x, Math.round(y + log.scrollTop), width, height].join().replace(" gone", "");
    });
  });

export default {
  async "an answer and its article show images late, in their place and without a referrer, and each opens"(visitor) {
    const page = await visitor.visit();
    let come;
    const comes = new Promise((done) => (come = done));
    const run = async (asked) => {
      await visitor.open();
      await visitor.shoot("before");
      await visitor.say(QUESTION);
      const answer = visitor.part("ai-message").last();
      const thumbnail = answer.getByRole("button", { name: "Open image: The brass screw" });
      await thumbnail.waitFor();
      await answer.getByRole("img", { name: "The glass" }).waitFor();
      const before = await places(page);
      await until("it is asked for", () => asked.length === 2);
      come();
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 740 });
        await visitor.expectAccessibleInBoth("answer");
      }
      await page.setViewportSize({ width: 900, height: 700 });
      await until("the image is there", () => thumbnail.locator("img").evaluate((one) => one.complete && one.naturalWidth === 900));
      assert.deepEqual(await places(page), before, "nothing moves when an image comes, or fails");
      const told = await thumbnail.locator("img").evaluate((one) => ["referrerpolicy", "loading", "decoding", "alt"].map((name) => one.getAttribute(name)));
      assert.deepEqual(told, ["no-referrer", "lazy", "async", "The brass screw"]);
      assert.deepEqual(asked.map(({ headers }) => [headers.referer, headers.cookie]).filter((one) => one.some(Boolean)), []);
      assert.equal(await answer.locator("ol > li").count(), 3);
      assert.equal(await answer.locator("li", { hasText: "Lift the glass" }).locator(".gone").innerText(), "The glass");

      // The page's own rules reach neither the thumbnail nor what opens.
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("img, dialog, button { position: fixed !important; inset: 0 !important; width: 9000px !important; height: 9000px !important; display: none !important }");
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      });
      assert.deepEqual(await places(page), before);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 740 });
        await thumbnail.focus();
        await page.keyboard.press("Enter");
        const viewer = page.getByRole("dialog", { name: "The brass screw" });
        await viewer.waitFor();
        const box = await viewer.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width && box.height <= 740, JSON.stringify(box));
        await visitor.expectAccessibleInBoth("viewer");
        await page.keyboard.press("Escape");
        await viewer.waitFor({ state: "detached" });
        assert.equal(await visitor.focus(), "Open image: The brass screw");
        assert.ok(await visitor.part("panel").isVisible(), "Escape closes the image alone");
        await thumbnail.click();
        await viewer.getByRole("button", { name: "Close image" }).click();
        await viewer.waitFor({ state: "detached" });

        await answer.locator("..").locator(".sources").getByRole("button", { name: ENTRY.title }).first().click();
        const article = visitor.part("articles");
        await article.getByRole("button", { name: "Open image: The brass screw" }).waitFor();
        await article.getByRole("img", { name: "The glass" }).waitFor();
        await visitor.expectAccessibleInBoth("article");
        await visitor.part("back").click();
      }
      await page.setViewportSize({ width: 900, height: 700 });
      await visitor.part("seek").click();
      const found = visitor.part("articles");
      await found.getByRole("searchbox").fill("harbour lantern");
      await page.keyboard.press("Enter");
      const excerpt = await found.getByRole("button", { name: ENTRY.title }).innerText();
      assert.ok(!/!\[|\]\(|img\.example/.test(excerpt), excerpt);
    };
    await withEntry(visitor.context, run, comes);
  },

  async "a tenant that blocks images has none loaded"(visitor) {
    const page = await visitor.visit();
    await withEntry(visitor.context, async (asked) => {
      await visitor.open();
      await visitor.say(QUESTION);
      await visitor.part("ai-message").last().getByRole("button", { name: "Open image: The brass screw" }).waitFor();
      // An image is asked for after its button is there.
      await until("both are asked for", () => asked.length === 2);
      // The next token says so.
      await visitor.context.route("**/demo/token", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), showsImages: false } });
      });
      await page.evaluate(() => {
        const saved = JSON.parse(localStorage.getItem("support-chat:/api/v1"));
        localStorage.setItem("support-chat:/api/v1", JSON.stringify({ ...saved, token: undefined, showsImages: undefined }));
      });
      await page.reload();
      await visitor.waitFor("Loosen the brass screw");
      await page.waitForFunction(() => !document.querySelector("support-chat").shadowRoot.querySelector("a.image"));
      await visitor.expectAccessibleInBoth("blocked");
      assert.deepEqual(await visitor.part("ai-message").last().locator("li").allInnerTexts(), ["Loosen the brass screw.", "Lift the glass off.", "Put in the new lantern."]);
      await visitor.part("ai-message").last().locator("..").locator(".sources button").first().click();
      await visitor.part("articles").getByText("Lift the glass off.").waitFor();
      assert.equal(await page.locator("support-chat img").count(), 0);
      assert.equal(asked.length, 2, "nothing more is loaded");
    });
  },

  async "a hostile address is no image"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    const addresses = [
      "javascript:alert(1)",
      "data:image/svg+xml,<svg onload=alert(1)>",
      "http://img.example/plain.png",
      "//img.example/relative.png",
      "https://me:secret@img.example/a.png",
      `https://img.example/${"a".repeat(10_000)}`,
      "https://img.example/<b>",
      "blob:https://img.example/1",
    ];
    const content = `${addresses.map((one) => `Look ![picture](${one}) here.`).join("\n\n")}\n\nFine ![\u202Egnp.evil](${HOST}ok.svg) and [![linked](${HOST}in.svg)](https://ok.example) ![quoted](${HOST}a"onerror="alert(1).svg).\n\n\\![no](https://ok.example/)`;
    const asked = [];
    await visitor.context.route(/img\.example|ok\.example/, (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "image/svg+xml", body: DRAWN });
    });
    await visitor.context.route("**/sessions/*/messages*", async (route) => {
      const response = await route.fetch();
      const told = await response.json();
      const items = told.items?.map((turn) => (turn.role === "ai" ? { ...turn, content, disposition: "answered" } : turn));
      await route.fulfill({ response, json: items ? { ...told, items } : { ...told, answer: content, disposition: "answered" } });
    });
    await visitor.say("Anything?");
    const answer = visitor.part("ai-message").last();
    await answer.locator("img").first().waitFor();
    const shown = await answer.locator("img").evaluateAll((all) => all.map((one) => [one.src, one.alt]));
    assert.deepEqual(shown, [[`${HOST}ok.svg`, "gnp.evil"], [`${HOST}in.svg`, "linked"], [`${HOST}a%22onerror=%22alert(1).svg`, "quoted"]]);
    assert.equal(await answer.locator("[onerror]").count(), 0);
    assert.ok((await answer.innerText()).includes("!no"), "an escaped mark is text");
    await visitor.shoot("hostile");
    assert.ok(asked.every((url) => url.startsWith(HOST) && url.endsWith(".svg")), asked.join("\n"));
  },
};
