/** Whatever fails in a call or an event. No message, field or cause has the key. */
export class SupportError extends Error {
    name = "SupportError";
    /** How many times the request was sent. */
    tries = 0;
    /** Whether the service may have carried the request out all the same. */
    maybeDone = false;
}
/** No answer, or half of one: nobody listens, or the connection was lost. */
export class ConnectionError extends SupportError {
    name = "ConnectionError";
}
/** No whole answer in `timeoutMs`. */
export class TimeoutError extends ConnectionError {
    name = "TimeoutError";
}
/** An answer that says no. */
export class ApiError extends SupportError {
    status;
    code;
    details;
    requestId;
    retryAfter;
    apiMessage;
    name = "ApiError";
    constructor(message, status, 
    /** What to decide by. */
    code, 
    /** All problems of an invalid request. */
    details, 
    /** To be quoted to whoever runs the service. */
    requestId, 
    /** In seconds. */
    retryAfter, 
    /** What the API says, which `message` has with status, code, fields and request. */
    apiMessage = message) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
        this.requestId = requestId;
        this.retryAfter = retryAfter;
        this.apiMessage = apiMessage;
    }
}
/** An answer that is none of the API's, of any status: a proxy's page, an empty body, a redirection. */
export class UnexpectedAnswerError extends ApiError {
    body;
    name = "UnexpectedAnswerError";
    constructor(status, 
    /** The first 200 characters of the body. */
    body, requestId, retryAfter, hint = "") {
        const named = requestId ? ` (request ${requestId})` : "";
        super(`${status}, not from the API: ${body || "empty body"}${hint}${named}`, status, "UNEXPECTED_ANSWER", [], requestId, retryAfter);
        this.body = body;
    }
}
/** A delivery that is not from the service, too old, or changed on its way. */
export class WebhookError extends SupportError {
    name = "WebhookError";
}
