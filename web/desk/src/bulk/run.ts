// Does one thing with each of several conversations: each by its own request under its own `Idempotency-Key`, a few at
// once. One that fails stops no other.

import { api, type InboxAgent } from "../api/client";
import { attempt, givenAway, MAX_TAGS, patchSession, sendTransfer } from "../inbox/actions";
import type { Row } from "../inbox/data";
import { end, endings, endLater, UNDO_MS, without, type Ending } from "../inbox/deferred";
import { codeOf, explain } from "../inbox/failures";
import { marked, unmark } from "../inbox/marks";
import { ask } from "../inbox/news";
import { Observable } from "../store/observable";
import { tell } from "../ui/notices";
import { count, straight, t } from "../ui/texts";
import { b } from "./texts";

const MAX_CONCURRENT = 3;

type Kind = "resolve" | "tag" | "untag" | "transfer";

export interface Run {
  kind: Kind;
  /** Whether it waits for the time in which it can be undone, is under way, or has failed for some. */
  state: "waiting" | "going" | "over";
  all: number;
  done: number;
  failed: { row: Row; why: string }[];
}

export const run = new Observable<Run | null>(null);

/** The outcome of one: null if it is done, or why not; `LEFT` if it was undone. */
type Outcome = string | null;
const LEFT = "";

/** Before the tab is left, the browser asks. */
const hold = (event: Event) => event.preventDefault();

/** `gone`: those that the list lost since they were marked. */
async function doEach(kind: Kind, rows: readonly Row[], gone: readonly Row[], work: (row: Row) => Promise<Outcome>): Promise<void> {
  const waiting = [...rows];
  const now: Run = { kind, state: "going", all: rows.length, done: 0, failed: gone.map((row) => ({ row, why: b("gone") })) };
  const show = () => run.set({ ...now, failed: [...now.failed] });
  show();
  addEventListener("beforeunload", hold);
  const hand = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const why = await work(row).catch((error: unknown) => explain(codeOf(error)));
      if (why === null) {
        now.done += 1;
        unmark([row.id]);
      } else if (why === LEFT) now.all -= 1;
      else now.failed.push({ row, why });
      show();
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, hand));
  removeEventListener("beforeunload", hold);
  await ask();
  if (now.done) tell(b(`done.${kind}`, { count: count(now.done) }));
  run.set(now.failed.length ? { ...now, state: "over" } : null);
}

/** Ends them after the time to undo it. One whose customer wrote since it was in the list stays open. */
export function resolveAll(rows: readonly Row[], gone: readonly Row[], text: string): void {
  const batch = crypto.randomUUID();
  const endingOf = (row: Row) => endings.get().find((one) => one.batch === batch && one.escalationId === row.escalationId && !one.isGoing);
  for (const { escalationId, sessionId, name } of rows) {
    if (escalationId) endLater({ kind: "resolve", escalationId, sessionId, customer: name, text, batch });
  }
  run.set({ kind: "resolve", state: "waiting", all: rows.length, done: 0, failed: [] });
  addEventListener("beforeunload", hold);
  const timer = setTimeout(() => {
    stop();
    void doEach("resolve", rows, gone, (row) => resolve(row, () => endingOf(row))).then(() => {
      endings.set(endings.get().filter((one) => one.batch !== batch));
    });
  }, UNDO_MS);
  const stop = endings.subscribe(() => {
    if (rows.some(endingOf)) return;
    clearTimeout(timer);
    stop();
    removeEventListener("beforeunload", hold);
    run.set(null);
    tell(b("undone"));
  });
}

async function resolve(row: Row, wanted: () => Ending | undefined): Promise<Outcome> {
  if (!wanted()) return LEFT;
  const { messages, lastCustomerMessageAt, claimedBy } = await attempt(() => api.getEscalation({ id: row.escalationId ?? "" }));
  const one = wanted();
  if (!one) return LEFT;
  let isDone = false;
  try {
    if (lastCustomerMessageAt && lastCustomerMessageAt > (row.wroteAt ?? "")) return explain("CONFLICT");
    // An admin may end a colleague's case, but not by an act on one's own.
    if (claimedBy?.agentId !== row.holder?.agentId) return explain("CLAIMED_BY_OTHER");
    isDone = await end({ ...one, lastSeenMessageId: messages.at(-1)?.messageId });
    return isDone ? null : t("resolve.notSent", { name: straight(row.name) });
  } finally {
    if (!isDone) without(one.key);
  }
}

export function transferAll(rows: readonly Row[], gone: readonly Row[], { agentId, name }: InboxAgent, note: string): void {
  void doEach("transfer", rows, gone, async ({ escalationId, holder }) => {
    if (holder?.agentId === agentId) return b("hasIt", { name: straight(name) });
    givenAway.add(escalationId ?? "");
    await attempt((key) => sendTransfer(escalationId ?? "", agentId, note, key));
    return null;
  });
}

/** Adds a tag or takes it away. Tags are replaced whole, so those of this moment are read before. */
export function tagAll(kind: "tag" | "untag", rows: readonly Row[], gone: readonly Row[], tag: string): void {
  void doEach(kind, rows, gone, async ({ sessionId }) => {
    // Read anew before each attempt: a colleague may have changed them while it waited.
    return attempt(async () => {
      const { tags } = await api.getSession({ id: sessionId });
      if (tags.includes(tag) === (kind === "tag")) return null;
      if (kind === "tag" && tags.length >= MAX_TAGS) return b("tooManyTags", { max: MAX_TAGS });
      await patchSession(sessionId, { tags: kind === "tag" ? [...tags, tag] : tags.filter((one) => one !== tag) });
      return null;
    });
  });
}

/** Marked lines that the list has, as they are now, and those that it lost. */
export function stillThere(lines: readonly Row[]): { rows: Row[]; gone: Row[] } {
  const marks = marked.get();
  const rows = lines.filter((row) => marks.has(row.id));
  const found = new Set(rows.map((row) => row.id));
  return { rows, gone: [...marks.values()].filter((row) => !found.has(row.id)) };
}
