// The desk in German: chosen by the person, and nothing stays in English.

import { Customer, Person, asAgent, assert } from "./person.mjs";
import { REFUND } from "./visitor.mjs";

export const as = Person;

/** Texts that are the same in both languages, or were written by people. */
const SAME =
  /^(?:Markdown|Desk|Live|Test|Name|Chat|API|Details|English|Deutsch|Ctrl .*|Esc|[\d\s.,:%+·/()–-]*|.{1,2})$/i;

/** Every text of the page that a person reads or hears. */
const textsOf = (page) =>
  page.evaluate(() => {
    const found = new Set([document.title.replace(/^\(\d+\) /, "")]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // Texts of people, the wiki or the assistant.
    const written =
      ".bubble, .row-name, .row-reason, .reply-item, .grounds li, .suggestion-text, .suggestion-sources bdi, .path, .summary p, .why bdi, .said, " +
      ".head h2, .top h1, .person dd, .sessions bdi, .tag, .who, option";
    while (walker.nextNode()) {
      const holder = walker.currentNode.parentElement;
      if (holder.matches("script, style") || holder.closest(written)) continue;
      found.add(walker.currentNode.data.trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]")) {
      if (element.closest(written)) continue;
      for (const name of ["aria-label", "placeholder", "title"]) found.add(element.getAttribute(name)?.trim() ?? "");
    }
    return [...found].filter(Boolean);
  });

export default {
  async "in German no English word is left on the screen"(person) {
    const shortcut = `l${Date.now()}`;
    await asAgent("POST", "/saved-replies", { scope: "team", shortcut, title: shortcut, content: "Hello" });
    const email = `lang-${Date.now()}@example.com`;
    await Customer.waits({ email });
    const customer = await Customer.waits({ says: REFUND, email, priority: "high" });
    await person.signIn();
    const { page } = person;

    /** Goes through the states by keys, which no language changes. */
    const walk = async (language) => {
      const texts = new Map();
      const see = async (state) => {
        await page.waitForTimeout(300);
        for (const text of await textsOf(page)) if (!texts.has(text)) texts.set(text, state);
        await person.shoot(`${state}-${language}`);
      };
      await page.goto(`${person.desk}?view=assistant`);
      await person.ready();
      await see("empty");
      await page.goto(`${person.desk}inbox/${customer.escalationId}`);
      await person.shows(customer);
      await page.locator(".unsure").waitFor();
      await see("conversation");
      if ((await customer.escalation()).status === "pending") {
        await person.takeByKey();
        await page.locator(".composer textarea").waitFor();
      }
      await page.locator(".kinds").waitFor();
      await person.press("n");
      await see("note");
      await page.keyboard.press("Escape");
      await person.press("r");
      await see("reply");
      await page.keyboard.press("Escape");
      for (const [key, state] of [
        ["e", "resolve"],
        ["b", "handback"],
        ["z", "snooze"],
        ["/", "saved-replies"],
        ["s", "suggestion"],
        ["?", "keys"],
        ["Control+k", "palette"],
      ]) {
        await page.locator(".log").focus();
        await page.keyboard.press(key);
        await page.getByRole("dialog").waitFor();
        if (state === "suggestion") await page.locator(".suggestion-text").waitFor();
        await see(state);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await page.locator(".head [aria-haspopup]").click();
      await page.getByRole("menu").waitFor();
      await see("more");
      await page.keyboard.press("Escape");
      await page.locator(".top [aria-haspopup]").click();
      await page.getByRole("menu").waitFor();
      await see("menu");
      await page.getByRole("menuitem", { name: /^(Preferences|Voreinstellungen)$/ }).click();
      await page.locator(".settings").waitFor();
      await see("settings");
      return texts;
    };
    const english = await walk("en");
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.getByRole("switch", { name: "Verfügbar" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    const german = await walk("de");
    const left = [...german].filter(([text]) => english.has(text) && !SAME.test(text) && !text.includes(customer.name));
    assert.deepEqual(left, []);
    const times = await page.locator(".person dd").allInnerTexts();
    assert.ok(times.some((text) => /^\d{2}\.\d{2}\.\d{4}/.test(text)), `a date as German has it: ${times}`);
  },
};
