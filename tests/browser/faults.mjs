// A service that fails, replies that are lost and a network that goes, before and after every request: no turn is lost
// and none is doubled.

import { Agent, asAgent, assert, pause, REFUND, until } from "./visitor.mjs";

/** They wait for retries and for news most of the time. */
export const waits = 3;

const STEPS = {
  token: "**/demo/token",
  session: "**/api/v1/sessions",
  message: "**/api/v1/sessions/*/messages",
  news: "**/api/v1/sessions/*/messages?*",
  escalate: "**/api/v1/sessions/*/escalate",
  cancel: "**/api/v1/sessions/*/cancel-escalation",
  reaction: "**/api/v1/sessions/*/reaction",
  resume: "**/api/v1/sessions/resume",
};

const refusal =
  (status, error, headers = {}) =>
  (route) =>
    route.fulfill({ status, headers, json: { error, message: "", requestId: "req_x", details: [] } });

/** Each takes one request of a step. */
const FAULTS = {
  "is unavailable": refusal(503, "SERVICE_UNAVAILABLE"),
  "is refused for a while": refusal(429, "RATE_LIMITED", { "retry-after": "1" }),
  "loses its reply": async (route) => {
    await route.fetch();
    // It may be under way when the network is sound again.
    await route.abort().catch(() => {});
  },
  "does not arrive": (route) => route.abort(),
  "finds no network for a moment": async (route, visitor) => {
    await visitor.connect(false);
    await route.abort("internetdisconnected");
    await visitor.connect(true);
  },
};

/** The next request of a step meets the fault; resolves, with what to wait for, once that is set up. */
async function once(visitor, step, fault) {
  let left = 1;
  let meets;
  const met = new Promise((done) => (meets = done));
  const meet = async (route) => {
    if (left === 0) return route.fallback();
    left -= 1;
    visitor.log.push(`fault: ${step}`);
    await fault(route, visitor);
    meets();
  };
  await visitor.context.route(STEPS[step], meet);
  return { step, met, isMet: () => left === 0 };
}

/** Waits until an event stands `count` times in the conversation. */
async function told(visitor, text, count = 1) {
  const isTold = ([text, count]) => {
    const events = [...document.querySelector("support-chat").shadowRoot.querySelectorAll(".event")];
    return events.filter((one) => one.innerText.includes(text)).length === count;
  };
  await visitor.page.waitForFunction(isTold, [text, count], { polling: 100 });
}

/** Presses a button until the service knows: a request may not have reached it, of which the visitor is told. */
async function press(visitor, button, { met }, wanted) {
  await button.click();
  await met;
  const session = await visitor.sessionId();
  await until(`the session's ownership is ${wanted}`, async () => {
    const { ownership } = await asAgent("GET", `/sessions/${session}`);
    // The button moves when the visitor is told, so a press may miss it, and it goes when the service knows.
    if (ownership !== wanted) await button.click({ timeout: 2_000 }).catch(() => {});
    return ownership === wanted;
  });
}

/** A conversation with every kind of request, each of which once meets the fault. */
async function talk(visitor, fault) {
  const done = [];
  const page = await visitor.visit();
  const next = async (step) => {
    const one = await once(visitor, step, fault);
    done.push(one);
    return one;
  };
  await next("token");
  await visitor.part("launcher").click();
  await page.getByText("Hello! How can I help you?").waitFor();
  await next("session");
  await next("message");
  await visitor.say(REFUND);
  await visitor.waitFor("five working days");
  await next("news");
  await visitor.say("And how long does delivery abroad take?");
  await visitor.waitFor("eight working days");
  const vote = await next("reaction");
  await page.getByRole("button", { name: "Helpful", exact: true }).first().click();
  await vote.met;
  // A person is asked for until the service knows, by one press.
  await next("escalate");
  await visitor.part("person").click();
  await told(visitor, "Our team was asked to help");
  await visitor.say("Anybody?");
  await press(visitor, page.getByRole("button", { name: "Stop waiting" }), await next("cancel"), "ai");
  await told(visitor, "The assistant answers again");
  await visitor.settled();
  // A person comes, writes and gives back.
  await visitor.part("person").click();
  await told(visitor, "Our team was asked to help", 2);
  await next("news");
  let agent = await Agent.takes(await visitor.sessionId());
  await told(visitor, "Bob joined the chat");
  await next("news");
  await agent.says("Hello, this is Bob.");
  await visitor.waitFor("Hello, this is Bob.");
  await next("message");
  await visitor.say("Thank you, Bob");
  await next("news");
  await agent.act("handback");
  await told(visitor, "The assistant answers again", 2);
  await visitor.settled();
  // Another one ends the conversation, and the visitor goes on with it.
  await visitor.part("person").click();
  await told(visitor, "Our team was asked to help", 3);
  agent = await Agent.takes(await visitor.sessionId());
  await told(visitor, "Bob joined the chat", 2);
  await next("news");
  await agent.act("resolve");
  await visitor.waitFor("This chat has ended");
  await next("resume");
  await visitor.say("How long does the battery last?");
  await told(visitor, "The chat continues");
  await visitor.waitFor("eight months");
  await pause(1_000);
  for (const { step, isMet } of done) assert.ok(isMet(), `${step} was never asked`);
  const turns = await visitor.expectSameAsStored();
  assert.deepEqual(
    turns.filter((turn) => turn.role === "customer").map((turn) => turn.content),
    [
      REFUND,
      "And how long does delivery abroad take?",
      "Anybody?",
      "Thank you, Bob",
      "How long does the battery last?",
    ],
  );
  assert.equal(turns.filter((turn) => turn.event === "handover_requested").length, 3);
  assert.deepEqual(turns.find((turn) => turn.role === "ai").reactions, ["thumbs_up"], "the vote is stored");
}

const tests = {};
for (const [name, fault] of Object.entries(FAULTS)) {
  tests[`no turn is lost or doubled where every step once ${name}`] = (visitor) => talk(visitor, fault);
}

export default {
  ...tests,

  async "what is written offline is kept over a reload and sent in order"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.context.setOffline(true);
    await visitor.say("How long does the battery last?", { settled: false });
    await visitor.say("How long does delivery take?", { settled: false });
    await visitor.waitFor("You are offline.");
    await page.getByText("Not sent yet").first().waitFor();
    await visitor.shoot("offline");
    await visitor.context.setOffline(false);
    await visitor.settled();
    await visitor.expectSameAsStored();
    // The page goes before the message went.
    await visitor.context.route(STEPS.message, (route) => route.abort());
    await visitor.say("And how much is the shipping?", { settled: false });
    await page.getByText("Not sent yet").first().waitFor();
    await page.reload();
    await visitor.part("field").waitFor();
    await visitor.context.unroute(STEPS.message);
    await visitor.settled();
    const turns = await visitor.expectSameAsStored();
    assert.equal(turns.filter((turn) => turn.role === "customer").length, 4);
  },

  async "a vote that meets an outage is kept, and stored in the end"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    await visitor.context.route(STEPS.reaction, refusal(503, "SERVICE_UNAVAILABLE"));
    await page.getByRole("button", { name: "Helpful", exact: true }).click();
    await visitor.waitFor("cannot be reached at the moment");
    const pressed = () => page.locator("support-chat [aria-pressed=true]").getAttribute("aria-label");
    assert.equal(await pressed(), "Helpful");
    // The later vote holds.
    await page.getByRole("button", { name: "Not helpful", exact: true }).click();
    await visitor.context.unroute(STEPS.reaction);
    const stored = async () => (await visitor.expectSameAsStored()).find((turn) => turn.role === "ai").reactions;
    await until("the vote is stored", async () => `${await stored()}` === "thumbs_down");
    assert.equal(await pressed(), "Not helpful");
    await visitor.context.route(STEPS.reaction, refusal(400, "VALIDATION_ERROR"));
    await page.getByRole("button", { name: "Helpful", exact: true }).click();
    await visitor.waitFor("That did not work.");
    assert.equal(await pressed(), "Not helpful", "what was refused is undone");
  },

  async "a session is opened in any language that a page says"(visitor) {
    const speak = (page, locale) => page.evaluate((locale) => (document.documentElement.lang = locale), locale);
    const page = await visitor.visit();
    const locale = async () => (await asAgent("GET", `/sessions/${await visitor.sessionId()}`)).locale ?? null;
    await speak(page, "en_US.UTF-8");
    await visitor.open();
    await visitor.say("hello");
    await visitor.expectSameAsStored();
    assert.equal(await locale(), null, "what is no language is not said");
    // The reply was lost, and the page is in another language when the session is opened again.
    await asAgent("DELETE", `/sessions/${await visitor.sessionId()}`);
    await speak(page, "en_GB");
    await visitor.context.route(STEPS.session, FAULTS["loses its reply"]);
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("cannot be reached at the moment");
    await speak(page, "de-DE");
    await visitor.context.unroute(STEPS.session);
    await visitor.waitFor("five working days");
    await visitor.settled();
    await visitor.expectSameAsStored();
    assert.equal(await locale(), "de-DE");
  },

  async "an outage is told, and a retry by hand is at once"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.context.route(STEPS.message, refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "600" }));
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("cannot be reached at the moment");
    await visitor.shoot("unavailable");
    await visitor.context.unroute(STEPS.message);
    const again = page.getByRole("button", { name: "Try again" }).first();
    await again.focus();
    await page.keyboard.press("Enter");
    // By itself it would try again after ten minutes.
    await visitor.waitFor("five working days");
    await until("the button that was pressed is gone", async () => (await visitor.focus()) === "field");
    assert.equal(await visitor.part("notice").isVisible(), false);
    await visitor.expectSameAsStored();
  },

  async "an expired token is replaced without a word"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say(REFUND);
    const tokens = visitor.asked("/demo/token").length;
    await once(visitor, "message", refusal(401, "TOKEN_EXPIRED"));
    await visitor.say("And how long does delivery abroad take?");
    await visitor.waitFor("eight working days");
    assert.equal(visitor.asked("/demo/token").length, tokens + 1);
    assert.equal(await visitor.part("notice").isVisible(), false);
    await visitor.expectSameAsStored();
  },

  async "who is signed out is told, and goes on after signing in"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.context.route(STEPS.token, refusal(401, "UNAUTHORIZED"));
    await visitor.context.route(STEPS.message, refusal(401, "TOKEN_EXPIRED"));
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("Your sign-in has expired");
    await visitor.shoot("signed-out");
    await visitor.context.unroute(STEPS.token);
    await visitor.context.unroute(STEPS.message);
    await page.locator("support-chat .notice button").click();
    await visitor.waitFor("five working days");
    await visitor.expectSameAsStored();
  },

  async "a message that another attempt still answers is waited for"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("hello");
    await once(visitor, "message", refusal(409, "IDEMPOTENCY_IN_PROGRESS"));
    // It is said for a moment.
    const told = visitor.waitFor("Your message has arrived. The answer is still being made.");
    await Promise.all([told, visitor.say(REFUND, { settled: false })]);
    await visitor.waitFor("five working days");
    await visitor.settled();
    await visitor.expectSameAsStored();
  },

  async "who sends too much is told for how long"(visitor) {
    await visitor.visit();
    await visitor.open();
    await once(visitor, "message", refusal(429, "RATE_LIMITED", { "retry-after": "3" }));
    // It is said for these seconds.
    const told = visitor.waitFor("The chat continues in 3 seconds.");
    await Promise.all([told, visitor.say(REFUND, { settled: false })]);
    await visitor.waitFor("five working days");
    await visitor.settled();
    await visitor.expectSameAsStored();
  },

  async "a message that the service refuses can be removed"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await once(visitor, "message", refusal(400, "VALIDATION_ERROR"));
    await visitor.say("Refused", { settled: false });
    await page.getByText("Could not be sent").waitFor();
    await visitor.shoot("failed-message");
    await page.getByRole("button", { name: "Remove" }).click();
    await visitor.say(REFUND);
    const turns = await visitor.expectSameAsStored();
    assert.equal(turns.filter((turn) => turn.role === "customer").length, 1);
  },

  async "a session that was erased is followed by a new one"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("hello");
    const before = await visitor.sessionId();
    await asAgent("DELETE", `/sessions/${before}`);
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    assert.notEqual(await visitor.sessionId(), before);
    await visitor.expectSameAsStored();
  },

  async "a person who takes over while an answer is made is not missed"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("hello");
    await visitor.context.route(STEPS.message, async (route) => {
      if (route.request().method() === "POST") await pause(2_500);
      await route.fallback();
    });
    await visitor.say(REFUND, { settled: false });
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.settled();
    await agent.says("Here I am.");
    await visitor.waitFor("Here I am.");
    await visitor.expectSameAsStored();
  },
};
