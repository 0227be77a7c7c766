// An unanswered question that a trainer answers, and the draft that the answer began from.

import { confirm, confirmPublic, open, sheet, text, writing } from "./knowledge-pages.mjs";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { gapOf, word } from "./trainer.mjs";
import { SERVICE } from "./visitor.mjs";

export const as = Person;

/** Somebody else changes a draft, from what it is. */
async function rewritten({ draftId }, content) {
  const headers = { authorization: `Bearer ${SERVICE.key}`, "content-type": "application/json" };
  const url = `${SERVICE.api}/drafts/${draftId}`;
  const read = await fetch(url, { headers });
  const response = await fetch(url, { method: "PATCH", headers: { ...headers, "if-match": read.headers.get("etag") }, body: JSON.stringify({ content }) });
  assert.equal(response.status, 200);
}

const tests = {
  async "an answered question is asked after ever more seldom, then by a button, and is not called answered where it was put aside"(person) {
    const question = `Is a ${word("quoll")} awake at noon?`;
    await Customer.waits({ says: question });
    const { gapId } = await gapOf(question);
    const page = await open(person);
    const gap = await asAgent("GET", `/analytics/kb-gaps/${gapId}`);
    let [asked, pending, status] = [0, 0, "open"];
    await page.route(`**/kb-gaps/${gapId}`, async (route) => {
      asked += 1;
      pending += 1;
      const body = JSON.stringify({ ...gap, status });
      await route.fulfill({ contentType: "application/json", body }).finally(() => (pending -= 1));
    });
    /** Time goes on when what was asked is answered: an interval is set by the last answer. */
    const pass = async (seconds) => {
      for (let passed = 0; passed < seconds; passed += 10) {
        await page.clock.runFor(10_000);
        await until("the gap is answered", () => pending === 0);
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
      }
    };
    await person.context.clock.install();
    await open(person, `/gaps/${gapId}`);
    await (await writing(page)).fill("It sleeps.");
    const path = await page.getByRole("textbox", { name: "Path" }).inputValue();
    await text(page).press("Control+Enter");
    await confirmPublic(page);
    const pane = page.getByRole("region", { name: "Your answer" });
    await pane.getByText("Saved, still open").waitFor();
    asked = 0;
    await pass(200);
    await pane.getByText("Perhaps the entry does not answer it").waitFor();
    assert.ok(asked > 3 && asked < 25, `asked ${asked} times`);
    // One more was due before.
    await pass(60);
    asked = 0;
    await pass(120);
    assert.equal(asked, 0);
    await person.shoot("late");
    await person.expectAccessible("late");
    const again = pane.getByRole("button", { name: "Ask whether it has closed" });
    await again.press("Enter");
    await person.notice("The question is still open");
    assert.equal(asked, 1);
    status = "dismissed";
    await again.press("Enter");
    await pane.getByText("Somebody put the question aside").waitFor();
    assert.equal(await page.getByText("Closed", { exact: true }).count(), 0);
    await person.shoot("put-aside");
    await asAgent("DELETE", `/wiki/${path}`);
  },

  async "an answer that begins from a draft changes that draft, once, and never one that nobody saw"(person) {
    const name = word("potto");
    const question = `Does a ${name} swim?`;
    await Customer.waits({ says: question });
    const { gapId } = await gapOf(question);
    const drafts = async () => (await asAgent("GET", "/drafts?status=open&limit=100")).items.filter((one) => one.gapId === gapId);
    const { path } = await asAgent("POST", "/wiki", { path: `trainer/${word("loris")}`, title: "Something else", content: "Nothing yet.", visibility: "internal" });
    const change = await asAgent("POST", "/drafts", { path, content: `A ${name} may swim.`, gapId });
    const page = await open(person, `/gaps/${gapId}`);
    const begin = page.getByRole("button", { name: "Begin from the draft" });
    // A change of an entry cannot be a new entry.
    await page.getByText("There is a draft for this question").waitFor();
    await page.getByRole("link", { name: "Show the draft" }).waitFor();
    assert.equal(await begin.count(), 0);
    await asAgent("DELETE", `/drafts/${change.draftId}`);
    const draft = await asAgent("POST", "/drafts", { action: "create", path: `${path}-new`, title: name, content: `A ${name} swims.`, visibility: "internal", gapId });
    await page.reload();
    await begin.press("Enter");
    await (await writing(page)).getByText(`A ${name} swims.`).waitFor();
    await until("the browser keeps it", () => person.kept("entry"));
    await page.reload();
    assert.equal((await (await writing(page)).innerText()).trim(), `A ${name} swims.`);
    assert.equal(await begin.count(), 0);
    await text(page).fill(`A ${name} swims well.`);
    await rewritten(draft, `A ${name} swims badly.`);
    const save = page.getByRole("button", { name: "Save as draft" });
    await save.press("Enter");
    await page.getByRole("alert").getByText("Somebody else").waitFor();
    await person.shoot("from-moved");
    await page.getByRole("button", { name: "Go on with mine" }).press("Enter");
    await save.press("Enter");
    await person.notice("The draft is saved");
    assert.deepEqual((await drafts()).map((one) => [one.draftId, one.content]), [[draft.draftId, `A ${name} swims well.`]]);
    await open(person, `/gaps/${gapId}`);
    await begin.press("Enter");
    await (await writing(page)).getByText(`A ${name} swims well.`).waitFor();
    await rewritten(draft, `A ${name} drowns.`);
    await text(page).press("Control+Enter");
    await confirm(page);
    await page.getByText(/^(Saved, still open|Closed)$/).first().waitFor();
    assert.equal((await drafts()).length, 1, "what nobody saw stays");
    await asAgent("DELETE", `/drafts/${draft.draftId}`);
    for (const one of [path, `${path}-new`]) await asAgent("DELETE", `/wiki/${one}`);
  },
};

for (const width of [1280, 390]) {
  tests[`the answer to a customer's question is proposed as public, and an internal one says why it changes nothing (${width})`] = async (person) => {
    const name = word("kowari");
    const question = `Can I pay a ${name} with acorns?`;
    await Customer.waits({ says: question, channel: "widget" });
    const { gapId } = await gapOf(question);
    const page = await open(person, `/gaps/${gapId}`, { width });
    const visibility = page.getByRole("combobox", { name: "Who may read it" });
    assert.equal(await visibility.inputValue(), "public");
    const { y, height } = await visibility.boundingBox();
    assert.ok(y + height <= 800, `the field ends at ${y + height}`);
    await person.expectAccessibleInBoth("proposed");
    await (await writing(page)).fill(`You can pay a ${name} with acorns and beechnuts.`);
    const proof = page.getByRole("region", { name: "What it answers" });
    await proof.getByText("Answers 1 of 1 questions").waitFor();
    await visibility.selectOption("internal");
    await proof.getByText("Answers 0 of 1 questions").waitFor();
    await proof.getByText("would answer if customers could read it: 1").waitFor();
    await person.expectAccessibleInBoth("proof");
    await text(page).press("Control+Enter");
    await sheet(page).getByText("would answer if customers could read it: 1").waitFor();
    await person.expectAccessibleInBoth("sheet");
    const path = await page.getByRole("textbox", { name: "Path", includeHidden: true }).inputValue();
    await sheet(page).getByRole("button", { name: "Save" }).press("Enter");
    const pane = page.getByRole("region", { name: "Your answer" });
    await pane.getByText("The reason is who may read the entry").waitFor();
    await person.expectAccessibleInBoth("result");
    await pane.getByRole("button", { name: "Make it public" }).press("Enter");
    await page.getByRole("dialog", { name: "Make this entry public?" }).getByRole("button", { name: "Make public" }).press("Enter");
    await pane.getByText("Closed", { exact: true }).waitFor();
    assert.equal((await asAgent("GET", `/wiki/${path}`)).visibility, "public");
    await asAgent("DELETE", `/wiki/${path}`);
  };
}

export default tests;
