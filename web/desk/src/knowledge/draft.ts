// Proposed changes of the wiki: what the pages read of them, and what people do to them.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api, ApiError, type Draft, type DraftPatch, type DraftStatus, type NewDraft, type Visibility } from "../api/client";
import { queries } from "../inbox/data";
import { isGone, tagged, type Tagged } from "../settings/data";
import { hasRole, signIn } from "../signin/session";
import { Observable } from "../store/observable";
import { entryChanged, pathTaken, withForms, type TaggedEntry } from "./data";
import { tagsOf } from "./names";
import type { FromDraft, Values } from "./unsaved";

export type TaggedDraft = Tagged<Draft>;

/** The dialog about the draft that is shown: the palette opens it too. */
export const askedOfDraft = new Observable<"publish" | "discard" | null>(null);

const PAGE = 50;
/** If not all drafts are needed, so many pages are read, as a page may be empty and have more behind it. */
const READ_PAGES = 5;
const READ_PAGE = 20;

export const draftsQuery = (status: DraftStatus) =>
  infiniteQueryOptions({
    queryKey: ["drafts", status],
    staleTime: 0,
    initialPageParam: "",
    queryFn: ({ pageParam }) => api.listDrafts({ status, limit: PAGE, cursor: pageParam || undefined }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

interface Waiting {
  items: Draft[];
  /** There are others, which were not read. */
  hasMore: boolean;
}

async function readWaiting(path?: string): Promise<Waiting> {
  const items: Draft[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < READ_PAGES; page += 1) {
    const found = await api.listDrafts({ status: "open", path, limit: READ_PAGE, cursor });
    items.push(...found.items);
    if (!found.hasMore || !found.nextCursor) return { items, hasMore: false };
    cursor = found.nextCursor;
  }
  return { items, hasMore: true };
}

/** The drafts that wait, as far as they are counted beside the page's name and looked through for a gap's. */
export const waitingQuery = queryOptions({ queryKey: ["drafts", "waiting"], staleTime: 60_000, queryFn: () => readWaiting() });

/** "7", "100+", or nothing if none waits. */
export const countOf = ({ items, hasMore }: Waiting): string => (items.length || hasMore ? `${items.length}${hasMore ? "+" : ""}` : "");

/** The drafts that wait for one entry. */
export const draftsOfQuery = (path: string) => queryOptions({ queryKey: ["drafts", "of", path], staleTime: 0, queryFn: () => readWaiting(path) });

export const readDraft = (id: string): Promise<TaggedDraft> => tagged(api.getDraft.answer({ id }));

export const draftQuery = (id: string) => queryOptions({ queryKey: ["draft", id], staleTime: 0, queryFn: () => readDraft(id) });

/** Agents write their own ones, trainers and admins all. */
export const isMine = (draft: Draft): boolean => draft.createdBy === signIn.get().desk?.member.memberId;
export const mayChange = (draft: Draft): boolean => draft.status === "open" && (isMine(draft) || hasRole("admin", "trainer"));

/** Its words went with the conversations that it was made from. */
export const isErased = ({ status, action, title, content }: Draft): boolean => status === "open" && action !== "delete" && !(title && content);
/** The entry is at another version than the draft was made from, is gone, or is there already. */
export const isMoved = ({ status, baseVersion }: Draft, entry: TaggedEntry | null): boolean => status === "open" && (entry?.data.version ?? null) !== baseVersion;
export const mayPublish = (draft: Draft, entry: TaggedEntry | null): boolean => draft.status === "open" && hasRole("admin", "trainer") && !isErased(draft) && !isMoved(draft, entry);

/** A draft as what the editor changes. */
export function asEntry({ data, tag }: TaggedDraft): TaggedEntry {
  const { path, title, content, visibility, tags, version, createdAt, updatedAt } = data;
  return { tag, data: { path, title: title ?? "", content: content ?? "", visibility: visibility ?? "internal", tags, version, createdAt, updatedAt } };
}

/** The draft as somebody else left it; null if it waits no longer. */
export async function openDraft(id: string): Promise<TaggedEntry | null> {
  try {
    const found = await readDraft(id);
    return found.data.status === "open" ? asEntry(found) : null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

export async function draftsChanged(id?: string): Promise<void> {
  const all = [["drafts"], ...(id ? [["draft", id]] : [])];
  await Promise.all(all.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** The fields of a draft beside its text. */
export type Origin = Pick<NewDraft, "action" | "baseVersion" | "gapId">;

export async function propose({ path, title, content, visibility, tags }: Values, origin: Origin, key: string): Promise<Draft> {
  const body = { path: path.trim(), title: title.trim(), content, visibility: visibility as Visibility, tags: tagsOf(tags), ...origin };
  return post(body, key);
}

export const proposeDeletion = (path: string, baseVersion: number, key: string): Promise<Draft> => post({ path, action: "delete", baseVersion }, key);

async function post(body: NewDraft, key: string): Promise<Draft> {
  try {
    const made = await withForms(api.createDraft({ body }, { idempotencyKey: key }));
    await draftsChanged();
    return made;
  } catch (error) {
    if (error instanceof ApiError && body.action === "create" && movedTo(error) !== null) throw pathTaken(error);
    throw error;
  }
}

export async function changeDraft(id: string, tag: string, body: DraftPatch): Promise<void> {
  await withForms(api.updateDraft({ id, body }, { ifMatch: tag }));
  await draftsChanged(id);
}

export async function discardDraft({ data: { draftId }, tag }: TaggedDraft): Promise<void> {
  await api.discardDraft({ id: draftId }, { ifMatch: tag });
  await draftsChanged(draftId);
}

/** A draft whose texts are an entry now goes. If somebody else changed it since, or this fails, it stays, which harms nothing. */
export const dropUsed = ({ draftId, read }: FromDraft): Promise<void> =>
  api.discardDraft({ id: draftId }, { ifMatch: read.tag })
    .catch(() => {})
    .then(() => draftsChanged(draftId));

export async function publishDraft({ draftId, path, version }: Draft, visibility: Visibility | undefined, key: string): Promise<void> {
  await api.publishDraft({ id: draftId, body: { version, visibility } }, { idempotencyKey: key });
  await Promise.all([draftsChanged(draftId), entryChanged(path)]);
}

/** The version at which the entry is by now, if that is why the service refused; else null. */
export function movedTo(error: unknown): number | null {
  if (!(error instanceof ApiError && error.status === 409)) return null;
  const found = error.details.find(({ code }) => code === "CURRENT_VERSION");
  return found ? Number(found.message) : null;
}
