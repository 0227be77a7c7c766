// The life of one entry: proposed by an agent, published by a trainer, its versions, and the sheet before each of them.

import { isListed, open, read, sheet, writing } from "./knowledge-pages.mjs";
import { Person, asAgent, assert, until } from "./person.mjs";

export const as = Person;

/** An entry about an animal of which no other test writes. */
export async function entry(animal, change = {}) {
  const word = `${animal}${process.pid}`;
  const content = `A ${word} climbs at dawn.\n\nFeeding a ${word} costs nine euros.`;
  const one = await asAgent("POST", "/wiki", { path: `alps/${word}`, title: `The ${word}`, content, visibility: "public", ...change });
  return { ...one, word };
}

/** A customer's question that the entry answers. */
export async function asked({ word, path }) {
  const question = `What does feeding a ${word} cost?`;
  const { sessionId } = await asAgent("POST", "/sessions", {});
  const answer = await asAgent("POST", `/sessions/${sessionId}/messages`, { content: question });
  assert.equal(answer.disposition, "answered");
  await isListed(path);
  return question;
}

export const at = (page, path, more = "") => `/${page}?path=${encodeURIComponent(path)}${more}`;
const draftsOf = async (path) => (await asAgent("GET", `/drafts?path=${encodeURIComponent(path)}`)).items;
export const remove = (path) => asAgent("DELETE", `/wiki/${path}`).catch(() => {});

/** Runs a command by its name. */
async function command(page, name) {
  await page.keyboard.press("Control+k");
  await page.locator(".search input:focus").waitFor();
  await page.keyboard.type(name);
  await page.getByRole("menuitem", { name }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Nobody has to look for the focus: it is at the head of the page that was opened, or in what tells of others. */
export const hasFocus = (page, selector) => page.waitForFunction((selector) => document.activeElement?.matches(selector), selector);

/** Signs in somebody else in a browser of their own, for the rest of a test. */
async function beside(person, who, run) {
  const other = new Person(person.browser, person.folder, `${person.name}-${who}`);
  try {
    await other.signIn({ who });
    await run(other);
    await other.expectClean();
  } finally {
    await other.leave();
  }
}

const tests = {
  async "an agent proposes, a trainer publishes by the sheet, and an old version comes back, all by keyboard"(person) {
    const one = await entry("marmot");
    const question = await asked(one);
    await beside(person, "agent", async (agent) => {
      const page = await open(agent, at("entry", one.path));
      await page.getByRole("article").waitFor();
      await agent.shoot("agent");
      await page.keyboard.press("e");
      await (await writing(page)).fill(`A ${one.word} climbs at noon.`);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("heading", { name: "Draft" }).waitFor();
      await page.locator(".diff ins", { hasText: "noon" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Publish" }).count(), 0);
      assert.equal((await read(one.path)).version, 1);
      await page.keyboard.press("e");
      await page.getByRole("textbox", { name: "Title" }).fill(`A ${one.word}`);
      await page.keyboard.press("Control+Enter");
      await agent.notice("The draft is saved");
    });
    const { pinId } = await asAgent("POST", "/pins", { path: one.path, question });
    const [draft] = await draftsOf(one.path);
    assert.deepEqual([draft.title, draft.version, draft.action], [`A ${one.word}`, 2, "update"]);

    const page = await open(person);
    await page.keyboard.press("d");
    await page.getByRole("link", { name: draft.title }).press("Enter");
    await page.locator(".diff del", { hasText: "dawn" }).waitFor();
    await person.shoot("draft");
    await command(page, "Publish");
    const publishing = sheet(page, "What publishing changes");
    await publishing.getByText("0 of 1 pinned questions stay as they are").waitFor();
    await publishing.locator(".lost summary", { hasText: question }).last().press("Enter");
    await publishing.getByText("costs nine euros").waitFor();
    await person.shoot("publishing");
    await person.expectAccessible("publishing");
    await publishing.getByRole("button", { name: "Publish" }).press("Enter");
    await person.notice("is published");
    await page.getByRole("article").getByText("climbs at noon").waitFor();
    await hasFocus(page, "h2");
    assert.equal((await read(one.path)).content, `A ${one.word} climbs at noon.`);

    await page.keyboard.press("h");
    const versions = page.getByRole("region", { name: "Versions" });
    await versions.getByRole("link", { name: "Version 2" }).press("Enter");
    await page.locator(".diff ins", { hasText: "noon" }).waitFor();
    await versions.getByRole("link", { name: "Version 1" }).press("Enter");
    await page.getByRole("button", { name: "Restore version 1" }).press("Enter");
    const restoring = sheet(page, "What restoring changes");
    await restoring.getByText("Get an answer").first().waitFor();
    await person.shoot("restoring");
    await restoring.getByRole("button", { name: "Restore" }).press("Enter");
    await person.notice("is back");
    await page.getByRole("article").getByText("climbs at dawn").waitFor();
    await hasFocus(page, "h2");
    const { content, version } = await read(one.path);
    assert.deepEqual([content, version], [one.content, 3]);
    await asAgent("DELETE", `/pins/${pinId}`);
    await remove(one.path);
  },

  async "of two at one draft, who comes second is told, and sees both texts"(person) {
    const one = await entry("chough");
    const draft = await asAgent("POST", "/drafts", { path: one.path, content: "It climbs at one." });
    const draftAt = `/drafts/${draft.draftId}`;
    const page = await open(person, draftAt);
    const publish = async () => {
      await page.getByRole("button", { name: "Publish" }).press("Enter");
      await sheet(page, "What publishing changes").getByRole("button", { name: "Publish" }).press("Enter");
    };
    await page.getByRole("button", { name: "Publish" }).waitFor();
    // The draft is another one than the one that was read.
    await asAgent("PATCH", draftAt, { content: "It climbs at two." });
    await publish();
    const told = page.getByRole("alert");
    await told.getByText("Somebody changed this draft").waitFor();
    await told.locator("del", { hasText: "one" }).waitFor();
    await told.locator("ins", { hasText: "two" }).waitFor();
    await hasFocus(page, ".conflict");
    await person.shoot("draft-moved");
    await person.expectAccessible("draft moved");
    assert.equal((await read(one.path)).version, 1);
    await told.getByRole("button", { name: "Close this" }).press("Enter");
    // The entry is another one than the draft was made from.
    await asAgent("PATCH", `/wiki/${one.path}`, { content: "It climbs at three." });
    await publish();
    await told.getByText("Somebody changed the entry").waitFor();
    await told.locator("del", { hasText: "three" }).waitFor();
    await hasFocus(page, ".conflict");
    await person.shoot("entry-moved");
    // No command does what the page does not offer.
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("Discard");
    await page.getByRole("menuitem", { name: "Discard" }).waitFor();
    await page.getByRole("searchbox").fill("Publish");
    await page.getByRole("menuitem", { name: "Discard" }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("menuitem", { name: "Publish" }).count(), 0);
    await page.getByRole("searchbox").fill("");
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").waitFor({ state: "detached" });
    await person.expectAccessible("entry moved");
    assert.equal((await read(one.path)).version, 2);
    await told.getByRole("button", { name: "Put it in place of theirs" }).press("Enter");
    await sheet(page, "What publishing changes").getByRole("button", { name: "Publish" }).press("Enter");
    await person.notice("is published");
    assert.equal((await read(one.path)).content, "It climbs at two.");

    // Who writes a draft that somebody else discards keeps the text.
    const other = await asAgent("POST", "/drafts", { path: one.path, content: "It climbs at four." });
    await open(person, `/drafts/${other.draftId}/edit`);
    await (await writing(page)).fill("It climbs at five.");
    await asAgent("DELETE", `/drafts/${other.draftId}`);
    await page.keyboard.press("Control+Enter");
    await page.getByText("This draft waits no longer").waitFor();
    await page.getByRole("button", { name: "Keep mine as a new draft" }).press("Enter");
    await page.getByRole("button", { name: "Save draft" }).press("Enter");
    await page.locator(".diff ins", { hasText: "five" }).waitFor();
    const [mine] = await draftsOf(one.path);
    assert.equal(mine.content, "It climbs at five.");
    await page.getByRole("button", { name: "Discard" }).press("Enter");
    await page.getByRole("dialog", { name: "Discard this draft?" }).getByRole("button", { name: "Discard" }).press("Enter");
    await person.notice("The draft is discarded");
    assert.equal((await draftsOf(one.path)).length, 0);
    await remove(one.path);
  },

  async "deleting shows which question loses its answer, and a deleted entry comes back by its address"(person) {
    const one = await entry("lynx");
    const question = await asked(one);
    const page = await open(person, at("entry", one.path));
    await page.getByRole("article").waitFor();
    await command(page, "Delete");
    const deleting = sheet(page, "Delete this entry?");
    await deleting.locator(".lost summary", { hasText: question }).waitFor();
    await person.shoot("deleting");
    assert.equal((await read(one.path)).version, 1);
    await deleting.getByRole("button", { name: "Delete" }).press("Enter");
    await person.notice("is deleted");
    await assert.rejects(read(one.path), /404/);

    await open(person, at("entry", one.path));
    await page.getByRole("link", { name: "History" }).press("Enter");
    await page.getByText("This entry is deleted").waitFor();
    await page.getByRole("link", { name: "Version 1" }).press("Enter");
    await page.getByRole("button", { name: "Restore version 1" }).press("Enter");
    // Somebody else is faster.
    const created = await asAgent("POST", "/wiki", { path: one.path, title: one.title, content: "Another one.", visibility: "public" });
    await sheet(page, "What restoring changes").getByRole("button", { name: "Restore" }).press("Enter");
    await page.getByRole("alert").getByText("Somebody changed the entry").waitFor();
    await hasFocus(page, ".conflict");
    await person.shoot("restore-moved");
    await person.expectAccessible("restore moved");
    assert.equal((await read(one.path)).version, created.version);
    await page.getByRole("button", { name: "Restore all the same" }).press("Enter");
    await sheet(page, "What restoring changes").getByRole("button", { name: "Restore" }).press("Enter");
    await person.notice("is back");
    assert.equal((await read(one.path)).content, one.content);
    await remove(one.path);
  },

  async "a proposed entry is published as public only where that is confirmed, and a proposed deletion deletes"(person) {
    const word = `ptarmigan${process.pid}`;
    const path = `alps/${word}`;
    await beside(person, "agent", async (agent) => {
      const page = await open(agent);
      await page.keyboard.press("n");
      await page.getByRole("textbox", { name: "Title" }).fill(`A new ${word}`);
      await page.getByRole("textbox", { name: "Path" }).fill(path);
      await (await writing(page)).fill(`A ${word} is shy.`);
      await page.getByRole("combobox", { name: "Who may read it" }).selectOption("public");
      await page.getByRole("button", { name: "Propose" }).press("Enter");
      await agent.notice("Proposed");
      await page.getByRole("heading", { name: "The new entry" }).waitFor();
    });
    const [draft] = await draftsOf(path);
    const page = await open(person, `/drafts/${draft.draftId}`);
    const publish = () => page.getByRole("button", { name: "Publish" }).press("Enter");
    await publish();
    await sheet(page, "What publishing changes").getByRole("button", { name: "Publish" }).press("Enter");
    const confirming = page.getByRole("dialog", { name: "Make this entry public?" });
    await confirming.waitFor();
    await assert.rejects(read(path), /404/);
    await confirming.getByRole("button", { name: "Make public" }).press("Enter");
    await person.notice("is published");
    assert.equal((await read(path)).visibility, "public");

    await beside(person, "agent", async (agent) => {
      const page = await open(agent, at("entry", path));
      await page.getByRole("button", { name: "Propose to delete" }).press("Enter");
      await sheet(page, "Propose to delete this entry?").getByRole("button", { name: "Propose to delete" }).press("Enter");
      await agent.notice("Proposed");
      await page.getByRole("heading", { name: "What goes" }).waitFor();
    });
    const [gone] = await draftsOf(path);
    await open(person, `/drafts/${gone.draftId}`);
    await publish();
    await sheet(page, "What publishing changes").getByRole("button", { name: "Publish" }).press("Enter");
    await person.notice("is published");
    await assert.rejects(read(path), /404/);
  },
};

for (const width of [1280, 390]) {
  tests[`axe finds nothing on drafts and history (${width})`] = async (person) => {
    const content = `# Climbing\n\n${Array.from({ length: 12 }, (_, line) => `- Step ${line} of the way up`).join("\n")}\n\nIt ends at the top.`;
    const one = await entry(`vole${width}x`, { content, tags: ["alps"] });
    const change = { content: content.replace("Step 3 of the way", "Step 3 on the long way"), visibility: "internal" };
    await asAgent("PATCH", `/wiki/${one.path}`, change);
    await asAgent("PATCH", `/wiki/${one.path}`, { title: `Every ${one.word}` });
    const drafts = [];
    for (const body of [{ content: content.replace("at the top", "in the valley"), tags: ["alps", "walks"] }, { action: "delete" }]) drafts.push(await asAgent("POST", "/drafts", { path: one.path, ...body }));
    const draft = drafts[0];
    await open(person, "", { width });
    const places = { drafts: "/drafts", draft: `/drafts/${draft.draftId}`, edit: `/drafts/${draft.draftId}/edit`, versions: at("history", one.path), history: at("history", one.path, "&version=2"), today: at("history", one.path, "&version=1&against=today") };
    for (const [name, place] of Object.entries(places)) {
      const page = await open(person, place);
      await page.getByText("Loading").first().waitFor({ state: "detached" });
      if (name === "edit") await writing(page);
      if (name === "history") await page.locator(".diff ins").first().waitFor();
      await person.expectAccessibleInBoth(name);
    }
    for (const { draftId } of drafts) await asAgent("DELETE", `/drafts/${draftId}`);
    await remove(one.path);
  };
}

export default tests;
