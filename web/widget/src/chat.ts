// One visitor's conversation: what is to be sent, and when to ask for news. It knows no element.
//
// Work is done one piece after the other: the token, then news, then unsent messages. Where a piece fails for a while,
// everything stays as it is and is tried again; a message keeps its id, so the service stores and answers it once.

import { ApiError } from "./api";
import { Client, exclusively, randomId } from "./client";
import { Leader, interval, isLive } from "./polling";
import { Storage, type Saved } from "./storage";
import { noticeOf, waitAfter, type Notice } from "./notice";
import { Turns } from "./turns";
import type { ChatOptions, Pending, TabMessage, Turn, TurnList } from "./types";

/** How long an attempt of another tab, or one whose reply was lost, is waited for. */
const IN_PROGRESS_MS = 1_500;

export class Chat {
  readonly turns = new Turns();
  notice: Notice | null = null;
  unread = 0;
  isOpen = false;
  isSending = false;
  /** The token is there and the conversation is read. */
  isReady = false;

  readonly #options: ChatOptions;
  readonly #storage: Storage;
  readonly #client: Client;
  readonly #channel: BroadcastChannel | null;
  readonly #leader: Leader;
  #wantsNews = false;
  #isWorking = false;
  #again = false;
  #failures = 0;
  #timer = 0;

  constructor(options: ChatOptions) {
    this.#options = options;
    const name = `support-chat:${options.api}`;
    this.#storage = new Storage(name);
    this.#client = new Client(options, this.#storage, this.turns, () => {
      this.logout();
      queueMicrotask(() => this.#ask());
    });
    this.#channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
    this.#leader = new Leader(`${name}:poll`, () => this.#schedule());
    if (this.#channel) this.#channel.onmessage = (event) => this.#hear(event.data);
  }

  get sessionId(): string | null {
    return this.saved.sessionId ?? null;
  }

  get outbox(): Pending[] {
    return this.saved.outbox ?? [];
  }

  get saved(): Saved {
    return this.#storage.read();
  }

  get #hasUnsent(): boolean {
    return this.outbox.some((one) => !one.failed);
  }

  get isAnswering(): boolean {
    const silent =
      this.turns.session && this.turns.session.ownership !== "ai" && this.turns.session.ownership !== "closed";
    return !!this.turns.session?.answerDue || (this.isSending && !silent);
  }

  /** Begins on a page: only where something is to come, or was not sent, anything is asked. */
  start(): void {
    const [saved, own] = [this.saved, this.#options.externalUserId];
    if (own !== null && saved.externalUserId !== undefined && own !== saved.externalUserId) return this.#discard();
    this.#client.isTrusted = own !== null;
    this.unread = saved.unread ?? 0;
    if (saved.token && (saved.live || saved.outbox?.length)) this.#ask();
    this.#options.changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#client.abort();
    this.#leader.leave();
    this.turns.forget();
    this.#channel?.close();
  }

  open(): void {
    this.isOpen = true;
    this.#see();
    if (!this.isReady) this.#ask();
    this.#options.changed();
  }

  close(): void {
    this.isOpen = false;
    this.#options.changed();
  }

  /** Keeps a message and sends it after those before it. */
  write(content: string): void {
    this.#storage.update({ outbox: [...this.outbox, { id: randomId(), content }] });
    this.#tell({ type: "outbox" });
    this.retry();
  }

  /** Tries again at once what waits, and `id` where it was given up. */
  retry(id?: string): void {
    if (id) this.#changeOutbox(id, { failed: false });
    this.#failures = 0;
    this.#work();
    this.#options.changed();
  }

  remove(id: string): void {
    this.#changeOutbox(id, null);
  }

  /** Asks for a person. */
  async escalate(reason: string): Promise<void> {
    await this.#act(async () => {
      const escalate = (id: string) => this.#client.call("POST", `/sessions/${id}/escalate`, { reason });
      const made = await this.#client.inSession(escalate);
      this.#options.emit("escalation", {
        state: "requested",
        sessionId: made.sessionId,
        escalationId: made.escalationId,
      });
    });
  }

  /** No longer wants a person. */
  async cancel(): Promise<void> {
    await this.#act(async () => {
      const sessionId = this.sessionId;
      try {
        await this.#client.call("POST", `/sessions/${sessionId}/cancel-escalation`, {});
        this.#options.emit("escalation", { state: "cancelled", sessionId });
      } catch (error) {
        // Somebody came at the same moment.
        if (!(error instanceof ApiError && error.status === 409)) throw error;
      }
    });
  }

  /** Votes for an answer, or notes that it was copied. */
  async react(turn: Turn, reaction: string): Promise<void> {
    const before = turn.reactions;
    const votes = reaction === "copy" ? before : before.filter((one) => !one.startsWith("thumbs_"));
    this.#replace({ ...turn, reactions: [...votes.filter((one) => one !== reaction), reaction] });
    try {
      const body = { reaction, messageId: turn.messageId };
      const told = await this.#client.call("POST", `/sessions/${this.sessionId}/reaction`, body);
      this.#replace({ ...turn, reactions: told.reactions });
      this.#tell({ type: "turn", turn: { ...turn, reactions: told.reactions } });
      this.#options.emit("reaction", { sessionId: this.sessionId, messageId: turn.messageId, reaction });
      // Two rejections in a row ask for a person.
      if (reaction === "thumbs_down") this.#ask();
    } catch (error) {
      this.#replace({ ...turn, reactions: before });
      this.#explain(error);
    }
  }

  /** Forgets the visitor, on this page and in the other tabs. */
  logout(): void {
    this.#discard();
    this.#tell({ type: "logout" });
  }

  /** The page was shown or hidden. */
  visibilityChanged(): void {
    if (!document.hidden) {
      this.#see();
      this.#tell({ type: "yield" });
      if (isLive(this.turns.session)) this.#ask();
    }
    this.#schedule();
  }

  connectionChanged(): void {
    if (navigator.onLine) this.retry();
    else if (this.isOpen || this.#hasUnsent) this.#explain(new ApiError(0, "OFFLINE"));
  }

  /** Forgets everything of a visitor; what runs for them ends without effect. */
  #discard(): void {
    this.#storage.clear();
    this.#client.abort();
    clearTimeout(this.#timer);
    this.#leader.leave();
    this.isReady = this.isSending = false;
    this.unread = 0;
    this.notice = null;
    this.turns.forget();
    this.#options.changed();
  }

  /** Asks for news as soon as possible. */
  #ask(): void {
    this.#wantsNews = true;
    this.#work();
  }

  /** Does something that the visitor asked for, and reads what followed from it. */
  async #act(action: () => Promise<void>): Promise<void> {
    this.isSending = true;
    this.#options.changed();
    try {
      await action();
      this.notice = null;
    } catch (error) {
      this.#explain(error);
    }
    this.isSending = false;
    this.turns.quiet = 0;
    this.#ask();
  }

  async #work(): Promise<void> {
    this.#again = this.#isWorking;
    if (this.#isWorking) return;
    const { signal } = this.#client;
    this.#isWorking = true;
    clearTimeout(this.#timer);
    try {
      do {
        this.#again = false;
        await this.#client.token();
        if (this.#wantsNews) await this.#readNews();
        this.isReady = true;
        while (this.#hasUnsent) {
          await exclusively(`${this.#options.api}:send`, () => this.#sendFirst());
          await this.#readNews();
        }
        this.#failures = 0;
        this.notice = null;
      } while (this.#again);
    } catch (error) {
      if (!signal.aborted) this.#explain(error);
    } finally {
      this.#isWorking = this.isSending = false;
    }
    if (signal.aborted && this.#again) return this.#work();
    this.#schedule();
    this.#options.changed();
  }

  async #readNews(): Promise<void> {
    this.#wantsNews = false;
    for (let more = true; more;) {
      const id = this.sessionId;
      if (!id) return;
      const after = this.turns.after;
      let list: TurnList;
      try {
        list = await this.#client.call("GET", `/sessions/${id}/messages${after ? `?after=${after}` : ""}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 404) return this.#client.leaveSession();
        if (error.status !== 400 || !after) throw error;
        this.turns.forget();
        continue;
      }
      this.#merge(list, after);
      this.#tell({ type: "news", sessionId: id, after, list });
      more = list.hasMore;
    }
  }

  /** Sends the first unsent message; called by one tab at a time. */
  async #sendFirst(): Promise<void> {
    const first = this.outbox.find((one) => !one.failed);
    if (!first) return;
    this.isSending = true;
    this.#options.changed();
    try {
      const body = { content: first.content, clientMessageId: first.id };
      const reply = await this.#client.inSession((id) => this.#client.call("POST", `/sessions/${id}/messages`, body));
      this.notice = null;
      this.#options.emit("message", { role: "customer", sessionId: this.sessionId, disposition: reply.disposition });
      this.#arrived(this.turns.take(first, reply));
      this.#changeOutbox(first.id, null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "IDEMPOTENCY_IN_PROGRESS") {
        this.notice = { kind: "progress" };
        this.#options.changed();
        await new Promise((done) => setTimeout(done, IN_PROGRESS_MS));
      } else if (error.isTemporary || error.status === 409 || error.status === 401 || error.status === 403) {
        throw error;
      } else {
        this.#changeOutbox(first.id, { failed: true });
        this.#options.emit("error", { status: error.status, code: error.code });
      }
    } finally {
      this.isSending = false;
    }
  }

  #merge(list: TurnList, after: string | null): void {
    const isFirst = !this.turns.all.size;
    const fresh = this.turns.merge(list, after);
    this.#storage.update({ live: isLive(this.turns.session) });
    if (isFirst) this.#count();
    else this.#arrived(fresh);
    this.#options.changed();
  }

  /** Counts and announces new turns of the other side. */
  #arrived(turns: Turn[]): void {
    const theirs = turns.filter((turn) => turn.role !== "customer");
    for (const { role, messageId } of theirs) {
      if (role !== "system") this.#options.emit("message", { role, messageId, sessionId: this.sessionId });
    }
    if (theirs.length) this.#options.news(theirs);
    this.#count();
  }

  #count(): void {
    if (this.isOpen && !document.hidden) return this.#see();
    this.unread = this.turns.unread(this.saved.seen ?? 0);
    this.#storage.update({ unread: this.unread });
  }

  /** The visitor sees what is there. */
  #see(): void {
    if (!this.isOpen || document.hidden) return;
    const { seen = 0, unread } = this.saved;
    const newest = this.turns.newest(seen);
    if (newest !== seen || unread) this.#storage.update({ seen: newest, unread: 0 });
    this.unread = 0;
  }

  #replace(turn: Turn): void {
    this.turns.all.set(turn.messageId, turn);
    this.#options.changed();
  }

  /** Changes an unsent message, or removes it. */
  #changeOutbox(id: string, change: Partial<Pending> | null): void {
    const outbox = this.outbox.flatMap((one) => (one.id !== id ? one : change ? { ...one, ...change } : []));
    this.#storage.update({ outbox });
    this.#tell({ type: "outbox" });
    this.#options.changed();
  }

  #explain(error: unknown): void {
    if (error instanceof DOMException) return;
    const known = error instanceof ApiError ? error : new ApiError(500, "ERROR");
    this.#failures += 1;
    const wait = waitAfter(known, this.#failures);
    this.notice = noticeOf(known, wait);
    if (known.isTemporary || known.status === 409) this.#later(wait);
    this.#options.emit("error", { status: known.status, code: known.code });
    this.#options.changed();
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), ms);
  }

  /** Plans the next request for news, in the one tab that polls. */
  #schedule(): void {
    if (!this.turns.session || !isLive(this.turns.session)) return this.#leader.leave();
    this.#leader.seek();
    if (this.#leader.leads && !this.#isWorking && !this.#failures) {
      this.#later(interval(this.turns.session, this.turns.quiet, document.hidden));
    }
  }

  #tell(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  #hear(message: TabMessage): void {
    if (message.type === "logout") {
      this.#discard();
      if (this.isOpen) this.#ask();
    } else if (message.type === "yield") {
      if (!document.hidden || !this.#leader.leads) return;
      clearTimeout(this.#timer);
      this.#leader.leave();
      setTimeout(() => this.#schedule(), 100);
    } else if (message.type === "turn") {
      if (this.turns.all.has(message.turn.messageId)) this.#replace(message.turn);
    } else if (message.type === "news" && message.sessionId === this.sessionId) {
      // A tab that knows nothing yet reads for itself when it is opened.
      if (this.turns.all.size || !message.after) this.#merge(message.list, message.after);
      else this.unread = this.saved.unread ?? 0;
      this.#schedule();
      this.#options.changed();
    } else {
      this.#options.changed();
    }
  }
}
