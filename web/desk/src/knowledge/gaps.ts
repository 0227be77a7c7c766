// The data of the pages about unanswered questions, and the state of those that this person answered.

import { infiniteQueryOptions, queryOptions, type InfiniteData } from "@tanstack/react-query";

import { api, type Gap, type GapList } from "../api/client";
import { queries } from "../inbox/data";
import { Observable } from "../store/observable";


export const STATES = ["open", "dismissed", "resolved"] as const;
export const SORTS = ["count", "recent"] as const;
export type GapState = (typeof STATES)[number];
export type GapSort = (typeof SORTS)[number];

const DAYS = 90;
const PAGE = 50;
/** A list that was read so lately is shown as it was: reading all of its pages again takes as many calls. */
const FRESH_MS = 30_000;

export const gapsQuery = (status: GapState, sort: GapSort) =>
  infiniteQueryOptions({
    queryKey: ["gaps", status, sort],
    staleTime: FRESH_MS,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => api.listGaps({ days: DAYS, status, sort, page: pageParam, limit: PAGE }),
    getNextPageParam: (page) => (page.hasMore ? page.page + 1 : undefined),
  });

export const gapQuery = (gapId: string) =>
  queryOptions({
    queryKey: ["gap", gapId],
    staleTime: 0,
    queryFn: () => api.getGap({ id: gapId }),
  });

/** Puts a gap aside or takes it back. The lists are changed in place; those that it goes to are read when they are shown. */
export async function decideGap(gapId: string, status: "dismissed" | "open"): Promise<void> {
  await api.updateGap({ id: gapId, body: { status } });
  queries.setQueriesData<InfiniteData<GapList>>({ queryKey: ["gaps"] }, (list) => list && without(list, gapId));
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["gaps"], refetchType: "none" }),
    queries.invalidateQueries({ queryKey: ["gap", gapId] }),
  ]);
}

function without(list: InfiniteData<GapList>, gapId: string): InfiniteData<GapList> {
  const isThere = list.pages.some((page) => page.items.some((one) => one.gapId === gapId));
  if (!isThere) return list;
  const pages = list.pages.map((page) => ({ ...page, total: page.total - 1, items: page.items.filter((one) => one.gapId !== gapId) }));
  return { ...list, pages };
}

export interface Answered {
  /** The entry that is to answer it. */
  path: string;
  at: number;
  /** As it is known: only `resolved` says that the service has asked it again and the wiki answers it. */
  state: GapState | "gone";
}

/** After this long an entry that answers a question has closed it, and the service is not asked by itself any more. */
export const LONG_MS = 180_000;

/** The questions that this person has answered since the page was loaded, by gap. */
export const answered = new Observable<ReadonlyMap<string, Answered>>(new Map());

export function noteAnswered(gapId: string, what: Answered): void {
  answered.set(new Map(answered.get()).set(gapId, what));
}

/** Whether it still waits for somebody, as far as this page knows. */
export const isUnanswered = (gap: Gap): boolean => gap.status === "open" && !answered.get().has(gap.gapId);
