// Sends one request until it has an answer: no try before `Retry-After` says, and none after the deadline.
import { ApiError, ConnectionError, SupportError, TimeoutError, UnexpectedAnswerError } from "./errors.js";
const [BASE_MS, CAP_MS] = [500, 8_000];
/** The longest time that a timer can take: 24 days. */
const MOST_MS = 2 ** 31 - 1;
export async function send(request, options) {
    const { signal, timeoutMs = 35_000, deadlineMs = 60_000, retries = 2 } = options;
    // The time of day may jump.
    const deadline = performance.now() + deadlineMs;
    let [maybeDone, postponed] = [false, 0];
    for (let tries = 1;; tries++) {
        signal?.throwIfAborted();
        const answer = await attempt(request, Math.min(timeoutMs, deadline - performance.now()), signal);
        if (!(answer instanceof SupportError))
            return answer;
        // The reply of an earlier try was lost: it did what was asked.
        if (maybeDone && request.method === "DELETE" && answer instanceof ApiError && answer.code === "NOT_FOUND") {
            return { data: undefined, status: 204, etag: null, requestId: answer.requestId, headers: new Headers() };
        }
        maybeDone ||= request.method !== "GET" && mayHaveDone(answer);
        const { status, retryAfter } = answer instanceof ApiError ? answer : { status: 0, retryAfter: null };
        // The service says when it takes the request: that costs no try.
        if ((status === 429 || status === 503) && retryAfter !== null)
            postponed++;
        const waitMs = (retryAfter ?? 0) * 1_000 + Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** (tries - 1));
        const isLeft = retries > 0 && tries - postponed <= retries && performance.now() + waitMs < deadline;
        const goesOn = isLeft && mayRepeat(request, answer);
        if (goesOn)
            await pause(waitMs, signal);
        // The machine may have slept in the pause.
        if (!goesOn || performance.now() >= deadline)
            throw Object.assign(answer, { tries, maybeDone });
    }
}
/** One try. A failure that another try may change is returned like any other. */
async function attempt(request, ms, signal) {
    const { method, url, headers, body, fetch } = request;
    // Node's `AbortSignal.any` leaves something in a signal that outlives the call.
    const either = new AbortController();
    const end = () => either.abort(signal?.reason);
    const timer = setTimeout(end, Math.min(ms, MOST_MS));
    signal?.addEventListener("abort", end);
    try {
        // A redirection would turn a POST into a GET, and send the key elsewhere.
        const response = await fetch(url, { method, headers, body, redirect: "manual", signal: either.signal });
        return understood(response, await response.text(), request);
    }
    catch (cause) {
        signal?.throwIfAborted();
        if (either.signal.aborted)
            return new TimeoutError(`no answer in ${Math.round(ms)} ms`, { cause });
        return new ConnectionError("no answer: the connection failed or was lost", { cause });
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
    }
}
function understood(response, text, { url, headers: sent, isVoid, secret }) {
    const { status, headers } = response;
    const requestId = headers.get("x-request-id");
    const answer = (data) => ({ data, status, etag: headers.get("etag"), requestId, headers });
    if (status === 304 ? sent.has("if-none-match") : status === 204 && isVoid)
        return answer(undefined);
    // Some proxies answer with the request that they got.
    const shown = secret ? text.replaceAll(secret, "***") : text;
    const body = parsed(response.ok ? text : shown);
    if (response.ok && body)
        return answer(body);
    const wait = waitOf(headers);
    const isOfApi = typeof body?.["error"] === "string" && typeof body["message"] === "string" && Array.isArray(body["details"]);
    const hint = status === 404 && !url.includes("/api/v1/") ? "; the `url` has no /api/v1" : "";
    if (response.ok || !isOfApi)
        return new UnexpectedAnswerError(status, shown.trim().slice(0, 200), requestId, wait, hint);
    const { error, message, details } = body;
    const fields = details.map(({ field, message }) => `; ${field ? `${field}: ` : ""}${message}`).join("");
    const named = `${status} ${error}: ${message}${fields}${hint}${requestId ? ` (request ${requestId})` : ""}`;
    return new ApiError(named, status, error, details, requestId, wait, message);
}
function parsed(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
    }
    catch {
        return undefined;
    }
}
/** `Retry-After` in seconds. A date counts from the service's own clock. */
function waitOf(headers) {
    const told = headers.get("retry-after");
    if (!told)
        return null;
    const from = Date.parse(headers.get("date") ?? "") || Date.now();
    // `Date.parse` takes "-5" for a date, too.
    const date = /^\w{3,}, .* GMT$/.test(told) ? Date.parse(told) : NaN;
    const seconds = /^\d+$/.test(told) ? Number(told) : Math.ceil((date - from) / 1_000);
    return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), Math.floor(MOST_MS / 1_000));
}
function mayHaveDone(failure) {
    if (!(failure instanceof ApiError) || failure.code === "IDEMPOTENCY_IN_PROGRESS")
        return true;
    return failure.status < 400 || failure.status === 408 || failure.status >= 500;
}
function mayRepeat({ method, headers }, failure) {
    if (!(failure instanceof ApiError))
        return method !== "PATCH" || headers.has("if-match");
    const { status, code } = failure;
    // The same change twice could undo what somebody else changed between: only if the first did nothing, or cannot do it
    // twice.
    if (method === "PATCH" && !headers.has("if-match"))
        return status === 429 || status === 503;
    return [408, 429, 500, 502, 503, 504].includes(status) || code === "IDEMPOTENCY_IN_PROGRESS";
}
function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
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
