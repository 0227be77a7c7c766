// The meaning of a refusal, in the person's words.

import { ApiError, isUnreached } from "../api/client";
import { named, t } from "../ui/texts";
import { tell } from "../ui/notices";

/** Refusals that are the ordinary course of a busy inbox. */
const ORDINARY = new Set(["QUEUE_EMPTY", "ALREADY_CLAIMED", "CLAIMED_BY_OTHER", "INVALID_STATE", "CONFLICT", "SESSION_CLOSED"]);

export function codeOf(error: unknown): string {
  if (isUnreached(error)) return "UNREACHABLE";
  if (!(error instanceof ApiError) || error.code === "UNEXPECTED_ANSWER") return "UNKNOWN";
  return error.details.find((detail) => detail.code === "QUEUE_EMPTY")?.code ?? error.code;
}

export function explain(code: string): string {
  const text = named("failure", code);
  return text === code ? t("failure.other", { code }) : text;
}

export function tellFailure(error: unknown): void {
  const code = codeOf(error);
  tell(explain(code), !ORDINARY.has(code));
}
