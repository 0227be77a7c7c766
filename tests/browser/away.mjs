// Before a person comes, while somebody of the team is there and while nobody is.

import { asAgent, assert, REFUND } from "./visitor.mjs";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Runs `run` while the team is away until nine o'clock in two days, UTC. */
async function away(run) {
  const day = new Date(Date.now() + 2 * 86_400_000);
  const week = Object.fromEntries(DAYS.map((name) => [name, []]));
  week[DAYS[day.getUTCDay()]] = [{ from: "09:00", to: "17:00" }];
  await asAgent("PATCH", "/settings", { hours: { timezone: "UTC", week, closed: [] } });
  try {
    await run(new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(day));
  } finally {
    await asAgent("PATCH", "/settings", { hours: null });
  }
}

async function escalation(visitor) {
  const { escalationId } = await asAgent("GET", `/sessions/${await visitor.sessionId()}`);
  return asAgent("GET", `/inbox/${escalationId}`);
}

export default {
  async "who asks for a person first is asked what about, and the team reads it"(visitor) {
    const page = await visitor.visit();
    await visitor.open();
    await visitor.part("person").click();
    const card = visitor.part("card");
    await card.getByLabel("What is it about?").waitFor();
    assert.equal(await visitor.focus(), "textarea");
    await visitor.shoot("about");
    await card.getByRole("button", { name: "Cancel" }).click();
    await card.waitFor({ state: "detached" });
    assert.equal(await visitor.focus(), "field");
    assert.deepEqual(visitor.asked("/sessions"), [], "nobody was asked");
    await visitor.part("person").click();
    await page.getByLabel("What is it about?").fill("My parcel came back to you");
    await card.getByRole("button", { name: "Talk to a person" }).click();
    await visitor.waitFor("Our team was asked to help");
    await visitor.settled();
    const turns = await visitor.expectSameAsStored();
    assert.deepEqual(
      turns.map((turn) => turn.role),
      ["system", "customer"],
      "the assistant does not answer what a person is asked",
    );
    assert.equal((await escalation(visitor)).reason, "My parcel came back to you");
    assert.equal(await visitor.part("card").count(), 0, "somebody is there: no address is needed");
  },

  async "while nobody is there the chat says when, asks for an e-mail and shows it"(visitor) {
    await away(async (day) => {
      const page = await visitor.visit({ context: { timezoneId: "UTC" } });
      await visitor.open();
      await visitor.part("person").click();
      const card = visitor.part("card");
      await card.getByText(`Our team is back on ${day}`).waitFor();
      await visitor.shoot("about");
      await card.getByRole("button", { name: "Talk to a person" }).click();
      await visitor.waitFor("Our team was asked to help");
      assert.match(await visitor.part("status").innerText(), new RegExp(`Our team is back on ${day},? (at )?09:00`));
      const field = page.getByLabel("Leave your e-mail, so that we can reach you.");
      await field.waitFor();
      await visitor.shoot("email");
      // Nobody has to: a message is sent without it.
      await visitor.say("Are you there?");
      for (const wrong of ["ann", "a@b@c.de", "ann,bob@example.com"]) {
        await field.fill(wrong);
        await page.keyboard.press("Enter");
        await card.getByText("Please check the e-mail address.").waitFor();
      }
      await visitor.shoot("wrong");
      await field.fill("ann@example.com");
      await page.keyboard.press("Enter");
      await card.getByText("We can reach you at ann@example.com.").waitFor();
      assert.equal(await visitor.focus(), "field");
      await visitor.shoot("known");
      await card.getByRole("button", { name: "Change" }).click();
      assert.equal(await field.inputValue(), "ann@example.com");
      await field.fill("anna@example.com");
      await card.getByRole("button", { name: "Save" }).click();
      await card.getByText("We can reach you at anna@example.com.").waitFor();
      const { user } = await asAgent("GET", `/sessions/${await visitor.sessionId()}`);
      assert.equal(user.email, "anna@example.com");
      await page.reload();
      await card.getByText("We can reach you at anna@example.com.").waitFor();
      await visitor.waitFor(`Our team is back on ${day}`);
    });
  },

  async "a question that was asked already is what it is about"(visitor) {
    await visitor.visit();
    await visitor.open();
    await visitor.say("hello");
    await visitor.say(REFUND);
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    assert.equal((await escalation(visitor)).reason, REFUND);
  },
};
