// One visitor's conversation: what is to be sent, and when to ask for news. It knows no element.
//
// Work is done one piece after the other: the token, then news, then unsent messages. If a piece fails for a while,
// everything stays as it is and is tried again; a message keeps its id, so the service stores and answers it once.

import { ApiError, isRefusal } from "./api";
import { Client, randomId } from "./client";
import { Leader, interval, isLive } from "./polling";
import { presenceIn } from "./presence";
import { Storage, type Saved } from "./storage";
import { noticeOf, waitAfter, type Notice } from "./notice";
import { Turns } from "./turns";
import type { ChatOptions, Pending, TabMessage, Turn, TurnList } from "./types";

/** The time that a tab has to send what was written in it, before another one does. */
const OTHERS_MS = 1_000;
/** The service takes as much for a reason, in characters. */
const MAX_REASON = 1_000;
/** A session read longer ago is read anew before a message goes: it may be closed. */
const FRESH_MS = 600_000;
/** How long an attempt of another tab, or one whose reply was lost, is waited for. */
const IN_PROGRESS_MS = 1_500;
/** The longest refusal that is waited for, in seconds. */
const LONG_S = 60;

export class Chat {
  readonly turns = new Turns();
  notice: Notice | null = null;
  unread = 0;
  /** The first turn that was new to the visitor when they came to it, by its id. */
  firstNew = "";
  isOpen = false;
  isSending = false;
  /** The token is there and the conversation is read. */
  isReady = false;
  /** How often in a row the service failed. */
  failures = 0;
  /** The last reaction to each turn. */
  readonly votes = new Map<string, object>();
  /** The final refusal of a request besides messages. */
  refused: Notice | null = null;
  /** The calls to make once the service answers again. */
  paused: (() => void)[] = [];
  readonly options: ChatOptions;
  readonly client: Client;

  readonly storage: Storage;
  readonly #channel: BroadcastChannel;
  readonly #leader: Leader;
  #wantsNews = false;
  /** When the conversation was read last; milliseconds since 1970. */
  #readAt = 0;
  #isWorking = false;
  #again = false;
  #timer = 0;

  constructor(options: ChatOptions) {
    this.options = options;
    const name = `support-chat:${options.api}`;
    this.storage = new Storage(name);
    this.client = new Client(options, this.storage, this.turns, () => {
      this.logout();
      queueMicrotask(() => this.ask());
    });
    this.#channel = new BroadcastChannel(name);
    this.#leader = new Leader(`${name}:poll`, () => this.#schedule());
    this.#channel.onmessage = (event) => this.#hear(event.data);
  }

  get sessionId(): string | null {
    return this.saved.sessionId ?? null;
  }

  get outbox(): Pending[] {
    return this.storage.outbox;
  }

  get saved(): Saved {
    return this.storage.read();
  }

  get #hasUnsent(): boolean {
    return this.outbox.some((one) => !one.failed);
  }

  /** Whether there is anything to do without the visitor. */
  get #isBusy(): boolean {
    const { live, asking } = this.saved;
    return this.#hasUnsent || !!live || !!asking;
  }

  /** Whether the visitor may ask for a person. */
  get mayAsk(): boolean {
    return (this.turns.session?.ownership ?? "ai") === "ai" && !this.saved.asking;
  }

  get isAnswering(): boolean {
    const { session } = this.turns;
    return !!session?.answerDue || (this.isSending && !isLive(session));
  }

  /** Begins on a page: only if something is to come, or was not sent, anything is asked. */
  start(): void {
    const [saved, own] = [this.saved, this.options.externalUserId];
    if (own !== null && own !== (saved.externalUserId ?? own)) {
      this.storage.clear();
      return this.#discard();
    }
    this.client.isTrusted = own !== null;
    this.unread = saved.unread ?? 0;
    if (saved.token && this.#isBusy) this.ask();
    this.options.changed();
  }

  stop(): void {
    this.#reset();
    this.client.stop();
    this.#channel.close();
  }

  open(): void {
    this.isOpen = true;
    this.#see();
    if (!this.isReady || this.notice || isLive(this.turns.session)) this.ask();
    this.options.changed();
  }

  close(): void {
    this.isOpen = false;
    this.#schedule();
    this.options.changed();
  }

  /** Keeps a message and sends it after those before it. */
  write(content: string): void {
    const newest = this.outbox.pop()?.at ?? 0;
    this.keep({ id: randomId(), content, at: Math.max(Date.now(), newest + 1) });
    this.failures = 0;
    if (Date.now() - this.#readAt > FRESH_MS) this.#wantsNews = true;
    this.#work();
  }

  /** Asks for a person, again and again until the service knows. */
  escalate(reason: string): void {
    this.storage.update({ asking: [...reason].slice(0, MAX_REASON).join("") });
    this.failures = 0;
    this.options.changed();
    this.#work();
  }

  /** Tries again at once what waits, and `id` if it was given up. */
  retry(id?: string): void {
    const one = this.outbox.find((one) => one.id === id);
    if (one) this.keep({ ...one, failed: false });
    this.failures = 0;
    this.ask();
    this.options.changed();
  }

  remove(id: string): void {
    this.storage.drop(id);
    this.tell({ type: "outbox" });
    this.options.changed();
  }

  /** Forgets the visitor, on this page and in the other tabs. */
  logout(): void {
    this.storage.clear();
    this.#discard();
    this.tell({ type: "logout" });
  }

  /** The page was shown or hidden. */
  visibilityChanged(): void {
    if (!document.hidden) {
      this.#see();
      if (isLive(this.turns.session)) this.ask();
      this.options.changed();
    }
    this.#inherit();
    this.#schedule();
  }

  connectionChanged(): void {
    if (!this.isOpen && !this.#isBusy) return;
    if (navigator.onLine) this.retry();
    else this.explain(new ApiError(0, "OFFLINE"));
  }

  /** Forgets everything of a visitor; what runs for them ends without effect. */
  #discard(): void {
    this.storage.forget();
    this.client.abort();
    this.#reset();
    this.isReady = this.isSending = false;
    this.unread = this.failures = 0;
    this.notice = null;
    this.options.changed();
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#leader.leave();
    this.turns.forget();
    this.paused = [];
  }

  /** Asks for news as soon as possible. */
  ask(): void {
    this.#wantsNews = true;
    this.#work();
  }

  /** Does something that the visitor asked for, and reads what followed from it. */
  async act(action: () => Promise<void>): Promise<void> {
    const { signal } = this.client;
    this.isSending = true;
    this.options.changed();
    try {
      await action();
      this.notice = null;
    } catch (error) {
      if (signal.aborted) return;
      this.explain(error);
    }
    this.isSending = false;
    this.turns.quiet = 0;
    this.ask();
  }

  async #work(): Promise<void> {
    this.#again = this.#isWorking;
    if (this.#isWorking) return;
    const { signal } = this.client;
    if (signal.aborted) return;
    this.#isWorking = true;
    clearTimeout(this.#timer);
    try {
      do {
        this.#again = false;
        await this.client.token();
        if (this.#wantsNews) await this.#readNews();
        this.isReady = true;
        if (this.saved.asking) {
          await this.client.exclusively("send", () => this.#askForPerson());
          await this.#readNews();
        }
        while (this.#hasUnsent) {
          await this.client.exclusively("send", () => this.#sendFirst());
          await this.#readNews();
        }
        this.failures = 0;
        this.notice = this.refused;
        this.refused = null;
        for (const goOn of this.paused.splice(0)) goOn();
      } while (this.#again);
    } catch (error) {
      if (!signal.aborted) this.explain(error);
    } finally {
      this.#isWorking = this.isSending = false;
    }
    if (signal.aborted && this.#again) return this.#work();
    this.#schedule();
    this.options.changed();
  }

  /** Sends the first unsent message; one tab at a time does it. */
  async #sendFirst(): Promise<void> {
    const next = this.outbox.find((one) => !one.failed);
    if (!next) return;
    const first = { after: this.turns.newest(0), ...next };
    this.keep(first);
    this.isSending = true;
    this.options.changed();
    try {
      const body = { content: first.content, clientMessageId: first.id };
      const reply = await this.client.inSession((id) => this.client.call("POST", `/sessions/${id}/messages`, body));
      this.notice = null;
      this.options.emit("message", { role: "customer", sessionId: this.sessionId, disposition: reply.disposition });
      this.storage.update(presenceIn(reply));
      this.arrived(this.turns.take(first, reply));
      this.remove(first.id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "IDEMPOTENCY_IN_PROGRESS") {
        this.notice = { kind: "progress" };
        this.options.changed();
        await new Promise((done) => setTimeout(done, IN_PROGRESS_MS));
      } else if (error.isTemporary || [401, 403, 409].includes(error.status)) {
        throw error;
      } else {
        this.keep({ ...first, failed: true });
        this.options.emit("error", { status: error.status, code: error.code });
      }
    } finally {
      this.isSending = false;
    }
  }

  /** Asks for a person; one tab at a time does it. */
  async #askForPerson(): Promise<void> {
    const reason = this.saved.asking;
    if (!reason) return;
    try {
      const call = (id: string) => this.client.call("POST", `/sessions/${id}/escalate`, { reason });
      const told = await this.client.inSession(call);
      this.storage.update({ asking: undefined, ...presenceIn(told) });
      const { sessionId, escalationId } = told;
      this.options.emit("escalation", { state: "requested", sessionId, escalationId });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isWaitedFor = error.isTemporary && error.retryAfter <= LONG_S;
      if (isWaitedFor || [401, 403].includes(error.status)) throw error;
      this.storage.update({ asking: undefined });
      // Somebody is there already.
      if (error.status === 409) return;
      this.refused = noticeOf(error, error.retryAfter * 1_000);
      this.options.emit("error", { status: error.status, code: error.code });
    }
    this.tell({ type: "outbox" });
  }

  async #readNews(): Promise<void> {
    this.#wantsNews = false;
    for (let more = true; more;) {
      const id = this.sessionId;
      if (!id) return;
      const after = this.turns.after;
      let list: TurnList;
      try {
        list = await this.client.call("GET", `/sessions/${id}/messages${after ? `?after=${after}` : ""}`);
      } catch (error) {
        if (isRefusal(error, 404)) return this.client.leaveSession();
        if (!isRefusal(error, 400) || !after) throw error;
        this.turns.forget();
        continue;
      }
      this.#readAt = Date.now();
      this.#merge(list, after);
      this.tell({ type: "news", sessionId: id, after, list });
      more = list.hasMore;
    }
  }

  #merge(list: TurnList, after: string | null): void {
    const isFirst = !this.turns.all.size;
    const fresh = this.turns.merge(list, after);
    this.storage.update({ live: isLive(this.turns.session) });
    if (isFirst) this.#count(true);
    else this.arrived(fresh);
    this.options.changed();
  }

  /** Counts and announces new turns of the other side. */
  arrived(turns: Turn[]): void {
    const theirs = turns.filter((turn) => turn.role !== "customer");
    for (const { role, messageId } of theirs) {
      if (role !== "system") this.options.emit("message", { role, messageId, sessionId: this.sessionId });
    }
    if (theirs.length) this.options.news(theirs);
    this.#count();
  }

  #count(returns = false): void {
    if (this.isOpen && !document.hidden) return this.#see(returns);
    this.unread = this.turns.unseen(this.saved.seen ?? 0).length;
    this.storage.update({ unread: this.unread });
  }

  /** The visitor sees what is there; one who `returns` to it sees where what is new begins. */
  #see(returns = true): void {
    if (!this.isOpen || document.hidden) return;
    const { seen = 0, unread } = this.saved;
    if (returns) this.firstNew = this.turns.unseen(seen)[0]?.messageId ?? "";
    const newest = this.turns.newest(seen);
    if (newest !== seen || unread) this.storage.update({ seen: newest, unread: 0 });
    this.unread = 0;
  }

  put(turn: Turn): void {
    this.turns.all.set(turn.messageId, turn);
    this.options.changed();
  }

  /** Keeps an unsent message, in this tab and the others. */
  keep(one: Pending): void {
    this.storage.keep(one);
    this.tell({ type: "outbox" });
    this.options.changed();
  }

  /** Sends what another tab left when it was closed, once no tab is sending. */
  #inherit(): void {
    const { signal } = this.client;
    const isOurs = () => this.#hasUnsent && !signal.aborted && (!document.hidden || this.#leader.leads);
    if (!isOurs() || this.#isWorking || this.failures) return;
    const act = () => isOurs() && this.ask();
    setTimeout(() => this.client.exclusively("send", async () => {}).then(act, () => {}), OTHERS_MS);
  }

  explain(error: unknown): void {
    if (error instanceof DOMException) return;
    const known = error instanceof ApiError ? error : new ApiError(500, "ERROR");
    this.failures += 1;
    const wait = waitAfter(known, this.failures);
    this.notice = noticeOf(known, wait);
    if (known.isTemporary || known.status === 409) this.#later(wait);
    this.options.emit("error", { status: known.status, code: known.code });
    this.options.changed();
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.ask(), ms);
  }

  /** Plans the next request for news, in the one tab that polls. */
  #schedule(): void {
    const { session } = this.turns;
    if (!session || !isLive(session)) return this.#leader.leave();
    this.#leader.seek();
    const { leads } = this.#leader;
    // The tab that is looked at asks, if there is one.
    if (leads === document.hidden) this.tell({ type: leads ? "hidden" : "yield" });
    if (leads && !this.#isWorking && !this.failures) {
      this.#later(interval(session, this.turns.quiet, document.hidden, this.isOpen));
    }
  }

  tell(message: TabMessage): void {
    this.#channel.postMessage(message);
  }

  #hear(message: TabMessage): void {
    if (message.type === "logout") {
      this.#discard();
      if (this.isOpen) this.ask();
    } else if (message.type === "yield") {
      if (!document.hidden || !this.#leader.leads) return;
      // A failed request is tried again all the same.
      if (!this.failures) clearTimeout(this.#timer);
      this.#leader.leave();
      setTimeout(() => this.#schedule(), 100);
    } else if (message.type === "hidden") {
      if (!this.#leader.leads) this.#schedule();
    } else if (message.type === "turn") {
      if (this.turns.all.has(message.turn.messageId)) this.put(message.turn);
    } else if (message.type === "news" && message.sessionId === this.sessionId) {
      // A tab that knows nothing yet reads for itself when it is opened.
      if (this.turns.all.size || !message.after) this.#merge(message.list, message.after);
      else this.unread = this.saved.unread ?? 0;
      this.#schedule();
      this.options.changed();
    } else {
      if (message.type === "outbox") this.#inherit();
      this.options.changed();
    }
  }
}
