// The requests of the pages of the knowledge.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api, call, CallFailed } from "../api/client";
import type { components } from "../api/schema";
import { queries } from "../inbox/data";
import { isGone, tagged, type Tagged } from "../settings/data";
import type { Filters } from "./routes";

type Schemas = components["schemas"];
export type Entry = Schemas["Entry"];
export type EntryItem = Schemas["EntryItem"];
export type Gap = Schemas["Gap"];
export type IngestJob = Schemas["IngestJob"];
export type Revision = Schemas["Revision"];
export type Visibility = Schemas["Visibility"];
export type TaggedEntry = Tagged<Entry>;

/** Lines of a page of a list. */
const PAGE = 30;

/** The entries that match; without words, the last changed first. */
export const entriesQuery = ({ q, visibility, tag, under }: Filters) =>
  infiniteQueryOptions({
    queryKey: ["entries", q, visibility, tag, under],
    staleTime: 0,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const filters = { q: q || undefined, visibility: (visibility || undefined) as Visibility | undefined, tag: tag || undefined, pathPrefix: under || undefined };
      return call(api.GET("/wiki", { params: { query: { ...filters, page: pageParam, limit: PAGE } }, signal }));
    },
    getNextPageParam: (page) => (page.hasMore ? page.page + 1 : undefined),
  });

export const readEntry = (path: string): Promise<TaggedEntry> => tagged(api.GET("/wiki/{path}", { params: { path: { path } } }));

export const entryQuery = (path: string) => queryOptions({ queryKey: ["entry", path], staleTime: 0, queryFn: () => readEntry(path) });

/** A version that was replaced a moment ago is stored with the old ones within two seconds. */
const STORED_MS = 1_000;
const STORED_TRIES = 3;

/** A version of an entry; null if it is not kept, or was a deletion. */
export const versionQuery = (path: string, version: number) =>
  queryOptions({
    queryKey: ["version", path, version],
    staleTime: ({ state }) => (state.data ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data === null && state.dataUpdateCount < STORED_TRIES ? STORED_MS : false),
    queryFn: async () => {
      try {
        return await call(api.GET("/wiki/{path}", { params: { path: { path }, query: { version } } }));
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
  });

export const revisionsQuery = (path: string) =>
  infiniteQueryOptions({
    queryKey: ["revisions", path],
    staleTime: 0,
    initialPageParam: "",
    queryFn: ({ pageParam }) => call(api.GET("/wiki-revisions", { params: { query: { path, limit: PAGE, cursor: pageParam || undefined } } })),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** Reads entry and lists anew after a change; nothing shows them as they were. */
export async function entryChanged(path: string): Promise<void> {
  queries.removeQueries({ queryKey: ["entry", path], type: "inactive" });
  const all = [["entry", path], ["revisions", path], ["entries"]];
  await Promise.all(all.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export async function changeEntry(path: string, tag: string, body: Schemas["EntryPatch"]): Promise<void> {
  await call(api.PATCH("/wiki/{path}", { params: { path: { path }, header: { "If-Match": tag } }, body }));
  await entryChanged(path);
}

/** The fields with a form of their own, and the problem of another form. */
const FORMS: Record<string, string> = { path: "INVALID_PATH", pathPrefix: "INVALID_PATH", url: "INVALID_URL" };

/** Runs a request; a name or an address of another form is a problem that the page has words for. */
export async function withForms<T>(run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const details = error.details.map((one) => ({ ...one, code: (one.code === "INVALID_FORMAT" && FORMS[one.field ?? ""]) || one.code }));
    throw new CallFailed(error.status, error.code, details, error.retryAfterMs);
  }
}

const RUNS = new Set(["queued", "running"]);
const ASK_MS = 1_000;

export const isRunning = (job: IngestJob): boolean => RUNS.has(job.status);

/** One job, asked for again while it runs. */
export const jobQuery = (ingestId: string) =>
  queryOptions({
    queryKey: ["ingest", ingestId],
    staleTime: 0,
    queryFn: () => call(api.GET("/ingest/{id}", { params: { path: { id: ingestId } } })),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? ASK_MS : false),
  });

export const jobsQuery = infiniteQueryOptions({
  queryKey: ["ingests"],
  staleTime: 0,
  initialPageParam: "",
  queryFn: ({ pageParam }) => call(api.GET("/ingest", { params: { query: { limit: PAGE, cursor: pageParam || undefined } } })),
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(isRunning)) ? 2 * ASK_MS : false),
});
