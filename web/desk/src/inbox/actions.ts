// A person's acts on a conversation, each by one request under one `Idempotency-Key`, sent again while the service
// cannot be reached. What another did in the meantime is said plainly, and the page shows how it stands.

import { api, call, CallFailed } from "../api/client";
import type { components } from "../api/schema";
import type { Case, Session } from "../api/types";
import { go, here } from "../place";
import { t } from "../ui/texts";
import { tell } from "../ui/notices";
import { caseKey, conversationOf, put, queries, type Conversation } from "./data";
import { codeOf, tellFailure } from "./failures";
import { ask } from "./news";

const WAITS_MS = [500, 1_500, 4_000];

/** Sends a request again while it may succeed. @throws `CallFailed` */
export async function attempt<T>(run: (key: string) => Promise<T>): Promise<T> {
  const key = crypto.randomUUID();
  for (let tried = 0; ; tried += 1) {
    try {
      return await run(key);
    } catch (error) {
      const wait = WAITS_MS[tried];
      if (!(error instanceof CallFailed && error.isPassing && !error.isSignIn) || wait === undefined) throw error;
      await new Promise((done) => setTimeout(done, error.retryAfterMs ?? wait));
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

const header = (key: string) => ({ "Idempotency-Key": key });

async function show(found: Case | null): Promise<boolean> {
  if (!found) return false;
  await put(found.escalationId, () => conversationOf(found));
  go({ escalationId: found.escalationId });
  void ask();
  return true;
}

/** Takes the first who waits. */
export async function takeNext(): Promise<boolean> {
  return show(await once((key) => call(api.POST("/inbox/takeover", { params: { header: header(key) }, body: {} }))));
}

export async function take(escalationId: string): Promise<boolean> {
  const body = { escalationId };
  try {
    return await show(await attempt((key) => call(api.POST("/inbox/takeover", { params: { header: header(key) }, body }))));
  } catch (error) {
    await ask();
    const holder = queries.getQueryData<Conversation>(caseKey(escalationId))?.escalation?.claimedBy;
    if (codeOf(error) === "ALREADY_CLAIMED" && holder) tell(t("takenBy", { name: holder.name ?? holder.agentId }));
    else tellFailure(error);
    return false;
  }
}

export async function stepIn(sessionId: string): Promise<boolean> {
  const params = (key: string) => ({ path: { id: sessionId }, header: header(key) });
  return show(await once((key) => call(api.POST("/sessions/{id}/takeover", { params: params(key), body: {} }))));
}

async function act(escalationId: string, run: (id: { id: string }, key: string) => Promise<unknown>): Promise<boolean> {
  const done = await once(async (key) => {
    await run({ id: escalationId }, key);
    return true;
  });
  await ask();
  return done ?? false;
}

/** Requests that this person has given away, so that the page does not tell it as news. */
export const givenAway = new Set<string>();

function give(escalationId: string, run: Parameters<typeof act>[1]): Promise<boolean> {
  givenAway.add(escalationId);
  return act(escalationId, run);
}

export const release = (escalationId: string) =>
  give(escalationId, (path, key) => call(api.POST("/inbox/{id}/release", { params: { path, header: header(key) }, body: {} })));

export const renew = (escalationId: string) =>
  act(escalationId, (path, key) => call(api.POST("/inbox/{id}/renew", { params: { path, header: header(key) }, body: {} })));

export const reopen = (escalationId: string) =>
  act(escalationId, (path, key) => call(api.POST("/inbox/{id}/reopen", { params: { path, header: header(key) }, body: {} })));

export const transfer = (escalationId: string, toAgentId: string, note: string) =>
  give(escalationId, (_, key) => sendTransfer(escalationId, toAgentId, note, key));

export const sendTransfer = (id: string, toAgentId: string, note: string, key: string) =>
  call(api.POST("/inbox/{id}/transfer", { params: { path: { id }, header: header(key) }, body: { toAgentId, note: note || undefined } }));

/** Puts a conversation off, or brings it back (`null`). */
export const snooze = (escalationId: string, until: Date | null) =>
  act(escalationId, (path) =>
    call(api.PATCH("/inbox/{id}", { params: { path }, body: { snoozedUntil: until?.toISOString() ?? null } })),
  );

export const setPriority = (escalationId: string, priority: "normal" | "high") =>
  act(escalationId, (path) => call(api.PATCH("/inbox/{id}", { params: { path }, body: { priority } })));

/** The most tags of a conversation, and the most characters of one. */
export const MAX_TAGS = 20;
export const MAX_TAG = 50;

export const setTags = (sessionId: string, tags: string[]): Promise<boolean> => setSession(sessionId, { tags });

/** Says who the customer is; null if nobody knows. */
export const setCustomer = (sessionId: string, user: { name: string | null; email: string | null; verified: boolean } | null): Promise<boolean> =>
  setSession(sessionId, { user });

type SessionPatch = components["schemas"]["SessionPatch"];

const setSession = async (sessionId: string, body: SessionPatch): Promise<boolean> => !!(await once(() => patchSession(sessionId, body)));

/** Shows what became of it, if it is open. */
export async function patchSession(id: string, body: SessionPatch): Promise<Session> {
  const session = await call(api.PATCH("/sessions/{id}", { params: { path: { id } }, body }));
  for (const shown of [here().escalationId, id]) {
    if (shown) await put(shown, (before) => (before?.session.sessionId === id ? { ...before, session } : before));
  }
  return session;
}
