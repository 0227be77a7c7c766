// A customer in a browser of their own, and an agent with a key of the service.

import assert from "node:assert/strict";
import { join } from "node:path";

export const API = process.env.SUPPORT_API_URL;
export const SHOP = API.replace("/api/v1", "/");
/** How long anything that must happen may take: a busy machine does not reach it. */
export const DEADLINE = 120_000;
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
  async visit({ url = SHOP, context = {}, prepare } = {}) {
    if (!this.context) {
      this.context = await this.browser.newContext({
        viewport: { width: 1100, height: 800 },
        locale: "en-GB",
        ...context,
      });
      this.context.setDefaultTimeout(DEADLINE);
      await this.context.exposeBinding("violated", (_, told) => this.violations.push(told));
      await this.context.addInitScript(() => {
        addEventListener("securitypolicyviolation", (event) => {
          window.violated(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
        });
      });
      await prepare?.(this.context);
    }
    const page = await this.context.newPage();
    this.page ??= page;
    this.pages.push(page);
    this.watch(page);
    await page.goto(url, { waitUntil: "load" });
    return page;
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
      one.answered = Date.now();
      this.log.push(`${response.status()} ${one.method} ${one.url} (${one.answered - one.at} ms)`);
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
    await page.waitForFunction(quiet);
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
    await page.waitForFunction(seen, text, { timeout });
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
    await page.waitForFunction((isOnline) => navigator.onLine === isOnline, isOnline);
  }

  /** What has the focus: its part, or `aria-label`, or tag. */
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

  async leave() {
    await this.context?.close();
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
