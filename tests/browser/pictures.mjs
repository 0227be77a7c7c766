// The pictures of web/widget/README.md: the chat in each state, as small files with 64 colours. `run.sh pictures` makes them
// in the folder of the screenshots; they are copied to web/widget/pictures by hand.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { Agent, asAgent, REFUND } from "./visitor.mjs";

const COLOURS = 64;

/** A screenshot as one byte a pixel, and the palette that the bytes are of. */
function reduced(page, png) {
  const reduce = async ([source, limit]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
    const { width, height } = image;
    const brush = new OffscreenCanvas(width, height).getContext("2d");
    brush.drawImage(image, 0, 0);
    const { data } = brush.getImageData(0, 0, width, height);
    const counts = new Map();
    const colourAt = (at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    for (let at = 0; at < data.length; at += 4) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
    const palette = [...counts].sort((one, other) => other[1] - one[1]).slice(0, limit).map(([colour]) => colour);
    const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const distance = (one, other) => parts(one).reduce((sum, part, at) => sum + (part - parts(other)[at]) ** 2, 0);
    const nearest = new Map();
    for (const colour of counts.keys()) {
      const best = palette.reduce((best, one) => (distance(one, colour) < distance(best, colour) ? one : best));
      nearest.set(colour, palette.indexOf(best));
    }
    const pixels = [];
    for (let at = 0; at < data.length; at += 4) pixels.push(nearest.get(colourAt(at)));
    return { width, height, palette: palette.flatMap(parts), pixels };
  };
  return page.evaluate(reduce, [png.toString("base64"), COLOURS]);
}

function encoded({ width, height, palette, pixels }) {
  const chunk = (name, data) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, which are places in the palette.
  head.set([8, 3, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) => [0, ...pixels.slice(row * width, (row + 1) * width)]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette)),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export default {
  async "each state of the chat"(visitor) {
    const page = await visitor.visit();
    const studio = await visitor.context.newPage();
    const shoot = async (state) => {
      await page.mouse.move(0, 0);
      const png = await visitor.part(state === "launcher" ? "launcher" : "panel").screenshot();
      writeFileSync(join(visitor.folder, `${state}.png`), encoded(await reduced(studio, png)));
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
