// The customers who had an answer from an entry, and the note that is written into their conversations.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api } from "../api/client";
import { codeOf } from "../inbox/failures";
import { owner } from "../store/owner";
import { drop, keep, kept } from "../store/vault";

const PAGE = 50;

/** The answers made from an entry, newest first: of those who still talk to us, or of the others. */
export const answersQuery = (path: string, ownership: "open" | "closed", version: string) =>
  infiniteQueryOptions({
    queryKey: ["answers", path, ownership, version],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => api.listAnswers({ path, ownership, version: version ? Number(version) : undefined, limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => (page.hasMore ? (page.nextCursor ?? undefined) : undefined),
  });

/** The newest versions of an entry. */
export const versionsQuery = (path: string) =>
  queryOptions({
    queryKey: ["versions", path],
    staleTime: 0,
    queryFn: () => api.listRevisions({ path, limit: 100 }).then((page) => page.items),
  });

/** A note for many conversations. It is kept with what became of it, so that a reload neither loses nor doubles it. */
export interface BulkNote {
  path: string;
  /** Makes the key of each request: the same note is written into a conversation once, however often it is sent. */
  round: string;
  /** When it was sent first. */
  at?: string;
  text: string;
  /** The conversations it goes to, each with why it could not be written: empty before it is tried, null if it is written. */
  sent: Record<string, string | null>;
}

const prefix = () => `told:${owner()}:`;

export const freshNote = (path: string): BulkNote => ({ path, round: crypto.randomUUID(), text: "", sent: {} });
export const keptNote = async (path: string): Promise<BulkNote> => (await kept<BulkNote>(prefix())).find((one) => one.path === path) ?? freshNote(path);
export const keepNote = (one: BulkNote): Promise<void> => (one.text ? keep(prefix() + one.path, one) : drop(prefix() + one.path));

/** Writes the note into one conversation. Gives the code of a failure, or null. */
export async function writeNote({ round, text }: BulkNote, sessionId: string): Promise<string | null> {
  try {
    await api.writeNote({ id: sessionId, body: { content: text.trim() } }, { idempotencyKey: `${round}-${sessionId}` });
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** The service keeps the key of a request for a day; trying again later could write the note twice. */
const SAFE_MS = 23 * 3_600_000;
export const isTooOld = ({ at, sent }: BulkNote, now: number): boolean => Object.keys(sent).length > 0 && now - Date.parse(at ?? "1970-01-01") > SAFE_MS;

/** Nothing changes by trying again. */
export const isFinal = (code: string): boolean => code === "SESSION_CLOSED" || code === "NOT_FOUND";
