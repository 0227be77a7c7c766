// Ends of a human part that can be undone: the request goes five seconds later, or when the page is left.

import { api, isPassing, waitMs } from "../api/client";
import { signIn } from "../signin/session";
import { Observable } from "../store/observable";
import { tell } from "../ui/notices";
import { t } from "../ui/texts";
import { isSending, outbox } from "../writing/outbox";
import { tellFailure } from "./failures";
import { ask } from "./news";

export const UNDO_MS = 5_000;
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

export interface Ending {
  key: string;
  kind: "resolve" | "handback";
  escalationId: string;
  sessionId: string;
  customer: string;
  /** The resolution, or the note for the assistant. */
  text: string;
  lastSeenMessageId?: string;
  /** The messages that were on their way when it was asked for: one that is refused calls it off. */
  messages: readonly string[];
  /** Whether its request is under way, so that it can no longer be undone. */
  isGoing: boolean;
  /** Of several that are ended and undone as one. Whoever asked for them sends them. */
  batch?: string;
}

export const endings = new Observable<readonly Ending[]>([]);
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Takes it off the list. */
export const without = (key: string) => endings.set(endings.get().filter((one) => one.key !== key));

export function endLater(ending: Omit<Ending, "key" | "messages" | "isGoing">): void {
  if (endings.get().some((one) => one.escalationId === ending.escalationId)) return;
  const messages = outbox.get().flatMap(({ key, sessionId, state }) => (sessionId === ending.sessionId && state !== "failed" ? [key] : []));
  const one: Ending = { ...ending, key: crypto.randomUUID(), messages, isGoing: false };
  endings.set([...endings.get(), one]);
  if (!one.batch) timers.set(one.key, setTimeout(() => void endAlone(one), UNDO_MS));
}

export function undo(key: string): boolean {
  const one = endings.get().find((found) => found.key === key);
  if (!one || one.isGoing) return false;
  clearTimeout(timers.get(key));
  endings.set(endings.get().filter((found) => found !== one && (found.isGoing || !one.batch || found.batch !== one.batch)));
  return true;
}

/** Calls off what was to follow a message that is refused: the customer would be left without it. */
function callOff(): void {
  const refused = outbox.get().flatMap(({ key, state }) => (state === "failed" ? [key] : []));
  for (const one of endings.get()) {
    if (!one.messages.some((key) => refused.includes(key))) continue;
    clearTimeout(timers.get(one.key));
    without(one.key);
    tell(t(`${one.kind}.notSent`, { name: one.customer }), true);
  }
}

outbox.subscribe(callOff);

const bodyOf = ({ kind, text, lastSeenMessageId }: Ending) =>
  kind === "resolve"
    ? { resolution: text || undefined, lastSeenMessageId }
    : { note: text || undefined, lastSeenMessageId };

async function endAlone(one: Ending): Promise<void> {
  await end(one).catch(tellFailure);
  await ask();
  without(one.key);
}

/** Sends it until it is answered; false if it was called off. @throws `ApiError` for a refusal */
export async function end(one: Ending): Promise<boolean> {
  endings.set(endings.get().map((found) => (found.key === one.key ? { ...found, isGoing: true } : found)));
  await allSent(one.sessionId);
  if (!endings.get().some((found) => found.key === one.key)) return false;
  const [args, options] = [{ id: one.escalationId, body: bodyOf(one) }, { idempotencyKey: one.key }];
  for (let tried = 0; ; tried += 1) {
    try {
      await (one.kind === "resolve" ? api.resolveEscalation(args, options) : api.handBackEscalation(args, options));
      return true;
    } catch (error) {
      if (!isPassing(error) || tried >= 2 * WAITS_MS.length) throw error;
      await new Promise((done) => setTimeout(done, waitMs(error, WAITS_MS[tried])));
    }
  }
}

/** Waits for what was written before: after the end it would be refused. */
function allSent(sessionId: string): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (isSending(sessionId)) return;
      stop();
      done();
    };
    const stop = outbox.subscribe(look);
    look();
  });
}

/**
 * Sends at once what waits, as the page is left; not before a message that could not be sent yet. What was to follow a
 * refused one is called off already. Of many the browser has asked, and they stay as they are.
 */
function leave(): void {
  const { token } = signIn.get();
  for (const one of endings.get()) {
    if (one.isGoing || one.batch || !token || isSending(one.sessionId)) continue;
    clearTimeout(timers.get(one.key));
    without(one.key);
    void fetch(`/api/v1/inbox/${one.escalationId}/${one.kind}`, {
      method: "POST",
      keepalive: true,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": one.key },
      body: JSON.stringify(bodyOf(one)),
    }).catch(() => {});
  }
}

addEventListener("pagehide", leave);
