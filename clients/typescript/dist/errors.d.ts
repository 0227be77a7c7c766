import type { ErrorCode, ErrorDetail } from "./generated.js";
/** Whatever fails in a call or an event. No message, field or cause has the key. */
export declare class SupportError extends Error {
    name: string;
    /** How many times the request was sent. */
    tries: number;
    /** Whether the service may have carried the request out all the same. */
    maybeDone: boolean;
}
/** No answer, or half of one: nobody listens, or the connection was lost. */
export declare class ConnectionError extends SupportError {
    name: string;
}
/** No whole answer in `timeoutMs`. */
export declare class TimeoutError extends ConnectionError {
    name: string;
}
/** An answer that says no. */
export declare class ApiError extends SupportError {
    readonly status: number;
    /** What to decide by. */
    readonly code: ErrorCode | "UNEXPECTED_ANSWER" | (string & {});
    /** All problems of an invalid request. */
    readonly details: ErrorDetail[];
    /** To be quoted to whoever runs the service. */
    readonly requestId: string | null;
    /** In seconds. */
    readonly retryAfter: number | null;
    /** What the API says, which `message` has with status, code, fields and request. */
    readonly apiMessage: string;
    name: string;
    constructor(message: string, status: number, 
    /** What to decide by. */
    code: ErrorCode | "UNEXPECTED_ANSWER" | (string & {}), 
    /** All problems of an invalid request. */
    details: ErrorDetail[], 
    /** To be quoted to whoever runs the service. */
    requestId: string | null, 
    /** In seconds. */
    retryAfter: number | null, 
    /** What the API says, which `message` has with status, code, fields and request. */
    apiMessage?: string);
}
/** An answer that is none of the API's, of any status: a proxy's page, an empty body, a redirection. */
export declare class UnexpectedAnswerError extends ApiError {
    /** The first 200 characters of the body. */
    readonly body: string;
    name: string;
    constructor(status: number, 
    /** The first 200 characters of the body. */
    body: string, requestId: string | null, retryAfter: number | null, hint?: string);
}
/** A delivery that is not from the service, too old, or changed on its way. */
export declare class WebhookError extends SupportError {
    name: string;
}
