import type { ErrorCode, ErrorDetail } from "./generated.js";

/** Whatever fails in a call or an event. No message, field or cause has the key. */
export class SupportError extends Error {
  override name = "SupportError";
  /** How many times the request was sent. */
  tries = 0;
  /** Whether the service may have carried the request out all the same. */
  maybeDone = false;
}

/** No answer, or half of one: nobody listens, or the connection was lost. */
export class ConnectionError extends SupportError {
  override name = "ConnectionError";
}

/** No whole answer in `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** An answer that says no. */
export class ApiError extends SupportError {
  override name = "ApiError";
  constructor(
    message: string,
    readonly status: number,
    /** What to decide by. */
    readonly code: ErrorCode | "UNEXPECTED_ANSWER" | (string & {}),
    /** All problems of an invalid request. */
    readonly details: ErrorDetail[],
    /** To be quoted to whoever runs the service. */
    readonly requestId: string | null,
    /** In seconds. */
    readonly retryAfter: number | null,
    /** What the API says, which `message` has with status, code, fields and request. */
    readonly apiMessage: string = message,
  ) {
    super(message);
  }
}

/** An answer that is none of the API's, of any status: a proxy's page, an empty body, a redirection. */
export class UnexpectedAnswerError extends ApiError {
  override name = "UnexpectedAnswerError";
  constructor(
    status: number,
    /** The first 200 characters of the body. */
    readonly body: string,
    requestId: string | null,
    retryAfter: number | null,
    hint = "",
  ) {
    const named = requestId ? ` (request ${requestId})` : "";
    super(`${status}, not from the API: ${body || "empty body"}${hint}${named}`, status, "UNEXPECTED_ANSWER", [], requestId, retryAfter);
  }
}

/** A delivery that is not from the service, too old, or changed on its way. */
export class WebhookError extends SupportError {
  override name = "WebhookError";
}
