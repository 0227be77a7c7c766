// The pictures of web/widget/README.md: the chat in each state, as small files with 64 colours. `run.sh pictures` makes them
// in the folder of the screenshots; they are copied to web/widget/pictures by hand.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { small } from "./small-picture.mjs";
import { Agent, asAgent, REFUND } from "./visitor.mjs";

export default {
  async "each state of the chat"(visitor) {
    const page = await visitor.visit();
    const studio = await visitor.context.newPage();
    const shoot = async (state) => {
      await page.mouse.move(0, 0);
      const png = await visitor.part(state === "launcher" ? "launcher" : "panel").screenshot();
      writeFileSync(join(visitor.folder, `${state}.png`), await small(studio, png));
    };
    const card = visitor.part("card");
    await page.setViewportSize({ width: 900, height: 560 });
    await shoot("launcher");
    await visitor.open();
    await shoot("first-screen");
    await visitor.part("search").fill("refund");
    await page.keyboard.press("Enter");
    await page.locator("support-chat .result").first().waitFor();
    await shoot("search");
    await visitor.part("back").click();
    await visitor.part("person").click();
    await card.waitFor();
    await shoot("before-a-person");
    await card.getByRole("button", { name: "Cancel" }).click();
    await visitor.say(REFUND);
    await visitor.waitFor("five working days");
    await shoot("answer");
    await visitor.part("sources").getByRole("button").first().click();
    await visitor.part("articles").getByRole("heading").waitFor();
    await shoot("article");
    await visitor.part("back").click();
    await visitor.say("Does my zebra fit into the pot of a delivery?");
    await visitor.part("nearest").waitFor();
    await shoot("no-answer");
    await visitor.context.route("**/api/v1/sessions/*/messages", (route) => route.abort());
    await visitor.say("How long does the battery last?", { settled: false });
    await visitor.part("notice").waitFor();
    await shoot("unreachable");
    await visitor.context.unroute("**/api/v1/sessions/*/messages");
    await visitor.settled();
    await visitor.part("person").click();
    await visitor.waitFor("Our team was asked to help");
    await shoot("waiting");
    const agent = await Agent.takes(await visitor.sessionId());
    await agent.says("Hello, this is Bob. Only small zebras fit.");
    await visitor.waitFor("Only small zebras fit.");
    await shoot("with-a-person");
    await agent.act("resolve");
    await visitor.part("rating").getByRole("button", { name: "5 of 5" }).click();
    await page.getByLabel("Would you like to say why?").waitFor();
    await shoot("ended");
    const week = Object.fromEntries(["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => [day, []]));
    const day = new Date(Date.now() + 2 * 86_400_000).toLocaleDateString("en", { weekday: "short", timeZone: "UTC" });
    week[day.toLowerCase()] = [{ from: "09:00", to: "17:00" }];
    await asAgent("PATCH", "/settings", { hours: { timezone: "UTC", week, closed: [] } });
    try {
      await visitor.say("I want to talk to a human");
      await page.locator("support-chat input[type=email]").waitFor();
      await shoot("nobody-there");
    } finally {
      await asAgent("PATCH", "/settings", { hours: null });
    }
  },
};
