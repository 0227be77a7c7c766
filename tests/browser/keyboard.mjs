// Pages that want the keyboard for themselves: shortcuts of bare keys, and focus traps.

import { embed } from "./embedding.mjs";
import { assert } from "./visitor.mjs";

/** Notes each key that a listener of the page hears, as libraries of shortcuts ask whether somebody types. */
const LISTEN = `
  window.heard = [];
  window.bind = (name, target, capture) => {
    for (const type of ["keydown", "keypress", "keyup"]) {
      target.addEventListener(type, (event) => {
        const { target, key } = event;
        const types = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName ?? "");
        if (name === "early" && types) return;
        heard.push(name + " " + type + " " + key);
        if (key === "/" || key === "k") event.preventDefault();
        if (key === "/") document.querySelector("input").focus();
      }, capture);
    }
  };`;

export default {
  async "no key that is typed in the panel reaches the page, and the page has its keys once it is closed"(visitor) {
    const page = await embed(
      visitor,
      (script) => `<!doctype html><html lang=en><title>Page</title><script>${LISTEN} bind("early", window, true)</script>
        <script type=module src="${script}"></script><h1>Page</h1><input aria-label="Site search">
        <support-chat token-url="/demo/token"></support-chat>`,
    );
    await page.evaluate(() => {
      for (const capture of [true, false]) {
        for (const target of [window, document, document.body]) bind(`${target}`, target, capture);
      }
    });
    const heard = () => page.evaluate(() => heard.splice(0));
    await visitor.open();
    await visitor.part("search").click();
    await page.keyboard.type("j/k?");
    assert.equal(await visitor.part("search").inputValue(), "j/k?");
    await visitor.part("field").click();
    await page.keyboard.type("gi/k? How long does a refund take");
    for (const key of ["Control+k", "ArrowLeft", "Home", "Shift+End", "F2", "ArrowRight"]) await page.keyboard.press(key);
    assert.equal(await visitor.part("field").inputValue(), "gi/k? How long does a refund take");
    await page.keyboard.press("Enter");
    await visitor.waitFor("five working days");
    await visitor.shoot("typed");
    // Buttons and what opens within the panel, by keys alone.
    await page.getByRole("button", { name: "Returns and refunds" }).first().focus();
    await page.keyboard.press("Space");
    await visitor.part("articles").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await visitor.part("articles").count(), 0);
    assert.equal(await visitor.part("panel").isVisible(), true, "the first Escape closes the article");
    await page.keyboard.press("Escape");
    assert.equal(await visitor.part("panel").isVisible(), false);
    // A listener that was there before the chat's module hears the key that closed the panel come up.
    assert.deepEqual(await heard(), ["early keyup Escape"], "nothing of all that");
    // Closed, the page has all its keys, on the launcher too.
    assert.equal(await visitor.focus(), "launcher");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    const keys = await heard();
    for (const name of ["early", "[object Window]", "[object HTMLDocument]", "[object HTMLBodyElement]"]) {
      assert.ok(keys.includes(`${name} keydown Escape`) && keys.includes(`${name} keyup j`), `${name}: ${keys}`);
    }
    // A key that went down on the page comes up there, and one that went down in the panel does not.
    await page.keyboard.down("c");
    await page.evaluate(() => document.querySelector("support-chat").show());
    await heard();
    await page.keyboard.up("c");
    assert.ok((await heard()).includes("[object Window] keyup c"));
    await page.keyboard.down("x");
    await page.evaluate(() => document.querySelector("support-chat").close());
    await page.keyboard.up("x");
    assert.deepEqual(await heard(), ["early keyup x"]);
  },
};
