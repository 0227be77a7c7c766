// The service over HTTP. A token that has ended is replaced once for each request; every other refusal is an `ApiError`.

/** A refusal of the service, or status 0 if it was not reached. */
export class ApiError extends Error {
  declare readonly status: number;
  declare readonly code: string;
  /** Seconds after which to ask again, as the service says. */
  declare readonly retryAfter: number;

  constructor(status: number, code: string, retryAfter = 0) {
    super(code);
    Object.assign(this, { status, code, retryAfter });
  }

  /** Whether the same request may succeed later without a change. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Whether the service refused a request with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

/** Longer than any request of the service may take. */
const TIMEOUT_MS = 35_000;

export interface Request {
  body?: object;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/** One request without a credential, read as JSON. */
export async function send(method: string, url: string, request: Request): Promise<any> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: { ...(request.body ? { "content-type": "application/json" } : {}), ...request.headers },
      body: request.body && JSON.stringify(request.body),
    });
    if (response.status === 204) return {};
    const told = response.ok || response.headers.get("content-type")?.includes("json") ? await response.json() : {};
    if (response.ok) return told;
    throw new ApiError(response.status, `${told?.error ?? ""}`, Number(response.headers.get("retry-after")) || 0);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, "UNREACHABLE");
  }
}
