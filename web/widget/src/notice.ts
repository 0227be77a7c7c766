// The consequence of a failed request: what the visitor should know, and when it is sent again.

import type { ApiError } from "./api";

/** `kind` names a text; `seconds` until the next attempt. */
export interface Notice {
  kind: "offline" | "busy" | "unavailable" | "expired" | "progress" | "error";
  seconds?: number;
}

/** The notice of an error, whose request is sent again after `wait` milliseconds, if at all. */
export function noticeOf({ status, isTemporary }: ApiError, wait: number): Notice {
  if (!navigator.onLine) return { kind: "offline" };
  if (status === 429) return { kind: "busy", seconds: Math.ceil(wait / 1_000) };
  if (status === 401 || status === 403) return { kind: "expired" };
  return { kind: isTemporary ? "unavailable" : "error" };
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

/** The time until the next attempt, in milliseconds, after `failures` in a row: as the service says, or growing. */
export function waitAfter({ retryAfter }: ApiError, failures: number): number {
  return retryAfter * 1_000 || Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
}
