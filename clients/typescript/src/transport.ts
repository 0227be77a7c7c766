// Sends one request until it has an answer: no try before `Retry-After` says, and none after the deadline.

import type { Answer, CallOptions } from "./call.js";
import { ApiError, ConnectionError, SupportError, TimeoutError, UnexpectedAnswerError } from "./errors.js";
import type { ErrorDetail } from "./generated.js";

export interface Request {
  method: string;
  url: string;
  headers: Headers;
  body: string | null;
  /** What no error may show. */
  secret: string;
  fetch: typeof fetch;
}

const [BASE_MS, CAP_MS] = [500, 8_000];

export async function send(request: Request, options: CallOptions): Promise<Answer<unknown>> {
  const { signal, timeoutMs = 35_000, deadlineMs = 60_000, retries = 2 } = options;
  const deadline = Date.now() + deadlineMs;
  let maybeDone = false;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const answer = await attempt(request, Math.min(timeoutMs, deadline - Date.now()), signal);
    if (!(answer instanceof SupportError)) return answer;
    // The reply of an earlier try was lost: it did what was asked.
    if (maybeDone && request.method === "DELETE" && answer instanceof ApiError && answer.code === "NOT_FOUND") {
      return { data: undefined, status: 204, etag: null, requestId: answer.requestId, headers: new Headers() };
    }
    maybeDone ||= request.method !== "GET" && mayHaveDone(answer);
    const retryAfter = (answer instanceof ApiError && answer.retryAfter) || 0;
    const waitMs = retryAfter * 1_000 + Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** (tries - 1));
    if (tries > retries || !mayRepeat(request, answer) || Date.now() + waitMs >= deadline) {
      throw Object.assign(answer, { tries, maybeDone });
    }
    await pause(waitMs, signal);
  }
}

/** One try. A failure that another try may change is returned like any other. */
async function attempt(request: Request, ms: number, signal?: AbortSignal): Promise<Answer<unknown> | SupportError> {
  const { method, url, headers, body, fetch } = request;
  const timeout = AbortSignal.timeout(Math.max(0, ms));
  try {
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    // A redirection would turn a POST into a GET, and send the key elsewhere.
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal: either });
    return understood(response, await response.text(), request.secret);
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) return new TimeoutError(`no answer in ${ms} ms`, { cause });
    return new ConnectionError("no answer: the connection failed or was lost", { cause });
  }
}

function understood(response: Response, text: string, secret: string): Answer<unknown> | ApiError {
  const { status, headers } = response;
  const requestId = headers.get("x-request-id");
  const answer = (data: unknown) => ({ data, status, etag: headers.get("etag"), requestId, headers });
  if (status === 204 || status === 304) return answer(undefined);
  // Some proxies answer with the request that they got.
  const shown = secret ? text.replaceAll(secret, "***") : text;
  const body = parsed(response.ok ? text : shown);
  if (response.ok && body) return answer(body);
  const wait = waitOf(headers);
  const isRefusal = !response.ok && typeof body?.["error"] === "string";
  if (!isRefusal) return new UnexpectedAnswerError(status, shown.trim().slice(0, 200), requestId, wait);
  const { error, message, details = [] } = body as { error: string; message: string; details?: ErrorDetail[] };
  return new ApiError(`${error}: ${message}`, status, error, details, requestId, wait);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds. A date counts from the service's own clock. */
function waitOf(headers: Headers): number | null {
  const told = headers.get("retry-after");
  if (!told) return null;
  const from = Date.parse(headers.get("date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(told) ? Number(told) : Math.ceil((Date.parse(told) - from) / 1_000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

function mayHaveDone(failure: SupportError): boolean {
  if (!(failure instanceof ApiError) || failure.code === "IDEMPOTENCY_IN_PROGRESS") return true;
  return failure.status < 400 || failure.status === 408 || failure.status >= 500;
}

function mayRepeat({ method, headers }: Request, failure: SupportError): boolean {
  if (!(failure instanceof ApiError)) return method !== "PATCH" || headers.has("if-match");
  const { status, code } = failure;
  // The same change twice could undo what somebody else changed between: only if the first did nothing, or cannot do it
  // twice.
  if (method === "PATCH" && !headers.has("if-match")) return status === 429 || status === 503;
  return [408, 429, 500, 502, 503, 504].includes(status) || code === "IDEMPOTENCY_IN_PROGRESS";
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
