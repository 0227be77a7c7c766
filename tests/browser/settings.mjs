// The settings of the desk: what an admin sets up in the first hour, and what people see who are no admins.

import { createServer } from "node:http";
import { Customer, Person, asAgent, assert, until } from "./person.mjs";
import { API, REFUND } from "./visitor.mjs";

export const as = Person;

const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens a page of the settings as an admin, or as `who`. */
async function open(person, page, context = {}) {
  if (!person.page) await person.signIn({ who: "admin", ...context });
  await person.page.goto(`${person.desk}settings/${page}`);
  await person.page.locator(".area-page h2").waitFor();
  return person.page;
}

/** A server that webhooks are sent to. It fails until it is told not to. */
async function catcher() {
  const caught = { isFailing: true, requests: [] };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    caught.requests.push({ headers: request.headers, body: JSON.parse(body) });
    response.writeHead(caught.isFailing ? 500 : 200).end(caught.isFailing ? "The shop sleeps" : "Taken");
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  caught.url = `http://127.0.0.1:${server.address().port}/hook`;
  caught.close = () => server.close();
  return caught;
}

/** A company's site: a page with the lines that the desk gives, and the route that gets tokens with the key. */
async function site() {
  const shop = { html: "", key: "" };
  const body = JSON.stringify({ externalUserId: `web_${Date.now()}` });
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>Shop</title>${shop.html}`);
    const headers = { authorization: `Bearer ${shop.key}`, "content-type": "application/json" };
    const answer = await fetch(`${API}/auth/widget-token`, { method: "POST", headers, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  shop.url = `http://127.0.0.1:${server.address().port}`;
  shop.close = () => server.close();
  return shop;
}

const tests = {
  async "a key is shown once, copied, and deleted by typing its name"(person) {
    const page = await open(person, "members", clipboard);
    await page.getByRole("link", { name: "API keys" }).click();
    const name = `Shop ${Date.now()}`;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await person.shoot("new-key");
    await page.getByRole("button", { name: "Make key" }).click();
    const once = page.getByRole("dialog", { name: `The key “${name}”` });
    const raw = await once.getByLabel("API key", { exact: true }).innerText();
    assert.match(raw, /^pk_live_/);
    await page.keyboard.press("Escape");
    await once.getByText("You have not copied it").waitFor();
    await page.goBack();
    assert.equal(await once.getByLabel("API key", { exact: true }).innerText(), raw, "the way back asks, too");
    await person.shoot("key-once");
    await once.getByRole("button", { name: "Copy", exact: true }).click();
    await once.getByText("Copied").first().waitFor();
    assert.equal(await copied(page), raw);
    await once.getByRole("button", { name: "Done" }).click();
    await once.waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(raw), "the key is nowhere else");
    const { items } = await asAgent("GET", "/api-keys?limit=100");
    assert.equal(items.find((one) => one.name === name).role, "integration");

    await page.getByRole("button", { name: `Delete the key ${name}` }).click();
    const remove = page.getByRole("dialog").getByRole("button", { name: "Delete key" });
    assert.ok(await remove.isDisabled());
    await page.getByRole("textbox", { name: /to confirm/ }).fill(name);
    await remove.click();
    await person.notice("is deleted");
    await page.getByRole("row", { name: new RegExp(name) }).waitFor({ state: "detached" });
  },

  async "a colleague is invited, gets roles, is suspended and removed"(person) {
    const page = await open(person, "members", clipboard);
    const [name, email] = [`Nia ${Date.now()}`, `nia${Date.now()}@example.com`];
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.getByRole("textbox", { name: "E-mail" }).fill("agent@demo.example");
    await page.getByRole("button", { name: "Make invitation" }).click();
    await page.getByText("Somebody with this address is a member already").waitFor();
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByText("Writes what the assistant knows").click();
    await person.shoot("invite");
    await page.getByRole("button", { name: "Make invitation" }).click();
    const once = page.getByRole("dialog", { name: `Invitation for ${name}` });
    await once.getByRole("button", { name: "Copy", exact: true }).click();
    await once.getByText("Copied").first().waitFor();
    assert.match(await copied(page), /#invitation=/);
    await person.shoot("invitation");
    await once.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: new RegExp(email) });
    await row.getByText("Invited").waitFor();
    const act = async (item) => {
      await page.getByRole("button", { name: `Actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await act("Name and roles");
    await page.getByText("Everything, these settings too").click();
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("Admin, Trainer, Agent").waitFor();
    await act("Suspend");
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await row.getByText("Suspended").waitFor();
    await act("Remove");
    await page.getByRole("textbox", { name: /to confirm/ }).fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
  },

  async "a change that needs a new sign-in comes back to the filled form"(person) {
    const page = await open(person, "keys");
    const error = { error: "RECENT_SIGN_IN_REQUIRED", message: "Sign in again.", requestId: "req_x", details: [] };
    const refuse = (route) => (route.request().method() === "POST" ? route.fulfill({ status: 403, json: error }) : route.continue());
    await page.route("**/api/v1/api-keys*", refuse);
    const name = `Again ${Date.now()}`;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("combobox", { name: "Role" }).selectOption("agent");
    await page.getByRole("button", { name: "Make key" }).click();
    await page.getByText("You signed in a while ago").waitFor();
    await person.shoot("asked");
    await page.unroute("**/api/v1/api-keys*", refuse);
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.getByRole("button", { name: "Ada Admin" }).press("Enter");
    await page.getByText("You are signed in again").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), name);
    assert.equal(await page.getByRole("combobox", { name: "Role" }).inputValue(), "agent");
    await person.shoot("back");
    await page.getByRole("button", { name: "Make key" }).click();
    await page.getByRole("dialog", { name: `The key “${name}”` }).waitFor();
    const { items } = await asAgent("GET", "/api-keys?limit=100");
    await asAgent("DELETE", `/api-keys/${items.find((one) => one.name === name).keyId}`);
    assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("desk:form"))), []);
  },

  async "a webhook's failed delivery is looked at and sent again"(person) {
    const hook = await catcher();
    const page = await open(person, "webhooks", clipboard);
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill("ftp://nowhere");
    await page.getByRole("button", { name: "Make webhook" }).click();
    await page.locator(".field-problem").waitFor();
    await page.getByRole("textbox", { name: "Address" }).fill(hook.url);
    await person.shoot("new-webhook");
    await page.getByRole("button", { name: "Make webhook" }).click();
    const once = page.getByRole("dialog", { name: "The secret of this webhook" });
    await once.getByRole("button", { name: "Copy", exact: true }).click();
    await once.getByText("Copied").first().waitFor();
    const secret = await copied(page);
    assert.match(secret, /^whsec_/);
    await once.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    const row = page.getByRole("row", { name: /webhook\.test/ });
    await row.getByText("HTTP 500").waitFor();
    await person.shoot("webhook");
    await row.getByRole("button").click();
    const delivery = page.getByRole("dialog", { name: "Delivery" });
    await delivery.getByText("The shop sleeps").waitFor();
    await person.shoot("delivery");
    hook.isFailing = false;
    await delivery.getByRole("button", { name: "Send again" }).click();
    await delivery.getByText("Delivered").waitFor();
    const ids = hook.requests.map((one) => one.headers["webhook-id"]);
    assert.equal(new Set(ids).size, 1, "it is the same event");
    await delivery.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    const other = page.getByRole("dialog", { name: "The secret of this webhook" });
    await other.getByRole("button", { name: "Copy", exact: true }).click();
    await other.getByText("Copied").first().waitFor();
    assert.notEqual(await copied(page), secret);
    await other.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("textbox", { name: /to confirm/ }).fill("delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "New webhook" }).waitFor();
    hook.close();
  },

  async "two people who change settings at once are told of each other"(person) {
    const page = await open(person, "answers");
    const before = await asAgent("GET", "/settings");
    try {
      await page.getByRole("spinbutton", { name: /is erased/ }).fill("100");
      await asAgent("PATCH", "/settings", { maxAiTurns: 33 });
      await page.getByRole("button", { name: "Save" }).click();
      const told = page.getByRole("alert").filter({ hasText: "Somebody else saved" });
      await told.getByText("Answers until a person is called").waitFor();
      await person.shoot("conflict");
      await told.getByRole("button", { name: "Save mine as well" }).click();
      await person.notice("Saved");
      const { maxAiTurns, retentionDays } = await asAgent("GET", "/settings");
      assert.deepEqual([maxAiTurns, retentionDays], [33, 100], "neither is lost");
      await page.getByRole("spinbutton", { name: /is erased/ }).fill("1");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator(".field").filter({ hasText: "is erased" }).getByText("within 7–3650").waitFor();
    } finally {
      await asAgent("PATCH", "/settings", { maxAiTurns: before.maxAiTurns, retentionDays: before.retentionDays });
    }
  },

  async "the hours begin in the time zone of this computer if the service knows it"(person) {
    const page = await open(person, "hours");
    for (const [own, offered] of [["Etc/Unknown", ""], ["+00:00", ""], ["America/Havana", "America/Havana"]]) {
      await page.evaluate((timeZone) => {
        const real = (window.real ??= Intl.DateTimeFormat.prototype.resolvedOptions);
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return { ...real.call(this), timeZone };
        };
      }, own);
      await page.getByRole("link", { name: "Answers and data" }).click();
      await page.getByRole("heading", { name: "Answers and data" }).waitFor();
      await page.getByRole("link", { name: "Opening hours" }).click();
      await page.getByText("People are there at certain times").click();
      assert.equal(await page.getByRole("combobox", { name: "Time zone" }).inputValue(), offered, own);
      await page.getByText("People are there at certain times").click();
    }
  },

  async "changes that are not saved are asked about before they are left"(person) {
    const page = await open(person, "hours");
    await page.getByRole("link", { name: "Answers and data" }).click();
    const days = page.getByRole("spinbutton", { name: /is erased/ });
    const before = await days.inputValue();
    await days.fill("99");
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await page.getByRole("link", { name: "Opening hours" }).click();
    await question.waitFor();
    await person.shoot("unsaved");
    await question.getByRole("button", { name: "Stay here" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await days.inputValue(), "99");
    await page.goBack();
    await question.getByRole("button", { name: "Stay here" }).click();
    const asked = page.waitForEvent("dialog");
    // The page is not left, so nobody waits for its next one.
    await page.evaluate(() => setTimeout(() => location.reload()));
    const native = await asked;
    assert.equal(native.type(), "beforeunload");
    await native.dismiss();
    assert.equal(await days.inputValue(), "99");
    await page.getByRole("link", { name: "Opening hours" }).click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("heading", { name: "Opening hours" }).waitFor();
    await page.getByRole("link", { name: "Answers and data" }).click();
    assert.equal(await days.inputValue(), before);
  },

  async "the preview is the real chat, with the greeting as it is typed, and calls nobody"(person) {
    const page = await open(person, "chat");
    await page.getByRole("textbox", { name: "To a greeting" }).fill("Ahoy from the shop.");
    await page.getByRole("button", { name: "Open the chat" }).click();
    await person.part("panel").getByText("Ahoy from the shop.").waitFor();
    await person.say(REFUND);
    await person.waitFor("five working days");
    await person.shoot("preview");
    await person.say("I want to talk to a human");
    const sessionId = await person.sessionId();
    const { items } = await asAgent("GET", "/inbox?limit=100");
    assert.ok(sessionId && !items.some((one) => one.sessionId === sessionId), "nobody is called");
    await page.getByRole("button", { name: "Close the preview" }).click();
    await page.locator("support-chat").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard" }).click();
  },

  async "an admin's first hour: from a key to a customer's answered question"(person) {
    const hook = await catcher();
    const shop = await site();
    const page = await open(person, "keys", clipboard);
    const email = `nia${Date.now()}@example.com`;
    try {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(`First ${Date.now()}`);
      await page.getByRole("button", { name: "Make key" }).click();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Done" }).click();
      await until("the key is copied", async () => /^pk_live_/.test((shop.key = await copied(page))));

      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Nia");
      await page.getByRole("textbox", { name: "E-mail" }).fill(email);
      await page.getByRole("button", { name: "Make invitation" }).click();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Done" }).click();
      await until("the invitation is copied", async () => /#invitation=/.test(await copied(page)));

      await page.getByRole("link", { name: "Chat on your site" }).click();
      const origins = page.getByRole("textbox", { name: "Sites that may show the chat" });
      await origins.fill("shop.example");
      await page.getByText("write https://shop.example").waitFor();
      await person.shoot("origins");
      await origins.fill(`https://shop.example ${shop.url}`);
      await page.getByRole("textbox", { name: "To a greeting" }).fill("Welcome to the shop.");
      await page.getByRole("button", { name: "Save" }).click();
      await person.notice("Saved");
      await page.getByText(/integrity="sha384-/).waitFor();
      await page.locator(".snippet").filter({ hasText: "For your pages" }).getByRole("button", { name: "Copy" }).click();
      await until("the lines are copied", async () => /integrity=/.test((shop.html = await copied(page))));
      await page.getByRole("combobox", { name: "For your server" }).selectOption("python");
      await page.getByText("from http.server import BaseHTTPRequestHandler").waitFor();

      await page.getByRole("link", { name: "Opening hours" }).click();
      await page.getByText("People are there at certain times").click();
      await page.getByLabel("Monday, from").fill("08:30");
      await page.getByRole("button", { name: "Monday's times for every weekday" }).click();
      const sunday = await page.getByRole("group", { name: "Sunday" }).locator(".bar").boundingBox();
      await page.mouse.move(sunday.x + sunday.width * 0.51, sunday.y + 10);
      await page.mouse.down();
      await page.mouse.move(sunday.x + sunday.width * 0.74, sunday.y + 10, { steps: 4 });
      await page.mouse.up();
      await person.shoot("hours");
      await page.getByRole("button", { name: "Save" }).click();
      await until("the hours are stored", async () => (await asAgent("GET", "/settings")).hours);
      const { hours, widgetOrigins, texts } = await asAgent("GET", "/settings");
      assert.deepEqual(hours.week.fri, [{ from: "08:30", to: "17:00" }]);
      assert.deepEqual(hours.week.sun, [{ from: "12:00", to: "18:00" }]);
      assert.ok(widgetOrigins.includes("https://shop.example"));
      assert.equal(texts.greeting, "Welcome to the shop.");

      await page.getByRole("link", { name: "Webhooks" }).click();
      await page.getByRole("button", { name: "New webhook" }).click();
      await page.getByRole("textbox", { name: "Address" }).fill(hook.url);
      await page.getByRole("button", { name: "Make webhook" }).click();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Done" }).click();
      hook.isFailing = false;

      const customer = await person.visit({ url: shop.url });
      await person.part("launcher", customer).click();
      await person.waitFor("Welcome to the shop.", customer);
      await person.say(REFUND, { page: customer });
      await person.waitFor("five working days", customer);
      await person.say("I want to talk to a human", { page: customer });
      await customer.screenshot({ path: `${person.folder}/first-hour-customer.png` });
      await until("the webhook was told", () => hook.requests.some(({ body }) => body.type === "handover.requested"));

      await page.bringToFront();
      await page.getByRole("link", { name: "Figures" }).click();
      const figure = page.locator(".figure").filter({ has: page.getByText("Conversations", { exact: true }) }).locator(".figure-value");
      await figure.waitFor();
      await until("the conversation is counted", async () => {
        if (Number((await figure.innerText()).replace(/\D/g, "")) > 0) return true;
        await page.reload();
        await figure.waitFor();
        return false;
      });
      await person.shoot("figures");
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
      assert.match(file.suggestedFilename(), /^figures-.*\.csv$/);
      await page.getByRole("link", { name: "History of changes" }).click();
      await page.getByText("changed settings").first().waitFor();
      await page.getByText("made the webhook").first().waitFor();
    } finally {
      await asAgent("PATCH", "/settings", { widgetOrigins: [], hours: null, texts: null });
      const { items } = await asAgent("GET", "/webhooks?limit=100");
      for (const one of items) if (one.url === hook.url) await asAgent("DELETE", `/webhooks/${one.webhookId}`);
      const { items: members } = await asAgent("GET", "/members?limit=100");
      for (const one of members) if (one.email === email) await asAgent("DELETE", `/members/${one.memberId}`);
      hook.close();
      shop.close();
    }
  },

  async "who is no admin sees what their roles allow"(person) {
    const page = await person.signIn({ who: "agent" });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("menuitem", { name: "Profile and figures" }).click();
    const pages = page.locator(".area-nav li");
    await pages.first().waitFor();
    assert.deepEqual(await pages.allInnerTexts(), ["You", "Figures", "Saved replies"]);
    await page.goto(`${person.desk}settings/keys`);
    await page.getByRole("heading", { name: "You", exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Public name" }).fill("Bea B.");
    await page.getByRole("button", { name: "Save" }).click();
    await person.notice("Saved");
    const name = page.getByRole("textbox", { name: "Public name" });
    await name.fill("Bea");
    await page.getByRole("button", { name: "Save" }).click();
    await until("the name is as before", async () => {
      const { items } = await asAgent("GET", "/members?limit=100");
      return items.find((one) => one.name === "Bea Agent").publicName === "Bea";
    });
    await page.keyboard.press("Control+k");
    await page.getByRole("menuitem", { name: "Settings: Figures" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Settings: API keys" }).count(), 0);
  },
};

for (const width of [1280, 390]) {
  tests[`look and suggested questions are seen as they are typed, refused at their field, and saved (${width})`] = async (person) => {
    await person.signIn({ who: "admin", width });
    const page = await open(person, "chat");
    const { suggestions } = await asAgent("GET", "/settings");
    const field = (name) => page.getByRole("textbox", { name, exact: true });
    const save = page.getByRole("button", { name: "Save", exact: true });
    const header = page.locator('support-chat [part="header"]');
    try {
      await field("Colour").scrollIntoViewIfNeeded();
      await person.shoot("before");
      await field("Colour").fill("green");
      await field("Logo (optional)").fill("javascript:alert(1)");
      await field("Suggested questions").fill("1\n2\n\n3\n4\n5");
      await save.click();
      await page.getByText("Write # and six digits, such as #1a7f5a.").waitFor();
      await page.getByText("Write the whole address, beginning with https://.").waitFor();
      assert.equal(await page.locator(".field-problem").count(), 3);
      await field("Colour").scrollIntoViewIfNeeded();
      await person.expectAccessibleInBoth("refused");
      await page.getByLabel("Pick a colour").fill("#0b6e4f");
      assert.equal(await field("Colour").inputValue(), "#0b6e4f");
      await field("Name of the chat").fill("Ask Fern");
      await page.getByRole("combobox", { name: "Corner of the page" }).selectOption("left");
      await field("Logo (optional)").fill("");
      await field("Suggested questions").fill("How do I pay?\nWhere is my order?");
      await page.getByRole("button", { name: "Open the chat" }).click();
      await header.getByText("Ask Fern").waitFor();
      await page.locator("support-chat").getByRole("button", { name: "Where is my order?" }).waitFor();
      await person.shoot("preview");
      assert.equal(await header.evaluate((one) => getComputedStyle(one).backgroundColor), "rgb(11, 110, 79)");
      if (width > 480) {
        assert.ok((await header.boundingBox()).x < 40);
        await field("Name of the chat").fill("Ask the shop");
        await header.getByText("Ask the shop").waitFor();
      } else {
        await page.locator('support-chat [part="close"]').click();
        await field("Name of the chat").fill("Ask the shop");
      }
      await save.click();
      await person.notice("Saved");
      const { appearance, suggestions } = await asAgent("GET", "/settings");
      assert.deepEqual(appearance, { color: "#0b6e4f", name: "Ask the shop", position: "left", logoUrl: null });
      assert.deepEqual(suggestions, ["How do I pay?", "Where is my order?"]);
      await field("Colour").scrollIntoViewIfNeeded();
      await person.expectAccessibleInBoth("saved");
    } finally {
      await asAgent("PATCH", "/settings", { suggestions, appearance: null });
    }
  };
}

for (const width of [1280, 390]) {
  tests[`the hours that are typed are tested before they are saved (${width})`] = async (person) => {
    await person.signIn({ who: "admin", width });
    const page = await open(person, "hours");
    await page.getByText("People are there at certain times").click();
    const at = page.getByLabel("Date and time, by the clock of the time zone");
    const says = page.locator(".hours-test [role=status]");
    const tested = async (when, ...said) => {
      await at.fill(when);
      for (const text of said) await says.getByText(text).waitFor();
    };
    await page.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
    assert.match(await at.inputValue(), /^\d{4}-\d\d-\d\dT\d\d:\d\d$/, "it begins now");
    await tested("2026-12-22T12:00", "people are there", "I am passing you on");
    await tested("2026-12-22T17:00", "nobody is there", "Our team is back on Wednesday at 9:00.");
    await page.getByRole("textbox", { name: "Days on which nobody is there" }).fill("2026-12-23 2026-12-24\n2026-12-25");
    await says.getByText("Our team is back on Monday at 9:00.").waitFor();
    await at.scrollIntoViewIfNeeded();
    await person.expectAccessibleInBoth("tested");
    // From Friday evening in winter to Monday morning in summer; then a time that the clock skips.
    await tested("2026-03-27T18:00", "Our team is back on Monday at 9:00.");
    await tested("2026-03-29T02:30", /3:30.*(CEST|GMT\+2)/);
    await page.getByLabel("Monday, from").fill("18:00");
    await says.getByText("These hours cannot be tested yet").waitFor();
    await person.shoot("refused");
    await at.press("Enter");
    await page.waitForTimeout(300);
    assert.equal((await asAgent("GET", "/settings")).hours, null, "nothing is saved");
    await page.getByRole("button", { name: "Discard" }).click();
  };
}

const PAGES = ["me", "figures", "members", "keys", "chat", "hours", "answers", "webhooks", "audit"];
for (const width of [1280, 390]) {
  tests[`axe finds nothing on any page (${width})`] = async (person) => {
    await Customer.waits({ says: "Do you sell unicorns?" });
    const page = await person.signIn({ who: "admin", width });
    for (const name of PAGES) {
      await open(person, name);
      await page.getByText("Loading").first().waitFor({ state: "detached" });
      if (name === "hours") await page.getByText("People are there at certain times").click();
      if (name === "chat") await page.getByRole("textbox", { name: "Sites that may show the chat" }).fill("shop.example\nhttps://shop.example");
      await person.expectAccessibleInBoth(name);
      const opens = { keys: "New key", members: "Invite", webhooks: "New webhook" }[name];
      if (!opens) continue;
      await page.getByRole("button", { name: opens }).click();
      await page.getByRole("dialog").waitFor();
      await person.expectAccessibleInBoth(`${name}-new`);
    }
  };
}

export default tests;
