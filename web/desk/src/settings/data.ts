// The requests of the pages of the settings.

import { useQuery, queryOptions, type UseQueryResult } from "@tanstack/react-query";

import { api, call, CallFailed } from "../api/client";
import type { components } from "../api/schema";
import { queries } from "../inbox/data";

type Schemas = components["schemas"];
export type ApiKey = Schemas["ApiKey"];
export type AuditEntry = Schemas["AuditEntry"];
export type Member = Schemas["Member"];
export type ServiceSettings = Schemas["Settings"];
export type SettingsPatch = Schemas["SettingsPatch"];
export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["Delivery"];
export type Analytics = Schemas["Analytics"];

/** More pages than any of these lists has. */
const MAX_PAGES = 60;

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** A list from its beginning to its end. */
export async function readAll<T>(read: (query: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const found = await read({ limit: 100, cursor });
    items.push(...found.items);
    cursor = found.nextCursor;
  }
  return items;
}

/** Something with the entity tag that its next change is made from. */
export interface Tagged<T> {
  data: T;
  tag: string;
}

export async function tagged<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<Tagged<T>> {
  let tag = "";
  const data = await call(
    asked.then((answer) => {
      tag = answer.response.headers.get("etag") ?? "";
      return answer;
    }),
  );
  return { data, tag };
}

export const isGone = (error: unknown): boolean => error instanceof CallFailed && error.status === 404;

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  staleTime: 0,
  queryFn: () => readAll((query) => call(api.GET("/api-keys", { params: { query } }))),
});

export const membersQuery = queryOptions({
  queryKey: ["members"],
  staleTime: 0,
  queryFn: () => readAll((query) => call(api.GET("/members", { params: { query } }))),
});

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  staleTime: 0,
  queryFn: () => readAll((query) => call(api.GET("/webhooks", { params: { query } }))),
});

export const settingsQuery = queryOptions({
  queryKey: ["serviceSettings"],
  staleTime: 0,
  queryFn: () => tagged(api.GET("/settings")),
});

export const useServiceSettings = (): UseQueryResult<Tagged<ServiceSettings>> => useQuery(settingsQuery);

export const reload = (key: string): Promise<void> => queries.invalidateQueries({ queryKey: [key] });
