import type { Answer, CallOptions } from "./call.js";
export interface Request {
    method: string;
    url: string;
    headers: Headers;
    body: string | null;
    /** Whether the answer has no body. */
    isVoid: boolean;
    /** What no error may show. */
    secret: string;
    fetch: typeof fetch;
}
export declare function send(request: Request, options: CallOptions): Promise<Answer<unknown>>;
