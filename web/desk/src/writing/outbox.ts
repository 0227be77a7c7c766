// Messages on their way. Each is kept, encrypted, before it is sent, and has one `Idempotency-Key` however often it is
// sent, so a lost answer, a reload or a crash neither loses nor doubles it. Messages of one conversation go one after the
// other.

import { addTurn } from "../inbox/data";
import { api, ApiError, isPassing, waitMs } from "../api/client";
import { codeOf } from "../inbox/failures";
import { ask, isOnline } from "../inbox/news";
import { signIn } from "../signin/session";
import { Observable } from "../store/observable";
import { owner } from "../store/owner";
import { drop, keep, kept } from "../store/vault";

export interface Outgoing {
  key: string;
  sessionId: string;
  escalationId: string | null;
  content: string;
  isNote: boolean;
  /** The number of the last turn when it was written. */
  after: number;
  writtenAt: number;
}

export interface Sending extends Outgoing {
  /** `waiting` is tried again by itself; `failed` is refused. */
  state: "sending" | "waiting" | "failed";
  code?: string;
}

const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** The service knows a key for a day: an older message may have arrived, so a person decides. */
const KNOWN_MS = 23 * 3_600_000;

export const outbox = new Observable<readonly Sending[]>([]);

const busy = new Set<string>();
const tries = new Map<string, number>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const idOf = (key: string) => `outbox:${owner()}:${key}`;

function mark(key: string, change: Partial<Sending>): void {
  outbox.set(outbox.get().map((one) => (one.key === key ? { ...one, ...change } : one)));
}

async function remove(key: string): Promise<void> {
  outbox.set(outbox.get().filter((one) => one.key !== key));
  tries.delete(key);
  await drop(idOf(key));
}

/** Goes on with what an earlier page has not sent. */
export async function loadOutbox(): Promise<void> {
  const known = new Set(outbox.get().map((one) => one.key));
  const found = (await kept<Outgoing>(`outbox:${owner()}:`)).filter((one) => !known.has(one.key));
  const isOld = (one: Outgoing) => Date.now() - one.writtenAt > KNOWN_MS;
  const all = found.map((one): Sending => (isOld(one) ? { ...one, state: "failed", code: "TOO_OLD" } : { ...one, state: "waiting" }));
  outbox.set([...outbox.get(), ...all].sort((a, b) => a.writtenAt - b.writtenAt));
  sendAll();
}

/** Sends a message or a note; it stands in the conversation at once. */
export async function send(message: Omit<Outgoing, "key" | "writtenAt">): Promise<void> {
  const one: Outgoing = { ...message, key: crypto.randomUUID(), writtenAt: Date.now() };
  outbox.set([...outbox.get(), { ...one, state: "sending" }]);
  await keep(idOf(one.key), one).catch(() => {});
  void next(one.sessionId);
}

export function sendAll(): void {
  for (const sessionId of new Set(outbox.get().map((one) => one.sessionId))) void next(sessionId);
}

isOnline.subscribe(() => isOnline.get() && sendAll());
signIn.subscribe(() => !signIn.get().hasEnded && sendAll());

/** Whether something of a conversation is still on its way. */
export function isSending(sessionId: string): boolean {
  return outbox.get().some((one) => one.sessionId === sessionId && one.state !== "failed");
}

export function retry(key: string): void {
  const one = outbox.get().find((found) => found.key === key);
  if (!one) return;
  mark(key, { state: "waiting", code: undefined });
  void next(one.sessionId);
}

export const discard = (key: string): Promise<void> => remove(key);

async function next(sessionId: string): Promise<void> {
  clearTimeout(timers.get(sessionId));
  if (busy.has(sessionId)) return;
  busy.add(sessionId);
  try {
    for (;;) {
      const one = outbox.get().find((found) => found.sessionId === sessionId && found.state !== "failed");
      if (!one || !(await attempt(one))) return;
    }
  } finally {
    busy.delete(sessionId);
  }
}

/** Whether the next one may go. */
async function attempt(one: Sending): Promise<boolean> {
  if (signIn.get().hasEnded) {
    mark(one.key, { state: "waiting", code: "SIGN_IN_REQUIRED" });
    return false;
  }
  mark(one.key, { state: "sending" });
  try {
    const turn = await (one.isNote ? sendNote(one) : sendReply(one));
    addTurn([one.escalationId, one.sessionId], turn);
    await remove(one.key);
    void ask();
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof ApiError && !isPassing(error)) {
      mark(one.key, { state: "failed", code });
      void ask();
      return true;
    }
    const tried = (tries.get(one.key) ?? 0) + 1;
    tries.set(one.key, tried);
    mark(one.key, { state: "waiting", code });
    const wait = waitMs(error, WAITS_MS[Math.min(tried, WAITS_MS.length) - 1]);
    timers.set(one.sessionId, setTimeout(() => void next(one.sessionId), wait));
    return false;
  }
}

function sendReply({ escalationId, content, key }: Sending) {
  return api.sendAgentMessage({ id: escalationId ?? "", body: { content } }, { idempotencyKey: key });
}

function sendNote({ sessionId, content, key }: Sending) {
  return api.writeNote({ id: sessionId, body: { content } }, { idempotencyKey: key });
}
