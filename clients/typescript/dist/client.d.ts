import type { CallOptions } from "./call.js";
import { type Visitor } from "./chat-token.js";
import { type Operations } from "./generated.js";
export declare const VERSION = "0.1.0";
export interface ClientOptions extends Pick<CallOptions, "timeoutMs" | "deadlineMs" | "retries"> {
    /** The service's address with `/api/v1`. */
    url: string;
    /** An API key; or what gives the token of each call. */
    key: string | (() => string | Promise<string>);
    /** Sends the requests in the place of the global `fetch`. */
    fetch?: typeof fetch;
    /** Names your program in `User-Agent`. */
    userAgent?: string;
}
export interface SupportAssistant extends Operations {
}
export declare class SupportAssistant {
    #private;
    constructor(options: ClientOptions);
    /** Answers the route of your server that gives the chat its token; see the README. */
    chatToken(request: globalThis.Request, visitor?: Visitor): Promise<Response>;
}
