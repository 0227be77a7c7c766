// The knowledge: what a trainer writes, what customers asked in vain, and pages that are read in.

import { createServer } from "node:http";
import { ENTRY, withEntry } from "./images.mjs";
import { confirm, confirmPublic, isListed, open, read, text, writing } from "./knowledge-pages.mjs";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";

export const as = Person;

let made = 0;
/** An entry of its own for each test. */
async function entry(change = {}) {
  made += 1;
  const path = `knowledge/${process.pid}-${made}`;
  const body = { path, title: `Entry ${process.pid}-${made}`, content: "The lighthouse opens at nine.\n\nIt closes at five.", ...change };
  return asAgent("POST", "/wiki", body);
}

const edit = ({ path }) => `/edit?path=${encodeURIComponent(path)}`;
const shown = ({ path }) => `/entry?path=${encodeURIComponent(path)}`;

/** A page on the web that fails until it is told not to. */
async function website() {
  const site = { isFailing: true };
  const server = createServer((_, response) => {
    response.writeHead(site.isFailing ? 500 : 200, { "content-type": "text/html" });
    response.end("<main><h1>Ferries</h1><p>The ferry to the island sails at noon each day.</p><h2>Dogs</h2><p>Dogs sail for two euros.</p></main>");
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  site.url = `http://127.0.0.1:${server.address().port}/ferries`;
  site.close = () => server.close();
  return site;
}

const tests = {
  async "a trainer writes an entry by keyboard, makes it public, finds it by its words, and deletes it"(person) {
    const page = await open(person);
    const word = `zephyr${process.pid}`;
    const path = `knowledge/${word}`;
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Title" }).fill(`How much is a ${word}?`);
    await page.keyboard.press("Tab");
    await page.keyboard.type("no slash");
    await (await writing(page)).focus();
    await page.keyboard.type(`A **${word}** costs nine euros.`);
    await page.getByRole("region", { name: "Preview" }).locator("strong", { hasText: word }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Write parts with slashes between them").waitFor();
    await page.getByRole("textbox", { name: "Path" }).fill(path);
    await text(page).press("Control+Enter");
    await confirm(page);
    await person.notice("is saved");
    const article = page.getByRole("article", { name: "As customers read it" });
    await article.locator("strong", { hasText: word }).waitFor();
    assert.equal((await read(path)).visibility, "internal");

    await page.getByRole("button", { name: "Make public" }).click();
    await page.getByRole("dialog", { name: "What this changes" }).getByRole("button", { name: "Go on" }).press("Enter");
    await person.shoot("ask-public");
    await page.getByRole("dialog", { name: "Make this entry public?" }).getByRole("button", { name: "Make public" }).press("Enter");
    await page.getByText("Version 2").waitFor();
    assert.equal((await read(path)).visibility, "public");
    await person.shoot("entry");

    await page.keyboard.press("/");
    await page.waitForFunction(() => document.activeElement?.matches(".search input"));
    await page.keyboard.type(word);
    await page.locator(".entry-line mark", { hasText: word }).first().waitFor();
    await page.getByRole("combobox", { name: "Who may read it" }).selectOption("public");
    await page.getByText("Entries: 1", { exact: true }).waitFor();
    await person.shoot("found");
    await page.getByRole("searchbox").press("ArrowDown");
    await page.keyboard.press("Enter");
    await article.waitFor();
    await page.keyboard.press("Control+k");
    await person.searching();
    await page.keyboard.type("delete");
    await page.getByRole("menuitem", { name: "Delete" }).waitFor();
    await person.press("ArrowDown", "Enter");
    await page.getByRole("dialog", { name: "Delete this entry?" }).getByRole("button", { name: "Delete" }).press("Enter");
    await person.notice("is deleted");
    await page.getByRole("heading", { name: "Entries" }).waitFor();
    await assert.rejects(read(path), /404/);
  },

  async "two trainers at one entry: who saves last sees both texts, and neither is lost"(person) {
    const one = await entry();
    const page = await open(person, edit(one));
    await (await writing(page)).fill("The lighthouse opens at ten.");
    await asAgent("PATCH", `/wiki/${one.path}`, { content: "The lighthouse opens at eight." });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await confirm(page);
    const conflict = page.getByRole("alert").filter({ hasText: "Somebody else saved this entry" });
    await conflict.locator("del", { hasText: "eight" }).waitFor();
    await conflict.locator("ins", { hasText: "ten" }).waitFor();
    await person.shoot("conflict");
    await person.expectAccessible("conflict");
    assert.match((await read(one.path)).content, /eight/);
    await page.reload();
    await conflict.locator("ins", { hasText: "ten" }).waitFor();
    await conflict.getByRole("button", { name: "Go on with mine" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await confirm(page);
    await person.notice("is saved");
    const { content, version } = await read(one.path);
    assert.deepEqual([content, version], ["The lighthouse opens at ten.", 3]);

    await open(person, edit(one));
    await (await writing(page)).fill("It is closed.");
    await asAgent("DELETE", `/wiki/${one.path}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Somebody else deleted this entry").waitFor();
    await page.getByRole("button", { name: "Keep mine as a new entry" }).click();
    await page.getByRole("button", { name: "Create entry" }).click();
    await confirm(page);
    await person.notice("is saved");
    assert.equal((await read(one.path)).content, "It is closed.");
  },

  async "what is not saved survives a reload, and leaving asks"(person) {
    const one = await entry();
    const page = await open(person, edit(one));
    const written = `Kept ${process.pid}`;
    await (await writing(page)).fill(written);
    await page.getByText("kept on this computer").waitFor();
    await until("the browser keeps it", () => person.kept("entry"));
    await page.reload();
    await page.getByText("is here again").waitFor();
    await writing(page);
    assert.equal((await text(page).innerText()).trim(), written);
    await person.shoot("back");
    await page.getByRole("link", { name: "Entries" }).click();
    const asked = page.getByRole("dialog", { name: "Leave without saving?" });
    await asked.getByRole("button", { name: "Stay" }).click();
    await asked.waitFor({ state: "detached" });
    assert.equal((await text(page).innerText()).trim(), written);
    await page.getByRole("link", { name: "Entries" }).click();
    await person.shoot("leaving");
    await asked.getByRole("button", { name: "Leave, keep it" }).click();
    await page.locator(".unsaved").getByRole("link", { name: one.title }).click();
    await page.getByText("is here again").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await asked.getByRole("button", { name: "Throw away" }).click();
    await page.getByRole("article").waitFor();
    await page.keyboard.press("e");
    await writing(page);
    assert.match(await text(page).innerText(), /opens at nine/);
    assert.equal((await read(one.path)).version, 1);
  },

  async "a question that was asked in vain is answered by a new entry, and closes"(person) {
    const word = `quokka${process.pid}`;
    const question = `Do you rent out a ${word} for parties?`;
    for (let asked = 0; asked < 2; asked += 1) await Customer.waits({ says: question });
    const isOpen = async () => (await asAgent("GET", "/analytics/kb-gaps?status=open&sort=recent&limit=100")).items.some((one) => one.query === question);
    await until("the question is a gap", isOpen);
    const page = await open(person, "/gaps");
    await page.getByRole("combobox", { name: "Order" }).selectOption("recent");
    await page.getByRole("link", { name: question }).click();
    const title = page.getByRole("textbox", { name: "Title" });
    await title.waitFor();
    assert.equal(await title.inputValue(), question);
    const path = await page.getByRole("textbox", { name: "Path" }).inputValue();
    assert.match(path, new RegExp(`^[\\w./-]+/do-you-rent-out-a-${word}-for-parties$`));
    await (await writing(page)).fill(`We rent out a ${word} for parties, for ninety euros a day.`);
    await person.shoot("gap");
    await person.expectAccessible("gap");
    const proof = page.getByRole("region", { name: "What it answers" });
    await proof.getByText(/Answers (\d) of \1 questions/).waitFor();
    await person.shoot("proof");
    await page.getByRole("button", { name: "Create entry" }).click();
    await page.getByText("Get an answer").waitFor();
    await person.shoot("sheet-gained");
    await person.expectAccessible("sheet");
    await confirmPublic(page);
    await page.getByText("Closed", { exact: true }).first().waitFor();
    assert.equal(await isOpen(), false);
    // It would answer the question of the next run.
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "a trainer is told which question would lose its answer, and brings the lost sentence back"(person) {
    const word = `numbat${process.pid}`;
    const one = await entry({ title: `The ${word}`, content: `You feed a ${word} at dawn.\n\nRenting a ${word} costs nine euros.`, visibility: "public" });
    const session = await asAgent("POST", "/sessions", {});
    const question = `What does renting a ${word} cost?`;
    const answer = await asAgent("POST", `/sessions/${session.sessionId}/messages`, { content: question });
    assert.equal(answer.disposition, "answered");
    await isListed(one.path);
    const page = await open(person, edit(one));
    await (await writing(page)).fill(`You feed a ${word} at dawn.`);
    await page.keyboard.press("Control+Enter");
    const sheet = page.getByRole("dialog", { name: "What saving changes" });
    await sheet.locator(".lost summary", { hasText: question }).press("Enter");
    await person.shoot("sheet-lost");
    await person.expectAccessible("sheet");
    await sheet.getByRole("button", { name: "Bring the lost sentence back" }).press("Enter");
    await sheet.waitFor({ state: "detached" });
    await text(page).press("Control+Enter");
    await sheet.getByText("1 of 1 questions stay as they are").waitFor();
    await confirm(page);
    await person.notice("is saved");
    assert.equal((await read(one.path)).content.trim(), `You feed a ${word} at dawn.\n\nRenting a ${word} costs nine euros.`);
    await asAgent("DELETE", `/wiki/${one.path}`);
  },

  async "a page is read in after it failed, and what a person changed since is left as it is"(person) {
    const site = await website();
    const under = `ferries/${process.pid}`;
    const page = await open(person, "/ingest");
    try {
      await page.getByRole("textbox", { name: "Address" }).fill("nowhere");
      await page.getByRole("button", { name: "Read in" }).click();
      await page.getByText("Write the whole address").waitFor();
      const readIn = async () => {
        await page.getByRole("textbox", { name: "Address" }).fill(site.url);
        await page.getByRole("textbox", { name: "Folder of the entries" }).fill(under);
        await page.getByRole("button", { name: "Read in", exact: true }).click();
      };
      await readIn();
      await page.getByRole("alert").getByText("The page answered with an error").waitFor();
      await person.shoot("failed-page");
      await person.expectAccessible("failed");
      site.isFailing = false;
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Done").waitFor();
      const paths = page.locator(".ingested a");
      const [first] = await paths.allInnerTexts();
      await person.shoot("read-in");
      await asAgent("PATCH", `/wiki/${first}`, { content: "No ferry sails in winter." });
      await page.getByRole("link", { name: "All that was read in" }).click();
      await readIn();
      await page.getByText("because a person changed them").waitFor();
      await person.shoot("conflicts");
      await page.locator(".told").getByRole("link", { name: first }).click();
      await page.getByRole("article").getByText("No ferry sails in winter").waitFor();
    } finally {
      site.close();
    }
  },

  async "a page is read again each day, by keyboard, until that is ended"(person) {
    const site = await website();
    const page = await open(person, "/ingest");
    const line = page.getByRole("row").filter({ hasText: site.url });
    try {
      const again = page.getByRole("combobox", { name: "Read again" });
      await page.getByRole("combobox", { name: "From" }).selectOption("text");
      assert.equal(await again.count(), 0, "a text is not read again");
      await page.getByRole("combobox", { name: "From" }).selectOption("url");
      await page.getByRole("textbox", { name: "Address" }).fill(site.url);
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown");
      assert.equal(await again.inputValue(), "day");
      await page.keyboard.press("Tab");
      await page.keyboard.type(`ferries/daily/${process.pid}`);
      await person.shoot("schedule");
      await person.expectAccessible("schedule");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("It is read again").waitFor();
      await person.shoot("failed-page");
      await person.expectAccessible("failed");
      site.isFailing = false;
      await page.getByRole("button", { name: "Try again" }).press("Enter");
      await page.getByText("Every day, next on").waitFor();
      const ends = page.getByRole("button", { name: "Do not read it again" });
      await person.shoot("scheduled-page");
      await person.expectAccessibleInBoth("scheduled-page");

      await page.getByRole("link", { name: "All that was read in" }).press("Enter");
      await line.getByText("Every day").waitFor();
      await page.getByRole("combobox", { name: "Show" }).selectOption("scheduled");
      await line.waitFor();
      await person.shoot("scheduled");
      await person.expectAccessibleInBoth("scheduled");
      await line.getByRole("link").press("Enter");

      await ends.press("Enter");
      const asked = page.getByRole("dialog", { name: "Read this page no more?" });
      await asked.waitFor();
      await person.expectAccessible("ask");
      await page.keyboard.press("Escape");
      await asked.waitFor({ state: "detached" });
      await ends.press("Enter");
      await asked.getByRole("button", { name: "Do not read it again" }).press("Enter");
      await person.notice("is not read again");
      await ends.waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.matches("h3.url"));
      await page.locator(".ingested a").first().waitFor();
      await page.getByRole("link", { name: "All that was read in" }).press("Enter");
      await line.getByText("Done").waitFor();
      await line.getByText("Every day").waitFor({ state: "detached" });
      await page.getByRole("combobox", { name: "Show" }).selectOption("scheduled");
      await line.waitFor({ state: "detached" });
    } finally {
      site.close();
    }
  },

  async "the article and the preview show what customers see, also that there is nothing"(person) {
    const page = await open(person);
    await withEntry(person.context, async (asked) => {
      for (const shows of [true, false]) {
        if (!shows) {
          await person.context.route("**/auth/desk-token*/**", async (route) => {
            const response = await route.fetch();
            const told = await response.json();
            await route.fulfill({ response, json: told.tenant ? { ...told, tenant: { ...told.tenant, showsImages: false } } : told });
          });
          await page.reload();
          asked.length = 0;
        }
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 800 });
          await open(person, shown(ENTRY));
          const article = page.getByRole("article", { name: "As customers read it" });
          await article.getByText("Lift the glass off.").waitFor();
          if (shows) await article.getByRole("img", { name: "The glass" }).waitFor();
          assert.equal(await article.getByRole("button", { name: /Open image/ }).count(), shows ? 1 : 0);
          await person.expectAccessibleInBoth(`article-${shows}`);
          await open(person, edit(ENTRY));
          const preview = page.getByRole("region", { name: "Preview" });
          const toggle = page.getByRole("button", { name: /^(Show|Hide) preview$/ });
          if ((await toggle.getAttribute("aria-pressed")) !== "true") await toggle.click();
          await preview.getByText("Lift the glass off.").waitFor();
          if (shows) await preview.getByRole("img", { name: "The glass" }).waitFor();
          assert.equal(await preview.locator("img").count(), shows ? 1 : 0);
          await person.expectAccessibleInBoth(`preview-${shows}`);
        }
        if (shows) {
          await page.getByRole("button", { name: "Open image: The brass screw" }).first().click();
          const viewer = page.getByRole("dialog", { name: "The brass screw" });
          await viewer.waitFor();
          await person.shoot("viewer");
          await page.keyboard.press("Escape");
          await viewer.waitFor({ state: "detached" });
        } else assert.deepEqual(asked, [], "nothing is loaded");
      }
    });
  },

  async "an agent reads, and can propose, and changes nothing"(person) {
    const one = await entry();
    const page = await open(person, shown(one), { who: "agent" });
    await page.getByRole("article").getByText("The lighthouse").waitFor();
    assert.equal(await page.getByRole("button", { name: "Edit" }).count(), 0);
    assert.deepEqual(await page.locator(".area-nav li").allInnerTexts(), ["Entries", "Unanswered questions", "Disliked answers", "Drafts"]);
    await page.goto(`${person.desk}knowledge${edit(one)}`);
    await page.getByRole("heading", { name: "Propose a change" }).waitFor();
    await page.goto(`${person.desk}knowledge/ingest`);
    await page.getByRole("heading", { name: "Entries" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "New entry" }).count(), 0);
    await page.getByRole("link", { name: "Inbox" }).click();
    await page.locator(".rows").waitFor();
  },
};

for (const width of [1280, 390]) {
  tests[`axe finds nothing on any page of the knowledge (${width})`] = async (person) => {
    const one = await entry({ visibility: "public", tags: ["sea"], content: "# Hours\n\nThe **lighthouse** opens at *nine*.\n\n- daily\n- all year\n\n| Day | Hour |\n|--|--|\n| Monday | 9 |" });
    const page = await open(person, "", { width });
    for (const [name, place] of Object.entries({ list: "?q=lighthouse", entry: shown(one), edit: edit(one), gaps: "/gaps", ingest: "/ingest" })) {
      await open(person, place);
      await page.getByText("Loading").first().waitFor({ state: "detached" });
      if (name === "edit") await writing(page);
      await person.expectAccessibleInBoth(name);
    }
  };
}

export default tests;
