// Two people at once.

import { Customer, Person, asAgent, assert, until } from "./person.mjs";

export const as = Person;
const WAITING = 50;

export default {
  async "two desks take fifty waiting customers, each once, and nobody sees an error"(person) {
    // Those of other tests leave the queue first.
    for (;;) {
      const { items } = await asAgent("GET", "/inbox?limit=100");
      if (!items.length) break;
      for (const { escalationId } of items) {
        await asAgent("POST", "/inbox/takeover", { escalationId, agentId: "sweep", agentName: "Sweep" });
      }
    }
    const customers = await Promise.all(Array.from({ length: WAITING }, () => Customer.waits()));
    const second = new Person(person.browser, person.folder, "desk-race-second");
    try {
      await Promise.all([person.signIn({ who: "agent" }), second.signIn({ who: "admin" })]);
      const alerts = [];
      const work = async (one) => {
        for (let taken = 0; taken < WAITING + 5; taken += 1) {
          await one.takeByKey();
          // One at a time: the next key after the answer of the last.
          const answered = one.requests.filter((request) => request.url.endsWith("/takeover"));
          await until("the answer", () => answered.every((request) => request.answered));
          if (await one.page.locator(".toast", { hasText: "Nobody is waiting." }).count()) return;
          alerts.push(...(await one.page.locator(".toast.alert").allInnerTexts()));
        }
      };
      await Promise.all([work(person), work(second)]);
      const all = await Promise.all(customers.map((customer) => customer.escalation()));
      assert.ok(all.every((one) => one.status === "claimed"), "nobody is left");
      const holders = new Set(all.map((one) => one.claimedBy.agentId));
      assert.ok(holders.size <= 2, `${[...holders]}`);
      const joined = await Promise.all(customers.map((customer) => customer.turns("system")));
      assert.ok(joined.every((turns) => turns.filter((turn) => turn.event === "agent_joined").length === 1), "each once");
      assert.deepEqual(alerts, []);
      await second.expectClean();
    } finally {
      await second.leave();
    }
  },

  async "an answer that was read before an act does not undo it on the page"(person) {
    const customer = await Customer.waits();
    await person.signIn();
    await person.page.goto(person.page.url().replace(/\/desk\/.*/, `/desk/inbox/${customer.escalationId}`));
    await person.page.getByRole("button", { name: "Take", exact: true }).waitFor();
    let [isHeld, letGo] = [false];
    const released = new Promise((done) => (letGo = done));
    const reads = `**/inbox/${customer.escalationId}`;
    await person.context.route(reads, async (route) => {
      if (isHeld) return route.continue();
      isHeld = true;
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await until("a read is held", () => isHeld);
    await person.take();
    await person.page.evaluate(() => {
      window.shown = [];
      const head = document.querySelector(".conversation");
      new MutationObserver(() => window.shown.push(head.innerText.includes("Hand back"))).observe(head, { childList: true, subtree: true });
    });
    letGo();
    const answered = person.requests.length;
    await until("the next reads", () => person.requests.slice(answered).filter((one) => one.url.includes(customer.escalationId) && one.answered).length > 1);
    assert.ok((await person.page.evaluate(() => window.shown)).every(Boolean), "it stays taken");
    await person.page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  },
};
