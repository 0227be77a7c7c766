// A customer in a browser of their own, and an agent with a key of the service.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const API = process.env.SUPPORT_API_URL;
export const SHOP = API.replace("/api/v1", "/");
/** How long anything that must happen may take: a busy machine does not reach it. */
export const DEADLINE = 120_000;
/** How often a page is asked whether something is so. At each frame, as is the default, it does nothing else. */
const polling = 100;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The settings of every visitor. Nothing moves on the screen, which costs time while tests wait. */
const USUAL = { viewport: { width: 900, height: 700 }, locale: "en-GB", reducedMotion: "reduce" };
/** Browsers that visitors left as new: beginning in one takes half the time. */
const free = [];
export const REFUND = "How long does a refund take?";

/** The service that the tests run against. */
export const SERVICE = { api: API, key: process.env.SUPPORT_API_KEY, desk: process.env.SUPPORT_DESK_URL };

/** A call with the tenant's key. */
export async function asAgent(method, path, body, { api, key } = SERVICE) {
  const response = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** A person of the team who answers one session. */
export class Agent {
  static async takes(sessionId, name = "Bob") {
    const { escalationId } = await asAgent("GET", `/sessions/${sessionId}`);
    const agent = { agentId: name.toLowerCase(), agentName: name };
    await asAgent("POST", "/inbox/takeover", { escalationId, ...agent });
    return new Agent(escalationId, agent);
  }

  constructor(id, agent) {
    this.act = (action, body = {}) => asAgent("POST", `/inbox/${id}/${action}`, { ...agent, ...body });
  }

  says(content) {
    return this.act("message", { content });
  }
}

export class Visitor {
  log = [];
  requests = [];
  violations = [];
  allowed = [];
  pages = [];

  constructor(browser, folder, name) {
    this.browser = browser;
    this.folder = folder;
    this.name = name.replace(/[^\w]+/g, "-");
  }

  /** Opens the shop, or another page, in a new tab. */
  async visit({ url = SHOP, context, prepare } = {}) {
    let page;
    if (!this.context) {
      this.isUsual = !context && !prepare && url === SHOP && this.constructor === Visitor;
      this.place = (this.isUsual && free.pop()) || (await this.settle(context));
      this.place.visitor = this;
      this.context = this.place.context;
      page = this.place.page;
      this.context.setDefaultTimeout(DEADLINE);
      await prepare?.(this.context);
    }
    page ??= await this.context.newPage();
    this.page ??= page;
    this.pages.push(page);
    this.watch(page);
    await page.goto(url, { waitUntil: "load" });
    return page;
  }

  /** A browser that nobody has used. */
  async settle(options) {
    const place = { context: await this.browser.newContext({ ...USUAL, ...options }) };
    await place.context.exposeBinding("violated", (_, told) => place.visitor.violations.push(told));
    await place.context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        window.violated(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    return place;
  }

  /** Notes the requests of a tab, and what its console says. */
  watch(page) {
    const begun = new Map();
    page.on("request", (request) => {
      const one = { at: Date.now(), page, method: request.method(), url: request.url() };
      begun.set(request, one);
      this.requests.push(one);
    });
    page.on("response", (response) => {
      const request = response.request();
      const one = begun.get(request);
      // As the browser has it: here it may be heard of later, which would make the wait after it shorter.
      const { startTime, responseStart } = request.timing();
      one.answered = responseStart > 0 ? startTime + responseStart : Date.now();
      this.log.push(`${response.status()} ${one.method} ${one.url} (${Date.now() - one.at} ms)`);
    });
    page.on("pageerror", (error) => this.violations.push(`error: ${error.stack}`));
    page.on("console", (message) => {
      this.log.push(`${message.type()}: ${message.text()}`);
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
        this.violations.push(message.text());
    });
  }

  part(name, page = this.page) {
    return page.locator(`support-chat [part~="${name}"]`);
  }

  async open(page = this.page) {
    await this.part("launcher", page).click();
    await this.part("field", page).waitFor();
    await page.locator("support-chat .item").first().waitFor();
    await this.settled(page);
  }

  /** Types a message and waits until it is answered, or stands there as sent. */
  async say(text, { page = this.page, settled = true } = {}) {
    await this.part("field", page).fill(text);
    await page.keyboard.press("Enter");
    if (settled) await this.settled(page);
  }

  /** Waits until nothing is on its way. */
  async settled(page = this.page) {
    const quiet = () => {
      const root = document.querySelector("support-chat").shadowRoot;
      return !root.querySelector(".state, .typing");
    };
    await page.waitForFunction(quiet, null, { polling });
  }

  /** The conversation as the customer sees it: role and text of every turn. */
  shown(page = this.page) {
    return page.evaluate(() => {
      const items = [...document.querySelector("support-chat").shadowRoot.querySelectorAll(".item")].slice(1);
      const role = (item) => ["customer", "ai", "agent", "event"].find((one) => item.classList.contains(one));
      return items.map((item) => [role(item), (item.querySelector(".bubble") ?? item).innerText.trim()]);
    });
  }

  async texts(role, page = this.page) {
    return (await this.shown(page)).filter(([one]) => one === role).map(([, text]) => text);
  }

  async waitFor(text, page = this.page, timeout = DEADLINE) {
    const seen = (text) =>
      document.querySelector("support-chat").shadowRoot.querySelector(".panel")?.innerText.includes(text);
    await page.waitForFunction(seen, text, { timeout, polling });
  }

  saved(page = this.page) {
    return page.evaluate(() => JSON.parse(localStorage.getItem("support-chat:/api/v1") ?? "{}"));
  }

  async sessionId(page = this.page) {
    return (await this.saved(page)).sessionId;
  }

  /** Holds what is shown to what the service has: no turn is lost, doubled or out of order. */
  async expectSameAsStored(page = this.page) {
    const until = Date.now() + DEADLINE;
    const of = (turns, roles) => turns.filter(([role]) => roles.includes(role));
    for (;;) {
      // The sign of an answer's making comes before a turn and goes after it, in each tab at its own time.
      await this.settled(page);
      const { items } = await asAgent("GET", `/sessions/${await this.sessionId(page)}/messages`);
      const stored = items.map((turn) => [turn.role === "system" ? "event" : turn.role, turn.content]);
      const shown = await this.shown(page);
      try {
        const roles = (turns) => turns.map(([role]) => role);
        assert.deepEqual(roles(shown), roles(stored), JSON.stringify(shown));
        assert.deepEqual(of(shown, ["customer", "agent"]), of(stored, ["customer", "agent"]));
        return items;
      } catch (difference) {
        if (Date.now() > until) throw difference;
        await page.waitForTimeout(100);
      }
    }
  }

  /** Makes a tab one that nobody looks at, or the one that is looked at. */
  async look(page, isSeen) {
    await page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, !isSeen);
  }

  /** Lets a closed chat ask for news at once: it does when its tab is looked at again. */
  async news(page = this.page) {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  }

  /** Takes the network away, or gives it back, and waits until the page knows. */
  async connect(isOnline, page = this.page) {
    await this.context.setOffline(!isOnline);
    await page.waitForFunction((isOnline) => navigator.onLine === isOnline, isOnline, { polling });
  }

  /** The element with the focus: its part, or `aria-label`, or tag. */
  focus(page = this.page) {
    return page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.getAttribute("part") ?? active?.getAttribute("aria-label") ?? active?.localName;
    });
  }

  asked(path, page) {
    return this.requests.filter((one) => one.url.includes(path) && (!page || one.page === page));
  }

  /**
   * How long the chat waited before each request for news since `from`, in milliseconds, beginning with the second: the
   * time from the answer before it. So a slow service changes nothing.
   */
  waits(from) {
    const polls = this.asked("/messages?after=").filter((one) => one.at >= from);
    return polls.slice(1).map((one, index) => one.at - (polls[index].answered ?? one.at));
  }

  /** A picture, where somebody wants to look at them: they take a third of the time. */
  async shoot(state, page = this.page) {
    if (process.env.SCREENSHOTS === "failures" && state !== "failed") return undefined;
    return page?.screenshot({ path: join(this.folder, `${this.name}-${state}.png`) });
  }

  async expectClean() {
    assert.deepEqual(this.violations, [], "violations of the policy, or errors");
  }

  /** In light by all rules of axe, and in dark by that of the colours, in which alone it differs; with a picture of each. */
  async expectAccessibleInBoth(state) {
    const { width } = this.page.viewportSize();
    for (const [colorScheme, rules] of [["light"], ["dark", ["color-contrast"]]]) {
      await this.page.emulateMedia({ colorScheme });
      await this.shoot(`${state}-${colorScheme}-${width}`);
      await this.expectAccessible(state, rules);
    }
    await this.page.emulateMedia({ colorScheme: "light" });
  }

  /** Holds the page to axe-core: to all `rules`, or to some. */
  async expectAccessible(state, rules) {
    const client = (this.inspector ??= await this.context.newCDPSession(this.page));
    const run = (expression) => {
      const how = { contextId: this.world, awaitPromise: true, returnByValue: true };
      return client.send("Runtime.evaluate", { expression, ...how });
    };
    const axe = `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], runOnly: rules })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target.flat().join(" ") + " " + failureSummary).join(" | ")))`;
    let told = this.world && (await run(axe).catch(() => null));
    if (!told) {
      // Into a world of its own, as the page's policy allows no other script. It goes with its document.
      const { frameTree } = await client.send("Page.getFrameTree");
      const world = { frameId: frameTree.frame.id, worldName: "axe" };
      this.world = (await client.send("Page.createIsolatedWorld", world)).executionContextId;
      await run(AXE);
      told = await run(axe);
    }
    const { result } = told;
    assert.deepEqual(result.value, [], `${state}: ${JSON.stringify(result.value ?? result, null, 1)}`);
  }

  /** Goes, and leaves a browser as new behind where the test passed. */
  async leave(hasPassed = false) {
    const isKept = hasPassed && this.isUsual && !this.page.isClosed();
    // A context that cannot be tidied up is thrown away.
    if (!isKept || !(await this.tidy().catch(() => false))) await this.context?.close();
  }

  /** Hands the browser on as new. */
  async tidy() {
    const { context, page, place } = this;
    page.removeAllListeners();
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const one of [context, page]) await one.unrouteAll({ behavior: "ignoreErrors" });
    await this.inspector?.detach();
    await context.setOffline(false);
    // A document of the shop without scripts.
    await page.goto(`${SHOP}demo/shop.js`);
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    await context.clearCookies();
    await page.emulateMedia({ colorScheme: null, forcedColors: null });
    await page.setViewportSize(USUAL.viewport);
    return free.push(Object.assign(place, { page }));
  }
}

/** Holds the next request to `url` until it is let go; `reaches` says whether the service gets it before. */
export async function hold(target, url, { reaches = false } = {}) {
  let letGo;
  const free = new Promise((done) => (letGo = done));
  let arrived;
  const came = new Promise((done) => (arrived = done));
  const meet = async (route) => {
    const response = reaches && (await route.fetch());
    arrived();
    await free;
    // The page may have given the request up.
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => {});
  };
  await target.route(url, meet, { times: 1 });
  return { came, letGo };
}

export async function pause(ms) {
  await new Promise((done) => setTimeout(done, ms));
}

/** Waits until something is so. */
export async function until(what, isSo) {
  for (const end = Date.now() + DEADLINE; !(await isSo()); ) {
    assert.ok(Date.now() < end, `not within ${DEADLINE} ms: ${what}`);
    await pause(100);
  }
}

/** Fails unless the chat waited two seconds each time. On a busy machine it may wait longer, but not always. */
export function expectFast(waits) {
  assert.ok(
    waits.every((wait) => wait >= 1_800) && Math.min(...waits) < 3_500,
    `${waits} ms between requests with a person`,
  );
}

export { assert };
