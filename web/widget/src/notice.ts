// What the visitor should know of a request that failed.

import type { ApiError } from "./api";

/** `kind` names a text; `seconds` until the next attempt. */
export interface Notice {
  kind: "offline" | "busy" | "unavailable" | "expired" | "progress" | "error";
  seconds?: number;
}

/** What an error means, where the request is sent again after `wait` milliseconds, if at all. */
export function noticeOf({ status, isTemporary }: ApiError, wait: number): Notice {
  if (!navigator.onLine) return { kind: "offline" };
  if (status === 429) return { kind: "busy", seconds: Math.ceil(wait / 1_000) };
  if (status === 401 || status === 403) return { kind: "expired" };
  return { kind: isTemporary ? "unavailable" : "error" };
}
