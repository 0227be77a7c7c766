// A service that fails, replies that are lost and a network that goes, before and after every request: no turn is lost
// and none is doubled.

import { Agent, asAgent, assert, pause, REFUND } from "./visitor.mjs";

const STEPS = {
  token: "**/demo/token",
  session: "**/api/v1/sessions",
  message: "**/api/v1/sessions/*/messages",
  news: "**/api/v1/sessions/*/messages?*",
  escalate: "**/api/v1/sessions/*/escalate",
  cancel: "**/api/v1/sessions/*/cancel-escalation",
  reaction: "**/api/v1/sessions/*/reaction",
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
    await route.abort();
  },
  "does not arrive": (route) => route.abort(),
};

/** The next request of a step meets the fault. */
async function once(visitor, step, fault) {
  let left = 1;
  const meet = async (route) => {
    if (left === 0) return route.fallback();
    left -= 1;
    visitor.log.push(`fault: ${step}`);
    await fault(route);
  };
  await visitor.context.route(STEPS[step], meet);
  return () => assert.equal(left, 0, `${step} was never asked`);
}

/** A conversation with every kind of request, after each of which a fault was set. */
async function talk(visitor, fault) {
  const done = [];
  await visitor.visit();
  const next = async (step) => done.push(await once(visitor, step, fault));
  await next("token");
  await visitor.part("launcher").click();
  await visitor.page.getByText("Hello! How can I help you?").waitFor();
  await next("session");
  await next("message");
  await visitor.say(REFUND);
  await visitor.waitFor("five working days");
  await next("news");
  await visitor.say("And how long does delivery abroad take?");
  await visitor.waitFor("eight working days");
  await next("reaction");
  await visitor.page.getByRole("button", { name: "Helpful", exact: true }).first().click();
  await pause(300);
  await next("escalate");
  await visitor.part("person").click();
  // A person is asked for again where the visitor was told that it failed.
  await visitor.waitFor("You asked for a person", undefined, 6_000).catch(async () => {
    await visitor.part("person").click();
    await visitor.waitFor("You asked for a person");
  });
  await visitor.say("Anybody?");
  await next("cancel");
  await visitor.page.getByRole("button", { name: "Stop waiting" }).click();
  await visitor.waitFor("The assistant answers again", undefined, 6_000).catch(async () => {
    await visitor.page.getByRole("button", { name: "Stop waiting" }).click();
    await visitor.waitFor("The assistant answers again");
  });
  await visitor.settled();
  await pause(1_500);
  await visitor.settled();
  for (const wasMet of done) wasMet();
  const turns = await visitor.expectSameAsStored();
  assert.deepEqual(
    turns.filter((turn) => turn.role === "customer").map((turn) => turn.content),
    [REFUND, "And how long does delivery abroad take?", "Anybody?"],
  );
  assert.equal(turns.filter((turn) => turn.event === "handover_requested").length, 1);
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

  async "an outage is told, and a retry by hand is at once"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.context.route(STEPS.message, refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "60" }));
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("cannot be reached at the moment");
    await visitor.shoot("unavailable");
    await visitor.context.unroute(STEPS.message);
    const again = page.getByRole("button", { name: "Try again" }).first();
    await again.focus();
    await page.keyboard.press("Enter");
    await visitor.waitFor("five working days", undefined, 5_000);
    assert.equal(await visitor.focus(), "field", "the button that was pressed is gone");
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
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("Your message has arrived. The answer is still being made.");
    await visitor.waitFor("five working days");
    await visitor.settled();
    await visitor.expectSameAsStored();
  },

  async "who sends too much is told for how long"(visitor) {
    await visitor.visit();
    await visitor.open();
    await once(visitor, "message", refusal(429, "RATE_LIMITED", { "retry-after": "3" }));
    await visitor.say(REFUND, { settled: false });
    await visitor.waitFor("The chat continues in 3 seconds.");
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
    await visitor.waitFor("You asked for a person");
    const agent = await Agent.takes(await visitor.sessionId());
    await visitor.settled();
    await agent.says("Here I am.");
    await visitor.waitFor("Here I am.");
    await visitor.expectSameAsStored();
  },
};
