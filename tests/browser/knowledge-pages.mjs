// The knowledge pages as their tests open and fill them.

import { asAgent, until } from "./person.mjs";

/** Opens a page of the knowledge as a trainer, or as `who`. */
export async function open(person, place = "", context = {}) {
  if (!person.page) await person.signIn({ who: "trainer", ...context });
  await person.page.goto(`${person.desk}knowledge${place}`);
  await person.page.locator(".area-page h2").waitFor();
  return person.page;
}

export const read = (path) => asAgent("GET", `/wiki/${path}`);
export const text = (page) => page.getByRole("textbox", { name: "Text", exact: true });

/** The field of the text, when its editor is loaded. */
export async function writing(page) {
  await page.locator(".code-holder .cm-content").waitFor();
  return text(page);
}

export const sheet = (page, name = "What saving changes") => page.getByRole("dialog", { name });
/** Saves from the sheet that says what saving changes. */
export const confirm = (page) => sheet(page).getByRole("button", { name: "Save" }).press("Enter");

/** Saves what customers may read from then on: that is confirmed by itself. */
export async function confirmPublic(page) {
  await confirm(page);
  await page.getByRole("dialog", { name: "Make this entry public?" }).getByRole("button", { name: "Make public" }).press("Enter");
}

/** Waits until an answer that was made from an entry is listed: a dry run asks its question from then on. */
export const isListed = (path) => until("the answer is listed", async () => (await asAgent("GET", `/wiki-answers?path=${path}`)).items.length);
