// Pages whose style sheets, layers and colours know nothing of the chat.

import { assert, REFUND, SHOP, until } from "./visitor.mjs";

/** Adds a style sheet to the page, as its own. */
function style(page, css) {
  return page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, css);
}

/** Text and ground of a part, as red, green and blue, and their contrast. */
export function colours(part) {
  return part.evaluate((one) => {
    const { color, backgroundColor } = getComputedStyle(one);
    const brush = document.createElement("canvas").getContext("2d");
    const drawn = [color, backgroundColor].map((colour) => {
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      return [...brush.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    });
    const linear = (value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const [dim, bright] = drawn.map(light).sort((one, other) => one - other);
    return { text: drawn[0], ground: drawn[1], contrast: (bright + 0.05) / (dim + 0.05) };
  });
}

export default {
  async "a page's style sheets, its transformed parts and what it puts above everything change nothing"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const look = () =>
      page.evaluate(() => {
        const all = document.querySelector("support-chat").shadowRoot.querySelectorAll(".panel *");
        const names = ["font", "letter-spacing", "word-spacing", "line-height", "text-transform", "text-align"];
        names.push("text-indent", "white-space", "visibility", "cursor", "direction", "color", "list-style-type");
        return [...all].map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const style = getComputedStyle(one);
          return [one.localName, x, y, width, height, ...names.map((name) => style.getPropertyValue(name))].join();
        });
      });
    // Scrollbars of the page itself come and go.
    await style(page, "html { overflow-y: scroll; }");
    const before = await look();
    await style(
      page,
      `* { font: italic 40px/3 serif !important; letter-spacing: 4px !important; text-transform: uppercase; }
       body, support-chat { text-align: center; white-space: nowrap; text-indent: 60px; word-spacing: 20px; color: red; }
       support-chat { float: left; padding: 20px; opacity: .3; list-style: square; }
       main { transform: translateX(40px); overflow: hidden; height: 200px; filter: blur(1px); }
       footer { position: fixed; inset: 0; z-index: 2147483647; background: white; }`,
    );
    assert.deepEqual(await look(), before);
    // Within what is transformed and cut off.
    await page.evaluate(() => document.querySelector("main").append(document.querySelector("support-chat")));
    await visitor.waitFor("five working days");
    await visitor.settled();
    const meets = await visitor.part("panel").evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const isMet = (x, y) => document.elementFromPoint(left + x * width, top + y * height)?.localName;
      return [isMet(0.1, 0.1), isMet(0.5, 0.5), isMet(0.9, 0.95), Math.round(innerHeight - top - height)];
    });
    assert.deepEqual(meets, ["support-chat", "support-chat", "support-chat", 20], "nothing of the page lies above it");
    await visitor.shoot("panel");
  },

  async "while the page is modal or inert the chat waits unseen, and goes on as it was"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    await visitor.part("field").fill("And how");
    const isSeen = () => visitor.part("panel").evaluate((one) => getComputedStyle(one).visibility === "visible");
    await page.evaluate(() => {
      const dialog = document.body.appendChild(document.createElement("dialog"));
      dialog.append("Choose a size.");
      dialog.show();
    });
    assert.ok(await isSeen(), "a dialog beside which the page can be used");
    const modal = () => page.evaluate(() => (document.querySelector("dialog").close(), document.querySelector("dialog").showModal()));
    await modal();
    assert.equal(await isSeen(), false, "behind a modal dialog");
    await visitor.shoot("modal");
    await page.evaluate(() => document.querySelector("dialog").append(document.querySelector("support-chat")));
    assert.ok(await isSeen(), "inside of the modal dialog");
    await page.evaluate(() => document.body.append(document.querySelector("support-chat")));
    assert.equal(await isSeen(), false, "behind it again");
    await page.evaluate(() => document.querySelector("dialog").close());
    assert.ok(await isSeen(), "after the dialog");
    for (const name of ["support-chat", "body"]) {
      await page.evaluate((name) => (document.querySelector(name).inert = true), name);
      assert.equal(await isSeen(), false, `${name} is inert`);
      await page.evaluate((name) => (document.querySelector(name).inert = false), name);
      assert.ok(await isSeen());
    }
    assert.equal(await visitor.part("field").inputValue(), "And how");
  },

  async "text on every accent colour is readable, and the page says whether it is light or dark"(visitor) {
    const page = await visitor.visit({ context: { colorScheme: "dark" } });
    await visitor.open();
    await visitor.say(REFUND);
    const accents = ["#1d4ed8", "#7c3aed", "#0f766e", "#f59e0b", "#ffeb3b", "#e11d48", "#777777", "#757575", "#00f"];
    for (const scheme of ["light", "dark", "light dark"]) {
      for (const accent of ["", ...accents]) {
        await page.evaluate(
          ([scheme, accent]) => {
            document.documentElement.style.colorScheme = scheme;
            document.querySelector("support-chat").style.setProperty("--support-chat-accent", accent);
          },
          [scheme, accent],
        );
        const { text, ground, contrast } = await colours(visitor.part("customer-message"));
        assert.ok(contrast >= 4.5, `${contrast} of ${text} on ${ground} (${accent || "our own accent"}, ${scheme})`);
        assert.ok((await colours(visitor.part("header"))).contrast >= 4.5);
      }
      const { ground } = await colours(visitor.part("panel"));
      assert.equal(ground[0] > 128, scheme === "light", `${ground} on a page that is ${scheme}`);
      await visitor.shoot(scheme.replace(" ", "-"));
    }
  },

  async "on a phone the page behind the panel is out of reach, and back when it is closed"(visitor) {
    const page = await visitor.visit({ context: { viewport: { width: 390, height: 740 } } });
    const reaches = () =>
      page.evaluate(() => {
        const link = document.querySelector("main a");
        link.focus();
        return document.activeElement === link;
      });
    await visitor.open();
    assert.equal(await reaches(), false, "the page is inert");
    await visitor.shoot("phone");
    await visitor.part("field").focus();
    const isModal = () => visitor.part("panel").evaluate((one) => one.matches(":modal"));
    await page.setViewportSize({ width: 900, height: 740 });
    await until("the panel is beside the page", async () => !(await isModal()));
    assert.equal(await visitor.focus(), "field", "the panel keeps the focus that it has");
    assert.equal(await reaches(), true);
    await visitor.part("field").focus();
    await page.setViewportSize({ width: 390, height: 740 });
    await until("the panel is before the page", isModal);
    assert.equal(await visitor.focus(), "field");
    assert.equal(await reaches(), false);
    await page.keyboard.press("Escape");
    assert.equal(await visitor.focus(), "launcher");
    assert.equal(await visitor.part("panel").isVisible(), false);
    assert.equal(await reaches(), true);
  },

  async "the chat moves nothing, from the loading of its page on"(visitor) {
    const [script] = /\/widget\/[^"]+/.exec(await (await fetch(SHOP)).text());
    const text = "<p>A page that stands still.</p>".repeat(24);
    const head = `<!doctype html><meta name=viewport content="width=device-width"><title>Page</title>`;
    const chat = `<support-chat token-url="/demo/token"></support-chat>`;
    const body = `${head}<script type=module src="${script}"></script>${text}${chat}`;
    const page = await visitor.visit({
      url: `${SHOP}moves`,
      prepare: (context) => context.route("**/moves", (route) => route.fulfill({ body, contentType: "text/html" })),
    });
    const moved = () =>
      page.evaluate(
        () =>
          new Promise((done) => {
            const all = [];
            new PerformanceObserver((list) => all.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
            const told = ({ value, sources }) => `${value}: ${sources.map(({ node }) => node?.outerHTML ?? node?.data)}`;
            // Buffered entries come in a task of their own.
            setTimeout(() => done(all.filter((one) => !one.hadRecentInput).map(told)), 100);
          }),
      );
    for (const size of [{ width: 900, height: 700 }, { width: 390, height: 740 }]) {
      await page.setViewportSize(size);
      await page.reload();
      await visitor.part("launcher").waitFor();
      // By a script: nothing that follows from a click counts.
      const set = (open) => page.evaluate((open) => (document.querySelector("support-chat").open = open), open);
      await set(true);
      await page.getByText("Hello! How can I help you?").waitFor();
      await page.evaluate((text) => document.querySelector("support-chat").send(text), REFUND);
      await visitor.waitFor("five working days");
      await visitor.settled();
      await set(false);
      await visitor.part("launcher").waitFor();
      assert.deepEqual(await moved(), [], `${size.width} pixels`);
    }
  },
};
