// A person at the desk, in a browser of their own, and the customers whom they answer.

import { asAgent, assert, SERVICE, until, Visitor } from "./visitor.mjs";

/** Who signs in at the demo's provider, by role. */
const PEOPLE = { agent: "Bea Agent", trainer: "Tom Trainer", admin: "Ada Admin" };

/** The member who is one of them. */
export async function memberOf(who) {
  const { items } = await asAgent("GET", "/members?limit=100");
  return items.find((member) => member.name === PEOPLE[who]);
}

/** Customers whom a person of the team is to answer. Their names are made, so that each test knows its own. */
let made = 0;
export class Customer {
  static async waits({ name, email, verified, externalUserId, says = "Where is my order?", reason = says.slice(0, 900), priority, channel = "api", service = SERVICE } = {}) {
    made += 1;
    name ??= `Customer ${process.pid}-${made}`;
    externalUserId ??= `desk_${process.pid}_${made}`;
    const body = { externalUserId, user: { name, email, verified }, channel };
    const session = await asAgent("POST", "/sessions", body, service);
    const customer = new Customer(session.sessionId, name, service);
    await customer.says(says);
    const { escalationId } = await customer.does("escalate", { reason, priority });
    customer.escalationId = escalationId;
    return customer;
  }

  constructor(sessionId, name, service = SERVICE) {
    this.sessionId = sessionId;
    this.name = name;
    this.service = service;
  }

  does(action, body) {
    return asAgent("POST", `/sessions/${this.sessionId}/${action}`, body, this.service);
  }

  says(content) {
    return this.does("messages", { content });
  }

  /** The turns of one role, as the service has them. */
  async turns(role) {
    const { items } = await asAgent("GET", `/sessions/${this.sessionId}/messages`, undefined, this.service);
    return items.filter((turn) => turn.role === role);
  }

  /** The agents' replies to the customer. */
  async replies() {
    return (await this.turns("agent")).filter((turn) => !turn.internal).map((turn) => turn.content);
  }

  escalation() {
    return asAgent("GET", `/inbox/${this.escalationId}`, undefined, this.service);
  }

  /** An act of a colleague on the request, with the tenant's key. */
  act(action, body = {}) {
    return asAgent("POST", `/inbox/${this.escalationId}/${action}`, body, this.service);
  }
}

export class Person extends Visitor {
  who = "agent";
  service = SERVICE;

  get origin() {
    return new URL(this.service.desk).origin;
  }

  get desk() {
    return `${this.origin}/desk/`;
  }

  /** Opens the desk and signs in by keyboard alone. */
  async signIn({ who = "agent", width = 1280, height = 800, ...options } = {}) {
    this.who = who;
    await this.arrive({ viewport: { width, height }, ...options });
    await this.throughProvider();
    return this.page;
  }

  /**
   * Opens the desk as nobody, in a browser that knows the secret of the printed address. `script` runs in each page
   * before its own scripts.
   */
  async arrive({ place = "", script, ...context } = {}) {
    const prepare = async (context) => {
      const headers = { origin: this.origin };
      const data = new URL(this.service.desk).hash.slice(1);
      const unlocked = await context.request.post(`${this.origin}/openid/unlock`, { headers, data });
      assert.equal(unlocked.status(), 204);
      if (script) await context.addInitScript(script);
    };
    return this.visit({ url: this.desk + place, context, prepare });
  }

  /** Signs in and takes a customer, whose conversation is then on the screen. */
  async answers({ customer, ...options } = {}) {
    customer ??= await Customer.waits({ service: this.service });
    if (!this.page) await this.signIn(options);
    await this.open(customer);
    await this.take();
    return customer;
  }

  /** Ends the sign-in: a person has ten at most, and an eleventh would end that of a test that still runs. */
  async leave() {
    const headers = { origin: this.origin };
    await this.context?.request.post(`${this.origin}/api/v1/auth/sign-out`, { headers, data: {} }).catch(() => {});
    await super.leave();
  }

  /** From "Sign in" to the desk. */
  async throughProvider() {
    const { page } = this;
    const button = page.getByRole("button", { name: /^Sign in/ });
    await button.first().waitFor();
    await button.first().press("Enter");
    const demo = page.getByRole("button", { name: PEOPLE[this.who] });
    await demo.waitFor();
    await demo.press("Enter");
    await this.ready();
  }

  async ready() {
    await this.page.locator(".desk .rows, .desk .area-page").first().waitFor();
  }

  /** Ends all sign-ins of this person, as an admin would. */
  async signOutEverywhere() {
    const { memberId } = await memberOf(this.who);
    await asAgent("POST", `/members/${memberId}/sign-out`);
  }

  row(customer) {
    return this.page.locator(".rows .row").filter({ has: this.page.getByText(customer.name, { exact: true }) });
  }

  /** Opens a customer's conversation from the queue. */
  async open(customer) {
    // Behind a hundred others it is not in the list yet.
    const isListed = await this.row(customer).waitFor({ timeout: 5_000 }).then(() => true, () => false);
    if (isListed) await this.row(customer).click();
    else await this.page.goto(`${this.desk}inbox/${customer.escalationId}`);
    await this.shows(customer);
  }

  shows(customer) {
    return this.page.locator(".head h2", { hasText: customer.name }).waitFor();
  }

  /** Presses single keys, as nobody types. */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Waits until what is typed goes into the field of the dialog that opens: a key that comes before is lost. */
  searching() {
    return this.page.locator(".search input:focus").waitFor();
  }

  /** The time to undo passes when the result is called: on a busy machine five seconds are over before the next step. */
  async holdUndo() {
    await this.page.evaluate(() => {
      const [set, clear, held] = [setTimeout, clearTimeout, new Map()];
      window.setTimeout = (run, ms, ...more) => {
        if (ms !== 5_000) return set(run, ms, ...more);
        const id = set(() => {}, ms);
        held.set(id, run);
        return id;
      };
      window.clearTimeout = (id) => {
        held.delete(id);
        clear(id);
      };
      window.pass = () => {
        for (const run of held.values()) run();
        held.clear();
      };
    });
    return () => this.page.evaluate(() => window.pass());
  }

  /** How many texts of a kind that are not sent or saved this browser keeps ("draft", "entry"): nothing on the page tells. */
  kept(kind) {
    return this.page.evaluate(async (kind) => {
      const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
      const database = await done(indexedDB.open("desk"));
      const count = await done(database.transaction("items").objectStore("items").count(IDBKeyRange.bound(`${kind}:`, `${kind};`)));
      database.close();
      return count;
    }, kind);
  }

  /** Takes the conversation that is shown. */
  async take() {
    await this.page.getByRole("button", { name: "Take", exact: true }).waitFor();
    await this.takeByKey();
    await this.page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  }

  /** Takes the conversation that is shown, or the next, and confirms it. */
  async takeByKey() {
    await this.press("t");
    await this.page.locator(".dialog .act.primary:focus").press("Enter");
  }

  get field() {
    return this.page.locator(".composer textarea");
  }

  async reply(text) {
    await this.press("r");
    await this.field.fill(text);
    await this.page.keyboard.press("Control+Enter");
  }

  async says(text) {
    await this.page.locator(".conversation .log").getByText(text).first().waitFor();
  }

  /** The texts of the turns of the conversation that is shown. */
  bubbles(kind) {
    return this.page.locator(`.turn.${kind} .bubble`).allInnerTexts();
  }

  notice(text) {
    return this.page.locator(".toast").filter({ hasText: text }).first().waitFor();
  }

  /** Without `rules`, by all of them. */
  async expectAccessible(state, rules) {
    await super.expectAccessible(state, rules);
    await this.expectNoOverflow(state);
    await this.expectTextsOfTheirOwn(state);
  }

  /** React finds each text by an element of its own: a translator of pages may replace it. */
  async expectTextsOfTheirOwn(state) {
    const bare = await this.page.evaluate(() => {
      const root = document.getElementById("root");
      const first = root?.[Object.keys(root).find((key) => key.startsWith("__reactContainer$"))]?.stateNode.current;
      const found = [];
      // Of the parts as React has them, texts have this number.
      const TEXT = 6;
      for (const left = [first]; left.length; ) {
        const part = left.pop();
        if (!part) continue;
        if (part.tag === TEXT) found.push(`${part.memoizedProps} in ${part.stateNode.parentElement?.outerHTML.slice(0, 200)}`);
        left.push(part.sibling, part.child);
      }
      return found;
    });
    assert.deepEqual(bare, [], `${state}: texts beside others, or of a component`);
  }

  /** Nothing is wider than the screen. */
  async expectNoOverflow(state) {
    const [wide, screen] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= screen, `${state}: ${wide} px wide on ${screen}`);
  }
}

export { asAgent, assert, until };
