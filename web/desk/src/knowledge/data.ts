// The requests of the pages of the knowledge.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api, ApiError, withDetails, type Entry, type EntryPatch, type IngestJob, type Visibility } from "../api/client";
import { queries } from "../inbox/data";
import { isGone, tagged, type Tagged } from "../settings/data";
import type { Filters } from "./routes";

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
      return api.listEntries({ ...filters, page: pageParam, limit: PAGE }, { signal });
    },
    getNextPageParam: (page) => (page.hasMore ? page.page + 1 : undefined),
  });

export const readEntry = (path: string): Promise<TaggedEntry> => tagged(api.getEntry.answer({ path }));

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
        return await api.getEntry({ path, version });
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
    queryFn: ({ pageParam }) => api.listRevisions({ path, limit: PAGE, cursor: pageParam || undefined }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** Reads entry and lists anew after a change; nothing shows them as they were. */
export async function entryChanged(path: string): Promise<void> {
  queries.removeQueries({ queryKey: ["entry", path], type: "inactive" });
  const all = [["entry", path], ["revisions", path], ["entries"]];
  await Promise.all(all.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export async function changeEntry(path: string, tag: string, body: EntryPatch): Promise<void> {
  await api.updateEntry({ path, body }, { ifMatch: tag });
  await entryChanged(path);
}

/** The fields with a form of their own, and the problem of another form. */
const FORMS: Record<string, string> = { path: "INVALID_PATH", pathPrefix: "INVALID_PATH", url: "INVALID_URL" };

/** Runs a request; a name or an address of another form is a problem that the page has words for. */
export async function withForms<T>(run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw withDetails(error, error.details.map((one) => ({ ...one, code: (one.code === "INVALID_FORMAT" && FORMS[one.field ?? ""]) || one.code })));
  }
}

export const pathTaken = (error: ApiError): ApiError => withDetails(error, [{ code: "PATH_TAKEN", field: "path", message: "" }]);

const RUNS = new Set(["queued", "running"]);
const ASK_MS = 1_000;

export const isRunning = (job: IngestJob): boolean => RUNS.has(job.status);

/** One job, asked for again while it runs. */
export const jobQuery = (ingestId: string) =>
  queryOptions({
    queryKey: ["ingest", ingestId],
    staleTime: 0,
    queryFn: () => api.getIngestJob({ id: ingestId }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? ASK_MS : false),
  });

/** All jobs, or only those that are done again. */
export const jobsQuery = (isScheduled: boolean) =>
  infiniteQueryOptions({
    queryKey: ["ingests", isScheduled],
    staleTime: 0,
    initialPageParam: "",
    queryFn: ({ pageParam }) => api.listIngestJobs({ limit: PAGE, cursor: pageParam || undefined, scheduled: isScheduled ? "true" : undefined }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(isRunning)) ? 2 * ASK_MS : false),
  });
