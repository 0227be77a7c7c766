// The requests of the pages of the settings.

import { useQuery, queryOptions, type UseQueryResult } from "@tanstack/react-query";

import { api, ApiError, readAll, type Answer, type Settings } from "../api/client";
import { queries } from "../inbox/data";

/** Something with the entity tag that its next change is made from. */
export interface Tagged<T> {
  data: T;
  tag: string;
}

export async function tagged<T>(asked: Promise<Answer<T>>): Promise<Tagged<T>> {
  const { data, etag } = await asked;
  return { data, tag: etag ?? "" };
}

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  staleTime: 0,
  queryFn: () => readAll(api.listApiKeys.each({ limit: 100 })),
});

export const membersQuery = queryOptions({
  queryKey: ["members"],
  staleTime: 0,
  queryFn: () => readAll(api.listMembers.each({ limit: 100 })),
});

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  staleTime: 0,
  queryFn: () => readAll(api.listWebhooks.each({ limit: 100 })),
});

export const settingsQuery = queryOptions({
  queryKey: ["serviceSettings"],
  staleTime: 0,
  queryFn: () => tagged(api.getSettings.answer()),
});

export const useServiceSettings = (): UseQueryResult<Tagged<Settings>> => useQuery(settingsQuery);

export const reload = (key: string): Promise<void> => queries.invalidateQueries({ queryKey: [key] });
