// The widget's polling under the limits of the API. For a service with `--rate-limits real`.

import { Agent, assert, expectFast, pause, until } from "./visitor.mjs";

/** Fails if an answer was 429, or if polling used more than a third of the visitor's calls a minute. */
function expectWithinLimits(visitor, polls) {
  assert.deepEqual(
    visitor.log.filter((line) => line.startsWith("429 ")),
    [],
  );
  for (const { policy, left } of polls) {
    const quota = /"visitor";q=(\d+);w=60/.exec(policy);
    assert.equal(quota?.[1], "120", `the limits of the API hold: ${policy}`);
    assert.ok(Number(/"visitor";r=(\d+)/.exec(left)[1]) >= 80, left);
  }
}

export default {
  async "two tabs that wait for a person and then talk to one are never limited"(visitor) {
    const [one, two] = [await visitor.visit(), await visitor.visit()];
    const polls = [];
    for (const page of [one, two]) {
      page.on("response", async (response) => {
        if (!response.url().includes("/messages?after=")) return;
        const headers = await response.allHeaders();
        polls.push({ page, policy: headers["ratelimit-policy"], left: headers["ratelimit"] });
      });
      await visitor.open(page);
    }
    await visitor.say("I want to talk to a human", { page: one });
    for (const page of [one, two]) await visitor.waitFor("Our team was asked to help", page);
    await pause(30_000);
    await until("three requests while nobody came", () => polls.length >= 3);
    const agent = await Agent.takes(await visitor.sessionId(one));
    for (const page of [one, two]) await visitor.waitFor("Bob joined the chat", page);
    const joined = Date.now();
    // Longer than the minute of the quota.
    await pause(66_000);
    const waits = visitor.waits(joined);
    expectFast(waits);
    assert.ok(waits.length >= 3 && waits.length <= 36, `${waits.length} requests in 66 s with a person`);
    await agent.says("Still here?");
    for (const page of [one, two]) await visitor.waitFor("Still here?", page);
    expectWithinLimits(visitor, polls);
    await agent.act("handback");
    console.log(`        requests of two tabs in 66 s with a person: ${waits.length} (limit 120 a minute)`);
  },
};
