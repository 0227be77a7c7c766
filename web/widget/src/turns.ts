// The state of the conversation: its turns, and the session as it was last read.

import type { Pending, Reply, Session, Turn, TurnList } from "./types";

/** The ids of messages whose own turn is not read yet begin so. */
const SENT = "sent:";

export class Turns {
  readonly all = new Map<string, Turn>();
  session: Session | null = null;
  /** The newest turn up to which all are known. */
  after: string | null = null;
  /** How many reads in a row brought nothing new. */
  quiet = 0;

  get sorted(): Turn[] {
    return [...this.all.values()].sort((one, other) => one.turn - other.turn);
  }

  forget(): void {
    this.all.clear();
    this.session = this.after = null;
  }

  /** Another session begins. What was said in one that ended stays above it, with numbers below zero. */
  leave(): void {
    const before = this.session?.ownership === "closed" ? this.sorted : [];
    this.forget();
    before.forEach((turn, at) => this.all.set(turn.messageId, { ...turn, turn: at - before.length }));
  }

  /** Takes what was read after the turn `after`; the turns that are new. */
  merge({ items, session }: TurnList, after: string | null): Turn[] {
    if (this.session && this.session.sessionId !== session.sessionId) this.leave();
    const before = this.session;
    const isSame = before?.version === session.version && before.queuePosition === session.queuePosition;
    this.quiet = isSame && !items.length ? this.quiet + 1 : 0;
    if (!before || session.version >= before.version) this.session = session;
    const fresh = items.filter((turn) => !this.all.has(turn.messageId));
    for (const turn of items) this.all.set(turn.messageId, turn);
    const last = items.at(-1);
    if (last) {
      for (const [id, turn] of this.all) if (id.startsWith(SENT) && turn.turn < last.turn) this.all.delete(id);
      if (after === this.after) this.after = last.messageId;
    }
    return fresh;
  }

  /** Takes a message and its answer before they are read; both as turns. */
  take(sent: Pending, reply: Reply): Turn[] {
    const turn = { sources: [], reactions: [], createdAt: new Date().toISOString() };
    const { answer, messageId } = reply;
    const own = answer ? { messageId: SENT + sent.id, turn: reply.turn - 0.5 } : { messageId, turn: reply.turn };
    const turns: Turn[] = this.has(sent) ? [] : [{ ...turn, ...own, role: "customer", content: sent.content }];
    if (answer) turns.push({ ...turn, ...reply, role: "ai", content: answer });
    for (const one of turns) if (!this.all.has(one.messageId)) this.all.set(one.messageId, one);
    if (this.session) this.session = { ...this.session, ownership: reply.ownership };
    return turns;
  }

  /** Whether an unsent message stands among the turns: the reply to it is to come, or was lost. */
  has({ content, after = Infinity }: Pending): boolean {
    return this.sorted.some((turn) => turn.role === "customer" && turn.turn > after && turn.content === content);
  }

  /** The human part that ended, by its first turn, until the visitor writes again. */
  get humanPart(): string {
    let part = "";
    let hasEnded = false;
    for (const { messageId, event, role } of this.sorted) {
      if (event === "agent_joined") [part, hasEnded] = [part && !hasEnded ? part : messageId, false];
      else if (event === "handover_ended" || event === "closed") hasEnded = !!part;
      else if (role === "customer" && hasEnded) [part, hasEnded] = ["", false];
    }
    return hasEnded ? part : "";
  }

  /** Whether a turn has no answer, as the one before it besides small talk. */
  missesAgain({ turn }: Turn): boolean {
    const asked = this.sorted.filter((one) => one.turn <= turn && one.role === "ai" && one.disposition !== "small_talk");
    return asked.length > 1 && asked.slice(-2).every((one) => one.disposition === "no_answer");
  }

  /** The visitor's last question that is no small talk. */
  get question(): string {
    let question = "";
    let before = "";
    for (const { role, content, disposition } of this.sorted) {
      if (role === "customer") [before, question] = [question, content];
      else if (disposition === "small_talk") question = before;
    }
    return question;
  }

  /** The number of the newest turn, at least `seen`. */
  newest(seen: number): number {
    return Math.floor(Math.max(seen, ...this.sorted.map((turn) => turn.turn)));
  }

  /** The turns of the other side that are newer than number `seen`, and than what the visitor wrote last. */
  unseen(seen: number): Turn[] {
    const own = this.sorted.filter((turn) => turn.role === "customer").pop();
    const after = Math.max(seen, own?.turn ?? 0);
    return this.sorted.filter((turn) => turn.turn > after && (turn.role === "ai" || turn.role === "agent"));
  }
}
