// The typed client: every call carries the token of the sign-in; one whose token has expired is sent again with a new one.

import createClient from "openapi-fetch";

import { renewToken, signIn } from "../signin/session";
import type { Paths, ServiceError } from "./types";

/** An answer that is not 2xx, or none at all (status 0). */
export class CallFailed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: { code: string; field?: string; message?: string }[] = [],
    readonly retryAfterMs: number | null = null,
  ) {
    super(code);
  }

  /** Whether the same request may succeed later: nothing is wrong with it. */
  get isPassing(): boolean {
    return (
      this.status === 0 || this.status === 429 || this.status >= 500 || this.code === "IDEMPOTENCY_IN_PROGRESS" || this.isSignIn
    );
  }

  get isSignIn(): boolean {
    return this.status === 401;
  }
}

/** How long a request may take before the desk gives it up. */
const DEADLINE_MS = 35_000;

async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const first = await attempt(request, signIn.get().token);
  if (first.status !== 401) return first;
  const token = await renewToken();
  return token ? attempt(again, token) : first;
}

function attempt(request: Request, token: string | undefined): Promise<Response> {
  if (token) request.headers.set("authorization", `Bearer ${token}`);
  // The page keeps entity tags itself: without `no-store` the browser would answer a 304 from its own cache.
  return fetch(request, { cache: "no-store", signal: AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]) });
}

export const api = createClient<Paths>({ baseUrl: "/api/v1", fetch: send });

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a 2xx answer; throws `CallFailed` for any other. */
export async function call<T>(asked: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await asked;
  } catch {
    throw new CallFailed(0, "UNREACHABLE");
  }
  if (answer.response.ok) return answer.data as T;
  throw failure(answer);
}

function failure({ error, response }: Answer<unknown>): CallFailed {
  const told = typeof error === "object" ? (error as Partial<ServiceError> | null) : null;
  const seconds = Number(response.headers.get("retry-after"));
  return new CallFailed(
    response.status,
    told?.error ?? "UNKNOWN",
    told?.details ?? [],
    Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
  );
}

/** The answers with an entity tag, the newest last. */
const known = new Map<string, { tag: string; data: unknown }>();
const MAX_KNOWN = 40;

/** Reads it anew the next time: what belongs to it could not be read. */
export function forget(key: string): void {
  known.delete(key);
}

/** Reads with `If-None-Match`: if nothing changed, the same object as before. */
export async function readUnlessKnown<T>(
  key: string,
  read: (headers: { "If-None-Match"?: string }) => Promise<Answer<T>>,
): Promise<{ data: T; isNew: boolean }> {
  const before = known.get(key);
  let answer: Answer<T>;
  try {
    answer = await read(before ? { "If-None-Match": before.tag } : {});
  } catch {
    throw new CallFailed(0, "UNREACHABLE");
  }
  if (answer.response.status === 304 && before) return { data: before.data as T, isNew: false };
  if (!answer.response.ok) throw failure(answer);
  const tag = answer.response.headers.get("etag");
  known.delete(key);
  if (tag) known.set(key, { tag, data: answer.data });
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return { data: answer.data as T, isNew: true };
}
