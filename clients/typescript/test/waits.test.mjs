// When a call is sent again, by a clock of its own: no network, whose timers would count.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SupportAssistant } from "@support-assistant/client";

const failureOf = (call) => call.then((data) => assert.fail(`no failure, but ${JSON.stringify(data)}`), (error) => error);

/** A service whose answers come at once, and a clock that only pauses move. */
function clocked(context, answers, random = () => 0.5) {
  const waits = [];
  let now = 0;
  context.mock.method(Math, "random", () => random());
  context.mock.method(performance, "now", () => now);
  context.mock.method(globalThis, "clearTimeout", (timer) => timer && (timer.isOff = true));
  context.mock.method(globalThis, "setTimeout", (passed, ms) => {
    const timer = {};
    setImmediate(() => timer.isOff || (waits.push(ms), (now += ms), passed()));
    return timer;
  });
  const fetch = async () => {
    const { status = 200, headers = {} } = answers();
    return { ok: status < 300, status, headers: new Headers(headers), text: async () => "{}" };
  };
  return { waits, client: (options) => new SupportAssistant({ url: "https://service.test/api/v1", key: "key", fetch, ...options }), sleep: (ms) => (now += ms) };
}

test("the waits between tries are random, up to half a second and then a second, after what Retry-After says", async (context) => {
  let random = 0.5;
  const { waits, client } = clocked(context, () => ({ status: 502, headers: random === 0.1 ? { "retry-after": "7" } : {} }), () => random);
  for (random of [0.5, 0, 0.1]) assert.equal((await failureOf(client().getHealth())).tries, 3);
  assert.deepEqual(waits, [250, 500, 0, 0, 7_050, 7_100]);
});

for (const status of [429, 503]) {
  test(`a ${status} with Retry-After costs no try until the deadline, and its waits grow`, async (context) => {
    const headers = { "retry-after": "1" };
    let answers = [{ status: 502 }, ...Array(7).fill({ status, headers }), { status: 502 }, {}];
    const { waits, client, sleep } = clocked(context, () => answers.shift() ?? { status, headers });
    assert.ok(await client().createSession());
    assert.deepEqual(waits.splice(0), [250, 1_500, 2_000, 3_000, 5_000, 5_000, 5_000, 5_000, 4_000]);
    const error = await failureOf(client().createSession());
    assert.deepEqual([error.status, error.retryAfter, error.tries], [status, 1, 15]);
    assert.equal(waits.splice(0).reduce((all, ms) => all + ms), 57_750);
    assert.equal((await failureOf(client({ retries: 0 }).createSession())).tries, 1);
    // Without the header it is a try.
    answers = Array(3).fill({ status });
    assert.equal((await failureOf(client().createSession())).tries, 3);
    // The machine sleeps in the pause.
    const asleep = client({ deadlineMs: 10_000 }).createSession();
    setImmediate(() => sleep(9_999));
    assert.equal((await failureOf(asleep)).tries, 1);
  });
}
