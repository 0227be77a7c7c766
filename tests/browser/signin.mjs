// The page that shows shop and desk side by side, and the demo's provider in its frame. The desk's address of the service
// carries the secret of its start.

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Person } from "./person.mjs";
import { small } from "./small-picture.mjs";
import { assert, REFUND, SHOP, until } from "./visitor.mjs";

export const as = Person;

const OPENED = process.env.SUPPORT_DESK_URL;
const DESK = OPENED.split("#")[0];
const VERIFIER = "a-verifier-of-a-browser-0123456789-abcdefghij";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** The request that the desk sends a person to the provider with. */
const AUTHORIZE = `${DESK}openid/authorize?${new URLSearchParams({
  client_id: "desk",
  redirect_uri: `${DESK}desk/`,
  response_type: "code",
  scope: "openid email",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  nonce: CHALLENGE,
  state: "of-the-test",
})}`;

/** The frame with a title, once it has loaded. */
async function frameOf(page, title) {
  const element = await page.locator(`iframe[title="${title}"]`).elementHandle();
  const frame = await element.contentFrame();
  await frame.waitForURL((url) => url.href !== "about:blank");
  return frame;
}

export default {
  async "shop and desk stand side by side, and the secret leaves the address"(visitor) {
    const prepare = (context) =>
      context.addInitScript(() => {
        window.shifted = 0;
        const add = (list) => list.getEntries().forEach((entry) => (window.shifted += entry.value));
        new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      });
    const page = await visitor.visit({ url: OPENED, prepare });
    const shop = await frameOf(page, "Shop");
    await shop.locator("support-chat [part~=launcher]").waitFor();
    const desk = await frameOf(page, "Desk");
    await desk.getByRole("button", { name: /^Sign in/ }).waitFor();
    for (const frame of [page.mainFrame(), shop, desk]) {
      const shifted = await frame.evaluate(() => window.shifted);
      assert.ok(shifted <= 0.05, `${frame.url()} shifts by ${shifted} while it loads`);
    }
    for (const name of ["API page", "Documents", "Settings and figures"]) await page.getByRole("link", { name }).waitFor();
    await visitor.expectAccessibleInBoth("side by side");
    assert.equal(shop.url(), SHOP);
    assert.equal(page.url(), DESK);
    const cookies = await visitor.context.cookies(`${DESK}openid/`);
    const cookie = cookies.find((one) => one.name.startsWith("demo_provider_"));
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, "Strict", "/openid"]);
    await visitor.shoot("side-by-side");
  },

  async "one click in the frame signs a person in, with the cookie of the printed address"(visitor) {
    const page = await visitor.visit({ url: OPENED });
    const desk = await frameOf(page, "Desk");
    await desk.goto(AUTHORIZE);
    await visitor.shoot("people");
    // The desk may take the code out of its address at once.
    const request = page.waitForRequest((one) => one.url().startsWith(`${DESK}desk/?code=`));
    await desk.getByRole("button", { name: "Ada Admin" }).click();
    const back = await request;
    assert.equal(new URL(back.url()).searchParams.get("state"), "of-the-test");
  },

  async "the chat in the frame of the shop keeps its visitor"(visitor) {
    const page = await visitor.visit({ url: OPENED });
    const shop = await frameOf(page, "Shop");
    await shop.locator("support-chat [part~=launcher]").click();
    await shop.locator("support-chat [part~=field]").waitFor();
    await until("the visitor has a cookie", async () => {
      const cookies = await visitor.context.cookies(`${SHOP}demo/`);
      return cookies.filter((one) => one.name === "demo_visitor").length === 1;
    });
  },

  async "a customer on the left is answered on the right, in a picture for the README"(visitor) {
    const page = await visitor.visit({ url: OPENED, context: { viewport: { width: 1440, height: 810 } } });
    const shop = await frameOf(page, "Shop");
    await shop.locator("support-chat [part~=launcher]").click();
    const asks = async (text, answer) => {
      await shop.locator("support-chat [part~=field]").fill(text);
      await shop.locator("support-chat [part~=field]").press("Enter");
      await shop.locator("support-chat .item").filter({ hasText: answer }).last().waitFor();
    };
    await asks(REFUND, "five working days");
    await asks("Can I talk to a human about my order?", "person");
    const { sessionId } = await shop.evaluate(() => JSON.parse(localStorage.getItem("support-chat:/api/v1")));
    const desk = await frameOf(page, "Desk");
    await desk.getByRole("button", { name: /^Sign in/ }).click();
    await desk.getByRole("button", { name: "Bea Agent" }).click();
    await desk.locator(".desk .rows").waitFor();
    await desk.goto(`${DESK}desk/sessions/${sessionId}`);
    await desk.getByRole("button", { name: "Take", exact: true }).click();
    await desk.getByRole("button", { name: "Resolve", exact: true }).waitFor();
    const field = desk.locator(".composer textarea");
    await field.fill("Hello, this is Bea. I have your order here: how can I help?");
    await field.press("Control+Enter");
    await shop.locator("support-chat .item").filter({ hasText: "this is Bea" }).waitFor();
    await desk.locator(".turn.agent").filter({ hasText: "this is Bea" }).waitFor();
    const picture = await small(await visitor.context.newPage(), await page.screenshot(), 256);
    writeFileSync(join(visitor.folder, "shop-and-desk.png"), picture);
    assert.ok(picture.length <= 200_000, `${picture.length} bytes`);
  },

  async "without the printed secret the provider shows nobody"(visitor) {
    const page = await visitor.visit({ url: AUTHORIZE });
    await page.getByRole("heading", { name: "Open the desk by its printed address" }).waitFor();
    await page.getByText("Copy the whole address").waitFor();
    assert.equal(await page.getByRole("button").count(), 0);
  },
};
