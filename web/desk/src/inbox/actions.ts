// A person's acts on a conversation, each by one request under one `Idempotency-Key`, sent again while the service
// cannot be reached. What another did in the meantime is said plainly, and the page shows how it stands.

import { api, isPassing, isSignIn, waitMs, type Case, type Session, type SessionPatch } from "../api/client";
import { go, here } from "../place";
import { t } from "../ui/texts";
import { tell } from "../ui/notices";
import { caseKey, conversationOf, put, queries, type Conversation } from "./data";
import { codeOf, tellFailure } from "./failures";
import { ask } from "./news";

const WAITS_MS = [500, 1_500, 4_000];

/** Sends a request again while it may succeed. @throws `SupportError` */
export async function attempt<T>(run: (key: string) => Promise<T>): Promise<T> {
  const key = crypto.randomUUID();
  for (let tried = 0; ; tried += 1) {
    try {
      return await run(key);
    } catch (error) {
      const wait = WAITS_MS[tried];
      if (!isPassing(error) || isSignIn(error) || wait === undefined) throw error;
      await new Promise((done) => setTimeout(done, waitMs(error, wait)));
    }
  }
}

/** As `attempt`; a refusal is told, and null. */
async function once<T>(run: (key: string) => Promise<T>): Promise<T | null> {
  try {
    return await attempt(run);
  } catch (error) {
    tellFailure(error);
    void ask();
    return null;
  }
}

async function show(found: Case | null): Promise<boolean> {
  if (!found) return false;
  await put(found.escalationId, () => conversationOf(found));
  go({ escalationId: found.escalationId });
  void ask();
  return true;
}

/** Takes the first who waits. */
export async function takeNext(): Promise<boolean> {
  return show(await once((idempotencyKey) => api.takeOverEscalation({ body: {} }, { idempotencyKey })));
}

export async function take(escalationId: string): Promise<boolean> {
  const body = { escalationId };
  try {
    return await show(await attempt((idempotencyKey) => api.takeOverEscalation({ body }, { idempotencyKey })));
  } catch (error) {
    await ask();
    const holder = queries.getQueryData<Conversation>(caseKey(escalationId))?.escalation?.claimedBy;
    if (codeOf(error) === "ALREADY_CLAIMED" && holder) tell(t("takenBy", { name: holder.name ?? holder.agentId }));
    else tellFailure(error);
    return false;
  }
}

export async function stepIn(sessionId: string): Promise<boolean> {
  return show(await once((idempotencyKey) => api.stepIn({ id: sessionId, body: {} }, { idempotencyKey })));
}

async function act(run: (key: string) => Promise<unknown>): Promise<boolean> {
  const done = await once(async (key) => {
    await run(key);
    return true;
  });
  await ask();
  return done ?? false;
}

/** Requests that this person has given away, so that the page does not tell it as news. */
export const givenAway = new Set<string>();

function give(escalationId: string, run: Parameters<typeof act>[0]): Promise<boolean> {
  givenAway.add(escalationId);
  return act(run);
}

export const release = (id: string) => give(id, (idempotencyKey) => api.releaseEscalation({ id, body: {} }, { idempotencyKey }));

export const renew = (id: string) => act((idempotencyKey) => api.renewClaim({ id, body: {} }, { idempotencyKey }));

export const reopen = (id: string) => act((idempotencyKey) => api.reopenEscalation({ id, body: {} }, { idempotencyKey }));

export const transfer = (escalationId: string, toAgentId: string, note: string) =>
  give(escalationId, (key) => sendTransfer(escalationId, toAgentId, note, key));

export const sendTransfer = (id: string, toAgentId: string, note: string, idempotencyKey: string) =>
  api.transferEscalation({ id, body: { toAgentId, note: note || undefined } }, { idempotencyKey });

/** Puts a conversation off, or brings it back (`null`). */
export const snooze = (id: string, until: Date | null) =>
  act(() => api.updateEscalation({ id, body: { snoozedUntil: until?.toISOString() ?? null } }));

export const setPriority = (id: string, priority: "normal" | "high") => act(() => api.updateEscalation({ id, body: { priority } }));

/** The most tags of a conversation, and the most characters of one. */
export const MAX_TAGS = 20;
export const MAX_TAG = 50;

export const setTags = (sessionId: string, tags: string[]): Promise<boolean> => setSession(sessionId, { tags });

/** Says who the customer is; null if nobody knows. */
export const setCustomer = (sessionId: string, user: { name: string | null; email: string | null; verified: boolean } | null): Promise<boolean> =>
  setSession(sessionId, { user });

const setSession = async (sessionId: string, body: SessionPatch): Promise<boolean> => !!(await once(() => patchSession(sessionId, body)));

/** Shows what became of it, if it is open. */
export async function patchSession(id: string, body: SessionPatch): Promise<Session> {
  const session = await api.updateSession({ id, body });
  for (const shown of [here().escalationId, id]) {
    if (shown) await put(shown, (before) => (before?.session.sessionId === id ? { ...before, session } : before));
  }
  return session;
}
