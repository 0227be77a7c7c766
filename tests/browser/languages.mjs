// Every language is opened once.

import { assert, REFUND } from "./visitor.mjs";

const LANGUAGES = "ar bn da de el en es fi fr hi hu id it ja nl no pt ro ru sv ta tr ur zh".split(" ");

async function openedIn(visitor, locale) {
  const page = await visitor.visit({
    prepare: (context) =>
      context.addInitScript(
        (locale) => document.addEventListener("DOMContentLoaded", () => (document.documentElement.lang = locale)),
        locale,
      ),
  });
  await visitor.open();
  await page.waitForFunction(
    (locale) => document.querySelector("support-chat").shadowRoot.querySelector(".panel").lang === locale,
    locale,
  );
  return page;
}

export default {
  async "every language is spoken by one small file of its own, and fits the panel and a phone"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    const panel = visitor.part("panel");
    for (const language of LANGUAGES) {
      await page.evaluate((language) => document.querySelector("support-chat").setAttribute("locale", language), language);
      await page.waitForFunction(
        (language) => document.querySelector("support-chat").shadowRoot.querySelector(".panel").lang === language,
        language,
      );
      assert.equal(visitor.asked(`/${language}.js`).length, language === "en" ? 0 : 1, language);
      assert.equal(await panel.getAttribute("dir"), language === "ar" || language === "ur" ? "rtl" : "ltr", language);
      const label = await visitor.part("field").getAttribute("aria-label");
      assert.equal(label === "Your message", language === "en", label);
      const overflow = await panel.evaluate(
        (one) => one.scrollWidth > one.clientWidth || one.querySelector(".header").scrollWidth > one.clientWidth,
      );
      assert.equal(overflow, false, `${language}: a text is wider than its place`);
      await page.setViewportSize({ width: 320, height: 640 });
      const isWider = await panel.evaluate((one) => one.scrollWidth > one.clientWidth);
      assert.equal(isWider, false, `${language}: wider than a phone`);
      const header = await visitor.part("header").evaluate((one) => one.clientHeight);
      assert.ok(header <= 90, `${language}: a header of ${header} pixels`);
      await visitor.shoot(language);
      await page.setViewportSize({ width: 900, height: 700 });
    }
  },

  async "a locale is its language, and what is not spoken is English"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    for (const [locale, language] of [
      ["pt-BR", "pt"],
      ["nb-NO", "no"],
      ["zh_Hant_TW", "zh"],
      ["pl", "en"],
    ]) {
      await page.evaluate((locale) => document.querySelector("support-chat").setAttribute("locale", locale), locale);
      await page.waitForFunction(
        (language) => document.querySelector("support-chat").shadowRoot.querySelector(".panel").lang === language,
        language,
      );
    }
  },

  async "from right to left everything stands on the other side"(visitor) {
    const page = await openedIn(visitor, "ar");
    await visitor.say(REFUND);
    await visitor.part("person").click();
    await visitor.part("status").waitFor();
    const place = (selector) =>
      page
        .locator(`support-chat ${selector}`)
        .first()
        .evaluate((one) => one.getBoundingClientRect().left);
    assert.ok((await place(".send")) < (await place("textarea")), "Send is at the end of the line");
    assert.ok(
      (await place(".customer .bubble")) < (await place(".item.ai .bubble")),
      "the customer is at the end of the line",
    );
    await visitor.shoot("arabic");
    await visitor.expectSameAsStored();
  },
};
