// Pages that want the keyboard for themselves: shortcuts of bare keys, and focus traps.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { embed } from "./embedding.mjs";
import { assert, pause } from "./visitor.mjs";

const { resolve } = createRequire(import.meta.url);
const TABBABLE = readFileSync(resolve("tabbable/dist/index.umd.js"), "utf8");
const FOCUS_TRAP = readFileSync(resolve("focus-trap/dist/focus-trap.umd.js"), "utf8");

/** Focus traps around the element `box`, as libraries of dialogs have them. Each returns what ends it. */
const TRAPS = {
  "focus-trap": () => {
    const trap = focusTrap.createFocusTrap("#box", { escapeDeactivates: false });
    trap.activate();
    return () => trap.deactivate();
  },
  "by the event of the focus that came": () => {
    const back = (event) => box.contains(event.target) || box.querySelector("input").focus();
    for (const name of ["focusin", "focus"]) document.addEventListener(name, back, true);
    return () => ["focusin", "focus"].forEach((name) => document.removeEventListener(name, back, true));
  },
  "by the event of the focus that went": () => {
    const back = ({ target, relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && target.focus();
    document.addEventListener("focusout", back);
    return () => document.removeEventListener("focusout", back);
  },
  "by a timer that looks for a lost focus": () => {
    const timer = setInterval(() => document.activeElement === document.body && box.querySelector("input").focus(), 50);
    return () => clearInterval(timer);
  },
};

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

  async "what is typed stays in the field beside a focus trap of the page, or the chat says that the page keeps the keyboard"(visitor) {
    const page = await embed(
      visitor,
      (script) => `<!doctype html><html lang=en><title>Page</title><script type=module src="${script}"></script><main><h1>Page</h1>
        <div id=box><input aria-label="Name"><button>Save</button></div></main><support-chat token-url="/demo/token"></support-chat>`,
    );
    for (const script of [TABBABLE, FOCUS_TRAP]) await page.evaluate(script);
    await visitor.open();
    const name = page.getByLabel("Name");
    const field = visitor.part("field");
    for (const [kind, trap] of Object.entries(TRAPS)) {
      await name.focus();
      await page.evaluate(`window.end = (${trap})()`);
      await field.click();
      await pause(400);
      await page.keyboard.type("my parcel lost", { delay: 20 });
      assert.deepEqual([await field.inputValue(), await name.inputValue()], ["my parcel lost", ""], kind);
      assert.equal(await visitor.part("notice").isVisible(), false, kind);
      await page.evaluate("end()");
      await field.fill("");
    }
    // A page that takes it always.
    await page.evaluate(() => {
      window.timer = setInterval(() => box.contains(document.activeElement) || box.querySelector("input").focus(), 30);
    });
    await field.click();
    await page.getByText("This page keeps the keyboard. Close what it opened to write here.").first().waitFor();
    await visitor.expectAccessibleInBoth("trapped");
    // On a phone the page is out of reach, also for itself.
    await page.setViewportSize({ width: 390, height: 740 });
    await field.click();
    await visitor.part("notice").waitFor({ state: "hidden" });
    await page.keyboard.type("on a phone");
    assert.equal(await field.inputValue(), "on a phone");
    await field.fill("");
    await page.setViewportSize({ width: 900, height: 700 });
    await field.click();
    await visitor.part("notice").waitFor();
    await page.evaluate(() => clearInterval(timer));
    await field.click();
    await visitor.part("notice").waitFor({ state: "hidden" });
    await page.keyboard.type("my parcel");
    assert.equal(await field.inputValue(), "my parcel");
  },
};
