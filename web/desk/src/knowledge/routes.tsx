// Addresses inside the knowledge, such as `/entry?path=help/refunds`, and links to them. The path of an entry stands in the
// query: it may hold slashes and dots.

import type { ReactNode } from "react";

import { PlaceLink } from "../ui/PlaceLink";

export interface Filters {
  q: string;
  visibility: string;
  tag: string;
  under: string;
}

const NAMES = ["q", "visibility", "tag", "under"] as const;

export interface KnowledgeRoute {
  page: string;
  item: string | null;
  /** Of a draft: its text is being written. */
  isEdited: boolean;
  path: string | null;
  /** Of a history: the version that is looked at, and whether today's is what it is compared with. */
  version: number | null;
  isAgainstToday: boolean;
  filters: Filters;
}

export function parseRoute(knowledge: string): KnowledgeRoute {
  const [rest = "", search] = knowledge.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [page = "", item, part] = rest.slice(1).split("/");
  const filters = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""])) as unknown as Filters;
  const version = Number(query.get("version")) || null;
  return { page, item: item || null, isEdited: part === "edit", path: query.get("path"), version, isAgainstToday: query.get("against") === "today", filters };
}

const withQuery = (page: string, entries: [string, string][]) => {
  const search = new URLSearchParams(entries.filter(([, value]) => value)).toString();
  return page + (search && `?${search}`);
};

export const entryAt = (path: string): string => withQuery("/entry", [["path", path]]);
export const editAt = (path: string): string => withQuery("/edit", [["path", path]]);
export const draftAt = (draftId: string): string => `/drafts/${draftId}`;
export const draftEditAt = (draftId: string): string => `/drafts/${draftId}/edit`;

export const historyAt = (path: string, version?: number, isAgainstToday = false): string =>
  withQuery("/history", [
    ["path", path],
    ["version", version ? String(version) : ""],
    ["against", isAgainstToday ? "today" : ""],
  ]);

/** A question without an answer; without its id, all of them. */
export const gapAt = (gapId = ""): string => `/gaps${gapId && `/${gapId}`}`;
/** An answer that a customer disliked; without its message, all of them. */
export const dislikedAt = (messageId = ""): string => `/disliked${messageId && `/${messageId}`}`;
export const answeredCustomersAt = (path: string): string => withQuery("/told", [["path", path]]);
export const listAt = (filters: Partial<Filters>): string => withQuery("", Object.entries(filters));

interface LinkProps {
  to: string;
  kind?: string;
  isCurrent?: boolean;
  children: ReactNode;
}

export function KnowledgeLink({ to, kind, isCurrent, children }: LinkProps): ReactNode {
  return (
    <PlaceLink to={{ knowledge: to }} kind={kind} isCurrent={isCurrent}>
      {children}
    </PlaceLink>
  );
}
