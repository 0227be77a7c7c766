// Answers that customers disliked, as a trainer finds them and says them better.

import { confirm, open, text, writing } from "./knowledge-pages.mjs";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { word } from "./trainer.mjs";

export const as = Person;

/** A customer who disliked the answer to a question. */
async function dislikes(question, { path, content } = {}) {
  if (path) await asAgent("POST", "/wiki", { path, title: `About ${path}`, content, visibility: "public" });
  const session = await asAgent("POST", "/sessions", { externalUserId: `disliked_${process.pid}`, user: { name: "Dora" }, channel: "api" });
  const customer = new Customer(session.sessionId, "Dora");
  const { messageId } = await customer.says(question);
  await customer.does("reaction", { reaction: "thumbs_down", messageId });
  return { customer, messageId };
}

const line = (page, question) => page.locator(".gaps-list .gap-line").filter({ has: page.getByRole("link", { name: question }) });

const tests = {
  async "a disliked answer leads to its entry, its conversation and a better text, and one taken back leaves the list"(person) {
    const name = word("numbat");
    const path = `disliked/${name}`;
    const question = `How long does washing a ${name} take?`;
    const { customer, messageId } = await dislikes(question, { path, content: `Washing a **${name}** takes nine minutes.` });
    await customer.does("escalate", { reason: "help" });
    const { escalationId } = await asAgent("GET", `/sessions/${customer.sessionId}`);
    await asAgent("POST", "/inbox/takeover", { escalationId, agentId: "bob", agentName: "Bob" });
    await asAgent("POST", `/inbox/${escalationId}/resolve`, { agentId: "bob", agentName: "Bob" });
    await customer.does("rating", { score: 2, comment: "It took an hour." });
    const page = await open(person, "/disliked");
    const one = line(page, question);
    await one.getByText(`Washing a ${name} takes nine minutes.`).waitFor();
    await one.getByText("It took an hour.").waitFor();
    await one.getByRole("button", { name: "Show the conversation" }).press("Enter");
    const shown = page.getByRole("dialog", { name: "Conversation" });
    await shown.getByText(question).waitFor();
    await person.press("Escape");
    await shown.waitFor({ state: "detached" });
    await one.getByRole("link", { name: `About ${path}` }).press("Enter");
    await page.getByRole("heading", { name: `About ${path}` }).first().waitFor();
    await page.goBack();
    await one.getByRole("link", { name: question }).press("Enter");
    const pane = page.getByRole("region", { name: "Improve or write" });
    await pane.getByRole("heading", { name: question }).and(page.locator(":focus")).waitFor();
    assert.equal(await pane.getByRole("combobox", { name: "What to write" }).inputValue(), path);
    await (await writing(page)).fill(`Washing a ${name} takes an hour.`);
    await text(page).press("Control+Enter");
    await confirm(page);
    await until("the entry is better", async () => (await asAgent("GET", `/wiki/${path}`)).content === `Washing a ${name} takes an hour.`);
    await asAgent("DELETE", `/sessions/${customer.sessionId}/reaction?reaction=thumbs_down&messageId=${messageId}`);
    const listed = page.waitForResponse((response) => response.url().includes("/analytics/disliked-answers"));
    await open(person, "/disliked");
    await listed;
    await page.locator(".gaps-list .lead").waitFor();
    await until("it has left", async () => (await one.count()) === 0);
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "a disliked answer from no entry becomes a new one, and closing gives the focus back"(person) {
    const question = `Does a ${word("bilby")} dance at night?`;
    await dislikes(question);
    const page = await open(person, "/disliked");
    const one = line(page, question);
    await one.getByText("From no entry").waitFor();
    await one.getByRole("link", { name: question }).press("Enter");
    await writing(page);
    assert.match(await page.getByRole("textbox", { name: "Path" }).inputValue(), /^[a-z-]+\/does-a-bilby/);
    assert.equal(await page.getByRole("textbox", { name: "Title" }).inputValue(), question);
    await page.getByRole("button", { name: "Close", exact: true }).press("Enter");
    await one.getByRole("link", { name: question }).and(page.locator(":focus")).waitFor();
  },

  async "an agent reads disliked answers and opens their conversation in the inbox"(person) {
    const question = `Is a ${word("dunnart")} a good swimmer?`;
    await dislikes(question);
    const page = await open(person, "/disliked", { who: "agent" });
    await line(page, question).getByRole("button", { name: "Show the conversation" }).press("Enter");
    await page.getByRole("dialog").getByRole("link", { name: /inbox/i }).press("Enter");
    await page.locator(".conversation .log").getByText(question).waitFor();
  },
};

for (const width of [1280, 390]) {
  tests[`disliked answers and what to say better are readable (${width})`] = async (person) => {
    const name = word("quenda");
    const path = `disliked/${name}`;
    const question = `How long does brushing a ${name} take?`;
    const { customer } = await dislikes(question, { path, content: `## Brushing\n\nBrushing a **${name}** takes nine minutes. ${"Use a soft brush. ".repeat(20)}` });
    const page = await open(person, "/disliked", { width });
    await line(page, question).waitFor();
    await person.expectAccessibleInBoth("list");
    await line(page, question).getByRole("link", { name: question }).press("Enter");
    await writing(page);
    await person.expectAccessibleInBoth("answer");
    await asAgent("DELETE", `/sessions/${customer.sessionId}`);
    await page.reload();
    await page.getByRole("alert").getByText("not among those shown").waitFor();
    await person.expectAccessibleInBoth("gone");
    await asAgent("DELETE", `/wiki/${path}`);
  };
}

export default tests;
