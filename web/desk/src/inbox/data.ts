// The data of the page: the lists of the queue, and one conversation. Both are asked for again by `news.ts`; an answer
// that says that nothing changed gives the same objects, so nothing is drawn anew.

import { QueryClient, queryOptions } from "@tanstack/react-query";

import { api, forget, isPassing, isSignIn, readAll, readUnlessKnown, type Case, type Escalation, type LastWords, type Session, type Turn } from "../api/client";
import type { Place, View } from "../place";
import { signIn } from "../signin/session";
import { nameOf } from "./name";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: "always",
      retry: (failures, error) => failures < 3 && isPassing(error) && !isSignIn(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** One line of the queue. */
export interface Row {
  id: string;
  sessionId: string;
  escalationId: string | null;
  name: string;
  isUrgent: boolean;
  /** Since when somebody waits, or when it began. */
  since: string;
  wroteAt: string | null;
  /** The last message; null if nobody said anything, or if it was said before last messages were kept. */
  words: LastWords | null;
  category: string | null;
  status: string;
  holder: { agentId: string; name: string | null } | null;
  /** The agent who had it before. */
  former: { agentId: string; name: string | null } | null;
  snoozedUntil: string | null;
  tags: string[];
}

export interface List {
  items: Row[];
  waiting: number;
  claimed: number;
  isCapped: boolean;
  hasMore: boolean;
}

/** A conversation, with the request for a person that it is looked at through, if there is one. */
export interface Conversation {
  escalation: Escalation | null;
  session: Session;
  turns: Turn[];
}

export const nameOfCase = ({ session, escalation }: Conversation): string =>
  nameOf({ ...session.user, ...session, name: session.user?.name ?? escalation?.customer.name });

const PAGE = 100;
/** How many pages of each list have been asked for; kept while the page is open. */
const pages = new Map<string, number>();

export const listKey = (view: View, tag: string | null) => ["news", "list", view, tag] as const;
export const caseKey = (id: string) => ["news", "case", id] as const;

function rowOf(one: Escalation): Row {
  return {
    id: one.escalationId,
    sessionId: one.sessionId,
    escalationId: one.escalationId,
    name: nameOf({ ...one.customer, sessionId: one.sessionId }),
    isUrgent: one.priority === "high",
    since: one.createdAt,
    wroteAt: one.lastCustomerMessageAt,
    words: one.lastWords ?? null,
    category: one.reasonCategory,
    status: one.status,
    holder: one.claimedBy,
    former: one.formerAgent,
    snoozedUntil: one.snoozedUntil,
    tags: one.tags,
  };
}

function rowOfSession(one: Session): Row {
  return {
    id: one.sessionId,
    sessionId: one.sessionId,
    escalationId: null,
    name: nameOf({ ...one.user, ...one }),
    isUrgent: false,
    since: one.lastActivityAt,
    wroteAt: one.lastActivityAt,
    words: one.lastWords ?? null,
    category: null,
    status: one.ownership,
    holder: null,
    former: null,
    snoozedUntil: null,
    tags: one.tags,
  };
}

type ListQuery = {
  status?: "pending" | "claimed" | "resolved";
  agentId?: string;
  snoozed?: "true" | "false";
};

function filterOf(view: View): ListQuery {
  const agentId = signIn.get().desk?.member.memberId;
  switch (view) {
    case "mine":
      return { status: "claimed", agentId, snoozed: "false" };
    case "snoozed":
      return { status: "claimed", agentId, snoozed: "true" };
    case "everybody":
      return { status: "claimed" };
    case "resolved":
      return { status: "resolved" };
    default:
      return { status: "pending" };
  }
}

/** How many answers of the inbox were not "nothing changed": any change of it, also of what another list shows. */
let listAnswers = 0;
export const answersOfLists = (): number => listAnswers;

interface Page {
  items: Row[];
  counts: { pending: number; claimed: number; capped: boolean } | null;
  nextCursor: string | null;
}

async function readPage(view: View, tag: string | null, cursor: string | undefined): Promise<Page> {
  const common = { tag: tag ?? undefined, cursor, limit: PAGE };
  if (view === "assistant") {
    const list = await api.listSessions({ ...common, ownership: "ai" });
    return { items: list.items.map(rowOfSession), counts: null, nextCursor: list.nextCursor };
  }
  const query = { ...filterOf(view), ...common };
  const { data, isNew } = await readUnlessKnown(`list ${JSON.stringify(query)}`, (options) => api.listEscalations.answer(query, options));
  if (isNew) listAnswers += 1;
  let page = read.get(data);
  if (!page) read.set(data, (page = { items: data.items.map(rowOf), counts: data.counts, nextCursor: data.nextCursor }));
  return page;
}

/** Pages by the answers that they were made from: the same answer is the same page. */
const read = new WeakMap<object, Page>();
/** Each list as it was read last, with its first page and the number of its pages. */
const last = new Map<string, { first: Page; wanted: number; list: List }>();

export function listQuery(view: View, tag: string | null) {
  const key = listKey(view, tag);
  return queryOptions({
    queryKey: key,
    // The next news ask again.
    retry: false,
    queryFn: async (): Promise<List> => {
      const wanted = pages.get(key.join()) ?? 1;
      const rows = new Map<string, Row>();
      let first: Page | undefined;
      let cursor: string | null | undefined;
      for (let at = 0; at < wanted && cursor !== null; at += 1) {
        const page: Page = await readPage(view, tag, cursor);
        // The entity tag is that of the whole inbox: if the first page has not changed, no other has.
        const before = last.get(key.join());
        if (before?.first === page && before.wanted === wanted) return before.list;
        first ??= page;
        for (const row of page.items) rows.set(row.id, row);
        cursor = page.nextCursor;
      }
      const counts = first?.counts;
      const list: List = {
        items: [...rows.values()],
        waiting: counts?.pending ?? 0,
        claimed: counts?.claimed ?? 0,
        isCapped: counts?.capped ?? false,
        hasMore: !!cursor,
      };
      if (first) last.set(key.join(), { first, wanted, list });
      return list;
    },
  });
}

/** The tags of all lines that were read, in order. */
export function usedTags(): string[] {
  const lists = queries.getQueriesData<List>({ queryKey: ["news", "list"] });
  return [...new Set(lists.flatMap(([, list]) => list?.items.flatMap((row) => row.tags) ?? []))].sort();
}

/** Asks for one page more of a list. */
export function readMore(view: View, tag: string | null): Promise<void> {
  const key = listKey(view, tag);
  pages.set(key.join(), (pages.get(key.join()) ?? 1) + 1);
  return queries.refetchQueries({ queryKey: key });
}

async function readCase(escalationId: string): Promise<Conversation> {
  const { data } = await readUnlessKnown(`case ${escalationId}`, (options) => api.getEscalation.answer({ id: escalationId }, options));
  return conversationOf(data);
}

export function conversationOf(answer: Case): Conversation {
  const { session, messages, ...escalation } = answer;
  return { escalation, session, turns: messages };
}

async function readSession(sessionId: string): Promise<Conversation> {
  const key = `session ${sessionId}`;
  const { data: session, isNew } = await readUnlessKnown(key, (options) => api.getSession.answer({ id: sessionId }, options));
  if (session.escalationId) return readCase(session.escalationId);
  const before = queries.getQueryData<Conversation>(caseKey(sessionId));
  if (!isNew && before && !before.escalation) return before;
  const { items } = await api.listMessages({ id: sessionId }).catch((error) => {
    forget(key);
    throw error;
  });
  return { escalation: null, session, turns: items };
}

/** The conversation as read, with the turns on the page that came while the answer was on its way. */
function notOlder(id: string, found: Conversation): Conversation {
  const last = found.turns.at(-1)?.turn ?? 0;
  const newer = queries.getQueryData<Conversation>(caseKey(id))?.turns.filter((turn) => turn.turn > last) ?? [];
  return newer.length ? { ...found, turns: [...found.turns, ...newer] } : found;
}

export function caseQuery(place: Pick<Place, "escalationId" | "sessionId">) {
  const { escalationId, sessionId } = place;
  const id = escalationId ?? sessionId ?? "";
  return queryOptions({
    queryKey: caseKey(id),
    queryFn: async () => notOlder(id, await (escalationId ? readCase(escalationId) : readSession(id))),
    enabled: !!id,
    retry: false,
  });
}

/** All turns of a conversation from its beginning, if the case has the last fifty alone. */
export function historyQuery(sessionId: string, isWanted: boolean) {
  return queryOptions({
    queryKey: ["history", sessionId],
    enabled: isWanted,
    queryFn: () => readAll(api.listMessages.each({ id: sessionId })),
  });
}

/** Earlier turns and the present ones as one list, each once, in order. */
export function together(earlier: Turn[] | undefined, turns: Turn[]): Turn[] {
  if (!earlier) return turns;
  const all = new Map(earlier.map((turn) => [turn.messageId, turn]));
  for (const turn of turns) all.set(turn.messageId, turn);
  return [...all.values()].sort((a, b) => a.turn - b.turn);
}

/** Puts what an act was answered on the page. A read that is under way may be older, so its answer is dropped. */
export async function put(id: string, update: (before: Conversation | undefined) => Conversation | undefined): Promise<void> {
  await queries.cancelQueries({ queryKey: caseKey(id), exact: true });
  queries.setQueryData<Conversation>(caseKey(id), update);
}

/** Puts one answered turn into the conversation that is on the page, before the next news bring it. */
export function addTurn(ids: (string | null)[], turn: Turn): void {
  for (const id of ids) {
    if (!id) continue;
    queries.setQueryData<Conversation>(caseKey(id), (before) =>
      before && !before.turns.some((one) => one.messageId === turn.messageId)
        ? { ...before, turns: [...before.turns, turn] }
        : before,
    );
  }
}
