// A trainer's work on questions that were asked in vain, on answers that were given, and on pinned questions.

import { confirmPublic, open, text, writing } from "./knowledge-pages.mjs";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { Agent } from "./visitor.mjs";

export const as = Person;

let made = 0;
/** A word that no other test uses. */
export const word = (kind) => `${kind}${process.pid}x${(made += 1)}`;

/** A question that customers asked in vain, as the service has it. */
export async function gapOf(question) {
  let found;
  await until("the question is a gap", async () => {
    const { items } = await asAgent("GET", "/analytics/kb-gaps?status=open&sort=recent&limit=100");
    found = items.find((one) => [one.query, ...one.examples].includes(question));
    return found;
  });
  return found;
}

/** Reads who was told once more. */
async function toldAgain(page) {
  await page.reload();
  // Both lists; an empty one is not visible.
  await page.locator(".told-list").nth(1).waitFor({ state: "attached" });
}

/** An entry, and customers who were answered from it. */
async function told(name, customers) {
  const path = `trainer/${name}`;
  await asAgent("POST", "/wiki", { path, title: `The ${name}`, content: `Grooming a ${name} takes nine minutes.`, visibility: "public" });
  const sessions = [];
  for (let one = 0; one < customers; one += 1) {
    const session = await asAgent("POST", "/sessions", { externalUserId: `${name}-${one}`, user: { name: `Told ${name} ${one}` }, channel: "api" });
    const customer = new Customer(session.sessionId, `Told ${name} ${one}`);
    const { disposition } = await customer.says(`How long does grooming a ${name} take?`);
    assert.equal(disposition, "answered");
    sessions.push(customer);
  }
  return { path, sessions };
}

const notesOf = async (customer) => (await customer.turns("agent")).filter((turn) => turn.internal).map((turn) => turn.content);
const toldAt = (path) => `/told?path=${encodeURIComponent(path)}`;
const entryAt = (path) => `/entry?path=${encodeURIComponent(path)}`;

const tests = {
  async "by keyboard: a question that a colleague answered by hand becomes an entry, and closes"(person) {
    const name = word("wombat");
    const asked = [`Do you lend a ${name} to schools?`, `Do you lend your ${name} to schools please?`];
    for (const says of asked) {
      const customer = await Customer.waits({ says });
      await (await Agent.takes(customer.sessionId)).says(`Yes, schools borrow a ${name} for a week, free of charge.`);
    }
    const { gapId } = await gapOf(asked[0]);
    const page = await open(person, "/gaps");
    await page.getByRole("combobox", { name: "Order" }).selectOption("recent");
    const lines = page.locator(".gap-query a");
    const line = page.locator(`#gap-${gapId} a`);
    await line.waitFor();
    await lines.first().focus();
    await until("the arrows reach the question", async () => {
      if (await line.evaluate((one) => one === document.activeElement)) return true;
      await page.keyboard.press("ArrowDown");
      return false;
    });
    await page.keyboard.press("Enter");
    const pane = page.getByRole("region", { name: "Your answer" });
    await pane.getByText("How colleagues answered it by hand (2)").waitFor();
    await pane.getByRole("button", { name: "Show the conversation" }).first().press("Enter");
    const talk = page.getByRole("dialog", { name: "Conversation" });
    await talk.getByText("free of charge").waitFor();
    await person.shoot("conversation");
    await page.keyboard.press("Escape");
    await writing(page);
    await pane.getByRole("button", { name: "Begin from what colleagues wrote" }).press("Enter");
    await page.getByText("What a colleague wrote begins your text").waitFor();
    await (await writing(page)).getByText("free of charge").first().waitFor();
    await person.shoot("begun");
    const proof = page.getByRole("region", { name: "What it answers" });
    await text(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(`\n\nWe lend a ${name} to every school, free of charge, for a week.`);
    await proof.getByText("Answers 2 of 2 questions").waitFor();
    assert.equal(await text(page).evaluate((one) => one.getRootNode().activeElement === one), true, "the text keeps the focus");
    await proof.getByText("Answered: 2", { exact: true }).press("Enter");
    await proof.locator("summary", { hasText: asked[0] }).press("Enter");
    await proof.getByText("The answer it would get").waitFor();
    // The keys of a dialog are not the form's.
    await pane.getByRole("button", { name: "Show the conversation" }).first().press("Enter");
    await talk.getByText("free of charge").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await talk.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("dialog").count(), 0);
    await person.shoot("answers");
    await person.expectAccessible("answers");
    const path = await page.getByRole("textbox", { name: "Path" }).inputValue();
    await text(page).press("Control+Enter");
    await confirmPublic(page);
    await pane.getByText(/^(Saved, still open|Closed)$/).waitFor();
    await person.shoot("saved");
    await pane.getByText("Closed", { exact: true }).waitFor();
    await person.expectAccessible("closed");
    assert.equal((await asAgent("GET", `/analytics/kb-gaps/${gapId}`)).status, "resolved");
    assert.match((await asAgent("GET", `/wiki/${path}`)).content, /every school/);
    const drafts = await asAgent("GET", "/drafts?status=open&limit=100");
    assert.equal(drafts.items.filter((one) => one.gapId === gapId).length, 0, "the draft is used up");
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "a question that goes while it is answered says so, and nothing written is lost"(person) {
    const name = word("tapir");
    await Customer.waits({ says: `Is a ${name} allowed on the bus?` });
    const { gapId } = await gapOf(`Is a ${name} allowed on the bus?`);
    const page = await open(person, `/gaps/${gapId}`);
    await (await writing(page)).fill("Every animal rides for free.");
    await until("the browser keeps it", () => person.kept("entry"));
    const body = JSON.stringify({ error: "NOT_FOUND", message: "no such knowledge gap" });
    await page.route(`**/kb-gaps/${gapId}`, (route) => route.fulfill({ status: 404, contentType: "application/json", body }));
    await page.reload();
    await page.getByText("Nobody asks it any more").waitFor();
    await writing(page);
    assert.equal((await text(page).innerText()).trim(), "Every animal rides for free.");
    await person.shoot("gone");
  },

  async "an agent begins a proposal from what a colleague wrote"(person) {
    const name = word("bilby");
    const customer = await Customer.waits({ says: `Do you wash a ${name} indoors?` });
    await (await Agent.takes(customer.sessionId)).says(`We wash a ${name} in the hall.`);
    const { gapId } = await gapOf(`Do you wash a ${name} indoors?`);
    const page = await open(person, `/gaps/${gapId}`, { who: "agent" });
    await page.getByRole("button", { name: "Begin from what colleagues wrote" }).press("Enter");
    await (await writing(page)).getByText("in the hall").first().waitFor();
    const draftId = /drafts\/(\w+)\/edit$/.exec(page.url())?.[1];
    assert.equal((await asAgent("GET", `/drafts/${draftId}`)).gapId, gapId);
    await open(person, `/gaps/${gapId}`);
    await page.getByText("There is a draft for this question").waitFor();
    await person.shoot("waits");
    await asAgent("DELETE", `/drafts/${draftId}`);
  },

  async "what cannot be tried says why, and is tried again"(person) {
    const name = word("okapi");
    await Customer.waits({ says: `Does an ${name} play chess?` });
    const { gapId } = await gapOf(`Does an ${name} play chess?`);
    const page = await open(person, `/gaps/${gapId}`);
    await page.route("**/api/v1/dry-runs", (route) => route.abort());
    await (await writing(page)).fill(`An ${name} plays chess.`);
    const proof = page.getByRole("region", { name: "What it answers" });
    await proof.getByText("It could not be tried").waitFor();
    await person.shoot("failed-try");
    await person.expectAccessible("failed");
    await page.unroute("**/api/v1/dry-runs");
    await proof.getByRole("button", { name: "Try again" }).press("Enter");
    await proof.getByText("Answers 1 of 1 questions").waitFor();
  },

  async "who was told is found after a correction, and one note reaches each open conversation once"(person) {
    const name = word("serval");
    const { path, sessions } = await told(name, 4);
    const ended = sessions.pop();
    const { escalationId } = await ended.does("escalate", { reason: "Thanks" });
    await asAgent("POST", "/inbox/takeover", { escalationId, agentId: "bob", agentName: "Bob" });
    await asAgent("POST", `/inbox/${escalationId}/resolve`, { agentId: "bob", agentName: "Bob" });
    await asAgent("PATCH", `/wiki/${path}`, { content: `Grooming a ${name} takes twelve minutes.` });
    const page = await open(person, entryAt(path));
    await page.getByRole("link", { name: "Who was told" }).press("Enter");
    const talking = page.getByRole("region", { name: "They still talk to you" });
    await until("all are told of", async () => {
      await toldAgain(page);
      return (await talking.locator(".told-line").count()) === 3 && (await page.locator(".told-line").count()) === 4;
    });
    await talking.getByText("Older version 1").first().waitFor();
    await talking.locator("summary").first().press("Enter");
    await talking.getByText("nine minutes").waitFor();
    await page.getByRole("combobox", { name: "What they were told" }).selectOption("2");
    await talking.getByText("Nobody was told this version").waitFor();
    await page.getByRole("combobox", { name: "What they were told" }).selectOption("1");
    await talking.getByRole("button", { name: "Choose all 3" }).press("Enter");
    const note = `A ${name} takes twelve minutes, not nine.`;
    const field = page.getByRole("textbox", { name: "One note" });
    await field.fill(note);
    // Who is not shown gets no note; what was written stays.
    await page.getByRole("combobox", { name: "What they were told" }).selectOption("2");
    await page.getByRole("button", { name: "Choose conversations below" }).waitFor();
    assert.equal(await field.inputValue(), note);
    await page.getByRole("combobox", { name: "What they were told" }).selectOption("1");
    await page.getByText("Chosen: 3").waitFor();
    await person.shoot("told");
    await person.expectAccessible("told");
    // The first is written, and its answer is lost.
    let lost = 0;
    await page.route("**/notes", async (route) => {
      if ((lost += 1) > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Write the note (conversations: 3)" }).press("Enter");
    await page.getByText("Written into 2 of 3 conversations").waitFor();
    await person.shoot("one-failed");
    await person.expectAccessible("failed");
    await page.getByRole("button", { name: "Try the other 1 again" }).press("Enter");
    await person.notice("Conversations with the note: 3");
    for (const customer of sessions) assert.deepEqual(await notesOf(customer), [note]);
    assert.deepEqual(await notesOf(ended), []);
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "a note that is too fast stops, and after a day it is not tried again"(person) {
    const name = word("margay");
    const { path } = await told(name, 6);
    const page = await open(person, toldAt(path));
    await until("all are told of", async () => {
      await toldAgain(page);
      return (await page.locator(".told-line").count()) === 6;
    });
    await page.getByRole("button", { name: "Choose all 6" }).press("Enter");
    await page.getByRole("textbox", { name: "One note" }).fill("It takes twelve minutes.");
    const body = JSON.stringify({ error: "RATE_LIMITED", message: "", details: [] });
    let sent = 0;
    await page.route("**/notes", (route) => {
      sent += 1;
      return route.fulfill({ status: 429, contentType: "application/json", body });
    });
    await page.getByRole("button", { name: "Write the note (conversations: 6)" }).press("Enter");
    await page.getByText("Written into 0 of 6 conversations").waitFor();
    const again = page.getByRole("button", { name: "Try the other 6 again" });
    await again.waitFor();
    assert.ok(sent <= 4, `${sent} requests`);
    await person.shoot("too-fast");
    await page.reload();
    await again.waitFor();
    await page.clock.setSystemTime(Date.now() + 25 * 3_600_000);
    await page.reload();
    await page.getByText("it is not tried again after a day").waitFor();
    assert.equal(await again.count(), 0);
    await person.shoot("too-old");
    await page.getByRole("button", { name: "Done with this note" }).press("Enter");
    await page.getByRole("button", { name: "Choose conversations below" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Choose conversations below" }).waitFor();
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "lists whose first pages are empty are read on a little, and then by a button"(person) {
    const empty = (name) => (route) => {
      seen[name] += 1;
      return route.fulfill({ contentType: "application/json", body: JSON.stringify({ items: [], nextCursor: `${seen[name]}`, hasMore: true }) });
    };
    const seen = { drafts: 0, told: 0, closed: 0 };
    const path = `trainer/${word("caracal")}`;
    await asAgent("POST", "/wiki", { path, title: "Nobody", content: "Nobody asked.", visibility: "public" });
    const page = await open(person);
    await page.route("**/drafts?**", empty("drafts"));
    await page.route(/wiki-answers.*ownership=open/, empty("told"));
    await page.route(/wiki-answers.*ownership=closed/, empty("closed"));
    await open(person, toldAt(path));
    await page.getByText("None was found so far").nth(1).waitFor();
    await page.getByRole("link", { name: "Drafts (0+)" }).waitFor();
    assert.deepEqual(seen, { drafts: 5, told: 3, closed: 3 });
    await page.getByRole("region", { name: "They still talk to you" }).getByRole("button", { name: "More" }).press("Enter");
    await until("one more page is read", () => seen.told === 4);
    seen.drafts = 0;
    await page.getByRole("link", { name: "Drafts (0+)" }).press("Enter");
    await page.getByText("None was found so far").waitFor();
    await page.getByRole("button", { name: "More" }).waitFor();
    assert.equal(seen.drafts, 3);
    await person.shoot("none-yet");
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "questions are pinned to an entry from who was told, listed beside it, and taken away"(person) {
    const name = word("kiwi");
    const { path, sessions } = await told(name, 1);
    const page = await open(person, toldAt(path));
    const line = page.locator(".told-line").first();
    await until("the answer is told of", async () => {
      await toldAgain(page);
      return line.count();
    });
    await line.locator("summary").press("Enter");
    await line.getByRole("button", { name: "Pin this question" }).press("Enter");
    await line.getByRole("button", { name: "Pinned" }).waitFor();
    await open(person, entryAt(path));
    const pins = page.getByRole("region", { name: "Pinned questions" });
    await pins.getByText(`How long does grooming a ${name} take?`).waitFor();
    await pins.getByRole("textbox").fill(`Is a ${name} quick?`);
    await page.keyboard.press("Enter");
    await pins.getByText(`Is a ${name} quick?`).waitFor();
    await person.shoot("pins");
    await pins.getByRole("button", { name: `Remove: Is a ${name} quick?` }).press("Enter");
    await pins.getByText(`Is a ${name} quick?`).waitFor({ state: "detached" });
    const { items } = await asAgent("GET", `/pins?path=${encodeURIComponent(path)}`);
    assert.deepEqual(items.map((one) => one.question), [`How long does grooming a ${name} take?`]);
    assert.equal(sessions.length, 1);
    await asAgent("DELETE", `/pins/${items[0].pinId}`);
    await asAgent("DELETE", `/wiki/${path}`);
  },
};

for (const width of [1280, 390]) {
  tests[`axe finds nothing on the pages of a trainer (${width})`] = async (person) => {
    const { path } = await told(word("dingo"), 2);
    const question = `Does a ${word("dodo")} fly at night?`;
    const customer = await Customer.waits({ says: question });
    await (await Agent.takes(customer.sessionId)).says("It never flies, **neither by day nor by night**.");
    const { gapId } = await gapOf(question);
    const page = await open(person, "/gaps", { width, height: 800 });
    for (const [name, place] of Object.entries({ gaps: "/gaps", gap: `/gaps/${gapId}`, told: toldAt(path), pins: entryAt(path) })) {
      await open(person, place);
      await page.getByText("Loading").first().waitFor({ state: "detached" });
      if (name === "gap") await writing(page);
      await person.expectAccessibleInBoth(name);
    }
    await asAgent("DELETE", `/wiki/${path}`);
  };
}

export default tests;
