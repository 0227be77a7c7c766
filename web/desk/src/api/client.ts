// The API: every call carries the token of the sign-in; one whose token has expired is sent again with a new one.

import type { Answer } from "../../../../clients/typescript/src/call";
import { SupportAssistant } from "../../../../clients/typescript/src/client";
import { ApiError, ConnectionError } from "../../../../clients/typescript/src/errors";
import type { ErrorDetail } from "../../../../clients/typescript/src/generated";
import { renewToken, signIn } from "../signin/session";

export type { Answer };
export type * from "../../../../clients/typescript/src/generated";
export { ApiError };

const send: typeof fetch = async (url, init) => {
  const headers = new Headers(init?.headers);
  // The page keeps entity tags itself: without `no-store` the browser would answer a 304 from its own cache.
  const attempt = () => fetch(url, { ...init, headers, cache: "no-store" });
  const first = await attempt();
  const token = first.status === 401 && (await renewToken());
  if (!token) return first;
  headers.set("authorization", `Bearer ${token}`);
  return attempt();
};

// Sends nothing again by itself: each part of the page says how long it tries.
export const api = new SupportAssistant({ url: `${location.origin}/api/v1`, key: () => signIn.get().token ?? "", fetch: send, retries: 0 });

/** Whether no answer of the service came: none at all, or one from before it, such as the sign-in page of a network. */
export const isUnreached = (error: unknown): boolean => error instanceof ConnectionError || (error instanceof ApiError && error.status < 400);

export const isSignIn = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Whether the same request may succeed later: nothing is wrong with it. */
export const isPassing = (error: unknown): boolean =>
  isUnreached(error) ||
  isSignIn(error) ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500 || error.code === "IDEMPOTENCY_IN_PROGRESS"));

/** How long to wait before it is sent again: as long as the service says, or `usualMs`. */
export const waitMs = (error: unknown, usualMs = 30_000): number => ((error instanceof ApiError && error.retryAfter) || 0) * 1_000 || usualMs;

/** The refusal with these problems instead. */
export const withDetails = ({ message, status, code, requestId, retryAfter }: ApiError, details: ErrorDetail[]): ApiError =>
  new ApiError(message, status, code, details, requestId, retryAfter);

/** A list from its beginning to its end. */
export async function readAll<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** The answers with an entity tag, the newest last. */
const known = new Map<string, { etag: string; data: unknown }>();
const MAX_KNOWN = 40;

/** Reads it anew the next time: what belongs to it could not be read. */
export function forget(key: string): void {
  known.delete(key);
}

/** Reads with `If-None-Match`: if nothing changed, the same object as before. */
export async function readUnlessKnown<T>(
  key: string,
  read: (options: { ifNoneMatch?: string }) => Promise<Answer<T | undefined>>,
): Promise<{ data: T; isNew: boolean }> {
  const before = known.get(key);
  const { status, etag, data } = await read({ ifNoneMatch: before?.etag });
  if (status === 304 && before) return { data: before.data as T, isNew: false };
  known.delete(key);
  if (etag) known.set(key, { etag, data });
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return { data: data as T, isNew: true };
}
