// What a user writes, checked by the strictest compiler options against the packed package.

import { ApiError, ConnectionError, SupportAssistant, TimeoutError, Webhooks } from "@support-assistant/client";
import type { Entry, Event, Ownership, Reply, Session, Turn } from "@support-assistant/client";

declare const url: string;
declare const key: string;

const support = new SupportAssistant({ url, key });
const session: Session = await support.createSession({ body: { externalUserId: "ann" } });
const reply: Reply = await support.sendMessage({ id: session.sessionId, body: { content: "How long does a refund take?" } });
const disposition: string = reply.disposition;

for await (const turn of support.listMessages.each({ id: session.sessionId, after: reply.messageId })) {
  const said: Turn = turn;
  void said;
}
for await (const { path } of support.listEntries.each()) path.toUpperCase();

// The tag of the answer that is known already.
const { data, etag } = await support.getSession.answer({ id: session.sessionId }, { ifNoneMatch: '"1"' });
// @ts-expect-error after a 304 there is no body
data.sessionId;
const known: Session | undefined = data;
const entry = await support.getEntry.answer({ path: "billing/refunds" });
const changed: Entry = await support.updateEntry({ path: "billing/refunds", body: { title: "Refunds" } }, { ifMatch: entry.etag ?? "" });
const nothing: void = await support.deleteEntry({ path: "billing/refunds" }, { signal: AbortSignal.timeout(1_000), timeoutMs: 500 });
await support.createIngestJob({ body: { text: "# Returns", pathPrefix: "guides/returns" } }, { idempotencyKey: "import-7" });

// @ts-expect-error the call has no such condition, and would be carried out whatever is there
await support.updateEscalation({ id: "esc_1", body: { priority: "high" } }, { ifMatch: '"1"' });
// @ts-expect-error a plain call has no place for "nothing is new"
await support.getSession({ id: "ses_1" }, { ifNoneMatch: '"1"' });
// @ts-expect-error the body is missing
await support.sendMessage({ id: "ses_1" });
// @ts-expect-error no such filter
await support.listSessions({ visitor: "ann" });
// @ts-expect-error words of a request are a closed list
await support.listSessions({ ownership: "somebody" });
// @ts-expect-error no list
support.getSession.each;

// A value that a later version adds is of the type, and an editor offers those of today.
const later: Session = { ...session, ownership: "of_a_later_version" };
const today: Ownership = "ai";
const isAi: boolean = session.ownership === today;

/** The session that an event is about: `type` alone says what `data` has. */
function sessionOf(event: Event): string | undefined {
  switch (event.type) {
    case "message.created":
      return event.data.role === "ai" ? event.data.sessionId : undefined;
    case "handover.requested":
      return event.data.sessionId;
    case "entry.deleted":
      // @ts-expect-error an entry has no session
      return event.data.sessionId;
    default:
      return undefined;
  }
}
sessionOf(new Webhooks("whsec_…").verify(new Uint8Array(), new Headers()));

try {
  await support.getHealth();
} catch (error) {
  if (error instanceof TimeoutError || error instanceof ConnectionError) error.maybeDone satisfies boolean;
  if (error instanceof ApiError && error.code === "RATE_LIMITED") error.retryAfter satisfies number | null;
}

const response: Response = await support.chatToken(new Request(url), { externalUserId: "customer-7", user: { name: "Ann" }, cookieSecret: undefined });

export { changed, disposition, etag, isAi, known, later, nothing, response };
