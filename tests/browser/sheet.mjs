// The sheet before a change is published: what it asks, what it says where it cannot ask, and what is pressed meanwhile.

import { asked, at, entry, remove } from "./drafts.mjs";
import { confirmPublic, open, read, sheet, writing } from "./knowledge-pages.mjs";
import { asAgent, assert, Person, until } from "./person.mjs";

export const as = Person;

export default {
  async "the key that saves in the moment of the last letter opens the sheet, with that letter"(person) {
    const one = await entry("ibex");
    const page = await open(person, at("edit", one.path));
    const field = await writing(page);
    await field.focus();
    // Both in one task, as where the page is busy.
    await field.evaluate((content) => {
      document.execCommand("insertText", false, "Now: ");
      content.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true }));
    });
    await sheet(page).getByRole("button", { name: "Save", exact: true }).press("Enter");
    await person.notice("is saved");
    assert.match((await read(one.path)).content, /^Now: /);
    await remove(one.path);
  },

  async "a sheet that cannot ask says why, is asked again, and saves nothing unseen"(person) {
    const one = await entry("hoopoe");
    const question = await asked(one);
    const page = await open(person, at("edit", one.path));
    await (await writing(page)).fill(`A ${one.word} climbs at dusk.`);
    await page.getByText("kept on this computer").waitFor();
    for (const status of [400, 404, 409]) {
      const body = JSON.stringify({ error: "VALIDATION_ERROR", message: "", details: [{ field: "questions.days", code: "OUT_OF_RANGE", message: "" }] });
      await page.route("**/dry-runs", (route) => route.fulfill({ status: status === 404 ? 413 : status, contentType: "application/json", body }), { times: 1 });
      await page.keyboard.press("Control+Enter");
      await sheet(page).getByRole("alert").getByText("The questions could not be asked").waitFor();
      await sheet(page).getByRole("button", { name: "Save anyway" }).waitFor();
      if (status !== 409) {
        await page.keyboard.press("Escape");
        await sheet(page).waitFor({ state: "detached" });
        await (await writing(page)).focus();
      }
    }
    await person.shoot("could-not-ask");
    assert.equal((await read(one.path)).version, 1);
    await sheet(page).getByRole("button", { name: "Try again" }).press("Enter");
    await sheet(page).locator(".lost summary", { hasText: question }).press("Enter");
    await sheet(page).getByRole("button", { name: "Bring the lost sentence back" }).press("Enter");
    await sheet(page).waitFor({ state: "detached" });
    // The focus is in the text again.
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement);
    await page.keyboard.press("Control+Enter");
    await sheet(page).getByText("1 of 1 questions stay as they are").waitFor();
    assert.equal((await read(one.path)).version, 1);
    await sheet(page).getByRole("button", { name: "Save" }).press("Enter");
    await person.notice("is saved");
    assert.equal((await read(one.path)).content.trim(), `A ${one.word} climbs at dusk.\n\nFeeding a ${one.word} costs nine euros.`);
    await remove(one.path);
  },

  async "what the service would refuse is said at its field or beside the other text, and nothing is sent"(person) {
    const one = await entry("stoat");
    const page = await open(person, "/new");
    const written = () => person.requests.filter(({ method, url }) => ["POST", "PATCH"].includes(method) && url.includes("/wiki"));
    await page.getByRole("textbox", { name: "Title" }).fill("Twice");
    await page.getByRole("textbox", { name: "Path" }).fill(one.path);
    await (await writing(page)).fill("Once more.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("There is an entry of this path already").waitFor();
    await page.getByRole("textbox", { name: "Path" }).fill("nofolder");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Write parts with slashes between them").waitFor();
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("button", { name: "Throw away" }).press("Enter");
    await open(person, at("edit", one.path));
    await (await writing(page)).fill("Written while it was deleted.");
    await remove(one.path);
    await page.keyboard.press("Control+Enter");
    await page.getByText("Somebody else deleted this entry").waitFor();
    assert.deepEqual(written(), []);
  },

  async "a sheet says how many questions were asked so far, and brings nothing back that the text has"(person) {
    const one = await entry("pika");
    const page = await open(person, at("edit", one.path));
    const has = { disposition: "answered", confidence: 0.9, sources: [], answer: `A ${one.word} climbs at dawn.` };
    const none = { ...has, disposition: "no_answer", answer: "" };
    const item = (number, change) => ({ question: `Question ${number}?`, messageId: `msg_${number}`, before: has, after: change === "lost" ? none : has, change });
    const answers = [
      { items: [item(1, "lost"), item(2, "same")], nextCursor: "next", hasMore: true },
      { error: "VALIDATION_ERROR", message: "", details: [] },
      { items: [item(3, "same"), item(4, "other")], nextCursor: null, hasMore: false },
    ];
    await page.route("**/dry-runs", (route) => {
      if (route.request().postData().includes('"pins"')) return route.continue();
      const { error, ...body } = answers.shift();
      return route.fulfill({ status: error ? 400 : 200, contentType: "application/json", body: JSON.stringify(error ? { error, ...body } : { ...body, counts: {}, reliesOnModel: false }) });
    });
    await page.getByRole("textbox", { name: "Title" }).fill("Another title");
    await page.keyboard.press("Control+Enter");
    await sheet(page).getByText("1 of the newest 2 questions stay as they are. There are older ones.").waitFor();
    await sheet(page).locator(".lost summary").press("Enter");
    await sheet(page).getByText("Nothing to bring back").waitFor();
    await sheet(page).getByRole("button", { name: "Ask more questions" }).press("Enter");
    await sheet(page).getByRole("button", { name: "Try again" }).press("Enter");
    await sheet(page).getByText("2 of 4 questions stay as they are.").waitFor();
    await sheet(page).locator(".same summary").first().press("Enter");
    await sheet(page).locator(".same").getByText("Question 3?").waitFor();
    await person.shoot("all-kinds");
    await person.expectAccessible("all kinds");
    await page.keyboard.press("Escape");
    await sheet(page).waitFor({ state: "detached" });
    assert.equal((await read(one.path)).version, 1);
    await remove(one.path);
  },

  async "where the unanswered question is gone, others are asked, and nothing is saved before the sheet is seen"(person) {
    const word = `ibex${process.pid}`;
    const question = `Who shears the ${word} in spring?`;
    const { sessionId } = await asAgent("POST", "/sessions", {});
    await asAgent("POST", `/sessions/${sessionId}/messages`, { content: question });
    const gap = async () => (await asAgent("GET", "/analytics/kb-gaps?status=open&sort=recent&limit=100")).items.find((one) => one.query === question);
    await until("the question is a gap", gap);
    const page = await open(person, "/gaps");
    await page.getByRole("combobox", { name: "Order" }).selectOption("recent");
    await page.getByRole("link", { name: question }).press("Enter");
    const body = JSON.stringify({ error: "NOT_FOUND", message: "The gap does not exist.", details: [] });
    await page.route("**/dry-runs", (route) => (route.request().postData().includes("gapId") ? route.fulfill({ status: 404, contentType: "application/json", body }) : route.continue()));
    await (await writing(page)).fill(`The shepherd shears the ${word}.`);
    const path = await page.getByRole("textbox", { name: "Path" }).inputValue();
    await page.getByRole("button", { name: "Create entry" }).press("Enter");
    await sheet(page).getByText("that this was written for is gone").waitFor();
    await sheet(page).getByText("Asked instead: what customers asked in the last 30 days").waitFor();
    await person.shoot("gap-gone");
    await assert.rejects(read(path), /404/);
    await confirmPublic(page);
    await until("the entry is there", () => read(path).catch(() => null));
    await remove(path);
  },

  async "while questions are asked the button says that it does not wait, and the focus is beside it"(person) {
    const one = await entry("tahr");
    const page = await open(person, at("edit", one.path));
    // Typed over a quotation, where the browser would style what it puts there, against the policy of the page.
    await (await writing(page)).fill("> A *quotation* of somebody.");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(`A ${one.word} climbs at dusk.`);
    const held = { asked: [], pins: [] };
    await page.route("**/dry-runs", (route) => held[route.request().postData().includes('"pins"') ? "pins" : "asked"].push(route));
    const now = sheet(page).getByRole("button", { name: "Save without waiting" });
    const focused = (name) => page.waitForFunction((name) => document.activeElement?.textContent === name, name);
    await page.keyboard.press("Control+Enter");
    await now.waitFor();
    await focused("Back to the text");
    await person.shoot("asking");
    await person.expectAccessible("asking");
    await until("the questions are asked", () => held.asked.length);
    await held.asked[0].continue();
    await sheet(page).getByText("Asking the pinned questions").waitFor();
    await now.waitFor();
    await focused("Back to the text");
    await until("the pinned ones are asked", () => held.pins.length);
    await held.pins[0].continue();
    await focused("Save");
    assert.equal((await read(one.path)).version, 1);
    await page.keyboard.press("Enter");
    await person.notice("is saved");
    await remove(one.path);
  },
};
