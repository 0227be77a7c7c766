// For everybody: axe-core finds nothing at the desk, in light and dark, wide and narrow.

import { Customer, Person } from "./person.mjs";
import { REFUND } from "./visitor.mjs";

export const as = Person;
/** Each waits for what moves. */
export const waits = 2;

const tests = {};
for (const width of [1280, 390]) {
  tests[`axe finds nothing in any state (${width})`] = async (person) => {
    const check = (state) => person.expectAccessibleInBoth(state);
    const customer = await Customer.waits({ says: REFUND, email: `axe${Date.now()}@example.com`, priority: "high" });
    const page = await person.arrive({ viewport: { width, height: 800 } });
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await check("signed-out");
    await person.throughProvider();
    await check("queue");
    await person.open(customer);
    await check("waiting");
    await page.getByRole("button", { name: "Take", exact: true }).click();
    await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    await person.field.fill("**Hello**, one moment.");
    await check("writing");
    await page.getByRole("button", { name: "Preview" }).click();
    await check("preview");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator(".turn.agent").waitFor();
    await page.getByRole("radio", { name: "Note" }).click();
    await person.field.fill("For colleagues");
    await check("note");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.locator(".turn.note:not(.pending)").waitFor();
    if (width === 390) {
      await page.getByRole("button", { name: "Customer", exact: true }).click();
      await check("customer");
      await page.getByRole("button", { name: "Close", exact: true }).click();
    }
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menu").waitFor();
    await check("more");
    await page.getByRole("menuitem", { name: "Transfer" }).click();
    await page.getByRole("option", { name: "Ada Admin" }).waitFor();
    await check("transfer");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Preferences", exact: true }).click();
    await page.getByRole("dialog", { name: "Preferences" }).waitFor();
    await check("settings");
    await page.keyboard.press("Escape");
    for (const [key, state] of [
      ["s", "suggestion"],
      ["/", "saved-replies"],
      ["z", "snooze"],
      ["e", "resolve"],
      ["?", "keys"],
    ]) {
      await page.locator(".log").focus();
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      if (state === "suggestion") await page.locator(".suggestion-text").waitFor();
      await check(state);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").waitFor();
    await check("palette");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator(".log").focus();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: /Resolution/ }).waitFor();
    const pass = await person.holdUndo();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await check("undo");
    await pass();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await check("resolved");
  };
}

export default tests;
